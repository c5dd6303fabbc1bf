"""Reads a frame: where the board is, and of every hole whether it is empty, has a pawn, or cannot be seen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.observation import HoleReading, Observation
from tock_vision.arrays import Bools, Frame, Gray, Singles
from tock_vision.decide import chances, readings
from tock_vision.images import as_bgr
from tock_vision.learned import Learned, color_features
from tock_vision.network import PatchNetwork
from tock_vision.orient import orient, scanner, ways_round
from tock_vision.patches import PatchGrid, cut, light_color, network_input, patch_grid, usual_empty
from tock_vision.register import Orientation, Refusal, Registrar, Registration
from tock_vision.view import View

DARK_LEVEL = 7.0
"""Mean brightness under which nothing is read."""
FLAT_SPREAD = 3.0
"""Standard deviation of brightness under which the lens is covered."""
CHANGED = 0.03
"""Change of a sixteenth of a patch, relative to the light, from which the patch is looked at again."""
REFRESH_FRAMES = 25
"""Every patch is looked at again after this many frames, so that slow changes of light do not add up."""

DARK = Refusal("camera/dark", "the picture is dark; switch a light on or take the cap off the lens")
COVERED = Refusal("camera/covered", "the picture shows one plain colour; something covers the lens")


@dataclass(frozen=True)
class Reading:
    """What one frame shows; `holes` is empty when the board is not registered."""

    t_ms: int
    registered: bool
    ms: float
    """Time that the reading took."""
    rms_px: float | None = None
    holes: Mapping[str, HoleReading] = field(default_factory=dict)
    reason: str = ""
    """Stable code when not registered: `camera/no_board`, `camera/dark`, `camera/covered`."""
    sentence: str = ""
    """The same for people."""
    orientation: Orientation | None = None
    view: View | None = None

    def observation(self, source: str) -> Observation:
        """Return the holes as an observation of a source."""
        return Observation(self.t_ms, source, self.holes)


class BoardReader:
    """Reads frames of one board, one after the other; not for use from several threads at once."""

    def __init__(
        self,
        board_file: BoardFile,
        calibration: Learned | None = None,
        network: PatchNetwork | None = None,
    ) -> None:
        self.board = board_file
        self.learned = calibration
        self.registrar = self._registrar()
        self._network = network or PatchNetwork()
        self._grid: PatchGrid | None = None
        self._before: Singles | None = None
        self._empty: Singles | None = None
        self._logits: Singles | None = None
        self._features: Singles | None = None
        self._oriented: Registration | None = None
        self._age = 0

    def read(self, frame_bgr: Frame, t_ms: int = 0) -> Reading:
        """Read one frame (BGR, 8 bits); what cannot be seen is unknown, what cannot be registered is refused."""
        start = perf_counter()
        frame = as_bgr(frame_bgr, "frame")
        gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        found = _unusable(gray) or self.registrar.locate(gray)
        if isinstance(found, Refusal):
            self._grid = None
            return Reading(t_ms, False, _since(start), reason=found.code, sentence=found.sentence)
        if found.orientation == "guessed" and found is not self._oriented:
            found = self._turn(frame, gray, found)
        holes = self._holes(frame, found)
        return Reading(
            t_ms,
            True,
            _since(start),
            rms_px=round(found.rms_px, 3),
            holes=holes,
            orientation=found.orientation,
            view=found.view,
        )

    def _turn(self, frame: Frame, gray: Gray, found: Registration) -> Registration:
        """Turn a board found by its pattern the way its camps and homes say, and keep it so."""
        ways = ways_round(gray, self.board, found)
        if not ways:
            return found
        best = orient(self.board, ways, lambda view: self._seat_chances(frame, view))
        self.registrar.adopt(best, gray)
        self._oriented = best
        return best

    def _seat_chances(self, frame: Frame, view: View) -> tuple[Singles, Singles]:
        grid = patch_grid(view, self.board)
        patches = cut(frame, grid)
        stack = network_input(
            patches, usual_empty(patches, self.board), light_color(patches), grid.silhouette
        )
        chance = chances(self._network.logits(stack), self.board, None, None)
        return chance.pawn * grid.in_frame, chance.seats

    def reset(self) -> None:
        """Forget all frames read so far; what was learned stays."""
        self.registrar = self._registrar()
        self._grid, self._before, self._logits, self._empty, self._age = None, None, None, None, 0

    def _registrar(self) -> Registrar:
        stored = self.learned.registration if self.learned else None
        return Registrar(self.board, stored, scanner(self.board))

    def _holes(self, frame: Frame, found: Registration) -> dict[str, HoleReading]:
        if self._grid is None or self._grid.view is not found.view:
            self._grid = patch_grid(found.view, self.board)
            self._before = None
        grid = self._grid
        patches = cut(frame, grid)
        logits = self._look(patches, grid)
        chance = chances(logits, self.board, self._features, self.learned)
        return readings(self.board, chance, grid.in_frame)

    def _look(self, patches: Singles, grid: PatchGrid) -> Singles:
        """Return the network's outputs, run only on patches that changed."""
        self._age += 1
        before, logits, empty = self._before, self._logits, self._empty
        if before is None or logits is None or empty is None or self._age >= REFRESH_FRAMES:
            self._age = 0
            changed = np.arange(len(patches))
            logits = np.zeros((len(patches), 0), dtype=np.float32)
            before = _blocks(patches)
            empty = usual_empty(patches, self.board)
            if self.learned is not None and self.learned.empty is not None:
                empty = self.learned.empty
        else:
            now = _blocks(patches)
            changed = np.nonzero(np.abs(now - before).max(axis=(1, 2, 3)) > CHANGED)[0]
            before[changed] = now[changed]
        if len(changed):
            look = empty[changed] if empty.ndim == 4 else empty
            stack = network_input(patches[changed], look, light_color(patches), grid.silhouette[changed])
            fresh = self._network.logits(stack)
            if len(changed) == len(patches):
                logits, self._features = fresh, None
            else:
                logits[changed] = fresh
            self._compare(patches, grid, changed)
        self._before, self._logits, self._empty = before, logits, empty
        return logits

    def _compare(self, patches: Singles, grid: PatchGrid, changed: Bools) -> None:
        """Bring the colour features of changed patches up to date, where pawns were learned to compare with."""
        if self.learned is None or not self.learned.colors:
            return
        fresh = color_features(patches[changed], grid.silhouette[changed])
        if self._features is None:
            self._features = fresh
        else:
            self._features[changed] = fresh


def _blocks(patches: Singles) -> Singles:
    """Return patches as four by four means, in which grain averages out (shape: [n, 4, 4, 3])."""
    count, side = len(patches), patches.shape[1] // 4
    rows = patches.reshape(4 * count, side, 12 * side).mean(axis=1)
    blocks: Singles = rows.reshape(count, 4, 4, side, 3).mean(axis=3)
    return blocks


def _unusable(gray: Frame) -> Refusal | None:
    mean, spread = cv2.meanStdDev(gray)
    if mean[0, 0] < DARK_LEVEL:
        return DARK
    return COVERED if spread[0, 0] < FLAT_SPREAD else None


def _since(start: float) -> float:
    return round((perf_counter() - start) * 1000, 2)
