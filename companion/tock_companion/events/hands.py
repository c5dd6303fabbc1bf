"""The cards of each seat, as far as the table knows: events have counts, the private part of the store has cards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tock_companion.errors import BadInputError
from tock_companion.events.facts import (
    CardPlayed,
    CardsDealt,
    Correction,
    Event,
    GameStarted,
    MoveAccepted,
    MoveTakenBack,
    TurnEnded,
)
from tock_rules import Card, DealPlan, Ruleset, Seat, after_play, deal_plan, load_preset
from tock_rules.engine import code_of

Cards = tuple[Card, ...]
Secrets = Mapping[tuple[int, Seat], Cards]
"""The cards behind the `cards_dealt` event of that number; kept in the private part of the store alone."""


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

    def forgotten(self, until: int) -> "Hand":
        """The hand as if no event up to that number had told which cards it holds, but only how many."""
        if self.entered_at > until:
            return self
        return replace(self, cards=(), missing=self.count, doubtful=False)

    def drawn(self, cards: int) -> "Hand":
        """The hand after drawing cards that nobody has entered yet."""
        return replace(self, missing=self.missing + cards)


@dataclass(frozen=True, slots=True)
class _Left:
    """A card that left a hand and may come back to it."""

    seq: int
    seat: Seat
    card: Card
    before: Hand | None

    def forgotten(self, seat: Seat, until: int) -> "_Left":
        """The same without the other cards of that seat's hand."""
        if self.seat is not seat or self.before is None:
            return self
        return replace(self, before=self.before.forgotten(until))


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands of all seats after some events; seats of which nothing is known are left out."""

    rules: Ruleset
    players: int
    held: Mapping[Seat, Hand] = field(default_factory=dict)
    deals: int = 0
    """Hands dealt to everybody so far in this game."""
    laid: _Left | None = None
    played: tuple[_Left, ...] = ()
    shuffled_at: int = 0
    """Number of the event with which the present pack began to be dealt."""

    @classmethod
    def of_game(cls, fact: GameStarted) -> "Hands":
        """The hands when a game begins: nothing is known of any."""
        return cls(load_preset(fact.ruleset).with_options(fact.options), len(fact.seats))

    def of(self, seat: Seat) -> Hand | None:
        """The known cards of a seat."""
        return self.held.get(seat)

    @property
    def plan(self) -> DealPlan:
        """The deal of this game."""
        return deal_plan(self.rules, self.players)

    @property
    def next_deal(self) -> int:
        """The number of cards for everybody in the next hand by the rules."""
        rounds = self.plan.rounds
        return rounds[self.deals % len(rounds)]

    @property
    def played_since_shuffle(self) -> Cards:
        """The cards that have left the pack; none once a stock may have been reshuffled."""
        plan = self.plan
        played = tuple(left.card for left in self.played if left.seq > self.shuffled_at)
        if self.laid is not None:
            played += (self.laid.card,)
        return () if plan.stock is not None and len(played) >= plan.stock else played

    def before_play(self, seat: Seat) -> Hand | None:
        """The hand with the card that the seat has laid and not yet moved with."""
        return self._laid_card_back().of(seat)

    def apply(self, event: Event, secrets: Secrets | None = None) -> "Hands":
        """Derive the hands after one more event; `secrets` has the cards of a `cards_dealt`."""
        match event.fact:
            case CardsDealt() as fact:
                return self._dealt(event.seq, fact, secrets or {})
            case CardPlayed() as fact:
                return self._card_played(event.seq, fact)
            case MoveAccepted() as fact:
                return self._moved(event.seq, fact)
            case Correction(card=None):
                return self._laid_card_back()
            case TurnEnded():
                return replace(self, laid=None)
            case MoveTakenBack(undoes=undoes):
                return self._taken_back(undoes)
        return self

    def forgotten(self, seat: Seat, until: int) -> "Hands":
        """The hands as if no event up to that number had told which cards a seat holds.

        From now on nothing that happens depends on those cards: not how many are left when one is laid, either.
        """
        hand = self.of(seat)
        return replace(
            self._with(seat, hand.forgotten(until) if hand is not None else None),
            laid=self.laid.forgotten(seat, until) if self.laid is not None else None,
            played=tuple(left.forgotten(seat, until) for left in self.played),
        )

    def _with(self, seat: Seat, hand: Hand | None) -> "Hands":
        others = {other: held for other, held in self.held.items() if other is not seat}
        return replace(self, held=others if hand is None else {**others, seat: hand})

    def _dealt(self, seq: int, fact: CardsDealt, secrets: Secrets) -> "Hands":
        hands = self
        for name, count in fact.counts.items():
            seat = Seat.parse(name)
            cards = secrets.get((seq, seat), ())
            if len(cards) > count:
                raise BadInputError(
                    f"event {seq}: {name} was dealt {count} cards, but {len(cards)} are stored"
                )
            hands = hands._with(seat, Hand(cards, count - len(cards), entered_at=seq))
        whole = len(fact.counts) == self.players
        first = not self.deals
        if not whole and not first:
            return hands
        fresh = self._begins_pack
        return replace(hands, deals=self.deals + 1, shuffled_at=seq if fresh else self.shuffled_at)

    @property
    def _begins_pack(self) -> bool:
        """Whether the next hand is dealt from a whole pack."""
        return self.deals % len(self.plan.rounds) == 0

    def _card_played(self, seq: int, fact: CardPlayed) -> "Hands":
        seat, card = Seat.parse(fact.seat), Card.parse(fact.card)
        # Another card in place of the laid one: that one went back first.
        hands = self._laid_card_back()
        before = hands.of(seat)
        left = _Left(seq, seat, card, before)
        after = before.without(card) if before is not None else None
        if fact.use == "move":
            return replace(hands._with(seat, after), laid=left)
        if after is not None and self.rules.draw_after_card:
            after = after.drawn(1)
        return replace(hands._with(seat, after), laid=None, played=(*self.played, left))

    def _moved(self, seq: int, fact: MoveAccepted) -> "Hands":
        seat, card = Seat.parse(fact.seat), Card.parse(fact.card)
        before = self.laid.before if self.laid is not None else self.of(seat)
        # A move that was recognised without its card being laid takes the card out of the hand now.
        hands = (
            self if self.laid is not None else self._card_played(seq, CardPlayed(fact.seat, fact.card, ""))
        )
        after = hands.of(seat)
        if after is not None:
            drawn = after_play(self.rules, card, came_out=fact.move.partition(":")[2].startswith("camp"))
            after = after.drawn(drawn.draw_count)
        return replace(
            hands._with(seat, after), laid=None, played=(*self.played, _Left(seq, seat, card, before))
        )

    def _laid_card_back(self) -> "Hands":
        if self.laid is None:
            return self
        return replace(self._restored(self.laid), laid=None)

    def _taken_back(self, undoes: int) -> "Hands":
        hands = replace(
            self._laid_card_back(), played=tuple(left for left in self.played if left.seq < undoes)
        )
        for left in reversed([left for left in self.played if left.seq >= undoes]):
            hands = hands._restored(left)
        return hands

    def _restored(self, left: _Left) -> "Hands":
        """Give a card back: the hand before, or the card into a hand that was entered since."""
        now = self.of(left.seat)
        if now is None:
            return self
        if left.before is not None and left.before.entered_at == now.entered_at:
            return self._with(left.seat, left.before)
        return self._with(left.seat, replace(now, cards=(*now.cards, left.card)))


def fold_hands(events: Iterable[Event], secrets: Secrets) -> Hands:
    """Derive the hands from a log and the cards beside it; raises BadInputError when they contradict each other."""
    hands: Hands | None = None
    for event in events:
        if isinstance(event.fact, GameStarted):
            hands = Hands.of_game(event.fact)
        elif hands is not None:
            hands = hands.apply(event, secrets)
    if hands is None:
        raise BadInputError("a log without game_started has no hands")
    return hands
