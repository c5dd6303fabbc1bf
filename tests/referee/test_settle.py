"""The moment at which the referee speaks: the clock is that of the observations, so nothing here waits."""

from collections.abc import Iterable

import pytest

from tests.support.boards import Pawns, pawns
from tests.support.observations import observed
from tock_companion.observation import HoleReading, HoleState
from tock_companion.referee.decision import (
    Accepted,
    Ambiguous,
    Missing,
    Rejected,
    Unchanged,
    Unfinished,
    Waiting,
)
from tock_companion.referee.matching.candidates import Options, one_of_each_kind
from tock_companion.referee.matching.settle import Timing, decide
from tock_companion.referee.tracking.watch import Watch
from tock_rules import Board, Card, Hole, Position, Ruleset, Seat, load_preset, shape_for

TIMING = Timing()
RULES = load_preset("mjc")
TEAMS = ((Seat.P0, Seat.P2), (Seat.P1, Seat.P3))


def position(board: Pawns, to_move: Seat = Seat.P0, rules: Ruleset = RULES) -> Position:
    return Position.of(rules, Board.from_pawns(shape_for(rules, 4), board), to_move, TEAMS)


def options(board: Pawns, card: str | None) -> Options:
    start = position(board)
    cards = one_of_each_kind(start) if card is None else (Card.parse(card),)
    return Options(start, cards, card_known=card is not None)


def watch(*frames: tuple[int, Pawns], occluded: Iterable[str] = ()) -> Watch:
    seen = Watch()
    for t_ms, board in frames:
        seen = seen.update(observed(board, t_ms, occluded=occluded))
    return seen


BEFORE = pawns("P0 T20, P1 T26")


def test_nothing_moved_is_unchanged() -> None:
    assert decide(options(BEFORE, "6H"), watch((0, BEFORE)), 0, TIMING) == Unchanged()


def test_a_legal_move_is_accepted_once_it_is_still() -> None:
    after = pawns("P0 T29, P1 T26")
    choice = options(BEFORE, "9H")
    seen = watch((0, BEFORE), (1000, after))
    assert decide(choice, seen, 1000, TIMING) == Waiting(
        (Hole.parse("T20"), Hole.parse("T29")), 1000 + TIMING.settle_ms
    )
    decision = decide(choice, seen, 1000 + TIMING.settle_ms, TIMING)
    assert isinstance(decision, Accepted)
    assert decision.move.text == "P0:T20>T29"
    assert decision.confidence > 0.99


def test_a_capture_needs_the_taken_pawn_in_its_camp() -> None:
    choice = options(BEFORE, "6H")
    in_hand = {**pawns("P0 T26"), "P1": ["camp", "camp", "camp"]}
    assert isinstance(decide(choice, watch((0, BEFORE), (1000, in_hand)), 2000, TIMING), Waiting)
    home = pawns("P0 T26")
    decision = decide(choice, watch((0, BEFORE), (1000, in_hand), (2000, home)), 2300, TIMING)
    assert isinstance(decision, Accepted)
    assert decision.move.text == "P0:T20>T26"


def test_a_capture_counted_aloud_is_accepted_when_the_taken_pawn_is_home() -> None:
    """The example in the docstring of `settle`."""
    in_hand = {**pawns("P1 T26"), "P0": ["camp", "camp", "camp"]}
    taken_in_hand = {**pawns("P0 T26"), "P1": ["camp", "camp", "camp"]}
    stops: list[tuple[int, Pawns, int]] = [
        (1000, in_hand, 2800),
        (1600, pawns("P0 T23, P1 T26"), 2800),
        (1800, in_hand, 3600),
        (2600, taken_in_hand, 4400),
    ]
    choice, seen = options(BEFORE, "6H"), watch((0, BEFORE))
    assert decide(choice, seen, 0, TIMING) == Unchanged()
    for t_ms, board, until_ms in stops:
        seen = seen.update(observed(board, t_ms))
        decision = decide(choice, seen, t_ms, TIMING)
        assert isinstance(decision, Waiting)
        assert decision.until_ms == until_ms
    decision = decide(choice, seen.update(observed(pawns("P0 T26"), 3400)), 3400, TIMING)
    assert isinstance(decision, Accepted)
    assert decision.still_since_ms == 2600


def test_a_stop_on_the_way_is_no_move() -> None:
    stop = pawns("P0 T23, P1 T26")
    choice = options(BEFORE, "9H")
    seen = watch((0, BEFORE), (1000, stop))
    assert decide(choice, seen, 1500, TIMING) == Waiting(
        (Hole.parse("T20"), Hole.parse("T23")), 1000 + TIMING.unfinished_ms
    )


def test_a_wrong_board_is_rejected_within_a_second_and_a_half() -> None:
    wrong = pawns("P0 T30, P1 T26")
    decision = decide(
        options(BEFORE, "9H"), watch((0, BEFORE), (1000, wrong)), 1000 + TIMING.reject_ms, TIMING
    )
    assert isinstance(decision, Rejected)
    assert set(decision.differing) == {"T20", "T30"}
    assert TIMING.reject_ms < 1500


