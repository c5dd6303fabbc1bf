"""Whatever goes wrong in a step, nothing has happened: not in memory, not on the disk, and the table goes on."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.boards import pawns
from tests.support.sources import HandSource
from tests.support.tables import BEFORE, BOARD, send
from tests.support.waiting import until
from tock_companion.core import step as stepping
from tock_companion.core.bodies import Correct, PawnChange
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Reply, Request, Role, parse_request
from tock_companion.errors import TockError
from tock_companion.observation import SourceCondition, SourceReport
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder
from tock_companion.table.runtime.reply_words import reply_words
from tock_rules import Seat


class FlakyStore(Store):
    """A store whose disk refuses everything on demand: the fault at the edge."""

    refuses = False

    def append_all(self, batches: Any) -> None:
        self._check()
        super().append_all(batches)

    def save_holder(self, *given: Any) -> None:
        self._check()
        super().save_holder(*given)

    def free_seat(self, seat: Seat, withheld: Any = None) -> None:
        self._check()
        super().free_seat(seat, withheld)

    def _check(self) -> None:
        if self.refuses:
            raise TockError("games.sqlite cannot be written (disk is full); free disk space")


@pytest.fixture
def store(tmp_path: Path) -> FlakyStore:
    return FlakyStore(tmp_path / "data")


@pytest.fixture
def table(store: FlakyStore, source: HandSource) -> Iterator[Table]:
    running = Table(BOARD, store, [source], setup=GameSetup(position=BEFORE))
    running.start()
    yield running
    running.stop()


def ask(table: Table, kind: str, own: Seat | None = Seat.P0, /, **data: object) -> Reply:
    return send(table.request, kind, data, Role.SEAT if own is not None else Role.HOST, own)


def settle(table: Table) -> None:
    """Wait until the table has taken everything in."""
    ask(table, "decide_now")


def kinds(store: Store, game: int = 1) -> list[str]:
    return [event.fact.KIND for event in store.game(game).events]


def health(table: Table) -> list[str]:
    return [note["code"] for note in table.view(Role.TABLE)["health"]]


def test_a_text_that_no_file_can_hold_changes_nothing_and_the_log_stays_whole(
    table: Table, store: Store
) -> None:
    """Got past the schema, such a text used to leave memory ahead of the disk; the log then had a gap."""
    before = table.view(Role.TABLE)
    change = PawnChange(Seat.P3, "P3-C1", "T60")
    assert table.request(Request(Correct((change,), "\ud800"), Role.SEAT, Seat.P0)).code == "fault"
    assert table.view(Role.TABLE)["holes"] == before["holes"]
    assert ask(
        table, "correct", changes=[{"seat": "P3", "from": "P3-C1", "to": "T60"}], why="\ud800"
    ).code == ("bad_request")
    assert ask(table, "play_card", card="9H").ok
    assert table.replay()["steps"]
    assert kinds(store) == ["game_started", "card_played"]
    assert store.path.exists()


def test_a_fault_of_the_program_in_a_step_leaves_everything_as_it_was(
    table: Table, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(stepping, "answer", lambda *_: 1 / 0)
        reply = ask(table, "play_card", card="9H")
    assert (reply.ok, reply.code) == (False, "fault")
    assert set(reply_words(reply, table.names) or {}) == {"fr", "en"}
    assert table.view(Role.TABLE)["card"] is None
    assert ask(table, "play_card", card="9H").ok
    assert kinds(store) == ["game_started", "card_played"]


def test_a_fault_in_telling_of_a_step_takes_nothing_back(
    table: Table, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event on the disk has happened: whoever asked gets that answer, whatever becomes of views and pictures."""

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no view today")

    with monkeypatch.context() as broken:
        broken.setattr("tock_companion.table.runtime.publisher.snapshot", fail)
        broken.setattr(table.evidence, "keep", fail)
        assert ask(table, "play_card", card="9H").ok
    assert ask(table, "move", text="P0:T20>T29", force=True).ok
    assert table.view(Role.TABLE)["to_move"] == "P1"
    assert kinds(store) == ["game_started", "card_played", "move_accepted", "turn_ended"]


