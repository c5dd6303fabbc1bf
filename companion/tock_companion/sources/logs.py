"""Logs of sources, as lines of text: edges of a reed board, and a camera's readings without its pictures.

`reed.jsonl`: `{"t_ms", "hole", "closed"}` is one change (`"more": true`: the next line is of the same observation),
`{"t_ms", "snapshot": [closed holes], "unknown": [holes]}` the whole board, `{"t_ms"}` the same as before.
`seen.jsonl`: `{"t_ms", "holes": {hole: null | [seat or null, confidence]}}`, only the holes that differ from the line
before; null is occluded. Each line may name its `source`, and its place `n` in the order of all inputs.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tock_companion.errors import BadInputError, quoted
from tock_companion.observation import UNSEEN, Edge, HoleReading, HoleState, Observation
from tock_companion.sources.recording_lines import ReedRow, SeenRow
from tock_rules import Hole, Seat

Line = dict[str, Any]
"""A line as it is written."""
_CLOSED, _OPEN = HoleReading(HoleState.PAWN), HoleReading(HoleState.EMPTY)


def felt(
    rows: Iterable[ReedRow], holes: Iterable[Hole], closed: Iterable[Hole]
) -> Iterator[tuple[ReedRow, Observation]]:
    """Yield the observations of a reed log; before its first snapshot the pawns stand on `closed`."""
    all_holes, occupied = tuple(holes), frozenset(closed)
    states: dict[str, dict[Hole, HoleReading]] = {}
    by_name = {str(hole): hole for hole in all_holes}
    first = {hole: _CLOSED if hole in occupied else _OPEN for hole in all_holes}
    edges: list[Edge] = []
    for row in rows:
        state = states.setdefault(row.source, dict(first))
        if row.snapshot is not None:
            shut, broken = set(row.snapshot), set(row.unknown)
            for hole in all_holes:
                state[hole] = UNSEEN if hole in broken else _CLOSED if hole in shut else _OPEN
        elif row.hole is not None:
            moved = by_name.get(row.hole)
            if moved is None or row.closed is None:
                raise BadInputError(
                    f"reed log at {row.t_ms} ms: 'hole' {quoted(row.hole)} and 'closed' {row.closed} do not fit "
                    "the board"
                )
            state[moved] = _CLOSED if row.closed else _OPEN
            felt_ms = row.t_ms if row.felt_ms is None else row.felt_ms
            edges.append(Edge(felt_ms, moved, state[moved].state))
        if not row.more:
            yield row, Observation(row.t_ms, row.source, dict(state), tuple(edges))
            edges = []


def felt_rows(observation: Observation, before: Mapping[Hole, HoleReading] | None) -> Iterator[Line]:
    """Yield the lines of one observation of a reed board; `before` is the one before it."""
    holes = observation.holes
    from_edges = {edge.hole: edge.state for edge in observation.edges}
    named: Line = {"source": observation.source}
    if before is None or any(
        from_edges.get(hole, before.get(hole, UNSEEN).state) is not reading.state
        for hole, reading in holes.items()
    ):
        shut = [hole for hole, reading in holes.items() if reading.state is HoleState.PAWN]
        broken = [hole for hole, reading in holes.items() if reading.state is HoleState.UNKNOWN]
        # The changes come first, so that the snapshot closes the observation.
        yield from (_change(edge, named) | {"more": True} for edge in observation.edges)
        yield named | {"snapshot": shut, "unknown": broken}
        return
    last = len(observation.edges) - 1
    for index, edge in enumerate(observation.edges):
        yield _change(edge, named) | ({"more": True} if index < last else {})
    if not observation.edges:
        yield named


def _change(edge: Edge, named: Line) -> Line:
    return {**named, "hole": edge.hole, "closed": edge.state is HoleState.PAWN, "felt_ms": edge.t_ms}


def seen(rows: Iterable[SeenRow]) -> Iterator[tuple[SeenRow, Observation]]:
    """Yield the observations of a camera's log."""
    states: dict[str, dict[Hole, HoleReading]] = {}
    for row in rows:
        state = states.setdefault(row.source, {})
        state.update({Hole.parse(hole): _reading(value) for hole, value in row.holes.items()})
        yield row, Observation(row.t_ms, row.source, dict(state))


def _reading(value: tuple[Seat | None, float] | None) -> HoleReading:
    if value is None:
        return UNSEEN
    seat, confidence = value
    return HoleReading(HoleState.EMPTY if seat is None else HoleState.PAWN, seat, confidence)
