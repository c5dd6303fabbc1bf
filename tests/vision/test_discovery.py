"""`tock board discover`: photographs in, a board file out, or a sentence and nothing written."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.pictures import BOARDS, needs_pictures
from tock_app.cli.commands import board as command
from tock_companion.boardfile import generate, load, to_text
from tock_companion.errors import BadInputError
from tock_rules import Seat, load_preset, shape_for
from tock_vision.discovery import pipeline as searching
from tock_vision.discovery import second_search
from tock_vision.discovery.centre import Centre
from tock_vision.discovery.command import asks_of
from tock_vision.discovery.refusals import NoBoard
from tock_vision.discovery.searching import PhotoSearch, Searched, search_photos
from tock_vision.discovery.touch_hints import Starts
from tock_vision.images import load_image
from tock_vision.rendering.appearance import Appearance
from tock_vision.rendering.renderer import Renderer

CROSS = BOARDS / "stills" / "s0046.jpg"


def discover(capsys: pytest.CaptureFixture[str], *args: str | Path) -> tuple[int, dict[str, object]]:
    """Exit code and answer of the command."""
    code = command.run(["discover", *map(str, args)])
    answer: dict[str, object] = json.loads(capsys.readouterr().out)
    return code, answer


def picture(path: Path, pixels: object) -> Path:
    """Write a picture."""
    assert cv2.imwrite(str(path), np.asarray(pixels))
    return path


def test_a_file_that_exists_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "board.json"
    out.write_text("mine")
    with pytest.raises(BadInputError, match="--force"):
        command.run(["discover", str(tmp_path / "none.jpg"), "--out", str(out)])
    assert out.read_text() == "mine"


def test_a_picture_without_a_board_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = picture(tmp_path / "shade.png", np.tile(np.arange(240, dtype=np.uint8), (240, 1)))
    code, answer = discover(capsys, image, "--out", tmp_path / "board.json")
    assert code == 1
    assert answer["found"] is False
    assert set(answer["message"]) == {"fr", "en"}  # type: ignore[call-overload]
    assert not (tmp_path / "board.json").exists()


def test_a_touched_middle_contradicts_a_bare_one(tmp_path: Path) -> None:
    image = picture(tmp_path / "any.png", np.zeros((480, 640), np.uint8))
    touches = ["T0=100,100", "T18=400,100", "T36=400,400", "T54=100,400", "C=250,250"]
    with pytest.raises(BadInputError, match="--middle"):
        command.run(
            [
                "discover",
                str(image),
                "--out",
                str(tmp_path / "out.json"),
                "--middle",
                "no",
                "--touch",
                *touches,
            ]
        )
    with pytest.raises(BadInputError, match="maybe"):
        command.run(["discover", str(image), "--out", str(tmp_path / "out.json"), "--middle", "maybe"])


def test_the_same_photo_twice_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = picture(tmp_path / "one.png", np.random.default_rng(2).integers(0, 255, (240, 320), np.uint8))
    code, answer = discover(capsys, image, image, "--out", tmp_path / "board.json")
    assert (code, answer["reason"]) == (1, "same_photo")


def test_a_progress_callback_can_end_the_search() -> None:
    frame = np.repeat(np.tile(np.arange(240, dtype=np.uint8), (240, 1))[..., None], 3, axis=2)
    shares: list[float] = []

    def watch(share: float) -> None:
        shares.append(share)
        if len(shares) == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        searching.discover([frame, frame[:, ::-1]], "any", progress=watch)
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[1] <= 1


@needs_pictures
@pytest.mark.slow
def test_a_photo_that_tells_nothing_is_left_out_and_named() -> None:
    noise = np.random.default_rng(4).normal(128, 30, (960, 1280, 3)).clip(0, 255).astype(np.uint8)
    found = searching.discover([load_image(CROSS), noise], "any")
    assert isinstance(found, searching.Found)
    last = asks_of(found, touched=False)[-1]
    assert last["code"] == "discover/unused"
    assert "photo 2" in str(last["message"])


def test_boards_of_a_folder_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ours.json").write_text(to_text(generate(6, 600)))
    (tmp_path / "torn.json").write_text("{")
    assert command.run(["list", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert [json.loads(line)["zones"] for line in shown.out.splitlines()] == [6]
    assert "torn.json" in shown.err


@pytest.mark.whole
def test_the_board_of_another_game_is_offered_as_its_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    look = Appearance(size_px=(1280, 960), markers=False, turn_deg=40.0, fill=0.85, tilt_deg=15.0)
    photo = Renderer(generate(shape_for(load_preset("keezen"), 4), 440), look).frame([])
    image = picture(tmp_path / "ring.png", photo)
    code, answer = discover(capsys, image, "--out", tmp_path / "any.json")
    assert (code, answer["zones"], answer["zone_length"]) == (0, 4, 16)
    assert "This looks like a board of Brändi Dog or Keezen: play that?" in str(answer["asks"])
    code, answer = discover(capsys, image, "--game", "keezen", "--out", tmp_path / "keezen.json")
    assert "discover/ask_game" not in str(answer["asks"])
    board = load(tmp_path / "keezen.json")
    assert (board.zone_length, board.entrance(Seat.P0).id) == (16, "T63")
    code, answer = discover(capsys, image, "--game", "mjc", "--out", tmp_path / "tock.json")
    assert (code, answer["reason"], answer["ring"], answer["zones"]) == (1, "other_ring", 64, 4)


@needs_pictures
def test_a_photographed_board_becomes_a_board_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "ours.json"
    code, answer = discover(capsys, CROSS, "--out", out, "--overlay", tmp_path / "over.png")
    assert code == 0
    assert (answer["found"], answer["zones"]) == (True, 4)
    board, true = load(out), load(BOARDS / "boards" / "D03.json")
    assert board.pitch_mm == pytest.approx(20.0, rel=0.01)
    assert (tmp_path / "over.png").exists()
    # Turned by some zones and stretched, every hole of the track lies where it lies.
    track = [f"T{number}" for number in range(72)]
    mine, its = (np.array([(b.hole(name).x_mm, b.hole(name).y_mm) for name in track]) for b in (board, true))
    off = []
    for turn in range(4):
        plane, _ = cv2.findHomography(mine, np.roll(its, -18 * turn, axis=0))
        moved = cv2.perspectiveTransform(mine[None], plane)[0]
        off.append(float(np.abs(moved - np.roll(its, -18 * turn, axis=0)).max()))
    assert min(off) < 0.25 * true.pitch_mm


@needs_pictures
@pytest.mark.slow
def test_a_middle_under_cards_is_as_somebody_says() -> None:
    lines = (BOARDS / "stills.jsonl").read_text().splitlines()
    holes = next(entry for entry in map(json.loads, lines) if entry["image"].endswith(CROSS.name))["holes"]
    x, y = np.mean([holes[f"P{seat}-H4"]["px"] for seat in range(4)], axis=0).round().astype(int).tolist()
    covered = load_image(CROSS).copy()
    cv2.rectangle(covered, (x - 40, y - 55), (x + 40, y + 55), (232, 236, 238), -1)
    places = np.array([holes[f"T{18 * zone}"]["px"] for zone in range(4)])
    for has_middle in (None, True, False):
        found = searching.discover([covered], "any", starts=Starts(places), has_middle=has_middle)
        assert isinstance(found, searching.Found)
        asks = [ask["code"] for ask in asks_of(found, touched=True)]
        assert ("discover/ask_centre" in asks) is (has_middle is None)
        assert has_middle is None or ("C" in found.board.by_id) is has_middle
    found = searching.discover([covered], "any", has_middle=True)
    assert isinstance(found, searching.Found)
    assert found.middle is Centre.HOLE


@needs_pictures
def test_a_touched_photo_in_which_nothing_was_found_by_the_touches_is_searched_without_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = (BOARDS / "stills.jsonl").read_text().splitlines()
    holes = next(entry for entry in map(json.loads, lines) if entry["image"].endswith(CROSS.name))["holes"]
    places = np.array([holes[f"T{18 * zone}"]["px"] for zone in range(4)])

    without_touches: list[Searched] = []

    def search(
        pictures: Any, radials: Any, zones: Any, starts: Starts | None, *rest: Any, **more: Any
    ) -> Searched:
        if starts is not None:
            return Searched((PhotoSearch(pictures[0], zones, starts),), (None,), {})
        if not without_touches:
            without_touches.append(search_photos(pictures, radials, zones, None, *rest, **more))
        return without_touches[0]

    monkeypatch.setattr(second_search, "search_photos", search)
    found = searching.discover([load_image(CROSS)], "any", starts=Starts(places))
    assert isinstance(found, searching.Found)
    (pose,) = found.joined.poses
    start = next(hole.place for hole in found.holes if hole.id == "T0")
    assert np.linalg.norm(pose.project(start[None])[0] - places[0]) < 0.25 * pose.scale(start[None])[0]
    # Touches that are no starts of the board found without them are wrong.
    elsewhere = np.array([holes[f"T{18 * zone + 6}"]["px"] for zone in range(4)])
    refused = searching.discover([load_image(CROSS)], "any", starts=Starts(elsewhere))
    assert isinstance(refused, NoBoard)
    assert refused.reason == "discover/touches"
