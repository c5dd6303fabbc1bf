"""Whether a board has a hole in the middle: letters are printed there as well, and cards lie there."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np

from tock_companion.rules import HoleKind
from tock_vision.arrays import Floats, Frame, Gray, sample
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.drafting import FoundHole
from tock_vision.discovery.paint import look

HALF_PITCHES, SIDE = 0.55, 15
NEAREST_HOLES = 16
AROUND_PITCHES = (0.6, 0.75, 0.9)
"""Rings around the middle that show whether it is board that lies there."""
DIRECTIONS = 24
FREE_PITCHES = 0.5
"""Nearer to a hole than this is no plain board."""
SURE_CHANCE = 0.45
"""Where the network gives a hole more than this, there is one: a pawn, a painted bowl that is the others' negative."""
UNLIKE, PRINTED_CHANCE = 0.3, 0.6
"""What is neither like the other holes nor their negative is printed, unless the network is surer than this."""
LEAST_CHANCE, LEAST_LIKENESS = 0.33, 0.4
"""What is less likely must look like other holes, and nothing may lie there."""
NO_CHANCE = 0.25
WORDY, WORDY_LIKENESS = 7.0, 0.5
"""Where the surroundings vary more, letters stand there: an O is round as well, so a hole must be like others."""
LIKELY_CHANCE = 0.38
"""What is covered but looks like a hole so much to the network is likelier one."""
PLAINEST = 0.45
"""What varies less than this, relative to holes, is bare."""
OTHER_LIGHTNESS, OTHER_COLOR = 14.0, 9.0
"""The surroundings of the middle are board where they differ from it by less (CIE Lab: L, and a and b together)."""


class Centre(Enum):
    """What the middle of a board shows."""

    HOLE = "hole"
    BARE = "bare"
    UNKNOWN = "unknown"


def is_likely(holes: Sequence[FoundHole], chance: float) -> bool:
    """Whether a middle that is covered is likelier a hole: where homes, and not the track, come nearest to it.

    So it is on ten of the twelve boards D01 to D12. Whoever has the board is asked in any case. `chance` is that of
    the network, which may see a rim.
    """
    return (
        chance > LIKELY_CHANCE
        or min(holes, key=lambda hole: float(np.linalg.norm(hole.place))).kind is HoleKind.HOME
    )


@dataclass(frozen=True)
class Middle:
    """The middle of a board in one photograph."""

    likeness: float
    """To the usual hole, as a correlation."""
    contrast: float
    """Relative to that of holes."""
    lightness_off: float
    """How much lighter or darker its surroundings are than the board (CIE Lab)."""
    color_off: float
    """How far their colour is from the board's."""
    unrest: float
    """How much more their lightness varies than that of the board (CIE Lab): letters and drawings go on there."""

    @property
    def is_covered(self) -> bool:
        """Whether cards or a hand lie there."""
        return abs(self.lightness_off) > OTHER_LIGHTNESS or self.color_off > OTHER_COLOR

    @property
    def is_like_board(self) -> bool:
        """Whether nothing can lie there: the surroundings look as the board does."""
        return abs(self.lightness_off) < OTHER_LIGHTNESS / 2 and self.color_off < OTHER_COLOR / 2

    def shows(self, chance: float) -> Centre:
        """What it shows where the network gives a hole there this chance."""
        is_wordy = self.unrest > WORDY
        is_printed = abs(self.likeness) < UNLIKE and chance < PRINTED_CHANCE
        if chance > SURE_CHANCE and not is_printed and (not is_wordy or self.likeness > WORDY_LIKENESS):
            return Centre.HOLE
        is_open = not self.is_covered and not is_wordy
        if is_open and chance > LEAST_CHANCE and self.likeness > LEAST_LIKENESS:
            return Centre.HOLE
        if (is_printed or (is_wordy and abs(self.likeness) < WORDY_LIKENESS)) and not self.is_covered:
            return Centre.BARE
        is_none = chance < NO_CHANCE and (self.likeness < LEAST_LIKENESS or self.contrast < PLAINEST)
        return Centre.BARE if is_none and not self.is_covered else Centre.UNKNOWN


def look_at_centre(views: Sequence[tuple[Frame, CameraPose, float]], holes: Floats, track: Floats) -> Centre:
    """Compare the middle with the holes of the track (shape: [n, 2], pitches); one clear photograph is enough.

    A view is a photograph, its pose, and the chance of a hole in the middle; `holes` are all holes but the middle.
    """
    middles = [(measure(frame, pose, holes, track), chance) for frame, pose, chance in views]
    if any(middle.shows(chance) is Centre.HOLE for middle, chance in middles):
        return Centre.HOLE
    # What lies there in one photograph mostly lies there in the others, and is not seen as well in poor light.
    is_covered = any(middle.is_covered for middle, _ in middles)
    bare = [middle for middle, chance in middles if middle.shows(chance) is Centre.BARE]
    return Centre.BARE if any(middle.is_like_board or not is_covered for middle in bare) else Centre.UNKNOWN


def measure(frame: Frame, pose: CameraPose, holes: Floats, track: Floats) -> Middle:
    """What the middle looks like beside the holes of the track, and its surroundings beside the board."""
    likeness, contrast = _compare(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), pose, track)
    angle = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    around = np.concatenate([radius * ring for radius in AROUND_PITCHES])
    near = holes[np.argsort(np.linalg.norm(holes, axis=1))[:NEAREST_HOLES]]
    beside = (near[:, None] + AROUND_PITCHES[0] * ring[None]).reshape(-1, 2)
    own, board = (look(frame, pose, _plain(places, holes))[:, 0] for places in (around, beside))
    off = np.median(own, axis=0) - np.median(board, axis=0)
    unrest = float(own[:, 0].std() - board[:, 0].std())
    return Middle(likeness, contrast, float(off[0]), float(np.hypot(off[1], off[2])), unrest)


def _plain(places: Floats, holes: Floats) -> Floats:
    """Those of some places on which no hole lies; all where there is one everywhere."""
    gap = np.linalg.norm(places[:, None] - holes[None], axis=2).min(axis=1)
    free = gap > FREE_PITCHES
    return np.asarray(places[free] if free.any() else places)


def _compare(gray: Gray, pose: CameraPose, track: Floats) -> tuple[float, float]:
    """How much the middle looks like the usual hole (a correlation), and its contrast relative to theirs."""
    steps = np.linspace(-HALF_PITCHES, HALF_PITCHES, SIDE)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2)
    places = np.vstack([track, np.zeros((1, 2))])[:, None] + grid
    at = pose.project(places.reshape(-1, 2)).reshape(len(places), SIDE * SIDE, 2)
    looks = sample(gray, at.astype(np.float32)).astype(float)
    spread = looks.std(axis=1)
    even = (looks - looks.mean(axis=1, keepdims=True)) / np.maximum(spread, 1e-6)[:, None]
    usual = np.median(even[:-1], axis=0)
    usual = (usual - usual.mean()) / max(float(usual.std()), 1e-6)
    contrast = float(spread[-1] / max(float(np.median(spread[:-1])), 1e-6))
    return float((usual * even[-1]).mean()), contrast
