"""Rows that lead away from a hole, and groups of holes: candidates for homes and camps. Pure geometry.

Constants set in `4c76c3e3`; FAINTEST_OF_CAMP in `88d4c84f`; MAX_CAMP_NEIGHBOURS in `267b8779`; OUTWARD_COST in
`4169eeb3`; ROW_PITCHES, ROW_STEP in `08d87b9a`.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tock_vision.arrays import Floats, Ints
from tock_vision.discovery.track import WEAKEST, Node, Spots

HOME_STEP = (0.7, 1.6)
"""Distances between holes of a home, and from the entrance to the first, in pitches."""
STRAIGHT_PITCHES = 0.35
OUTWARD_COST = 1.5
CAMP_REACH = 4.6
ROW_STEP, ROW_PITCHES = (0.7, 1.7), 0.3
"""Distances between the holes of a camp in a row, and how far from even ones they may lie."""
MAX_CAMP_NEIGHBOURS = 16
"""Other holes tried with each hole, nearest first; faint ones rank as if up to a pitch farther."""
FAINTEST_OF_CAMP = 0.75
"""Strength, relative to `WEAKEST`, below which spots are not taken for holes of camps."""
FOUR = 4
SPREAD_COST, UNEVEN_COST, SKEW_COST = 0.2, 0.8, 0.8


@dataclass(frozen=True, slots=True)
class Group:
    """Holes that belong together."""

    nodes: tuple[Node, ...]
    used: int
    """Their orbits, a bit each."""
    score: float
    leaves: int = -1
    """The orbit that a row leads away from, at turn 0."""


def find_rows(spots: Spots, count: int) -> list[Group]:
    """Rows of `count` holes, the best first; turns of nodes are relative to the hole that the row leads away from."""
    gap = np.abs(spots.places[:, None, None] - spots.table[None])
    found = []
    for start, orbit, turn in np.argwhere((gap > HOME_STEP[0]) & (gap < HOME_STEP[1])):
        if start != orbit:
            found += _rows_from(spots, int(start), (int(orbit), int(turn)), count)
    return sorted(found, key=lambda row: -row.score)


def _rows_from(spots: Spots, start: int, first: Node, count: int) -> list[Group]:
    entrance = complex(spots.places[start])
    begun = spots.place(first)
    cost = 0.4 * abs(abs(begun - entrance) - 1)
    rows: list[tuple[tuple[Node, ...], tuple[complex, ...], float]] = [
        ((first,), (entrance, begun), spots.gain(first[0]) - cost)
    ]
    for _ in range(count - 1):
        longer = []
        for nodes, places, score in rows:
            step = places[-1] - places[-2]
            expected = places[-1] + step / abs(step) * min(max(abs(step), 0.8), 1.3)
            off = np.abs(spots.table - expected)
            for orbit, turn in np.argwhere(off < STRAIGHT_PITCHES):
                if orbit == start or any(orbit == node[0] for node in nodes):
                    continue
                value = spots.gain(int(orbit)) - 2 * float(off[orbit, turn])
                node = (int(orbit), int(turn))
                longer.append(((*nodes, node), (*places, spots.place(node)), score + value))
        rows = sorted(longer, key=lambda row: -row[2])[:3]
    return [
        Group(nodes, _bits(nodes), score - (OUTWARD_COST if abs(places[-1]) > abs(entrance) else 0.0), start)
        for nodes, places, score in rows
    ]


def find_clusters(spots: Spots, count: int) -> list[Group]:
    """Groups of `count` holes close together, the best first."""
    usable = np.flatnonzero(spots.strengths > FAINTEST_OF_CAMP * WEAKEST)
    fours: list[list[Node]] = []
    for seed in usable:
        later = usable[usable > seed]
        gaps = np.abs(spots.table[later] - spots.places[seed])
        turn = gaps.argmin(axis=1)
        near = gaps[np.arange(len(later)), turn]
        close = np.argsort(near - spots.strengths[later])[:MAX_CAMP_NEIGHBOURS]
        others = [(int(later[place]), int(turn[place])) for place in close if 0.6 < near[place] < CAMP_REACH]
        fours += [[(int(seed), 0), *three] for three in combinations(others, count - 1)]
    # Among many holes the ends of a row are no neighbours.
    known = {frozenset(four) for four in fours}
    fours += [row for row in _even_rows(spots, usable, count) if frozenset(row) not in known]
    if not fours:
        return []
    nodes = np.array(fours)
    score = _cluster_scores(spots, nodes)
    order = np.argsort(-score, kind="stable")
    return [Group(tuple(fours[n]), _bits(tuple(fours[n])), float(score[n])) for n in order if score[n] > -1]


def _even_rows(spots: Spots, usable: Ints, count: int) -> list[list[Node]]:
    """`count` holes in a row, evenly apart, that lead away from the first; turns are relative to the lowest orbit."""
    table = spots.table[usable]
    gap = np.abs(table[:, 0, None, None] - table[None])
    rows = []
    for first, second, turn in np.argwhere((gap > ROW_STEP[0]) & (gap < ROW_STEP[1])):
        step = table[second, turn] - table[first, 0]
        nodes = [(int(usable[first]), 0), (int(usable[second]), int(turn))]
        for number in range(2, count):
            off = np.abs(table - (table[first, 0] + number * step))
            place, own = np.unravel_index(int(off.argmin()), off.shape)
            if off[place, own] < ROW_PITCHES:
                nodes.append((int(usable[place]), int(own)))
        if len({orbit for orbit, _ in nodes}) == count and nodes[0][0] < nodes[-1][0]:
            back = min(nodes)[1]
            rows.append([(orbit, (own - back) % spots.zones) for orbit, own in nodes])
    return rows


def _cluster_scores(spots: Spots, nodes: Ints) -> Floats:
    places = spots.table[nodes[..., 0], nodes[..., 1] % spots.zones]
    gap = np.abs(places[:, :, None] - places[:, None])
    count = nodes.shape[1]
    gap[:, np.arange(count), np.arange(count)] = np.inf
    near = gap.min(axis=2)
    spread = np.abs(places - places.mean(axis=1, keepdims=True)).mean(axis=1)
    gain = (spots.strengths[nodes[..., 0]] - WEAKEST).sum(axis=1)
    skew = _skew(places) if count == FOUR else np.zeros(len(places))
    uneven = near.max(axis=1) - near.min(axis=1)
    score: Floats = gain - SPREAD_COST * spread - UNEVEN_COST * uneven - SKEW_COST * skew
    score[near.min(axis=1) < 0.6] = -np.inf
    return score


def _skew(places: Floats) -> Floats:
    """How far four holes are from a square, a diamond or an even row, of which two have the middle of the others."""
    pairs = places[:, [[0, 1], [0, 2], [0, 3]]].sum(axis=2)
    skew: Floats = np.abs(2 * pairs - places.sum(axis=1, keepdims=True)).min(axis=1) / 2
    return skew


def _bits(nodes: tuple[Node, ...]) -> int:
    return sum(1 << orbit for orbit, _ in nodes)
