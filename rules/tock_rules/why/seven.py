"""Why a move of several pawns is not legal: wrong card, too many pawns, or a part of a seven."""

from collections.abc import Sequence

from tock_rules.board import Board
from tock_rules.parts import Part, part_of
from tock_rules.paths import distance
from tock_rules.seven_search import TOTAL
from tock_rules.violations import Violation
from tock_rules.why.case import Case
from tock_rules.why.walk import why_walk


def why_shared(case: Case, parts: Sequence[Part]) -> Violation:
    """The first mistake in these parts, in this order."""
    if case.action.both_ways:
        return _why_both_ways(case, parts)
    if not (case.action.seven or case.action.wild):
        if case.action.swap:
            return case.blame("move/swap_two", ("jack",), parts[0])
        return case.blame("move/one_pawn_only", case.counting, parts[0], pawns=len(parts))
    reached = [part.to_cell for part in parts]
    twice = any(part.from_cell in reached[:index] for index, part in enumerate(parts))
    if twice and not case.engine.split.repeat:
        return case.blame("move/seven_pawn_twice", ("seven",), parts[0])
    if len(parts) > case.engine.split.pawns and not twice:
        return case.blame(
            "move/seven_too_many_pawns",
            ("seven_pawns",),
            parts[0],
            pawns=len(parts),
            most=case.engine.split.pawns,
        )
    walks = [distance(case.shape, part) for part in parts]
    for part, walked in zip(parts, walks, strict=True):
        if walked is not None and walked < 0:
            return case.blame(case.backwards, ("seven_backwards",), part, moved=-walked)
    total = sum(walked or 0 for walked in walks)
    broken = _why_parts(case, parts, walks)
    if total != TOTAL and (broken is None or broken.code != "move/not_your_pawn"):
        code = "move/seven_not_used_up" if total < TOTAL else "move/seven_too_far"
        return case.blame(code, ("seven",), parts[-1], moved=total, left=TOTAL - total)
    return broken or case.blame("move/not_of_this_card", ("seven",), parts[0])


def _why_both_ways(case: Case, parts: Sequence[Part]) -> Violation:
    walks = [distance(case.shape, part) or 0 for part in parts]
    total = case.action.both_ways
    fits = len(parts) == 2 and min(walks) < 0 < max(walks) and sum(map(abs, walks)) == total
    if not fits or parts[1].from_cell == parts[0].to_cell:
        return case.blame("move/both_ways", case.counting, parts[0], total=total)
    broken = why_walk(case, case.board, parts[0], walks[0])
    return (
        broken if broken.code != "move/not_of_this_card" else why_walk(case, case.board, parts[1], walks[1])
    )


def _why_parts(case: Case, parts: Sequence[Part], walks: Sequence[int | None]) -> Violation | None:
    """Play the parts one after the other and return the mistake in the first that cannot be played."""
    engine = case.engine
    board = case.board
    moved = case.arrived
    for part, walked in zip(parts, walks, strict=True):
        if (
            part.seat not in board.seats
            or part.from_cell not in board.cells_of(part.seat)
            or part.from_cell < 0
        ):
            return case.blame("move/nobody_there", ("seven", "whose"), part)
        steps = walked or 0
        flats = (
            engine.part_moves(board.state, part.seat, part.from_cell, steps, moved)
            if 0 < steps <= TOTAL
            else []
        )
        fitting = [flat for flat in flats if part_of(flat).key() == part.key()]
        if part.seat not in engine.sharers(board.state, case.to_move) or not fitting:
            return why_walk(case, board, part, steps)
        board = Board.of_state(board.shape, board.seats, engine.apply(board.state, fitting[0]))
        moved |= 1 << part.to_cell
    return None
