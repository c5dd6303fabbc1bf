"""Which legal moves explain what stands on the table, and if none does, what went wrong and how to mend it."""

from collections.abc import Iterable
from dataclasses import dataclass

from tock_companion.referee.diagnosis.mistakes import Candidate, candidates_of, find_slip
from tock_companion.referee.diagnosis.repair import Step, plan
from tock_companion.rules.board import Board, Setup
from tock_companion.rules.cards import Card, pack
from tock_companion.rules.engine import code_of
from tock_companion.rules.moves import Kind, Move
from tock_companion.rules.position import Position
from tock_companion.rules.violations import Violation

NEAREST = 3
"""How many legal moves are offered beside a violation."""
_PLAIN_FIRST = {
    Kind.STEP: 0,
    Kind.START: 1,
    Kind.JUMP: 2,
    Kind.LINE: 3,
    Kind.CENTRE_IN: 4,
    Kind.CENTRE_OUT: 4,
}


@dataclass(frozen=True)
class Explanation:
    """What the referee can say about a board."""

    explanations: tuple[tuple[Card, Move], ...]
    """Legal moves whose result looks like the board, best first; with no card known one card of each kind."""
    violation: Violation | None
    """What was done wrong, when there is no explanation."""
    nearest: tuple[Move, ...]
    """The legal moves that come closest, when there is no explanation."""
    repair: tuple[Step, ...]
    """The fewest movements back to the board before, when there is no explanation."""


def explain(
    position: Position, card: Card | None, seen: Setup | Board, cards: Iterable[Card] | None = None
) -> Explanation:
    """Explain `seen` as the board after one legal move of the position.

    Without `card` every kind of card in `cards` is considered, by default those of the ruleset's pack.
    """
    setup = Setup.of_board(seen) if isinstance(seen, Board) else seen
    kinds = (card,) if card is not None else kinds_of_card(position, cards)
    candidates = candidates_of(position, kinds)
    if not setup.problems():
        target = setup.board().cells
        fitting = [c for c in candidates if c.after.key()[0] == target]
        if fitting:
            found = [(c.card, Move(c.card, c.flat, position.board, position.engine)) for c in fitting]
            return Explanation(tuple(sorted(found, key=_plainness)), None, (), ())
    repair = plan(setup, position.board)
    nearest = _nearest(position, setup, candidates)
    violation = find_slip(position, card, candidates, setup)
    return Explanation((), violation, nearest, repair)


def kinds_of_card(position: Position, cards: Iterable[Card] | None = None) -> tuple[Card, ...]:
    """Return one card of each kind that the ruleset tells apart."""
    rules = position.ruleset
    listed = pack(1, rules.jokers) if cards is None else cards
    kinds: dict[int, Card] = {}
    for card in listed:
        kinds.setdefault(position.engine.kind_of(code_of(card)), card)
    return tuple(kinds.values())


def _plainness(found: tuple[Card, Move]) -> tuple[int, int]:
    """Few parts before many, a plain walk before jumps and swaps; otherwise the order of the cards."""
    move = found[1]
    return len(move.parts), max(_PLAIN_FIRST.get(part.kind, 5) for part in move.parts)


def _nearest(position: Position, setup: Setup, candidates: list[Candidate]) -> tuple[Move, ...]:
    """Return the legal moves whose result differs least: fewest wrong holes, then the shortest way between them."""
    shape = position.shape
    seen = {
        (shape.cells_by_hole[hole], int(seat))
        for hole, seat in setup.holes.items()
        if hole in shape.cells_by_hole
    }
    before = {(cell, int(seat)) for cell, seat in position.board.owners.items()}
    newly = [cell for cell, _ in seen - before]

    def far(candidate: Candidate) -> tuple[int, int, int]:
        pawns = candidate.after.pawns
        after = {(cell, index // 4) for index, cell in enumerate(pawns) if cell >= 0}
        target = candidate.flat[3]
        gap = min((abs(target - cell) for cell in newly), default=0)
        return len(after ^ seen), min(gap, shape.track_length), len(candidate.flat)

    ranked = sorted(candidates, key=far)
    return tuple(Move(c.card, c.flat, position.board, position.engine) for c in ranked[:NEAREST])
