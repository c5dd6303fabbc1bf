"""What seats tell about their hands: kept in the private part of the store, shown to that seat alone."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from tock_companion.errors import BadInputError
from tock_companion.events.facts import CardsDealt, Fact, TurnEnded
from tock_companion.events.game import Game
from tock_companion.events.hands import Cards, Hand, Hands
from tock_companion.rules import Card, Position, Seat, deal_plan, parse_hand, turn_options
from tock_companion.table.photographed import Read, judge
from tock_companion.table.requests import Reply, Request, Role, refused

HAND_REQUESTS = frozenset({"hand_set", "hand_check", "hand_draw", "deal"})
MOST_CARDS = 16
"""Nobody holds more cards than this, whatever the rules."""

Told = tuple[Reply, list[Fact], Mapping[Seat, Cards]]
"""The reply, the public facts, and the cards that go with the first of them into the private part of the store."""


@dataclass(frozen=True, slots=True)
class Telling:
    """The hands of one table at the moment of a request."""

    game: Game
    position: Position
    hands: Hands

    def answer(self, request: Request) -> Told:
        """Judge one of `HAND_REQUESTS`."""
        if self.game.ended is not None:
            return refused("over"), [], {}
        try:
            if request.kind == "deal":
                return self._deal(request)
            if request.kind == "hand_check":
                return self._check(request), [], {}
            if request.kind == "hand_draw":
                return self._draw(request)
            return self._tell(request)
        except BadInputError as error:
            return refused("bad_request", reason=str(error)), [], {}

    def _tell(self, request: Request) -> Told:
        seat = request.seat
        if request.role is not Role.SEAT or seat is None or seat not in self.position.seats:
            return refused("not_allowed"), [], {}
        cards = parse_hand(request.data.get("cards", []))
        count = _number(request.data, "count", len(cards))
        if not len(cards) <= count <= MOST_CARDS:
            raise BadInputError(f"a hand of {max(count, len(cards))} cards")
        self._check_pack(cards)
        return Reply(True), [CardsDealt({seat.name: count})], {seat: cards} if cards else {}

    def _draw(self, request: Request) -> Told:
        """Deal a seat the cards it lacks, from those that nobody is known to hold and that were not played."""
        seat = request.seat
        if request.role is not Role.SEAT or seat is None or seat not in self.position.seats:
            return refused("not_allowed"), [], {}
        if self.game.card is not None:
            return refused("card_laid", card=str(self.game.card)), [], {}
        hand = self.hands.of(seat) or Hand()
        count = hand.count or self._usual_count()
        gone = Counter(self.hands.played_since_shuffle)
        for held in self.hands.held.values():
            gone.update(held.cards)
        spare = sorted((self._deck() - gone).elements(), key=str)
        random.Random(_number(request.data, "seed", 0)).shuffle(spare)
        cards = (*hand.cards, *spare[: count - len(hand.cards)])
        return Reply(True), [CardsDealt({seat.name: count})], {seat: cards}

    def _usual_count(self) -> int:
        """Return how many cards a new hand has now: as many as the fullest known one, else by the rules."""
        known = max((held.count for held in self.hands.held.values()), default=0)
        rounds = self.hands.plan.rounds
        return known or rounds[max(0, self.hands.deals - 1) % len(rounds)]

    def _check(self, request: Request) -> Reply:
        """Say what the cards read from a photo can be under the rules; nothing is recorded."""
        seat, readings = request.seat, request.data.get("readings")
        if request.role is not Role.SEAT or seat is None or seat not in self.position.seats:
            return refused("not_allowed")
        if not isinstance(readings, list) or len(readings) > MOST_CARDS:
            raise BadInputError(f"'readings' is a list of at most {MOST_CARDS}")
        hand = self.hands.of(seat)
        size = hand.count if hand is not None else None
        played = Counter(self.hands.played_since_shuffle)
        judged = judge([Read.of(reading) for reading in readings], self._deck(), played, size)
        return Reply(True, data={"cards": [card.to_json() for card in judged], "size": size})

    def _deck(self) -> Counter[Card]:
        return Counter(deal_plan(self.position.ruleset, len(self.position.seats)).deck)

    def _check_pack(self, cards: Cards) -> None:
        """Refuse more cards of a kind than the game has."""
        deck = self._deck()
        too_many = [card for card, count in Counter(cards).items() if count > deck[card]]
        if too_many:
            raise BadInputError(f"{too_many[0]} is not so often in the pack")

    def _deal(self, request: Request) -> Told:
        if request.role not in (Role.SEAT, Role.HOST):
            return refused("not_allowed"), [], {}
        if self.game.card is not None:
            return refused("card_laid", card=str(self.game.card)), [], {}
        count = _number(request.data, "count", self.hands.next_deal)
        if not 1 <= count <= MOST_CARDS:
            raise BadInputError(f"a hand of {count} cards")
        return Reply(True), [CardsDealt({seat.name: count for seat in self.position.seats})], {}

    def passed(self, request: Request) -> list[Fact]:
        """Return what lets a computer without cards pass: it has thrown its hand, and others still play (R002-30)."""
        seat, hand = self.position.to_move, self.hands.of(self.position.to_move)
        game = self.game
        asked = request.kind == "end_turn" and request.seat is seat
        out = hand is not None and not hand.count and any(held.count for held in self.hands.held.values())
        busy = game.moved or game.paused or game.card is not None or game.ended is not None
        if busy or not asked or not out:
            return []
        return [TurnEnded(seat.name, self.position.end_turn().to_move.name)]

    def refusal(self, request: Request) -> Reply | None:
        """Return why a known hand forbids throwing cards away; None when nothing is known against it."""
        if request.kind not in ("discard", "throw_hand") or request.seat is None:
            return None
        hand = self.hands.before_play(request.seat)
        if hand is None or not hand.sure or request.seat is not self.position.to_move:
            return None
        told = request.data.get("cards")
        if told is not None and (not isinstance(told, list) or sorted(told) != sorted(map(str, hand.cards))):
            return refused("bad_request", reason="'cards'")
        if request.kind == "throw_hand" or turn_options(self.position, hand.cards).discard_allowed:
            return None
        return refused("hand_playable")


def redacted(request: Request) -> dict[str, object]:
    """Return the data of a request as a recording may hold it: of a hand only how many cards it has."""
    if request.kind == "hand_check":
        return {}
    if request.kind != "hand_set":
        return dict(request.data)
    cards = request.data.get("cards")
    told = len(cards) if isinstance(cards, list) else 0
    return {"count": request.data.get("count", told)}


def _number(data: Mapping[str, object], key: str, usual: int) -> int:
    value = data.get(key, usual)
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadInputError(f"'{key}' must be a number")
    return value
