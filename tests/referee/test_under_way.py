"""A move is under way however long each pawn rests, and two turns may be on the board at once."""

import pytest

from tests.support.boards import pawns, position
from tests.support.observations import Reeds, observed
from tests.support.rule_lines import rule_lines
from tock_companion.referee.decision import Accepted, Ambiguous, Decision, Missing, Rejected, Unfinished
from tock_companion.referee.diagnosis.remaining import remaining
from tock_companion.referee.matching.candidates import Options, one_of_each_kind
from tock_companion.referee.matching.settle import Timing, decide
from tock_companion.referee.matching.two_turns import first_of_two
from tock_companion.referee.tracking.belief import Expectation
from tock_companion.referee.tracking.fusion import SensorFusion
from tock_companion.referee.tracking.watch import Watch
from tock_rules import Card, Position

CASES = rule_lines("under-way.txt")
RESTS_MS = 60_000


@pytest.mark.parametrize(("ruleset", "card", "before", "now", "left"), CASES)
def test_the_rest_of_a_move_under_way_is_named_and_wrong_boards_stay_wrong(
    ruleset: str, card: str, before: str, now: str, left: str
) -> None:
    here = position(ruleset, before)
    options = Options(here, (Card.parse(card),), card_known=True)
    decision = decide(options, Watch().update(observed(pawns(now), 0)), RESTS_MS, Timing())
    if left == "wrong":
        assert isinstance(decision, Rejected)
        return
    assert isinstance(decision, Unfinished)
    left_to_do = remaining(here, decision)
    if left.isdigit():
        code = "unfinished/seven" if card == "7H" else "unfinished/count"
        assert (left_to_do.code, left_to_do.holes) == (code, int(left))
    else:
        assert left in left_to_do.places


def decided_without_a_pawn_of_p1(before: str, now: str) -> tuple[Position, Decision]:
    """The decision where a source has lost a pawn in P1's camp."""
    here, seen = position("mjc", before), pawns(now)
    seen["P1"] = seen["P1"][1:]
    options = Options(here, (Card.parse("7H"),), card_known=True)
    return here, decide(options, Watch().update(observed(seen, 0)), RESTS_MS, Timing())


def test_a_pawn_that_a_source_loses_in_a_camp_does_not_interrupt_a_seven() -> None:
    here, decision = decided_without_a_pawn_of_p1("P0 T20", "P0 T23")
    assert isinstance(decision, Unfinished)
    assert remaining(here, decision).holes == 4


def test_it_is_missing_once_nothing_else_has_changed() -> None:
    _, decision = decided_without_a_pawn_of_p1("P0 T20", "P0 T20")
    assert isinstance(decision, Missing)


BEFORE, AFTER_BOTH = "P0 T20, P1 T40", "P0 T29, P1 T48"


def recovered(
    after: str, *, card: str | None = "9H", confidence: float = 0.98
) -> Accepted | Ambiguous | None:
    """The first of two turns when a camera that is as sure as this shows `after`."""
    start = position("mjc", BEFORE)
    cards = one_of_each_kind(start) if card is None else (Card.parse(card),)
    seen = Watch()
    for t_ms, board in ((0, BEFORE), (1000, after)):
        seen = seen.update(observed(pawns(board), t_ms, confidence=confidence))
    return first_of_two(Options(start, cards, card_known=card is not None), seen)


def test_the_laid_card_and_any_card_of_the_next_seat_explain_the_board() -> None:
    found = recovered(AFTER_BOTH)
    assert isinstance(found, Accepted)
    assert (found.move.text, found.still_since_ms) == ("P0:T20>T29", 1000)


def test_without_a_card_the_cards_that_make_the_first_move_are_asked_for() -> None:
    found = recovered(AFTER_BOTH, card=None)
    assert isinstance(found, Ambiguous)
    assert {str(card)[:-1] for card, _ in found.choices} == {"9"}


def test_a_board_that_no_two_moves_explain_recovers_nothing() -> None:
    assert recovered("P0 T30, P1 T48") is None


@pytest.mark.parametrize("confidence", [0.9, 0.98])
def test_a_recovered_turn_is_as_certain_as_what_is_seen(confidence: float) -> None:
    found = recovered(AFTER_BOTH, confidence=confidence)
    assert isinstance(found, Accepted)
    # Two holes contradict the next best explanation, one of the two moves alone, and four that nothing was moved.
    misread = (1 - confidence) / confidence
    assert found.confidence == pytest.approx(1 / (1 + misread**2 + misread**4), abs=1e-4)


@pytest.mark.parametrize(
    ("ruleset", "card", "before", "after", "edges"),
    [
        # A King has passed P1's pawn, which is still to be taken: P1 has not brought another one out.
        ("parteu", "KH", "P0 T10, P1 T18", "P0 T23, P1 T18", ("-T10", "+T23")),
        # P1's pawn comes to T20, and P0's waits in its camp: P1 has not walked on to T63.
        ("mjc", "JH", "P0 T20, P1 T60 T63", "P1 T20 T63", ("-T20", "+P0-C4", "-T60", "+T20")),
        # P0 takes its own pawn on T14 and counts on to it: the other one has not taken T20, nor has P1 pushed one by 5.
        ("diagonale", "6H", "P0 T8 T14 T20", "P0 T13 T20", ("-T14", "+P0-C2", "-T8", "+T13")),
    ],
)
@pytest.mark.parametrize("source", ["camera", "reed"])
def test_a_pawn_that_was_never_touched_was_not_replaced_in_a_second_turn(
    source: str, ruleset: str, card: str, before: str, after: str, edges: tuple[str, ...]
) -> None:
    start, reeds = position(ruleset, before), Reeds(pawns(before))
    fusion = SensorFusion(Expectation.of(start.board, start.seats))
    films = {
        "camera": [observed(pawns(before), 0), observed(pawns(after), 1000)],
        "reed": [reeds.snapshot(0), *reeds.feel(1000, edges)],
    }
    for observation in films[source]:
        fusion = fusion.update(observation)
    assert first_of_two(Options(start, (Card.parse(card),), card_known=True), fusion.fused) is None
