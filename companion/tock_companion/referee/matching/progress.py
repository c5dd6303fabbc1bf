"""Whether what stands on the board is all of a move, a stop on its way, or only a part of it.

Players tap every hole while they count, put a pawn down on a summit before they jump, play a seven pawn by pawn, and
send a captured pawn home before or after. All of these show, for a moment, another board than the one they end with.
"""

from collections.abc import Iterable

from tock_companion.referee.matching.candidates import Candidate, Options
from tock_companion.referee.tracking.watch import Watch
from tock_companion.rules import Move, Part, Position


def may_go_on(candidate: Candidate, options: Options) -> bool:
    """Whether the same pawn could still go further: to another legal move, or with another card while none is laid."""
    if not options.card_known:
        return True
    done = {(part.seat, part.from_cell, part.to_cell) for part in candidate.move.parts}
    return any(
        other.expected != candidate.expected
        and any((part.seat, part.from_cell, part.via) in done for part in other.move.parts)
        for other in options.candidates
    )


def may_be_half(candidate: Candidate, options: Options) -> bool:
    """Whether another legal move changes all that has changed and more, and may have been made halfway."""
    return any(_leads_on_to(other, candidate) for other in options.candidates if other is not candidate)


def _leads_on_to(other: Candidate, candidate: Candidate) -> bool:
    """Whether the board after `candidate` may be seen while `other` is being made."""
    # A captured pawn may have gone home first: then its hole is empty although the capturing pawn is to stand there.
    captured = {hole for _, hole in other.move.captures}
    if not candidate.changed <= other.changed | captured or other.expected == candidate.expected:
        return False
    if any(_stands_twice(part, candidate, other.move) for part in other.move.parts):
        return False
    return all(
        candidate.expected.holes.get(hole) is other.expected.holes.get(hole)
        or (hole in captured and hole not in candidate.expected.holes)
        for hole in candidate.changed
    )


def _stands_twice(part: Part, candidate: Candidate, move: Move) -> bool:
    """Whether the pawn of a part would stand on its new hole while its old one is still taken: no hand can do that."""
    if part.from_cell < 0 or part.from_cell in {other.to_cell for other in move.parts}:
        return False
    shape, holes = move.before.shape, candidate.expected.holes
    source, target = shape.hole_id(part.from_cell), shape.hole_id(part.to_cell)
    return target in candidate.changed and holes.get(source) is part.seat and holes.get(target) is part.seat


def is_unfinished(options: Options, wrong_holes: Iterable[str], watch: Watch) -> bool:
    """Whether all that has changed outside the camps belongs to one legal move of which something is still missing."""
    wrong = frozenset(wrong_holes)
    return any(
        wrong <= candidate.changed
        and all(watch.pawn_at(hole) in (candidate.expected.holes.get(hole), None) for hole in wrong)
        for candidate in options.candidates
    )


def in_order_played(position: Position, move: Move, watch: Watch) -> Move:
    """A seven with its parts in the order in which they were seen, if they are legal in that order too."""
    if len(move.parts) < 2:
        return move
    shape = position.shape

    def seen_ms(part: Part) -> tuple[int, int]:
        left, reached = (watch.hole(shape.hole_id(cell)).since_ms for cell in (part.from_cell, part.to_cell))
        return left, reached

    played = position.find(move.cards, sorted(move.parts, key=seen_ms))
    return played if played is not None and played.result == move.result else move
