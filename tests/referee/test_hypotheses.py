"""Tracking of pawns by lifts and puts alone."""

from tock_companion.observation import Edge, HoleState
from tock_companion.referee.tracking.belief import Expectation
from tock_companion.referee.tracking.hypotheses import BOUNCE_MS, STRANGER_COST, HypothesisTracker
from tock_rules import Hole, Seat

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


def test_a_pawn_that_comes_where_one_stood_undetected_drives_it_out() -> None:
    tracker = felt("-T10", "+T30", "+T10")
    assert tracker.exchanged(frozenset({Hole.parse("T10"), Hole.parse("T30")}))
    assert tracker.cost(board(T10=Seat.P1, T30=Seat.P0)) < STRANGER_COST


def test_a_pawn_that_was_lifted_before_may_change_places_all_the_same() -> None:
    tracker = felt("-T10", "+T10", "-T10", "-T30", "+T10", "+T30")
    assert tracker.exchanged(frozenset({Hole.parse("T10"), Hole.parse("T30")}))
