"""The cards that the companion draws for computers and far players, as if from a stock shuffled beforehand.

The order of the stock follows from a secret of the game: after a move was taken back, the same draw gives the same
cards, and nobody without the secret can work them out.
"""

import hmac
from collections import Counter

from tock_companion.events.hand import Cards, Hand
from tock_companion.events.hands import Hands
from tock_rules import Card, Seat


def drawn_hand(hands: Hands, seat: Seat, player: str, secret: bytes) -> tuple[int, Cards] | None:
    """The size and the cards of a seat's hand once the missing ones are drawn; None where it has no cards.

    Another `player`, by name or strength, draws other cards at the same seat: hidden cards stay with their player.
    """
    hand = hands.of(seat) or Hand(missing=_expected(hands, seat))
    if not hand.count:
        return None
    gone = Counter(used_cards(hands))
    for held in hands.held.values():
        gone.update(held.cards)
    place = f"{_shuffles(hands)} {seat.name} {player}"
    gone.update(hands.exchange.hidden_cards(hands.held))
    order: list[tuple[bytes, Card]] = []
    for card, copies in Counter(hands.plan.deck).items():
        keys = (hmac.digest(secret, f"{place} {card} {copy}".encode(), "sha256") for copy in range(copies))
        # Equal cards leave in the order in which they are drawn.
        order += [(key, card) for key in sorted(keys)[gone[card] :]]
    drawn = sorted(order, key=lambda entry: entry[0])[: hand.missing]
    return hand.count, (*hand.cards, *(card for _, card in drawn))


def _expected(hands: Hands, seat: Seat) -> int:
    """The size of a hand that nobody entered: as dealt, without the cards played since."""
    if hands.plan.stock is not None:
        return hands.cards_dealt
    played = [left for left in hands.played if left.seat is seat and left.seq > hands.dealt_at]
    return max(0, hands.cards_dealt - len(played))


def used_cards(hands: Hands) -> Cards:
    """The cards that have left the pack since it was shuffled, as far as the log has them."""
    _, since = hands.shuffled
    played = tuple(left.card for left in hands.played if left.seq > since)
    played = played[_renewals(hands) * (hands.plan.stock or 0) :]
    return played if hands.laid is None else (*played, hands.laid.card)


def _renewals(hands: Hands) -> int:
    """How often the used cards have become the stock; for each card played one is drawn."""
    (_, since), stock = hands.shuffled, hands.plan.stock
    played = sum(left.seq > since for left in hands.played)
    return (played - 1) // stock if stock and played else 0


def _shuffles(hands: Hands) -> str:
    """Names the shuffle of the present stock or pack among those of the game."""
    return f"{hands.shuffled[0] if hands.deals else 0} {_renewals(hands)}"
