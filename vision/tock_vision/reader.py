"""Reads a frame: where the board is, and of every hole whether it is empty, has a pawn, or cannot be seen."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.observation import HoleReading, LoosePawn, Observation
from tock_vision.around import behind, with_neighbours
from tock_vision.arrays import Frame, Gray, Singles
from tock_vision.context import Context
from tock_vision.decide import Chances, chances, readings, with_all_pawns
from tock_vision.images import as_bgr
from tock_vision.learned import Learned, Shows, learn
from tock_vision.looking import Looker
from tock_vision.loose import LooseFinder
from tock_vision.network import PatchNetwork
from tock_vision.orient import orient, scanner, ways_round
from tock_vision.patches import PatchGrid, patch_grid, small_frame
from tock_vision.register import Orientation, Refusal, Registrar, Registration
from tock_vision.scan import find_nearby
from tock_vision.search import register_by_touches
from tock_vision.view import View

DARK_LEVEL = 7.0
"""Mean brightness under which nothing is read."""
FLAT_SPREAD = 3.0
"""Standard deviation of brightness under which the lens is covered."""
MOVED_SHARE = 0.25
"""When so many holes look different, the board or the camera may have moved, or an arm lies over it."""
CHECK_MS = 2000
"""After this time the places of the holes are checked though nothing seems to have moved."""

CLEAR = 0.95
"""A hole read with less than this is looked at once more."""
LOOSE_MS = 1000
"""How often pawns beside the holes are looked for."""

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
    loose: tuple[LoosePawn, ...] = ()
    """Pawns that lie beside the holes."""
    holes_changed: bool = False
    """Whether a hole looked different from when it was last read."""

    def observation(self, source: str) -> Observation:
        """Return the holes as an observation of a source."""
        return Observation(self.t_ms, source, self.holes, loose=self.loose)


class _InView:
    """What is kept while the board is seen from one place."""

    def __init__(self, view: View, board: BoardFile, network: PatchNetwork, learned: Learned | None) -> None:
        self.grid: PatchGrid = patch_grid(view, board)
        self.looker = Looker(board, network, learned)
        self.behind = behind(view, board)
        self.finder = LooseFinder(board, self.grid, network, Context(board))
        self.loose: tuple[LoosePawn, ...] = ()
        self.loose_ms: int | None = None


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
        self._context = Context(board_file)
        self._in_view: _InView | None = None
        self._oriented: Registration | None = None
        self._checked_ms = 0

    def read(self, frame_bgr: Frame, t_ms: int = 0) -> Reading:
        """Read one frame (BGR, 8 bits); what cannot be seen is unknown, what cannot be registered is refused."""
        start = perf_counter()
        frame = as_bgr(frame_bgr, "frame")
        small = small_frame(frame)
        found = _unusable(small) or self._locate(frame, small, t_ms)
        if isinstance(found, Refusal):
            self._in_view = None
            return Reading(t_ms, False, _since(start), reason=found.code, sentence=found.sentence)
        now = self._in_view
        if now is None or now.grid.view is not found.view:
            now = _InView(found.view, self.board, self._network, self.learned)
            self._in_view = now
        holes = self._holes(frame, small, now)
        return Reading(
            t_ms,
            True,
            _since(start),
            rms_px=round(found.rms_px, 3),
            holes=holes,
            orientation=found.orientation,
            view=found.view,
            loose=_loose_pawns(now, frame, small, holes, t_ms),
            holes_changed=now.looker.changed_now,
        )

    def holes_differ(self, small: Frame) -> bool:
        """Whether a hole in a frame, at a quarter of its size, looks different from when it was last read.

        A glance that remembers nothing; False while the board is not found.
        """
        now = self._in_view
        return now is not None and now.looker.changed_share(small, now.grid) > 0

    def _locate(self, frame: Frame, small: Frame, t_ms: int) -> Registration | Refusal:
        """Return where the board is; looked for only when many holes look different, and now and then."""
        last, now = self.registrar.last, self._in_view
        if (
            last is not None
            and now is not None
            and last.view.size_px == (frame.shape[1], frame.shape[0])
            and 0 <= t_ms - self._checked_ms < CHECK_MS
            and now.looker.changed_share(small, now.grid) < MOVED_SHARE
        ):
            return last
        self._checked_ms = t_ms
        gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        found = self.registrar.locate(gray)
        if isinstance(found, Registration) and found.orientation == "guessed" and found is not self._oriented:
            return self._turn(frame, gray, found)
        return found

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
        looker = Looker(self.board, self._network, None)
        looker.look(frame, small_frame(frame), grid)
        chance = self._chances(looker, grid, None)
        return chance.pawn * grid.in_frame, chance.seats

    def reset(self) -> None:
        """Forget all frames read so far; what was learned stays."""
        self.registrar = self._registrar()
        self._in_view, self._checked_ms = None, 0

    def touch(self, frame: Frame, touches: Mapping[str, tuple[float, float]]) -> Registration | Refusal:
        """Find the board from places touched in a frame and keep it; BadInputError for touches that cannot do."""
        gray = cv2.cvtColor(as_bgr(frame, "frame"), cv2.COLOR_BGR2GRAY)
        found = register_by_touches(gray, self.board, touches)
        if isinstance(found, Registration):
            self.registrar.adopt(found, gray)
            self._in_view, self._oriented = None, found
        return found

    def learn(self, frame: Frame, shows: Shows) -> Learned | Refusal:
        """Learn from a frame what it shows, beside what is known already, and read on with it."""
        known = self.learned
        stored = self.registrar.last or (known.registration if known else None)
        known_empty = known.empty if known else None
        found = learn(self.board, [(frame, shows)], stored, known_empty, self._network)
        if isinstance(found, Refusal):
            return found
        if known is not None and shows == "empty":
            found = replace(found, colors=known.colors)
        self.learned, self._in_view = found, None
        return found

    def _registrar(self) -> Registrar:
        stored = self.learned.registration if self.learned else None
        return Registrar(
            self.board,
            stored,
            scanner(self.board),
            lambda gray, known: find_nearby(gray, known, self.board),
        )

    def _holes(self, frame: Frame, small: Frame, now: _InView) -> dict[str, HoleReading]:
        grid, looker = now.grid, now.looker
        looker.look(frame, small, grid)
        chance = self._chances(looker, grid, self.learned)
        doubtful = np.maximum(chance.empty, np.maximum(chance.pawn, chance.hidden)) < CLEAR
        if looker.look_again(frame, small, grid, doubtful & grid.in_frame):
            chance = self._chances(looker, grid, self.learned)
        chance = with_neighbours(chance, self.board)
        chance = with_all_pawns(chance, grid.in_frame)
        return readings(self.board, chance, grid.in_frame & looker.fresh & ~now.behind.hides(chance))

    def _chances(self, looker: Looker, grid: PatchGrid, learned: Learned | None) -> Chances:
        logits = self._context.logits(self._network, looker.seen(grid))
        return chances(logits, self.board, looker.colors, learned, looker.likeness)


def _loose_pawns(
    now: _InView, frame: Frame, small: Frame, holes: Mapping[str, HoleReading], t_ms: int
) -> tuple[LoosePawn, ...]:
    """Look for pawns beside the holes now and then, when nothing moves."""
    if now.looker.fresh.all() and (now.loose_ms is None or not 0 <= t_ms - now.loose_ms < LOOSE_MS):
        now.loose_ms = t_ms
        now.loose = now.finder.find(frame, small, now.looker, holes)
    return now.loose


def _unusable(small: Frame) -> Refusal | None:
    mean, spread = cv2.meanStdDev(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
    if mean[0, 0] < DARK_LEVEL:
        return DARK
    return COVERED if spread[0, 0] < FLAT_SPREAD else None


def _since(start: float) -> float:
    return round((perf_counter() - start) * 1000, 2)
