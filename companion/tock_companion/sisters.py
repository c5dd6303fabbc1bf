"""A move that is illegal here and legal in a sister game: the one rule in which that game differs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tock_rules import (
    BadInputError,
    Board,
    Card,
    Position,
    Ruleset,
    Value,
    load_preset,
    own_rules,
    preset_names,
)

EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class SisterRule:
    """The rule of another game that would allow the move."""

    game: str
    option: str
    value: Value
    here: Value
    """The value in the present game."""


def sister_rule(position: Position, card: Card, seen: Mapping[str, str]) -> SisterRule | None:
    """The rule with which this card may lead to the board; None where no sister game has one.

    `seen` is the board's differences from the position: hole → seat, or `empty`.
    """
    wanted = {**_pawns(position.board), **seen}
    wanted = {hole: seat for hole, seat in wanted.items() if seat != EMPTY}
    for rule in _differences(position, card):
        try:
            rules = position.ruleset.with_options({rule.option: rule.value})
        except BadInputError:
            continue
        moves = replace(position, ruleset=rules).legal_moves(card)
        if any(_pawns(move.result) == wanted for move in moves):
            return rule
    return None


def _pawns(board: Board) -> dict[str, str]:
    return {str(hole): seat.name for hole, seat in board.occupied().items()}


def _differences(position: Position, card: Card) -> Iterator[SisterRule]:
    """The differences from games of such a board: first the actions of the card, then the switches."""
    rules, shape = position.ruleset, position.shape
    sisters = [game for name in preset_names() if (game := load_preset(name)).fits(*shape.size)]
    row = card.rank.text
    option = f"card_{row.lower()}"
    for game in sisters:
        there, here = (own_rules.actions_text(of.cards.get(row, ())) for of in (game, rules))
        if there not in ("", here):
            yield SisterRule(game.name, option, there, here)
    for game in sisters:
        yield from _switches(rules, game)


def _switches(rules: Ruleset, game: Ruleset) -> Iterator[SisterRule]:
    for name, here in rules.values().items():
        there = game.values().get(name, here)
        if there != here:
            yield SisterRule(game.name, name, there, here)
