"""Reads the holes of a board that is seen from one camera pose, frame after frame."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.observation import HoleReading, HoleState, LoosePawn
from tock_rules import Hole
from tock_vision.arrays import Floats, Frame, Singles
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.calibration import Calibration
from tock_vision.holes.confidence import IN_CAMPS, LEARNED, USUAL, of_a_board
from tock_vision.holes.context import Context, HoleFeatures, own_columns, painted_owners
from tock_vision.holes.feature_cache import HoleFeatureCache
from tock_vision.holes.loose_pawns import LooseFinder
from tock_vision.holes.network import STATES, PatchNetwork
from tock_vision.holes.occlusion import tall_pawn_occlusion, with_neighbours
from tock_vision.holes.own_colors import with_own_colors
from tock_vision.holes.patches import (
    PatchGrid,
    light_color,
    network_input,
    patch_grid,
    small_frame,
    usual_empty,
)
from tock_vision.holes.readings import Chances, chances, readings, with_all_pawns

CLEAR_CHANCE = 0.99
"""A hole whose likeliest state falls short of this is doubtful: its mirrored patch is read too.

On 270 path-traced and 228 hand-painted pictures 296 holes are wrong with it and 302 with 0.95, 3,982 and 3,974 unknown.
"""
CLEAR_EMPTY = 0.9
"""Plain holes as clearly empty as this show what an empty hole looks like near a doubtful one."""
LOOSE_EVERY_MS, LOOSE_EVERY_MS_COVERED = 1000, 2000
"""Interval between searches for pawns beside the holes; the second one while an arm lies over the board."""
LOOSE_EVERY_MS_CHANGING = 3000
"""The same in a frame that changed a hole: a hand moves, and the next frame without a change is searched at once."""
MAX_HIDDEN = 12
"""More unknown holes than this are an arm's."""


def state_chances(board: BoardFile, patches: Singles, grid: PatchGrid, network: PatchNetwork) -> Floats:
    """The chance of each state of every hole, from one picture's patches alone (shape: [n, STATES])."""
    shown = network_input(patches, usual_empty(patches, board), light_color(patches), grid.silhouette)
    seen = HoleFeatures(network.features(shown), grid.in_frame)
    logits = Context(board).logits(network, seen)[:, :STATES].astype(float)
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    chance: Floats = raised / raised.sum(axis=1, keepdims=True)
    return chance


class HoleClassifier:
    """Turns features of the holes of one board into chances."""

    def __init__(self, board: BoardFile, network: PatchNetwork) -> None:
        self.board, self.network, self.context = board, network, Context(board)

    def chances(self, cache: HoleFeatureCache, grid: PatchGrid, calibration: Calibration | None) -> Chances:
        """Weigh the network's answer for each hole against the other holes and the calibration of this board."""
        logits = self.context.logits(self.network, cache.features_seen(grid))
        return chances(logits, self.board, cache.colors, calibration, cache.likeness, cache.bare)

    def colors_by_themselves(self, frame: Frame, pose: CameraPose) -> tuple[Singles, Singles]:
        """The chances of a pawn in each hole and of its colours, as of any place of this board, without calibration.

        The pawns' colours (shape: [holes, seats]) do not know whose hole it is.
        """
        grid = patch_grid(pose, self.board)
        cache = HoleFeatureCache(self.board, self.network, None, with_colors=False)
        cache.update(frame, small_frame(frame), grid)
        chance = self.chances(cache, grid, None)
        seen = cache.features_seen(grid)
        logits = self.context.logits_beside(self.network, seen, seen.features)
        return chance.pawn * grid.in_frame, chances(logits, self.board, None, None).seats


