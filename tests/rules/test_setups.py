"""Statements about players, boards, cards and turns hold, where no position shows them."""

from collections.abc import Callable

import pytest

from tests.support.rule_lines import rule_lines
from tock_companion.views.wording.rulesheet import rulesheet
from tock_rules import (
    Card,
    CardTable,
    Position,
    Ruleset,
    deal_plan,
    is_binding,
    parse_hand,
    player_counts,
    shape_for,
    team_sizes,
)
from tock_rules.dealing import Deal

LINES = rule_lines("setups.txt")


def _players(rules: Ruleset, _: str) -> str:
    return " ".join(map(str, player_counts(rules)))


def _sides(rules: Ruleset, players: str) -> str:
    return " ".join(map(str, team_sizes(rules, int(players))))


def _board(rules: Ruleset, zones: str) -> str:
    shape = shape_for(rules, int(zones))
    return f"{shape.track_length} of {shape.zone_length}, {shape.pawns_per_seat} pawns, {rules.direction}"


def _hands(rules: Ruleset, players: str) -> str:
    seats = tuple(range(int(players)))
    plan = deal_plan(rules, len(seats))
    hands = [plan.first_hand(seats, seats[-1])]
    while len(hands) < (4 if len(plan.rounds) > 1 else 1):
        hands.append(plan.next_hand(seats, hands[-1]))
    return "; ".join(
        f"P{hand.dealer} deals {plan.rounds[hand.number]}, P{hand.first} leads" for hand in hands
    )


def _exchange(rules: Ruleset, _: str) -> str:
    return "with the partner" if rules.card_exchange else "none"


def _position(rules: Ruleset, pawns: str) -> Position:
    named = dict(part.split(":") for part in pawns.split())
    places = " ".join(f"P{seat}:{named.get(f'P{seat}', '')}" for seat in range(4))
    return Position.parse(f"{rules.name} 4 P0 P0+P2/P1+P3 {places}")


def _binds(rules: Ruleset, text: str) -> str:
    pawns, cards = text.split(";")
    here = _position(rules, pawns)
    return "yes" if any(is_binding(here, card) for card in parse_hand(cards.split())) else "no"


def _turn(rules: Ruleset, text: str) -> str:
    """The seat to move after some actions, and the kinds that are open to it; seats without named hands have a two."""
    pawns, cards, *actions = (part.strip() for part in text.split(";"))
    here = _position(rules, pawns)
    held = [*cards.split("/"), "2D", "2C", "2S"]
    hands = {seat: parse_hand(held[seat].replace("-", "").split()) for seat in here.seats}
    table = CardTable.of(here, Deal(3, 0, 0), hands)
    for action in actions:
        seat, card, *move = action.split()
        mover, laid = table.to_move, Card.parse(card)
        done = table.play(mover, laid, move[0]) if move else table.put_away(mover, (laid,))
        assert mover.name == seat
        assert isinstance(done, CardTable), done
        table = done
    return f"{table.to_move.name} {' '.join(table.choices.names)}"


def _won(rules: Ruleset, pawns: str) -> str:
    outcome = _position(rules, pawns).outcome()
    return " ".join(seat.name for seat in outcome.winners) if outcome else "nobody"


QUESTIONS: dict[str, Callable[[Ruleset, str], str]] = {
    "players": _players,
    "sides": _sides,
    "board": _board,
    "hands": _hands,
    "exchange": _exchange,
    "binds": _binds,
    "turn": _turn,
    "won": _won,
}


@pytest.mark.parametrize(("statements", "game", "question", "subject", "answer"), LINES)
def test_a_statement_without_a_move_of_its_own_holds(
    statements: str, game: str, question: str, subject: str, answer: str
) -> None:
    rules = Ruleset.parse(game)
    if question == "sheet":
        sheet = {
            line["en"]: refs
            for section in rulesheet(rules)
            for line, refs in zip(section.lines, section.statements, strict=True)
        }
        assert sheet[answer] == set(statements.split())
    else:
        assert QUESTIONS[question](rules, subject) == answer
