"""Subjects of photographs other than a Tock board: another game, part of a board, a reflection; each only if so.

Constants set in `dd32a36a`; AT_EDGE, DROWNED, EDGE_PITCHES, GLARING_SHARE in `a551ac48`; BETTER_GAIN, BETTER_LEAD in
`a848c0b8`; CORNER_LEAD in `2ae30786`; LONGER_LEAD, NEAR_LENGTHS in `aec89513`; SHORTER_LEAD in `72b52e94`;
FITTING_LEAD in `5c255fa1`; HALVED_SHARE in `7f35ca89`.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from tock_rules import ZONE_LENGTH
from tock_vision.arrays import Gray
from tock_vision.discovery import scores
from tock_vision.discovery.asymmetric_layout import is_grid
from tock_vision.discovery.candidates import Bands
from tock_vision.discovery.photo import PROMISING, Pass, Sighting, spots_of
from tock_vision.discovery.questions import extra_camp_holes
from tock_vision.discovery.refusals import NoBoard, is_blurred, no_board, other_ring, shows_holes, spots_seen
from tock_vision.discovery.rings import (
    ALMOST_OURS,
    HOMES_AND_CAMPS,
    LENGTHS,
    PLAIN_SHARE,
    Ring,
    clear_spots,
    gain_of,
    ring_of_other_zones,
)
from tock_vision.discovery.searching import UNSEEN_CHANCE, PhotoSearch
from tock_vision.discovery.structure import LayoutSearch
from tock_vision.discovery.symmetry import find_centres, images
from tock_vision.discovery.track import ZONES, Form, Spots, find_tracks

PASSES_ASKED = 3
BETTER_GAIN, BETTER_LEAD = 0.5, 0.02
"""Score a hole, and lead over the ring of 18, from which a layout of Tock was found in the ring of another game.

On 61 stills of Tock boards the other rings close with 0.49 at most, the ring of 18 with 0.50 to 0.54; rings of 10 to 16
holes that were taken for Tock with 0.51 to 0.54, and theirs of 18 with 0.48 at most.
"""
ALIKE_GAIN, CORNER_LEAD = 0.012, 0.005
"""A difference in score without meaning; and the cost of a cut corner."""
FAINT_HOLE = 0.5
"""Only where one of the 18 holes of a zone is hardly seen is a ring taken for one of 17."""
NEAR_LENGTHS = (16, 17, 19, 20)
"""Lengths of rings in whose holes a layout of Tock closes by a corner that is cut or a false hole."""
SHORTER_LEAD, LONGER_LEAD, FITTING_LEAD = 0.4, 0.27, 0.2
"""Lead of the layout of another game, ring, homes and camps, over that of Tock, from which it is believed.