def test_a_fault_of_the_referee_does_not_make_the_table_blind(
    table: Table, source: HandSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.show(BEFORE, 3)
    assert ask(table, "play_card", card="9H").ok
    with monkeypatch.context() as broken:
        broken.setattr(stepping, "decide", lambda *_: 1 / 0)
        source.show(pawns("P0 T29, P1 T26"), 10)
        assert ask(table, "decide_now").code == "fault"
    assert ask(table, "decide_now").ok
    assert table.view(Role.TABLE)["to_move"] == "P1"


def test_no_fault_ends_the_writing_thread(table: Table, source: HandSource) -> None:
    def exit_now() -> None:
        raise SystemExit

    table.run_soon(exit_now)
    source.deliver("no message at all")  # type: ignore[arg-type]
    assert ask(table, "play_card", card="9H").ok


BAD_FACTS: list[tuple[str, dict[str, object]]] = [
    ("cards_dealt", {"counts": "AS"}),
    ("cards_dealt", {"counts": {"P9": 4}}),
    ("cards_dealt", {"counts": {"P0": 1e30}}),
    ("card_played", {"seat": ["P0"], "card": "9H", "by": "touch"}),
    ("card_played", {"seat": 1e30, "card": "9H", "by": "touch"}),
    ("card_played", {"seat": "P0", "card": "9H", "by": "\ud800"}),
    ("game_ended", {"winner": "P0"}),
    ("source_lost", {"source": "camera", "code": ["x"]}),
    ("turn_ended", {"seat": "P0", "next": "P7"}),
    ("question", {"seat": "P9", "about": "move", "choices": ["?"]}),
    ("violation", {"seat": "P0", "code": "x", "breaks": [], "message": {"fr": "", "en": ""}, "seen": {},
                   "nearest": ["rubbish"], "repair": [{"seat": "P0"}]}),
    ("correction", {"by": "P0", "why": "", "result": {"P0": ["camp"] * 4}}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "fact"), BAD_FACTS)
def test_a_log_is_folded_whole_before_it_is_kept_or_the_running_game_ends(
    table: Table, store: FlakyStore, tmp_path: Path, kind: str, fact: dict[str, object]
) -> None:
    lines = table.archive.log(1).splitlines()
    bad = json.dumps({"v": 1, "seq": len(lines) + 1, "t_ms": 0, "event": kind, **fact})
    reply = table.take_up([*lines, bad])
    assert (reply.ok, reply.code) == (False, "bad_request")
    assert store.numbers() == (1,)
    assert kinds(store) == ["game_started"]
    assert ask(table, "play_card", card="9H").ok
    table.stop()
    again = Table(BOARD, Store(tmp_path / "data"))
    assert again.view(Role.TABLE)["card"] == "9H"
    again.stop()


@pytest.mark.parametrize("line", ["[" * 100_000, '{"v": 1, "seq": 1e400}', '{"v": 1, "seq": NaN}', "\x00"])
def test_a_bad_log_is_refused(table: Table, line: str) -> None:
    assert table.take_up([line]).code == "bad_request"
    assert ask(table, "play_card", card="9H").ok


@pytest.mark.parametrize("seats", ["P9", "P0"])
def test_cards_that_do_not_fit_the_log_are_forgotten_and_the_game_goes_on(
    store: Store, tmp_path: Path, seats: str
) -> None:
    table = Table(BOARD, store, setup=GameSetup(position=BEFORE))
    table.start()
    assert ask(table, "hand_set", cards=["6H", "9S"]).ok
    table.stop()
    spoil(store.path, f"UPDATE hands SET seat = '{seats}', cards = '6H 6H 6H 6H 6H'")
    again = Table(BOARD, Store(tmp_path / "data"))
    assert again.view(Role.SEAT, Seat.P0)["hand"]["cards"] == []
    assert again.view(Role.SEAT, Seat.P0)["hand"]["missing"] == 2
    again.stop()


def spoil(database: Path, statement: str) -> None:
    connection = sqlite3.connect(database)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_damaged_game_costs_no_other_game_and_no_start(
    table: Table, store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert ask(table, "new_game", None, players=4).ok
    table.stop()
    spoil(store.path, "UPDATE events SET line = CAST(X'7BFF7D' AS TEXT) WHERE game = 2")
    again = Table(BOARD, Store(tmp_path / "data"))
    assert health(again) == ["game_damaged"]
    assert caplog.text.count("cannot be read") == 1
    assert [game["number"] for game in again.archive.games()] == [3, 1]
    assert again.replay(1)["steps"]
    with pytest.raises(TockError, match=r"game 2 .* cannot be read"):
        again.replay(2)
    assert [path.name for path in (tmp_path / "data").glob("*damaged*")] == []
    again.stop()


def test_a_lost_source_that_the_disk_refused_to_note_is_noted_once_it_can(
    table: Table, store: FlakyStore, source: HandSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tock_companion.table.runtime.ledger.RETRY_S", 0.01)
    source.show(BEFORE, 3)
    store.refuses = True
    source.deliver(SourceReport(source.t_ms, "hand", SourceCondition.LOST, "camera/unplugged"))
    settle(table)
    assert health(table) == ["disk"]
    assert kinds(store) == ["game_started"]
    store.refuses = False
    until(lambda: kinds(store) == ["game_started", "source_lost"])
    settle(table)
    assert health(table) == []


def test_a_source_that_is_back_is_noted_once_the_disk_can(
    table: Table, store: FlakyStore, source: HandSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tock_companion.table.runtime.ledger.RETRY_S", 0.01)
    source.show(BEFORE, 1)
    source.deliver(SourceReport(source.t_ms, "hand", SourceCondition.LOST, "camera/unplugged"))
    settle(table)
    store.refuses = True
    source.deliver(SourceReport(source.t_ms, "hand", SourceCondition.OK))
    settle(table)
    assert kinds(store) == ["game_started", "source_lost"]
    store.refuses = False
    until(lambda: kinds(store) == ["game_started", "source_lost", "source_back"])


def test_a_move_seen_while_the_disk_refuses_counts_and_is_kept_once_it_can(
    table: Table, store: FlakyStore, source: HandSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tock_companion.table.runtime.ledger.RETRY_S", 0.01)
    source.show(BEFORE, 3)
    assert ask(table, "play_card", card="9H").ok
    store.refuses = True
    source.show(pawns("P0 T29, P1 T26"), 10)
    settle(table)
    assert table.view(Role.TABLE)["to_move"] == "P1"
    assert "move_accepted" not in kinds(store)
    store.refuses = False
    # Nothing more is seen: the table tries by itself.
    until(lambda: "move_accepted" in kinds(store))
    until(lambda: health(table) == [])


def test_people_who_come_and_go_on_a_full_disk_get_a_sentence(table: Table, store: FlakyStore) -> None:
    ticket = table.people.join("Anna", Seat.P0).ticket
    assert ticket is not None
    store.refuses = True
    refusals = [
        table.people.join("Bob", Seat.P1).reply,
        table.people.leave(ticket.token),
        ask(table, "free_seat", None, seat="P0"),
    ]
    assert [(reply.ok, reply.code) for reply in refusals] == [(False, "disk")] * 3
    assert all(
        (reply_words(reply, table.names) or {"en": ""})["en"].startswith("The disk cannot be written to")
        for reply in refusals
    )
    assert table.people.holder(ticket.token) is Seat.P0
    assert set(table.people.names()) == {Seat.P0}
    store.refuses = False
    assert table.people.leave(ticket.token).ok


def test_a_computer_that_the_disk_refuses_is_not_there(
    table: Table, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise TockError("games.sqlite cannot be written (disk is full); free disk space")

    with monkeypatch.context() as full:
        full.setattr(store.choices, "keep", refuse)
        assert ask(table, "set_computer", None, seat="P1", strength="easy").code == "disk"
    assert table.people.computers() == {}
    assert ask(table, "set_computer", None, seat="P1", strength="easy").ok


def test_a_data_folder_deleted_while_it_runs_is_reported(table: Table, store: Store) -> None:
    store.path.unlink()
    assert ask(table, "play_card", card="9H").ok
    assert health(table) == ["disk"]
    sentence = table.view(Role.TABLE)["health"][0]["sentence"]
    assert "a power cut would lose the latest steps (1)" in sentence["en"]
    assert "was deleted" in sentence["en"]


@pytest.mark.parametrize("full", ["requests", "frames"])
def test_a_recorder_that_cannot_write_does_not_make_the_game_blind(
    table: Table, source: HandSource, tmp_path: Path, full: str
) -> None:
    film = Recorder(tmp_path / "film", BOARD)
    (tmp_path / "film" / f"{full}.jsonl").symlink_to("/dev/full")
    table.record_to(film)
    source.show(BEFORE, 3)
    assert ask(table, "play_card", card="9H").ok
    source.show(pawns("P0 T29, P1 T26"), 10)
    until(lambda: table.view(Role.TABLE)["to_move"] == "P1")
    assert health(table) == ["recording"]


def test_a_recording_may_be_stopped_between_any_two_inputs(
    table: Table, source: HandSource, tmp_path: Path
) -> None:
    """The control thread stops it while the writing thread is about to write the next line."""
    film = Recorder(tmp_path / "film", BOARD)
    table.record_to(film)
    note = film.message

    def stop_first(message: Any, t_ms: int) -> None:
        table.stop_recording()
        note(message, t_ms)

    film.message = stop_first  # type: ignore[method-assign]
    source.show(BEFORE, 3)
    assert ask(table, "play_card", card="9H").ok
    source.show(pawns("P0 T29, P1 T26"), 10)
    until(lambda: table.view(Role.TABLE)["to_move"] == "P1")
    assert health(table) == []


def test_a_full_disk_refuses_a_recording_before_it_begins(table: Table, tmp_path: Path) -> None:
    film = Recorder(tmp_path / "film", BOARD)
    (tmp_path / "film" / "events.jsonl").mkdir()
    with pytest.raises(TockError, match="cannot be written"):
        table.record_to(film)
    assert ask(table, "play_card", card="9H").ok


def test_a_seat_that_was_granted_waits_for_the_one_who_asked(table: Table) -> None:
    table.people.join("Anna", Seat.P0)
    secret = table.people.ask("Zoé", Seat.P0).secret
    assert table.request(parse_request("answer_seat", {"number": 1, "yes": True}, Role.HOST)).ok
    assert table.people.join("Mallory", Seat.P0).reply.code == "seat_taken"
    ticket = table.people.hear(secret).ticket
    assert ticket is not None
    assert ticket.name == "Zoé"
