"""Trust in a switch, and how it is learned."""

from tock_companion.observation import HoleState
from tock_companion.referee.tracking.hypotheses import BOUNCE_MS
from tock_companion.referee.tracking.trust import FLUTTER_MS, Trials, Trust
from tock_rules import Hole


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