The last is for one that leaves no hole over. On made rings it was 0.44 and more, on 53 boards of Tock 0.10 and less;
0.32 for 17 on one with cards on a hole, 0.17 for 20 on one of 62 others.
"""
HALVED_SHARE = 0.85
"""Share of the spots that half a zone explains: a track may map onto itself so, 18 of 26 holes, but not the rest."""
EDGE_PITCHES, AT_EDGE = 0.9, 3
INSIDE_SHARE, OUTSIDE_SHARE, NEAR_PITCHES = 0.6, 0.15, 0.5
"""Shares of the holes of a board cut off that lie, turned by a zone, on holes and outside; how near is on a hole."""
ACROSS_UNSEEN, ACROSS_LEFT = 0.12, 0.12
"""Shares of its holes that are not seen, and of the clear spots within it that it leaves over, beyond which it may
run across another board; the ring in the spots decides. Layouts of Tock across rings of 16 have 0.31 and 0.21; two of
178 stills of Tock have 0.25 and 0.16, 0.12 and 0.14, and show a ring of 18.
"""
MIDDLE_PITCHES = 1.2
"""A spot nearer to the centre is the hole in the middle."""
DROWNED, GLARING_SHARE, HOLES_IN_GLARE = 252, 0.04, 0.35
"""Brightness of a reflection, its least share of the area, and how many of the usual holes it may show."""


def other_game(search: PhotoSearch, *, is_doubtful: bool = False) -> NoBoard | None:
    """Recognise another game: a ring of another length, or holes side by side without a ring.

    Where a layout of Tock `is_doubtful` a ring is named, too, that no pass shows for sure but all show alike.
    """
    passes = sorted(search.passes_made, key=lambda one: -one.evenness)
    if passes and is_grid(passes[0].spots):
        return no_board("other_game")
    if passes and passes[0].evenness < PROMISING and not search.bands.are_clear:
        # A ring lies evenly, or at least its holes are clear.
        return None
    rings = []
    for pass_ in passes[:PASSES_ASKED]:
        ring = search.ring_of(pass_)
        if ring is not None and ring.is_sure:
            return None if ring.is_tock else other_ring(ring)
        rings.append(ring)
    agreed = agreed_ring(rings) if is_doubtful else None
    return None if agreed is None else other_ring(agreed)


def agreed_ring(rings: Sequence[Ring | None]) -> Ring | None:
    """The ring of another game that all of some passes show, surrounded by just homes and camps.

    Small rings score too little, and are too crowded by their homes and camps, to be sure in any of them.
    """
    seen = [ring for ring in rings if ring is not None]
    if len(seen) < PASSES_ASKED:
        return None
    first = seen[0]
    if first.zones in ZONES and first.length in (ZONE_LENGTH, *NEAR_LENGTHS):
        return None
    shown = (first.zones, first.length, HOMES_AND_CAMPS)
    is_agreed = all(
        (ring.zones, ring.length, ring.beside) == shown and ring.share > PLAIN_SHARE for ring in seen
    )
    return first if is_agreed else None


def better_ring(spots: Spots, in_camps: int = 0) -> NoBoard | None:
    """Refuse a board in whose holes a ring of another length closes clearly better than one of 18.

    A camp may have holes beyond four.
    """
    strong = clear_spots(spots)
    if strong is None:
        return None
    gains = {length: gain_of(strong, length) for length in LENGTHS}
    # A hole of Tock that is hardly seen is not among the clear ones.
    faint = find_tracks(spots)
    own = max(gains[ZONE_LENGTH], faint[0].score / ZONE_LENGTH if faint else 0.0)
    if not _has_faint_hole(spots, [orbit for orbit, _ in faint[0].nodes] if faint else []):
        gains.pop(ALMOST_OURS)
    length = max(gains, key=lambda one: gains[one])
    # With a ring of this length each hole has its place; with one of Tock some are left over, one by cutting a corner.
    fitting = len(strong.places) - HOMES_AND_CAMPS - in_camps
    lead = CORNER_LEAD if fitting == ZONE_LENGTH + 1 else -ALIKE_GAIN
    if fitting > ZONE_LENGTH and gains.get(fitting, 0.0) > max(BETTER_GAIN, own + lead):
        return other_ring(Ring(spots.zones, fitting, gains[fitting], 0.0, 1.0))
    if gains[length] <= max(BETTER_GAIN, own + BETTER_LEAD):
        return None
    return other_ring(Ring(spots.zones, length, gains[length], gains[length] - own, 1.0))


def better_layout(spots: Spots) -> NoBoard | None:
    """Refuse a board whose holes make the ring, the homes and the camps of another game clearly better.

    A layout of 18 in a ring of 19 leaves a hole over, and one in a ring of 17 needs a hole that is hardly seen.
    """
    search = LayoutSearch(spots)
    own = search.find()
    if own is None:
        return None
    found = [(length, search.find(form=Form(length))) for length in NEAR_LENGTHS]
    leads = {length: other.score - own.score for length, other in found if other is not None}
    length = max(leads, key=lambda one: leads[one], default=ZONE_LENGTH)
    strong = clear_spots(spots)
    is_fitting = strong is not None and len(strong.places) == length + HOMES_AND_CAMPS
    longer = FITTING_LEAD if is_fitting else LONGER_LEAD
    least = SHORTER_LEAD if length < ZONE_LENGTH else longer
    if leads.get(length, 0.0) < least:
        return None
    return other_ring(Ring(spots.zones, length, own.score / length, leads[length], 1.0))


def _has_faint_hole(spots: Spots, track: Sequence[int]) -> bool:
    return not track or float(spots.strengths[list(track)].min()) < FAINT_HOLE


def instead_of(sighting: Sighting, search: PhotoSearch) -> NoBoard | None:
    """Refuse a layout found in the holes of another game."""
    if not sighting.orbits.is_asymmetric:
        other = ring_of_other_zones(sighting)
        if other is not None and other.is_sure and not other.is_tock:
            return other_ring(other)
        if other is not None and _has_halved_zones(other, sighting):
            return other_game(search) or no_board("no_board")
        in_camps = extra_camp_holes(sighting.orbits, sighting.layout)
        spots = spots_of(sighting.orbits)
        better = better_ring(spots, in_camps) or better_layout(spots)
        if better is not None:
            # In the zones of the layout a ring may close with a corner cut, or across two zones of the board; the view
            # that needs no layout names it.
            named = other_game(search)
            return named or (better if other is None else no_board("no_board"))
        if runs_across(sighting, search):
            return other_game(search) or no_board("doubtful")
        if sighting.layout.score > scores.GOOD:
            return None
    return other_game(search)


def runs_across(sighting: Sighting, search: PhotoSearch) -> bool:
    """Whether a layout runs across the holes of another ring, which the photograph shows as clearly."""
    ring = None if search.most_even is None else search.ring_of(search.most_even)
    if ring is None or not ring.is_likely or ring.likely_length == sighting.layout.form.length:
        return False
    nodes = [orbit for orbit, _ in sighting.layout.nodes()]
    if float((sighting.orbits.copies[nodes] < UNSEEN_CHANCE).mean()) < ACROSS_UNSEEN:
        return False
    holes = spots_of(sighting.orbits).table[nodes].ravel()
    clear = sighting.flat.spots_clear()
    spots = clear[:, 0] + 1j * clear[:, 1]
    is_within = (np.abs(spots) < np.abs(holes).max()) & (np.abs(spots) > MIDDLE_PITCHES)
    is_left = np.abs(spots[:, None] - holes).min(axis=1) > NEAR_PITCHES
    return int((is_within & is_left).sum()) > ACROSS_LEFT * len(spots)


def _has_halved_zones(other: Ring, sighting: Sighting) -> bool:
    """Whether holes map onto each other when turned by half a zone of the layout, as homes and camps of Tock do not."""
    return not other.is_tock and other.zones % sighting.zones == 0 and other.share > HALVED_SHARE


def seen_instead(search: PhotoSearch, number: int) -> NoBoard:
    """Explain a photograph in which no layout was found."""
    gray, in_gray = search.bands.gray, search.bands.in_gray
    if search.most_even is None:
        if is_blurred(gray) and not shows_holes(in_gray):
            return no_board("blurred", picture=number)
        return grid_or_nothing(in_gray)
    if search.other_ring is not None:
        return other_ring(search.other_ring)
    other = other_game(search)
    if other is not None:
        return other
    if _runs_out(search.most_even, gray):
        return no_board("cut_off", picture=number)
    if is_grid(search.most_even.spots, is_doubtful=True):
        return no_board("other_game")
    if _is_glaring(search.most_even, gray):
        return no_board("glare", picture=number)
    return grid_or_nothing(in_gray)


def grid_or_nothing(bands: Bands) -> NoBoard:
    """Recognise a grid at some size: fewer of its holes are seen than of a board's, perhaps too few for a view.

    In such spots of true boards at most three in ten have four neighbours.
    """
    return no_board("other_game" if any(is_grid(spots) for spots in spots_seen(bands)) else "no_board")


def _runs_out(pass_: Pass, gray: Gray) -> bool:
    """Whether rows of holes lead to the edge of the photograph, beyond which the other zones would be."""
    places_px = pass_.pose.project(pass_.spots)
    far = EDGE_PITCHES * pass_.pose.scale(pass_.spots)
    size = np.array([gray.shape[1], gray.shape[0]])
    at_edge = ((places_px < far[:, None]) | (places_px > size - far[:, None])).any(axis=1)
    if int(at_edge.sum()) < AT_EDGE:
        return False
    flat = pass_.spots[:, 0] + 1j * pass_.spots[:, 1]
    for zones in ZONES:
        for centre in find_centres(pass_.spots, zones):
            turned = images(pass_.spots, centre.place, zones)[[1, -1]].reshape(-1, 2)
            seen_px = pass_.pose.project(turned)
            inside = ((seen_px > 0) & (seen_px < size)).all(axis=1)
            gap = np.abs((turned[:, 0] + 1j * turned[:, 1])[:, None] - flat[None]).min(axis=1)
            if (
                inside.any()
                and (gap[inside] < NEAR_PITCHES).mean() > INSIDE_SHARE
                and (~inside).mean() > OUTSIDE_SHARE
            ):
                return True
    return False


def _is_glaring(pass_: Pass, gray: Gray) -> bool:
    """Whether a reflection lies over part of the area between the holes, and hides the holes there."""
    places_px = pass_.pose.project(pass_.spots).astype(np.float32)
    area = np.zeros(gray.shape, np.uint8)
    cv2.fillPoly(area, [cv2.convexHull(places_px).astype(np.int32)], 1)
    drowned = (gray >= DROWNED) & (area > 0)
    share = float(drowned.sum()) / max(int(area.sum()), 1)
    at = np.clip(places_px.round().astype(int), 0, np.array(gray.shape[::-1]) - 1)
    return share > GLARING_SHARE and float(drowned[at[:, 1], at[:, 0]].mean()) < HOLES_IN_GLARE * share
