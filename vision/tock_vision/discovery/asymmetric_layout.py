"""Boards whose zones are not alike: one closed path through all holes, without any symmetry. Pure geometry.

`track` finds the path as for one zone, through 18 holes for each seat. Then only the beginning of the zones is unknown:
the path has a rhythm, because a home leaves it at the hole two before each start, every 18 holes.

    path   … 16 17  0  1 … 15 16 17  0 …        all 18 phases are tried, and the one whose homes
              |     start      |     start      fit best, in sum over the seats, is taken
              H1 H2 H3 H4      H1 H2 H3 H4

Camps are the groups of four that are left, given to the starts by an exact assignment of least total distance. The
score is per zone, so that it compares with that of symmetric layouts. `tests/vision/test_discovery_structure.py`
bends a board of six zones and finds every name again. Cost: that of the path, then O(18 * zones * rows).

Constants set in `550b6b82`; GRID_SHARE, MIN_GRID_SPOTS, NEIGHBOUR_STEPS in `a551ac48`; LIKELY_SHARE in `a7868701`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tock_rules import PAWNS_PER_SEAT, ZONE_LENGTH
from tock_vision.arrays import Floats
from tock_vision.assignment import assigned
from tock_vision.discovery.homes_and_camps import Group, find_clusters, find_rows
from tock_vision.discovery.orbits import HOLES_IN_ZONE
from tock_vision.discovery.track import TOCK, Spots, find_tracks

MAX_COUNT_ERROR = 0.12
"""Share by which the number of spots may differ from that of the holes of a board."""
MIN_GRID_SPOTS, GRID_SHARE, NEIGHBOUR_STEPS = 24, 0.45, 1.3
"""A grid has at least that many spots, of which that share has four neighbours within that many steps."""
LIKELY_SHARE = 0.4
"""Share from which a doubtful layout is called a grid: of the holes of 477 true boards, at most 0.39 have four."""
STARTS_TRIED = 6
MAX_CAMP_PITCHES = 7.0
"""Distance of a camp from its start."""


@dataclass(frozen=True)
class AsymmetricLayout:
    """A board as numbers of spots."""

    zones: tuple[tuple[int, ...], ...]
    """For each zone T0 to T17, H1 to H4 and the four holes of the camp."""
    score: float
    """Per zone, as symmetric layouts are scored."""
    margin: float
    """By how much its homes fit better, per zone, than with zones that begin elsewhere."""


def is_grid(points: Floats, *, is_doubtful: bool = False) -> bool:
    """Whether many spots have four neighbours or more: a grid, a star or a sieve, and no track (pitches, [n, 2])."""
    if len(points) < MIN_GRID_SPOTS:
        return False
    flat = points[:, 0] + 1j * points[:, 1]
    gap = np.abs(flat[:, None] - flat[None])
    np.fill_diagonal(gap, np.inf)
    step = float(np.median(gap.min(axis=1)))
    neighbours = ((gap > 0.7 * step) & (gap < NEIGHBOUR_STEPS * step)).sum(axis=1)
    return float((neighbours >= 4).mean()) > (LIKELY_SHARE if is_doubtful else GRID_SHARE)


def find_asymmetric_layout(
    places: Floats, strengths: Floats, counts: Sequence[int]
) -> AsymmetricLayout | None:
    """Find the board that spots make (places: complex, in pitches; strengths: 0 to 1); None where they make none."""
    zones = min(counts, key=lambda count: abs(len(places) - HOLES_IN_ZONE * count))
    # 26 holes for each seat, so the number of spots decides how many seats the board has.
    off = abs(len(places) - HOLES_IN_ZONE * zones) / (HOLES_IN_ZONE * zones)
    if off > MAX_COUNT_ERROR or is_grid(np.column_stack([places.real, places.imag])):
        return None
    spots = Spots(1, places, strengths)
    rows = find_rows(spots, PAWNS_PER_SEAT)
    best: AsymmetricLayout | None = None
    for track in find_tracks(spots, ZONE_LENGTH * zones, STARTS_TRIED, 1):
        way = _clockwise(places, [orbit for orbit, _ in track.nodes])
        found = _with_homes(spots, rows, way, zones, track.score)
        if found is not None and (best is None or found.score > best.score):
            best = found
    return best


def _clockwise(places: Floats, way: list[int]) -> list[int]:
    # The shoelace formula: in a picture, where y grows downwards, a positive area is clockwise.
    corners = places[way]
    area = float((corners.conj() * np.roll(corners, -1)).imag.sum())
    return way if area > 0 else way[::-1]


def _with_homes(
    spots: Spots, rows: Sequence[Group], way: list[int], zones: int, score: float
) -> AsymmetricLayout | None:
    """Try all phases of a path for one in which a home leaves it in every zone, two holes before the start."""
    taken = sum(1 << spot for spot in way)
    leaving: dict[int, list[Group]] = {}
    for row in rows:
        if not row.used & taken:
            leaving.setdefault(row.leaves, []).append(row)
    found = []
    for first in range(ZONE_LENGTH):
        homes: list[Group] = []
        for zone in range(zones):
            entrance = way[(first + ZONE_LENGTH * zone) % len(way)]
            # Rows are sorted by score: the first that shares no hole with the homes chosen so far is taken.
            free = [
                row for row in leaving.get(entrance, ()) if not any(row.used & home.used for home in homes)
            ]
            homes += free[:1]
        if len(homes) == zones:
            found.append((sum(home.score for home in homes), first, homes))
    if not found:
        return None
    # Homes that leave the path 18 holes apart fit one phase well; by how much better than the next is the margin.
    found.sort(key=lambda one: -one[0])
    value, first, homes = found[0]
    begin = first + TOCK.entrance_back
    zones_of_way = [
        [way[(begin + ZONE_LENGTH * zone + index) % len(way)] for index in range(ZONE_LENGTH)]
        for zone in range(zones)
    ]
    camps = _camps(spots, taken | sum(home.used for home in homes), [zone[0] for zone in zones_of_way])
    if camps is None:
        return None
    total = (score + value + sum(camp.score for camp in camps)) / zones
    lead = (value - found[1][0]) / zones if len(found) > 1 else total
    return AsymmetricLayout(
        tuple(
            (*track, *(spot for spot, _ in home.nodes), *(spot for spot, _ in camp.nodes))
            for track, home, camp in zip(zones_of_way, homes, camps, strict=True)
        ),
        total,
        lead,
    )


def _camps(spots: Spots, taken: int, starts: Sequence[int]) -> list[Group] | None:
    """A camp for each start from the groups of four that are left; None where one would lie too far away."""
    left = np.array([spot for spot in range(len(spots.places)) if not taken >> spot & 1])
    if len(left) < PAWNS_PER_SEAT * len(starts):
        return None
    # Groups are sorted by score: each is kept that shares no spot with a better one.
    groups: list[Group] = []
    for group in find_clusters(Spots(1, spots.places[left], spots.strengths[left]), PAWNS_PER_SEAT):
        if not any(group.used & other.used for other in groups):
            groups.append(group)
    if len(groups) < len(starts):
        return None
    nodes = [tuple((int(left[spot]), 0) for spot, _ in group.nodes) for group in groups]
    middles = np.array([np.mean([spots.places[spot] for spot, _ in four]) for four in nodes])
    far = np.abs(middles[None] - spots.places[list(starts)][:, None])
    chosen = assigned(far)
    if far[np.arange(len(starts)), chosen].max() > MAX_CAMP_PITCHES:
        return None
    return [
        Group(nodes[number], sum(1 << spot for spot, _ in nodes[number]), groups[number].score)
        for number in chosen
    ]
