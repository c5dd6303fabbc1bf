"""From the databases of old releases to today's: all steps or none, after a copy, and readable by both."""

import json
import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import FrameType
from warnings import catch_warnings, simplefilter

import pytest

from tests.support.disks import clear, fill, small_disk
from tests.support.old_folders import BEFORE, FOLDERS, OLDER, RELEASED, OldFolder, copy_of, order
from tock_companion.boardfile import generate, to_json
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.errors import BadInputError, TockError
from tock_companion.events.facts import Event, Fact, PawnMissing, QuestionAsked, SourceLost, ViolationFound
from tock_companion.storage import Store
from tock_companion.storage.files import check_database
from tock_companion.storage.migrations import MIGRATIONS, USER_VERSION, Migration, why_not
from tock_companion.storage.restoring import restore

SMALL_KB = 1024
LEFT_BYTES = 90_000
"""Less than a copy of an old database takes, more than SQLite needs to open one."""
NEWER = """INSERT INTO migrations VALUES (99, '9.4.0', 'Something that this version cannot know.');
PRAGMA user_version = 7;"""


@pytest.fixture(params=OLDER)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> OldFolder:
    """The folder of a release."""
    return copy_of(request.param, tmp_path / "data")


def dump(database: Path) -> list[str]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return list(connection.iterdump())


