"""The ring of any board whose zones are alike: how many zones it has, and how many holes a zone.

Unlike the search for a board of Tock this tries three to eight zones, and takes the most that explain nearly as many
spots as any: a board of eight zones maps onto itself as one of four, too.

Constants set in `dd32a36a`; CLEAR_SHARE in `a551ac48`; ALMOST_OURS in `a848c0b8`; FITTING_LEAD, MIN_BESIDE,
UNUSUAL_GAIN in `5c255fa1`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tock_rules import ZONE_LENGTH
from tock_vision.arrays import Floats
from tock_vision.camera_pose import CameraPose, unproject
from tock_vision.discovery.orbits import find_orbits
from tock_vision.discovery.photo import Pass, Sighting, spots_of
from tock_vision.discovery.straightened import Flat, in_pitches, moved
from tock_vision.discovery.symmetry import Turned, find_centres, fit_turned
from tock_vision.discovery.track import ZONES, Spots, Track, find_tracks
from tock_vision.discovery.views import EvenView, nearby_views

COUNTS = (3, 4, 5, 6, 7, 8)
LENGTHS = range(5, 25)
MAX_BESIDE = 12
"""Holes of a zone that are not on its ring: home, camp, and what else looks like holes."""
STARTS, CLOSED_STARTS = 20, 3
CLEAR_SHARE = 0.55
SAME_SHARE = 0.85
EXPLAINED_SHARE = 0.5
"""Share of the spots that turning explains from which no other view is tried."""
FITTED_NEARBY = 4
SURE_GAIN, SURE_LEAD, SURE_SHARE = 0.42, 0.012, 0.75
"""Score a hole of a ring, its lead over rings of other lengths, and share of spots explained, from which it is named.

