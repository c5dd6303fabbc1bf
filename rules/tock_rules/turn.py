"""The choices of a turn with a hand of cards, and the consequences of a card played."""

from dataclasses import dataclass

from tock_rules.actions import ROW_NAMES, CardAction, code_of
from tock_rules.cards import Card, Rank, cards_of
from tock_rules.choices import Choices
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
    choices: Choices
    """The kinds of action that are open."""


@dataclass(frozen=True)
class AfterPlay:
    """The consequences of a played card."""

    draw_count: int
    second_move: tuple[str, ...]
    """Some of `now` and `later`."""
    stored_if_later: int | None
    next_discards: int | None = None
    """Cards that the next player loses together with the turn; None where no card of the game does that."""


def is_starter(rules: Ruleset, card: Card) -> bool:
    """Whether the card brings a pawn out under these rules."""
    return CardAction(rules, code_of(card)).start


def turn_options(position: Position, hand: Cards, *, owes_gift: bool = False) -> TurnOptions:
    """The choices of the seat to move with this hand; `owes_gift` where it has still to give a card to a mate."""
    cards, book = cards_of(hand), position.rulebook
    choices = position.choices(cards, owes_gift=owes_gift)
    playable = [card for card in cards if position.can_play(card)] if choices.play else ()
    thrown = position.throw_move(cards) if choices.throw else None
    to = None if thrown is None else position.shape.place_text(thrown.parts[0].to_cell)
    return TurnOptions(
        tuple(playable),
        choices.discard > 0 or choices.hand,
        len(cards) if choices.hand else choices.discard,
        book.draw_count(False) * (book.hand_size if choices.hand else choices.discard),
        ThrowExit(choices.throw, to) if book.throws else None,
        choices,
    )


def after_play(
    rules: Ruleset, card: Card, stored_before: int = 0, came_out: bool = False, burned: bool = False
) -> AfterPlay:
    """The consequences of a card played, or put away or `burned` so that the next player loses one."""
    book, joker = rulebook_for(rules), card.rank is Rank.JOKER
    draw = book.draw_count(joker)
    if not book.gives_second_move(joker, came_out):
        rows = [rules.row(name) for name in ROW_NAMES[1:]]
        hits = burned or CardAction(rules, code_of(card)).row.burns
        return AfterPlay(draw, (), None, int(hits) if any(row.burn or row.burns for row in rows) else None)
    stored = book.stored_after(stored_before, 0, True)
    if book.must_play_more(stored, 1):
        return AfterPlay(draw, ("now",), None)
    return AfterPlay(draw, ("now", "later"), stored)


def is_binding(position: Position, card: Card) -> bool:
    """Whether a laid card must be played: if it can be, it is not taken back (R002-36, open point A-18)."""
    return position.ruleset.laid_card_binding and bool(position.legal_moves(card))
