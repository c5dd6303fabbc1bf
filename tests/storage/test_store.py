"""The store on the disk: whole batches, damaged files set aside, and everything for its user alone."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support import valid_files as valid
from tock_app.cli.main import main
from tock_companion.errors import TockError
from tock_companion.events.facts import Event, GameEnded, Paused, Resumed
from tock_companion.storage import DamagedGameError, FolderLock, SeatHolder, Store
from tock_companion.storage.backup import daily_backup
from tock_companion.storage.disk_space import Room
from tock_companion.storage.sqlite_file import Database
from tock_rules import Seat, parse_hand

PAUSED = Event(1, 10, Paused("host"))
RESUMED = Event(2, 20, Resumed("host"))
Opened = Callable[[Path], Store]


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Opens stores that are closed with the test."""
    with ExitStack() as stack:
        yield lambda folder: stack.enter_context(closing(Store(folder)))


def test_events_are_there_after_reopening(opened: Opened, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.append(1, [PAUSED])
    store.append(1, [RESUMED])
    store.close()
    newest = opened(tmp_path).newest_game()
    assert newest is not None
    assert (newest.number, newest.events, newest.running) == (1, (PAUSED, RESUMED), True)


def test_an_ended_game_is_not_running(opened: Opened, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.append(4, [PAUSED, Event(2, 20, GameEnded(["P0"]))])
    newest = store.newest_game()
    assert newest is not None
    assert not newest.running


def test_a_batch_is_written_whole_or_not_at_all(opened: Opened, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.append(1, [PAUSED])
    with pytest.raises(TockError, match="cannot be written"):
        store.append(1, [RESUMED, PAUSED])
    assert store.game(1).events == (PAUSED,)


def test_commits_reach_the_disk(tmp_path: Path) -> None:
    with closing(Database(tmp_path / "games.sqlite", Room(tmp_path), set_aside=True)) as database:
        settings = [database.rows(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous")]
    assert settings == ["wal", 2]


def test_seats_are_held_through_a_restart_and_the_token_itself_is_not_kept(
    opened: Opened, tmp_path: Path
) -> None:
    store = opened(tmp_path)
    holder = SeatHolder(Seat.P2, "Zoé", "fr", "a-hash")
    store.save_holder(holder)
    store.close()
    again = opened(tmp_path)
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


def test_a_damaged_database_is_kept_aside_untouched(opened: Opened, tmp_path: Path) -> None:
    content = damaged(tmp_path)
    with pytest.raises(TockError, match=r"damaged.*kept untouched as games\.damaged-1\.sqlite"):
        Store(tmp_path)
    assert (tmp_path / "games.damaged-1.sqlite").read_bytes() == content
    assert opened(tmp_path).newest_game() is None


def test_a_reader_leaves_a_damaged_database_where_it_is(tmp_path: Path) -> None:
    """`tock game list` used to rename the database under a running companion."""
    content = damaged(tmp_path)
    with pytest.raises(TockError, match=r"is damaged.*tock game restore"):
        Store(tmp_path, set_aside=False)
    assert (tmp_path / "games.sqlite").read_bytes() == content
    assert [path.name for path in tmp_path.glob("*damaged*")] == []


def test_a_file_that_is_no_database_is_kept_aside_untouched(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite").write_bytes(b"Dear diary, " * 500)
    with pytest.raises(TockError, match="kept untouched"):
        Store(tmp_path)
    assert (tmp_path / "games.damaged-1.sqlite").read_bytes() == b"Dear diary, " * 500


def test_a_log_with_a_gap_is_named_and_stays_where_it_is(opened: Opened, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.append(1, [PAUSED])
    store.append(2, [PAUSED, Event(3, 30, Resumed("host"))])
    with pytest.raises(DamagedGameError, match=r"game 2 .*an event is missing.*tock game restore"):
        store.newest_game()
    assert store.game(1).events == (PAUSED,)
    assert [path.name for path in tmp_path.glob("*damaged*")] == []


def spoiled(opened: Opened, folder: Path, statement: str) -> Store:
    """Change rows behind the store's back, as a bad memory card does, where SQLite's own check sees nothing."""
    store = Store(folder)
    store.append(1, [PAUSED])
    store.append(2, [PAUSED, RESUMED], {(1, Seat.P1): parse_hand(["6H"])})
    store.save_holder(SeatHolder(Seat.P2, "Zoé", "fr", "a-hash"))
    store.choices.keep("hints", {"most": "nudge"})
    store.close()
    connection = sqlite3.connect(store.path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    return opened(folder)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET line = CAST(X'7BFF7D' AS TEXT) WHERE game = 2 AND seq = 1",
        "UPDATE events SET line = '[' WHERE game = 2 AND seq = 1",
        "UPDATE events SET line = X'00' WHERE game = 2 AND seq = 2",
    ],
)
def test_one_damaged_game_takes_no_other_with_it(opened: Opened, tmp_path: Path, statement: str) -> None:
    store = spoiled(opened, tmp_path, statement)
    with pytest.raises(DamagedGameError) as damage:
        store.game(2)
    assert damage.value.number == 2
    assert "\n" not in str(damage.value)
    assert store.game(1).events == (PAUSED,)
    assert store.numbers() == (1, 2)


def test_games_without_a_number_are_passed_over(opened: Opened, tmp_path: Path) -> None:
    store = spoiled(opened, tmp_path, "UPDATE events SET game = 'abc' WHERE game = 2")
    assert store.numbers() == (1,)


@pytest.mark.parametrize("row", ["seat = 'P9'", "cards = '6X'", "cards = CAST(X'FF' AS TEXT)"])
def test_a_hand_that_cannot_be_read_is_left_out(opened: Opened, tmp_path: Path, row: str) -> None:
    store = spoiled(opened, tmp_path, f"UPDATE hands SET {row}")
    assert store.hands(2) == {}
    assert store.game(2).events == (PAUSED, RESUMED)


@pytest.mark.parametrize("row", ["seat = 'P9'", "name = CAST(X'FF' AS TEXT)"])
def test_a_holder_that_cannot_be_read_is_left_out(opened: Opened, tmp_path: Path, row: str) -> None:
    assert spoiled(opened, tmp_path, f"UPDATE seats SET {row}").holders() == ()


@pytest.mark.parametrize("value", ["[", "{" * 3000, "\xff"])
def test_a_choice_that_cannot_be_read_counts_as_not_made(opened: Opened, tmp_path: Path, value: str) -> None:
    store = spoiled(opened, tmp_path, f"UPDATE choices SET value = '{value}'")
    assert store.choices.get("hints") is None


def test_a_folder_is_held_by_one_companion_at_a_time(tmp_path: Path) -> None:
    with FolderLock(tmp_path):
        with pytest.raises(TockError, match="a companion is running") as refusal:
            FolderLock(tmp_path)
        assert "\n" not in str(refusal.value)
    FolderLock(tmp_path).release()


@pytest.mark.parametrize("gone", ["folder", "file"])
def test_a_database_deleted_while_it_is_open_takes_nothing_more(
    opened: Opened, tmp_path: Path, gone: str
) -> None:
    store = opened(tmp_path / "data")
    store.append(1, [PAUSED])
    shutil.rmtree(tmp_path / "data") if gone == "folder" else store.path.unlink()
    with pytest.raises(TockError, match="was deleted, or its memory card was pulled out"):
        store.append(1, [RESUMED])
    with pytest.raises(TockError, match="deleted"):
        store.save_holder(SeatHolder(Seat.P2, "Zoé", "fr", "a-hash"))
    with pytest.raises(TockError, match="deleted"):
        store.choices.keep("hints", 1)


def test_events_of_two_games_are_written_together_or_not_at_all(opened: Opened, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.append(1, [PAUSED])
    with pytest.raises(TockError, match="cannot be written"):
        store.append_all([(1, [RESUMED], {}), (1, [PAUSED], {})])
    assert store.game(1).events == (PAUSED,)
    store.append_all([(1, [RESUMED], {}), (2, [PAUSED], {})])
    assert (store.game(1).events, store.game(2).events) == ((PAUSED, RESUMED), (PAUSED,))


def test_a_folder_marked_read_only_is_reported_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o555)
    with pytest.raises(TockError, match="TOCK_DATA"):
        Store(folder)
    assert list(folder.iterdir()) == []


def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
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


class Refusing(sqlite3.Connection):
    """A database on a disk that takes no journal."""

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if sql.startswith("PRAGMA journal_mode"):
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, *parameters)


def test_a_database_that_cannot_be_opened_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    opened: list[sqlite3.Connection] = []

    def refusing(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **{**options, "factory": Refusing}))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", refusing)
    with pytest.raises(TockError, match="disk I/O error"):
        Store(tmp_path)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[-1].execute("SELECT 1")


def open_to_others(folder: Path) -> list[str]:
    """Everything under a folder that others may read or enter, except in folders closed to them."""
    found = []
    for path, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if (Path(path) / name).stat().st_mode & 0o077]
        found += [name for name in files if (Path(path) / name).lstat().st_mode & 0o077]
    return sorted(found)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder, in a process that would make files for everybody."""
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    before = os.umask(0o022)
    yield tmp_path
    os.umask(before)


def test_files_left_open_by_an_earlier_version_are_closed(data: Path) -> None:
    for name in ("games.sqlite", "games.damaged-1.sqlite", "camera-1a2b3c4d.npz", "jokers.npz", "tock.toml"):
        (data / name).write_bytes(b"")
    for name in ("backups/games-2026-11-21.sqlite", "recordings/one/frames/0.jpg"):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_bytes(b"")
    (data / "notes.txt").write_text("ours")
    with FolderLock(data):
        pass
    assert open_to_others(data) == [".lock", "notes.txt"]
    assert (data / "recordings/one/frames/0.jpg").stat().st_mode & 0o077 == 0


def test_the_journal_of_an_open_database_and_its_copies_are_closed_too(data: Path) -> None:
    (data / "games.sqlite").write_bytes(valid.games())
    assert main(["game", "list"]) == 0
    with FolderLock(data):
        store = Store(data)
        store.close()
        connection = sqlite3.connect(data / "games.sqlite")
        connection.execute("CREATE TABLE more (x)")
        assert {path.name for path in data.glob("games.sqlite*")} >= {"games.sqlite-wal", "games.sqlite-shm"}
        assert open_to_others(data) == []
        daily_backup(data / "games.sqlite", data / "backups", 7, date(2026, 11, 22))
        connection.close()
    assert main(["game", "backup", str(data / "copy.sqlite")]) == 0
    assert open_to_others(data) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("board", "learn", "--board", "board.json", "--camps", "photo.jpg", "--out", "state.npz"),
        ("board", "overlay", "photo.jpg", "--board", "board.json", "--out", "seen.png"),
        ("config", "init", "tock.toml"),
        ("report", "--yes", "--out", "report.zip"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_command_s_files_are_for_its_user_alone(
    data: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(data)
    (data / "board.json").write_bytes(valid.board())
    (data / "photo.jpg").write_bytes(valid.board_photo())
    assert main(arguments) == 0
    assert set(open_to_others(data)) <= {"board.json", "photo.jpg"}
