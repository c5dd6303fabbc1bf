"""The best move is found where it is clear, and praised only where it stands out of chance."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import boards
from tock_app.cli.commands.hint import knowledge_of
from tock_companion.hints.advice import Adviser
from tock_companion.hints.best_move import best_move
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.search import Effort
from tock_rules import (
    STANDARD_PACK,
    Board,
    Card,
    Move,
    Position,
    Ruleset,
    Seat,
    judge_move,
    load_preset,
    shape_for,
)


def made(before: Position, card: str, text: str) -> tuple[Position, Move]:
    move = judge_move(before, Card.parse(card), text)
    assert isinstance(move, Move)
    return before, move


CAPTURE = boards.position("mjc", "P0 T4 T20, P1 T26, P2 T40, P3 T60")
ALIKE = boards.position("mjc", "P0 T4 T5")


def test_a_move_that_gains_much_is_named_with_what_it_gained() -> None:
    found = best_move([made(ALIKE, "2H", "P0:T4>T6"), made(CAPTURE, "6H", "P0:T20>T26")])
    assert found is not None
    assert found.move.text == "P0:T20>T26"
    assert found.seat is Seat.P0
    assert 0.03 <= found.gain < 1


def test_moves_that_are_as_good_as_each_other_are_not_praised() -> None:
    assert best_move([made(ALIKE, "2H", "P0:T4>T6")]) is None


def test_the_worse_of_two_moves_is_not_praised() -> None:
    assert best_move([made(CAPTURE, "6H", "P0:T4>T10")]) is None


def test_a_card_that_left_no_choice_earns_nothing() -> None:
    only = boards.position("mjc", "P0 T4, P1 T26")
    assert best_move([made(only, "6H", "P0:T4>T10")]) is None


def test_the_same_game_has_the_same_best_move() -> None:
    moves = [made(CAPTURE, "6H", "P0:T20>T26")]
    assert best_move(moves) == best_move(moves)


POSITIONS = Path(__file__).parents[1] / "data" / "hints" / "clear.jsonl"
WANTED = 0.95


@pytest.mark.whole
def test_the_clearly_best_move_is_found() -> None:
    missed = []
    lines = POSITIONS.read_text(encoding="utf-8").splitlines()
    for line in lines:
        request = json.loads(line)
        advice = Adviser(knowledge_of(request)).further(Effort(32), budget_ms=None)
        best = advice.best
        if best.move is None or best.move.text not in request["best"]:
            missed.append(f"{request['id']} {request['why']}: {best.move and best.move.text}")
    assert len(lines) == 60
    assert 1 - len(missed) / len(lines) >= WANTED, "\n".join(missed)


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


@pytest.mark.whole
def test_the_shortest_way_home_is_found() -> None:
    assert missed(12, seed=4) == []


@pytest.mark.whole
@pytest.mark.slow
def test_the_shortest_way_home_is_found_nineteen_times_in_twenty() -> None:
    wrong = missed(200, seed=5)
    assert len(wrong) <= 10, "\n".join(wrong)
