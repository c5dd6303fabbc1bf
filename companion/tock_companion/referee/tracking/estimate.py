"""Estimates the board, with occluded and doubtful holes filled in from the position."""

from tock_companion.observation import HoleState
from tock_companion.referee.tracking.belief import TOLERATED_LOG_ODDS, Expectation
from tock_companion.referee.tracking.watch import Watch
from tock_rules import BoardShape, Hole, Position, Seat, Setup

DOUBTFUL_LOG_ODDS = 2.0
"""Below this a reading that contradicts the position is no more than a doubt."""

BRIEFLY_MS = 500
"""Time within which a hole that went out of sight keeps its state: too short to put a pawn there."""
SHORT_DOUBT_MS = 1500
"""Time for which a firm reading still counts after readings have become weak."""


def estimated_setup(
    watch: Watch,
    position: Position,
    *,
    finds_doubtful: bool = True,
    left_log_odds: float = DOUBTFUL_LOG_ODDS,
) -> Setup:
    """The board as it seems to stand, perhaps an impossible one.

    Occluded and doubtful holes are as in the position, except those last seen empty whose seat would otherwise have too
    many pawns. A pawn seen doubtfully in an unexpected hole counts if its seat is otherwise one short, unless
    `finds_doubtful` is false: then it is in the air. Below `left_log_odds` an empty reading does not remove a pawn.
    """
    expected = Expectation.of(position.board, position.seats)
    holes = dict(expected.holes)
    doubtful: dict[Hole, Seat] = {}
    filled = watch.tracker.filled() if watch.tracker is not None else ()
    for hole in {*_contradicting(watch, position, expected), *filled}:
        tracked, should_be = watch.hole(hole), expected.holes.get(hole)
        is_hidden = _is_hidden(watch, hole)
        seat = should_be if is_hidden else watch.pawn_at(hole)
        if not is_hidden and tracked.belief.state is HoleState.PAWN and seat is None:
            seat = should_be
        if _is_doubtful(watch, hole, should_be, left_log_odds):
            if seat is not None and should_be is None:
                doubtful[hole] = seat
            seat = should_be
        if seat is not None:
            holes[hole] = seat
        else:
            holes.pop(hole, None)
    camps = {seat: _camp_count(watch, position.shape, seat, expected.camps[seat]) for seat in position.seats}
    setup = Setup(position.shape, holes, camps)
    for hole, seat in doubtful.items():
        # One that is seen beside the hole does not stand in it.
        lies_beside = any(
            one.pawn.seat is seat and hole in (one.pawn.nearest, one.pawn.between) for one in watch.loose
        )
        if finds_doubtful and not lies_beside and setup.count(seat) < setup.shape.pawns_per_seat:
            setup = Setup(position.shape, {**setup.holes, hole: seat}, camps)
    return _without_those_that_left(_without_one_too_many(setup, watch, expected), watch)


def _contradicting(watch: Watch, position: Position, expected: Expectation) -> list[Hole]:
    """The holes that show something else than expected, or did a moment ago."""
    return [
        hole
        for hole in position.shape.cells_by_hole
        if not _is_hidden(watch, hole) and watch.hole(hole).belief.contradicts(expected.holes.get(hole))
    ]


def _is_hidden(watch: Watch, hole: Hole) -> bool:
    """Whether a hole has been out of sight for more than a moment."""
    tracked = watch.hole(hole)
    return tracked.occluded and watch.t_ms - tracked.occluded_since_ms >= BRIEFLY_MS


def _without_one_too_many(setup: Setup, watch: Watch, expected: Expectation) -> Setup:
    """Disbelieve a pawn weakly seen in an unexpected hole while all its seat's others are in sight."""
    holes = dict(setup.holes)
    for hole, seat in setup.holes.items():
        tracked, should_be = watch.hole(hole), expected.holes.get(hole)
        if should_be is seat or tracked.occluded or tracked.belief.log_odds >= TOLERATED_LOG_ODDS:
            continue
        if _in_sight(watch, seat, setup) > setup.shape.pawns_per_seat:
            holes.pop(hole)
            if should_be is not None:
                holes[hole] = should_be
    return Setup(setup.shape, holes, setup.camps) if holes != setup.holes else setup


def _in_sight(watch: Watch, seat: Seat, setup: Setup) -> int:
    """Number of pawns of a seat that can be seen, in the holes of a board and in its camp."""
    in_holes = (hole for hole, pawn in setup.holes.items() if pawn is seat)
    places = [*setup.shape.camp_holes(seat), *in_holes]
    return sum(not watch.hole(hole).occluded and watch.pawn_at(hole) is seat for hole in places)


def _without_those_that_left(setup: Setup, watch: Watch) -> Setup:
    """Take pawns too many out of holes that were last seen to be empty."""
    most = setup.shape.pawns_per_seat
    crowded = {seat for seat in setup.camps if setup.count(seat) > most}
    if not crowded:
        return setup
    holes = dict(setup.holes)
    for hole, seat in setup.holes.items():
        left = watch.hole(hole).belief.state is HoleState.EMPTY
        if left and seat in crowded and Setup(setup.shape, holes, setup.camps).count(seat) > most:
            del holes[hole]
    return Setup(setup.shape, holes, setup.camps)


def seats_short_of_pawns(setup: Setup, position: Position) -> tuple[Seat, ...]:
    """The seats some of whose pawns are not on the table."""
    return tuple(seat for seat in position.seats if setup.count(seat) < setup.shape.pawns_per_seat)


def _is_doubtful(watch: Watch, hole: Hole, should_be: Seat | None, left_log_odds: float) -> bool:
    tracked = watch.hole(hole)
    if _is_hidden(watch, hole) or not tracked.belief.contradicts(should_be):
        return False
    if tracked.belief.log_odds >= (DOUBTFUL_LOG_ODDS if should_be is None else left_log_odds):
        return False
    # A frame or two do not put a firm reading in doubt.
    was_firm = tracked.weak_since_ms is not None and tracked.weak_since_ms > tracked.since_ms
    return not was_firm or watch.t_ms - (tracked.weak_since_ms or 0) >= SHORT_DOUBT_MS


def _camp_count(watch: Watch, shape: BoardShape, seat: Seat, expected: int) -> int:
    """The number of pawns in a camp: as many as expected, if the visible holes allow that."""
    visible = uncertain = 0
    for hole in shape.camp_holes(seat):
        tracked = watch.hole(hole)
        if tracked.occluded or tracked.belief.log_odds < DOUBTFUL_LOG_ODDS:
            uncertain += 1
        else:
            visible += tracked.belief.state is HoleState.PAWN and watch.pawn_at(hole) in (seat, None)
    return min(max(visible, expected), visible + uncertain)
