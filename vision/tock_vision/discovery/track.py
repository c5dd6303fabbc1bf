"""The closed path of 18 holes a zone through the holes of a board: pure geometry.

Places are complex numbers around the centre of the board, in pitches; angles grow clockwise. An orbit is a set of
holes that a turn by one zone maps onto each other; a node is an orbit and the turn, in zones, at which its hole is
taken. So a path through one zone that ends at its own start, one turn further, is the track of the whole board:

    turn 0          turn 1
    0  1  …  17  |  0  1  …        nodes (0, 0), (1, 0), … (17, 0); it closes at (0, 1)

Paths are found by beam search: all paths of the `BEAM` best grow by one hole at a time, so a search from one start
costs O(length * BEAM * neighbours) instead of trying all paths. A path scores how much likelier than noise its holes
are, less what uneven steps and bends cost. Eighteen holes of strength 1 evenly on a circle, four more in a row
inside:

>>> angles = (np.arange(18) + 0.5) * np.pi / 36
>>> circle = 36 / np.pi * np.exp(1j * angles)
>>> home = np.array([8.5, 7.5, 6.5, 5.5]) * np.exp(1j * np.pi / 4)
>>> [track] = find_tracks(Spots(4, np.concatenate([circle, home]), np.ones(22)))
>>> sorted(orbit for orbit, _ in track.nodes) == list(range(18)), track.nodes[0], track.nodes[-1]
(True, (3, 0), (2, 1))
>>> round(18 * (1 - WEAKEST) - 17 * BEND_WEIGHT * np.pi / 36, 2), round(track.score, 2)
(9.83, 9.83)

Constants set in `4c76c3e3`; BEAM in `1f377510`; CLOSED_STARTS, STARTS in `907639e7`; MIRROR_COST, UNLIKE_PITCHES in
`7f35ca89`.
"""

from cmath import phase
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tock_rules import PAWNS_PER_SEAT, ZONE_LENGTH, BoardShape
from tock_vision.arrays import Floats

ZONES = (4, 6, 8)
"""The numbers of zones for which photographs are searched."""
MIN_STEP_PITCHES, MAX_STEP_PITCHES = 0.72, 1.38
STEP_SIGMA = 0.08
"""Deviation of the steps of a track from the pitch, as one sigma."""
STEP_WEIGHT, BEND_WEIGHT, LENGTH_WEIGHT = 0.04, 0.05, 0.15
"""Cost of a step one sigma off, of a bend by one radian, and of a step more than 0.3 pitches off."""
SHARPEST_BEND_RAD = 2.5
"""Arms of stars turn by 120 degrees at most."""
MIRROR_COST, UNLIKE_PITCHES = 0.5, 0.2
"""Cost of a track that is not its own mirror image, as nearly all are but those of which a corner is cut; and how far
from it, on average, its holes then lie."""
BEAM = 140
STARTS, CLOSED_STARTS = 18, 9
"""Number of the strongest holes that are tried as the first, and number of closed paths that end the search.

A zone has eight holes of homes and camps, so of nine holes at least one belongs to the track.
"""
WEAKEST = 0.45
"""Strength, relative to a usual hole, at which an orbit is as likely to be noise."""


@dataclass(frozen=True)
class Form:
    """The zones of the board that is sought; a Tock board's unless others are named."""

    length: int = ZONE_LENGTH
    """Holes of the ring."""
    pawns: int = PAWNS_PER_SEAT
    """Holes of a home and of a camp."""
    entrance_back: int = BoardShape(4).entrance_back
    """Number of holes before the start at which the home begins."""

    @property
    def holes(self) -> int:
        """Holes of a zone."""
        return self.length + 2 * self.pawns


TOCK = Form()


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
        """The place of each orbit's hole after 0, 1, 2, … turns: complex (shape: [n, zones])."""
        turns = np.exp(2j * np.pi * np.arange(self.zones) / self.zones)
        table: Floats = self.places[:, None] * turns[None]
        return table

    def place(self, node: "Node") -> complex:
        """The place of a node's hole."""
        return self._places[node[0]][node[1] % self.zones]

    def gain(self, orbit: int) -> float:
        """Gain in log likelihood from taking an orbit for holes; negative where it is likelier noise."""
        return self._gains[orbit]

    @cached_property
    def _places(self) -> list[list[complex]]:
        """The table as Python numbers: a search reads it a million times."""
        places: list[list[complex]] = self.table.tolist()
        return places

    @cached_property
    def _gains(self) -> list[float]:
        gains: list[float] = (self.strengths - WEAKEST).tolist()
        return gains


