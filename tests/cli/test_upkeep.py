"""Copies of the games are made once a day, checked, kept in number, and put back without a loss of newer games."""

import io
import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from tests.support.waiting import until
from tock_app.cli.commands.game import run
from tock_app.config.load import load_config
from tock_app.service.upkeep import RECORDINGS, Upkeep
from tock_companion.background import running, troubles
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.errors import BadInputError, TockError
from tock_companion.events.facts import Event, GameEnded
from tock_companion.storage import FolderLock, Store

Ask = Callable[..., str]
STARTED = game_started(GameSetup(), generate(4, 440.0))


def game(folder: Path, number: int, *, ended: bool = False) -> None:
    store = Store(folder)
    store.append(number, [Event(1, 0, STARTED)])
    if ended:
        store.append(number, [Event(2, 5, GameEnded(None, "new game"))])
    store.close()


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))

    def asked(*arguments: str, typed: str = "") -> str:
        out = io.StringIO()
        assert run(arguments, io.StringIO(typed), out) == 0
        return out.getvalue()

    return asked


def test_a_copy_is_made_once_a_day_and_the_newest_are_kept(tmp_path: Path) -> None:
    game(tmp_path, 1)
    (tmp_path / "tock.toml").write_text("[backup]\nkeep = 2\n")
    upkeep = Upkeep(load_config(None, {"TOCK_DATA": str(tmp_path)}))
    for day in (1, 1, 2, 3):
        upkeep.do_what_is_due(date(2026, 12, day))
    names = sorted(path.name for path in (tmp_path / "backups").iterdir())
    assert names == ["games-2026-12-02.sqlite", "games-2026-12-03.sqlite"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_asked_before_a_copy_replaces_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path / "owner"))
    game(tmp_path / "maker", 1)
    (copy,) = (tmp_path / "maker").glob("games.sqlite")
    for answer, code in (("n\n", 1), ("o\n", 0)):
        out = io.StringIO()
        assert run(("restore", str(copy)), Terminal(answer), out) == code
        assert "holds 1 game, copied 20" in out.getvalue()
        assert "made elsewhere: only its games come back" in out.getvalue()
        assert (tmp_path / "owner" / "games.sqlite").exists() == (code == 0)


def test_a_folder_that_cannot_be_written_is_reported_and_does_not_stop_the_evening(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game(tmp_path, 1)
    (tmp_path / "backups").write_text("a file is in the way")
    upkeep = Upkeep(load_config(None, {"TOCK_DATA": str(tmp_path)}))
    upkeep.start()
    until(lambda: "upkeep" in [trouble.thread for trouble in troubles()])
    assert "upkeep" in [background.name for background in running()]
    upkeep.stop()
    (warning,) = [record for record in caplog.records if "could not be copied" in record.getMessage()]
    assert not warning.exc_info


def test_a_copy_that_fails_leaves_the_room_for_recordings_to_be_made(tmp_path: Path) -> None:
    game(tmp_path, 1)
    (tmp_path / "backups").write_text("a file is in the way")
    (tmp_path / "tock.toml").write_text("[retention]\nrecordings_mb = 1\n")
    (tmp_path / RECORDINGS).mkdir()
    (tmp_path / RECORDINGS / "large").write_bytes(bytes(2_000_000))
    with pytest.raises(TockError, match="could not be copied"):
        Upkeep(load_config(None, {"TOCK_DATA": str(tmp_path)})).do_what_is_due(date(2026, 12, 1))
    assert not (tmp_path / RECORDINGS / "large").exists()


def test_old_recordings_make_room_for_new_ones(tmp_path: Path) -> None:
    (tmp_path / "tock.toml").write_text("[retention]\nrecordings_mb = 1\n")
    folder = tmp_path / RECORDINGS
    folder.mkdir()
    for age, name in enumerate(("new", "middle", "old")):
        (folder / name).write_bytes(bytes(400_000))
        os.utime(folder / name, (1000 - age, 1000 - age))
    Upkeep(load_config(None, {"TOCK_DATA": str(tmp_path)})).do_what_is_due(date(2026, 12, 1))
    assert sorted(path.name for path in folder.iterdir()) == ["middle", "new"]


def test_a_copy_put_back_has_the_games_and_the_others_are_kept_aside(tmp_path: Path, ask: Ask) -> None:
    game(tmp_path, 1, ended=True)
    copy = tmp_path / "copy.sqlite"
    ask("backup", str(copy))
    game(tmp_path, 2)
    assert len(ask("list").splitlines()) == 2
    assert "games.replaced-1.sqlite" in ask("restore", str(copy))
    assert ask("list").splitlines()[0].endswith("ended")
    assert len(ask("list").splitlines()) == 1
    assert (tmp_path / "games.replaced-1.sqlite").exists()


def test_a_bad_copy_changes_nothing(tmp_path: Path, ask: Ask) -> None:
    game(tmp_path, 1)
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8 not a database" * 300)
    with pytest.raises(BadInputError, match=r"no sound copy of the games .* nothing was changed"):
        ask("restore", str(tmp_path / "photo.jpg"))
    assert len(ask("list").splitlines()) == 1


@pytest.mark.timeout(10)
def test_a_pipe_is_neither_a_copy_nor_a_log(tmp_path: Path, ask: Ask) -> None:
    game(tmp_path, 1)
    os.mkfifo(tmp_path / "pipe")
    for command in ("restore", "import"):
        with pytest.raises(BadInputError, match="pipe: is a pipe, not a file"):
            ask(command, str(tmp_path / "pipe"))
    assert len(ask("list").splitlines()) == 1


def test_an_exported_log_can_be_imported(tmp_path: Path, ask: Ask) -> None:
    game(tmp_path, 1, ended=True)
    log = ask("export", "--events")
    assert ask("import", "-", typed=log) == "game 2: 2 events\n"
    assert ask("export", "--game", "2", "--events") == log


def test_half_a_log_is_refused(tmp_path: Path, ask: Ask) -> None:
    game(tmp_path, 1, ended=True)
    second = ask("export", "--events").splitlines()[1]
    with pytest.raises(BadInputError, match="not a whole log"):
        ask("import", "-", typed=second)
    with pytest.raises(BadInputError, match="line 1"):
        ask("import", "-", typed="{}")


def test_nothing_is_put_back_under_a_running_companion(tmp_path: Path, ask: Ask) -> None:
    game(tmp_path, 1)
    copy = tmp_path / "copy.sqlite"
    ask("backup", str(copy))
    with FolderLock(tmp_path), pytest.raises(TockError, match=r"a companion is running .*; stop it first"):
        ask("restore", str(copy))
