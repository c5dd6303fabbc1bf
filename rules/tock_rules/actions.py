"""The actions that a ruleset allows for each card, and the engine's numbers for cards and moves."""

from collections.abc import Iterator

from tock_rules.card_actions import ROWS, Row, Split
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
BURN = 8

BLACK_JOKER = 14
COLOUR_JOKER = 15
ONE_EYED_JACK = 16
TWO_OF_SPADES = 17
JOKER_CODES = (BLACK_JOKER, COLOUR_JOKER)
NO_CARD = 0
"""The code of anything that is not a single card; no card action has it."""
CODES = range(1, 18)
"""Card codes: 1 to 13 by rank, then the four cards that a ruleset may treat differently from their rank."""
ROW_NAMES = ("", *ROWS[:13], "JOK_B", "JOK_C", "J_one_eyed", "2S")
"""The row of the card table for each code."""


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
    """The actions of one card under a ruleset; zero, empty and False for those it has not."""

    def __init__(self, rules: Ruleset, code: int) -> None:
        """Read the card's row of the table."""
        row = rules.row(ROW_NAMES[code]) if code else Row()
        self.code = code
        self.row = row
        self.start = row.start or (row.wild and any(rules.row(name).start for name in ROWS[:13]))
        self.start_mate = row.start_mate
        self.steps = row.steps
        """Walks of an own pawn."""
        self.push = row.push
        self.pushes = row.pushes
        self.seven = row.split is not None
        self.split = row.split or Split()
        self.both_ways = row.both_ways
        self.advance = row.steps[0].steps if row.steps else 0
        """The first of the walks."""
        self.sweep = any(step.takes for step in row.steps)
        self.swap = row.swap
        self.any_two = row.swap == "any_two"
        self.replace = row.replace
        self.burn = row.burn
        self.wild = row.wild
        self.centre = row.centre
        plain = [rules.row(name) for name in ROWS[:13]] if row.wild else [row]
        walks = [step.steps for one in plain for step in one.steps] + [one.push for one in plain]
        self.values = tuple(dict.fromkeys(filter(None, walks))) or (self.value,)
        """The holes of every walk that the card knows, the first first."""
        self.only_walks = len(row.steps) == 1 and row == Row(
            steps=row.steps, again=row.again, burns=row.burns
        )

    @property
    def value(self) -> int:
        """Holes that the card moves a pawn, negative backwards, 0 when it moves none."""
        return self.advance or self.push or (7 if self.seven else 0)
