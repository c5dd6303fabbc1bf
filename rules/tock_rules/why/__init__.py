"""Why a move is not legal: the first thing wrong with it, as a `Violation`.

Checks go from the intention (whose pawn, which action of the card) over the count to obstacles in the way, so that
the statement named is the one that a careful neighbour at the table would name.
"""

from collections.abc import Sequence

from tock_rules.card_actions import ROWS
from tock_rules.cards import Rank
from tock_rules.geometry import CAMP
from tock_rules.parts import Kind, Part
from tock_rules.paths import distance
from tock_rules.seats import Seat
from tock_rules.violations import Violation
from tock_rules.why.case import Case, protected_things
from tock_rules.why.seven import why_shared
from tock_rules.why.walk import why_walk

__all__ = ["Case", "why_not", "why_not_thrown"]


def why_not(case: Case, parts: Sequence[Part]) -> Violation:
    """The first mistake in an illegal move; `parts` are the player's actions in order."""
    board = case.board
    if len(parts) > 1:
        return why_shared(case, parts)
    part = parts[0]
    if case.card is not None and case.card.rank is Rank.JOKER and not case.rules.jokers:
        return case.blame("move/no_joker", ("joker_absent", "joker"), part)
    if part.kind is Kind.BURN:
        return _why_burn(case, part)
    if part.seat not in board.seats or part.from_cell not in board.cells_of(part.seat):
        return case.blame("move/nobody_there", ("whose",), part)
    if case.action.replace and part.kind in (Kind.START, Kind.THROW, Kind.STEP):
        return _why_replace(case, part)
    if part.kind in (Kind.START, Kind.THROW):
        return _why_start(case, part)
    if part.kind is Kind.SWAP:
        return _why_swap(case, part)
    if part.kind in (Kind.CENTRE_IN, Kind.CENTRE_OUT):
        return _why_centre(case, part)
    return why_walk(case, board, part, case.value_for(distance(case.shape, part)))


def why_not_thrown(case: Case, parts: Sequence[Part]) -> Violation:
    """The mistake in a thrown hand, or in several cards for one move."""
    return case.blame("move/throw_not_allowed", ("throw",), parts[0])


def _why_start(case: Case, part: Part) -> Violation:
    board = case.board
    brings_mate = case.action.start_mate and part.seat in case.engine.mates[case.to_move]
    if part.seat not in case.control(board) and not brings_mate:
        return case.not_mine(part)
    if not case.action.start and not brings_mate:
        starters = " ".join(_starters(case))
        return case.blame("move/no_starter", ("starter", case.card_thing), part, starters=starters)
    if part.kind is Kind.THROW:
        return case.blame("move/wrong_start_hole", ("start_hole",), part)
    if board.owners.get(part.to_cell) is part.seat and case.engine.own_bars:
        return case.blame("move/landed_own_pawn", ("own_landed",), part)
    if board.owners.get(part.to_cell) is part.seat:
        return case.blame("move/start_occupied", protected_things(board, part.to_cell, "taken"), part)
    return case.blame("move/landed_partner", ("capture",), part)


def _starters(case: Case) -> list[str]:
    rows = {name: case.rules.row(name) for name in ROWS}
    return [name for name, row in rows.items() if row.start or row.wild]


def _why_burn(case: Case, part: Part) -> Violation:
    if not case.action.burn:
        return case.blame("move/no_burn", ("burn", case.card_thing), part)
    following = Seat(case.engine.following[case.to_move])
    code = "move/burn_next" if part.other is not following else "move/burn_no_card"
    return case.blame(code, ("burn", case.card_thing), part, other=following.name)


def _why_replace(case: Case, part: Part) -> Violation:
    board, shape = case.board, case.shape
    if part.seat not in case.control(board):
        return case.not_mine(part)
    if part.from_cell > shape.centre:
        return case.blame("move/left_home", ("home_leaving",), part)
    owner = board.owners.get(part.to_cell)
    if owner is not None and part.to_cell > shape.centre:
        return case.blame("move/home_untouchable", ("home_untouchable", case.card_thing), part)
    if owner is None or owner in case.control(board):
        return case.blame("move/replaced_nobody", (case.card_thing,), part)
    if case.engine.partner_cells(board.state, part.seat) >> part.to_cell & 1:
        return case.blame("move/door_occupied", ("door_taken", "capture"), part, blocker=owner.name)
    return case.blame(
        "move/landed_protected", protected_things(board, part.to_cell, "taken"), part, blocker=owner.name
    )


def _why_swap(case: Case, part: Part) -> Violation:
    board, shape = case.board, case.shape
    other = part.seat if part.other is None else part.other
    if not case.action.swap and not any(case.rules.row(name).swap for name in ROWS):
        return case.blame("move/no_swap", (*case.counting, "value"), part)
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
    any_two = case.action.any_two
    if not any(mine) and not any_two:
        return case.blame("move/swap_not_own", ("jack_others",), part)
    barred = case.engine.protected_cells(board.state)
    if case.rules.start_not_swapped == "any_on_start":
        barred = shape.starts_of(board.state.own)
    for seat, cell in ((part.seat, part.from_cell), (other, part.to_cell)):
        if barred >> cell & 1 and (seat not in control or not case.rules.owner_may_swap_protected):
            return case.blame(
                "move/swap_protected", ("protected_swapped", "jack"), part, cell, other=other.name
            )
    if all(mine) and not any_two:
        return case.blame("move/swap_own", ("jack_own",), part)
    return case.blame("move/swap_partner", ("jack",), part, other=other.name)


def _why_centre(case: Case, part: Part) -> Violation:
    board, shape = case.board, case.shape
    if part.seat not in case.control(board):
        return case.not_mine(part)
    if not case.action.centre:
        leaves = part.kind is Kind.CENTRE_OUT
        return case.blame("move/centre_card", ("centre_out" if leaves else "centre_card",), part)
    if part.kind is Kind.CENTRE_IN and not shape.is_summit(part.from_cell):
        return case.blame("move/centre_not_from_seven", ("centre_in",), part)
    if part.kind is Kind.CENTRE_OUT and not shape.is_summit(part.to_cell):
        return case.blame("move/centre_exit", ("centre_out",), part)
    return case.blame("move/landed_partner", ("capture",), part)
