"""How likely a pawn is hit by the pawns behind it, and which of them a hand hits."""

from tock_companion.rules import DealPlan, Ruleset
from tock_companion.rules.engine import CARD_CODES, CARD_NUMBERS, CardAction

WINDOW = 13
"""Holes behind a pawn from which a single card of the pack may hit it; jokers reach further."""
MASK = (1 << WINDOW) - 1
HELD = 4.5
"""Cards that a player holds on average, for the chance to hold a certain card."""


class Danger:
    """The chances of one ruleset and pack. Followers are a set of bits: bit 12 is one hole behind, bit 0 thirteen."""

    def __init__(self, rules: Ruleset, plan: DealPlan) -> None:
        """Count the cards of every distance."""
        copies = [0] * 18
        for card in plan.deck:
            copies[CARD_CODES[CARD_NUMBERS[card]]] += 1
        actions = [CardAction(rules, code) for code in range(18)]
        deck = len(plan.deck)
        ahead = [0.0] * (WINDOW + 1)
        joker = 0.0
        back = 0.0
        for code in range(1, 18):
            action = actions[code]
            if action.seven:
                for distance in range(1, 7):
                    ahead[distance] += copies[code] * 0.5
                ahead[7] += copies[code]
            elif action.advance < 0:
                back += copies[code]
            elif action.sweep and action.advance <= WINDOW:
                for distance in range(1, WINDOW + 1):
                    ahead[distance] += copies[code]
            elif 0 < action.advance <= WINDOW:
                ahead[action.advance] += copies[code]
            elif action.advance > WINDOW:
                joker += copies[code]
        self.joker_way = int(rules.joker_value)
        self.joker = _held(joker, deck)
        self.back = _held(back, deck)
        self.ahead = [_held(count, deck) for count in ahead]
        """Chance to hold a card that hits from so many holes behind."""
        self.by_followers = self._table(rules.passing == "forbidden")
        self.reach = [_reach(action) for action in actions]
        """For every card code the followers that it hits with, as bits."""
        self.goes_back = [action.advance == -4 for action in actions]
        self.goes_far = [action.advance > WINDOW for action in actions]

    def _table(self, nearest_only: bool) -> list[float]:
        """Return the chance to be hit for every set of followers."""
        table = [0.0] * (1 << WINDOW)
        for followers in range(1, 1 << WINDOW):
            highest = followers.bit_length() - 1
            chance = self.ahead[WINDOW - highest]
            rest = 0.0 if nearest_only else table[followers & ~(1 << highest)]
            table[followers] = 1 - (1 - chance) * (1 - rest)
        return table

    def chance(self, others: int, length: int, cell: int) -> float:
        """Return the chance that a pawn on a track cell is hit by pawns on these cells.

        `others` holds the cells twice in a row, the second time shifted by the length of the track.
        """
        chance = self.by_followers[others >> (cell + length - WINDOW) & MASK]
        if others >> (cell + 4) & 1:
            chance = 1 - (1 - chance) * (1 - self.back)
        if others >> (cell + length - self.joker_way) & 1:
            chance = 1 - (1 - chance) * (1 - self.joker)
        return chance


def _held(copies: float, deck: int) -> float:
    """Return the chance to hold at least one of so many copies."""
    return 0.0 if copies <= 0 else 1.0 - float((1 - HELD / deck) ** copies)


def _reach(action: CardAction) -> int:
    if action.seven:
        return sum(1 << (WINDOW - distance) for distance in range(1, 8))
    if action.sweep and 0 < action.advance <= WINDOW:
        return MASK
    return 1 << (WINDOW - action.advance) if 0 < action.advance <= WINDOW else 0