def change(database: Path, script: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(script)


def test_each_step_leaves_a_line_in_the_ledger_and_nothing_of_the_old_is_touched(old: OldFolder) -> None:
    before = dump(old.database)
    with closing(Store(old.data)) as store:
        assert not store.has_lost
    after = dump(old.database)
    gone = [line for line in before if line not in after]
    assert gone == []
    with closing(sqlite3.connect(old.database)) as connection:
        ledger = connection.execute("SELECT number, release FROM migrations").fetchall()
    assert ledger == [(step.number, step.release) for step in MIGRATIONS]


@pytest.mark.parametrize("number", [step.number for step in MIGRATIONS])
def test_a_step_makes_its_tables_and_may_be_done_again(number: int) -> None:
    step = MIGRATIONS[number - 1]
    with closing(sqlite3.connect(":memory:")) as connection:
        for one in MIGRATIONS[:number]:
            one.work(connection)
        tables = connection.execute("SELECT sql FROM sqlite_master").fetchall()
        step.work(connection)
        assert connection.execute("SELECT sql FROM sqlite_master").fetchall() == tables
    assert tables
    assert step.does.endswith(".")


@pytest.mark.parametrize("release", RELEASED)
def test_the_steps_of_a_release_make_what_that_release_really_wrote(release: str, tmp_path: Path) -> None:
    tables = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"
    with closing(sqlite3.connect(":memory:")) as connection:
        for step in MIGRATIONS:
            if order(step.release) <= order(release):
                step.work(connection)
        made = set(connection.execute(tables))
    written = copy_of(release, tmp_path / "data").database
    with closing(sqlite3.connect(f"file:{written}?mode=ro&immutable=1", uri=True)) as connection:
        assert set(connection.execute(f"{tables} AND name != 'migrations'")) == made


def test_the_copy_before_is_the_database_before(old: OldFolder) -> None:
    before = dump(old.database)
    Store(old.data).close()
    assert dump(old.data / "backups" / BEFORE) == before


def test_a_new_folder_needs_no_copy(tmp_path: Path) -> None:
    Store(tmp_path).close()
    assert not (tmp_path / "backups").exists()


def test_a_reader_leaves_an_old_database_as_it_is(old: OldFolder) -> None:
    before = old.database.read_bytes()
    with closing(Store(old.data, set_aside=False)) as store:
        assert [store.game(number).number for number in store.numbers()] == [1, 2, 3]
    assert old.database.read_bytes() == before


def test_a_failing_step_leaves_the_old_database(old: OldFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (done INTEGER)")
        raise sqlite3.OperationalError("disk I/O error")

    before = dump(old.database)
    broken = (*MIGRATIONS, Migration(4, "0.3.0", "Fails.", fail, USER_VERSION))
    monkeypatch.setattr("tock_companion.storage.migrations.upgrade.MIGRATIONS", broken)
    with pytest.raises(TockError, match="cannot be written"):
        Store(old.data)
    monkeypatch.undo()
    assert dump(old.database) == before
    Store(old.data).close()


# What older releases demand: kept with their folders, as they are not installed here.


def read_by(release: str, database: Path) -> None:
    """Read and write a database as a release does; raises sqlite3.Error or AssertionError where it would stumble."""
    demands = json.loads((FOLDERS / release / "demands.json").read_text(encoding="utf-8"))
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] <= demands["user_version"]
        lines = connection.execute("SELECT line FROM events").fetchall()
        for event in (json.loads(line) for (line,) in lines):
            fields = demands["events"][event["event"]]
            assert event["v"] == demands["event_version"]
            assert event.keys() - {"v", "seq", "t_ms", "event"} <= set(fields), event["event"]
        connection.execute("BEGIN")
        for statement in demands["statements"]:
            connection.execute(
                statement, (9999, 9999, "P0", "x", "x", 1, 1)[: statement.count("?")]
            ).fetchall()
        connection.execute("ROLLBACK")


@pytest.mark.parametrize("release", RELEASED)
def test_an_older_release_can_go_on_with_what_this_one_wrote(release: str, tmp_path: Path) -> None:
    board = generate(4, 440)
    started = replace(game_started(GameSetup(), board), board_file=to_json(board))
    facts: tuple[Fact, ...] = (
        ViolationFound("P0", "move/too_far", [], {}, [], [], params={"card": "9H", "moved": 10}),
        QuestionAsked("P0", "move", ["P0:T20>T29", "P0:T20>T30"]),
        PawnMissing("P1", ["T6"]),
        SourceLost("camera", "camera/moved"),
    )
    with closing(Store(tmp_path)) as store:
        events = (Event(1, 0, started), *(Event(seq, 5, fact) for seq, fact in enumerate(facts, 2)))
        store.append(1, events)
        assert store.game(1).events == events
    read_by(release, tmp_path / "games.sqlite")


@pytest.mark.parametrize("release", RELEASED)
def test_an_older_release_can_go_on_with_its_folder_that_this_one_opened(
    release: str, tmp_path: Path
) -> None:
    old = copy_of(release, tmp_path / "data")
    Store(old.data).close()
    read_by(release, old.database)


# A folder of a newer release, and damaged ones.


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """A database that a newer release has made."""
    Store(tmp_path / "newer").close()
    change(tmp_path / "newer" / "games.sqlite", NEWER)
    return tmp_path / "newer" / "games.sqlite"


def test_a_newer_database_is_refused_in_one_line_that_names_both_versions(newer: Path) -> None:
    before = newer.read_bytes()
    with pytest.raises(BadInputError) as refusal:
        Store(newer.parent)
    assert "9.4.0" in str(refusal.value)
    assert "this is version" in str(refusal.value)
    assert "disk" not in str(refusal.value)
    assert newer.read_bytes() == before
    assert "9.4.0" in why_not(newer)


def test_a_newer_copy_is_not_put_back(newer: Path, tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    Store(folder).close()
    before = dump(folder / "games.sqlite")
    with pytest.raises(BadInputError, match=r"9\.4\.0"):
        restore(newer, folder)
    assert dump(folder / "games.sqlite") == before
    assert not list(folder.glob("*replaced*"))


def test_a_newer_step_that_shuts_nobody_out_is_left_alone(tmp_path: Path) -> None:
    Store(tmp_path).close()
    change(tmp_path / "games.sqlite", NEWER.replace("user_version = 7", f"user_version = {USER_VERSION}"))
    with closing(Store(tmp_path)) as store:
        store.append(1, [Event(1, 0, game_started(GameSetup(), generate(4, 440)))])


def test_a_damaged_old_database_is_kept_aside_and_reported(old: OldFolder) -> None:
    content = bytearray(old.database.read_bytes())
    content[4096 * 3 : 4096 * 6] = b"\xff" * 4096 * 3
    old.database.write_bytes(content)
    with pytest.raises(TockError, match="kept untouched as"):
        Store(old.data)
    assert (old.data / "games.damaged-1.sqlite").read_bytes() == bytes(content)


@pytest.mark.parametrize("table", ["seats", "choices"])
def test_an_old_database_without_a_table_is_made_whole(old: OldFolder, table: str) -> None:
    change(old.database, f"DROP TABLE {table}")
    with closing(Store(old.data)) as store:
        assert store.numbers() == (1, 2, 3)


@pytest.mark.parametrize(
    "part",
    [
        "DROP TABLE seats; CREATE TABLE seats (something INTEGER)",
        "CREATE TRIGGER counts AFTER INSERT ON events BEGIN DELETE FROM events WHERE game < new.game; END",
        "CREATE VIEW looks AS SELECT randomblob(1000) FROM events",
        "CREATE INDEX slow ON events (length(line))",
        "CREATE VIRTUAL TABLE found USING fts5(line)",
    ],
)
def test_a_part_of_another_program_is_refused_at_the_start_and_left_behind_by_a_restore(
    part: str, tmp_path: Path
) -> None:
    Store(tmp_path).close()
    change(tmp_path / "games.sqlite", part)
    with pytest.raises(TockError, match=r"of another program; .*tock game restore"):
        Store(tmp_path)
    assert "another program" in why_not(tmp_path / "games.sqlite")
    if "seats" in part:
        return
    restore(tmp_path / "games.sqlite", tmp_path)
    with closing(Store(tmp_path)) as store:
        assert store.numbers() == ()


# Power cuts and full disks. `make migration-study` does this hundreds of times.


def killed_at(data: Path, function: str, nth: int) -> None:
    """Open a folder in a process that is killed when it calls a function for the n-th time."""
    with catch_warnings():
        # pytest has threads of its own under xdist; the child needs none of their locks.
        simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        calls = iter(range(1, nth + 1))

        def kill(frame: FrameType, _event: str, _argument: object) -> None:
            if frame.f_code.co_name == function and next(calls) == nth:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.settrace(kill)
            Store(data)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL


@pytest.mark.parametrize(
    ("function", "nth"),
    [("back_up", 1), ("to_disk", 1), ("_do", 1), ("make", 1), ("make", 3), ("keep_reserve", 1)],
)
def test_a_power_cut_in_a_migration_loses_nothing(old: OldFolder, function: str, nth: int) -> None:
    with closing(Store(old.data, set_aside=False)) as store:
        games = [store.game(number) for number in store.numbers()]
    killed_at(old.data, function, nth)
    with closing(Store(old.data)) as store:
        assert [store.game(number) for number in store.numbers()] == games
        assert len(store.holders()) == 2
        assert not store.has_lost
    copies = list((old.data / "backups").glob("before-*"))
    assert [path.name for path in copies] == [BEFORE]
    check_database(copies[0])


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk with next to no room beside an old folder."""
    with small_disk(tmp_path / "small", SMALL_KB) as disk:
        if disk is None:
            pytest.skip("a small disk can be mounted by the superuser alone")
        yield disk


@pytest.mark.parametrize("release", OLDER)
def test_a_full_disk_is_one_line_and_the_old_folder_stays(release: str, small: Path) -> None:
    old = copy_of(release, small / "data")
    (old.data / "backups" / "games-2026-01-01.sqlite").unlink()
    fill(small, LEFT_BYTES)
    before = old.database.read_bytes()
    with pytest.raises(TockError) as refusal:
        Store(old.data)
    assert "free space" in str(refusal.value)
    assert old.database.read_bytes() == before
    assert not list((old.data / "backups").iterdir())
    clear(small)
    with closing(Store(old.data)) as store:
        assert store.numbers() == (1, 2, 3)


@pytest.mark.parametrize("release", OLDER)
def test_daily_copies_make_room_for_the_copy_before(release: str, small: Path) -> None:
    old = copy_of(release, small / "data")
    fill(small, LEFT_BYTES)
    with closing(Store(old.data)) as store:
        assert store.numbers() == (1, 2, 3)
    assert [path.name for path in (old.data / "backups").iterdir()] == [BEFORE]
