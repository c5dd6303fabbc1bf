"""The actions that a ruleset allows for each card, and the engine's numbers for cards and moves."""

from collections.abc import Iterator

from tock_rules.cards import Card, Rank, Suit
from tock_rules.ruleset import Ruleset

FlatMove = tuple[int, ...]
"""Six integers per part: kind, seat of the pawn, from, to, via, set of the cells taken on the way.

`via` is the summit a jump starts from, the first cell after a dotted line, or the seat of the other pawn of a swap;
else -1.
"""
PART = 6
KIND = 0
MOVER = 1
FROM = 2
TO = 3
VIA = 4
TAKEN = 5
"""Places of these integers in a part, in the order above."""
START = 0
STEP = 1
JUMP = 2
LINE = 3
SWAP = 4
CENTRE_IN = 5
CENTRE_OUT = 6
THROW = 7

BLACK_JOKER = 14
COLOUR_JOKER = 15
ONE_EYED_JACK = 16
TWO_OF_SPADES = 17
JOKER_CODES = (BLACK_JOKER, COLOUR_JOKER)
NO_CARD = 0
"""The code of anything that is not a single card; no card action has it."""
CODES = range(1, 18)
"""Card codes: 1 to 13 by rank, then the four cards that a ruleset may treat differently from their rank."""
_RANKS = {BLACK_JOKER: 14, COLOUR_JOKER: 14, ONE_EYED_JACK: 11, TWO_OF_SPADES: 2}


def split_parts(move: FlatMove) -> Iterator[FlatMove]:
    """Yield the parts of a move, six integers each."""
    for first in range(0, len(move), PART):
        yield move[first : first + PART]


def code_of(card: Card) -> int:
    """The code of a card, the same for every ruleset."""
    if card.rank is Rank.JOKER:
        return COLOUR_JOKER if card.suit is Suit.COLOUR else BLACK_JOKER
    if card.one_eyed:
        return ONE_EYED_JACK
    return TWO_OF_SPADES if card.rank is Rank.TWO and card.suit is Suit.SPADES else int(card.rank)


class CardAction:
    """The actions of one card under a ruleset; zero and False for those it has not."""

    def __init__(self, rules: Ruleset, code: int) -> None:
        """Read the switches that concern the card."""
        rank = _RANKS.get(code, code)
        starters = {1: rules.ace_starts, 13: rules.king_starts, 14: rules.joker_starts}
        values = {
            1: rules.ace_value,
            4: -4,
            11: rules.jack_value,
            12: rules.queen_value,
            13: rules.king_value,
            14: rules.joker_value,
        }
        self.code = code
        absent = rank == 14 and not rules.jokers
        self.start = (starters.get(rank, False) and not absent) or (
            code == TWO_OF_SPADES and rules.deux_de_pique
        )
        self.push = rank == 5 and rules.five == "opponent"
        self.seven = rank == 7
        self.advance = 0 if self.push or self.seven or absent else values.get(rank, rank)
        self.sweep = (rank == 13 and rules.king_sweeps) or (
            code == COLOUR_JOKER and rules.colour_joker_sweeps
        )
        self.swap = rank == 11
        self.any_two = code == ONE_EYED_JACK and rules.one_eyed_jack
        self.centre = rules.centre and not absent and rank in (1, 7, 13, 14)
        self.only_walks = bool(self.advance) and not (self.start or self.swap or self.centre)

    @property
    def value(self) -> int:
        """Holes that the card moves a pawn, negative backwards, 0 when it moves none."""
        return 5 if self.push else 7 if self.seven else self.advance
