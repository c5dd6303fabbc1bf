"""Advises a seat at the table: on the move to make, or the one it has just made."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tock_companion.events.hand import Hand
from tock_companion.events.hands import Hands
from tock_companion.hints.knowledge import Knowledge
from tock_companion.views.state import TableState
from tock_rules import Card, Position, Seat


@dataclass(frozen=True)
class Moment:
    """A decision of one seat, with no more than the seat knows of it."""

    knowledge: Knowledge
    laid: Card | None
    """The card that already lies on the table."""
    played: str | None = None
    """The text of the move that was made, where it has been made."""
    card: Card | None = None
    """The card of that move."""
    gives: bool = False
    """A card for the seat's mate is to be chosen."""


def moment_now(state: TableState, seat: Seat) -> Moment | None:
    """The decision that the seat must take now; None when it is not its turn or no card of it is known."""
    game = state.game
    if seat is not state.position.to_move or game.ended is not None or game.paused or state.must_give:
        return None
    held = state.hands.of(seat) or Hand()
    cards = held.cards if game.card is None else (game.card, *held.cards)
    if not cards:
        return None
    left = [left.card for left in state.hands.played]
    position = state.hands.informing(state.position)
    return Moment(_knowledge(state, position, cards, held.missing, left), game.card)


def moment_to_give(state: TableState, seat: Seat) -> Moment | None:
    """The card for its mate that the seat must choose now; None where none is, or where a card of it is not known."""
    held = state.hands.of(seat)
    if seat not in state.givers or held is None or not held.sure:
        return None
    position = replace(state.position, to_move=seat, cards_played=0, arrived=0)
    left = [left.card for left in state.hands.played]
    return Moment(_knowledge(state, position, held.cards, 0, left), None, gives=True)


def moment_before(state: TableState, seat: Seat) -> Moment | None:
    """The decision behind the seat's newest move; None when there is none or its hand was not known."""
    played = next((played for played in reversed(state.game.moves) if played.seat is seat), None)
    if played is None:
        return None
    turn = next((turn for turn in state.game.turns if turn.seq == played.seq), None)
    left = next((left for left in state.hands.played if left.seq == played.seq), None)
    if turn is None or left is None or left.before is None or played.card not in left.before.cards:
        return None
    earlier = [other.card for other in state.hands.played if other.seq < played.seq]
    knowledge = _knowledge(state, turn.before, left.before.cards, left.before.missing, earlier)
    return Moment(knowledge, None, played.move.text, played.card)


def _knowledge(
    state: TableState, position: Position, cards: Sequence[Card], missing: int, left: Sequence[Card]
) -> Knowledge:
    seat = position.to_move
    counts = {
        other: hand.count for other, hand in state.hands.held.items() if other is not seat and hand.count
    }
    known = replace(position, hand_dealt=state.hands.cards_dealt if state.hands.deals else 0)
    own = Knowledge(known, tuple(cards), counts, (), missing)
    return replace(own, discards=_since_shuffled(own, state.hands, left))


def _since_shuffled(own: Knowledge, hands: Hands, left: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that left the hands since the pack was last shuffled, as far as the log tells."""
    plan, players = own.plan, len(own.position.seats)
    if plan.stock:
        # A stock that has been drawn empty is renewed from the used cards.
        start = len(left) // plan.stock * plan.stock
    else:
        deals = range(hands.shuffled[0], max(1, hands.deals) + 1)
        dealt = sum(plan.rounds[hands.hand_number(deal).number] for deal in deals) * players
        held = sum(own.count(seat) for seat in own.position.seats if seat is not own.seat)
        start = len(left) - (dealt - held - len(own.hand) - own.missing)
    unseen = list(plan.deck)
    for card in own.hand:
        if card in unseen:
            unseen.remove(card)
    kept = []
    for card in left[max(0, start) :]:
        # A wrongly entered card may not fit the pack: advice does without it.
        if card in unseen:
            unseen.remove(card)
            kept.append(card)
    return tuple(kept)
