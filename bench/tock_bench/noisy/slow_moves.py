"""Moves that take long: captures, swaps and sevens with the hand away in the middle. Nobody errs, so nothing is red."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tests.support.random_tables import random_table
from tock_bench.noisy.noise import Noise
from tock_bench.noisy.person import Shot
from tock_bench.noisy.table import NoisyTable
from tock_companion.errors import BadInputError
from tock_companion.events.facts import Event, MoveAccepted
from tock_companion.referee.matching.candidates import one_of_each_kind
from tock_rules import Kind, Move, Position, Rank, Ruleset, check_players, load_preset, preset_names

PAUSES_MS = (3_000, 5_000, 10_000)
KINDS_OF_MOVE = ("capture", "swap", "seven")
DELIBERATE = replace(Noise(), stops=0, slide=0, beside=0, bump=0, changed_mind=0, early=0, out_of_turn=0)
"""Sources err as ever; people put pawns only where the move takes them."""
RED = ("violation", "pawn_missing")


@dataclass(slots=True)
class Calm:
    """Counts of slow moves."""

    n: int = 0
    red: int = 0
    """Moves during which anything was said to be wrong."""
    asked: int = 0
    right: int = 0
    guided: int = 0
    """Moves during which people saw an instruction."""
    failures: Counter[str] = field(default_factory=Counter)

    def add(self, move: Move, events: list[Event], guided: bool) -> None:
        """Count one move by what was recorded while it was made."""
        self.n += 1
        self.guided += guided
        kinds = [event.fact.KIND for event in events]
        accepted = [event.fact for event in events if isinstance(event.fact, MoveAccepted)]
        self.asked += "question" in kinds
        self.right += bool(accepted) and accepted[0].result == move.result.to_pawns()
        if any(kind in RED for kind in kinds):
            self.red += 1
            reported = [getattr(event.fact, "code", event.fact.KIND) for event in events]
            self.failures[f"{move.text} with {move.card}: {reported}"] += 1


def counts_of(calms: Sequence[Calm]) -> dict[str, int]:
    """Sums over everything that was played before one kind of source."""
    names = ("n", "red", "right", "asked", "guided")
    return {name: sum(getattr(calm, name) for calm in calms) for name in names}


def play_slowly(kind: str, seed: int, wanted: int) -> Calm:
    """Make slow moves before one kind of source, in turn of all rulesets, kinds of move and pauses."""
    rng, calm = Random(seed), Calm()
    for number in range(wanted):
        rules = load_preset(preset_names()[number % len(preset_names())])
        move = _slow_move(rng, rules, KINDS_OF_MOVE[number // 5 % 3])
        table = NoisyTable.at(move.position, DELIBERATE, rng.randrange(1_000_000), kind)
        film = with_pause(table.film(move), PAUSES_MS[number // 15 % 3], rng)
        calm.add(move, *table.play_film(move, film))
    return calm


def with_pause(film: list[Shot], pause_ms: int, rng: Random) -> list[Shot]:
    """The film of a move with the hand away once, after its first lift and before its last put."""
    away = rng.randrange(1, len(film) - 1)
    pause = Shot(film[away - 1].standing, frozenset(), pause_ms)
    return [*film[:away], pause, *film[away:]]


def _slow_move(rng: Random, rules: Ruleset, kind: str) -> Move:
    """A random legal move of the wanted kind that can be seen."""
    return random_move(
        rng, rules, lambda move: _is_kind(move, kind) and not move.result.looks_like(move.position.board)
    )


def random_move(rng: Random, rules: Ruleset, is_wanted: Callable[[Move], bool]) -> Move:
    """A legal move of that kind, on the first random table that has one."""
    while True:
        position = random_table(rng, rules, zones=rng.choice([4, 4, 6])).position(rules)
        if not is_played(position):
            continue
        legal = (move for card in one_of_each_kind(position) for move in position.legal_moves(card))
        moves = [move for move in legal if is_wanted(move)]
        if moves:
            return rng.choice(moves)


def is_played(position: Position) -> bool:
    """Whether the ruleset allows that many players."""
    try:
        check_players(position.ruleset, len(position.seats))
    except BadInputError:
        return False
    return True


def _is_kind(move: Move, kind: str) -> bool:
    match kind:
        case "capture":
            return bool(move.captures) and len(move.parts) == 1
        case "swap":
            return any(part.kind is Kind.SWAP for part in move.parts)
        case _:
            return move.card.rank is Rank.SEVEN and len(move.parts) > 1
