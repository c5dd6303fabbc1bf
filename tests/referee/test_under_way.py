"""A seven counted by hand is under way, however long each pawn rests; what is wrong stays wrong."""

from pathlib import Path

import pytest

from tests.support.boards import pawns, position
from tests.support.observations import observed
from tock_companion.referee.decision import Rejected, Unfinished
from tock_companion.referee.diagnosis.remaining import remaining
from tock_companion.referee.matching.candidates import Options
from tock_companion.referee.matching.settle import Timing, decide
from tock_companion.referee.tracking.watch import Watch
from tock_companion.rules import Card

UNDER_WAY = Path(__file__).parents[1] / "data" / "rules" / "under-way.txt"
CASES = [
    [field.strip() for field in line.split("|")]
    for line in UNDER_WAY.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
RESTS_MS = 60_000


@pytest.mark.parametrize(("ruleset", "card", "before", "now", "left"), CASES)
def test_holes_left_of_a_seven_are_counted_and_wrong_walks_stay_wrong(
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
    assert (left_to_do.code, left_to_do.holes) == ("unfinished/seven", int(left))
