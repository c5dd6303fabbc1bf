"""Round spots in a photograph of which neither the scale nor the view is known: what may be a hole."""

from dataclasses import dataclass

import cv2
import numpy as np

from tock_vision.arrays import Bools, Floats, Gray, Singles
from tock_vision.discovery.edges import edges, roundness, summits

OCTAVE_RADII_PX = ((2.2, 2.9, 3.8, 4.9), (3.1, 3.9, 4.9), (3.1, 3.9, 4.9))
"""Ring radii searched in the photograph, and in the photograph at a half and at a quarter of its size."""
LEAST_ROUNDNESS = 0.12
MOST_CANDIDATES = 900


@dataclass(frozen=True)
class Candidates:
    """Spots that may be holes, the roundest first."""

    places_px: Floats
    """Shape: [n, 2]."""
    radii_px: Floats
    scores: Floats
    """Roundness, 0 to about 1."""

    def take(self, some: Bools) -> "Candidates":
        """Keep only some of them."""
        return Candidates(self.places_px[some], self.radii_px[some], self.scores[some])


def find_candidates(gray: Gray) -> Candidates:
    """Find round spots of every size that holes have in photographs."""
    spots = []
    picture: Singles = gray.astype(np.float32)
    for octave, radii in enumerate(OCTAVE_RADII_PX):
        factor = 2**octave
        answer, level = _roundest(picture, radii)
        x, y, height = summits(answer, LEAST_ROUNDNESS)
        radius = np.array(radii)[level[y.round().astype(int), x.round().astype(int)]]
        shift = (factor - 1) / 2
        spots.append(np.column_stack([x * factor + shift, y * factor + shift, radius * factor, height]))
        picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return _without_doubles(np.vstack(spots), gray.shape)


def _roundest(picture: Singles, radii: tuple[float, ...]) -> tuple[Singles, Gray]:
    """Roundness at the best radius, and which one that is."""
    dx, dy = edges(picture)
    best = np.zeros_like(dx)
    level = np.zeros(dx.shape, np.uint8)
    for number, radius in enumerate(radii):
        answer = roundness(dx, dy, radius)
        level[answer > best] = number
        best = np.maximum(best, answer)
    return best, level


def _without_doubles(spots: Floats, shape: tuple[int, ...]) -> Candidates:
    """Of spots on top of each other keep the roundest."""
    taken = np.zeros(shape[:2], np.uint8)
    kept = []
    for spot in spots[np.argsort(-spots[:, 3], kind="stable")]:
        at = (round(float(spot[0])), round(float(spot[1])))
        if not taken[min(at[1], shape[0] - 1), min(at[0], shape[1] - 1)]:
            kept.append(spot)
            cv2.circle(taken, at, max(2, round(1.1 * float(spot[2]))), 1, -1)
            if len(kept) == MOST_CANDIDATES:
                break
    rows = np.array(kept).reshape(-1, 4)
    return Candidates(rows[:, :2], rows[:, 2], rows[:, 3])