Of 279 made rings whose zones are known the wrong length is taken for 17, with a lead of 0.011 at most.
"""
HOMES_AND_CAMPS, FITTING_LEAD = 8, 0.03
"""Holes of a zone that are on no ring, in most games, and the lead of a ring that leaves just these: a hole a zone more
or fewer is a cut corner, or a camp that is taken for a part of the ring."""
MIN_BESIDE, UNUSUAL_GAIN = 4, 0.5
"""A ring without homes is a path through a grid; and the score of a ring that leaves more or fewer than usual."""
MAX_CROWDED, BESIDE_STEPS = 0.85, 1.25
"""A path through a grid has holes beside it all along; one of a ring has where homes begin and camps lie."""
ALMOST_OURS, ALMOST_OURS_LEAD = 17, 0.03
"""A ring of Tock closes with one hole fewer, too, where a corner can be cut: 30 of 61 stills with up to 0.54 a hole."""
PLAIN_LEAD, PLAIN_SHARE = 0.015, 0.85
BEYOND_PITCHES, MAX_EXTENT = 1.0, 30.0


@dataclass(frozen=True)
class Ring:
    """A closed path through holes that are alike in all zones."""

    zones: int
    length: int
    """Holes a zone."""
    gain: float
    """Score a hole."""
    lead: float
    """By how much that is more than the ring of any other length has."""
    share: float
    """Share of the spots that turning explains."""
    crowded: float = 0.0
    """Share of its holes that have others beside them which are not on it."""
    beside: int = HOMES_AND_CAMPS
    """Clear holes of a zone that are not on it."""

    @property
    def is_tock(self) -> bool:
        """Whether a board of Tock has such a ring."""
        return self.length == ZONE_LENGTH and self.zones in ZONES

    @property
    def is_sure(self) -> bool:
        """Whether it is seen so well that its zones and holes can be named."""
        least = ALMOST_OURS_LEAD if self.length == ALMOST_OURS and self.zones in ZONES else SURE_LEAD
        least_gain = SURE_GAIN if self.beside == HOMES_AND_CAMPS else UNUSUAL_GAIN
        is_clear = self.gain > least_gain and self.lead > least and self.share > SURE_SHARE
        return is_clear and self.crowded < MAX_CROWDED and self.beside >= MIN_BESIDE

    @property
    def is_likely(self) -> bool:
        """Whether a board with a ring of the `likely_length` is worth a search, which tells for sure."""
        is_near = abs(self.beside - HOMES_AND_CAMPS) <= 1
        return self.gain > SURE_GAIN and self.share > SURE_SHARE and is_near

    @property
    def likely_length(self) -> int:
        """Holes a zone if none is left over or lacking beside homes and camps: a path may cut a corner."""
        return self.length + self.beside - HOMES_AND_CAMPS

    @property
    def is_plain(self) -> bool:
        """Whether nothing else needs to be looked for."""
        return self.is_sure and self.lead > PLAIN_LEAD and self.share > PLAIN_SHARE


def find_ring(pass_: Pass) -> Ring | None:
    """Find the ring that the spots of a pass make."""
    places_px = pass_.pose.project(pass_.spots)
    turned = _most_zones(_turned(pass_.even, places_px), places_px)
    return None if turned is None else _ring_of(pass_.flat, pass_.pose, turned, places_px)


def ring_of_other_zones(sighting: Sighting) -> Ring | None:
    """The ring around the centre of a layout whose spots other zones explain; None where its own do."""
    places_px = sighting.pose.project(sighting.flat.spots_clear())
    turned = _with_most_zones(_fitted([(0.0, zones, sighting.pose) for zones in COUNTS], places_px))
    if turned is None or turned.zones == sighting.zones:
        return None
    return _ring_of(sighting.flat, sighting.pose, turned, places_px)


def _ring_of(flat: Flat, pose: CameraPose, turned: Turned, places_px: Floats) -> Ring | None:
    share = turned.score / len(places_px)
    away = np.linalg.norm(np.nan_to_num(unproject(turned.pose, places_px)), axis=1)
    extent = min(MAX_EXTENT, float(np.quantile(away, 0.98)) + BEYOND_PITCHES)
    corner = np.full(2, extent + 1)
    orbits = find_orbits(moved(flat, pose, turned.pose, -corner, corner), turned.zones, extent)
    return None if not len(orbits.places) else closed_ring(spots_of(orbits), share)


def closed_ring(spots: Spots, share: float = 1.0) -> Ring | None:
    """Find the ring, of any length, that closes best through the clear ones of these spots."""
    strong = clear_spots(spots)
    if strong is None:
        return None
    count = len(strong.places)
    # A hole hardly seen in some zones is nearly as much a hole as others: how the path runs tells lengths apart.
    strong = Spots(spots.zones, strong.places, (1 + strong.strengths) / 2)
    lengths = range(max(LENGTHS[0], count - MAX_BESIDE), min(LENGTHS[-1], count) + 1)
    found = [
        (track.score / length, length, track) for length in lengths for track in tracks_of(strong, length)[:1]
    ]
    if not found:
        return None
    own = max((gain for gain, length, _ in found if length == ZONE_LENGTH), default=0.0)

    def worth(one: tuple[float, int, Track]) -> float:
        # Where two holes of a board of Tock are not seen, a ring of 16 would seem to fit.
        is_fitting = count - one[1] == HOMES_AND_CAMPS and one[1] != ALMOST_OURS and one[0] >= own
        return one[0] + FITTING_LEAD * is_fitting

    found.sort(key=worth, reverse=True)
    gain, length, track = found[0]
    lead = worth(found[0]) - (worth(found[1]) if len(found) > 1 else 0.0)
    crowded = _crowded(strong, [orbit for orbit, _ in track.nodes])
    return Ring(spots.zones, length, gain, lead, share, crowded, count - length)


def _crowded(spots: Spots, track: Sequence[int]) -> float:
    others = [orbit for orbit in range(len(spots.places)) if orbit not in track]
    if not others:
        return 0.0
    gap = np.abs(spots.places[list(track)][:, None, None] - spots.table[others][None]).min(axis=(1, 2))
    return float((gap < BESIDE_STEPS).mean())


def clear_spots(spots: Spots) -> Spots | None:
    """The clear ones of some spots, in steps of the ring; None for none."""
    clear = spots.strengths > CLEAR_SHARE
    if not clear.any():
        return None
    gap = np.abs(spots.places[clear][:, None, None] - spots.table[clear][None])
    # The scale may come from distances in camps; most steps are those of the ring.
    step = float(np.median(np.where(gap > 0, gap, np.inf).min(axis=(1, 2))))
    return Spots(spots.zones, spots.places[clear] / step, spots.strengths[clear])


def tracks_of(spots: Spots, length: int) -> list[Track]:
    """The rings of a length, the best first."""
    return find_tracks(spots, length, STARTS, CLOSED_STARTS) if len(spots.places) >= length else []


def gain_of(spots: Spots, length: int) -> float:
    """The score a hole of the best ring of a length; 0 where none closes."""
    found = tracks_of(spots, length)
    return found[0].score / length if found else 0.0


def _turned(even: EvenView, places_px: Floats) -> list[Turned]:
    """Views near an even one in which spots map onto themselves."""
    found = _fitted(_starts(even, places_px), places_px)
    if not found or max(one.score for one in found) < EXPLAINED_SHARE * len(places_px):
        found += _fitted(_nearby(even, places_px), places_px)
    return found


def _most_zones(found: list[Turned], places_px: Floats) -> Turned | None:
    """The view in which spots map onto themselves for as many zones as explain nearly all that any explains."""
    if not found:
        return None
    best = max(found, key=lambda one: one.score)
    others = _fitted([(0.0, zones, best.pose) for zones in COUNTS if zones != best.zones], places_px)
    return _with_most_zones([*found, *others])


def _with_most_zones(found: list[Turned]) -> Turned | None:
    most = max((one.score for one in found), default=0.0)
    same = [one for one in found if one.score > SAME_SHARE * most]
    return max(same, key=lambda one: (one.zones, one.score), default=None)


def _nearby(even: EvenView, places_px: Floats) -> list["_Start"]:
    """The centres with the most votes in views near an even one, some for each number of zones."""
    all_of_them = [start for view in nearby_views(even, places_px) for start in _starts(view, places_px)]
    all_of_them.sort(key=lambda start: -start[0])
    return [
        start for zones in COUNTS for start in [one for one in all_of_them if one[1] == zones][:FITTED_NEARBY]
    ]


_Start = tuple[float, int, CameraPose]
"""Votes, zones, and a pose whose origin is the centre."""


def _starts(even: EvenView, places_px: Floats) -> Iterator[_Start]:
    points = even.view.to_plane(places_px) / even.step
    points = points[np.isfinite(points).all(axis=1)]
    for zones in COUNTS:
        for centre in find_centres(points, zones):
            yield centre.votes, zones, in_pitches(even.view.pose(), even.step, centre.place * even.step)


def _fitted(starts: Iterator[_Start] | Sequence[_Start], places_px: Floats) -> list[Turned]:
    fitted = [fit_turned(pose, places_px, zones) for _, zones, pose in starts]
    return [one for one in fitted if one is not None]
