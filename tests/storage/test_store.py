"""The store: what it took in is there again, and a database it cannot read is kept."""

import sqlite3
from pathlib import Path

import pytest

from tock_companion.errors import TockError
from tock_companion.events.facts import Event, GameEnded, Paused, Resumed
from tock_companion.rules import Seat
from tock_companion.storage import SeatHolder, Store

PAUSED = Event(1, 10, Paused("host"))
RESUMED = Event(2, 20, Resumed("host"))


def test_events_are_there_after_reopening(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append(1, [PAUSED])
    store.append(1, [RESUMED])
    store.close()
    newest = Store(tmp_path).newest_game()
    assert newest is not None
    assert (newest.number, newest.events, newest.running) == (1, (PAUSED, RESUMED), True)


def test_an_ended_game_is_not_running(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append(4, [PAUSED, Event(2, 20, GameEnded(["P0"]))])
    newest = store.newest_game()
    assert newest is not None
    assert not newest.running


def test_a_batch_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append(1, [PAUSED])
    with pytest.raises(TockError, match="cannot be written"):
        store.append(1, [RESUMED, PAUSED])
    assert store.game(1).events == (PAUSED,)


def test_commits_reach_the_disk(tmp_path: Path) -> None:
    store = Store(tmp_path)
    settings = [
        store._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
    ]
    assert settings == ["wal", 2]


def test_seats_are_held_through_a_restart_and_the_token_itself_is_not_kept(tmp_path: Path) -> None:
    store = Store(tmp_path)
    holder = SeatHolder(Seat.P2, "Zoé", "fr", "a-hash")
    store.save_holder(holder)
    store.close()
    again = Store(tmp_path)
    assert again.holders() == (holder,)
    again.free_seat(Seat.P2)
    assert again.holders() == ()


def damaged(folder: Path) -> bytes:
    """Spoil a real database in the middle, past SQLite's header."""
    store = Store(folder)
    for seq in range(1, 400):
        store.append(1, [Event(seq, seq, Paused("host"))])
    store.close()
    content = bytearray(store.path.read_bytes())
    content[4096 : 4096 + 2000] = b"\xa5" * 2000
    store.path.write_bytes(content)
    return bytes(content)


def test_a_damaged_database_is_kept_aside_untouched(tmp_path: Path) -> None:
    content = damaged(tmp_path)
    with pytest.raises(TockError, match=r"damaged.*kept untouched as games\.damaged-1\.sqlite"):
        Store(tmp_path)
    assert (tmp_path / "games.damaged-1.sqlite").read_bytes() == content
    assert Store(tmp_path).newest_game() is None


def test_a_file_that_is_no_database_is_kept_aside_untouched(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite").write_bytes(b"Dear diary, " * 500)
    with pytest.raises(TockError, match="kept untouched"):
        Store(tmp_path)
    assert (tmp_path / "games.damaged-1.sqlite").read_bytes() == b"Dear diary, " * 500


def test_a_log_with_a_gap_is_kept_aside(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append(1, [PAUSED, Event(3, 30, Resumed("host"))])
    with pytest.raises(TockError, match="an event is missing"):
        store.newest_game()
    assert (tmp_path / "games.damaged-1.sqlite").exists()


def test_a_folder_marked_read_only_is_said_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o555)
    with pytest.raises(TockError, match="TOCK_DATA"):
        Store(folder)
    assert list(folder.iterdir()) == []


def test_a_file_in_place_of_the_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(TockError, match="cannot be written"):
        Store(tmp_path / "data")


def test_a_newer_database_is_not_touched(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.close()
    connection = sqlite3.connect(store.path)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(TockError, match="newer version"):
        Store(tmp_path)
    assert store.path.exists()
