"""Messages to the screens of a hall: the whole round once, then changes, also while the desk is busy."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.support.club import playing_desk
from tock_companion.club.desk import Desk, GameReport
from tock_companion.club.inbox import Inbox
from tock_companion.club.notes import game_id
from tock_companion.club.repository import DATABASE_NAME
from tock_companion.mqtt.club_notes import ResultNote, ScoreNote, result_topic, written
from tock_companion.tournament.decisions import Decision, pair
from tock_companion.tournament.facts import GameKey, Reporter, Result, SideScore
from tock_companion.tournament.state import Tournament
from tock_web.club.hall_events import NOTHING, HallEvents


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with playing_desk(tmp_path) as desk:
        yield desk


def read(text: str) -> tuple[str, Any]:
    kind, data = text.rstrip("\n").split("\n")
    return kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def tell(desk: Desk, table: int) -> None:
    result = Result(f"r{table}", (SideScore(4), SideScore(1)), 0, Reporter.TABLE)
    assert desk.take_results([GameReport(desk.state.number, GameKey(1, table), result)]) == (None,)


def test_a_screen_is_sent_the_round_once_and_then_the_tables_that_changed(desk: Desk) -> None:
    texts = HallEvents(desk)
    seen, text = texts.hall(NOTHING)
    kind, whole = read(text)
    assert (kind, [game["table"] for game in whole["games"]]) == ("hall", [1, 2, 3])
    tell(desk, 2)
    later, text = texts.hall(seen)
    kind, news = read(text)
    assert (kind, [game["table"] for game in news["games"]]) == ("tables", [2])
    tell(desk, 3)
    kind, news = read(texts.hall(seen)[1])
    assert [game["table"] for game in news["games"]] == [2, 3], "a slow screen gets all that it missed"
    assert [game["table"] for game in read(texts.hall(later)[1])[1]["games"]] == [3]
    tell(desk, 1)
    assert desk.ask(pair) is None
    assert read(texts.hall(later)[1])[0] == "hall", "another round is sent whole"
    assert read(texts.hall(NOTHING)[1])[0] == "hall"


def test_no_screen_waits_while_a_round_is_paired(desk: Desk) -> None:
    pairing, paired = Event(), Event()

    def slow(_now: Tournament) -> Decision:
        pairing.set()
        assert paired.wait(20)
        return ()

    director = Thread(target=lambda: desk.ask(slow))
    director.start()
    try:
        assert pairing.wait(20)
        seen = desk.state.revision
        desk.broker_is(up=True)
        with desk.news:
            assert desk.news.wait_for(lambda: desk.state.revision > seen, 20)
        assert HallEvents(desk).hall(NOTHING)[0] == seen + 1
    finally:
        paired.set()
        director.join()


def test_a_result_that_the_disk_refuses_waits_until_it_takes_it(tmp_path: Path, desk: Desk) -> None:
    inbox = Inbox(desk, again_s=0.0)
    desk.join("oak", 4)
    note = ResultNote(
        desk.club, game_id(desk.state.number, GameKey(1, 1)), "r", (ScoreNote(4), ScoreNote(1)), 0
    )
    with closing(sqlite3.connect(tmp_path / DATABASE_NAME)) as disk:
        disk.execute("ALTER TABLE facts RENAME TO gone")
        inbox.take(result_topic("oak", note.game), written(note).encode())
        inbox.flush()
        assert desk.state.trouble is not None
        assert desk.state.trouble.code == "club/disk"
        disk.execute("ALTER TABLE gone RENAME TO facts")
    inbox.flush()
    assert desk.state.tournament is not None
    assert set(desk.state.tournament.results) == {GameKey(1, 1)}
