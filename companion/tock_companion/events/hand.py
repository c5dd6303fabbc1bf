"""One hand as far as the table knows it, and the moments at which cards left it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tock_rules import Card, Seat
from tock_rules.engine import code_of

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """The known cards of one seat."""

    cards: Cards = field(default=(), repr=False)
    missing: int = 0
    """Cards that the seat holds besides, but that nobody has entered."""
    doubtful: bool = False
    """The seat laid a card that was not among these: something was entered or read wrongly."""
    entered_at: int = 0
    """Number of the event that told these cards."""

    @property
    def count(self) -> int:
        """The number of cards in the hand."""
        return len(self.cards) + self.missing

    @property
    def sure(self) -> bool:
        """Whether every card is known, so that rules about the whole hand can be judged."""
        return bool(self.cards) and not self.missing and not self.doubtful

    def may_have(self, card: Card) -> bool:
        """Whether the seat may hold this card, as far as its cards are known."""
        return card in self.cards or self.missing > 0 or not self.cards

    def without(self, card: Card) -> "Hand":
        """The hand after a card has left it: that card, else one that counts the same, else an unknown one."""
        same = [held for held in self.cards if code_of(held) == code_of(card)]
        if same:
            cards = list(self.cards)
            cards.remove(card if card in same else same[0])
            return replace(self, cards=tuple(cards))
        if self.missing:
            return replace(self, missing=self.missing - 1)
        return replace(self, doubtful=bool(self.cards))

    def with_card(self, card: Card | None) -> "Hand":
        """The hand after a card has come back, or one that is not known."""
        if card is None:
            return replace(self, missing=self.missing + 1)
        return replace(self, cards=(*self.cards, card))

    def forgotten(self, until: int) -> "Hand":
        """The hand as if no event up to that number had told which cards it holds, but only how many."""
        if self.entered_at > until:
            return self
        return replace(self, cards=(), missing=self.count, doubtful=False)

    def drawn(self, cards: int) -> "Hand":
        """The hand after drawing cards that nobody has entered yet."""
        return replace(self, missing=self.missing + cards)


@dataclass(frozen=True, slots=True)
class Left:
    """A card that left a hand and may come back to it."""

    seq: int
    seat: Seat
    card: Card
    before: Hand | None
    drawn: int = 0
    """Cards drawn for it, which go back when it comes back."""

    def forgotten(self, seat: Seat, until: int) -> "Left":
        """The same without the other cards of that seat's hand."""
        if self.seat is not seat or self.before is None:
            return self
        return replace(self, before=self.before.forgotten(until))


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand dealt to everybody: the event, and the cards before it."""

    seq: int
    held: Mapping[Seat, Hand]

    def forgotten(self, seat: Seat, until: int) -> "Dealt":
        """The same without the cards that this seat held before."""
        if seat not in self.held:
            return self
        return replace(self, held={**self.held, seat: self.held[seat].forgotten(until)})
