"""Finds the legal moves that explain the table, or else the mistake and the way to mend it."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest

from tock_companion.referee.diagnosis.mistakes import find_mistake
from tock_companion.referee.diagnosis.repair import RepairStep, plan
from tock_companion.referee.matching.candidates import legal_moves, one_of_each_kind
from tock_rules import CAMP, Board, Card, Kind, Move, Position, Setup, Violation

MAX_MOVES_OFFERED = 3
"""Number of legal moves offered beside a violation."""
_PLAINNESS = {
    Kind.STEP: 0,
    Kind.START: 1,
    Kind.JUMP: 2,
    Kind.LINE: 3,
    Kind.CENTRE_IN: 4,
    Kind.CENTRE_OUT: 4,
}
_PLAINNESS_OF_OTHERS = 5


@dataclass(frozen=True)
class Explanation:
    """The explanation of a board: the legal moves that lead to it, or the mistake."""

    explanations: tuple[tuple[Card, Move], ...]
    """Legal moves whose result looks like the board, plainest first; with no card known one card of each kind."""
    violation: Violation | None
    """The mistake."""
    nearest: tuple[Move, ...]
    """The legal moves that come closest."""
    repair: tuple[RepairStep, ...]
    """The fewest movements back to the board before."""


def explain(
    position: Position, card: Card | None, seen: Setup | Board, moves: Sequence[Move] | None = None
) -> Explanation:
    """Explain `seen` as the board after one legal move of the position.

    Without `card` one card of each kind is considered. `moves` are the legal moves of that card, or of one card of
    each kind, if the caller has listed them already.
    """
    setup = Setup.of_board(seen) if isinstance(seen, Board) else seen
    cards = (card,) if card is not None else one_of_each_kind(position)
    moves = legal_moves(position, cards) if moves is None else moves
    if not setup.problems():
        target = setup.board().cells
        fitting = [(move.card, move) for move in moves if move.result.cells == target]
        if fitting:
            return Explanation(tuple(sorted(fitting, key=_plainness)), None, (), ())
    violation = find_mistake(position, card, cards, moves, setup)
    return Explanation((), violation, _nearest(position, setup, moves), plan(setup, position.board))


def _plainness(found: tuple[Card, Move]) -> tuple[int, int]:
    """Few parts before many, a plain walk before jumps and swaps; otherwise the order of the cards."""
    _, move = found
    return len(move.parts), max(_PLAINNESS.get(part.kind, _PLAINNESS_OF_OTHERS) for part in move.parts)


def _nearest(position: Position, setup: Setup, moves: Sequence[Move]) -> tuple[Move, ...]:
    """The legal moves whose result differs least: fewest wrong holes, then the shortest way between them.

    Where several cards lead to the same board, the first of them represents them all.
    """
    moves = tuple({move.result: move for move in reversed(moves)}.values())[::-1]
    shape = position.shape
    seen = {
        (shape.cells_by_hole[hole], int(seat))
        for hole, seat in setup.holes.items()
        if hole in shape.cells_by_hole
    }
    newly_filled = [cell for cell, _ in seen - _pawns(position.board)]
    wrong_holes = [len(_pawns(move.result) ^ seen) for move in moves]
    # The number of wrong holes rules out most moves, without comparing their parts.
    limit = max(nsmallest(MAX_MOVES_OFFERED, wrong_holes), default=0)
    closest = [(wrong, move) for wrong, move in zip(wrong_holes, moves, strict=True) if wrong <= limit]

    def distance(ranked: tuple[int, Move]) -> tuple[int, int, int]:
        wrong, move = ranked
        gap = min((abs(move.parts[0].to_cell - cell) for cell in newly_filled), default=0)
        return wrong, min(gap, shape.track_length), len(move.parts)

    return tuple(move for _, move in sorted(closest, key=distance)[:MAX_MOVES_OFFERED])


def _pawns(board: Board) -> set[tuple[int, int]]:
    """Cell and seat of every pawn outside the camps."""
    each = board.shape.pawns_per_seat
    return {(cell, index // each) for index, cell in enumerate(board.cells) if cell != CAMP}
