"""What sources said, as lines of text: edges of a reed board, and what a camera saw without its pictures.

`reed.jsonl`: `{"t_ms", "hole", "closed"}` is one change (`"more": true`: the next line is of the same observation),
`{"t_ms", "snapshot": [closed holes], "unknown": [holes]}` the whole board, `{"t_ms"}` the same as before.
`seen.jsonl`: `{"t_ms", "holes": {hole: null | [seat or null, confidence]}}`, only the holes that differ from the line
before; null is hidden. Each line may name its `source`, and its place `n` in the order of all inputs.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tock_companion.errors import BadInputError
from tock_companion.observation import UNSEEN, Edge, HoleReading, HoleState, Observation
from tock_companion.rules import Seat

Row = dict[str, Any]
_CLOSED, _OPEN = HoleReading(HoleState.PAWN), HoleReading(HoleState.EMPTY)


def felt(
    rows: Iterable[Row], holes: Iterable[str], closed: Iterable[str]
) -> Iterator[tuple[Row, Observation]]:
    """Yield the observations of a reed log; before its first snapshot the pawns stand on `closed`."""
    all_holes = tuple(holes)
    states: dict[str, dict[str, HoleReading]] = {}
    first = {hole: _CLOSED if hole in set(closed) else _OPEN for hole in all_holes}
    edges: list[Edge] = []
    for row in rows:
        source, t_ms = str(row.get("source", "reed")), int(row["t_ms"])
        state = states.setdefault(source, dict(first))
        if "snapshot" in row:
            shut, broken = set(row["snapshot"]), set(row.get("unknown", ()))
            for hole in all_holes:
                state[hole] = UNSEEN if hole in broken else _CLOSED if hole in shut else _OPEN
        elif "hole" in row:
            hole = str(row["hole"])
            if hole not in state or not isinstance(row.get("closed"), bool):
                raise BadInputError(f"reed log at {t_ms} ms: 'hole' and 'closed' do not fit the board: {row}")
            state[hole] = _CLOSED if row["closed"] else _OPEN
            edges.append(Edge(int(row.get("felt_ms", t_ms)), hole, state[hole].state))
        if not row.get("more"):
            yield row, Observation(t_ms, source, dict(state), tuple(edges))
            edges = []


def felt_rows(observation: Observation, before: Mapping[str, HoleReading] | None) -> Iterator[Row]:
    """Yield the lines of one observation of a reed board; `before` is the one before it."""
    holes = observation.holes
    told = {edge.hole: edge.state for edge in observation.edges}
    named: Row = {"source": observation.source}
    if before is None or any(
        told.get(hole, before.get(hole, UNSEEN).state) is not reading.state for hole, reading in holes.items()
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


def _change(edge: Edge, named: Row) -> Row:
    return {**named, "hole": edge.hole, "closed": edge.state is HoleState.PAWN, "felt_ms": edge.t_ms}


def seen(rows: Iterable[Row]) -> Iterator[tuple[Row, Observation]]:
    """Yield the observations of a log of what a camera saw."""
    states: dict[str, dict[str, HoleReading]] = {}
    for row in rows:
        source = str(row.get("source", "camera"))
        state = states.setdefault(source, {})
        try:
            state.update({hole: _reading(value) for hole, value in dict(row.get("holes", {})).items()})
        except (TypeError, ValueError):
            raise BadInputError(
                f"log of what was seen, at {row['t_ms']} ms: 'holes' cannot be read"
            ) from None
        yield row, Observation(int(row["t_ms"]), source, dict(state))


def seen_row(observation: Observation, before: Mapping[str, HoleReading]) -> Row:
    """Return the line of one observation of a camera: what differs from the one before."""
    changed = {
        hole: _value(reading)
        for hole, reading in observation.holes.items()
        if _value(reading) != _value(before.get(hole, UNSEEN)) or hole not in before
    }
    return {"source": observation.source, "holes": changed}


def _value(reading: HoleReading) -> list[object] | None:
    if reading.state is HoleState.UNKNOWN:
        return None
    return [reading.seat.name if reading.seat is not None else None, reading.confidence]


def _reading(value: Any) -> HoleReading:
    if value is None:
        return UNSEEN
    seat, confidence = value
    if seat is None:
        return HoleReading(HoleState.EMPTY, None, float(confidence))
    return HoleReading(HoleState.PAWN, Seat.parse(seat), float(confidence))
