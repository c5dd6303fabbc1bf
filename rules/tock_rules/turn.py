"""The actions of a turn besides moving: discard, lay the hand down, throw it away, play again."""

from collections.abc import Sequence
from dataclasses import dataclass

from tock_rules.actions import CardAction, code_of
from tock_rules.cards import Card, Rank, cards_of
from tock_rules.position import Cards, Position
from tock_rules.rulebook import rulebook_for
from tock_rules.ruleset import Ruleset


@dataclass(frozen=True)
class ThrowExit:
    """The exit without a starter (R002-30)."""

    allowed: bool
    to: str | None
    """Track hole the pawn is put on."""


@dataclass(frozen=True)
class TurnOptions:
    """The choices of a hand."""

    playable: tuple[Card, ...]
    discard_allowed: bool
    discard_count: int
    """Cards that go out of the hand when discarding is allowed, else 0."""
    draw_count: int
    throw_exit: ThrowExit | None
    """None where the ruleset does not know it."""


@dataclass(frozen=True)
class AfterPlay:
    """The consequences of a played card."""

    draw_count: int
    second_move: tuple[str, ...]
    """Some of `now` and `later`."""
    stored_if_later: int | None


def is_starter(rules: Ruleset, card: Card) -> bool:
    """Whether the card brings a pawn out under these rules."""
    return CardAction(rules, code_of(card)).start


def turn_options(position: Position, hand: Cards) -> TurnOptions:
    """The actions of the seat to move with this hand."""
    cards = cards_of(hand)
    book, state, seat = position.rulebook, position.board.state, position.to_move
    found = [position.engine.moves(state, seat, code_of(card), position.arrived) for card in cards]
    playable = tuple(card for card, flats in zip(cards, found, strict=True) if flats)
    all_moves = [flat for flats in found for flat in flats]
    discard = book.may_put_away(all_moves, position.engine.control(state, seat))
    out, drawn = discard_counts(position.ruleset, cards) if discard else (0, 0)
    return TurnOptions(playable, discard, out, drawn, throw_exit(position, cards))


def discard_counts(rules: Ruleset, hand: Sequence[Card]) -> tuple[int, int]:
    """Numbers of cards that go out and that are drawn when nothing can be played (open points A-09, A-10)."""
    book = rulebook_for(rules)
    if book.lays_down(any(is_starter(rules, card) for card in hand)):
        return len(hand), book.hand_size if book.draws else 0
    return min(1, len(hand)), 1 if book.draws else 0


def throw_exit(position: Position, hand: Sequence[Card]) -> ThrowExit | None:
    """Whether the whole hand may be thrown to bring a pawn out, and where to; None where the rules do not have it."""
    if not position.rulebook.throws:
        return None
    move = position.throw_move(hand)
    return ThrowExit(move is not None, position.shape.place_text(move.parts[0].to_cell) if move else None)


def after_play(rules: Ruleset, card: Card, stored_before: int = 0, came_out: bool = False) -> AfterPlay:
    """The cards drawn for a played card, and whether a second move follows."""
    book, joker = rulebook_for(rules), card.rank is Rank.JOKER
    draw = book.draw_count(joker)
    if not book.gives_second_move(joker, came_out):
        return AfterPlay(draw, (), None)
    stored = book.stored_after(stored_before, 0, True)
    if book.must_play_more(stored, 1):
        return AfterPlay(draw, ("now",), None)
    return AfterPlay(draw, ("now", "later"), stored)


def is_binding(position: Position, card: Card) -> bool:
    """Whether a laid card must be played: if it can be, it is not taken back (R002-36, open point A-18)."""
    return position.ruleset.laid_card_binding and bool(position.legal_moves(card))