class HoleReader:
    """Reads frame after frame from one pose; keeps the places to sample and the features of each hole."""

    def __init__(
        self,
        pose: CameraPose,
        classifier: HoleClassifier,
        calibration: Calibration | None,
        *,
        four_pawns: bool = True,
        all_in_camps: bool = False,
    ) -> None:
        """Prepare to read from a pose; without `four_pawns` a seat may have any number anywhere, as in other games.

        `all_in_camps` says that all pawns are known to stand in their camps.
        """
        board, network = classifier.board, classifier.network
        self.pose = pose
        self._four_pawns = four_pawns
        self._learned_colors = calibration is not None and bool(calibration.colors)
        self._lines = IN_CAMPS if all_in_camps else LEARNED if self._learned_colors else USUAL
        self._classifier, self._calibration = classifier, calibration
        self._board = board
        self._grid = patch_grid(pose, board)
        self._cache = HoleFeatureCache(board, network, calibration)
        self._painted = np.array([owner is not None for owner in painted_owners(board)])
        self._own = own_columns(board) if four_pawns else None
        self._behind = tall_pawn_occlusion(pose, board)
        self._finder = LooseFinder(board, self._grid, network, classifier.context)
        self._loose: tuple[LoosePawn, ...] = ()
        self._loose_ms: int | None = None

    @property
    def holes_changed(self) -> bool:
        """Whether the newest frame showed a change at a hole."""
        return self._cache.changed_now

    @property
    def hues(self) -> tuple[Singles, Singles] | None:
        """Colour features of the holes, now and as they were learned when empty; None where they were not."""
        now, bare = self._cache.colors, self._cache.bare
        return None if now is None or bare is None else (now, bare)

    def changed_share(self, small: Frame) -> float:
        """Share of holes that look different from when they were last read; remembers nothing."""
        return self._cache.changed_share(small, self._grid)

    def read_holes(self, frame: Frame, small: Frame) -> dict[Hole, HoleReading]:
        """Read every hole; `small` is the frame at a quarter of its size."""
        grid, cache = self._grid, self._cache
        cache.update(frame, small, grid)
        chance = self._classifier.chances(cache, grid, self._calibration)
        doubtful = np.maximum(chance.empty, np.maximum(chance.pawn, chance.occluded)) < CLEAR_CHANCE
        clear = (chance.empty > CLEAR_EMPTY) & ~self._painted & grid.in_frame
        if cache.update_doubtful(frame, small, grid, doubtful & grid.in_frame, clear):
            chance = self._classifier.chances(cache, grid, self._calibration)
        empty, pawn, seats = of_a_board(chance.empty, chance.pawn, chance.seats, self._painted, self._own)
        chance = replace(chance, empty=empty, pawn=pawn, seats=seats)
        if cache.own_empties is not None:
            chance = cache.own_empties.weighed(chance, grid.in_frame, is_tock=self._four_pawns)
        chance = with_neighbours(chance, self._board)
        if self._four_pawns:
            if not self._learned_colors and cache.colors is not None:
                chance = with_own_colors(
                    chance, cache.colors, grid.in_frame, self._painted, self._board.pawns_per_seat
                )
            chance = with_all_pawns(chance, grid.in_frame, self._painted, self._board.pawns_per_seat)
        seen = grid.in_frame & cache.fresh & ~self._behind.occluded_holes(chance)
        return readings(
            self._board, chance, seen, self._painted, four_pawns=self._four_pawns, lines=self._lines
        )

    def loose_pawns(
        self, frame: Frame, small: Frame, holes: Mapping[Hole, HoleReading], t_ms: int
    ) -> tuple[LoosePawn, ...]:
        """Search for pawns beside the holes now and then, while nothing moves; otherwise repeat the last result."""
        hidden = sum(reading.state is HoleState.UNKNOWN for reading in holes.values())
        every_ms = LOOSE_EVERY_MS if hidden <= MAX_HIDDEN else LOOSE_EVERY_MS_COVERED
        if self.holes_changed:
            every_ms = LOOSE_EVERY_MS_CHANGING
        due = self._loose_ms is None or not 0 <= t_ms - self._loose_ms < every_ms
        if due and self._cache.fresh.all():
            self._loose_ms = t_ms
            self._loose = self._finder.find(frame, small, self._cache, holes)
        return self._loose
