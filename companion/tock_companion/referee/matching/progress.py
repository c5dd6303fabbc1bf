"""Whether the board shows all of a move, a stop on its way, or only a part of it.

Players tap every hole while they count, put a pawn down on a summit before they jump, play a seven pawn by pawn, and
send a captured pawn home before or after. All of these show, for a moment, another board than the one they end with.
"""

from collections.abc import Container, Mapping

from tock_companion.referee.matching.candidates import Candidate, Options
from tock_companion.referee.matching.stops import Stops, cells_passed, stops_of
from tock_companion.referee.tracking.belief import Expectation
from tock_companion.referee.tracking.watch import Watch
from tock_rules import Hole, Kind, Move, Part, Position, Seat, Setup


def may_be_half(candidate: Candidate, options: Options) -> bool:
    """Whether another legal move, which changes more, counts or jumps on or exchanges pawns, may be made halfway."""
    seen = Setup.of_board(candidate.move.result)
    return any(
        _leads_on_to(other, candidate, options.before)
        or _counts_on(other, candidate)
        or _jumps_on(other, candidate)
        or _has_parked(other, candidate, options, seen)
        for other in options.candidates
        if other is not candidate
    )


def _jumps_on(other: Candidate, candidate: Candidate) -> bool:
    """Whether a pawn of `candidate` jumps on from where it has arrived."""
    done = {(part.seat, part.from_cell, part.to_cell) for part in candidate.move.parts}
    return other.expected != candidate.expected and any(
        (part.seat, part.from_cell, part.via) in done for part in other.move.parts
    )


def _has_parked(other: Candidate, candidate: Candidate, options: Options, seen: Setup) -> bool:
    """Whether the board after `candidate` shows an exchange of which one pawn waits, as a Jack that may walk too."""
    if other.move.card != candidate.move.card or other.move.parts[0].kind is not Kind.SWAP:
        return False
    stops = stops_of(other.move, seen)
    return bool(stops) and _left_of(other, options, stops.lifted_from(seen)) > 0


def _counts_on(other: Candidate, candidate: Candidate) -> bool:
    """Whether the one pawn of `candidate` walks further with the same card, as with an Ace that moves 1 or 11."""
    (part, *others), done = other.move.parts, candidate.move.parts
    if others or len(done) > 1 or part.kind is not Kind.STEP or other.move.card != candidate.move.card:
        return False
    is_same_pawn = (part.seat, part.from_cell) == (done[0].seat, done[0].from_cell)
    return is_same_pawn and done[0].to_cell in cells_passed(candidate.move.before.shape, part)


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
    others = [other.to_cell for other in move.parts if other is not part]
    if part.from_cell < 0 or part.from_cell in others or part.to_cell in others:
        return False
    shape = move.before.shape
    source, target = shape.hole_id(part.from_cell), shape.hole_id(part.to_cell)
    arrived = holes.get(target) is part.seat and before.holes.get(target) is not part.seat
    return arrived and holes.get(source) is part.seat


def under_way(options: Options, seen: Setup) -> tuple[Move, ...]:
    """The legal moves of which the board shows a part, the one nearest to completion first.

    Each pawn of such a move stands where it was, where it goes, nowhere (it is in the air), or at one of its `Stops`.
    While no card is laid, an own pawn must have arrived or rest on its way: before that, any move could still come
    of it.
    """
    own = options.position.played_seats()
    found: list[tuple[bool, int, Move]] = []
    for candidate in options.candidates:
        left = _left_of(candidate, options, seen)
        stops = None if left else stops_of(candidate.move, seen)
        if stops:
            left = _left_of(candidate, options, stops.lifted_from(seen))
        if left and (options.card_known or _has_begun(candidate, options, seen, own, stops)):
            found.append((stops is not None, left, candidate.move))
    # A move of which each pawn has arrived or not yet moved explains the board better than one counted halfway.
    return tuple(move for _, _, move in sorted(found, key=lambda item: item[:2]))


def captured_first(options: Options, seen: Setup) -> bool:
    """Whether nothing has changed but that pawns which the laid card takes were laid aside before its move began."""
    # While no card is laid, a pawn moved by hand is rather one moved out of turn, or the move before taken back.
    return options.card_known and any(
        _left_of(candidate, options, stops.lifted_from(seen)) > 0
        for candidate in options.candidates
        if candidate.move.captures and (stops := stops_of(candidate.move, seen, taken_first=True))
    )


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
        if not fewest <= seen.camps.get(seat, 0) <= most or seen.count(seat) > shape.pawns_per_seat:
            return 0
        done += seen.camps.get(seat, 0) != count
    if not done or any(_is_twice(part, before, seen.holes, candidate.move) for part in candidate.move.parts):
        return 0
    left = sum(seen.holes.get(hole) is not after.holes.get(hole) for hole in touched)
    return left + sum(seen.camps.get(seat, 0) != count for seat, count in after.camps.items())


def _has_begun(
    candidate: Candidate, options: Options, seen: Setup, own: Container[Seat], stops: Stops | None
) -> bool:
    """Whether a pawn of the seat to move stands where the move takes one, or in a hole that it passes."""
    arrived = any(
        seen.holes.get(hole) is seat and options.before.holes.get(hole) is not seat and seat in own
        for hole, seat in candidate.expected.holes.items()
        if hole in candidate.changed
    )
    return arrived or (stops is not None and any(part.seat in own for part in stops.counted.values()))


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
