"""New games and who played them: defaults, kept names, and counts of wins."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.tables import nearly_won, send, win
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.requests import Role
from tock_companion.errors import BadInputError
from tock_companion.language import Text
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.seats.game_people import KEPT_AS
from tock_companion.table.seats.scores import Result, evenings, scores
from tock_rules import Seat


def test_a_board_with_more_zones_than_the_ruleset_has_players_begins_with_as_many_as_play() -> None:
    board = generate(8, 600)
    assert game_started(GameSetup("mjc"), board).seats == ["P0", "P2", "P4", "P6"]
    assert len(game_started(GameSetup("diagonale"), board).seats) == 8


def test_a_number_of_players_that_the_ruleset_does_not_know_is_refused() -> None:
    with pytest.raises(BadInputError, match="players: 2, 4"):
        game_started(GameSetup("mjc", seats=[Seat.P0, Seat.P1, Seat.P2]), generate(4, 440))


def opened(folder: Path, setup: GameSetup) -> Table:
    table = Table(generate(4, 440), Store(folder), setup=setup)
    table.start()
    return table


def people(table: Table) -> dict[int, Text]:
    return {int(str(game["number"])): game["people"] for game in table.archive.games()}  # type: ignore[misc]


def test_partners_stand_together_and_a_computer_is_called_so(tmp_path: Path) -> None:
    table = opened(tmp_path, GameSetup())
    for seat, name in ((Seat.P0, "Léa"), (Seat.P1, "Mamie"), (Seat.P2, "Tom")):
        table.people.join(name, seat)
    assert send(table.request, "set_computer", {"seat": "P3", "strength": "easy"}, Role.HOST).ok
    assert people(table)[1]["fr"] == "Léa et Tom contre Mamie et Vert (ordinateur)"
    table.stop()


def test_a_game_keeps_its_people_while_the_next_has_its_own(tmp_path: Path) -> None:
    table = opened(tmp_path, nearly_won())
    table.people.join("Léa", Seat.P0)
    table.people.join("Tom", Seat.P2)
    win(table)
    newest = table.archive.games()[0]
    assert newest["won"] == {"fr": "Léa a gagné", "en": "Léa won"}
    assert send(table.request, "free_seat", {"seat": "P2"}, Role.HOST).ok
    table.people.join("Guy", Seat.P2)
    assert send(table.request, "rematch", {}, Role.HOST).ok
    assert {number: text["en"] for number, text in people(table).items()} == {
        1: "Léa against Tom",
        2: "Léa against Guy",
    }
    table.stop()
    again = opened(tmp_path, nearly_won())
    assert people(again)[1]["en"] == "Léa against Tom"
    again.stop()


def test_a_player_who_leaves_after_the_first_move_still_played_the_game(tmp_path: Path) -> None:
    table = opened(tmp_path, nearly_won())
    table.people.join("Léa", Seat.P0)
    table.people.join("Tom", Seat.P2)
    assert send(table.request, "play_card", {"card": "AH"}, Role.SEAT, Seat.P0).ok
    move = table.position.legal_moves("AH")[0].text
    assert send(table.request, "move", {"text": move}, Role.SEAT, Seat.P0).ok
    assert send(table.request, "free_seat", {"seat": "P2"}, Role.HOST).ok
    assert people(table)[1]["fr"] == "Léa contre Tom"
    table.stop()


def test_people_kept_in_another_form_are_left_out(tmp_path: Path) -> None:
    opened(tmp_path, nearly_won()).stop()
    store = Store(tmp_path)
    store.choices.keep(KEPT_AS, {"1": {"P0": "Léa", "P9": "Tom"}, "x": {}, "2": "rubbish"})
    store.close()
    again = opened(tmp_path, nearly_won())
    assert people(again)[1]["fr"] == "Rouge contre Jaune", "nobody has moved: who sits there now counts"
    again.stop()


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
