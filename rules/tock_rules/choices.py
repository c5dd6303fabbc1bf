"""The kinds of action open to the seat to move: one answer for positions, whole games, the judge and the table.

A hand goes from a deal to the last card. In it every seat has a turn again and again, and a turn is one of these:

    a card owed to a mate       give                         nobody plays until all have given
    no card left                end                          the turn passes
    an owed discard             discard:1                    the whole turn
    the first card              play, else put away          one card or the whole hand, as the rules have it
                                throw                        the whole hand, to bring a pawn out (R002-30)
    another card (second move)  play, end                    nothing is put away in mid-turn (R000-39, R004-09) …
                                play, else discard:1         … but where the second move must be played (R000-46)
    after the last card         end
    after the game              nothing                      (open point A-41)

"Else" is the rule of compulsory play: a card is put away only if none can be played. A one-eyed Jack that could only
swap pawns of others is a choice, not a duty (R002-32), so beside it both are open.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tock_rules.actions import FlatMove
from tock_rules.mechanics import Mechanics
from tock_rules.rulebook import Rulebook, winners
from tock_rules.state import State


class Choices(NamedTuple):
    """The kinds of action that are open to the seat to move."""

    play: bool = False
    """A card can be played."""
    discard: int = 0
    """Exactly this many single cards are put away; 0 for none."""
    hand: bool = False
    """The whole hand is put away."""
    throw: bool = False
    """The whole hand is thrown to bring a pawn out."""
    give: bool = False
    """A card goes to the next mate."""
    end: bool = False
    """The turn may end without a card."""

    @property
    def names(self) -> tuple[str, ...]:
        """The open kinds by name, sorted: `discard:1`, `end`, `give`, `hand`, `play`, `throw`."""
        named = [f"discard:{self.discard}"] if self.discard else []
        named += [name for name in ("end", "give", "hand", "play", "throw") if getattr(self, name)]
        return tuple(named)


NOTHING = Choices()
GIVING = Choices(give=True)
ENDING = Choices(end=True)
PLAYING = Choices(play=True)
GOING_ON = Choices(play=True, end=True)
PAYING = Choices(discard=1)
LAYING_DOWN = Choices(hand=True)


class TurnState(NamedTuple):
    """The cards of the seat to move, as far as they decide its choices."""

    seat: int
    cards: int
    """Cards in the hand now."""
    holds_starter: bool
    """Whether one of them brings a pawn out."""
    dealt_starter: bool
    """Whether one of those dealt with this hand did, spent or not."""
    dealt: int
    """Cards that were dealt with this hand; 0 when that is not known."""
    played: int
    """Cards played in this turn."""
    stored: int
    """Second moves in store."""
    owes_gift: bool = False
    """The seat has still to give a card to a mate."""
    owes_discard: bool = False
    """An earlier card makes the seat put one away instead of a turn."""
    is_free: bool = False
    """Every card that can be played is one that need not be (`GameRules.never_forced`)."""


def choices_of(
    table: Mechanics, book: Rulebook, state: State, turn: TurnState, moves: Sequence[FlatMove]
) -> Choices:
    """The choices of a seat under the rules of `book`; `moves` are all moves of the cards that it holds."""
    if winners(table, state):
        return NOTHING
    if turn.owes_gift:
        return GIVING
    if not turn.cards:
        return ENDING
    if turn.owes_discard:
        return PAYING
    if turn.played:
        if not book.may_play_more(turn.stored, turn.played):
            return ENDING
        if book.must_play_more(turn.stored, turn.played):
            return PLAYING if moves else PAYING
        return GOING_ON if moves else ENDING
    throws = book.throws and book.may_throw(
        state, turn.seat, turn.cards, turn.dealt_starter or turn.holds_starter, turn.dealt
    )
    if moves and not (turn.is_free or book.may_put_away(moves, table.control(state, turn.seat))):
        return Choices(play=True, throw=True) if throws else PLAYING
    whole = book.lays_down(turn.holds_starter)
    return Choices(play=bool(moves), discard=0 if whole else 1, hand=whole, throw=throws)


def without_moves(book: Rulebook) -> Choices | None:
    """The choices of a seat whose first card cannot be any that it holds; None where they depend on its hand."""
    if book.throws or book.lays_starter_hand_down_only:
        return None
    return LAYING_DOWN if book.lays_hand_down else PAYING
