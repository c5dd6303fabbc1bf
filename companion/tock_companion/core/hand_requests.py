"""Handles hands that seats enter: kept in the private part of the store, shown to that seat alone."""

from collections import Counter

from tock_companion.core.answering import Answer, refuse
from tock_companion.core.bodies import CheckHand, Deal, DrawHand, Give, SetHand
from tock_companion.core.fields import MAX_CARDS
from tock_companion.core.photographed_hand import judge
from tock_companion.core.requests import Reply, Request, Role
from tock_companion.core.state import CoreState
from tock_companion.errors import BadInputError
from tock_companion.events.facts import CardsDealt, Fact, TurnEnded
from tock_companion.events.hand import Cards, Hand
from tock_companion.events.stock import drawn_hand, used_cards
from tock_companion.events.terms import card_term, seat_term
from tock_rules import Card, Position, Seat, deal_plan


def set_hand(state: CoreState, request: Request, body: SetHand) -> Answer:
    """Tell a seat's own cards, or how many it holds; drawn cards are known already."""
    if state.roster.far.get(_seat_of(request)) == "drawn":
        return refuse("not_allowed")
    cards, count = body.cards, body.count if body.count is not None else len(body.cards)
    if len(cards) > count:
        raise BadInputError(f"{len(cards)} cards in a hand of {count}")
    deck = _deck(state.position)
    too_many = [card for card, number in Counter(cards).items() if number > deck[card]]
    if too_many:
        raise BadInputError(f"the pack has fewer copies of {too_many[0]}")
    return _recorded(_seat_of(request), count, cards)


def draw_hand(state: CoreState, request: Request, _body: DrawHand) -> Answer:
    """Deal a seat the cards it lacks, from those that are not known to be held or played."""
    seat, roster = _seat_of(request), state.roster
    # Drawing looks at every known hand: a person at the table could find out what others hold.
    if not _is_dealt_by_companion(state, seat):
        return refuse("not_allowed")
    if state.game.card is not None:
        return refuse("card_laid", card=card_term(state.game.card))
    player = roster.players.get(seat) or roster.computers.get(seat, "")
    drawn = drawn_hand(state.hands, seat, player, state.secret)
    return refuse("no_draw", seat=seat_term(seat)) if drawn is None else _recorded(seat, *drawn)


def give(state: CoreState, request: Request, body: Give) -> Answer:
    """Lay a card aside for the seat's mate, or take it back; once everybody has given, all change hands."""
    seat, hands, card = _seat_of(request), state.hands, body.card
    exchange, own = hands.exchange, hands.exchange.gift_of(seat)
    is_back = body.how == "withdrawn"
    if not state.givers or (own is None if is_back else seat not in exchange.givers):
        return refuse("no_gift")
    hand = hands.of(seat) or Hand(missing=hands.cards_dealt)
    mine, mates = hand.cards, {}
    if own is not None:
        hand = hand.with_card(own.card) if own.named else hand
        mine = hand.cards
    elif body.how == "unnamed":
        if _is_dealt_by_companion(state, seat) and mine:
            return refuse("not_allowed")
    elif mine and card is None:
        return refuse("bad_request", reason="'card' is missing")
    elif card is not None and not hand.may_have(card):
        return refuse("not_held", card=card_term(card))
    elif card is not None:
        mine, mates = hand.without(card).cards, {exchange.mates[seat]: (card,)}
    cards = {seat: mine} if mine and body.how != "unnamed" else {}
    return Answer(
        facts=[CardsDealt({seat.name: hand.count}, body.how)],
        hands={**cards, **mates},
        recorded_as=Request(Give(how=body.how), Role.SEAT, seat),
    )


def _is_dealt_by_companion(state: CoreState, seat: Seat) -> bool:
    roster = state.roster
    return not roster.has_pack or seat in roster.computers or roster.far.get(seat) == "drawn"


def _recorded(seat: Seat, count: int, cards: Cards) -> Answer:
    """Record how many cards a seat holds and keep which they are; a recording gets the number alone."""
    return Answer(
        facts=[CardsDealt({seat.name: count})],
        hands={seat: cards} if cards else {},
        recorded_as=Request(SetHand(count=count), Role.SEAT, seat),
        concerns_board=False,
    )


def check_hand(state: CoreState, request: Request, body: CheckHand) -> Answer:
    """Check the cards read from a photo against the rules; nothing is recorded."""
    hand = state.hands.of(_seat_of(request))
    size = hand.count if hand is not None else None
    played = Counter(used_cards(state.hands))
    judged = judge(body.readings, _deck(state.position), played, size)
    return Answer(Reply(True, data={"cards": [card.to_json() for card in judged], "size": size}))


def deal(state: CoreState, request: Request, body: Deal) -> Answer:
    """Give everybody a new hand and forget the old ones; the player left of the dealer begins."""
    hands = state.hands
    if state.game.card is not None:
        return refuse("card_laid", card=card_term(state.game.card))
    if request.seat in state.roster.far and any(held.count for held in hands.held.values()):
        return refuse("deal_early")
    count = body.count if body.count is not None else hands.next_deal
    if not 1 <= count <= MAX_CARDS:
        raise BadInputError(f"a hand of {count} cards")
    counts = {seat.name: count for seat in state.position.seats}
    return Answer(facts=[CardsDealt(counts), *_passed_to_first(state)], concerns_board=False)


def _passed_to_first(state: CoreState) -> list[Fact]:
    """The turn goes to the seat that begins the new hand.

    It stays where a stock is drawn from, and where players report the first deal after play has begun.
    """
    hands, turn = state.hands, state.position.to_move
    first = Seat(hands.hand_number(hands.deals + 1).first)
    late = not hands.deals and bool(state.game.turns)
    if hands.plan.stock is not None or late or (first is turn and not state.game.moved):
        return []
    return [TurnEnded(turn.name, first.name)]


def _deck(position: Position) -> Counter[Card]:
    return Counter(deal_plan(position.ruleset, len(position.seats)).deck)


def _seat_of(request: Request) -> Seat:
    """The seat that asks for itself; the table of handlers admits no other."""
    if request.seat is None:
        raise BadInputError("only a seat has a hand")
    return request.seat
