"""Copies put back bring their games; games that are gone are reported."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path

import pytest

from tests.support.page_client import PageClient
from tests.support.service import Companion
from tock_companion.errors import BadInputError, TockError
from tock_companion.events.facts import Event, Paused, Resumed
from tock_companion.storage import FolderLock, SeatHolder, Store
from tock_companion.storage.backup import back_up, daily_backup, prune
from tock_companion.storage.daily_copies import daily_copies
from tock_companion.storage.restoring import examine, restore
from tock_rules import Card, Seat

HOST = {
    "host_devices": ["a" * 64],
    "phones": ["secret"],
    "club": {"name": "x"},
    "results": [1],
    "game_people": {},
}
ANNA = SeatHolder(Seat.P0, "Anna", "fr", "b" * 64, "c" * 64)


@contextmanager
def table_in(folder: Path) -> Iterator[Store]:
    """A store as a companion holds it."""
    with FolderLock(folder) as lock, closing(Store(folder)) as store:
        store.hold(lock)
        yield store


def made_in(folder: Path) -> Path:
    """A copy of a table with a game, a person at a seat, and a host."""
    with table_in(folder) as store:
        store.append(1, [Event(1, 1, Paused("host"))], {(1, Seat.P0): (Card.parse("KH"),)})
        store.save_holder(ANNA, HOST)
        return back_up(store.path, folder / "copy.sqlite")


def change(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return path


def test_a_copy_of_the_same_folder_brings_seats_and_hosts_back(tmp_path: Path) -> None:
    copy = made_in(tmp_path)
    copy.rename(tmp_path.parent / "elsewhere.sqlite")
    copy = tmp_path.parent / "elsewhere.sqlite"
    with table_in(tmp_path) as store:
        store.save_holders([], {"host_devices": []})
    assert examine(copy, tmp_path).is_own
    restore(copy, tmp_path)
    with table_in(tmp_path) as store:
        assert store.holders() == (ANNA,)
        assert store.choices.get("host_devices") == HOST["host_devices"]


@pytest.mark.parametrize("marked", [True, False])
def test_a_copy_from_elsewhere_brings_its_games_and_no_rights(marked: bool, tmp_path: Path) -> None:
    copy = made_in(tmp_path / "maker")
    if not marked:
        change(copy, "DELETE FROM choices WHERE name = 'origin'; DROP TABLE devices; DROP TABLE migrations")
    with table_in(tmp_path / "owner"):
        pass
    assert not examine(copy, tmp_path / "owner").is_own
    aside = restore(copy, tmp_path / "owner")
    assert aside is not None
    with table_in(tmp_path / "owner") as store:
        assert len(store.game(1).events) == 1
        assert store.hands(1)
        assert store.holders() == ()
        assert {name: store.choices.get(name) for name in HOST} == {
            **dict.fromkeys(HOST), "results": [1], "game_people": {}
        }  # fmt: skip


@pytest.mark.parametrize(
    "program",
    [
        "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events WHERE game < new.game; END",
        "CREATE TRIGGER t BEFORE INSERT ON events BEGIN SELECT raise(ABORT, 'no'); END",
        "CREATE TABLE big (b); CREATE TRIGGER t AFTER INSERT ON events BEGIN INSERT INTO big VALUES (zeroblob(1)); END",
        "CREATE VIEW v AS SELECT randomblob(1000000000)",
        "CREATE TABLE other (x CHECK (length(zeroblob(900000000)) = 1))",
        "CREATE INDEX i ON events (length(line))",
    ],
)
def test_triggers_views_and_other_tables_stay_behind(program: str, tmp_path: Path) -> None:
    restore(change(made_in(tmp_path / "maker"), program), tmp_path / "owner")
    with table_in(tmp_path / "owner") as store:
        store.append(2, [Event(1, 1, Paused("host"))])
        assert store.numbers() == (1, 2)


@pytest.mark.parametrize(
    "table",
    [
        "CREATE VIEW events AS SELECT 1 AS game, 1 AS seq, randomblob(1000000000) AS line",
        "CREATE VIRTUAL TABLE events USING fts5(game, seq, line)",
        "CREATE TABLE events (game INTEGER, seq INTEGER, line TEXT AS (hex(zeroblob(900000000))) VIRTUAL)",
        "CREATE TABLE events (game INTEGER)",
        "CREATE TABLE events (game, seq, line); INSERT INTO events VALUES (1, 1, 'a'), (1, 1, 'b')",
    ],
)
def test_another_thing_in_the_place_of_a_table_is_refused(table: str, tmp_path: Path) -> None:
    copy = change(made_in(tmp_path / "maker"), f"DROP TABLE events; {table}")
    with table_in(tmp_path / "owner") as store:
        store.append(1, [Event(1, 1, Paused("host"))])
    with pytest.raises(BadInputError, match=r"no sound copy of the games .*nothing was changed"):
        restore(copy, tmp_path / "owner")
    with table_in(tmp_path / "owner") as store:
        assert store.numbers() == (1,)


def test_the_copy_made_last_is_the_newest_whatever_the_clock_was(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    with table_in(tmp_path) as store:
        days = [
            date(2036, 1, 1),
            date(2026, 11, 28),
            date(2026, 11, 29),
            date(2036, 1, 1),
            date(2026, 11, 28),
        ]
        for number, day in enumerate(days, 1):
            store.append(number, [Event(1, 1, Paused("host"))])
            assert daily_backup(store.path, folder, 3, day) is not None
            assert daily_backup(store.path, folder, 3, day) is None, "it is made once"
            assert examine(daily_copies(folder)[0], tmp_path).games == number
    assert [copy.name for copy in daily_copies(folder)] == [
        f"games-{day}.sqlite" for day in (days[4], days[3], days[2])
    ]


def test_copies_of_earlier_releases_go_by_their_games(tmp_path: Path) -> None:
    with table_in(tmp_path) as store:
        for number, day in enumerate(("2036-01-01", "2026-11-28", "2026-11-29"), 1):
            store.append(number, [Event(1, 1, Paused("host"))])
            back_up(store.path, tmp_path / "backups" / f"games-{day}.sqlite")
        daily_backup(store.path, tmp_path / "backups", 7, date(2020, 1, 1))
    names = [copy.name.removeprefix("games-")[:4] for copy in daily_copies(tmp_path / "backups")]
    assert names == ["2020", "2026", "2026", "2036"]


def test_files_of_a_clock_that_ran_ahead_go_first(tmp_path: Path) -> None:
    for name, age_s in (("ahead", -(10**8)), ("old", 500), ("new", 1)):
        (tmp_path / name).write_bytes(bytes(600_000))
        os.utime(tmp_path / name, (10**9 - age_s, 10**9 - age_s))
    assert [path.name for path in prune(tmp_path, 1, 10**9)] == ["ahead", "old"]


PLAYED = 150
PLAYING = """
import os, signal, sys
PLAYED = int(sys.argv[2])
from pathlib import Path
from tock_companion.events.facts import Event, Paused, Resumed
from tock_companion.storage import Store
store = Store(Path(sys.argv[1]))
for seq in range(1, PLAYED + 1):
    store.append(1, [Event(seq, seq, (Paused, Resumed)[seq % 2]("host"))])
