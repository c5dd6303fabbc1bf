"""Events that the disk has not taken yet: kept in order, read as if they were on the disk, offered again, never
twice."""

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event as Signal
from typing import Any

import pytest

from tests.support.tables import BEFORE, BOARD
from tests.table.test_faults import FlakyStore, ask
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role
from tock_companion.errors import TockError
from tock_companion.events.facts import Event, Paused, Resumed
from tock_companion.storage import Store
from tock_companion.table.runtime.ledger import Ledger
from tock_companion.table.runtime.live import Table
from tock_rules import Seat, parse_hand

EVENTS = [Event(1, 0, Paused("host")), Event(2, 5, Resumed("host")), Event(3, 9, Paused("host"))]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FlakyStore]:
    store = FlakyStore(tmp_path)
    yield store
    store.close()


def test_waiting_events_read_as_if_on_the_disk(store: FlakyStore) -> None:
    ledger = Ledger(store)
    ledger.append((1, EVENTS[:1], {}))
    store.refuses = True
    hand = {(3, Seat.P1): parse_hand(["6H"])}
    ledger.append((1, EVENTS[1:], hand), (2, EVENTS[:1], {}))
    assert ledger.game(1).events == tuple(EVENTS)
    assert ledger.game(2).events == tuple(EVENTS[:1])
    assert (ledger.numbers(), ledger.newest_number(), ledger.hands(1)) == ((1, 2), 2, hand)
    assert (ledger.waiting, store.numbers(), store.hands(1)) == (3, (1,), {})
    store.refuses = False
    ledger.offer()
    assert (ledger.waiting, ledger.refusal, ledger.due_s) == (0, "", None)
    assert (store.game(1).events, store.game(2).events) == (tuple(EVENTS), tuple(EVENTS[:1]))
    assert store.hands(1) == hand
    ledger.close()


def test_more_than_memory_may_hold_is_refused(store: FlakyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tock_companion.table.runtime.ledger.MAX_WAITING", 2)
    ledger = Ledger(store)
    store.refuses = True
    ledger.append((1, EVENTS[:2], {}))
    with pytest.raises(TockError, match="disk is full"):
        ledger.append((1, EVENTS[2:], {}))
    assert ledger.waiting == 2
    store.refuses = False
    ledger.append((1, EVENTS[2:], {}))
    assert store.game(1).events == tuple(EVENTS)
    ledger.close()


class HangingStore(Store):
    """A store whose disk stops answering on demand."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.answers = Signal()
        self.answers.set()

    def append_all(self, batches: Any) -> None:
        self.answers.wait(30)
        super().append_all(batches)


def test_a_disk_that_hangs_is_not_waited_for_and_takes_all_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tock_companion.table.runtime.ledger.PATIENCE_S", 0.01)
    store, reports = HangingStore(tmp_path), list[int]()
    ledger = Ledger(store)
    ledger.on_slow = lambda: reports.append(ledger.waiting)
    store.answers.clear()
    ledger.append((1, EVENTS[:1], {}))
    ledger.append((1, EVENTS[1:], {}))
    assert (ledger.waiting, reports) == (3, [1])
    with pytest.raises(TockError, match="still being written; the disk is very slow"):
        ledger.do(lambda: store.choices.keep("hints", 1))
    ledger.write_if_idle(lambda: reports.append(-1))
    store.answers.set()
    end_s = time.monotonic() + 20
    monkeypatch.setattr("tock_companion.table.runtime.ledger.PATIENCE_S", 20.0)
    while ledger.due_s is not None and time.monotonic() < end_s:
        ledger.offer()
    assert (store.game(1).events, ledger.waiting, reports) == (tuple(EVENTS), 0, [1])
    ledger.close()
    store.close()


def test_events_never_saved_are_logged_at_the_end(
    store: FlakyStore, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = Ledger(store)
    store.refuses = True
    ledger.append((1, EVENTS, {}))
    ledger.close()
    assert "3 events were never kept: games.sqlite cannot be written (disk is full)" in caplog.text


def test_a_refused_seat_does_not_hide_that_the_game_is_not_kept(store: FlakyStore) -> None:
    table = Table(BOARD, store, setup=GameSetup(position=BEFORE))
    table.start()
    store.refuses = True
    assert ask(table, "play_card", card="9H").ok
    assert table.people.join("Bob", Seat.P1).reply.code == "disk"
    assert "no longer being saved" in table.view(Role.TABLE)["health"][0]["sentence"]["en"]
    table.stop()


def test_nothing_is_left_of_what_neither_disk_nor_memory_takes(
    store: FlakyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(BOARD, store, setup=GameSetup(position=BEFORE))
    table.start()
    monkeypatch.setattr("tock_companion.table.runtime.ledger.MAX_WAITING", 1)
    ask(table, "hand_set", cards=["6H", "9H"])
    store.refuses = True
    assert ask(table, "set_mode", None, mode="friendly").ok
    before = [table.view(role) for role in (Role.TABLE, Role.HOST)]
    for kind, seat, data in (
        ("play_card", Seat.P0, {"card": "9H", "move": "P0:T20>T29"}),
        ("hand_set", Seat.P0, {"cards": ["2S"]}),
        ("deal", None, {}),
        ("pause", None, {}),
        ("new_game", None, {"players": 2}),
    ):
        assert ask(table, kind, seat, **data).code == "disk"
    store.refuses = False
    after = [table.view(role) for role in (Role.TABLE, Role.HOST)]
    assert [without(view) for view in after] == [without(view) for view in before]
    assert [card["card"] for card in table.view(Role.SEAT, Seat.P0)["hand"]["cards"]] == ["6H", "9H"]
    assert store.numbers() == (1,)
    table.stop()


def without(view: Any) -> dict[str, object]:
    """A view without its number and the notes about the machine."""
    return {key: value for key, value in view.items() if key not in ("revision", "health")}


def test_a_disk_on_the_network_that_times_out_is_a_fault_and_no_wait(store: FlakyStore) -> None:
    ledger, reports = Ledger(store), list[int]()
    ledger.on_slow = lambda: reports.append(ledger.waiting)

    def times_out() -> None:
        raise TimeoutError(110, "Connection timed out")

    with pytest.raises(TockError, match=r"cannot be written .*Connection timed out"):
        ledger.do(times_out)
    ledger.write_if_idle(times_out)
    assert not reports
    ledger.close()
