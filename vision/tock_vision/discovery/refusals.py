"""Reasons why photographs give no board: what they show instead, or what is wrong with them."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import cv2
import numpy as np

from tock_companion.language import Text
from tock_companion.rules import ZONE_LENGTH
from tock_vision.arrays import Floats, Gray
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.asymmetric_layout import is_grid
from tock_vision.discovery.candidates import find_bands
from tock_vision.discovery.flat import in_pitches
from tock_vision.discovery.photo import Pass, Sighting, same_plane, spots_of, turned_orbits
from tock_vision.discovery.searching import PhotoSearch, find_board, is_believed
from tock_vision.discovery.symmetry import Turned, find_centres, fit_turned
from tock_vision.discovery.track import Spots, find_tracks
from tock_vision.discovery.views import unproject

SAME_DIFFERENCE = 1.2
"""Mean difference in brightness below which two photographs, made small, are one saved twice."""
SMALL_PX = (160, 120)
SHARP_EDGES = 3.0
"""Strength of the sharpest edges, relative to the contrast, below which a photograph is blurred."""
OTHER_LENGTHS = (8, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 24)
SURE_GAIN, CLEAR_SHARE = 0.4, 0.55
ALMOST_OURS = 17
"""A ring of Tock closes with one hole fewer, too, where a corner can be cut: 30 of 61 stills with up to 0.54 a hole."""
BETTER_GAIN, BETTER_LEAD = 0.5, 0.02
"""Score a hole, and lead over the ring of 18, from which a layout of Tock was found in the ring of another game.

On 61 stills of Tock boards the other rings close with 0.49 at most, the ring of 18 with 0.50 to 0.54; rings of 10 to 16
holes that were taken for Tock with 0.51 to 0.54, and theirs of 18 with 0.48 at most.
"""
MAX_HYPOTHESES = 3
EDGE_PITCHES, AT_EDGE = 0.9, 3
DROWNED, GLARING_SHARE = 252, 0.04
BESIDE_PITCHES, OTHER_BOARD_SPOTS, OTHER_BOARD_IMAGES = 2.0, 60, 45
"""Spots beside the first board from which a second is looked for, and how many must map onto others."""
OTHER_BOARD_PASSES, ONE_SIDE = 2, 0.75
RIM_POINTS = 48


@dataclass(frozen=True)
class NoBoard:
    """A refusal: a stable code and a sentence."""

    reason: str
    message: Text


def no_board(code: str, **numbers: int) -> NoBoard:
    """Refuse with a sentence of the word file."""
    return NoBoard(f"discover/{code}", sentence(code, **numbers))


def same_photo(grays: Sequence[Gray]) -> NoBoard | None:
    """Refuse the same photograph given twice."""
    small = [cv2.resize(gray, SMALL_PX, interpolation=cv2.INTER_AREA).astype(float) for gray in grays]
    for second in range(len(small)):
        for first in range(second):
            if np.abs(small[first] - small[second]).mean() < SAME_DIFFERENCE:
                return no_board("same_photo", picture=first + 1, other=second + 1)
    return None


def is_blurred(gray: Gray) -> bool:
    """Whether the sharpest edges of a photograph are soft."""
    picture = gray.astype(np.float32)
    steps = np.abs(cv2.Laplacian(cv2.GaussianBlur(picture, (0, 0), 1.0), cv2.CV_32F))
    contrast = float(np.std(picture)) + 1e-6
    return 100 * float(np.quantile(steps, 0.995)) / contrast < 10 * SHARP_EDGES


def cut_off(sighting: Sighting, number: int) -> NoBoard | None:
    """Refuse a board of which some holes lie outside the photograph."""
    return no_board("cut_off", picture=number) if sighting.is_cut_off else None


def other_game(spots: Spots) -> NoBoard | None:
    """Recognise the ring of another game: a closed path of another length than Tock's."""
    ring = _best_ring(spots, OTHER_LENGTHS)
    if ring is None or ring.gain <= SURE_GAIN:
        return None
    return _other_ring(ring, spots.zones)


def better_ring(spots: Spots) -> NoBoard | None:
    """Refuse a board in whose holes a ring of another length closes clearly better than one of 18."""
    others = [length for length in OTHER_LENGTHS if length != ALMOST_OURS]
    ring = _best_ring(spots, others)
    if ring is None or ring.gain <= BETTER_GAIN:
        return None
    own = _best_ring(spots, [ZONE_LENGTH])
    # A hole of Tock that is hardly seen is not among the clear ones.
    faint = find_tracks(spots)
    gains = [own.gain if own else 0.0, faint[0].score / ZONE_LENGTH if faint else 0.0]
    return _other_ring(ring, spots.zones) if ring.gain > max(gains) + BETTER_LEAD else None


@dataclass(frozen=True)
class _Ring:
    length: int
    """Holes a zone."""
    gain: float
    """Score a hole."""


def _best_ring(spots: Spots, lengths: Sequence[int]) -> _Ring | None:
    """The ring, of one of these lengths, that closes best through clear holes."""
    clear = spots.strengths > CLEAR_SHARE
    if not clear.any():
        return None
    gap = np.abs(spots.places[clear][:, None, None] - spots.table[clear][None])
    # The scale may come from distances in camps; most steps are those of the ring.
    step = float(np.median(np.where(gap > 0, gap, np.inf).min(axis=(1, 2))))
    strong = Spots(spots.zones, spots.places[clear] / step, spots.strengths[clear])
    tracks = {length: find_tracks(strong, length) for length in lengths if clear.sum() >= length}
    rings = [_Ring(length, found[0].score / length) for length, found in tracks.items() if found]
    return max(rings, key=lambda ring: ring.gain, default=None)


