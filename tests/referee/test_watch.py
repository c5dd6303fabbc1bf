"""The belief about a hole over many frames."""

from tests.support.boards import pawns
from tests.support.observations import observed
from tock_companion.observation import HoleReading, HoleState
from tock_companion.referee.tracking.belief import TOLERATED_LOG_ODDS
from tock_companion.referee.tracking.watch import Watch
from tock_rules import Hole, Seat

BEFORE, AFTER = pawns("P0 T20"), pawns("P0 T29")


def test_a_doubtful_frame_among_firm_ones_changes_nothing() -> None:
    ghost = {"T50": HoleReading(HoleState.PAWN, Seat.P3, 0.7)}
    watch = Watch().update(observed(BEFORE, 0)).update(observed(BEFORE, 100, misread=ghost))
    assert watch.hole(Hole.parse("T50")).belief.state is HoleState.EMPTY
    assert watch.hole(Hole.parse("T50")).since_ms == 0


def test_a_doubt_that_lasts_wins_and_dates_from_its_first_frame() -> None:
    moved = {"T50": HoleReading(HoleState.PAWN, Seat.P3, 0.8)}
    watch = Watch().update(observed(BEFORE, 0))
    for t_ms in range(100, 700, 100):
        watch = watch.update(observed(BEFORE, t_ms, misread=moved))
    assert watch.hole(Hole.parse("T50")).belief.seat is Seat.P3
    assert watch.hole(Hole.parse("T50")).since_ms == 100


def test_an_occluded_hole_keeps_its_belief_and_says_nothing() -> None:
    watch = Watch().update(observed(BEFORE, 0)).update(observed(AFTER, 100, occluded=["T20"]))
    assert watch.hole(Hole.parse("T20")).belief.seat is Seat.P0
    assert watch.contradicting([Hole.parse("T20"), Hole.parse("T29")], {}) == [Hole.parse("T29")]


def test_only_what_was_occluded_lately_may_hide_a_change() -> None:
    watch = Watch()
    for t_ms in range(0, 10_000, 500):
        hand = ["T40", "T41", "T42"] if t_ms >= 9000 else []
        watch = watch.update(observed(BEFORE, t_ms, occluded=["T60", *hand]))
    assert watch.occluded_since(9000) == {"T40", "T41", "T42"}
    assert watch.under_hand


def test_a_lift_by_somebody_who_is_not_to_move_is_seen_as_occluded() -> None:
    both = pawns("P0 T20, P1 T40")
    moved, lifted = pawns("P0 T29, P1 T40"), {**pawns("P0 T29"), "P1": ["camp"] * 3}
    watch = Watch()
    for t_ms, board in ((0, both), (1000, moved), (2000, lifted)):
        watch = watch.update(observed(board, t_ms))
    assert watch.without_lifts_by_others([Seat.P0]).hole(Hole.parse("T40")).occluded
    assert watch.without_lifts_by_others([Seat.P1]) is watch


def test_a_weak_first_reading_gives_way_to_the_firmer_ones_after_it() -> None:
    watch = Watch()
    for t_ms, confidence in ((0, 0.95), (100, 0.97), (200, 0.97), (300, 0.97)):
        seen = {"T50": HoleReading(HoleState.EMPTY, None, confidence)}
        watch = watch.update(observed(BEFORE, t_ms, misread=seen))
    assert watch.hole(Hole.parse("T50")).belief.log_odds > TOLERATED_LOG_ODDS
