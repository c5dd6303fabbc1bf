"""The repository of a desk, on SQLite and on PostgreSQL alike: everything once, whatever ends the process."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from tests.support.postgresql import PostgreSql
from tests.support.tournaments import random_result
from tock_companion.club import repository as newest
from tock_companion.club import upgrade as steps_of
from tock_companion.club.desk import Desk, GameReport
from tock_companion.club.repository import ClubRepository
from tock_companion.errors import BadInputError, TockError
from tock_companion.file_versions import FORMS
from tock_companion.tournament.decisions import Refused, begin_round, correct, pair, report
from tock_companion.tournament.facts import GameKey, Opened
from tock_companion.tournament.plan import Plan
from tock_companion.tournament.standings import standings

NOW = datetime(2026, 11, 20, 20, tzinfo=UTC)


def on_sqlite(folder: Path) -> ClubRepository:
    return ClubRepository(folder)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.whole)])
def open_repository(request: pytest.FixtureRequest) -> Callable[[Path], ClubRepository]:
    if request.param == "sqlite":
        return on_sqlite
    server: PostgreSql = request.getfixturevalue("postgresql")
    return lambda folder: ClubRepository(folder, server.url)


def played_evening(desk: Desk, rounds: int) -> None:
    rng = Random(1)
    assert desk.open(Plan("Evening", seats=2, rounds=5, draw=3)) is None
    assert desk.enter_all([(f"a{number}",) for number in range(8)]) is None
    for _ in range(rounds):
        assert desk.ask(pair) is None
        assert desk.ask(begin_round) is None
        now = desk.state.tournament
        assert now is not None
        for game in now.open_games:
            result = random_result(game, rng)
            sent = GameReport(desk.state.number, game.key, result, '{"v": 1}')
            assert desk.take_results([sent, sent]) == (None, None)
            assert desk.take_results([sent]) == (None,)


def test_an_evening_is_taken_up_as_it_was(
    tmp_path: Path, open_repository: Callable[[Path], ClubRepository]
) -> None:
    with closing(open_repository(tmp_path)) as repository:
        desk = Desk(repository, "Club of the oak")
        played_evening(desk, 2)
        desk.join("oak", 4)
        assert (
            desk.ask(lambda now: correct(now, GameKey(1, 1), now.results[GameKey(1, 2)], "mixed up")) is None
        )
        before = desk.state
        number = before.number
        result = next(iter(before.tournament.results.values())) if before.tournament else None
        facts = len(repository.facts(number))
    with closing(open_repository(tmp_path)) as repository:
        again = Desk(repository, "")
        assert (again.name, again.club) == ("Club of the oak", desk.club)
        assert again.state.tournament == before.tournament
        assert again.state.tables["oak"].place == 1
        assert len(repository.facts(number)) == facts
        assert result is not None
        assert again.record("1-2") == '{"v": 1}'


def test_of_two_writers_one_is_refused_and_nothing_is_doubled(
    tmp_path: Path, open_repository: Callable[[Path], ClubRepository]
) -> None:
    with closing(open_repository(tmp_path)) as repository:
        number = repository.latest() + 1
        repository.add(number, 1, [Opened(Plan("x"))], NOW)
        with pytest.raises(TockError, match="another desk writes"):
            repository.add(number, 1, [Opened(Plan("y"))], NOW)
        assert [kept.fact for kept in repository.facts(number)] == [Opened(Plan("x"))]


def test_a_second_desk_on_the_same_data_is_refused(
    tmp_path: Path, open_repository: Callable[[Path], ClubRepository]
) -> None:
    other = tmp_path / "other" if open_repository is not on_sqlite else tmp_path
    with closing(open_repository(tmp_path)), pytest.raises(TockError, match=r"desk .*stop it first.*, or"):
        open_repository(other)


@pytest.mark.parametrize("url", ["mysql://club", "no address", "postgresql:/"])
def test_an_address_of_no_database_is_one_sentence(tmp_path: Path, url: str) -> None:
    with pytest.raises((BadInputError, TockError), match=r"postgresql|database"):
        ClubRepository(tmp_path, url)


def test_a_list_is_taken_whole_or_not_at_all(tmp_path: Path) -> None:
    with closing(on_sqlite(tmp_path)) as repository:
        desk = Desk(repository, "")
        assert desk.ask(pair) == Refused("club/no-tournament")
        desk.open(Plan("x"))
        refused = desk.enter_all([("Ana",), ("Bea",), ("ána",)])
        assert refused == Refused("club/twice", {"name": "Ana"})
        assert desk.state.tournament is not None
        assert not desk.state.tournament.entrants


@pytest.mark.parametrize("name", ["x" * 300, "Oaks\x07"])
def test_a_name_that_is_too_long_is_refused(tmp_path: Path, name: str) -> None:
    with closing(on_sqlite(tmp_path)) as repository:
        with pytest.raises(BadInputError, match="at most 60 characters"):
            Desk(repository, name)
        assert Desk(repository, "").name == "Tock"


def test_a_clock_that_is_set_back_makes_no_round_longer(tmp_path: Path) -> None:
    with closing(on_sqlite(tmp_path)) as repository:
        desk = Desk(repository, "", now=lambda: NOW, clock_s=lambda: 0.0)
        desk.open(Plan("x", seats=2, minutes=30))
        desk.enter_all([("Ana",), ("Bea",)])
        desk.ask(pair)
        desk.ask(begin_round)
        assert desk.left_s == 1800
        a_day_before = NOW.replace(day=19)
        assert Desk(repository, "", now=lambda: a_day_before, clock_s=lambda: 7.0).left_s == 1800
        assert Desk(repository, "", now=lambda: NOW.replace(minute=20), clock_s=lambda: 7.0).left_s == 600
        assert Desk(repository, "", now=lambda: NOW.replace(hour=23), clock_s=lambda: 7.0).left_s == 0


WRITER = """
import sys
from pathlib import Path
from tests.club.test_repository import on_sqlite, played_evening
from tock_companion.club.desk import Desk
desk = Desk(on_sqlite(Path(sys.argv[1])), "")
played_evening(desk, 1)
now = desk.state.tournament
print(len(now.results), flush=True)
while True:
    desk.join("t", 4)
    desk.leave("t")
