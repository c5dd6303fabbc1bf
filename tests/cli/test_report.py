"""`tock report` asks before it writes, and holds no hand."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from tock_app.cli.commands.report import run, without_hands
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.errors import BadInputError
from tock_companion.events.facts import CardsDealt, Event
from tock_companion.storage import Store
from tock_rules import Card, Position, Seat


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    store = Store(tmp_path)
    started = Event(1, 0, game_started(GameSetup(), generate(4, 440.0)))
    dealt = Event(2, 5, CardsDealt({"P0": 2}))
    store.append(1, [started, dealt], {(2, Seat.P0): (Card.parse("KH"), Card.parse("JOK_C"))})
    store.close()
    return tmp_path


def test_nothing_is_written_without_a_yes(data: Path) -> None:
    out = io.StringIO()
    assert run(["--out", "r.zip"], io.StringIO("\n"), out) == 1
    assert "with the players' cards left out" in out.getvalue()
    assert not (data / "r.zip").exists()


def test_the_report_holds_the_game_without_any_hand(data: Path) -> None:
    assert run(["--out", "r.zip"], io.StringIO("oui\n"), io.StringIO()) == 0
    with zipfile.ZipFile(data / "r.zip") as packed:
        content = {name: packed.read(name).decode() for name in packed.namelist()}
    assert sorted(content) == ["doctor.jsonl", "game-1.jsonl", "position.txt"]
    assert Position.parse(content["position.txt"].strip()).to_move is Seat.P0
    assert json.loads(content["game-1.jsonl"].splitlines()[1])["counts"] == {"P0": 2}
    assert not any("JOK_C" in text for text in content.values())


def test_links_in_a_recording_are_not_followed(data: Path) -> None:
    (data / "secret.jpg").write_bytes(b"secret")
    (data / "outside").mkdir()
    (data / "outside" / "z.jpg").write_bytes(b"secret")
    recording = data / "recording"
    (recording / "frames").mkdir(parents=True)
    (recording / "recording.json").write_text("{}")
    (recording / "frames" / "own.jpg").write_bytes(b"own")
    (recording / "frames" / "link.jpg").symlink_to(data / "secret.jpg")
    (recording / "linked").symlink_to(data / "outside")
    assert run(["--out", "r.zip", "--yes", "--recording", "recording"], io.StringIO(), io.StringIO()) == 0
    with zipfile.ZipFile(data / "r.zip") as packed:
        names = [name for name in packed.namelist() if name.startswith("recording/")]
    assert names == ["recording/frames/own.jpg", "recording/recording.json"]


def test_requests_that_entered_a_hand_keep_only_that_they_were_made() -> None:
    given = {"n": 1, "t_ms": 5, "kind": "hand_set", "seat": "P0", "data": {"cards": ["KH"]}}
    laid = {"n": 2, "t_ms": 9, "kind": "play_card", "seat": "P0", "data": {"card": "KH"}}
    drawn = {"n": 3, "t_ms": 12, "kind": "hand_draw", "seat": "P1", "data": {"seed": 42}}
    lines = b"%s\n%s\n%s\n" % (_row(given), _row(laid), _row(drawn))
    rows = [json.loads(line) for line in without_hands(lines).splitlines()]
    # Whoever knows the seed knows the computer's cards.
    assert rows == [{**given, "data": {}}, laid, {**drawn, "data": {}}]


def _row(row: object) -> bytes:
    return json.dumps(row).encode()


def test_lines_of_a_recording_that_cannot_be_read_are_left_out_of_the_report() -> None:
    lines = (
        b'{"kind": "hand_set", "data": {"cards": ["9H"]}}\n{"data": {"cards": ["9H"]\n[1]\n\xff' + b"[" * 9000
    )
    kept = without_hands(lines + b'\n{"kind": "undo", "why": "\\ud800"}\n{"kind": "undo"}\n').splitlines()
    assert b"9H" not in b"".join(kept)
    assert [json.loads(line).get("kind", "left out") for line in kept] == [
        "hand_set", "left out", "left out", "left out", "left out", "undo"
    ]  # fmt: skip


def test_a_folder_that_is_no_recording_is_refused(data: Path) -> None:
    with pytest.raises(BadInputError, match=r"recording\.json is missing"):
        run(["--recording", str(data), "--yes"], None, io.StringIO())


def test_a_report_is_never_overwritten(data: Path) -> None:
    (data / "r.zip").write_text("mine")
    with pytest.raises(BadInputError, match="exists and is left as it is"):
        run(["--out", "r.zip", "--yes"], None, io.StringIO())
