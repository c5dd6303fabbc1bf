"""Records and reports of games: for people to read, and for developers without any hand."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.support.boards import pawns
from tock_app.cli.commands import report
from tock_app.cli.commands.game import run
from tock_app.cli.commands.report import without_hands
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.errors import BadInputError
from tock_companion.events.facts import CardsDealt, Event
from tock_companion.storage import Store
from tock_rules import Card, GameRecord, Position, Seat


def duel(text: str) -> dict[str, list[str]]:
    return {seat: places for seat, places in pawns(text).items() if seat in {"P0", "P2"}}


def line(seq: int, kind: str, **values: object) -> str:
    return json.dumps({"v": 1, "seq": seq, "t_ms": 1000 * seq, "event": kind, **values})


START = line(
    1,
    "game_started",
    ruleset="mjc",
    options={},
    seats=["P0", "P2"],
    teams=None,
    board="b",
    zones=4,
    dealer=None,
    to_move="P0",
    position=duel("P0 T20"),
)


def accepted(seq: int, seat: str, card: str, move: str) -> str:
    return line(seq, "move_accepted", seat=seat, card=card, move=move, result={}, evidence={})


def exported(*lines: str) -> str:
    out = io.StringIO()
    assert run(["export", "-"], io.StringIO("\n".join(lines)), out) == 0
    return out.getvalue()


def test_record_of_a_log_can_be_followed_and_reads_back() -> None:
    text = exported(
        START,
        accepted(2, "P0", "6H", "P0:T20>T26"),
        line(3, "card_played", seat="P2", card="3C", by="touch", use="discard"),
        accepted(4, "P0", "JOK_B", "P0:camp>T0*"),
        accepted(5, "P0", "2H", "P0:T26>T28"),
    )
    assert "board: P0:T20 P2:" in text
    assert "2. P2 discards 3C\n3. P0 plays JOK_B P0:camp>T0*\n4. P0 plays again 2H P0:T26>T28" in text
    assert text == GameRecord.parse(text).text()


def test_move_that_was_taken_back_is_left_out() -> None:
    text = exported(
        START,
        accepted(2, "P0", "6H", "P0:T20>T26"),
        line(3, "move_taken_back", by="host", undoes=2),
        accepted(4, "P0", "8H", "P0:T20>T28"),
    )
    assert "P0:T20>T26" not in text
    assert "1. P0 plays 8H P0:T20>T28" in text


def test_board_put_right_by_hand_is_recorded() -> None:
    text = exported(
        START,
        line(2, "correction", by="host", why="bumped", result=duel("P0 T30, P2 H1"), to_move="P2"),
        accepted(3, "P2", "2H", "P2:H1>H3"),
    )
    assert "1. P2 sets P0:T30 P2:H1" in text
    assert text == GameRecord.parse(text).text()


def test_a_turn_that_was_passed_over_is_in_the_record() -> None:
    text = exported(
        START,
        accepted(2, "P0", "6H", "P0:T20>T26"),
        line(3, "turn_ended", seat="P0", next="P2"),
        line(4, "turn_ended", seat="P2", next="P0"),
        accepted(5, "P0", "2H", "P0:T26>T28"),
    )
    assert "2. P2 passes\n3. P0 plays 2H" in text
    assert text == GameRecord.parse(text).text()


def test_log_without_a_game_is_refused() -> None:
    with pytest.raises(BadInputError, match="no game_started"):
        exported(line(1, "paused", by="host"))


def test_a_file_that_is_no_log_is_named_with_the_command_that_prints_one(tmp_path: Path) -> None:
    photo = tmp_path / "board.txt"
    photo.write_text("a photo\n")
    for command in (["export", str(photo)], ["film", str(photo), "--out", str(tmp_path / "film.gif")]):
        with pytest.raises(BadInputError, match=r"board.txt, line 1: .*tock game export --events"):
            run(command)


def test_without_a_log_the_newest_game_of_the_data_folder_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    with pytest.raises(BadInputError, match="has no games"):
        run(["export"])
    store = Store(tmp_path)
    store.append(1, [Event(1, 0, game_started(GameSetup(), generate(4, 440)))])
    store.close()
    output = io.StringIO()
    assert run(["export"], stdout=output) == 0
    assert output.getvalue().startswith("Tock game\nruleset: mjc")


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
    assert report.run(["--out", "r.zip"], io.StringIO("\n"), out) == 1
    assert "with the players' cards left out" in out.getvalue()
    assert not (data / "r.zip").exists()


def test_the_report_holds_the_game_without_any_hand(data: Path) -> None:
    assert report.run(["--out", "r.zip"], io.StringIO("oui\n"), io.StringIO()) == 0
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
    assert (
        report.run(["--out", "r.zip", "--yes", "--recording", "recording"], io.StringIO(), io.StringIO()) == 0
    )
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
        report.run(["--recording", str(data), "--yes"], None, io.StringIO())


def test_a_report_is_never_overwritten(data: Path) -> None:
    (data / "r.zip").write_text("mine")
    with pytest.raises(BadInputError, match="exists and is left as it is"):
        report.run(["--out", "r.zip", "--yes"], None, io.StringIO())
