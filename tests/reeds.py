"""A reed board made by hand: feels the pawns of a board and what changed since the board before."""

from collections.abc import Iterable

from tests.looks import Pawns
from tock_companion.observation import Edge, HoleReading, HoleState, Observation
from tock_companion.rules.geometry import BoardShape


def occupied(pawns: Pawns) -> frozenset[str]:
    """Return the holes with pawns in them, camps filled from their first hole."""
    found = []
    for name, places in pawns.items():
        camp = 0
        for place in places:
            camp += place == "camp"
            hole = f"C{camp}" if place == "camp" else place.rstrip("*")
            found.append(hole if hole.startswith("T") else f"{name}-{hole}")
    return frozenset(found)


class Reeds:
    """Yields an observation per change, the given holes in the given order."""

    def __init__(self, pawns: Pawns) -> None:
        self.closed = set(occupied(pawns))

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
            lifted = edge[0] == "-"
            (self.closed.discard if lifted else self.closed.add)(edge[1:])
            state = HoleState.EMPTY if lifted else HoleState.PAWN
            found.append(self.snapshot(t_ms, Edge(t_ms, edge[1:], state)))
            t_ms += step_ms
        return found
