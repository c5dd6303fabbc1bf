"""Playing cards and packs; `10H` is the ten of hearts, `JOK_C` the joker printed in colour."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum

from tock_rules.errors import BadInputError, quoted


class Rank(IntEnum):
    """The value a card counts as; the two jokers are ranks of their own because 002 tells them apart (R002-47)."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    JOKER = 14

    @property
    def text(self) -> str:
        """The index printed on the card."""
        return _RANK_TEXT.get(self, str(int(self)))


class Suit(Enum):
    """The four suits, and the two kinds of joker."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"
    BLACK = "JOK_B"
    COLOUR = "JOK_C"


_RANK_TEXT = {Rank.ACE: "A", Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K", Rank.JOKER: "joker"}
SUITS = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
RANKS = tuple(rank for rank in Rank if rank is not Rank.JOKER)


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """One playing card."""

    rank: Rank
    suit: Suit

    @classmethod
    def parse(cls, text: object) -> "Card":
        """The card of that name; raise `BadInputError` for anything else."""
        card = _BY_TEXT.get(text) if isinstance(text, str) else None
        if card is None:
            raise BadInputError(
                f"no such card: {quoted(text)}; cards are A 2 … 10 J Q K with S H D C, JOK_B and JOK_C"
            )
        return card

    def __str__(self) -> str:
        """The text form."""
        return self.suit.value if self.rank is Rank.JOKER else self.rank.text + self.suit.value

    def __repr__(self) -> str:
        """One line that pastes back."""
        return f"Card.parse({str(self)!r})"

    @property
    def one_eyed(self) -> bool:
        """Whether this is a Jack shown in profile: spades or hearts (R002-45)."""
        return self.rank is Rank.JACK and self.suit in (Suit.SPADES, Suit.HEARTS)


JOKERS = (Card(Rank.JOKER, Suit.BLACK), Card(Rank.JOKER, Suit.COLOUR))
STANDARD_PACK = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS)
_BY_TEXT = {str(card): card for card in (*STANDARD_PACK, *JOKERS)}


def pack(packs: int = 1, jokers: bool | int = True, extra_sevens: int = 0) -> tuple[Card, ...]:
    """The cards of `packs` packs in a fixed order, with additional sevens (R000-71); True is the usual two jokers."""
    count = len(JOKERS) * jokers if isinstance(jokers, bool) else jokers
    one = (*STANDARD_PACK, *(JOKERS[number % len(JOKERS)] for number in range(count)))
    sevens = tuple(Card(Rank.SEVEN, SUITS[i % 4]) for i in range(extra_sevens))
    return one * packs + sevens


def parse_hand(texts: object) -> tuple[Card, ...]:
    """The cards of a list of card names, as requests have them."""
    if not isinstance(texts, Iterable) or isinstance(texts, str):
        raise BadInputError(f"a hand is a list of cards, not {quoted(texts)}")
    return tuple(Card.parse(text) for text in texts)


def cards_of(cards: "Card | str | Iterable[Card | str]") -> tuple[Card, ...]:
    """One card or a hand in any form that is handy: `"6S"`, `"6S KH"`, a `Card`, or several of these."""
    if isinstance(cards, Card):
        return (cards,)
    if isinstance(cards, str):
        return tuple(map(Card.parse, cards.split()))
    if not isinstance(cards, Iterable):
        raise BadInputError(f"cards are a Card, a text such as 6S, or a list of them, not {quoted(cards)}")
    return tuple(card if isinstance(card, Card) else Card.parse(card) for card in cards)
