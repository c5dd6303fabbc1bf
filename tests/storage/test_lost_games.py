"""Losses of the disk are reported, and no start begins empty in silence."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.page_client import PageClient
from tests.support.service import Companion
from tock_companion.errors import TockError
from tock_companion.events.facts import Event, Paused, Resumed
from tock_companion.storage import Store
from tock_companion.storage.backup import back_up
from tock_companion.storage.restoring import restore

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
