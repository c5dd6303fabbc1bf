"""Counts of wins: names are merged, evenings are kept apart, and a restart forgets nothing."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support.tables import send
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.seats.scores import Result, evenings, scores
from tock_rules import Seat

EIGHT = datetime(2026, 11, 22, 20, tzinfo=UTC)
NEARLY_WON = {"P0": ["T63", "H2", "H3", "H4"], "P2": ["camp", "camp", "T40", "H4"]}


def result(game: int, after_h: float, players: str, winners: str) -> Result:
    return Result(game, EIGHT + timedelta(hours=after_h), tuple(players.split()), tuple(winners.split()))


def test_spellings_of_a_name_are_one_person_called_as_written_last() -> None:
    board = scores(
        [result(1, 0, "lea Tom", "lea"), result(2, 1, "Léa TOM", "Léa"), result(3, 2, "LÉA Tom", "Tom")]
    )
    assert [(score.name, score.won, score.played) for score in board] == [("LÉA", 2, 3), ("Tom", 1, 3)]


def test_games_around_midnight_are_one_evening_and_the_next_day_is_another() -> None:
    results = [result(1, 0, "A B", "A"), result(2, 5, "A B", "B"), result(3, 24, "A B", "A")]
    assert [[one.game for one in evening] for evening in evenings(results)] == [[1, 2], [3]]


def test_fewer_wins_in_more_games_rank_lower() -> None:
    board = scores([result(1, 0, "A B C", "A C"), result(2, 1, "A B", "B")])
    assert [score.name for score in board] == ["C", "A", "B"]


def test_results_outlive_a_restart_and_go_with_the_last_move(tmp_path: Path) -> None:
    setup = GameSetup("joker-individuel", seats=(Seat.P0, Seat.P2), position=NEARLY_WON)
    table = Table(generate(4, 440), Store(tmp_path), setup=setup)
    table.start()
    table.people.join("Léa", Seat.P0)
    for kind, data in (("play_card", {"card": "8H"}), ("move", {"text": "P0:T63>H1"})):
        assert send(table.request, kind, data, Role.SEAT, Seat.P0).ok
    assert [(one.players, one.winners) for one in table.results.all] == [(("Léa",), ("Léa",))]
    table.stop()
    again = Table(generate(4, 440), Store(tmp_path), setup=setup)
    again.start()
    assert [one.winners for one in again.results.all] == [("Léa",)]
    again.stop()


def test_scores_in_another_form_are_left_out(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.choices.keep(
        "results", [[1, "no time", [], []], "rubbish", [2, "2026-11-22T20:00:00+00:00", ["A"], ["A"]]]
    )
    table = Table(generate(4, 440), store)
    assert [one.game for one in table.results.all] == [2]
    table.start()
    table.stop()
