"""Why a move is not legal: the first thing wrong with it, as a `Violation`.

Checks go from what the player meant (whose pawn, which action of the card) over the count to what stands in
the way, so that the
statement named is the one a careful neighbour at the table would name.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tock_companion.rules.actions import CardAction, code_of
from tock_companion.rules.cards import Card, Rank
from tock_companion.rules.geometry import CAMP, SUMMIT, ZONE_LENGTH, Seat
from tock_companion.rules.moves import Kind, Part
from tock_companion.rules.state import starts_of
from tock_companion.rules.violations import Param, Violation

if TYPE_CHECKING:
    from tock_companion.rules.board import Board
    from tock_companion.rules.position import Position

RANK_THING = {1: "ace", 4: "four", 5: "five", 7: "seven", 11: "jack", 12: "queen", 13: "king", 14: "joker"}


class Case:
    """One illegal move under examination: the position, the card, and how to phrase what is wrong with it."""

    def __init__(self, position: "Position", card: Card) -> None:
        """Look up what the card does here."""
        self.position = position
        self.card = card
        self.rules = position.ruleset
        self.shape = position.shape
        self.action = CardAction(position.ruleset, code_of(card))
        self.card_thing = RANK_THING.get(int(card.rank), "other")
        self.counting = (f"count_{self.card_thing}", "value", self.card_thing)
        """What is broken by a wrong count; gladius counts some cards by a statement of their own."""
        self.value = self.action.value

    def control(self, board: "Board") -> tuple[Seat, ...]:
        """Return whose pawns the seat to move plays on that board."""
        return tuple(map(Seat, self.position.engine.control(board.state, self.position.to_move)))

    def blame(self, code: str, things: Sequence[str], part: Part, *holes: int, **params: Param) -> Violation:
        """Return the violation: code, the things whose statements are broken, the part, further holes and numbers."""
        shape = self.shape
        cells = [*holes, part.to_cell, part.from_cell]
        names = tuple(dict.fromkeys(shape.hole_id(cell) for cell in cells if cell >= 0))
        base: dict[str, Param] = {"pawn": part.seat.name}
        base["from"] = "camp" if part.from_cell == CAMP else shape.hole_id(part.from_cell)
        base["to"] = "camp" if part.to_cell == CAMP else shape.hole_id(part.to_cell)
        if self.value:
            base["value"] = abs(self.value)
        refs = self.rules.refs(*things) or self.rules.refs("value")
        return Violation(code, refs, self.position.to_move, self.card, names, {**base, **params})

    def not_mine(self, part: Part) -> Violation:
        """Return the violation of moving a pawn that the seat does not play."""
        mate = part.seat in self.position.team_of(self.position.to_move)
        code = "move/partners_pawn" if mate else "move/not_your_pawn"
        return self.blame(code, ("mates", "whose") if mate else ("whose", "turn"), part)


def why_not(position: "Position", card: Card, parts: Sequence[Part]) -> Violation:
    """Return what is wrong with a move that is not legal; `parts` is what the player did, in order."""
    from tock_companion.rules.why_seven import why_shared
    from tock_companion.rules.why_walk import why_walk

    case = Case(position, card)
    board = position.board
    if len(parts) > 1:
        return why_shared(case, parts)
    part = parts[0]
    if card.rank is Rank.JOKER and not position.ruleset.jokers:
        return case.blame("move/no_joker", ("joker_absent", "joker"), part)
    if part.seat not in board.seats or part.from_cell not in board.cells_of(part.seat):
        return case.blame("move/nobody_there", ("whose",), part)
    if part.kind in (Kind.START, Kind.THROW):
        return _why_start(case, part)
    if part.kind is Kind.SWAP:
        return _why_swap(case, part)
    if part.kind in (Kind.CENTRE_IN, Kind.CENTRE_OUT):
        return _why_centre(case, part)
    return why_walk(case, board, part, case.value)


def _why_start(case: Case, part: Part) -> Violation:
    board = case.position.board
    if part.seat not in case.control(board):
        return case.not_mine(part)
    if not case.action.start:
        starters = " ".join(_starters(case))
        return case.blame("move/no_starter", ("starter", case.card_thing), part, starters=starters)
    if part.kind is Kind.THROW:
        return case.blame("move/wrong_start_hole", ("start_hole",), part)
    if board.owners.get(part.to_cell) is part.seat:
        return case.blame("move/start_occupied", protected_things(board, part.to_cell, "taken"), part)
    return case.blame("move/landed_partner", ("capture",), part)


def _starters(case: Case) -> list[str]:
    rules = case.rules
    known = (
        ("A", rules.ace_starts),
        ("K", rules.king_starts),
        ("joker", rules.joker_starts and rules.jokers),
    )
    return [rank for rank, starts in known if starts]


def _why_swap(case: Case, part: Part) -> Violation:
    position, board, shape = case.position, case.position.board, case.shape
    other = part.seat if part.other is None else part.other
    if not case.action.swap:
        return case.blame("move/swap_without_jack", (*case.counting, "jack"), part)
    if other not in board.seats or part.to_cell not in board.cells_of(other):
        return case.blame("move/nobody_there", ("jack",), part)
    for cell in (part.from_cell, part.to_cell):
        if cell > shape.centre:
            return case.blame("move/swap_home", ("home_untouchable", "jack_camp"), part, cell)
        if cell == CAMP:
            return case.blame("move/swap_camp", ("jack_camp",), part)
    control = case.control(board)
    mine = [seat in control for seat in (part.seat, other)]
    any_two = case.card.one_eyed and case.rules.one_eyed_jack
    if not any(mine) and not any_two:
        return case.blame("move/swap_not_own", ("jack_others",), part)
    barred = position.engine.protected(board.state)
    if case.rules.start_not_swapped == "any_on_start":
        barred = starts_of(board.state.own)
    for seat, cell in ((part.seat, part.from_cell), (other, part.to_cell)):
        if barred >> cell & 1 and (seat not in control or not case.rules.owner_may_swap_protected):
            return case.blame(
                "move/swap_protected", ("protected_swapped", "jack"), part, cell, other=other.name
            )
    if all(mine) and not any_two:
        return case.blame("move/swap_own", ("jack_own",), part)
    return case.blame("move/swap_partner", ("jack",), part, other=other.name)


def _why_centre(case: Case, part: Part) -> Violation:
    board, shape = case.position.board, case.shape
    if part.seat not in case.control(board):
        return case.not_mine(part)
    if not case.action.centre:
        return case.blame("move/centre_card", ("centre_card",), part)
    if part.kind is Kind.CENTRE_IN and (
        part.from_cell > shape.centre or part.from_cell % ZONE_LENGTH != SUMMIT
    ):
        return case.blame("move/centre_not_from_seven", ("centre_in",), part)
    if part.kind is Kind.CENTRE_OUT and (part.to_cell > shape.centre or part.to_cell % ZONE_LENGTH != SUMMIT):
        return case.blame("move/centre_exit", ("centre_out",), part)
    return case.blame("move/landed_partner", ("capture",), part)


def protected_things(board: "Board", cell: int, verb: str) -> tuple[str, ...]:
    """Return the things that protect the pawn on a start hole: a fresh one first as a pawn just out (SPEC A-05)."""
    suffix = "" if verb == "taken" else f"_{verb}"
    general = f"protected_{verb}"
    return (f"protected_fresh{suffix}", general) if board.is_fresh(cell) else (general,)
