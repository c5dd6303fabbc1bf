"""Games, hands, PIN and pictures are for the user who runs the companion alone, also those of earlier versions."""

import os
import sqlite3
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tests.support import valid_files as valid
from tock_app.cli.main import main
from tock_companion.storage import FolderLock, Store
from tock_companion.storage.backup import daily_backup


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
