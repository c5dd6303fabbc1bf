"""A table with cards: position, deal and hands as one value, and the actions of whole hands.

Every action gives the table after it, or the reason why it is refused.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tock_rules.actions import code_of
from tock_rules.cards import Card
from tock_rules.choices import NOTHING, Choices
from tock_rules.dealing import Deal, DealPlan, deal_plan, gift_receiver
from tock_rules.errors import BadInputError
from tock_rules.judge import judge_move
from tock_rules.position import Move, Position
from tock_rules.refusals import refusal, why_not_ended, why_not_put_away
from tock_rules.seats import Seat
from tock_rules.turn import after_play, is_starter
from tock_rules.violations import Violation

Hands = Mapping[Seat, tuple[Card, ...]]


@dataclass(frozen=True)
class CardTable:
    """A moment of a game with its cards; a seat may still draw after the turn has gone on."""

    position: Position
    hand: Deal
    """The hand that is played: by whom it was dealt, its number, who began it."""
    hands: Hands
    owed: Mapping[Seat, int] = field(default_factory=dict)
    """Cards that seats have still to draw."""
    givers: tuple[Seat, ...] = ()
    """Seats that have still to give a card to a mate, in order."""
    gifts: tuple[tuple[Seat, Card], ...] = ()
    """Givers with their cards, laid aside until all have given."""
    used: tuple[Card, ...] = ()
    """Cards that were seen leaving the hands since the pack was shuffled; not kept where a stock is renewed."""

    @classmethod
    def of(cls, position: Position, hand: Deal, hands: Hands, dealt: Hands | None = None) -> "CardTable":
        """The table of these hands; `dealt` are the hands as they were dealt, where they are known.

        Raise `BadInputError` for more cards than were dealt, or than the pack has.
        """
        plan = deal_plan(position.ruleset, len(position.seats))
        if not 0 <= hand.number < len(plan.rounds):
            raise BadInputError(
                f"a dealer deals {len(plan.rounds)} hands here, so none has number {hand.number}"
            )
        most = plan.rounds[hand.number]
        for known in (hands, dealt or {}):
            for seat, cards in known.items():
                if seat not in position.seats:
                    raise BadInputError(f"{seat.name} has cards but does not play")
                if len(cards) > most:
                    raise BadInputError(f"{seat.name} has {len(cards)} cards, but {most} were dealt")
            _check_pack(plan, [card for cards in known.values() for card in cards])
        full = all(len(hands.get(seat, ())) == most for seat in position.seats)
        table = cls(position, hand, {seat: tuple(hands.get(seat, ())) for seat in position.seats})
        return table._begun({**table.hands, **(dealt or {})}, givers_too=full and not position.cards_played)

    def _begun(self, dealt: Hands, *, givers_too: bool) -> "CardTable":
        """The table at the beginning of a hand: facts about the cards as dealt, and gifts still to be given."""
        rules, position = self.position.ruleset, self.position
        starters = [seat for seat in dealt if any(is_starter(rules, card) for card in dealt[seat])]
        if position.rulebook.throws:
            position = replace(
                position, dealt_starter=frozenset(starters), hand_dealt=self.plan.rounds[self.hand.number]
            )
        givers: tuple[Seat, ...] = ()
        if rules.card_exchange and givers_too:
            givers = tuple(seat for seat in position.seats if len(position.team_of(seat)) > 1)
            position = replace(position, to_move=givers[0]) if givers else position
        return replace(self, position=position, givers=givers, gifts=())

    @property
    def plan(self) -> DealPlan:
        """The deal of this game."""
        return deal_plan(self.position.ruleset, len(self.position.seats))

    @property
    def to_move(self) -> Seat:
        """The seat that plays, gives, or leads the turn when the next hand is dealt."""
        return self.position.to_move

    @property
    def played_out(self) -> bool:
        """Whether nobody has cards, so that the next hand is dealt."""
        return not any(map(self._has_cards, self.position.seats))

    def _has_cards(self, seat: Seat) -> bool:
        """Whether the seat holds a card, or is about to draw one that the pack still has."""
        if self.hands[seat]:
            return True
        gone = len(self.used) + sum(map(len, self.hands.values()))
        return self.owed.get(seat, 0) > 0 and gone < len(self.plan.deck)

    @property
    def choices(self) -> Choices:
        """The kinds of action that are open to the seat to move."""
        if self.played_out:
            return NOTHING
        return self._aware.choices(self.hands[self.to_move], owes_gift=bool(self.givers))

    @property
    def _aware(self) -> Position:
        """The position with the seats known to hold no card; only a card that costs others one asks for them."""
        empty = frozenset(seat for seat in self.position.seats if not self._has_cards(seat))
        return replace(self.position, without_cards=empty) if empty else self.position

    # -- actions --

    def play(self, seat: Seat, card: Card, move: str) -> "CardTable | Violation":
        """Play a card; raise `BadInputError` for anything but a move text."""
        choices = self.choices
        reason = self._out_of_turn(seat, (card,))
        if reason is None and (choices.give or choices == NOTHING):
            reason = why_not_ended(choices, 0)
        if reason is not None:
            return self._refused(reason, seat, card)
        found = judge_move(self._aware, card, move)
        if not isinstance(found, Move):
            return found
        drawn = after_play(self.position.ruleset, card, came_out=found.parts[0].from_cell < 0).draw_count
        after = replace(self._aware.play(found), without_cards=frozenset())
        table = replace(self._without(seat, (card,), drawn), position=after)
        goes_on = table.position.may_play_more and table._has_cards(seat)
        return table if goes_on or table.position.outcome() is not None else table._next_turn()

    def put_away(self, seat: Seat, cards: tuple[Card, ...]) -> "CardTable | Violation":
        """Put cards away that cannot be played."""
        reason = self._out_of_turn(seat, cards) or why_not_put_away(
            self.choices, len(cards), len(self.hands[seat]), self.position.cards_played
        )
        if reason is None and self.choices.play and self.position.rulebook.never_forced:
            codes = [code_of(card) for card in self.hands[seat]]
            if any(self.position.rulebook.keeps_last(code_of(card), codes) for card in cards):
                reason = "hand_playable"
        if reason is not None:
            return self._refused(reason, seat, cards[0] if cards else None)
        book = self.position.rulebook
        drawn = book.draw_count(False) * (book.hand_size if self.choices.hand else len(cards))
        after = self._aware.put_away(cards)
        return self._without(seat, cards, drawn)._next_turn(replace(after, without_cards=frozenset()))

    def throw(self, seat: Seat) -> "CardTable | Violation":
        """Throw the whole hand to bring a pawn out (R002-30)."""
        hand = self.hands.get(seat, ())
        reason = self._out_of_turn(seat, ())
        move = self.position.throw_move(hand) if reason is None and not self.givers else None
        if move is None:
            return self._refused(reason or "no_exit", seat)
        return replace(self._without(seat, hand, 0), position=self.position.play(move))._next_turn()

    def draw(self, seat: Seat, cards: tuple[Card, ...]) -> "CardTable | Violation":
        """Draw cards for a card played or put away."""
        if len(cards) > self.owed.get(seat, 0):
            return self._refused("no_draw", seat)
        short = self._short(cards)
        if short is not None:
            return self._refused("pack_short", seat, short)
        hands = {**self.hands, seat: self.hands[seat] + cards}
        return replace(self, hands=hands, owed={**self.owed, seat: self.owed[seat] - len(cards)})

    def give(self, seat: Seat, card: Card) -> "CardTable | Violation":
        """Give a card to the next mate; all gifts change hands together."""
        reason = self._out_of_turn(seat, (card,)) or (None if self.givers else "no_gift")
        if reason is not None:
            return self._refused(reason, seat, card)
        gifts, givers = (*self.gifts, (seat, card)), self.givers[1:]
        if givers:
            return replace(
                self, gifts=gifts, givers=givers, position=replace(self.position, to_move=givers[0])
            )
        hands = dict(self.hands)
        for giver, given in gifts:
            hands[giver] = _less(hands[giver], (given,))
        for giver, given in gifts:
            hands[gift_receiver(self.position.team_of(giver), giver)] += (given,)
        position = replace(self.position, to_move=Seat(self.hand.first))
        return replace(self, hands=hands, gifts=(), givers=(), position=position)

    def end(self, seat: Seat) -> "CardTable | Violation":
        """End the turn without another card."""
        reason = self._out_of_turn(seat, ()) or why_not_ended(self.choices, self.position.cards_played)
        return self._next_turn() if reason is None else self._refused(reason, seat)

    def deal(self, hands: Hands) -> "CardTable | Violation":
        """Deal the next hand; the next dealer's when the pack is played out."""
        if self.position.outcome() is not None or not self.played_out:
            return self._refused("over" if self.played_out else "deal_early", None)
        plan, seats = self.plan, self.position.seats
        hand = plan.next_hand(seats, self.hand)
        counts = {len(hands.get(seat, ())) for seat in seats}
        # Cards drawn for jokers come out of later hands.
        fewer = plan.stock is None and self.position.rulebook.second_moves
        most = plan.rounds[hand.number]
        if set(hands) != set(seats) or len(counts) > 1 or not (1 if fewer else most) <= min(counts) <= most:
            return self._refused("deal_count", None)
        left = len(plan.deck) - len(self.used)
        used = () if plan.shuffles(len(seats), hand.number, left) else self.used
        table = replace(self, hand=hand, hands=dict.fromkeys(seats, ()), owed={}, used=used)
        short = table._short([card for cards in hands.values() for card in cards])
        if short is not None:
            return self._refused("pack_short", None, short)
        position = replace(
            self.position, to_move=Seat(hand.first), cards_played=0, arrived=0, owes_discard=frozenset()
        )
        return replace(table, hands=dict(hands), position=position)._begun(hands, givers_too=True)

    # -- parts of actions --

    def _out_of_turn(self, seat: Seat, cards: tuple[Card, ...]) -> str | None:
        """The code of the reason why this seat cannot act with these cards."""
        if self.position.outcome() is not None:
            return "over"
        if self.played_out:
            return "deal_due"
        if seat is not self.to_move:
            return "not_your_turn"
        return "not_held" if Counter(cards) - Counter(self.hands[seat]) else None

    def _refused(self, code: str, seat: Seat | None, card: Card | None = None) -> Violation:
        return refusal(self.position.ruleset, code, self.to_move if code == "not_your_turn" else seat, card)

    def _without(self, seat: Seat, cards: tuple[Card, ...], drawn: int) -> "CardTable":
        """The table after cards have left a hand, for which `drawn` others are to be drawn."""
        used = self.used if self.plan.stock is not None else self.used + cards
        owed = {**self.owed, seat: self.owed.get(seat, 0) + drawn}
        return replace(self, hands={**self.hands, seat: _less(self.hands[seat], cards)}, owed=owed, used=used)

    def _next_turn(self, after: Position | None = None) -> "CardTable":
        """The table when the next seat that has cards is to move."""
        position = self.position.end_turn() if after is None else after
        if not self.played_out:
            while not self._has_cards(position.to_move):
                position = position.end_turn()
        return replace(self, position=position)

    def _short(self, cards: tuple[Card, ...] | list[Card]) -> Card | None:
        """A card that the pack has too few copies of, when these come out of it."""
        gone = Counter([*self.used, *cards, *(card for hand in self.hands.values() for card in hand)])
        return next(iter(gone - Counter(self.plan.deck)), None)


def _less(hand: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)


def _check_pack(plan: DealPlan, cards: list[Card]) -> None:
    for card in Counter(cards) - Counter(plan.deck):
        raise BadInputError(f"the pack has fewer copies of {card} than the hands")
