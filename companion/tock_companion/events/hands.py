"""The cards of each seat, as far as the table knows: events have counts, the private part of the store has cards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tock_companion.errors import BadInputError
from tock_companion.events.exchange import Exchange, Gift
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
    exchange: Exchange = field(default_factory=Exchange)
    laid: Left | None = None
    played: tuple[Left, ...] = ()

    @classmethod
    def of_game(cls, fact: GameStarted) -> "Hands":
        """The hands when a game begins: nothing is known of any."""
        rules, seats = load_preset(fact.ruleset).with_options(fact.options), map(Seat.parse, fact.seats)
        teams = [[Seat.parse(name) for name in team] for team in fact.teams or []]
        exchange = Exchange.of_game(rules, teams)
        return cls(rules, tuple(sorted(seats)), Seat.parse(fact.to_move), exchange=exchange)

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
    def shuffled(self) -> tuple[int, int]:
        """The deal with which the present pack began, and the number of its event; 0 where nobody reported it."""
        plan, players, found = self.plan, len(self.seats), (1, 0)
        seqs, left = [0] * self.entered_first + [deal.seq for deal in self.dealt], 0
        for deal, seq in enumerate(seqs, 1):
            number = self.hand_number(deal).number
            if deal == 1 or plan.shuffles(players, number, left):
                found, left = (deal, seq), len(plan.deck)
            left -= players * plan.rounds[number]
        return found

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
                return self._exchanged(event.seq)._card_played(event.seq, fact)
            case MoveAccepted() as fact:
                return self._exchanged(event.seq)._moved(event.seq, fact)
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
            exchange=self.exchange.hidden(seat, until),
        )

    def _with(self, seat: Seat, hand: Hand | None) -> "Hands":
        others = {other: held for other, held in self.held.items() if other is not seat}
        return replace(self, held=others if hand is None else {**others, seat: hand})

    def _dealt(self, seq: int, fact: CardsDealt, secrets: Secrets) -> "Hands":
        if fact.gift is not None:
            return self._given(seq, fact, secrets)
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
            # The first deal may be reported after play has begun.
            late = not self.deals and bool(self.played or self.laid)
            exchange = self.exchange if late else self.exchange.begun()
            return replace(hands, dealt=(*self.dealt, Dealt(seq, self.held)), exchange=exchange)
        return hands if self.deals else replace(hands, entered_first=True)

    def _given(self, seq: int, fact: CardsDealt, secrets: Secrets) -> "Hands":
        """A card of one seat lies aside for its mate, or comes back; after the last one all change hands."""
        name, count = next(iter(fact.counts.items()), ("", 0))
        seat, exchange = Seat.parse(name), self.exchange
        is_back, cards = fact.gift == "withdrawn", secrets.get((seq, seat), ())
        held = count - (fact.gift == "named")
        may = exchange.givers and exchange.gift_of(seat) if is_back else seat in exchange.givers
        if not may or not len(cards) <= held:
            raise BadInputError(f"event {seq}: {name} gives no card now")
        hands = self if self.deals else replace(self, entered_first=True)
        if fact.gift != "unnamed":
            hands = hands._with(seat, Hand(cards, held - len(cards), entered_at=seq))
        if is_back:
            return replace(hands, exchange=exchange.without(seat))
        card = next(iter(secrets.get((seq, exchange.mates[seat]), ())), None)
        after = exchange.with_gift(Gift(seq, seat, card, fact.gift == "named"))
        hands = replace(hands, exchange=after)
        return hands if after.givers else hands._to_mates(seq)

    def _to_mates(self, seq: int) -> "Hands":
        held = self.exchange.received(self.held, self.cards_dealt, seq)
        return replace(self, held=held, exchange=self.exchange.over())

    def _exchanged(self, seq: int) -> "Hands":
        """The hands when somebody plays: cards of which the table knows nothing were given from hand to hand."""
        return self._to_mates(seq) if self.exchange.givers else self

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
            exchange=self.exchange.over(forgotten=True) if undone else self.exchange,
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