"""


@pytest.mark.whole
def test_facts_shown_before_a_kill_are_there_after_it(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "4\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    with closing(on_sqlite(tmp_path)) as repository:
        now = Desk(repository, "").state.tournament
        assert now is not None
        assert len(now.results) == 4
        assert len(standings(now)) == 8
        for game in now.games():
            assert report(now, game.key, now.results[game.key]) == ()


SECOND_STEP = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "2", "1"
def upgrade() -> None:
    op.create_table("later", sa.Column("name", sa.String(40), primary_key=True))
"""


@pytest.fixture
def later_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The steps of a version that has one more."""
    steps = tmp_path / "steps"
    shutil.copytree(steps_of.MIGRATIONS, steps, ignore=shutil.ignore_patterns("__pycache__"))
    (steps / "versions" / "later.py").write_text(SECOND_STEP)
    monkeypatch.setattr(steps_of, "MIGRATIONS", steps)
    monkeypatch.setattr(newest, "REVISIONS", (*newest.REVISIONS, "2"))
    return steps


def test_a_newer_database_is_refused_in_one_line_and_left_alone(
    later_version: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "club"
    on_sqlite(folder).close()
    before = (folder / "club.sqlite3").read_bytes()
    monkeypatch.undo()
    with pytest.raises(BadInputError, match=r"newer version \(form 2\), and this is version .* up to form 1"):
        on_sqlite(folder)
    assert (folder / "club.sqlite3").read_bytes() == before
    assert later_version.is_dir()


def test_an_older_database_is_copied_before_it_changes(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    folder = tmp_path / "club"
    with closing(on_sqlite(folder)) as kept:
        kept.choose("name", "Club of the oak")
    assert not (folder / "backups").exists()
    request.getfixturevalue("later_version")
    for _ in range(2):
        with closing(on_sqlite(folder)) as kept:
            assert kept.choice("name") == "Club of the oak"
    (copy,) = (folder / "backups").iterdir()
    with closing(sqlite3.connect(copy)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        assert connection.execute("SELECT value FROM choices").fetchall() == [("Club of the oak",)]
    assert "later" not in tables


def test_the_revisions_are_those_of_the_steps() -> None:
    config = Config()
    config.set_main_option("script_location", str(steps_of.MIGRATIONS))
    steps = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(steps)) == newest.REVISIONS
    assert FORMS["club"].version == len(steps)
