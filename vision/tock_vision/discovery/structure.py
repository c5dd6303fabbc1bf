"""Track, homes and camps of a board from the places of its holes in one zone: pure geometry.

Constants set in `907639e7`; HOMES_TRIED, TRACKS_TRIED, UNUSED_WEIGHT in `4c76c3e3`; CAMPS_TRIED in `267b8779`;
MIN_APART_PITCHES in `dd40f1a2`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np

from tock_vision.arrays import Floats
from tock_vision.discovery.homes_and_camps import Group, find_clusters, find_rows
from tock_vision.discovery.track import TOCK, Form, Node, Spots, Track, find_tracks, mirror_cost

TRACKS_TRIED = 40
HOMES_TRIED = 5
MIN_APART_PITCHES = 0.72
"""Distance between the holes of a camp and all others: spots between holes that touch look like holes."""
CAMPS_TRIED = 3
UNUSED_WEIGHT = 0.35
USUAL_CAMP, FAR_CAMP_COST = 3.5, 0.1
MAX_CAMP_PITCHES, BEYOND_COST = 5.2, 0.4
"""Cost per pitch of a camp farther away than usual, and the higher one beyond the reach of classical boards."""


@dataclass(frozen=True)
class Layout:
    """One zone of a board: nodes by their role, the start hole at turn 0."""

    zones: int
    track: tuple[Node, ...]
    """T0 to T17."""
    home: tuple[Node, ...]
    """H1 to H4."""
    camp: tuple[Node, ...]
    score: float
    margin: float = 0.0
    """Lead over the best layout with another track or other homes."""
    camp_margin: float = 0.0
    """Lead over the same layout with other camps."""
    form: Form = TOCK

    def nodes(self) -> tuple[Node, ...]:
        """All holes of the zone."""
        return (*self.track, *self.home, *self.camp)

    def turned(self, zones: int) -> "Layout":
        """The same board with its zones numbered from the one `zones` further."""

        def on(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
            return tuple((orbit, turn + zones) for orbit, turn in nodes)

        return replace(self, track=on(self.track), home=on(self.home), camp=on(self.camp))


def find_layout(spots: Spots, start: complex | None = None, form: Form = TOCK) -> Layout | None:
    """Find the likeliest layout, None if the holes make none; `start` is the known place of a start hole.

    With another `form` than that of Tock it is the layout of another game.
    """
    return LayoutSearch(spots, form.pawns).find(start, form)


class LayoutSearch:
    """Searches for layouts through the same spots; rows and groups are found once for all lengths of rings."""

    def __init__(self, spots: Spots, pawns: int = TOCK.pawns) -> None:
        self.spots, self.pawns = spots, pawns
        self.strong = [
            (1 << orbit, spots.gain(orbit)) for orbit in range(len(spots.places)) if spots.gain(orbit) > 0
        ]

    @cached_property
    def rows(self) -> list[Group]:
        """Candidates for homes, the best first."""
        return find_rows(self.spots, self.pawns)

    @cached_property
    def clusters(self) -> list[Group]:
        """Candidates for camps, the best first."""
        return find_clusters(self.spots, self.pawns)

    @cached_property
    def beside(self) -> list[int]:
        """For each orbit those too near to be holes beside it, a bit each."""
        gaps = np.abs(self.spots.places[:, None, None] - self.spots.table[None]).min(axis=2)
        return [sum(1 << int(other) for other in np.flatnonzero(row < MIN_APART_PITCHES)) for row in gaps]

    def find(self, start: complex | None = None, form: Form = TOCK) -> Layout | None:
        """Find the likeliest layout, as `find_layout` does."""
        layouts = sorted(_layouts(self, start, form), key=lambda layout: -layout.score)
        if not layouts:
            return None
        best = layouts[0]
        others = [other for other in layouts if (other.track, other.home) != (best.track, best.home)]
        same = [other for other in layouts[1:] if (other.track, other.home) == (best.track, best.home)]
        return replace(best, margin=_lead(best, others), camp_margin=_lead(best, same))


def _is_apart(spots: Spots, group: Group, others: Floats) -> bool:
    """Whether no hole of a group lies between other holes, too near to be drilled."""
    places = np.array([spots.place(node) for node in group.nodes])
    return bool(np.abs(places[:, None] - others).min() > MIN_APART_PITCHES)


def _lead(best: Layout, others: list[Layout]) -> float:
    return best.score - (others[0].score if others else 0.0)


def _layouts(search: LayoutSearch, start: complex | None, form: Form) -> Iterator[Layout]:
    spots = search.spots
    known = None if start is None else _nearest(spots, start)
    tracks = find_tracks(spots, form.length, known=known)[:TRACKS_TRIED]
    if not tracks:
        return
    for track in tracks:
        unlike = mirror_cost(spots, track)
        used = sum(1 << node[0] for node in track.nodes)
        homes = (
            row
            for row in search.rows
            if used >> row.leaves & 1
            and not used & row.used
            and (known is None or _start_after(track, row.leaves, form.entrance_back) == known)
        )
        for home, _ in zip(homes, range(HOMES_TRIED), strict=False):
            taken = used | home.used
            ordered, column = _named(track, home.leaves, home.nodes, form.entrance_back)
            others = spots.table[[orbit for orbit, _ in (*ordered, *column)]].ravel()
            camps = (
                group
                for group in search.clusters
                if not taken & group.used and _is_apart(spots, group, others)
            )
            for camp in islice(camps, CAMPS_TRIED):
                # A spot between holes, too near to be drilled, is no hole that was left out.
                known_to_be = taken | camp.used
                for orbit, _ in (*track.nodes, *home.nodes, *camp.nodes):
                    known_to_be |= search.beside[orbit]
                left = sum(gain for bit, gain in search.strong if not bit & known_to_be)
                camp_nodes = _turned_to(spots, camp.nodes, spots.place(ordered[0]))
                far = _far_cost(spots, camp_nodes, spots.place(ordered[0]))
                score = track.score + home.score + camp.score - UNUSED_WEIGHT * left - far - unlike
                yield Layout(spots.zones, ordered, column, camp_nodes, score, form=form)


def _named(
    track: Track, entrance: int, home: tuple[Node, ...], back: int
) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """Order track and home from T0 and H1, the start `back` holes after the entrance and at turn 0."""
    at = next(number for number, node in enumerate(track.nodes) if node[0] == entrance)
    start = (at + back) % len(track.nodes)
    nodes = [*track.nodes[start:], *((orbit, turn + 1) for orbit, turn in track.nodes[:start])]
    first = nodes[0][1]
    ordered = tuple((orbit, turn - first) for orbit, turn in nodes)
    # The entrance belongs to the seat that starts after it: before the start it is one of the zone before.
    offset = ordered[-back][1] - 1 if back else 0
    return ordered, tuple((orbit, turn + offset) for orbit, turn in home)


def _start_after(track: Track, entrance: int, back: int) -> int:
    """The orbit of the start, `back` holes after the one where a home leaves."""
    at = next(number for number, node in enumerate(track.nodes) if node[0] == entrance)
    return track.nodes[(at + back) % len(track.nodes)][0]


def _nearest(spots: Spots, start: complex) -> int:
    """The orbit with a hole nearest to a place."""
    return int(np.abs(spots.table - start).min(axis=1).argmin())


def _turned_to(spots: Spots, nodes: tuple[Node, ...], start: complex) -> tuple[Node, ...]:
    """Turn a camp to where it lies nearest to the start."""
    middle = complex(np.mean([spots.place(node) for node in nodes]))
    gaps = [abs(middle * np.exp(2j * np.pi * turn / spots.zones) - start) for turn in range(spots.zones)]
    turn = int(np.argmin(gaps))
    places = [(spots.place((orbit, own + turn)), (orbit, own + turn)) for orbit, own in nodes]
    return _around(places)


def _far_cost(spots: Spots, camp: tuple[Node, ...], start: complex) -> float:
    """The cost of a camp by its distance from the start."""
    far = abs(complex(np.mean([spots.place(node) for node in camp])) - start)
    return FAR_CAMP_COST * (far - USUAL_CAMP) + BEYOND_COST * max(0.0, far - MAX_CAMP_PITCHES)


def _around(places: list[tuple[complex, Node]]) -> tuple[Node, ...]:
    """Order the holes of a camp: clockwise from the innermost, a row from its outer or clockwise end."""
    points = np.array([place for place, _ in places])
    middle = points.mean()
    off = points - middle
    spread = np.linalg.svd(np.column_stack([off.real, off.imag]), compute_uv=False)
    if spread[1] < 0.25 * spread[0]:
        out = np.round((off / middle).imag, 2) + np.round((off / middle).real, 2) * 1e-3
        return tuple(places[number][1] for number in np.argsort(-out))
    inner = off[int(np.round(np.abs(points), 1).argmin())]
    turned = np.round(np.angle(off / inner) % (2 * np.pi), 3) % 6.283
    return tuple(places[number][1] for number in np.argsort(turned))
