"""The rules of a turn besides moving pawns: second moves, compulsory play, putting cards away, winning.

Each rule stands here once, over plain values, for the position, the whole-game engine and the explanations. Cards are
only jokers and starters here, and a move is the engine's.
"""

from collections.abc import Sequence
from functools import lru_cache

from tock_rules.actions import KIND, MOVER, PART, ROW_NAMES, SWAP, VIA, FlatMove
from tock_rules.card_actions import OWN_ROWS
from tock_rules.mechanics import Mechanics
from tock_rules.ruleset import Ruleset
from tock_rules.seats import PAWNS_PER_SEAT, ZONE_LENGTH
from tock_rules.state import State

MIN_THROWN = 4
MAX_THROWN = 6
"""Hands of 4 to 6 cards may be thrown: as many holes after the start the pawn is put (R002-30, open point A-15)."""


class Rulebook:
    """The rules of a turn under one ruleset."""

    def __init__(self, rules: Ruleset) -> None:
        """Look up the switches once, because every turn needs them."""
        self.draws = rules.draw_after_card
        self.hand_size = rules.hand_size
        self.forced = rules.forced_play
        self.throws = rules.throw_exit != "off"
        self.throws_first_hand_only = rules.throw_exit == "first_turn"
        self.lays_hand_down = rules.no_play != "discard_one"
        self.lays_starter_hand_down_only = rules.no_play == "by_starter"
        self.second_moves = rules.joker_second_move and rules.jokers
        self.second_for_coming_out = rules.joker_second_when == "any_use"
        self.second_at_once = rules.joker_second_compulsory
        self.store_limit = rules.joker_store_limit
        self.others_jack_counts = rules.one_eyed_compulsory
        self.never_forced = {
            code: rules.never_forced[name]
            for code, row in enumerate(ROW_NAMES)
            if (name := OWN_ROWS.get(row, row)) in rules.never_forced
        }
        """Card codes that need not be played, and when."""

    # -- second moves --

    def gives_second_move(self, joker: bool, came_out: bool) -> bool:
        """Whether a card gives another move (R000-44, R001-13, R003-36, R004-14)."""
        return joker and self.second_moves and (self.second_for_coming_out or not came_out)

    def stored_after(self, stored: int, cards_played: int, gives_second_move: bool) -> int:
        """Second moves in store after a card; every card of a turn but the first uses one up."""
        if cards_played and stored:
            stored -= 1
        return stored + 1 if gives_second_move else stored

    def may_play_more(self, stored: int, cards_played: int) -> bool:
        """Whether the seat may play another card in this turn."""
        return cards_played == 0 or stored > 0

    def must_play_more(self, stored: int, cards_played: int) -> bool:
        """Whether it must: the second move cannot be kept, or the store is full (R000-46)."""
        if cards_played == 0 or stored == 0:
            return False
        return self.second_at_once or 0 < self.store_limit < stored

    def kept(self, stored: int) -> int:
        """Second moves that outlast the turn; those that cannot be kept are lost (open point A-23)."""
        if self.second_at_once:
            return 0
        return self.store_limit if 0 < self.store_limit < stored else stored

    # -- cards --

    def draw_count(self, joker: bool) -> int:
        """Cards drawn after a played card: where jokers give second moves, also for a joker (open point A-22)."""
        return 1 if self.draws or (joker and self.second_moves) else 0

    def lays_down(self, has_starter: bool) -> bool:
        """Whether a hand without a playable card is laid down whole, not one card of it (open point A-09)."""
        return self.lays_hand_down and (has_starter or not self.lays_starter_hand_down_only)

    def may_put_away(self, moves: Sequence[FlatMove], control: tuple[int, ...]) -> bool:
        """Whether a card may be put away although these moves are open (R002-32).

        "One of his marbles": to swap two pawns of others with a one-eyed Jack is a choice, not a duty.
        """
        if not self.forced:
            return True
        if self.others_jack_counts:
            return not moves
        return all(swaps_only_others(move, control) for move in moves)

    def may_keep(self, playable: Sequence[int], cards: int) -> bool:
        """Whether a card may be put away beside these playable ones, of a hand of that many cards."""
        return bool(playable) and all(
            self.never_forced.get(code) == "always"
            or (self.never_forced.get(code) == "beside_others" and cards > 1)
            for code in playable
        )

    def keeps_last(self, code: int, hand: Sequence[int]) -> bool:
        """Whether the card is kept because it is the only one of its kind beside which others may be put away."""
        return self.never_forced.get(code) == "beside_others" and hand.count(code) == 1

    def may_throw(
        self, state: State, seat: int, cards: int, was_dealt_starter: bool, cards_dealt: int
    ) -> bool:
        """Whether the seat may throw its hand to bring a pawn out (R002-30, R002-31, open point A-15).

        `cards_dealt` is the size of the hand when it was dealt, 0 when that is not known.
        """
        if not self.throws or was_dealt_starter or not MIN_THROWN <= cards <= MAX_THROWN:
            return False
        if self.throws_first_hand_only and cards_dealt not in (0, cards):
            return False
        in_camp = False
        centre, first = len(state.occ) // 2 * ZONE_LENGTH, PAWNS_PER_SEAT * seat
        for cell in state.pawns[first : first + PAWNS_PER_SEAT]:
            if 0 <= cell <= centre:
                return False
            in_camp = in_camp or cell < 0
        return in_camp


def winners(mechanics: Mechanics, state: State) -> tuple[int, ...]:
    """The winners: all pawns home, in a team those of every member (R004-41); empty while the game goes on."""
    homes = state.occ[mechanics.first_home :]
    if mechanics.full in homes:
        for side in mechanics.sides:
            if all(homes[seat] == mechanics.full for seat in side):
                return side
    return ()


@lru_cache(maxsize=16)
def rulebook_for(rules: Ruleset) -> Rulebook:
    """The rulebook of a ruleset, made once."""
    return Rulebook(rules)


def swaps_only_others(move: FlatMove, control: tuple[int, ...]) -> bool:
    """Whether the move swaps two pawns of which the seat plays neither (R002-45)."""
    return (
        len(move) == PART and move[KIND] == SWAP and move[MOVER] not in control and move[VIA] not in control
    )
