"""The cards of a whole game as numbers: a card's number is its place in `CARDS`."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from tock_rules.actions import JOKER_CODES, CardAction, code_of
from tock_rules.cards import JOKERS, STANDARD_PACK
from tock_rules.dealing import Deal, DealPlan, deal_plan
from tock_rules.ruleset import Ruleset

CARDS = (*STANDARD_PACK, *JOKERS)
CARD_NUMBERS = {card: number for number, card in enumerate(CARDS)}
CARD_CODES = [code_of(card) for card in CARDS]
IS_JOKER = [code in JOKER_CODES for code in CARD_CODES]
Shuffle = Callable[[list[int]], None]
Rng = Callable[[], float]
"""Gives numbers from 0 to below 1."""


def shuffle_by(cards: list[int], rng: Rng) -> None:
    """Put the cards into any order, each being equally likely."""
    last = len(cards)
    while last > 1:
        place = int(rng() * last)
        last -= 1
        cards[last], cards[place] = cards[place], cards[last]


class Pack(NamedTuple):
    """The cards of a game, and the effects that do not depend on the board."""

    plan: DealPlan
    deck: list[int]
    starters: list[bool]
    """Whether the card of that number brings a pawn out."""
    burns: list[bool]
    """Whether it makes the next player lose one, however it is used."""
    has_burns: bool
    """Some card does, or may."""
    has_burn_moves: bool
    """Some card may, instead of moving a pawn."""
    next_hands: dict[tuple[Deal, bool], Deal]
    """Answers of `DealPlan.next_hand` that were asked for."""


@lru_cache(maxsize=64)
def pack_for(rules: Ruleset, seats: tuple[int, ...]) -> Pack:
    """The cards of a game of these seats, made once."""
    actions = [CardAction(rules, code) for code in CARD_CODES]
    plan, burns = deal_plan(rules, len(seats)), [action.row.burns for action in actions]
    may_burn = any(action.burn for action in actions)
    deck = [CARD_NUMBERS[card] for card in plan.deck]
    return Pack(plan, deck, [one.start for one in actions], burns, may_burn or any(burns), may_burn, {})
