"""Estimates how likely the pawns behind a pawn capture it, and finds the pawns that a given hand captures."""

from tock_rules import DealPlan, Ruleset
from tock_rules.engine import CARD_CODES, CARD_NUMBERS, CardAction

REACH_HOLES = 13
"""Holes behind a pawn from which a single card may capture it; jokers reach further."""
REACH_MASK = (1 << REACH_HOLES) - 1
AVERAGE_HAND_CARDS = 4.5
"""Average cards in a hand, for the chance that a player holds a given card."""


class Danger:
    """Capture chances of one ruleset and pack; followers are a bit set: bit 12 is one hole behind, bit 0 thirteen."""

    def __init__(self, rules: Ruleset, plan: DealPlan) -> None:
        """Count the cards that cover each distance."""
        copies = [0] * 18
        for card in plan.deck:
            copies[CARD_CODES[CARD_NUMBERS[card]]] += 1
        actions = [CardAction(rules, code) for code in range(18)]
        deck = len(plan.deck)
        ahead = [0.0] * (REACH_HOLES + 1)
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
            elif action.sweep and action.advance <= REACH_HOLES:
                for distance in range(1, REACH_HOLES + 1):
                    ahead[distance] += copies[code]
            elif 0 < action.advance <= REACH_HOLES:
                ahead[action.advance] += copies[code]
            elif action.advance > REACH_HOLES:
                joker += copies[code]
        self.joker_way = int(rules.joker_value)
        self.joker = _held(joker, deck)
        self.back = _held(back, deck)
        self.ahead = [_held(count, deck) for count in ahead]
        """Chance that a player holds a card capturing from that many holes behind, by distance."""
        self.by_followers = self._table(rules.passing == "forbidden")
        self.reach = [_reach(action) for action in actions]
        """By card code, the followers that capture with it, as bits."""
        self.goes_back = [action.advance == -4 for action in actions]
        self.goes_far = [action.advance > REACH_HOLES for action in actions]

    def _table(self, nearest_only: bool) -> list[float]:
        """Tabulate the chance of capture for every set of followers."""
        table = [0.0] * (1 << REACH_HOLES)
        for followers in range(1, 1 << REACH_HOLES):
            highest = followers.bit_length() - 1
            chance = self.ahead[REACH_HOLES - highest]
            # Where passing is forbidden, the nearest follower stands in the way of all others.
            rest = 0.0 if nearest_only else table[followers & ~(1 << highest)]
            table[followers] = 1 - (1 - chance) * (1 - rest)
        return table

    def chance(self, others: int, length: int, cell: int) -> float:
        """Look up the chance that a pawn on a track cell is captured by pawns on these cells.

        `others` holds the cells twice, the second time shifted by the length of the track, so that no window wraps.
        """
        # The thirteen holes behind the cell lie before it in the second copy; a four goes backwards, from ahead.
        chance = self.by_followers[others >> (cell + length - REACH_HOLES) & REACH_MASK]
        if others >> (cell + 4) & 1:
            chance = 1 - (1 - chance) * (1 - self.back)
        if others >> (cell + length - self.joker_way) & 1:
            chance = 1 - (1 - chance) * (1 - self.joker)
        return chance


def _held(copies: float, deck: int) -> float:
    """Chance of holding at least one of `copies` cards."""
    return 0.0 if copies <= 0 else 1.0 - float((1 - AVERAGE_HAND_CARDS / deck) ** copies)


def _reach(action: CardAction) -> int:
    if action.seven:
        return sum(1 << (REACH_HOLES - distance) for distance in range(1, 8))
    if action.sweep and 0 < action.advance <= REACH_HOLES:
        return REACH_MASK
    return 1 << (REACH_HOLES - action.advance) if 0 < action.advance <= REACH_HOLES else 0