def test_a_captured_pawn_laid_aside_first_gets_more_time_than_a_wrong_board() -> None:
    seen = watch((0, BEFORE), (1000, pawns("P0 T20, P1 T40")))
    assert isinstance(decide(options(BEFORE, "6H"), seen, 3500, TIMING), Waiting)
    assert isinstance(decide(options(BEFORE, "6H"), seen, 1000 + TIMING.taken_first_ms, TIMING), Rejected)
    assert isinstance(decide(options(BEFORE, "9H"), seen, 1000 + TIMING.reject_ms, TIMING), Rejected)


def test_a_jack_that_walks_may_be_half_of_an_exchange_with_its_pawn_parked() -> None:
    board = pawns("P0 T20, P1 T60")
    jack = Options(position(board, rules=load_preset("gladius")), (Card.parse("JH"),), card_known=True)
    seen = watch((0, board), (1000, pawns("P0 T31, P1 T60")))
    assert isinstance(decide(jack, seen, 3400, TIMING), Waiting)
    assert isinstance(decide(jack, seen, 1000 + TIMING.partial_ms, TIMING), Accepted)


def test_a_pawn_that_counts_on_is_not_believed_to_have_arrived_while_it_is_weakly_seen() -> None:
    there, doubtful = (HoleReading(HoleState.PAWN, Seat.P0, confidence) for confidence in (0.6, 0.55))
    counting, board = pawns("P0 T25, P1 T60"), pawns("P0 T20, P1 T60")
    seen = Watch().update(observed(board, 0, misread={"T26": there}))
    for t_ms in range(1000, 3000, 100):
        seen = seen.update(observed(counting, t_ms, misread={"T26": there}))
    for t_ms in range(3000, 3300, 100):
        seen = seen.update(observed(counting, t_ms, misread={"T26": there, "T25": doubtful}))
        assert not isinstance(decide(options(board, "6H"), seen, t_ms, TIMING), Accepted)
    seen = seen.update(observed(counting, 3300, misread={"T26": there}, occluded=["T25"]))
    assert not isinstance(decide(options(board, "6H"), seen, 3300, TIMING), Accepted)


def test_holes_that_had_changed_are_not_judged_while_a_hand_covers_them() -> None:
    board = pawns("P0 T20, P1 T24, P2 T50")
    parked = {**pawns("P1 T24, P2 T50"), "P0": ["camp"] * 3}
    foreign = {"P2-C4": HoleReading(HoleState.PAWN, Seat.P0, 0.98)}
    seen = Watch().update(observed(board, 0)).update(observed(parked, 1000, misread=foreign))
    for t_ms in range(4000, 5500, 100):
        seen = seen.update(observed(parked, t_ms, occluded=["T20", "T24"], misread=foreign))
        assert isinstance(decide(options(board, "JH"), seen, t_ms, TIMING), Waiting | Unfinished)


def test_a_summit_may_be_a_stop_before_the_jump() -> None:
    board = pawns("P0 T4, P1 T50")
    choice = options(board, "3H")
    on_summit = watch((0, board), (1000, pawns("P0 T7, P1 T50")))
    # A slow player rests there for up to 2.5 s, as in any hole that a pawn passes.
    for still_ms in (TIMING.settle_ms, 1900, TIMING.partial_ms - 100):
        assert isinstance(decide(choice, on_summit, 1000 + still_ms, TIMING), Waiting)
    decision = decide(choice, on_summit, 1000 + TIMING.partial_ms, TIMING)
    assert isinstance(decision, Accepted)
    assert decision.move.text == "P0:T4>T7"
    jumped = watch((0, board), (1000, pawns("P0 T25, P1 T50")))
    decision = decide(choice, jumped, 1000 + TIMING.settle_ms, TIMING)
    assert isinstance(decision, Accepted)
    assert decision.move.text == "P0:T4>T7>T25"


def test_an_occluded_hole_that_matters_makes_the_referee_wait() -> None:
    after = pawns("P0 T29, P1 T26")
    seen = watch((0, BEFORE), (1000, after)).update(observed(after, 5000, occluded=["T20"]))
    assert decide(options(BEFORE, "9H"), seen, 5000, TIMING) == Waiting(
        (Hole.parse("T20"),), 5000 + TIMING.hidden_ms
    )


def test_occluded_holes_that_do_not_matter_are_no_obstacle() -> None:
    after = pawns("P0 T29, P1 T26")
    far_away = [f"T{number}" for number in range(40, 60)]
    seen = watch((0, BEFORE)).update(observed(after, 1000, occluded=far_away))
    assert isinstance(decide(options(BEFORE, "9H"), seen, 1300, TIMING), Accepted)


def test_half_of_a_seven_is_waited_for_longer() -> None:
    board = pawns("P0 T20 T40")
    half = pawns("P0 T23 T40")
    choice = options(board, "7H")
    seen = watch((0, board), (1000, half))
    assert isinstance(decide(choice, seen, 1000 + TIMING.reject_ms, TIMING), Waiting)
    assert isinstance(decide(choice, seen, 1000 + TIMING.partial_ms, TIMING), Unfinished)
    finished = seen.update(observed(pawns("P0 T23 T44"), 3000))
    decision = decide(choice, finished, 3300, TIMING)
    assert isinstance(decision, Accepted)


