"""The closed way of 18 holes a zone through the holes of a board: pure geometry.

Places are complex numbers around the centre of the board, in pitches; angles grow clockwise. A node is an orbit (holes
that map onto each other) and the turn, in zones, at which its hole is taken.
"""

from cmath import phase
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tock_companion.rules import ZONE_LENGTH
from tock_vision.arrays import Floats

MIN_STEP_PITCHES, MAX_STEP_PITCHES = 0.72, 1.38
STEP_SIGMA = 0.08
STEP_WEIGHT, BEND_WEIGHT, LENGTH_WEIGHT = 0.04, 0.05, 0.15
SHARPEST_BEND_RAD = 2.5
"""Arms of stars turn by 120 degrees at most."""
BEAM = 140
STARTS, CLOSED_STARTS = 18, 9
"""So many of the strongest holes are tried as the first of the way, until from so many a closed one is found: of nine
at least one is a hole of the track, since a zone has eight of homes and camps."""
WEAKEST = 0.45
"""An orbit as strong as this, relative to a usual one, is as likely something else."""


@dataclass(frozen=True)
class Spots:
    """Orbits that may be holes: one place each in the first zone, and how strong they are relative to usual holes."""

    zones: int
    places: Floats
    """Complex, at angles from 0 to 360/zones (shape: [n])."""
    strengths: Floats
    """0 to 1 (shape: [n])."""

    @cached_property
    def table(self) -> Floats:
        """Where each orbit's hole lies after 0, 1, 2, … turns: complex (shape: [n, zones])."""
        turns = np.exp(2j * np.pi * np.arange(self.zones) / self.zones)
        table: Floats = self.places[:, None] * turns[None]
        return table

    def place(self, node: "Node") -> complex:
        """Where the hole of a node lies."""
        return self._places[node[0]][node[1] % self.zones]

    def gain(self, orbit: int) -> float:
        """What taking an orbit for holes is worth: positive where holes are likelier."""
        return self._gains[orbit]

    @cached_property
    def _places(self) -> list[list[complex]]:
        """The table as Python has it: a search reads it a million times."""
        places: list[list[complex]] = self.table.tolist()
        return places

    @cached_property
    def _gains(self) -> list[float]:
        gains: list[float] = (self.strengths - WEAKEST).tolist()
        return gains


Node = tuple[int, int]


@dataclass(frozen=True)
class Track:
    """One zone of a closed way, clockwise; the zone after it goes on with the same orbits, one turn further."""

    nodes: tuple[Node, ...]
    score: float


class _Way(NamedTuple):
    nodes: tuple[Node, ...]
    used: int
    """Bits of the orbits on the way."""
    heading: complex
    score: float


def find_tracks(
    spots: Spots, length: int = ZONE_LENGTH, starts: int = STARTS, closed_starts: int = CLOSED_STARTS
) -> list[Track]:
    """Closed ways of `length` holes a zone, the best first; each set of holes once.

    Spots with one zone are all holes of a board; such ways may run either way round.
    """
    steps = _neighbours(spots)
    order = np.argsort(-spots.strengths, kind="stable")[:starts]
    found: dict[int, Track] = {}
    closed = 0
    for start in order:
        ways = list(_closed(spots, steps, int(start), length))
        for way in ways:
            if way.used not in found or way.score > found[way.used].score:
                found[way.used] = Track(way.nodes, way.score)
        closed += len(ways) > 0
        if closed == closed_starts:
            break
    return sorted(found.values(), key=lambda track: -track.score)


def _neighbours(spots: Spots) -> list[list[tuple[int, int, float]]]:
    """For each orbit at turn 0 its neighbours: orbit, turn and distance."""
    count = len(spots.places)
    gap = np.abs(spots.places[:, None, None] - spots.table[None])
    near = (gap > MIN_STEP_PITCHES) & (gap < MAX_STEP_PITCHES)
    out: list[list[tuple[int, int, float]]] = [[] for _ in range(count)]
    for first, second, turn in np.argwhere(near):
        out[first].append((int(second), int(turn), float(gap[first, second, turn])))
    return out


def _closed(
    spots: Spots, steps: list[list[tuple[int, int, float]]], start: int, length: int
) -> Iterator[_Way]:
    zones = spots.zones
    goal = spots.place((start, 1))
    around = 1 if zones > 1 else 0
    beam = [_Way(((start, 0),), 1 << start, 0j, spots.gain(start))]
    for taken in range(1, length + 1):
        grown: list[_Way] = []
        for way in beam:
            orbit, turn = way.nodes[-1]
            here = spots.place((orbit, turn))
            for other, offset, gap in steps[orbit]:
                after = turn + (offset if offset <= zones // 2 else offset - zones)
                closes = taken == length
                if (
                    closes != (other == start)
                    or (closes and after != around)
                    or (way.used >> other & 1 and not closes)
                ):
                    continue
                there = spots.place((other, after))
                if abs(goal - there) > (length - taken) * MAX_STEP_PITCHES:
                    continue
                heading = (there - here) / gap
                cost = _step_cost(gap) + _bend_cost(way.heading, heading)
                if cost > 1.0:
                    continue
                gain = 0.0 if closes else spots.gain(other)
                nodes = way.nodes if closes else (*way.nodes, (other, after))
                grown.append(_Way(nodes, way.used | 1 << other, heading, way.score + gain - cost))
        grown.sort(key=lambda way: -way.score)
        beam = _varied(grown)
    yield from beam


def _varied(ways: list[_Way]) -> list[_Way]:
    """The best ways, but of those with the same holes and the same end only one."""
    seen: set[tuple[int, Node]] = set()
    kept = []
    for way in ways:
        key = (way.used, way.nodes[-1])
        if key not in seen:
            seen.add(key)
            kept.append(way)
            if len(kept) == BEAM:
                break
    return kept


def _step_cost(gap: float) -> float:
    return STEP_WEIGHT * min(((gap - 1) / STEP_SIGMA) ** 2, 8.0) + LENGTH_WEIGHT * (abs(gap - 1) > 0.3)


def _bend_cost(before: complex, after: complex) -> float:
    if not before:
        return 0.0
    bend = abs(phase(after / before))
    return np.inf if bend > SHARPEST_BEND_RAD else BEND_WEIGHT * bend
