"""Reads the board as it seems to stand, doubtful holes as a question about them needs them."""

from tock_companion.referee.matching.candidates import Options
from tock_companion.referee.matching.fit import seen_empty
from tock_companion.referee.matching.progress import under_way
from tock_companion.referee.tracking.belief import TOLERATED_LOG_ODDS
from tock_companion.referee.tracking.estimate import estimated_setup
from tock_companion.referee.tracking.watch import FRESHLY_OCCLUDED_MS, TrackedLoose, Watch
from tock_rules import Hole, Move, Setup


def seen_under_way(options: Options, watch: Watch) -> tuple[Setup, tuple[Move, ...]]:
    """The board as it seems to stand, and the moves of which it shows a part.

    If it shows none, it is read three times more: without pawns seen only doubtfully, which may be in a hand; with
    pawns only doubtfully gone, which may still stand in their holes; and with camps as full as they were, for a source
    may lose a pawn in a camp while a player moves another one.
    """
    position = options.position
    setup = estimated_setup(watch, position)
    moves = under_way(options, setup)
    if moves:
        return setup, moves
    without = estimated_setup(watch, position, finds_doubtful=False)
    others_stand = estimated_setup(watch, position, left_log_odds=TOLERATED_LOG_ODDS)
    for seen in (without, others_stand, _with_full_camps(setup, options)):
        moves = under_way(options, seen) if seen != setup else ()
        if moves:
            return seen, moves
    return setup, ()


def _with_full_camps(setup: Setup, options: Options) -> Setup:
    """The board with no fewer pawns in each camp than before the move, as far as the seat has any left."""
    camps = dict(setup.camps)
    for seat, before in options.before.camps.items():
        missing = min(before - camps.get(seat, 0), setup.shape.pawns_per_seat - setup.count(seat))
        camps[seat] = camps.get(seat, 0) + max(0, missing)
    return Setup(setup.shape, setup.holes, camps)


def believing_empty_holes(options: Options, watch: Watch) -> Setup:
    """The board as it seems to stand, taking holes for empty even where they are only weakly seen to be."""
    setup = estimated_setup(watch, options.position)
    empty = seen_empty(watch, options.before.holes)
    holes = {hole: seat for hole, seat in setup.holes.items() if hole not in empty}
    return Setup(setup.shape, holes, setup.camps)


def without_strayed_pawns(options: Options, watch: Watch, hidden_by_ms: int) -> Setup | None:
    """The board without the pawns seen lying loose whose holes went out of sight just before.

    A pawn that leans on its neighbour hides the hole it has left; it counts only if that was hidden by `hidden_by_ms`.
    None if no pawn seems to have strayed.
    """
    board = options.position.board
    holes = dict(options.before.holes)
    for loose in watch.loose:
        left = [
            hole
            for hole, seat in holes.items()
            if seat is loose.pawn.seat and _hid(watch, hole, loose, hidden_by_ms)
        ]
        if len(left) == 1:
            del holes[left[0]]
    if len(holes) == len(options.before.holes):
        return None
    return Setup(board.shape, holes, {seat: board.camp_count(seat) for seat in board.seats})


def _hid(watch: Watch, hole: Hole, loose: TrackedLoose, hidden_by_ms: int) -> bool:
    """Whether a hole went out of sight about when a pawn came to lie loose, elsewhere, and has stayed so."""
    if hole in (loose.pawn.nearest, loose.pawn.between):
        # Seen standing in this hole at an angle, it would look loose as well.
        return False
    tracked = watch.hole(hole)
    about_then = abs(loose.since_ms - tracked.occluded_since_ms) < FRESHLY_OCCLUDED_MS
    return tracked.occluded and about_then and tracked.occluded_since_ms <= hidden_by_ms