@pytest.mark.parametrize(
    ("before", "card", "after"),
    [
        # The ace could also have brought the pawn of T71 onto T0, the seven the one of T60 onto T61: both still stand.
        (pawns("P0 T71"), "AD", pawns("P0 T71 T0")),
        (pawns("P0 T36 T60"), "7D", pawns("P0 T60 T61")),
    ],
)
def test_a_move_is_not_taken_for_half_of_one_whose_pawn_still_stands(
    before: Pawns, card: str, after: Pawns
) -> None:
    seen = watch((0, before), (1000, after))
    decision = decide(options(before, card), seen, 1000 + TIMING.settle_ms, TIMING)
    assert isinstance(decision, Accepted)


def test_a_pawn_that_stays_away_is_missing_within_two_seconds() -> None:
    gone = {**BEFORE, "P1": ["camp", "camp", "camp"]}
    seen = watch((0, BEFORE), (1000, gone))
    decision = decide(options(BEFORE, "9H"), seen, 1000 + TIMING.missing_ms, TIMING)
    assert isinstance(decision, Missing)
    assert decision.seats == (Seat.P1,)
    assert TIMING.missing_ms < 2000


def test_without_a_card_every_card_that_explains_the_board_is_asked_for() -> None:
    after = pawns("P0 T29, P1 T26")
    decision = decide(
        options(BEFORE, None), watch((0, BEFORE), (1000, after)), 1000 + TIMING.extend_ms, TIMING
    )
    assert isinstance(decision, Ambiguous)
    assert {str(card)[:-1] for card, _ in decision.choices} == {"9"}


def test_a_swap_is_seen_by_colour() -> None:
    swapped = pawns("P0 T26, P1 T20")
    decision = decide(options(BEFORE, "JH"), watch((0, BEFORE), (1000, swapped)), 1300, TIMING)
    assert isinstance(decision, Accepted)
    assert decision.move.text == "P0:T20<>P1:T26"


@pytest.mark.parametrize("confidence", [0.5, 0.7])
def test_an_unsure_misreading_of_one_hole_changes_nothing(confidence: float) -> None:
    ghost = {"T50": HoleReading(HoleState.PAWN, Seat.P3, confidence)}
    after = pawns("P0 T29, P1 T26")
    seen = watch((0, BEFORE)).update(observed(after, 1000, misread=ghost))
    assert isinstance(decide(options(BEFORE, "9H"), seen, 1300, TIMING), Accepted)


@pytest.mark.parametrize(
    ("first", "text"), [("T23 T40", "P0:T20>T23 + P0:T40>T44"), ("T20 T44", "P0:T40>T44 + P0:T20>T23")]
)
def test_the_parts_of_a_seven_are_recorded_in_the_order_in_which_they_were_played(
    first: str, text: str
) -> None:
    board = pawns("P0 T20 T40")
    seen = watch((0, board), (1000, pawns(f"P0 {first}")), (2000, pawns("P0 T23 T44")))
    decision = decide(options(board, "7H"), seen, 2300, TIMING)
    assert isinstance(decision, Accepted)
    assert decision.move.text == text


def test_a_colour_misread_in_a_camp_all_the_time_hides_no_move() -> None:
    before, after = pawns("P0 T20, P2 T40"), pawns("P0 T29, P2 T40")
    wrong = {"P2-C3": HoleReading(HoleState.PAWN, Seat.P3, 0.9)}
    seen = Watch()
    for t_ms in range(0, 1000, 100):
        seen = seen.update(observed(before if t_ms < 500 else after, t_ms, misread=wrong))
    assert isinstance(decide(options(before, "9H"), seen, 1000, TIMING), Accepted)


def test_one_doubtful_frame_does_not_put_a_pawn_where_none_is_seen() -> None:
    before = pawns("P0 T20, P1 T26")
    lifted = {**pawns("P1 T26"), "P0": ["camp", "camp", "camp"]}
    doubt = {"T29": HoleReading(HoleState.EMPTY, None, 0.52)}
    seen = watch((0, before), *((t_ms, lifted) for t_ms in range(1000, 3000, 100)))
    for t_ms in (3000, 3100):
        seen = seen.update(observed(lifted, t_ms, misread=doubt))
        assert not isinstance(decide(options(before, "9H"), seen, t_ms, TIMING), Accepted)


def test_a_lift_that_is_a_part_of_the_move_is_not_the_next_players() -> None:
    before = pawns("P0 T40, P1 T20")
    rules = load_preset("mjc").with_options({"five": "opponent"})
    start = Position.of(rules, Board.from_pawns(shape_for(rules, 4), before), Seat.P0, TEAMS)
    choice = Options(start, (Card.parse("5H"),), card_known=True)
    lifted = {**pawns("P0 T40"), "P1": ["camp", "camp", "camp"]}
    seen = watch((0, before), *((t_ms, lifted) for t_ms in range(1000, 6000, 100)))
    assert isinstance(decide(choice, seen, 6000, TIMING), Unfinished)
