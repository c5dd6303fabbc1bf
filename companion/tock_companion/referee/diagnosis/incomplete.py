"""Legal moves that were made, but not only or not quite: a captured pawn is still on the board, another has moved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tock_rules import Kind, Move, Param, Position, Seat, Setup, Violation


@dataclass(frozen=True, slots=True)
class _Difference:
    """The pawns of one seat, compared with the result of a move."""

    seat: Seat
    extra: set[int]
    """Cells where a pawn is seen that should not be there."""
    lacking: set[int]
    """Cells where a pawn is missing."""
    camp: int
    """Pawns too many in camp; negative when some are short."""

    @property
    def size(self) -> int:
        return len(self.extra) + len(self.lacking) + abs(self.camp)


_Finder = Callable[[Position, Move, list[_Difference]], Violation | None]


def find_capture_left(position: Position, moves: Sequence[Move], setup: Setup) -> Violation | None:
    """The steps left if the board shows one of these legal moves with captured pawns not yet in their camps."""
    return _best(position, moves, setup, (_capture_left,))


def find_incomplete(position: Position, moves: Sequence[Move], setup: Setup) -> Violation | None:
    """The steps left, or the excess: a pawn that moved or went to its camp without reason."""
    return _best(position, moves, setup, (_capture_left, _other_pawn))


def _best(
    position: Position, moves: Sequence[Move], setup: Setup, finders: Sequence[_Finder]
) -> Violation | None:
    """The finding for the move whose result differs least from the board."""
    shape = position.shape
    seen = {
        shape.cells_by_hole[hole]: seat for hole, seat in setup.holes.items() if hole in shape.cells_by_hole
    }
    best: tuple[int, Violation] | None = None
    for move in moves:
        if not _arrived(move, seen):
            continue
        differences = _differences(move, seen, setup)
        size = sum(difference.size for difference in differences)
        if best is not None and size >= best[0]:
            continue
        found = next(filter(None, (find(position, move, differences) for find in finders)), None)
        if found is not None:
            best = (size, found)
    return None if best is None else best[1]


def _arrived(move: Move, seen: Mapping[int, Seat]) -> bool:
    """Whether every pawn of the move stands where the move puts it, and no longer where it came from."""
    for part in move.parts:
        if seen.get(part.to_cell) is not part.seat:
            return False
        if part.kind is Kind.SWAP:
            if seen.get(part.from_cell) is not part.other:
                return False
        elif seen.get(part.from_cell) is part.seat:
            return False
    return True


def _differences(move: Move, seen: Mapping[int, Seat], setup: Setup) -> list[_Difference]:
    found = []
    for seat in move.result.seats:
        meant = {cell for cell in move.result.cells_of(seat) if cell >= 0}
        there = {cell for cell, owner in seen.items() if owner is seat}
        camp = setup.camps.get(seat, 0) - move.result.camp_count(seat)
        if meant != there or camp:
            found.append(_Difference(seat, there - meant, meant - there, camp))
    return found


def _capture_left(position: Position, move: Move, differences: list[_Difference]) -> Violation | None:
    if not differences or any(difference.lacking or difference.camp >= 0 for difference in differences):
        return None
    captured = {position.shape.cells_by_hole[hole]: seat for seat, hole in move.captures}
    if any(difference.seat not in captured.values() for difference in differences):
        return None
    swept = captured.keys() - {part.to_cell for part in move.parts}
    own = position.played_seats()
    # Own pawns are alike: one standing elsewhere is rather a wrong count than a captured pawn left on the board.
    if any(difference.seat in own and not difference.extra <= swept for difference in differences):
        return None
    left = differences[0]
    holes = tuple(position.shape.hole_id(cell) for cell in sorted(left.extra))
    by_passing = not left.extra.isdisjoint(swept)
    statements = ("joker_sweep", "sweep", "capture") if by_passing else ("capture",)
    params: dict[str, Param] = {"pawn": position.to_move.name, "captured": left.seat.name}
    code = "board/sweep_left" if by_passing else "board/capture_left"
    return Violation(code, position.ruleset.refs(*statements), position.to_move, move.card, holes, params)


def _other_pawn(position: Position, move: Move, differences: list[_Difference]) -> Violation | None:
    if len(differences) != 1:
        return None
    other = differences[0]
    if len(other.lacking) != 1 or len(other.extra) > 1:
        return None
    shape, rules = position.shape, position.ruleset
    hole = shape.hole_id(next(iter(other.lacking)))
    holes = (hole, *(shape.hole_id(cell) for cell in other.extra))
    params: dict[str, Param]
    if other.camp == 1 and not other.extra:
        code, refs = "board/sent_home_wrongly", rules.refs("no_capture", "passing")
        params = {"pawn": position.to_move.name, "captured": other.seat.name, "captured_from": hole}
    elif other.camp == 0 and other.extra:
        code, refs = "board/other_pawn_moved", rules.refs("value", "whose")
        params = {"pawn": other.seat.name, "from": hole}
    else:
        return None
    return Violation(code, refs, position.to_move, move.card, holes, params)
