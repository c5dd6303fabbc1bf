"""Keeps the network's features of each hole, and re-reads only holes that changed and have come to rest.

Nothing is said of a hole in which something moves until it is still. The others are refreshed in turn.
"""

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Bools, Frame, Ints, Singles
from tock_vision.holes.calibration import Calibration, color_features, likeness
from tock_vision.holes.context import HoleFeatures
from tock_vision.holes.light_reference import LightReference, compared, samples_of_patches
from tock_vision.holes.near_empties import NearEmpties
from tock_vision.holes.network import FEATURES, PatchNetwork
from tock_vision.holes.own_empties import OwnEmpties
from tock_vision.holes.patches import (
    MARKS_PER_SIDE,
    PatchGrid,
    cut,
    light_color,
    light_levels,
    marks,
    network_input,
    usual_empty,
)

CHANGED_PART_OF_LIGHT = 0.035
"""Change of a ninth of a hole's surroundings, relative to the light, above which it is read again."""
CHANGED_OVER_GRAIN = 2.5
"""The same as a multiple of the median change, which is grain."""
FEW_CHANGED_HOLES = 20
"""Up to this many changed holes are read at once; of more, only those that are still."""
MAX_PATCHES_PER_FRAME = 36
"""Most patches read in one frame, once all have been."""
REFRESHED_PER_FRAME = 3
"""Unchanged patches refreshed in each frame, so that slow changes of light do not add up."""
MAX_DOUBTFUL_PER_FRAME = 10
"""Most doubtful patches read mirrored in one frame; no limit after everything was read."""
LIGHT_CHANGED_SHARE = 0.6
"""Share of changed and still holes from which the light has changed: everything is read again."""


