"""What the page may show of the table as it is seen: only where it differs from the accepted position."""

from collections.abc import Mapping

from tock_companion.observation import UNSEEN, HoleReading
from tock_companion.referee.tracking.watch import Watch
from tock_companion.rules import Position, Seat, camp_holes_of


def camp_holes(watch: Watch, position: Position) -> dict[str, Seat]:
    """Return the camp holes to draw pawns in: where they are seen when the number is right, else from the first."""
    drawn: dict[str, Seat] = {}
    for seat in position.seats:
        count = position.board.camp_count(seat)
        camp = camp_holes_of(seat)
        seen = [hole for hole in camp if watch.pawn_at(hole) is seat]
        drawn.update(dict.fromkeys(seen if len(seen) == count else camp[:count], seat))
    return drawn


def differences(watch: Watch, position: Position, camps: Mapping[str, Seat]) -> dict[str, HoleReading]:
    """Return the holes that look different from the position or are hidden, with their readings."""
    expected = {**position.board.occupied(), **camps}
    found: dict[str, HoleReading] = {}
    for hole in position.shape.hole_ids():
        tracked = watch.hole(hole)
        if hole not in watch.holes:
            continue
        if tracked.occluded:
            found[hole] = UNSEEN
        elif tracked.belief.contradicts(expected.get(hole)):
            found[hole] = tracked.belief.reading()
    return found
