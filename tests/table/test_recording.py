"""A recording replays to the same events; pixels are left out, boards stand for frames."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from tests.support.boards import pawns
from tests.support.observations import Reeds, observed
from tests.support.sources import HandSource
from tock_companion.boardfile import BoardFile, generate, to_text
from tock_companion.core.following import CopyReport
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.core.state import Copying
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_to_line
from tock_companion.observation import SourceMessage
from tock_companion.sources.recording import open_recording
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder
from tock_companion.table.runtime.replaying import replay
from tock_rules import Seat

BOARD = generate(4, 440)
BEFORE = pawns("P0 T20, P1 T26")


def read_film(folder: Path, _board: BoardFile, _document: Any) -> Iterator[SourceMessage]:
    """Read the boards back, in order."""
    for line in (folder / "frames.jsonl").read_text().splitlines():
        row = json.loads(line)
        yield observed(json.loads((folder / row["file"]).read_text()), row["t_ms"])


def settled(table: Table, source: HandSource) -> None:
    """Wait until the table has taken everything in."""
    done: Queue[bool] = Queue()
    table.run_soon(lambda: done.put(True))
    done.get(timeout=10)


def test_a_recording_from_the_middle_of_a_game_replays_to_the_same_log(tmp_path: Path) -> None:
    source, store = HandSource(), Store(tmp_path / "data")
    table = Table(BOARD, store, [source], setup=GameSetup(position=BEFORE))
    table.start()
    source.show(BEFORE, 3)
    table.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0))
    table.record_to(Recorder(tmp_path / "film", BOARD))
    settled(table, source)
    source.show(pawns("P0 T30, P1 T26"), 15)
    source.show(pawns("P0 T29, P1 T26"), 6)
    settled(table, source)
    table.request(parse_request("play_card", {"card": "2H"}, Role.SEAT, Seat.P1))
    table.request(parse_request("undo", {}, Role.HOST))
    settled(table, source)
    expected = [event_to_line(event) for event in store.game(1).events]
    table.stop()
    replayed = [event_to_line(event) for event in replay(open_recording(tmp_path / "film"), read_film)]
    assert replayed == expected
    kinds = [json.loads(line)["event"] for line in replayed]
    assert kinds[2:] == ["violation", "repaired", "move_accepted", "turn_ended", "card_played", "correction"]


def test_a_replay_waits_for_a_board_elsewhere_as_the_table_did(tmp_path: Path) -> None:
    source, store = HandSource(), Store(tmp_path / "data")
    table = Table(BOARD, store, [source], setup=GameSetup(position=BEFORE))
    table.start()
    table.hear(CopyReport("room", Copying.SHOWN))
    source.show(BEFORE, 3)
    settled(table, source)
    table.record_to(Recorder(tmp_path / "film", BOARD))
    table.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0))
    source.show(pawns("P0 T29, P1 T26"), 12)
    settled(table, source)
    moved = table.facts()[1][-1][0]
    table.request(parse_request("play_card", {"card": "6C"}, Role.SEAT, Seat.P1))
    source.show(pawns("P0 T29, P1 T32"), 12)
    settled(table, source)
    assert table.view(Role.TABLE)["to_move"] == "P1", "the other board does not show the first move yet"
    table.hear(CopyReport("room", Copying.SHOWN, moved))
    source.show(pawns("P0 T29, P1 T32"), 4)
    settled(table, source)
    expected = [event_to_line(event) for event in store.game(1).events]
    table.stop()
    film = tmp_path / "film"
    assert "room" not in (film / "requests.jsonl").read_text()
    assert [event_to_line(event) for event in replay(open_recording(film), read_film)] == expected
    assert json.loads(expected[-1])["event"] == "turn_ended"


def test_an_input_is_recorded_before_anybody_sees_what_came_of_it(tmp_path: Path) -> None:
    """Ending the recording right after a move must not cut off the frame that the move rests on."""
    source = HandSource()
    table = Table(BOARD, Store(tmp_path / "data"), [source], setup=GameSetup(position=BEFORE))
    table.start()
    film, shown = Recorder(tmp_path / "film", BOARD), []
    note = film.message

    def view_first(message: Any, t_ms: int) -> None:
        shown.append(table.view(Role.TABLE)["to_move"])
        note(message, t_ms)

    film.message = view_first  # type: ignore[method-assign]
    table.record_to(film)
    table.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0))
    source.show(BEFORE, 3)
    source.show(pawns("P0 T29, P1 T26"), 4)
    settled(table, source)
    assert table.view(Role.TABLE)["to_move"] == "P1"
    assert set(shown) == {"P0"}
    table.stop()


class ReedSource(HandSource):
    """Reports scripted observations, on the table's clock."""

    name = "reed"

    def __init__(self) -> None:
        super().__init__()
        self.reeds = Reeds(BEFORE)

    def feel(self, *edges: str) -> None:
        self.deliver(self.reeds.snapshot(self.t_ms))
        for observation in self.reeds.feel(self.t_ms + 100, edges):
            self.t_ms = observation.t_ms
            self.deliver(observation)
        self.t_ms += 1000
        self.deliver(self.reeds.snapshot(self.t_ms))


