"""A seat's own hand, for that seat's view alone."""

from dataclasses import replace
from typing import Literal

from tock_companion.views.schema import HandInfo, WithheldInfo
from tock_companion.views.state import TableState
from tock_rules import Card, Seat, deal_plan, pack, turn_options, why_not_put_away


def hand_view(state: TableState, seat: Seat) -> HandInfo:
    """The seat's cards with the number of legal moves of each, and the data for entering them."""
    hand = state.hands.of(seat)
    # Players think during other people's turns too, so moves are counted as if it were this seat's turn.
    position = state.position
    mine = (
        position if position.to_move is seat else replace(position, to_move=seat, cards_played=0, arrived=0)
    )
    moves = {card: len(mine.legal_moves(card)) for card in dict.fromkeys(hand.cards if hand else ())}
    return {
        "cards": [{"card": str(card), "moves": moves[card]} for card in hand.cards] if hand else [],
        "missing": hand.missing if hand is not None else None,
        "doubtful": hand.doubtful if hand is not None else False,
        "whole": _whole(state, seat),
        "next_deal": state.hands.next_deal,
        "packs": packs(state),
        "received": _received(state, seat),
        "withheld": _withheld(state, seat),
    }


def _received(state: TableState, seat: Seat) -> str | None:
    """The card of the seat's mate, once everybody has given."""
    exchange = state.hands.exchange
    gift = None if exchange.givers else exchange.gift_to(seat)
    return None if gift is None or gift.card is None else str(gift.card)


def _withheld(state: TableState, seat: Seat) -> WithheldInfo | None:
    """The owner of the seat's hidden cards."""
    kept, hand = state.withheld.get(seat), state.hands.of(seat)
    if kept is None or hand is None or not hand.count:
        return None
    return {"name": kept.name, "computer": kept.computer, "refused": kept.refused}


def _whole(state: TableState, seat: Seat) -> list[Literal["down", "throw"]]:
    """The ways in which the whole hand may leave now: `down` where the rules want that, `throw` to bring a pawn out."""
    hand, position = state.hands.of(seat), state.position
    if hand is None or not hand.sure or seat is not position.to_move or state.game.card is not None:
        return []
    choices = turn_options(state.hands.informing(position), hand.cards).choices
    ways: list[Literal["down", "throw"]] = []
    if choices.hand and len(hand.cards) > 1:
        ways.append("down")
    if choices.throw:
        ways.append("throw")
    return ways


def packs(state: TableState) -> int:
    """The number of equal cards in the pack."""
    deck = deal_plan(state.position.ruleset, len(state.position.seats)).deck
    return max(1, len(deck) // len(pack(1, state.position.ruleset.jokers)))


def cards_to_lay(state: TableState, seat: Seat) -> list[str]:
    """The cards that the seat may lay: its hand where that is known, else the whole pack."""
    hand = state.hands.of(seat)
    known: tuple[Card, ...] = hand.cards if hand is not None and not hand.doubtful else ()
    return [str(card) for card in dict.fromkeys(known or pack(1, state.position.ruleset.jokers))]


def cards_that_help(state: TableState, seat: Seat) -> list[str]:
    """The few cards of the pack with which the seat can move now; none while its hand is known, or most cards do."""
    hand, position = state.hands.of(seat), state.position
    if (hand is not None and hand.cards) or seat is not position.to_move or state.game.card is not None:
        return []
    whole = pack(1, position.ruleset.jokers)
    helping = [card for card in whole if position.legal_moves(card)]
    return [str(card) for card in helping] if len(helping) < len(whole) / 2 else []


def may_throw_away(state: TableState, seat: Seat) -> bool:
    """Whether the seat's hand, as far as it is known, allows throwing a single card away on its turn."""
    hand, position, laid = state.hands.before_play(seat), state.position, state.game.card
    cards = hand.cards if hand is not None and hand.sure else () if laid is None else (laid,)
    if not cards:
        return not position.cards_played or position.must_play_more
    choices = turn_options(state.hands.informing(position), cards).choices
    return why_not_put_away(choices, 1, len(cards), position.cards_played) is None
