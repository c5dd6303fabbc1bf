"""Names for holes with known places only: places alike in all zones make a layout."""

from collections.abc import Sequence

import numpy as np

from tock_companion.boardfile import camp_hole, home_hole, track_hole
from tock_rules import Hole, Seat
from tock_vision.arrays import Floats
from tock_vision.discovery.structure import Layout, find_layout
from tock_vision.discovery.track import TOCK, Form, Node, Spots
from tock_vision.mending.sketch import Place, is_at_centre

ALIKE_PITCHES = 0.45
"""Holes of several zones lie alike when, turned onto one of them, they are this near to each other."""


def find_names(
    places: Sequence[Place], zones: int, start: Place | None = None, form: Form = TOCK
) -> dict[Hole, Place] | None:
    """Name all holes of a board, or None where they make none; `start` is where a start hole is known to lie.

    A hole that one zone lacks is put where the others have it.
    """
    points = np.array([complex(*place) for place in places if not is_at_centre(place)])
    if len(points) < form.length:
        return None
    table = _orbits(points, zones)
    seen = np.isfinite(table)
    turns = np.exp(-2j * np.pi * np.arange(zones) / zones)
    middle = np.array([np.nanmean(row * turns) for row in table])
    spots = Spots(zones, middle, seen.mean(axis=1))
    layout = find_layout(spots, None if start is None else complex(*start), form)
    return None if layout is None else _named(layout, spots, table)


def _orbits(points: Floats, zones: int) -> Floats:
    """Holes that lie alike, a row for each and a column for each turn; NaN where a zone has none."""
    left = list(range(len(points)))
    rows = []
    step = np.exp(2j * np.pi / zones)
    while left:
        first = min(left, key=lambda number: float(np.angle(points[number]) % (2 * np.pi)))
        row = np.full(zones, complex(np.nan, np.nan))
        for turn in range(zones):
            want = points[first] * step**turn
            if not left:
                break
            near = min(left, key=lambda number: abs(complex(points[number]) - complex(want)))
            if abs(points[near] - want) < ALIKE_PITCHES:
                row[turn] = points[near]
                left.remove(near)
        if not np.isfinite(row[0]):
            left.remove(first)
            continue
        rows.append(row)
    return np.array(rows)


def _named(layout: Layout, spots: Spots, table: Floats) -> dict[Hole, Place]:
    names: dict[Hole, Place] = {}

    def put(name: Hole, node: Node, zone: int) -> None:
        orbit, turn = node[0], (node[1] + zone) % spots.zones
        own = complex(table[orbit, turn])
        place = own if np.isfinite(own) else spots.place((orbit, turn))
        names[name] = (place.real, place.imag)

    for zone in range(spots.zones):
        for index, node in enumerate(layout.track):
            put(track_hole(layout.form.length * zone + index), node, zone)
        for index, node in enumerate(layout.camp):
            put(camp_hole(Seat(zone), index), node, zone)
        for index, node in enumerate(layout.home):
            put(home_hole(Seat(zone), index), node, zone)
    return names
