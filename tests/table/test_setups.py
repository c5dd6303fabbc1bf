"""Players and teams that a game's text excludes are refused by library, judge and lobby with the same sentence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from tock_app.cli.commands.judge import position_of
from tock_companion.boardfile import BoardFile, generate
from tock_companion.core.bodies import NewGame
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.lobby import opening_of
from tock_companion.core.requests import Reply
from tock_companion.core.roster import Roster
from tock_companion.core.state import CoreState, Lobby
from tock_companion.core.step import begin_game
from tock_companion.errors import BadInputError
from tock_rules import (
    Game,
    Seat,
    load_preset,
    player_counts,
    preset_names,
    seats_for,
    shape_for,
    team_sizes,
    teams_of,
)


def answer(ask: Callable[[], object]) -> str:
    try:
        found = ask()
    except BadInputError as error:
        return str(error)
    return str(found.params.get("reason")) if isinstance(found, Reply) else "ok"


def answers_of(
    ruleset: str,
    zones: int,
    seats: Sequence[Seat],
    teams: Sequence[Sequence[Seat]],
    state: CoreState,
    board: BoardFile,
) -> Iterator[str]:
    """The answers of library, judge and lobby to the same set-up."""
    rules = load_preset(ruleset)
    asked = {
        "board_zones": zones,
        "players": [seat.name for seat in seats],
        "to_move": seats[0].name,
        "pawns": {seat.name: ["camp"] * rules.pawns_per_seat for seat in seats},
        "teams": [[seat.name for seat in team] for team in teams],
    }
    new = NewGame(ruleset, players=len(seats), team_size=len(teams[0]) if teams else 1)
    yield answer(lambda: Game.start(ruleset, seats=seats, teams=teams, zones=zones))
    yield answer(lambda: position_of(rules, asked))
    yield answer(lambda: opening_of(new, state, board))


@pytest.mark.parametrize(
    ("ruleset", "zones"), [(name, zones) for name in preset_names() for zones in load_preset(name).zones]
)
def test_every_number_of_players_and_size_of_teams_has_one_answer(ruleset: str, zones: int) -> None:
    rules = load_preset(ruleset)
    shape = shape_for(rules, zones)
    board = generate(shape, 620)
    begun = begin_game(Roster(shape, board.colors, {}), game_started(GameSetup(ruleset), board), 0)
    state = replace(begun.state, lobby=Lobby())
    for players in range(2, zones + 1):
        for size in (size for size in range(1, players + 1) if players % size == 0 and size <= 4):
            seats = seats_for(players, zones)
            teams = teams_of(seats, size)
            answers = set(answers_of(ruleset, zones, seats, teams, state, board))
            fits = players in player_counts(rules, zones) and size in team_sizes(rules, players)
            assert len(answers) == 1, (players, size, answers)
            assert (answers == {"ok"}) is fits, (players, size, answers)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_braendi_dog_for_two_three_or_five_has_rules_of_its_own_and_is_refused(players: int) -> None:
    with pytest.raises(BadInputError, match=f"brandi-dog is not played by {players}; players: 4, 6"):
        Game.start("brandi-dog", players=players)


def test_six_play_braendi_dog_in_two_teams_of_three_or_three_of_two() -> None:
    assert team_sizes(load_preset("brandi-dog"), 6) == (3, 2)
    assert team_sizes(load_preset("pegs-jokers"), 6) == (3,)
    pairs = teams_of(seats_for(6, 6), 2)
    assert pairs == ((Seat.P0, Seat.P3), (Seat.P1, Seat.P4), (Seat.P2, Seat.P5))
    assert Game.start("brandi-dog", 6, teams=pairs).position.teams == pairs
