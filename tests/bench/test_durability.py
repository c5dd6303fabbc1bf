"""The power is cut while phones play: nothing that they were shown may be missing, and a loss would be noticed."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tock_bench.figures.durability import Losses, Reported, compare, run
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.events.facts import CardPlayed, Event, Fact, MoveAccepted
from tock_companion.storage.store import Store

RESULT = {"P0": ["camp", "camp", "camp", "T0*"], **{name: ["camp"] * 4 for name in ("P1", "P2", "P3")}}


@pytest.mark.whole
def test_nothing_that_a_phone_was_shown_is_lost_by_a_power_cut(tmp_path: Path) -> None:
    keep = tmp_path / "cuts.json"
    run(lambda _line: None, samples=1, keep=keep)
    figures = run(lambda _line: None, samples=2, keep=keep)
    assert (figures["kills"], figures["starts"]) == (2, len(json.loads(keep.read_text())["start_ms"]))
    assert (figures["events_lost"], figures["broken_logs"]) == (0, 0)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    store = Store(tmp_path)
    started = game_started(GameSetup(), generate(4, 440))
    came_out = MoveAccepted("P0", "AH", "P0:camp>T0*", RESULT, {})
    facts: tuple[Fact, ...] = (started, CardPlayed("P0", "AH", "touch"), came_out)
    store.append(1, [Event(number, 0, fact) for number, fact in enumerate(facts, 1)])
    store.close()
    return store.path


def losses(database: Path, reported: Reported) -> tuple[int, int]:
    found = Losses()
    compare(database, reported, found)
    return found.events_lost, found.broken_logs


def test_a_log_that_has_all_that_was_reported_lost_nothing(database: Path) -> None:
    assert losses(database, Reported(3, {3: "P0:camp>T0*"})) == (0, 0)


def test_a_reported_event_that_the_log_has_not_is_counted(database: Path) -> None:
    assert losses(database, Reported(5, {3: "P0:camp>T0*"})) == (2, 0)
    assert losses(database, Reported(3, {3: "P0:T5>T6"})) == (1, 0)


def test_a_game_that_is_over_says_nothing_of_the_next(database: Path) -> None:
    reported = Reported(40, {3: "P0:T5>T6"})
    reported.forget()
    reported.take({"game": {"seq": 3}, "history": [{"seq": 3, "text": "P0:camp>T0*"}]})
    assert losses(database, reported) == (0, 0)


def test_half_an_event_is_a_broken_log(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE events SET line = substr(line, 1, 20) WHERE seq = 2")
    assert losses(database, Reported(3)) == (0, 1)
