"""Drawn frames for the tests of the reader, and how a reading compares with the truth."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tock_companion.observation import HoleReading, HoleState
from tock_companion.rules import Hole, Seat
from tock_vision.rendering.renderer import Appearance

Placed = Mapping[str, Seat]
START: Placed = {f"P{seat}-C{number}": Seat(seat) for seat in range(4) for number in (1, 2, 3, 4)}
SMALL = Appearance(size_px=(800, 600), fill=0.9, noise=2.0)


def wrong_holes(holes: Mapping[Hole, HoleReading], placed: Placed) -> dict[Hole, HoleReading]:
    """Holes read as empty or as a pawn that are not."""
    wrong = {}
    for hole_id, reading in holes.items():
        seat = placed.get(hole_id)
        state = HoleState.EMPTY if seat is None else HoleState.PAWN
        if reading.state is not HoleState.UNKNOWN and (reading.state, reading.seat) != (state, seat):
            wrong[hole_id] = reading
    return wrong


def unknown_holes(holes: Mapping[Hole, HoleReading]) -> set[Hole]:
    """Holes of unknown state."""
    return {hole_id for hole_id, reading in holes.items() if reading.state is HoleState.UNKNOWN}


def moved(placed: Placed, start: str, end: str) -> dict[str, Seat]:
    """The pawns after one of them went from hole to hole."""
    after = dict(placed)
    after[end] = after.pop(start)
    return after


def shifted(appearance: Appearance, **changes: Any) -> Appearance:
    """A look with some values changed."""
    return replace(appearance, **changes)
