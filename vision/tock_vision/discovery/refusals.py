"""Why photographs give no board: what they show instead, or what is wrong with them."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tock_companion.language import Text
from tock_companion.rules import ZONE_LENGTH
from tock_vision.arrays import Frame, Gray
from tock_vision.discovery.photo import Sighting, spots_of
from tock_vision.discovery.track import Spots, find_tracks
from tock_vision.discovery.words import sentence

SAME_DIFFERENCE = 1.2
"""Mean difference in brightness of two small copies of one photograph, saved twice."""
SMALL_PX = (160, 120)
SHARP_EDGES = 3.0
"""Mean strength of the strongest hundredth of edges, relative to the contrast; blur makes it less."""
OTHER_LENGTHS = tuple(length for length in range(8, 27) if length != ZONE_LENGTH)
SURE_GAIN = 0.3
MOST_OUTSIDE = 0.02


@dataclass(frozen=True)
class NoBoard:
    """A refusal: a stable code and what to tell people."""

    reason: str
    message: Text


def no_board(code: str, **numbers: int) -> NoBoard:
    """Refuse with a sentence of the word file."""
    return NoBoard(f"discover/{code}", sentence(code, **numbers))


def same_photo(grays: Sequence[Gray]) -> NoBoard | None:
    """Refuse a photograph that was given twice."""
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


def cut_off(frame: Frame, sighting: Sighting, number: int) -> NoBoard | None:
    """Refuse a board of which some holes lie outside the photograph."""
    table = spots_of(sighting.orbits).table
    holes = np.array([table[orbit] for orbit, _ in sighting.layout.nodes()]).ravel()
    places = sighting.pose.project(np.column_stack([holes.real, holes.imag]))
    size = np.array([frame.shape[1], frame.shape[0]])
    outside = ((places < 0) | (places > size - 1)).any(axis=1)
    return no_board("cut_off", picture=number) if outside.mean() > MOST_OUTSIDE else None


def other_game(spots: Spots) -> NoBoard | None:
    """Say what the holes make when they make no Tock board: a ring of another length."""
    found = []
    for length in OTHER_LENGTHS:
        tracks = find_tracks(spots, length)
        if tracks and tracks[0].score > SURE_GAIN * length:
            found.append((tracks[0].score, length))
    if not found:
        return None
    length = max(found)[1]
    return no_board("other_ring", holes=length * spots.zones, zone=length)