Node = tuple[int, int]


@dataclass(frozen=True)
class Track:
    """One zone of a closed path, clockwise; the next zone repeats its orbits one turn further."""

    nodes: tuple[Node, ...]
    score: float


class _Way(NamedTuple):
    nodes: tuple[Node, ...]
    used: int
    """The orbits on the path, a bit each."""
    heading: complex
    score: float


def find_tracks(
    spots: Spots,
    length: int = ZONE_LENGTH,
    starts: int = STARTS,
    closed_starts: int = CLOSED_STARTS,
    known: int | None = None,
) -> list[Track]:
    """Closed paths of `length` holes a zone, the best first; each set of holes once.

    With one zone `spots` are all holes of a board, and a path may run either way round. `known` is an orbit that
    certainly belongs to it.
    """
    steps = _neighbours(spots)
    # A closed path can begin at any of its holes, so strong holes serve best as the first.
    order = np.argsort(-spots.strengths, kind="stable")[:starts].tolist()
    if known is not None:
        order = [known, *(orbit for orbit in order if orbit != known)]
    found: dict[int, Track] = {}
    closed = 0
    for start in order:
        ways = list(_closed(spots, steps, start, length))
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
    """The paths of the last beam that return to `start`, one turn further."""
    zones = spots.zones
    goal = spots.place((start, 1))
    # The path ends one zone further; with all holes of a board given, at its own start.
    around = 1 if zones > 1 else 0
    beam = [_Way(((start, 0),), 1 << start, 0j, spots.gain(start))]
    for taken in range(1, length + 1):
        grown: list[_Way] = []
        for way in beam:
            orbit, turn = way.nodes[-1]
            here = spots.place((orbit, turn))
            for other, offset, gap in steps[orbit]:
                # Neighbours are at most half a turn away, to either side.
                after = turn + (offset if offset <= zones // 2 else offset - zones)
                closes = taken == length
                if (
                    closes != (other == start)
                    or (closes and after != around)
                    or (way.used >> other & 1 and not closes)
                ):
                    continue
                there = spots.place((other, after))
                # Too far away to get back in the holes that are left.
                if abs(goal - there) > (length - taken) * MAX_STEP_PITCHES:
                    continue
                heading = (there - here) / gap
                cost = _step_cost(gap) + _bend_cost(way.heading, heading)
                # More than any hole is worth.
                if cost > 1.0:
                    continue
                gain = 0.0 if closes else spots.gain(other)
                nodes = way.nodes if closes else (*way.nodes, (other, after))
                grown.append(_Way(nodes, way.used | 1 << other, heading, way.score + gain - cost))
        grown.sort(key=lambda way: -way.score)
        beam = _varied(grown)
    yield from beam


def _varied(ways: list[_Way]) -> list[_Way]:
    """The `BEAM` best paths, one of those with the same holes and the same end."""
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
    # Squared up to nearly three sigmas, then flat, so that one badly drilled hole does not break the path.
    return STEP_WEIGHT * min(((gap - 1) / STEP_SIGMA) ** 2, 8.0) + LENGTH_WEIGHT * (abs(gap - 1) > 0.3)


def _bend_cost(before: complex, after: complex) -> float:
    if not before:
        return 0.0
    bend = abs(phase(after / before))
    return np.inf if bend > SHARPEST_BEND_RAD else BEND_WEIGHT * bend


def mirror_cost(spots: Spots, track: Track) -> float:
    """The cost of a track by how far its holes lie from where a mirror through the centre shows others of it."""
    places = np.array([spots.place(node) for node in track.nodes])
    far, angle = np.abs(places), spots.zones * np.angle(places)
    number = np.arange(len(places))
    # The mirror image of hole k is hole m - k, for some m.
    other = (number[:, None] - number) % len(places)
    sums = np.exp(1j * (angle + angle[other]))
    turned = np.angle(sums * sums.mean(axis=1, keepdims=True).conj()) / spots.zones
    off = np.hypot(far[other] - far, far * turned)
    unlike = float(np.sqrt((off**2).mean(axis=1)).min())
    return MIRROR_COST * min(1.0, (unlike / UNLIKE_PITCHES) ** 2)