os.kill(os.getpid(), signal.SIGKILL)
"""
"""Plays events, of which the journal alone has the last ones when the power is cut."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder after a power cut, as the disk has it; nobody opens it."""
    folder = tmp_path_factory.mktemp("played")
    ended = subprocess.run([sys.executable, "-c", PLAYING, folder, str(PLAYED)], check=False)
    assert ended.returncode == -signal.SIGKILL
    return folder


@pytest.fixture
def cut(played: Path, tmp_path: Path) -> Path:
    """A folder after a power cut, to be opened."""
    return Path(shutil.copytree(played, tmp_path / "data"))


def journal(folder: Path) -> Path:
    return folder / "games.sqlite-wal"


def test_after_a_power_cut_all_is_there_and_nothing_is_reported(cut: Path) -> None:
    with closing(Store(cut)) as store:
        assert len(store.game(1).events) == PLAYED
        assert not store.has_lost


def test_a_deleted_journal_is_reported(cut: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal(cut).unlink()
    with closing(Store(cut)) as store:
        assert store.has_lost
        assert 0 < len(store.game(1).events) < PLAYED
    assert f"before event {PLAYED} of game 1" in caplog.text


@pytest.mark.parametrize("place", [0, 24, 24 + 32 + 4096 * 3])
def test_a_damaged_journal_is_reported_and_kept(cut: Path, place: int) -> None:
    damaged = bytearray(journal(cut).read_bytes())
    damaged[place : place + 64] = b"\xff" * 64
    journal(cut).write_bytes(damaged)
    with closing(Store(cut)) as store:
        assert store.has_lost
        assert 0 < len(store.game(1).events) < PLAYED
    assert (cut / "games.damaged-1.sqlite-wal").read_bytes() == bytes(damaged)


def test_a_database_that_is_gone_beside_its_journal_is_reported_and_the_journal_kept(cut: Path) -> None:
    (cut / "games.sqlite").unlink()
    content = journal(cut).read_bytes()
    with closing(Store(cut)) as store:
        assert store.has_lost
        assert store.numbers() == ()
    assert (cut / "games.damaged-1.sqlite-wal").read_bytes() == content


def test_a_journal_alone_that_an_older_release_left_is_reported_too(cut: Path) -> None:
    (cut / ".newest").unlink()
    (cut / "games.sqlite").unlink()
    with closing(Store(cut)) as store:
        assert store.has_lost


def test_games_that_are_gone_although_there_are_daily_copies_are_reported(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        store.append(1, [Event(1, 1, Paused("host"))])
    back_up(store.path, tmp_path / "backups" / "games-2026-01-01.sqlite")
    for path in (store.path, tmp_path / ".newest"):
        path.unlink()
    with closing(Store(tmp_path)) as store:
        assert store.has_lost


def test_a_copy_that_was_put_back_has_lost_nothing(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        store.append(1, [Event(1, 1, Paused("host"))])
        back_up(store.path, tmp_path / "copy.sqlite")
        store.append(1, [Event(2, 2, Resumed("host"))])
    restore(tmp_path / "copy.sqlite", tmp_path)
    with closing(Store(tmp_path)) as store:
        assert len(store.game(1).events) == 1
        assert not store.has_lost


def test_an_older_release_that_went_on_meanwhile_has_lost_nothing(cut: Path) -> None:
    # It knows nothing of the note, takes up the journal and ends properly.
    with closing(sqlite3.connect(cut / "games.sqlite")) as connection:
        connection.execute("PRAGMA journal_mode=WAL").fetchone()
        connection.execute("INSERT INTO events SELECT game, max(seq) + 1, line FROM events")
        connection.commit()
    assert not journal(cut).exists()
    with closing(Store(cut)) as store:
        assert not store.has_lost


def test_a_damaged_database_that_was_set_aside_is_reported_by_the_next_start(cut: Path) -> None:
    (cut / "games.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(TockError, match="kept untouched"):
        Store(cut)
    with closing(Store(cut)) as store:
        assert store.has_lost


@pytest.mark.whole
def test_phones_read_that_moves_are_missing(tmp_path: Path) -> None:
    companion = Companion(tmp_path)
    companion.wait_until_up()
    anna = PageClient(companion.url)
    anna.post("/api/v1/join", name="Anna", seat="P0")
    for card in ("KH", None, "QH", None, "KD"):
        assert (anna.ask("play_card", card=card) if card else anna.ask("withdraw_card"))["ok"]
    companion.kill()
    journal(tmp_path).unlink()
    os.truncate(tmp_path / "games.sqlite-shm", 0)
    with Companion(tmp_path, port=companion.port):
        assert "games_missing" in [note["code"] for note in anna.view("table")["health"]]
