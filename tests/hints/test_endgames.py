"""Endgames with one last pawn, solved by trying every order of the hand: the adviser must find the shortest way."""

import random
from collections.abc import Iterator

import pytest

from tock_companion.hints.advice import Adviser
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.search import Effort
from tock_rules import STANDARD_PACK, Board, Card, Position, Ruleset, Seat, load_preset, shape_for

pytestmark = pytest.mark.whole

NEVER = 99
RULESETS = ("parteu", "gladius")
"""No card is drawn there after each one, so that a hand can be played out to its end."""


def turns_to_win(rules: Ruleset, board: Board, hand: tuple[Card, ...]) -> int:
    """The fewest turns in which P0 wins with this hand when nobody interferes."""
    position = Position.of(rules, board, Seat.P0)
    if position.outcome() is not None:
        return 0
    ways = [NEVER]
    for card in set(hand):
        rest = list(hand)
        rest.remove(card)
        ways += [turns_to_win(rules, move.result, tuple(rest)) for move in position.legal_moves(card)]
    if len(ways) == 1 and hand:
        ways += [turns_to_win(rules, board, hand[:at] + hand[at + 1 :]) for at in range(len(hand))]
    return min(NEVER, 1 + min(ways))


def endgames(count: int, seed: int) -> Iterator[tuple[Position, tuple[Card, ...], set[str]]]:
    """Yield positions, hands and the moves that begin a shortest way, where other moves take longer."""
    rng = random.Random(seed)
    while count:
        rules = load_preset(rng.choice(RULESETS))
        home = rng.sample(["H1", "H2", "H3", "H4"], 3)
        last = f"T{rng.randrange(48, 72)}"
        pawns = {"P0": [last, *home], "P2": ["camp"] * 4}
        board = Board.from_pawns(shape_for(rules, 4), pawns)
        position = Position.of(rules, board, Seat.P0)
        hand = tuple(rng.sample(STANDARD_PACK, 3))
        found: dict[str, int] = {}
        for card in hand:
            rest = tuple(other for other in hand if other is not card)
            for move in position.legal_moves(card):
                found[f"{card} {move.text}"] = turns_to_win(rules, move.result, rest)
        best = {text for text, turns in found.items() if turns == min(found.values()) < NEVER - 3}
        if best and len(best) < len(found):
            count -= 1
            yield position, hand, best


def missed(count: int, seed: int) -> list[str]:
    out = []
    for position, hand, best in endgames(count, seed):
        advice = Adviser(Knowledge(position, hand)).further(Effort(32), budget_ms=None)
        chosen = f"{advice.best.card} {advice.best.move and advice.best.move.text}"
        if chosen not in best:
            cards = " ".join(map(str, hand))
            out.append(
                f"{position.ruleset.name} {position.board.to_pawns()} {cards}: {chosen}, not {sorted(best)}"
            )
    return out


def test_the_shortest_way_home_is_found() -> None:
    assert missed(12, seed=4) == []


@pytest.mark.slow
def test_the_shortest_way_home_is_found_nineteen_times_in_twenty() -> None:
    wrong = missed(200, seed=5)
    assert len(wrong) <= 10, "\n".join(wrong)
