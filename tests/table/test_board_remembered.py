"""A game remembers the board on which it is played."""

from dataclasses import replace
from pathlib import Path

from tock_companion.boardfile import fingerprint, generate
from tock_companion.core.game_setup import GameSetup, board_of
from tock_companion.core.state import Lobby
from tock_companion.events.codec import event_to_line, read_log
from tock_companion.events.facts import GameStarted
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.resuming import board_to_resume

OAK = replace(generate(4, 440), name="Oak", size_mm=(450.0, 450.0))


def test_the_log_draws_the_board_for_ever(tmp_path: Path) -> None:
    store = Store(tmp_path)
    Table(OAK, store, setup=GameSetup())
    events = store.game(1).events
    store.close()
    started = read_log([event_to_line(event) for event in events])[0].fact
    assert isinstance(started, GameStarted)
    assert board_of(started) == OAK


def test_a_game_that_is_played_goes_on_on_its_own_board(tmp_path: Path) -> None:
    Table(OAK, Store(tmp_path), setup=GameSetup()).stop()
    store = Store(tmp_path)
    board = board_to_resume(store)
    store.close()
    assert board is not None
    assert fingerprint(board) == fingerprint(OAK)


def test_a_game_that_nobody_has_begun_holds_no_board(tmp_path: Path) -> None:
    Table(OAK, Store(tmp_path), lobby=Lobby()).stop()
    store = Store(tmp_path)
    assert board_to_resume(store) is None
    other = Table(generate(4, 440), store, lobby=Lobby())
    assert other.number == 2
    assert other.opening is not None
    other.stop()


def test_a_game_that_has_ended_holds_no_board(tmp_path: Path) -> None:
    running = Table(OAK, Store(tmp_path), setup=GameSetup())
    running.start()
    assert running.end_game("another board").ok
    running.stop()
    store = Store(tmp_path)
    assert board_to_resume(store) is None
    store.close()
