"""Beliefs about each hole and switch, and about which pawn was lifted and where it was put."""

from tests.support.boards import pawns
from tests.support.observations import observed
from tock_companion.observation import Edge, HoleReading, HoleState
from tock_companion.referee.tracking.belief import TOLERATED_LOG_ODDS, Expectation
from tock_companion.referee.tracking.hypotheses import BOUNCE_MS, STRANGER_COST, HypothesisTracker
from tock_companion.referee.tracking.trust import FLUTTER_MS, Trials, Trust
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


BASE = Expectation(
    {Hole.parse("T10"): Seat.P0, Hole.parse("T30"): Seat.P1}, dict.fromkeys((Seat.P0, Seat.P1), 3)
)


def felt(*edges: str, step_ms: int = 300) -> HypothesisTracker:
    """Feel `-T10` as a lift and `+T11` as a put, one after the other."""
    tracker = HypothesisTracker(BASE)
    for number, edge in enumerate(edges):
        state = HoleState.EMPTY if edge[0] == "-" else HoleState.PAWN
        tracker = tracker.update(Edge(number * step_ms, Hole.parse(edge.lstrip("+-")), state))
    return tracker


def board(**holes: Seat) -> Expectation:
    return Expectation({Hole.parse(hole): seat for hole, seat in holes.items()}, BASE.camps)


def test_a_pawn_keeps_its_colour_over_every_hole_it_taps() -> None:
    assert felt("-T10", "+T11", "-T11", "+T12").seat_in(Hole.parse("T12")) is Seat.P0


def test_the_pawn_put_back_is_the_one_that_came_from_there() -> None:
    tracker = felt("-T10", "-T30", "+T30", "+T12")
    assert (tracker.seat_in(Hole.parse("T30")), tracker.seat_in(Hole.parse("T12"))) == (Seat.P1, Seat.P0)


def test_two_pawns_in_the_air_at_once_may_have_changed_places() -> None:
    tracker = felt("-T10", "-T30", "+T10", "+T30")
    assert tracker.exchanged(frozenset({Hole.parse("T10"), Hole.parse("T30")}))
    assert tracker.cost(board(T10=Seat.P1, T30=Seat.P0)) < STRANGER_COST


def test_pawns_lifted_one_after_the_other_have_not_changed_places() -> None:
    tracker = felt("-T10", "+T10", "-T30", "+T30")
    assert not tracker.exchanged(frozenset({Hole.parse("T10"), Hole.parse("T30")}))
    assert tracker.cost(board(T10=Seat.P1, T30=Seat.P0)) >= STRANGER_COST


def test_a_pawn_never_lifted_is_still_who_it_was() -> None:
    tracker = felt("-T10", "+T10")
    assert tracker.cost(board(T10=Seat.P0, T30=Seat.P0)) >= STRANGER_COST


def test_a_taken_pawn_goes_to_the_camp_of_its_colour() -> None:
    tracker = felt("-T30", "-T10", "+P1-C4", "+T30")
    assert (tracker.seat_in(Hole.parse("P1-C4")), tracker.seat_in(Hole.parse("T30"))) == (Seat.P1, Seat.P0)


def test_a_bounce_of_the_contact_is_no_lift() -> None:
    assert felt("-T10", "+T11", "-T11", "+T11", step_ms=BOUNCE_MS // 2).seat_in(Hole.parse("T11")) is Seat.P0
    assert len(felt("-T10", "+T10", step_ms=BOUNCE_MS // 2).edges) == 0


def test_a_hole_filled_from_nowhere_is_unexplained() -> None:
    tracker = felt("+T50")
    assert tracker.unexplained(Hole.parse("T50"))
    assert tracker.seat_in(Hole.parse("T50")) is None


def test_a_switch_that_sticks_in_one_turn_is_unexplained_in_the_next() -> None:
    assert felt("-T10").unexplained(Hole.parse("T50"))
    assert not felt("-T10", "+T50").unexplained(Hole.parse("T50"))


def test_a_pawn_that_comes_where_one_stood_undetected_drives_it_out() -> None:
    tracker = felt("-T10", "+T30", "+T10")
    assert tracker.exchanged(frozenset({Hole.parse("T10"), Hole.parse("T30")}))
    assert tracker.cost(board(T10=Seat.P1, T30=Seat.P0)) < STRANGER_COST


def test_a_pawn_that_was_lifted_before_may_change_places_all_the_same() -> None:
    tracker = felt("-T10", "+T10", "-T10", "-T30", "+T10", "+T30")
    assert tracker.exchanged(frozenset({Hole.parse("T10"), Hole.parse("T30")}))


def test_a_switch_that_misses_pawns_is_believed_less_when_it_says_empty() -> None:
    good, bad = Trials(), Trials()
    for number in range(20):
        good = good.update(HoleState.PAWN, has_pawn=True)
        bad = bad.update(HoleState.EMPTY if number % 2 else HoleState.PAWN, has_pawn=True)
    assert bad.belief(HoleState.EMPTY).log_odds < 1 < good.belief(HoleState.EMPTY).log_odds
    assert bad.belief(HoleState.PAWN) == good.belief(HoleState.PAWN)


def test_a_switch_that_sticks_is_believed_less_when_it_says_pawn() -> None:
    trust = Trust()
    for _ in range(10):
        trust = trust.update(
            [(Hole.parse("T5"), HoleState.PAWN, False), (Hole.parse("T6"), HoleState.EMPTY, False)]
        )
    assert trust.of(Hole.parse("T5")).belief(HoleState.PAWN).log_odds == 0
    assert trust.of(Hole.parse("T6")).belief(HoleState.PAWN).log_odds > 5


def test_a_switch_that_bounces_all_the_time_is_given_longer_to_come_to_rest() -> None:
    trust = Trust()
    for number in range(30):
        trust = trust.with_edge(Hole.parse("T5"), bounced=number % 3 == 1).with_edge(
            Hole.parse("T6"), bounced=number == 9
        )
    assert (trust.of(Hole.parse("T5")).bounce_ms, trust.of(Hole.parse("T6")).bounce_ms) == (
        FLUTTER_MS,
        BOUNCE_MS,
    )
