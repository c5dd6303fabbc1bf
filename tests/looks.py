"""Observations made by hand: a board as a faultless camera sees it, with hidden holes and misreadings on demand."""

from collections.abc import Iterable, Mapping

from tock_companion.observation import UNSEEN, HoleReading, HoleState, Observation
from tock_companion.rules.geometry import BoardShape, Seat

Pawns = Mapping[str, Iterable[str]]


def look(
    pawns: Pawns,
    t_ms: int,
    *,
    hidden: Iterable[str] = (),
    misread: Mapping[str, HoleReading] | None = None,
    confidence: float = 0.98,
    zones: int = 4,
) -> Observation:
    """Return what a camera sees of `pawns` (contract form; fewer than four of a seat is a pawn in the air)."""
    empty = HoleReading(HoleState.EMPTY, None, confidence)
    holes = dict.fromkeys(BoardShape(zones).hole_ids(), empty)
    for name, places in pawns.items():
        seat, camp = Seat[name], 0
        for place in places:
            if place == "camp":
                camp += 1
            hole = f"{name}-C{camp}" if place == "camp" else place.rstrip("*")
            holes[f"{name}-{hole}" if hole.startswith("H") else hole] = HoleReading(
                HoleState.PAWN, seat, confidence
            )
    holes.update(misread or {})
    holes.update(dict.fromkeys(hidden, UNSEEN))
    return Observation(t_ms, "camera", holes)


def pawns(**places: str) -> dict[str, list[str]]:
    """Return four pawns for each of four seats: those named (`P0="T20 H4"`), the rest in camp."""
    return {name: (["camp"] * 4 + places.get(name, "").split())[-4:] for name in ("P0", "P1", "P2", "P3")}
