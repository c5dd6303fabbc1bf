"""A turn that was not settled in time is recovered when the next one is on the board."""

import pytest

from tests.support.boards import pawns, position
from tests.support.observations import observed
from tock_companion.referee.decision import Accepted, Ambiguous
from tock_companion.referee.matching.candidates import Options, one_of_each_kind
from tock_companion.referee.matching.two_turns import first_of_two
from tock_companion.referee.tracking.watch import Watch
from tock_rules import Card

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