class HoleFeatureCache:
    """Features of every hole seen from one pose, kept from frame to frame."""

    def __init__(
        self,
        board: BoardFile,
        network: PatchNetwork,
        calibration: Calibration | None,
        *,
        with_colors: bool = True,
    ) -> None:
        self._board = board
        self._with_colors = with_colors
        self._near = NearEmpties(board)
        self._network = network
        self._calibration = calibration
        count = len(board.holes)
        self.features: Singles | None = None
        """The network's features of each hole (shape: [holes, FEATURES]); None before the first frame."""
        self.colors: Singles | None = None
        """Colour features to compare with learned pawns or each other's (shape: [holes, 4])."""
        self.bare: Singles | None = None
        """The same of the empty holes, where these were learned, too."""
        self.likeness: Singles | None = None
        """Likeness of each hole to itself when empty, where that was learned (shape: [holes])."""
        learned = None if calibration is None else calibration.empty
        self.own_empties = OwnEmpties(board) if with_colors and learned is None else None
        """How the holes look beside the empty ones of the picture, where it is not known how each looks when empty."""
        self.mirrored: Singles = np.zeros((count, FEATURES), dtype=np.float32)
        """The same of the mirrored patch, for holes in `twice`."""
        self.twice: Bools = np.zeros(count, dtype=bool)
        """Mask of the holes that were read mirrored too."""
        self.fresh: Bools = np.zeros(count, dtype=bool)
        """Mask of the holes that still look as they did when they were read."""
        self.changed_now = False
        """Whether the newest frame changed a hole."""
        self._empty: Singles = np.zeros(0, dtype=np.float32)
        self._light: Singles = np.ones(3, dtype=np.float32)
        self._reference = LightReference(None if learned is None else samples_of_patches(learned))
        self._gains: Singles = np.ones(3, dtype=np.float32)
        self._sampled: tuple[Frame, Singles, Singles, Singles] | None = None
        self._when_read: Singles = np.zeros(0, dtype=np.float32)
        self._before: Singles = np.zeros(0, dtype=np.float32)
        self._age: Ints = np.arange(count)
        self._everything = False

    def changed_share(self, small: Frame, grid: PatchGrid) -> float:
        """Share of holes that look different from when they were read; 1 before the first frame."""
        if self.features is None:
            return 1.0
        now = self._seen(small, grid)[2] * np.tile(self._gains, 9)
        return float((_change(now, self._when_read) > self._threshold(now)).mean())

    def update(self, frame: Frame, small: Frame, grid: PatchGrid) -> None:
        """Read what changed in a frame; `small` is the frame at a quarter of its size."""
        levels, seen, ninths = self._seen(small, grid)
        self._gains = self._reference.gains(compared(seen), levels)
        levels = self.referred(levels)
        now = ninths * np.tile(self._gains, 9)
        count = len(now)
        if self.features is None:
            numbers, changed = np.arange(count), np.ones(count, dtype=bool)
            self._when_read = now.copy()
        else:
            threshold = self._threshold(now)
            changed = _change(now, self._when_read) > threshold
            moving = _change(now, self._before) > threshold
            numbers = self._choose(changed, moving)
        self.changed_now = bool(changed.any())
        if len(numbers) == count:
            self._all(frame, grid, levels)
        elif len(numbers):
            self._some(frame, grid, levels, numbers)
        self.twice[numbers] = False
        self._everything = len(numbers) == count
        self._when_read[numbers] = now[numbers]
        self._before = now
        self._age += 1
        self._age[numbers] = 0
        changed[numbers] = False
        self.fresh = ~changed

    def update_doubtful(
        self, frame: Frame, small: Frame, grid: PatchGrid, doubtful: Bools, clear: Bools
    ) -> bool:
        """Read doubtful holes mirrored too, because two views err less than one; returns whether there were any.

        Unless it is known how each hole looks when empty, they are compared with `clear` empty holes near them.
        """
        numbers = np.nonzero(doubtful & self.fresh & ~self.twice)[0]
        numbers = numbers if self._everything else numbers[:MAX_DOUBTFUL_PER_FRAME]
        if not len(numbers):
            return False
        levels = self._seen(small, grid)[0]
        near = None if self._empty.ndim == 4 else self._near.of(numbers, clear & self.fresh, levels)
        wanted = numbers if near is None else np.unique(np.concatenate([numbers, near.ravel()]))
        patches, empty = cut(frame, grid, self.referred(levels), wanted), self._empty_of(numbers)
        if near is not None:
            empty = np.median(patches[np.searchsorted(wanted, near)], axis=1)
            patches = patches[np.searchsorted(wanted, numbers)]
        shown = network_input(patches, empty, self._light, grid.silhouette[numbers])
        self.mirrored[numbers] = self._network.features(shown[..., ::-1])
        self.twice[numbers] = True
        return True

    def features_seen(self, grid: PatchGrid) -> HoleFeatures:
        """Bundle the features of each hole for the second network."""
        if self.features is None:
            raise RuntimeError("the cache has looked before it is asked what it saw")
        return HoleFeatures(self.features, grid.in_frame, self.twice, self.mirrored)

    def _seen(self, small: Frame, grid: PatchGrid) -> tuple[Singles, Singles, Singles]:
        """Levels of the light, samples of the holes and their ninths; measured once a frame."""
        if self._sampled is None or self._sampled[0] is not small:
            levels = light_levels(small, grid)
            seen = marks(small, grid, levels)
            self._sampled = small, levels, seen, _ninths(seen)
        return self._sampled[1:]

    def referred(self, levels: Singles) -> Singles:
        """Levels of light for each colour, by which the picture has the colours of the reference."""
        return levels[:, None] / self._gains

    def _empty_of(self, numbers: Ints) -> Singles:
        return self._empty[numbers] if self._empty.ndim == 4 else self._empty

    def empty_and_light(self) -> tuple[Singles, Singles]:
        """Usual look of an empty hole, and the colour of the light."""
        usual = self._empty
        return (usual if usual.ndim == 3 else np.median(usual, axis=0)), self._light

    def _choose(self, changed: Bools, moving: Bools) -> Ints:
        if (changed & ~moving).mean() > LIGHT_CHANGED_SHARE:
            return np.arange(len(changed))
        wanted = changed if changed.sum() <= FEW_CHANGED_HOLES else changed & ~moving
        # Oldest readings first; the rest of the budget refreshes holes that did not change.
        order = np.argsort(-self._age, kind="stable")
        first = order[wanted[order]][:MAX_PATCHES_PER_FRAME]
        budget = max(0, min(REFRESHED_PER_FRAME, MAX_PATCHES_PER_FRAME - len(first)))
        quiet = order[~changed[order] & ~moving[order]][:budget]
        chosen: Ints = np.concatenate([first, quiet])
        return chosen

    def _threshold(self, now: Singles) -> float:
        grain = float(np.median(_change(now, self._before)))
        return max(CHANGED_PART_OF_LIGHT, CHANGED_OVER_GRAIN * grain)

    def _all(self, frame: Frame, grid: PatchGrid, levels: Singles) -> None:
        patches = cut(frame, grid, levels)
        self._empty, self._light = usual_empty(patches, self._board), light_color(patches)
        if self._calibration is not None and self._calibration.empty is not None:
            self._empty = self._calibration.empty
            self._light = light_color(self._empty)
        self.features = self._network.features(
            network_input(patches, self._empty, self._light, grid.silhouette)
        )
        if self._with_colors:
            self.colors = color_features(patches, grid.silhouette)
        if self.own_empties is not None:
            self.own_empties.look(patches, np.arange(len(patches)))
        if self._calibration is not None and self._calibration.empty is not None:
            if self.bare is None and self._calibration.colors:
                self.bare = color_features(self._calibration.empty, grid.silhouette)
            self.likeness = likeness(patches, self._calibration.empty)

    def _some(self, frame: Frame, grid: PatchGrid, levels: Singles, numbers: Ints) -> None:
        patches = cut(frame, grid, levels, numbers)
        empty = self._empty_of(numbers)
        outline = grid.silhouette[numbers]
        if self.features is not None:
            self.features[numbers] = self._network.features(
                network_input(patches, empty, self._light, outline)
            )
        if self.likeness is not None:
            self.likeness[numbers] = likeness(patches, empty)
        if self.colors is not None:
            self.colors[numbers] = color_features(patches, outline)
        if self.own_empties is not None:
            self.own_empties.look(patches, numbers)


def _ninths(seen: Singles) -> Singles:
    """Reduce the samples of each hole to three by three means, in which grain averages out (shape: [n, 27])."""
    side = MARKS_PER_SIDE // 3
    means: Singles = seen.reshape(-1, 3, side, 3, side, 3).mean(axis=(2, 4)).reshape(len(seen), 27)
    return means


def _change(now: Singles, before: Singles) -> Singles:
    change: Singles = np.abs(now - before).max(axis=1)
    return change
