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
from tock_companion.events.hand import Cards, Dealt, Hand, Left
from tock_rules import (
    Card,
    Deal,
    DealPlan,
    Position,
    Ruleset,
    Seat,
    after_play,
    deal_plan,
    is_starter,
    load_preset,
)

Secrets = Mapping[tuple[int, Seat], Cards]
"""The cards behind the `cards_dealt` event of that number; kept in the private part of the store alone."""


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands of all seats after some events; seats of which nothing is known are left out."""

    rules: Ruleset
    seats: tuple[Seat, ...]
    first: Seat
    """The seat that begins the first hand."""
    held: Mapping[Seat, Hand] = field(default_factory=dict)
    entered_first: bool = False
    """A seat entered its cards before any deal was reported."""
    dealt: tuple[Dealt, ...] = ()
    """The hands dealt to everybody so far in this game."""
    laid: Left | None = None
    played: tuple[Left, ...] = ()

    @classmethod
    def of_game(cls, fact: GameStarted) -> "Hands":
        """The hands when a game begins: nothing is known of any."""
        rules, seats = load_preset(fact.ruleset).with_options(fact.options), map(Seat.parse, fact.seats)
        return cls(rules, tuple(sorted(seats)), Seat.parse(fact.to_move))

    def of(self, seat: Seat) -> Hand | None:
        """The known cards of a seat."""
        return self.held.get(seat)

    # -- deals --

    @property
    def plan(self) -> DealPlan:
        """The deal of this game."""
        return deal_plan(self.rules, len(self.seats))

    @property
    def deals(self) -> int:
        """Hands dealt so far, as far as the table knows."""
        return len(self.dealt) + self.entered_first

    @property
    def dealt_at(self) -> int:
        """Number of the event with which everybody got the present hand; 0 where nobody reported a deal."""
        return self.dealt[-1].seq if self.dealt else 0

    @property
    def shuffled_at(self) -> int:
        """Number of the event with which the present pack began to be dealt."""
        hands = len(self.plan.rounds)
        since = len(self.dealt) - 1 - max(0, self.deals - 1) % hands
        return self.dealt[since].seq if 0 <= since < len(self.dealt) else 0

    def hand_number(self, deals: int) -> Deal:
        """Dealer, number and beginner of the hand after that many deals."""
        plan, seats = self.plan, self.seats
        hand = plan.first_hand(seats, seats[seats.index(self.first) - 1])
        for _ in range(1, deals):
            hand = plan.next_hand(seats, hand)
        return hand

    @property
    def next_deal(self) -> int:
        """The number of cards for everybody in the next hand by the rules."""
        return self.plan.rounds[self.hand_number(self.deals + 1).number]

    @property
    def cards_dealt(self) -> int:
        """The number of cards that everybody was dealt with the present hand, by the rules."""
        return self.plan.rounds[self.hand_number(self.deals).number]

    def informing(self, position: Position) -> Position:
        """The position with the facts about the hand as dealt that the seat to move knows (R002-30)."""
        if not position.rulebook.throws:
            return position
        seat = position.to_move
        held = self.before_play(seat)
        cards = [left.card for left in self.played if left.seat is seat and left.seq > self.dealt_at]
        cards += held.cards if held is not None else ()
        starter = any(is_starter(self.rules, card) for card in cards)
        return replace(
            position,
            dealt_starter=frozenset({seat} if starter else ()),
            hand_dealt=self.cards_dealt if self.deals else 0,
        )

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
            dealt=tuple(deal.forgotten(seat, until) for deal in self.dealt),
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
        if len(fact.counts) == len(self.seats):
            return replace(hands, dealt=(*self.dealt, Dealt(seq, self.held)))
        return hands if self.deals else replace(hands, entered_first=True)

    def _card_played(self, seq: int, fact: CardPlayed) -> "Hands":
        seat, card = Seat.parse(fact.seat), Card.parse(fact.card)
        # Another card in place of the laid one: that one went back first.
        hands = self._laid_card_back()
        before = hands.of(seat)
        after = before.without(card) if before is not None else None
        if fact.use == "move":
            return replace(hands._with(seat, after), laid=Left(seq, seat, card, before))
        drawn = 1 if self.rules.draw_after_card else 0
        after = after.drawn(drawn) if after is not None else None
        left = Left(seq, seat, card, before, drawn)
        return replace(hands._with(seat, after), laid=None, played=(*self.played, left))

    def _moved(self, seq: int, fact: MoveAccepted) -> "Hands":
        seat, card = Seat.parse(fact.seat), Card.parse(fact.card)
        before = self.laid.before if self.laid is not None else self.of(seat)
        # A move that was recognised without its card being laid takes the card out of the hand now.
        hands = (
            self if self.laid is not None else self._card_played(seq, CardPlayed(fact.seat, fact.card, ""))
        )
        came_out = fact.move.partition(":")[2].startswith("camp")
        drawn = after_play(self.rules, card, came_out=came_out).draw_count
        after = hands.of(seat)
        after = after.drawn(drawn) if after is not None else None
        left = Left(seq, seat, card, before, drawn)
        return replace(hands._with(seat, after), laid=None, played=(*self.played, left))

    def _laid_card_back(self) -> "Hands":
        if self.laid is None:
            return self
        return replace(self._restored(self.laid), laid=None)

    def _taken_back(self, undoes: int) -> "Hands":
        """The hands as before that event: cards played since come back, drawn ones go back, deals are undone."""
        hands, undone = self._laid_card_back(), [deal for deal in self.dealt if deal.seq > undoes]
        until = undone[0].seq if undone else undoes
        back = [left for left in self.played if left.seq >= undoes and (not undone or left.seq < until)]
        hands = replace(
            hands,
            held=undone[0].held if undone else hands.held,
            dealt=self.dealt[: len(self.dealt) - len(undone)],
            played=tuple(left for left in self.played if left.seq < undoes),
        )
        for left in reversed(back):
            hands = hands._restored(left)
        return hands

    def _restored(self, left: Left) -> "Hands":
        """Give a card back: the hand before, or the card into a hand that was entered since."""
        now, before = self.of(left.seat), left.before
        if now is None or (before is not None and before.entered_at == now.entered_at):
            return self if before is None else self._with(left.seat, before)
        if left.drawn:
            # Which of the cards entered since was drawn is not known.
            return self._with(left.seat, before or Hand((left.card,), max(0, now.count - left.drawn)))
        known = replace(now, cards=(*now.cards, left.card))
        if before is not None and known.count > before.count:
            known = now if now.count == before.count else before
        return self._with(left.seat, known)


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