def _other_ring(ring: _Ring, zones: int) -> NoBoard:
    return no_board("other_ring", holes=ring.length * zones, zone=ring.length)


def seen_instead(search: PhotoSearch, number: int) -> NoBoard:
    """Explain a photograph in which no layout was found."""
    gray = search.gray
    if search.most_even is None:
        return no_board("blurred", picture=number) if is_blurred(gray) else no_board("no_board")
    seen = list(search.passes())
    pass_ = max(seen, key=lambda one: one.evenness, default=search.most_even)
    if is_grid(pass_.spots):
        return no_board("grid")
    # A ring's holes are counted in the view in which most of it maps onto itself, not in the most even one.
    turned = [(one, hypothesis) for one in seen for hypothesis in one.hypotheses]
    turned.sort(key=lambda pair: -pair[1].score)
    counted: list[tuple[Pass, Turned]] = []
    for one, hypothesis in turned:
        if not any(same_plane(hypothesis, other) for _, other in counted):
            counted.append((one, hypothesis))
    for one, hypothesis in counted[:MAX_HYPOTHESES]:
        other = other_game(spots_of(turned_orbits(one, hypothesis)))
        if other is not None:
            return other
    if _runs_out(pass_, gray):
        return no_board("cut_off", picture=number)
    if _is_glaring(pass_, gray):
        return no_board("glare", picture=number)
    return no_board("no_board")


def has_other_board(gray: Gray, sighting: Sighting, zones: Sequence[int]) -> bool:
    """Whether a second Tock board lies beside the one that was found."""
    table = spots_of(sighting.orbits).table
    reach = max(float(np.abs(table[orbit]).max()) for orbit, _ in sighting.layout.nodes()) + BESIDE_PITCHES
    beside = _beside(gray, sighting.pose, reach)
    points = unproject(sighting.pose, beside)
    points = points[np.isfinite(points).all(axis=1)]
    if len(points) < OTHER_BOARD_SPOTS or not _on_one_side(points):
        return False
    turned = [
        fit_turned(in_pitches(sighting.pose, 1.0, centre.place), beside, count)
        for count in zones
        for centre in find_centres(points, count, beyond=reach)
    ]
    if not any(one is not None and one.score > OTHER_BOARD_IMAGES for one in turned):
        return False
    # Checked cloth maps onto itself as well, so only a layout counts as a board.
    other = find_board(_without(gray, sighting.pose, reach), zones, OTHER_BOARD_PASSES)
    return other is not None and is_believed(other)


def _on_one_side(points: Floats) -> bool:
    """Whether most places lie in one direction from the origin, unlike those of a cloth around the board."""
    directions = points / np.linalg.norm(points, axis=1, keepdims=True)
    return float(np.linalg.norm(directions.mean(axis=0))) > ONE_SIDE


def _beside(gray: Gray, pose: CameraPose, reach: float) -> Floats:
    """Spots farther than `reach` pitches from the centre of a board, in pixels (shape: [n, 2])."""
    places_px = next(find_bands(gray)).places_px
    flat = unproject(pose, places_px)
    return np.asarray(places_px[np.linalg.norm(np.nan_to_num(flat, nan=1e3), axis=1) > reach])


def _without(gray: Gray, pose: CameraPose, reach: float) -> Gray:
    """A copy of a photograph with the surroundings of the centre painted over."""
    angle = np.linspace(0, 2 * np.pi, RIM_POINTS, endpoint=False)
    rim = pose.project(reach * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    copy = gray.copy()
    cv2.fillPoly(copy, [rim.round().astype(np.int32)], float(np.median(gray)))
    return copy


def _runs_out(pass_: Pass, gray: Gray) -> bool:
    """Whether rows of holes lead to the edge of the photograph."""
    places_px = pass_.pose.project(pass_.spots)
    far = EDGE_PITCHES * pass_.pose.scale(pass_.spots)
    size = np.array([gray.shape[1], gray.shape[0]])
    return int(((places_px < far[:, None]) | (places_px > size - far[:, None])).any(axis=1).sum()) >= AT_EDGE


def _is_glaring(pass_: Pass, gray: Gray) -> bool:
    """Whether part of the area between the holes is overexposed."""
    hull = cv2.convexHull(pass_.pose.project(pass_.spots).astype(np.float32)).astype(np.int32)
    area = np.zeros(gray.shape, np.uint8)
    cv2.fillPoly(area, [hull], 1)
    return float((gray[area > 0] >= DROWNED).mean()) > GLARING_SHARE


@cache
def _catalog() -> dict[str, Text]:
    source = files("tock_vision.discovery").joinpath("words.toml").read_text(encoding="utf-8")
    catalog: dict[str, Text] = tomllib.loads(source)
    return catalog


def sentence(code: str, **numbers: int) -> Text:
    """A sentence of the word file."""
    entry = _catalog()[code]
    return Text(fr=entry["fr"].format(**numbers), en=entry["en"].format(**numbers))
