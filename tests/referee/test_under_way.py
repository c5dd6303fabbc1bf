"""A move is under way however long each pawn rests on its way; a wrong board stays wrong."""

from pathlib import Path

import pytest

from tests.support.boards import pawns, position
from tests.support.observations import observed
from tock_companion.referee.decision import Decision, Missing, Rejected, Unfinished
from tock_companion.referee.diagnosis.remaining import remaining
from tock_companion.referee.matching.candidates import Options
from tock_companion.referee.matching.settle import Timing, decide
from tock_companion.referee.tracking.watch import Watch
from tock_rules import Card, Position

UNDER_WAY = Path(__file__).parents[1] / "data" / "rules" / "under-way.txt"
CASES = [
    [field.strip() for field in line.split("|")]
    for line in UNDER_WAY.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
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
