"""Reasons why photographs give no board: another subject, or a fault of the picture.

Constants set in `dd32a36a`; SAME_DIFFERENCE, SHARP_EDGES in `4c76c3e3`; BESIDE_PITCHES, OTHER_BOARD_SPOTS in
`a551ac48`; RIM_POINTS in `2ea0a2ea`; ONE_SIDE, OTHER_BOARD_PASSES in `6e2f0f15`; OTHER_BOARD_IMAGES in `debd4685`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tock_companion.language import Text, catalog, in_every_language
from tock_vision.arrays import Floats, Gray
from tock_vision.camera_pose import CameraPose, unproject
from tock_vision.discovery.candidates import CLEAR_SHARE, Bands, likeliest
from tock_vision.discovery.photo import Sighting, spots_of
from tock_vision.discovery.rings import Ring
from tock_vision.discovery.searching import find_board, is_believed
from tock_vision.discovery.straightened import in_pitches
from tock_vision.discovery.symmetry import find_centres, fit_turned

PREFIX = "discover/"
SAME_DIFFERENCE = 1.2
"""Mean difference in brightness below which two photographs, made small, are one saved twice."""
SMALL_PX = (160, 120)
MIN_CONTRAST, SHARP_EDGES = 4.0, 3.0
"""Strength of the sharpest edges, relative to the contrast, below which a photograph is blurred."""
CLEAR_CHANCE, FEW_HOLES = 0.5, 16
BESIDE_PITCHES, OTHER_BOARD_SPOTS, OTHER_BOARD_IMAGES = 2.0, 60, 45
"""Spots beside the first board from which a second is looked for, and how many must map onto others."""
OTHER_BOARD_PASSES, ONE_SIDE = 2, 0.75
RIM_POINTS = 48


@dataclass(frozen=True)
class NoBoard:
    """A refusal: a stable code and a sentence."""

    reason: str
    message: Text
    ring: int | None = None
    """Holes in the ring of another game."""
    zones: int | None = None
    """Its zones."""
    likely: Ring | None = None
    """A ring that all but surely is there, where none is named."""

    def to_json(self) -> dict[str, object]:
        """The answer of `tock board discover`."""
        numbers = {} if self.ring is None else {"ring": self.ring, "zones": self.zones}
        return {
            "found": False,
            "reason": self.reason.removeprefix(PREFIX),
            **numbers,
            "message": self.message,
        }


def no_board(code: str, **numbers: int) -> NoBoard:
    """Refuse with a sentence of the word file."""
    return NoBoard(PREFIX + code, sentence(code, **numbers))


def other_ring(ring: Ring) -> NoBoard:
    """Refuse the ring of another game."""
    holes = ring.length * ring.zones
    words = sentence("other_ring", holes=holes, zones=ring.zones, zone=ring.length)
    return NoBoard(f"{PREFIX}other_ring", words, holes, ring.zones)


def same_photo(grays: Sequence[Gray]) -> NoBoard | None:
    """Refuse the same photograph given twice."""
    small = [cv2.resize(gray, SMALL_PX, interpolation=cv2.INTER_AREA).astype(float) for gray in grays]
    for second in range(len(small)):
        for first in range(second):
            if np.abs(small[first] - small[second]).mean() < SAME_DIFFERENCE:
                return no_board("same_photo", picture=first + 1, other=second + 1)
    return None


def is_blurred(gray: Gray) -> bool:
    """Whether the sharpest edges of a photograph are soft; where there is no contrast nothing could be sharp."""
    picture = gray.astype(np.float32)
    steps = np.abs(cv2.Laplacian(cv2.GaussianBlur(picture, (0, 0), 1.0), cv2.CV_32F))
    contrast = float(np.std(picture))
    return contrast > MIN_CONTRAST and 100 * float(np.quantile(steps, 0.995)) / contrast < 10 * SHARP_EDGES


def shows_holes(bands: Bands) -> bool:
    """Whether some holes are seen clearly, though too few for a board."""
    return int((next(iter(bands)).chances > CLEAR_CHANCE).sum()) >= FEW_HOLES


def spots_seen(bands: Bands) -> Iterator[Floats]:
    """Yield the clear spots at each size of a photograph, in pixels (shape: [n, 2])."""
    for band in bands:
        yield band.places_px[likeliest(band.chances, CLEAR_SHARE)]


def cut_off(sighting: Sighting, number: int) -> NoBoard | None:
    """Refuse a board of which some holes lie outside the photograph."""
    return no_board("cut_off", picture=number) if sighting.is_cut_off else None


def has_other_board(bands: Bands, sighting: Sighting, zones: Sequence[int]) -> bool:
    """Whether a second Tock board lies beside the one that was found."""
    table = spots_of(sighting.orbits).table
    reach = max(float(np.abs(table[orbit]).max()) for orbit, _ in sighting.layout.nodes()) + BESIDE_PITCHES
    beside = _beside(bands, sighting.pose, reach)
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
    other = find_board(_without(bands.gray, sighting.pose, reach), zones, OTHER_BOARD_PASSES)
    return other is not None and is_believed(other)


def _on_one_side(points: Floats) -> bool:
    """Whether most places lie in one direction from the origin, unlike those of a cloth around the board."""
    directions = points / np.linalg.norm(points, axis=1, keepdims=True)
    return float(np.linalg.norm(directions.mean(axis=0))) > ONE_SIDE


def _beside(bands: Bands, pose: CameraPose, reach: float) -> Floats:
    """Spots farther than `reach` pitches from the centre of a board, in pixels (shape: [n, 2])."""
    # Boards side by side are about as large.
    places_px = bands.near(float(pose.scale(np.zeros((1, 2)))[0])).places_px
    flat = unproject(pose, places_px)
    return np.asarray(places_px[np.linalg.norm(np.nan_to_num(flat, nan=1e3), axis=1) > reach])


def _without(gray: Gray, pose: CameraPose, reach: float) -> Gray:
    """A copy of a photograph with the surroundings of the centre painted over."""
    angle = np.linspace(0, 2 * np.pi, RIM_POINTS, endpoint=False)
    rim = pose.project(reach * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    copy = gray.copy()
    cv2.fillPoly(copy, [rim.round().astype(np.int32)], float(np.median(gray)))
    return copy


def sentence(code: str, **numbers: int) -> Text:
    """A sentence of the word file."""
    template = catalog("board_photos")[code]
    return in_every_language(lambda lang: template[lang].format(**numbers))
