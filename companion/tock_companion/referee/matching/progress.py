"""Whether the board shows all of a move, a stop on its way, or only a part of it.

Players tap every hole while they count, put a pawn down on a summit before they jump, play a seven pawn by pawn, and
send a captured pawn home before or after. All of these show, for a moment, another board than the one they end with.
"""

from collections.abc import Container, Iterator, Mapping

from tock_companion.referee.matching.candidates import Candidate, Options
from tock_companion.referee.tracking.belief import Expectation
from tock_companion.referee.tracking.watch import Watch
from tock_rules import (
    PAWNS_PER_SEAT,
    Hole,
    Kind,
    Move,
    Part,
    Position,
    Rank,
    Seat,
    Setup,
    distance,
    path,
)

SEVEN = 7


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
    return any(
        _leads_on_to(other, candidate, options.before)
        for other in options.candidates
        if other is not candidate
    )


def _leads_on_to(other: Candidate, candidate: Candidate, before: Expectation) -> bool:
    """Whether the board after `candidate` may be seen while `other` is being made."""
    # A captured pawn may have gone home first: then its hole is empty although the capturing pawn is to stand there.
    captured = {hole for _, hole in other.move.captures}
    if not candidate.changed <= other.changed | captured or other.expected == candidate.expected:
        return False
    if any(_is_twice(part, before, candidate.expected.holes, other.move) for part in other.move.parts):
        return False
    return all(
        candidate.expected.holes.get(hole) is other.expected.holes.get(hole)
        or (hole in captured and hole not in candidate.expected.holes)
        for hole in candidate.changed
    )


def _is_twice(part: Part, before: Expectation, holes: Mapping[Hole, Seat], move: Move) -> bool:
    """Whether a pawn has reached its new hole while its old one is still taken: then it is another pawn."""
    if part.from_cell < 0 or part.from_cell in {other.to_cell for other in move.parts}:
        return False
    shape = move.before.shape
    source, target = shape.hole_id(part.from_cell), shape.hole_id(part.to_cell)
    arrived = holes.get(target) is part.seat and before.holes.get(target) is not part.seat
    return arrived and holes.get(source) is part.seat


def under_way(options: Options, seen: Setup) -> tuple[Move, ...]:
    """The legal moves of which the board shows a part, the one nearest to completion first.

    Each pawn of such a move stands where it was, where it goes, or nowhere: it is in the air. A pawn of a seven may
    also rest in a hole on its way. While no card is laid, an own pawn must have arrived: before that, any move could
    still come of it.
    """
    own = options.position.played_seats()
    found: list[tuple[bool, int, Move]] = []
    for candidate in options.candidates:
        left = _left_of(candidate, options, seen)
        if left and (options.card_known or _has_arrived(candidate, options, seen, own)):
            found.append((False, left, candidate.move))
        elif options.card_known and candidate.move.card.rank is Rank.SEVEN:
            left = _left_of_counted(candidate, options, seen)
            if left:
                found.append((True, left, candidate.move))
    # A seven of which each pawn has arrived or not yet moved explains the board better than one counted halfway.
    return tuple(move for _, _, move in sorted(found, key=lambda item: item[:2]))


def _left_of_counted(candidate: Candidate, options: Options, seen: Setup) -> int:
    """`_left_of` a seven that is counted by hand: pawns that rest on their way count as in the air."""
    resting = dict(rests(candidate.move, seen))
    if not resting:
        return 0
    holes = {hole: seat for hole, seat in seen.holes.items() if hole not in resting}
    return _left_of(candidate, options, Setup(seen.shape, holes, seen.camps))


def rests(move: Move, seen: Setup) -> Iterator[tuple[Hole, Part]]:
    """The pawns of a seven that rest between the holes they left and those they go to: each hole and its part.

    One may rest in the hole of another pawn of its seat that has arrived where the seven takes it.
    """
    shape = move.before.shape
    arrived = [part for part in move.parts if _fills(part, move, seen)]
    gone = {part.from_cell for part in arrived}
    for part in move.parts:
        if part in arrived:
            continue
        has_left = part.from_cell >= 0 and seen.holes.get(shape.hole_id(part.from_cell)) is not part.seat
        steps = distance(shape, part) if has_left and part.kind is Kind.STEP else None
        if steps is None or steps < 0:
            continue
        for cell in path(shape, part.seat, part.from_cell, steps, part.to_cell)[:-1]:
            hole = shape.hole_id(cell)
            stood = cell in move.before.cells_of(part.seat) and cell not in gone
            if seen.holes.get(hole) is part.seat and not stood:
                yield hole, part


def _fills(part: Part, move: Move, seen: Setup) -> bool:
    """Whether the hole that a part goes to has a pawn of its seat now, and had none before."""
    target = move.before.shape.hole_id(part.to_cell)
    return seen.holes.get(target) is part.seat and move.before.occupied().get(target) is not part.seat


def _left_of(candidate: Candidate, options: Options, seen: Setup) -> int:
    """Number of places still to change until the move is whole; 0 when the board shows something else."""
    before, after, shape = options.before, candidate.expected, candidate.move.before.shape
    cells = {cell for part in candidate.move.parts for cell in (part.from_cell, part.to_cell) if cell >= 0}
    touched = candidate.changed | {shape.hole_id(cell) for cell in cells}
    done = 0
    for hole in seen.holes.keys() | before.holes.keys():
        if seen.holes.get(hole) is before.holes.get(hole):
            continue
        if hole not in touched or seen.holes.get(hole) not in (None, after.holes.get(hole)):
            return 0
        done += 1
    for seat, count in before.camps.items():
        fewest, most = sorted((count, after.camps[seat]))
        if not fewest <= seen.camps.get(seat, 0) <= most or seen.count(seat) > PAWNS_PER_SEAT:
            return 0
        done += seen.camps.get(seat, 0) != count
    if not done or any(_is_twice(part, before, seen.holes, candidate.move) for part in candidate.move.parts):
        return 0
    left = sum(seen.holes.get(hole) is not after.holes.get(hole) for hole in touched)
    return left + sum(seen.camps.get(seat, 0) != count for seat, count in after.camps.items())


def _has_arrived(candidate: Candidate, options: Options, seen: Setup, own: Container[Seat]) -> bool:
    """Whether a pawn of the seat to move stands where the move takes one."""
    return any(
        seen.holes.get(hole) is seat and options.before.holes.get(hole) is not seat and seat in own
        for hole, seat in candidate.expected.holes.items()
        if hole in candidate.changed
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
