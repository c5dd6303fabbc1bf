"""Legal moves that were made, but not only or not quite: a taken pawn stays on the board, another pawn
has moved as well.
"""

from collections.abc import Sequence

from tock_companion.rules.board import Setup
from tock_companion.rules.cards import Card
from tock_companion.rules.engine import PART, SWAP, FlatMove
from tock_companion.rules.geometry import Seat
from tock_companion.rules.position import Position
from tock_companion.rules.state import State
from tock_companion.rules.violations import Param, Violation

Made = tuple[Card, FlatMove, State]
_Differences = list[tuple[Seat, set[int], set[int], int]]


def leftover(position: Position, made: Sequence[Made], setup: Setup, only_captures: bool) -> Violation | None:
    """Return what is left to do after one of these legal moves, if the board shows that move and little else.

    With `only_captures` just taken pawns that are not in their camp; else also pawns that moved or went home
    without reason.
    """
    shape = position.shape
    seen = {
        shape.cells_by_hole[hole]: int(seat)
        for hole, seat in setup.holes.items()
        if hole in shape.cells_by_hole
    }
    best: tuple[int, Violation] | None = None
    for card, flat, after in made:
        if not _targets_hold(flat, seen):
            continue
        differences = _differences(position, after, seen, setup)
        found = _left_captures(position, card, flat, differences)
        if found is None and not only_captures:
            found = _other_pawns(position, card, differences)
        if found is not None:
            size = sum(len(extra) + len(lacking) + abs(camp) for _, extra, lacking, camp in differences)
            if best is None or size < best[0]:
                best = (size, found)
    return None if best is None else best[1]


def _targets_hold(flat: FlatMove, seen: dict[int, int]) -> bool:
    """Whether every pawn of the move stands where the move puts it."""
    for i in range(0, len(flat), PART):
        kind, seat, src, dst, via, _ = flat[i : i + PART]
        if seen.get(dst) != seat or (kind == SWAP and seen.get(src) != via):
            return False
        if kind != SWAP and src >= 0 and seen.get(src) == seat:
            return False
    return True


def _differences(position: Position, after: State, seen: dict[int, int], setup: Setup) -> _Differences:
    """Return per seat the cells seen but not meant, meant but not seen, and pawns too many in camp."""
    found: _Differences = []
    for seat in position.seats:
        cells = after.pawns[4 * seat : 4 * seat + 4]
        meant = {cell for cell in cells if cell >= 0}
        there = {cell for cell, owner in seen.items() if owner == seat}
        camp = setup.camps.get(seat, 0) - cells.count(-1)
        if meant != there or camp:
            found.append((seat, there - meant, meant - there, camp))
    return found


def _left_captures(
    position: Position, card: Card, flat: FlatMove, differences: _Differences
) -> Violation | None:
    if not differences or any(lacking or camp >= 0 for _, _, lacking, camp in differences):
        return None
    taken = [position.board.owners.get(flat[i + 3]) for i in range(0, len(flat), PART)]
    swept = sum(flat[i + 5] for i in range(0, len(flat), PART))
    taken += [owner for cell, owner in position.board.owners.items() if swept >> cell & 1]
    if any(seat not in taken for seat, _, _, _ in differences):
        return None
    # Own pawns are alike: one standing elsewhere is rather a wrong count than a taken pawn left on the board.
    if any(
        seat in position.played_seats() and any(not swept >> c & 1 for c in extra)
        for seat, extra, _, _ in differences
    ):
        return None
    seat, extra, _, _ = differences[0]
    holes = tuple(position.shape.hole_id(cell) for cell in sorted(extra))
    by_passing = any(swept >> cell & 1 for cell in extra)
    thing = ("joker_sweep", "sweep", "capture") if by_passing else ("capture",)
    params: dict[str, Param] = {"pawn": position.to_move.name, "captured": seat.name}
    code = "board/sweep_left" if by_passing else "board/capture_left"
    return Violation(code, position.ruleset.refs(*thing), position.to_move, card, holes, params)


def _other_pawns(position: Position, card: Card, differences: _Differences) -> Violation | None:
    if len(differences) != 1:
        return None
    seat, extra, lacking, camp = differences[0]
    shape, rules = position.shape, position.ruleset
    if len(lacking) != 1 or len(extra) > 1:
        return None
    hole = shape.hole_id(next(iter(lacking)))
    holes = (hole, *(shape.hole_id(cell) for cell in extra))
    if camp == 1 and not extra:
        params: dict[str, Param] = {
            "pawn": position.to_move.name,
            "captured": seat.name,
            "captured_from": hole,
        }
        return Violation(
            "board/sent_home_wrongly",
            rules.refs("no_capture", "passing"),
            position.to_move,
            card,
            holes,
            params,
        )
    if camp == 0 and extra:
        params = {"pawn": seat.name, "from": hole}
        return Violation(
            "board/other_pawn_moved", rules.refs("value", "whose"), position.to_move, card, holes, params
        )
    return None
