"""Counts a pawn's way as a person at the table does: how far it went, and over which holes."""

from tock_rules.geometry import BoardShape
from tock_rules.parts import Kind, Part


def distance(shape: BoardShape, part: Part) -> int | None:
    """Holes that the pawn walked, negative when backwards; None when no walk leads there.

    A jump counts up to the summit it starts from, a dotted line as one hole.
    """
    target = part.via if part.kind is Kind.JUMP and part.via is not None else part.to_cell
    if part.kind is Kind.LINE and part.via is not None:
        if part.via == part.to_cell:
            return 1 if (part.via - part.from_cell) % shape.track_length <= shape.track_length // 2 else -1
        ahead = (part.via - part.from_cell) % shape.track_length <= shape.track_length // 2
        rest = _walked(shape, part.seat, part.via, part.to_cell)
        return None if rest is None else rest + (1 if ahead else -1)
    return _walked(shape, part.seat, part.from_cell, target)


def _walked(shape: BoardShape, seat: int, source: int, target: int) -> int | None:
    length = shape.track_length
    to_home, from_home = shape.home_of(target), shape.home_of(source)
    if from_home is not None and to_home is not None:
        return to_home[1] - from_home[1]
    if source >= length or target == shape.centre:
        return None
    if to_home is not None:
        return shape.to_door(seat, source) + to_home[1]
    ahead = (target - source) % length
    return ahead if ahead <= length // 2 else ahead - length


def path(shape: BoardShape, seat: int, source: int, steps: int, target: int) -> list[int]:
    """Cells that a pawn touches after its own, in order; the last one is `target`."""
    length = shape.track_length
    sign = 1 if steps > 0 else -1
    home, inside = shape.home_of(target), shape.home_of(source)
    if home is None:
        return [(source + sign * i) % length for i in range(1, abs(steps) + 1)]
    if inside is not None:
        return list(range(source + 1, target + 1))
    climbed = [shape.home(seat, i) for i in range(1, home[1] + 1)]
    return [(source + i) % length for i in range(1, steps - home[1] + 1)] + climbed
