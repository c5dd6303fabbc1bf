"""`tock cards`: one JSON line for each picture, one clear line for each one that cannot be used."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.support.drawn_cards import hand, table
from tock_app.cli.main import main
from tock_vision.cards import read_cards

pytestmark = pytest.mark.whole

NAMES = ["AS", "2H", "5D", "6C", "7S"]


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photo") / "hand.jpg"
    cv2.imwrite(str(path), hand(NAMES))
    return path


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_photo_gives_its_cards_in_reading_order(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "read", str(photo), str(photo), "--count", "5"]) == 0
    first, second = lines(capsys.readouterr().out)
    assert [card["card"] for card in first["cards"]] == NAMES  # type: ignore[attr-defined]
    assert first["cards"] == second["cards"]
    assert first["ms"] > 0  # type: ignore[operator]
    assert np.array(first["cards"][0]["box"]).shape == (4, 2)  # type: ignore[index]


def test_small_cards_are_all_read_where_their_number_is_known() -> None:
    small = cv2.resize(hand(NAMES), (400, 300), interpolation=cv2.INTER_AREA)
    picture = table((2000, 1500))
    picture[300:600, 500:900] = small
    assert [str(reading.card) for reading in read_cards(picture, count=5)] == NAMES


def test_the_overlay_marks_the_cards(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "seen.png"
    assert main(["cards", "overlay", str(photo), "--out", str(out)]) == 0
    drawn, plain = cv2.imread(str(out)), cv2.imread(str(photo))
    assert drawn is not None
    assert plain is not None
    changed = np.abs(drawn.astype(int) - plain).max(axis=2) > 40
    (answer,) = lines(capsys.readouterr().out)
    for card in answer["cards"]:  # type: ignore[attr-defined]
        left, top = (int(v) for v in np.min(card["box"], axis=0))
        right, bottom = (int(v) for v in np.max(card["box"], axis=0))
        assert changed[max(top - 3, 0) : bottom + 3, max(left - 3, 0) : right + 3].any()


@pytest.mark.parametrize("kind", ["text", "truncated"])
def test_a_picture_that_cannot_be_used_gets_one_line_and_the_others_are_read(
    kind: str, photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"this is no picture" if kind == "text" else photo.read_bytes()[:4000])
    assert main(["cards", "read", str(bad), str(tmp_path / "missing.jpg"), str(photo)]) == 2
    printed = capsys.readouterr()
    assert len(printed.err.splitlines()) == 2
    refused, missing, good = lines(printed.out)
    assert refused["cards"] == missing["cards"] == []
    assert refused["error"]
    assert good["cards"]


@pytest.mark.parametrize("kind", ["sixteen bit", "alpha"])
def test_other_kinds_of_pixels_are_read_alike(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = hand(NAMES, (960, 720))
    made = {
        "sixteen bit": picture.astype(np.uint16) * 257,
        "grey": cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY),
        "alpha": cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA),
    }[kind]
    path = tmp_path / "hand.png"
    cv2.imwrite(str(path), made)
    assert main(["cards", "read", str(path), "--count", "5"]) == 0
    (answer,) = lines(capsys.readouterr().out)
    named = [card["card"] for card in answer["cards"]]  # type: ignore[attr-defined]
    assert [name[:-1] for name in named] == [name[:-1] for name in NAMES]


@pytest.mark.parametrize(
    "args", [["--count", "0"], ["--count", "x"], ["--packs", "-1"], ["--jokers", "none.npz"]]
)
def test_wrong_use_is_one_line(args: list[str], photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "read", str(photo), *args]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_jokers_are_learned_from_two_photos_and_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("JOK_B", "JOK_C"):
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), hand([name]))
    file = tmp_path / "jokers.npz"
    photos = [str(tmp_path / "JOK_B.jpg"), str(tmp_path / "JOK_C.jpg")]
    assert main(["cards", "enrol", *photos, "--out", str(file)]) == 0
    capsys.readouterr()
    for names in (["2H", "JOK_C", "7S"], ["JOK_C", "JOK_B"]):
        cv2.imwrite(str(tmp_path / "hand.jpg"), hand(names, (960, 720), spread=0.2))
        assert main(["cards", "read", str(tmp_path / "hand.jpg"), "--jokers", str(file)]) == 0
        (answer,) = lines(capsys.readouterr().out)
        seen = [card["card"] for card in answer["cards"]]  # type: ignore[attr-defined]
        assert [name for name in seen if name and name.startswith("JOK")] == [
            n for n in names if n.startswith("JOK")
        ]


def test_photos_without_a_joker_cannot_be_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = tmp_path / "plain.png"
    cv2.imwrite(str(plain), np.full((600, 800, 3), 90, np.uint8))
    assert main(["cards", "enrol", str(plain), str(plain), "--out", str(tmp_path / "out.npz")]) == 2
    assert "black joker" in capsys.readouterr().err
    assert not (tmp_path / "out.npz").exists()
