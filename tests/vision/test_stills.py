"""`tock board read`, `learn` and `overlay`, and the calibration file."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn import SMALL, START, moved
from tock_app.cli.commands.board import run
from tock_companion.boardfile import BoardFile, parse, to_text
from tock_companion.errors import BadInputError
from tock_vision.calibration_file import load_calibration, rate, save_calibration, weak_points
from tock_vision.holes.calibration import Calibration
from tock_vision.images import load_image
from tock_vision.learning import learn
from tock_vision.rendering.appearance import pose_of

Draw = Callable[..., Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, board: BoardFile, draw: Draw) -> Path:
    made = tmp_path_factory.mktemp("stills")
    (made / "board.json").write_text(to_text(board))
    cv2.imwrite(str(made / "empty.png"), draw({}))
    cv2.imwrite(str(made / "camps.png"), draw(START))
    cv2.imwrite(str(made / "play.png"), draw(moved(START, "P1-C2", "T30")))
    return made


@pytest.fixture(scope="module")
def from_camps(board: BoardFile, draw: Draw) -> Calibration:
    learned = learn(board, [(draw({}), "empty"), (draw(START), "camps")])
    assert isinstance(learned, Calibration)
    return learned


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.whole
def test_reading_pictures_prints_one_line_for_each(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    images = [str(folder / name) for name in ("camps.png", "play.png")]
    assert run(["read", *images, "--board", str(folder / "board.json")]) == 0
    first, second = lines(capsys)
    assert first["image"] == images[0]
    assert first["registered"] is True
    assert first["orientation"] == "sure"
    assert first["rms_px"] < 2
    assert first["loose"] == []
    assert first["holes"]["T30"]["state"] == "empty"
    assert second["holes"]["T30"]["state"] == "pawn"
    assert second["holes"]["T30"]["color"] == "blue"
    assert 0.5 < second["holes"]["T30"]["confidence"] <= 1


@pytest.mark.whole
def test_touches_are_pixels_of_the_file_however_large_it_is(
    folder: Path, board: BoardFile, draw: Draw, capsys: pytest.CaptureFixture[str]
) -> None:
    appearance = replace(SMALL, markers=False)
    factor = 3200 / appearance.size_px[0]
    cv2.imwrite(str(folder / "large.jpg"), cv2.resize(draw(START, appearance), None, fx=factor, fy=factor))
    names = ("T0", "T18", "T36", "T54")
    places = pose_of(board, appearance).project(
        np.array([[board.hole(n).x_mm, board.hole(n).y_mm] for n in names])
    )
    touches = [
        f"{name}={factor * x:.0f},{factor * y:.0f}" for name, (x, y) in zip(names, places, strict=True)
    ]
    read = ["read", str(folder / "large.jpg"), "--board", str(folder / "board.json"), "--touch", *touches]
    assert run(read) == 0
    assert lines(capsys)[0]["registered"] is True


def test_a_bad_picture_has_its_line_and_the_others_are_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "text.jpg").write_text("no picture")
    images = [str(folder / "text.jpg"), str(folder / "camps.png")]
    assert run(["read", *images, "--board", str(folder / "board.json")]) == 2
    output = capsys.readouterr()
    assert [json.loads(line)["registered"] for line in output.out.splitlines()] == [False, True]
    assert output.err.count("\n") == 1
    assert "text.jpg" in output.err


def test_a_picture_without_the_board_is_answered_with_no(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(folder / "grey.png"), np.full((240, 320), 90, np.uint8))
    assert run(["read", str(folder / "grey.png"), "--board", str(folder / "board.json")]) == 1
    assert lines(capsys)[0]["reason"] == "camera/covered"


@pytest.mark.parametrize("touch", ["T0", "T0=5", "T0=a,b", "T99=1,2"])
def test_touches_in_another_form_are_refused(folder: Path, touch: str) -> None:
    with pytest.raises(BadInputError, match="touch"):
        run(["read", str(folder / "camps.png"), "--board", str(folder / "board.json"), "--touch", touch])


@pytest.mark.whole
def test_learned_state_is_saved_and_used(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board, state = str(folder / "board.json"), str(folder / "state.tock")
    pictures = ["--empty", str(folder / "empty.png"), "--camps", str(folder / "camps.png")]
    assert run(["learn", "--board", board, *pictures, "--out", state]) == 0
    learned = lines(capsys)[0]
    assert learned["learned"] is True
    assert learned["weak"] == []
    out = folder / "seen.png"
    play = str(folder / "play.png")
    assert run(["overlay", play, "--board", board, "--state", state, "--out", str(out)]) == 0
    assert lines(capsys)[0]["holes"]["T30"]["color"] == "blue"
    assert not np.array_equal(load_image(out), load_image(Path(play)))


@pytest.mark.whole
def test_a_state_reads_back_as_it_was(tmp_path: Path, board: BoardFile, from_camps: Calibration) -> None:
    learned = from_camps
    path = tmp_path / "state.tock"
    save_calibration(path, board, learned)
    again = load_calibration(path, board)
    assert again.empty is not None
    assert learned.empty is not None
    assert np.abs(again.empty - learned.empty).max() < 0.02
    assert np.array_equal(again.registration.pose.params, learned.registration.pose.params)
    assert again.colors.keys() == learned.colors.keys()
    assert again.saw_empty


@pytest.mark.whole
def test_a_state_keeps_that_the_empty_board_was_not_seen(
    tmp_path: Path, board: BoardFile, from_camps: Calibration
) -> None:
    path = tmp_path / "state.tock"
    save_calibration(path, board, replace(from_camps, saw_empty=False))
    again = load_calibration(path, board)
    assert not again.saw_empty
    assert "never_empty" in {point.code for point in rate(board, again)[1]}


def test_a_state_of_another_board_or_another_file_is_refused(
    folder: Path, tmp_path: Path, board: BoardFile, from_camps: Calibration
) -> None:
    path = tmp_path / "state.tock"
    save_calibration(path, board, from_camps)
    with pytest.raises(BadInputError, match="another board"):
        load_calibration(path, replace(board, size_mm=(board.size_mm[0] + 1, board.size_mm[1])))
    assert load_calibration(path, replace(board, name="other")).colors.keys() == from_camps.colors.keys()
    for file in (folder / "board.json", folder / "camps.png", folder / "none", folder):
        with pytest.raises(BadInputError, match="state"):
            load_calibration(file, board)


def test_colours_that_are_close_are_named(board: BoardFile, from_camps: Calibration) -> None:
    learned = from_camps
    red, blue = board.seats[:2]
    same = replace(learned, colors={**learned.colors, blue: learned.colors[red]})
    score, weak = weak_points(board, same)
    assert score == 0
    assert any("red and blue are close" in sentence for sentence in weak)


def test_board_files_are_made_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "--zones", "8", "--size", "560", "--format", "json"]) == 0
    text = capsys.readouterr().out
    assert parse(text).zones == 8
    (tmp_path / "eight.json").write_text(text)
    assert run(["file", "check", str(tmp_path / "eight.json")]) == 0
    assert "209 holes" in capsys.readouterr().out
    assert run(["export", "--zones", "4", "--size", "400", "--format", "svg"]) == 0
    assert capsys.readouterr().out.startswith("<svg")