def test_a_recording_of_reed_switches_replays_to_the_same_log(tmp_path: Path) -> None:
    source, store = ReedSource(), Store(tmp_path / "data")
    table = Table(BOARD, store, [source], setup=GameSetup(position=BEFORE))
    table.start()
    source.feel()
    table.record_to(Recorder(tmp_path / "film", BOARD))
    settled(table, source)
    table.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0))
    source.feel("-T20", "+T24", "-T24", "+T29")
    settled(table, source)
    expected = [event_to_line(event) for event in store.game(1).events]
    table.stop()
    replayed = [event_to_line(event) for event in replay(open_recording(tmp_path / "film"), read_film)]
    assert replayed == expected
    assert json.loads(replayed[2])["move"] == "P0:T20>T29"
    rows = [json.loads(line) for line in (tmp_path / "film" / "reed.jsonl").read_text().splitlines()]
    assert [(row["hole"], row["closed"]) for row in rows if "hole" in row] == [
        ("T20", False), ("T24", True), ("T24", False), ("T29", True)
    ]  # fmt: skip


def test_a_recording_never_writes_over_another(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine")
    with pytest.raises(BadInputError, match="not empty"):
        Recorder(tmp_path, BOARD)


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """A recording as others make them: no log, no numbers, time alone tells the order."""
    (tmp_path / "board.json").write_text(to_text(BOARD))
    document = {
        "v": 1, "board": "board.json", "ruleset": "mjc", "options": {}, "seats": ["P0", "P1", "P2", "P3"],
        "teams": [["P0", "P2"], ["P1", "P3"]], "to_move": "P0", "position": BEFORE,
        "sources": {"film": {"frames": "frames.jsonl"}, "cards": "cards.jsonl"},
    }  # fmt: skip
    (tmp_path / "recording.json").write_text(json.dumps(document))
    (tmp_path / "cards.jsonl").write_text('{"t_ms": 50, "seat": "P0", "card": "9H", "by": "touch"}\n')
    (tmp_path / "a").write_text(json.dumps(BEFORE))
    (tmp_path / "b").write_text(json.dumps(pawns("P0 T29, P1 T26")))
    frames = [{"t_ms": t_ms, "file": "a" if t_ms < 500 else "b"} for t_ms in range(0, 1000, 100)]
    (tmp_path / "frames.jsonl").write_text("".join(json.dumps(row) + "\n" for row in frames))
    return tmp_path


def test_a_given_recording_is_replayed_alike_every_time(given: Path) -> None:
    runs = [[event_to_line(event) for event in replay(open_recording(given), read_film)] for _ in range(2)]
    assert runs[0] == runs[1]
    assert [json.loads(line)["event"] for line in runs[0]] == [
        "game_started", "card_played", "move_accepted", "turn_ended"
    ]  # fmt: skip


def test_a_recording_that_ends_too_early_is_decided_as_if_nothing_more_happened(given: Path) -> None:
    lines = (given / "frames.jsonl").read_text().splitlines(keepends=True)
    (given / "frames.jsonl").write_text("".join(lines[:6]))
    kinds = [event.fact.KIND for event in replay(open_recording(given), read_film)]
    assert kinds == ["game_started", "card_played", "move_accepted", "turn_ended"]


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("recording.json", "{", "recording.json: not JSON"),
        ("recording.json", "{}", "'board' is missing; add it"),
        ("board.json", "{}", "board.json"),
        ("recording.json", '{"board": "\\u0000"}', "'board' holds characters that are no text"),
        (
            "recording.json",
            '{"board": "board.json", "sources": "all"}',
            "'sources' must be a table, not 'all'",
        ),
        ("recording.json", '{"board": "board.json"}', "'ruleset', 'seats' and 'to_move' are needed"),
        ("recording.json", "[" * 100_000, "not JSON"),
        (
            "cards.jsonl",
            '{"t_ms": "soon", "card": "9H"}',
            "line 1: 't_ms' must be a whole number, not 'soon'",
        ),
        ("cards.jsonl", '{"t_ms": Infinity, "card": "9H"}', "line 1: not JSON"),
        ("cards.jsonl", '\n{"t_ms": 1e999, "card": "9H"}', "line 2: 't_ms' must be a finite number"),
        ("cards.jsonl", '{"t_ms": 3, "card": "9H", "by": "\\ud800"}', "line 1: not JSON"),
        ("cards.jsonl", '{"t_ms": 3, "seat": "P9", "card": "9H"}', "line 1: 'seat': no such seat"),
        ("frames.jsonl", '{"t_ms": 3}', "line 1: 'file' is missing"),
        ("requests.jsonl", '{"t_ms": 3}', "line 1: 'kind' is missing"),
        (
            "requests.jsonl",
            '{"t_ms": 3, "kind": "undo", "data": "x"}',
            "line 1: 'data' must be a table, not 'x'",
        ),
        (
            "requests.jsonl",
            '{"t_ms": 3, "kind": "undo", "role": "king"}',
            "line 1: 'role' must be 'table', 'seat'",
        ),
        (
            "reports.jsonl",
            '{"t_ms": 3, "source": "a", "condition": "ill"}',
            "'condition' must be 'ok', 'blind'",
        ),
        (
            "reed.jsonl",
            '{"t_ms": 3, "snapshot": "all"}',
            r"line 1: 'snapshot' must be a list in \[ \], not 'all'",
        ),
        (
            "reed.jsonl",
            '{"t_ms": 3, "hole": "T\\u001b", "closed": true}',
            "'hole' holds characters that are no text",
        ),
        ("seen.jsonl", '{"t_ms": 3, "holes": {"T1": ["P0", 2]}}', r"line 1: 'holes.T1\[1\]' must be"),
        ("cards.jsonl", '{"t_ms": 3, "card": "1X"}', "no such card"),
    ],
)
def test_a_broken_recording_is_reported_with_its_place(
    given: Path, name: str, text: str, complaint: str
) -> None:
    (given / name).write_text(text)
    with pytest.raises(BadInputError, match=complaint):
        list(replay(open_recording(given), read_film))


@pytest.mark.timeout(5)
@pytest.mark.parametrize("name", ["recording.json", "cards.jsonl", "frames.jsonl", "board.json"])
def test_a_recording_of_devices_pipes_and_bytes_is_refused_without_being_read(given: Path, name: str) -> None:
    for broken in (
        lambda path: path.symlink_to("/dev/zero"),
        os.mkfifo,
        lambda path: path.write_bytes(b"\xff\xd8"),
        lambda path: path.mkdir(),
    ):
        path = given / name
        path.unlink() if path.is_file() or not path.is_dir() else path.rmdir()
        broken(path)
        with pytest.raises(BadInputError, match=name) as caught:
            list(replay(open_recording(given), read_film))
        assert str(caught.value).isprintable()


def test_a_log_may_have_a_name_of_any_length_or_none(given: Path) -> None:
    document = json.loads((given / "recording.json").read_text())
    for name, complaint in (("x" * 300, "cannot be read"), ("x" * 5000, None)):
        document["sources"]["cards"] = name
        (given / "recording.json").write_text(json.dumps(document))
        with pytest.raises(BadInputError, match=complaint):
            list(replay(open_recording(given), read_film))


def test_a_missing_recording_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="a recording is a folder"):
        open_recording(tmp_path / "nothing")
