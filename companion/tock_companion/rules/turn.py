"""What a seat may do on its turn besides moving: discard, lay the hand down, throw it away, play again."""

from collections.abc import Sequence
from dataclasses import dataclass

from tock_companion.rules.actions import CardAction, code_of
from tock_companion.rules.cards import Card, Rank
from tock_companion.rules.geometry import CAMP
from tock_companion.rules.position import Position
from tock_companion.rules.ruleset import Ruleset


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
    """What follows a played card."""

    draw_count: int
    second_move: tuple[str, ...]
    """Some of `now` and `later`."""
    stored_if_later: int | None


def is_starter(rules: Ruleset, card: Card) -> bool:
    """Whether the card brings a pawn out under these rules."""
    return CardAction(rules, code_of(card)).start


def turn_options(position: Position, hand: Sequence[Card]) -> TurnOptions:
    """Return what the seat to move may do with this hand."""
    rules = position.ruleset
    state, seat = position.board.state, position.to_move
    playable: list[Card] = []
    compulsory = False
    for card in hand:
        flats = position.engine.moves(state, seat, code_of(card), position.arrived)
        if flats:
            playable.append(card)
            own = position.engine.control(state, seat)
            # "One of his marbles" (R002-32): swapping two others is a choice, not a duty.
            if rules.one_eyed_compulsory or not all(
                position.engine.swaps_only_others(flat, own) for flat in flats
            ):
                compulsory = True
    discard = not (compulsory and rules.forced_play)
    out, drawn = discard_counts(rules, hand) if discard else (0, 0)
    return TurnOptions(tuple(playable), discard, out, drawn, throw_exit(position, hand))


def discard_counts(rules: Ruleset, hand: Sequence[Card]) -> tuple[int, int]:
    """Return how many cards go out and how many are drawn when nothing can be played (SPEC A-09, A-10)."""
    starter = any(is_starter(rules, card) for card in hand)
    draws = rules.draw_after_card
    if rules.no_play == "hand_down" or (rules.no_play == "by_starter" and starter):
        return len(hand), rules.hand_size if draws else 0
    return min(1, len(hand)), 1 if draws else 0


def throw_exit(position: Position, hand: Sequence[Card]) -> ThrowExit | None:
    """Return whether the whole hand may be thrown to bring a pawn out, and where to (SPEC A-15)."""
    rules, board, seat = position.ruleset, position.board, position.to_move
    if rules.throw_exit == "off":
        return None
    cells = board.cells_of(seat)
    in_play = any(CAMP < cell <= board.shape.centre for cell in cells)
    starter = seat in position.dealt_starter or any(is_starter(rules, card) for card in hand)
    late = rules.throw_exit == "first_turn" and position.hand_dealt not in (0, len(hand))
    if in_play or starter or late or CAMP not in cells or not 4 <= len(hand) <= 6:
        return ThrowExit(False, None)
    return ThrowExit(True, f"T{board.shape.start(seat) + len(hand)}")


def after_play(rules: Ruleset, card: Card, stored_before: int = 0, came_out: bool = False) -> AfterPlay:
    """Return what the player of a card draws and whether a second move follows."""
    joker = card.rank is Rank.JOKER and rules.joker_second_move
    draw = 1 if rules.draw_after_card or joker else 0
    if not joker or (came_out and rules.joker_second_when == "advance_only"):
        return AfterPlay(draw, (), None)
    if rules.joker_second_compulsory or 0 < rules.joker_store_limit <= stored_before:
        return AfterPlay(draw, ("now",), None)
    return AfterPlay(draw, ("now", "later"), stored_before + 1)


def is_binding(position: Position, card: Card) -> bool:
    """Whether a card that was laid must be played: where it can be, it cannot be taken back (R002-36, SPEC A-18)."""
    flats = position.engine.moves(position.board.state, position.to_move, code_of(card), position.arrived)
    return position.ruleset.laid_card_binding and bool(flats)
