"""Count-along: the holes that a lifted pawn was tapped into on its way, so that the lights count with the player."""

from collections.abc import Iterator
from dataclasses import dataclass

from tock_companion.views.parts import Arrow
from tock_companion.views.schema import PublicView, SeatView
from tock_rules import BoardShape, Hole, Kind, Part, Seat, distance, load_preset, path, shape_for

WALKS = frozenset({Kind.STEP.value, Kind.JUMP.value})


@dataclass(frozen=True, slots=True)
class Count:
    """A walk that has begun."""

    source: Hole
    """The hole that the pawn was lifted from."""
    holes: tuple[Hole, ...]
    """The holes counted so far, from the first after the pawn's own to the one tapped last."""


def count_along(before: Count | None, table: PublicView, seat_view: SeatView | None) -> Count | None:
    """Count the steps of the lifted pawn; while it is between two holes, the count stays `before`.

    Only ways to targets of the card that lies open are counted, and no further than the target.
    """
    if table["expects"] != "move" or table["card"] is None or seat_view is None:
        return None
    seen = table["seen"]
    lifted = {Hole.parse(hole) for hole, reading in seen.items() if reading["state"] == "empty"}
    arrows = [
        arrow
        for move in seat_view["legal_moves"]
        for arrow in move["arrows"]
        if Hole.parse(arrow["from"]) in lifted and arrow["kind"] in WALKS
    ]
    if not arrows:
        return None
    shape = _shape(table)
    tapped = [
        shape.cells_by_hole[hole]
        for hole in (Hole.parse(name) for name, reading in seen.items() if reading["state"] == "pawn")
        if hole in shape.cells_by_hole
    ]
    counts = [count for arrow in arrows for cell in tapped for count in _counted(shape, arrow, cell)]
    if counts:
        return max(counts, key=lambda count: len(count.holes))
    return before if before is not None and before.source in lifted else None


def _shape(table: PublicView) -> BoardShape:
    game = table["game"]
    rules = load_preset(game["ruleset"]).with_options(game["options"])
    return shape_for(rules, table["board"]["zones"])


def _counted(shape: BoardShape, arrow: Arrow, cell: int) -> Iterator[Count]:
    """Yield the count up to a cell if the walk of an arrow leads over it."""
    seat, source = Seat[arrow["seat"]], Hole.parse(arrow["from"])
    start = shape.cells_by_hole[source]
    end = shape.cells_by_hole[Hole.parse(arrow.get("via", arrow["to"]))]
    steps = distance(shape, Part(Kind.STEP, seat, start, end))
    if steps is None:
        return
    walk = path(shape, seat, start, steps, end)
    if cell in walk:
        yield Count(source, tuple(shape.hole_id(each) for each in walk[: walk.index(cell) + 1]))
