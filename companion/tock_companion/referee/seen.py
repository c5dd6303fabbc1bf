"""What seems to be on the table, hidden holes taken as they should be, and which pawns are short."""

from tock_companion.observation import HoleState
from tock_companion.referee.belief import Expectation
from tock_companion.referee.watch import Watch
from tock_companion.rules.board import Setup
from tock_companion.rules.geometry import PAWNS_PER_SEAT, Seat, camp_holes_of
from tock_companion.rules.position import Position


def seen_setup(watch: Watch, position: Position) -> Setup:
    """Return the table as it seems to stand: a hidden hole is taken to be as in the position."""
    expected = Expectation.of(position.board, position.seats)
    holes: dict[str, Seat] = {}
    for hole in position.shape.hole_ids():
        if "-C" in hole:
            continue
        sight = watch.sight(hole)
        seat = expected.holes.get(hole) if sight.hidden else watch.pawn_at(hole)
        if not sight.hidden and sight.reading.state is HoleState.PAWN and sight.reading.seat is None:
            seat = expected.holes.get(hole)
        if seat is not None:
            holes[hole] = seat
    camps = {seat: _camp_count(watch, seat, expected.camps[seat]) for seat in position.seats}
    return Setup(position.shape, holes, camps)


def pawns_short(setup: Setup, position: Position) -> tuple[Seat, ...]:
    """Return the seats of which fewer than four pawns seem to be on the table."""
    return tuple(seat for seat in position.seats if setup.count(seat) < PAWNS_PER_SEAT)


def _camp_count(watch: Watch, seat: Seat, expected: int) -> int:
    sights = [watch.sight(hole) for hole in camp_holes_of(seat)]
    visible = sum(
        not sight.hidden and sight.reading.state is HoleState.PAWN and sight.reading.seat in (seat, None)
        for sight in sights
    )
    hidden = sum(sight.hidden for sight in sights)
    return min(max(visible, expected), visible + hidden)
