"""Mistakes against known statements of the rules before a noisy source: the statement named, and the delay."""

from random import Random

from tests.support.tabletop import Tabletop, WrongBoard
from tests.support.wrong_boards import MAKERS, nothing_moved
from tock_bench.noisy.noise import Noise
from tock_bench.noisy.person import Standing, standing_on
from tock_bench.noisy.table import NoisyTable
from tock_bench.noisy.tally import GameTally
from tock_companion.core.game_setup import GameSetup
from tock_companion.errors import BadInputError
from tock_companion.referee.diagnosis.explain import explain
from tock_companion.referee.diagnosis.repair import plan
from tock_rules import (
    Board,
    Hole,
    Position,
    Ruleset,
    Setup,
    check_players,
    load_preset,
)

VISIBLE = tuple(maker for maker in MAKERS if maker is not nothing_moved)
"""Mistakes that change the board: the others leave no trace of the end of a turn."""


def make_mistakes(ruleset: str, noise: Noise, kind: str, seed: int, wanted: int, tally: GameTally) -> None:
    """Make `wanted` mistakes of all kinds, each on a new table and none that a legal move explains."""
    rng, rules = Random(seed), load_preset(ruleset)
    goal = tally.mistakes + wanted
    while tally.mistakes < goal:
        wrong = _wrong_board(rng, rules)
        position = wrong.position
        setup = GameSetup(
            ruleset=ruleset,
            seats=position.seats,
            teams=position.teams,
            first=position.to_move,
            position=position.board.to_pawns(),
        )
        table = NoisyTable(setup, noise, rng.randrange(1_000_000), kind, position.shape.zones)
        film = steps(position.board, wrong.seen.board())
        table.play_mistake(tally, wrong.card, film, wrong.truth)


def _wrong_board(rng: Random, rules: Ruleset) -> WrongBoard:
    """A mistake that no legal move explains, by a seat that plays its own pawns."""
    while True:
        wrong = rng.choice(VISIBLE)(Tabletop(rng, rules))
        if wrong is None or wrong.seen.problems() or not _is_played(rules, wrong.position):
            continue
        if explain(wrong.position, wrong.card, wrong.seen).violation is not None:
            return wrong


def _is_played(rules: Ruleset, position: Position) -> bool:
    """Whether the ruleset allows that many players and the seat to move plays its own pawns."""
    try:
        check_players(rules, len(position.seats))
    except BadInputError:
        return False
    return position.to_move in position.played_seats()


def steps(before: Board, after: Board) -> list[Standing]:
    """The positions while the pawns are carried one by one to their new places."""
    standing = standing_on(before)
    film: list[Standing] = []
    for step in plan(Setup.of_board(before), after):
        camp = before.shape.camp_holes(step.seat)
        source = (
            step.from_hole
            if isinstance(step.from_hole, Hole)
            else next(hole for hole in camp if hole in standing)
        )
        standing = {hole: seat for hole, seat in standing.items() if hole != source}
        film.append(standing)
        target = (
            step.to_hole
            if isinstance(step.to_hole, Hole)
            else next(hole for hole in camp if hole not in standing)
        )
        standing = {**standing, target: step.seat}
        film.append(standing)
    return film
