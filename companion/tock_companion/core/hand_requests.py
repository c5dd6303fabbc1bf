"""Handles hands that seats enter: kept in the private part of the store, shown to that seat alone."""

import random
from collections import Counter

from tock_companion.core.answering import Answer, refuse
from tock_companion.core.bodies import CheckHand, Deal, DrawHand, SetHand
from tock_companion.core.fields import MAX_CARDS
from tock_companion.core.photographed_hand import judge
from tock_companion.core.requests import Reply, Request, Role
from tock_companion.core.state import CoreState
from tock_companion.errors import BadInputError
from tock_companion.events.facts import CardsDealt
from tock_companion.events.hands import Cards, Hand, Hands
from tock_companion.events.terms import card_term
from tock_rules import Card, Position, Seat, deal_plan


def set_hand(state: CoreState, request: Request, body: SetHand) -> Answer:
    cards, count = body.cards, body.count if body.count is not None else len(body.cards)
    if len(cards) > count:
        raise BadInputError(f"{len(cards)} cards in a hand of {count}")
    deck = _deck(state.position)
    too_many = [card for card, number in Counter(cards).items() if number > deck[card]]
    if too_many:
        raise BadInputError(f"the pack has fewer copies of {too_many[0]}")
    return _recorded(_seat_of(request), count, cards)


def draw_hand(state: CoreState, request: Request, body: DrawHand) -> Answer:
    """Deal a seat the cards it lacks, from those that are not known to be held or played."""
    # Drawing looks at every known hand: a person at the table could find out what others hold. For a far player
    # the companion asks, and chooses the seed.
    drawn = request.seat is not None and state.roster.far.get(request.seat) == "drawn"
    if request.seat not in state.roster.computers and not drawn:
        return refuse("not_allowed")
    if state.game.card is not None:
        return refuse("card_laid", card=card_term(state.game.card))
    seat, hands = _seat_of(request), state.hands
    hand = hands.of(seat) or Hand()
    count = hand.count or _usual_count(hands)
    gone = Counter(hands.played_since_shuffle)
    for held in hands.held.values():
        gone.update(held.cards)
    unseen = sorted((_deck(state.position) - gone).elements(), key=str)
    random.Random(body.seed).shuffle(unseen)
    return _recorded(seat, count, (*hand.cards, *unseen[: count - len(hand.cards)]))


def _recorded(seat: Seat, count: int, cards: Cards) -> Answer:
    """Record how many cards a seat holds and keep which they are; a recording gets the number alone."""
    return Answer(
        facts=[CardsDealt({seat.name: count})],
        hands={seat: cards} if cards else {},
        recorded_as=Request(SetHand(count=count), Role.SEAT, seat),
        concerns_board=False,
    )


def _usual_count(hands: Hands) -> int:
    """The number of cards in a new hand now: as many as the fullest known one has, else by the rules."""
    known = max((held.count for held in hands.held.values()), default=0)
    rounds = hands.plan.rounds
    return known or rounds[max(0, hands.deals - 1) % len(rounds)]


def check_hand(state: CoreState, request: Request, body: CheckHand) -> Answer:
    """Check the cards read from a photo against the rules; nothing is recorded."""
    hand = state.hands.of(_seat_of(request))
    size = hand.count if hand is not None else None
    played = Counter(state.hands.played_since_shuffle)
    judged = judge(body.readings, _deck(state.position), played, size)
    return Answer(Reply(True, data={"cards": [card.to_json() for card in judged], "size": size}))


def deal(state: CoreState, _request: Request, body: Deal) -> Answer:
    """Give everybody a new hand and forget the old ones."""
    if state.game.card is not None:
        return refuse("card_laid", card=card_term(state.game.card))
    count = body.count if body.count is not None else state.hands.next_deal
    if not 1 <= count <= MAX_CARDS:
        raise BadInputError(f"a hand of {count} cards")
    counts = {seat.name: count for seat in state.position.seats}
    return Answer(facts=[CardsDealt(counts)], concerns_board=False)


def _deck(position: Position) -> Counter[Card]:
    return Counter(deal_plan(position.ruleset, len(position.seats)).deck)


def _seat_of(request: Request) -> Seat:
    """The seat that asks for itself; the table of handlers admits no other."""
    if request.seat is None:
        raise BadInputError("only a seat has a hand")
    return request.seat
