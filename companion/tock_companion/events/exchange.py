"""The exchange before the first card of a hand: each seat gives its mate a card, and all change hands together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tock_companion.events.hand import Hand
from tock_rules import Card, Ruleset, Seat, gift_receiver


@dataclass(frozen=True, slots=True)
class Gift:
    """A card for the mate of a seat, from the event with that number."""

    seq: int
    giver: Seat
    card: Card | None = field(repr=False)
    """None where the table does not know it, or where its receiver may not see it any more."""
    named: bool
    """Whether the giver gave it on the phone; else from hand to hand, and its known hand is the one after that."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """The gifts of the present hand."""

    mates: Mapping[Seat, Seat] = field(default_factory=dict)
    """The receiver of each giver's card; empty where the rules have no exchange."""
    givers: tuple[Seat, ...] = ()
    """The seats that have still to give, as far as the table knows."""
    gifts: tuple[Gift, ...] = ()

    @classmethod
    def of_game(cls, rules: Ruleset, teams: Iterable[Sequence[Seat]]) -> "Exchange":
        """The exchange before the first hand."""
        if not rules.card_exchange:
            return cls()
        sides = [team for team in teams if len(team) > 1]
        return cls({giver: gift_receiver(side, giver) for side in sides for giver in side}).begun()

    def begun(self) -> "Exchange":
        """The exchange before a hand that has just been dealt."""
        return replace(self, givers=tuple(sorted(self.mates)), gifts=())

    def over(self, *, forgotten: bool = False) -> "Exchange":
        """The exchange once everybody has given; `forgotten` where another hand is played again."""
        return replace(self, givers=(), gifts=() if forgotten else self.gifts)

    def without(self, giver: Seat) -> "Exchange":
        """The exchange once a seat has taken its card back."""
        gifts = tuple(gift for gift in self.gifts if gift.giver is not giver)
        return replace(self, givers=tuple(sorted({*self.givers, giver})), gifts=gifts)

    def with_gift(self, gift: Gift) -> "Exchange":
        """The exchange once a seat has laid a card aside."""
        givers = tuple(seat for seat in self.givers if seat is not gift.giver)
        return replace(self, givers=givers, gifts=(*self.gifts, gift))

    def gift_of(self, giver: Seat) -> Gift | None:
        """The gift of a seat."""
        return next((gift for gift in self.gifts if gift.giver is giver), None)

    def gift_to(self, receiver: Seat) -> Gift | None:
        """The gift for a seat."""
        return next((gift for gift in self.gifts if self.mates[gift.giver] is receiver), None)

    def hidden(self, receiver: Seat, until: int) -> "Exchange":
        """The exchange as if no event up to that number had named the card that a seat gets."""
        gifts = tuple(
            replace(gift, card=None) if self.mates[gift.giver] is receiver and gift.seq <= until else gift
            for gift in self.gifts
        )
        return replace(self, gifts=gifts)

    def received(self, held: Mapping[Seat, Hand], dealt: int, seq: int) -> dict[Seat, Hand]:
        """The hands after the exchange, which event `seq` ends; `dealt` is the size of a hand."""
        after = dict(held)
        for gift in self.gifts:
            receiver = self.mates[gift.giver]
            own, hand = self.gift_of(receiver), held.get(receiver, Hand(missing=dealt))
            if own is not None and own.named:
                hand = hand.with_card(gift.card if hand.cards or not hand.missing else None)
            # Whoever sits there later sees neither the hand nor the gift.
            after[receiver] = replace(hand, entered_at=seq)
        return after

    def hidden_cards(self, held: Mapping[Seat, Hand]) -> list[Card]:
        """The cards that lie aside, or are in a hand of which the table does not know the others."""
        return [
            gift.card
            for gift in self.gifts
            if gift.card is not None
            and (self.givers or not held.get(self.mates[gift.giver], Hand(missing=1)).cards)
        ]
