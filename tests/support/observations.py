"""Observations made by hand, of a camera and of reed switches."""

from collections.abc import Iterable, Mapping

from tests.support.boards import Pawns
from tock_companion.observation import UNSEEN, Edge, HoleReading, HoleState, Observation
from tock_rules import BoardShape, Hole, Seat


def observed(
    pawns: Pawns,
    t_ms: int,
    *,
    occluded: Iterable[str] = (),
    misread: Mapping[str, HoleReading] | None = None,
    confidence: float = 0.98,
    shape: BoardShape | None = None,
) -> Observation:
    """The observation of a faultless camera, apart from the holes that are occluded or misread."""
    empty = HoleReading(HoleState.EMPTY, None, confidence)
    shape = shape or BoardShape(4)
    holes = dict.fromkeys(shape.hole_ids(), empty)
    holes |= {
        hole: HoleReading(HoleState.PAWN, seat, confidence)
        for hole, seat in _seats_by_hole(pawns, shape).items()
    }
    holes.update((Hole.parse(hole), reading) for hole, reading in (misread or {}).items())
    holes.update(dict.fromkeys(map(Hole.parse, occluded), UNSEEN))
    return Observation(t_ms, "camera", holes)


class Reeds:
    """A reed board: an observation for every switch that opens or closes, in the given order."""

    def __init__(self, pawns: Pawns) -> None:
        self.closed = set(_seats_by_hole(pawns, BoardShape(4)))

    def snapshot(self, t_ms: int, *edges: Edge) -> Observation:
        holes = {
            hole: HoleReading(HoleState.PAWN if hole in self.closed else HoleState.EMPTY)
            for hole in BoardShape(4).hole_ids()
        }
        return Observation(t_ms, "reed", holes, edges)

    def feel(self, t_ms: int, edges: Iterable[str], step_ms: int = 300) -> list[Observation]:
        """Feel `-T10` as a lift and `+T11` as a put."""
        found = []
        for edge in edges:
            lifted, hole = edge.startswith("-"), Hole.parse(edge.lstrip("+-"))
            (self.closed.discard if lifted else self.closed.add)(hole)
            state = HoleState.EMPTY if lifted else HoleState.PAWN
            found.append(self.snapshot(t_ms, Edge(t_ms, hole, state)))
            t_ms += step_ms
        return found


def _seats_by_hole(pawns: Pawns, shape: BoardShape) -> dict[Hole, Seat]:
    """Camps fill from their first hole."""
    seats: dict[Hole, Seat] = {}
    for name, places in pawns.items():
        seat = Seat[name]
        camp = iter(shape.camp_holes(seat))
        seats |= {Hole.at_place(seat, place) or next(camp): seat for place in places}
    return seats
