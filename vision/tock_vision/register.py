"""Finding the board in a frame and keeping hold of it: markers first, then the holes, then the last known pose.

A registration says how well it fits, or why there is none; it is never guessed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Bools, Floats, Gray
from tock_vision.markers import MarkerSighting, find_markers, glance_at_markers, views_from_markers
from tock_vision.pattern import (
    LEAST_PEAK,
    PITCH_PX,
    Refined,
    hole_points_mm,
    hole_radii_px,
    refine,
    roundness,
    straighten,
)
from tock_vision.view import View

Orientation = Literal["sure", "guessed"]

LEAST_SCORE = 0.47
"""Roundness at the places of the holes under which a pattern is not believed."""
LEAST_SCORE_MARKERS = 0.43
"""The same when three or more markers agree."""
LEAST_MATCHED = 0.3
"""Share of the holes that must have something round close to their place; another board has a fifth."""
WORST_RMS = 0.14
"""In pitches: holes further than this from their places on average mean that the view is wrong."""
MOST_BESIDE = 0.7
"""Roundness beside the holes, relative to the holes, from which it is a pattern that goes on and no board.

On 25 of the given stills the largest was 0.49, the median 0.31.
"""
LEAST_GROUP = 0.64
"""Roundness of camps or homes, relative to the track, under which they are not where the board file has them.

In 190 ray-traced pictures, clutter and all, the lowest was 0.65. With camps or homes moved in the file by 0.4 to 2.2
pitches 317 of 360 are lower, of those moved by a pitch or more 58 of 61.
"""
KEEP_SCORE = 0.55
"""Share of the score at registration that the tracked holes must keep, of those not covered."""
FIRST_SCANS = (1, 3, 6, 12)
FIRST_SCANS_KNOWN = (3, 6, 12)
FIRST_SEARCHES = (1, 2, 3, 5, 8, 12)
LATER_SCANS = 25
"""Frames without any other sign of the board in which it is scanned for, or searched around its last place."""
LOST_AFTER = 3
"""Frames without a sign of the board after which the last pose is given up."""
LOOSE = np.diag(np.array([0.004, 0.004, 0.004, 1.5, 1.5, 4.0, 0.004, 0.004]) ** 2)
"""Covariance of a view that may have moved by a few pixels."""
DRIFT = 0.07
"""In pitches: the tracked holes may be off by this much anywhere before the view is fitted again."""


@dataclass(frozen=True)
class Registration:
    """Where the board is in a frame."""

    view: View
    rms_px: float
    score: float
    method: Literal["markers", "touch", "stored", "pattern"]
    orientation: Orientation
    markers: int = 0


@dataclass(frozen=True)
class Refusal:
    """Why there is no registration: a stable code and one sentence."""

    code: str
    sentence: str


NO_MARKERS = Refusal("camera/no_board", "no marker of this board is in the picture; show the whole board")
NO_MARKERS_LISTED = Refusal(
    "camera/no_board", "the board file lists no markers; touch four holes to show where the board is"
)
NO_FIT = Refusal("camera/no_board", "the markers are seen, but the holes do not fit the board file; check it")
FEW_MARKERS = Refusal(
    "camera/no_board",
    "only one or two markers are seen, and the holes do not fit; show the whole board, in better light",
)
NO_FIT_TOUCH = Refusal(
    "camera/no_board", "the holes do not fit the places touched; touch the middle of the holes named"
)


def register_by_markers(gray: Gray, board: BoardFile) -> Registration | Refusal:
    """Find the board by its markers and refine on its holes; one marker suffices when the holes agree."""
    if not board.markers:
        return NO_MARKERS_LISTED
    glance = glance_at_markers(gray, board)
    if len(glance.ids) >= 3:
        found = _by_sighting(gray, board, glance)
        if isinstance(found, Registration):
            return found
    seen = find_markers(gray, board)
    return _by_sighting(gray, board, seen) if seen.ids else NO_MARKERS


def _by_sighting(gray: Gray, board: BoardFile, seen: MarkerSighting) -> Registration | Refusal:
    size_px = (gray.shape[1], gray.shape[0])
    options = views_from_markers(seen, size_px)
    best: Registration | None = None
    # Three markers settle the view; with fewer every possible view is tried on the holes.
    for view, part in options[: 2 if len(seen.ids) >= 3 else 6]:
        found = _settle(gray, board, view, part)
        if found is not None and (best is None or found.score > best.score):
            best = found
        if best is not None and len(part.ids) >= 3 and best.score > LEAST_SCORE:
            break
    return best or (NO_FIT if len(seen.ids) > 2 else FEW_MARKERS)


def _settle(gray: Gray, board: BoardFile, view: View, part: MarkerSighting) -> Registration | None:
    refined = refine(gray, view, board, part.anchors(view))
    if refined is None:
        return None
    least = LEAST_SCORE_MARKERS if len(part.ids) >= 3 else LEAST_SCORE
    return accept(refined, board, "markers", "sure", least, len(part.ids))


def accept(
    refined: Refined,
    board: BoardFile,
    method: Literal["markers", "touch", "stored", "pattern"],
    orientation: Orientation,
    least_score: float = LEAST_SCORE,
    markers: int = 0,
    least_group: float = LEAST_GROUP,
) -> Registration | None:
    """Return a registration when the fit is good enough to be believed."""
    pitch_px = board.pitch_mm * float(np.median(refined.view.scale(hole_points_mm(board))))
    if (
        refined.score < least_score
        or refined.matched < LEAST_MATCHED
        or refined.rms_px > max(WORST_RMS * pitch_px, 1.5)
        or (method != "markers" and refined.beside > MOST_BESIDE * refined.score)
        or refined.weakest < least_group
    ):
        return None
    return Registration(refined.view, refined.rms_px, refined.score, method, orientation, markers)


@dataclass(frozen=True)
class HoleCheck:
    """How the holes look at the places where a view has them."""

    score: Floats
    """Roundness at every hole (shape: [n])."""
    shift: Floats
    """Where the roundest point near every hole is, in pitches from its place (shape: [n, 2])."""


def check_holes(gray: Gray, view: View, board: BoardFile) -> HoleCheck:
    """Look at every hole's place once, without fitting anything; some milliseconds."""
    straight = straighten(gray, view, board)
    answer = roundness(straight, hole_radii_px(board)[:1])
    answer[~straight.inside] = 0
    reach = round(0.28 * PITCH_PX)
    px = straight.to_px(hole_points_mm(board)).round().astype(int)
    steps = np.arange(-reach, reach + 1)
    ys = np.clip(px[:, 1, None, None] + steps[None, :, None], 0, answer.shape[0] - 1)
    xs = np.clip(px[:, 0, None, None] + steps[None, None, :], 0, answer.shape[1] - 1)
    windows = answer[ys, xs].reshape(len(px), -1)
    place = windows.argmax(axis=1)
    side = len(steps)
    shift = np.stack([steps[place % side], steps[place // side]], axis=1) / PITCH_PX
    return HoleCheck(windows.max(axis=1).astype(float), shift)


Find = Callable[[Gray], Registration | Refusal]
FindNearby = Callable[[Gray, Registration], Registration | None]


class Registrar:
    """Keeps the registration from frame to frame; a moved board or camera is noticed and found again."""

    def __init__(
        self,
        board: BoardFile,
        stored: Registration | None = None,
        scan: Find | None = None,
        nearby: FindNearby | None = None,
    ) -> None:
        self.board = board
        self.stored = stored
        self.find: Find = lambda gray: register_by_markers(gray, board)
        """How the board is found when nothing is known of it; others may put their own way here."""
        self.scan = scan
        """A slow way to find it when all others failed."""
        self.nearby = nearby
        """How it is found within about a pitch of where it was."""
        self.last: Registration | None = None
        self._lost: Registration | None = None
        self._adopted: Gray | None = None
        self._reference: HoleCheck | None = None
        self._tiny: Gray | None = None
        self._misses = 0
        self._tries = 0

    def locate(self, gray: Gray) -> Registration | Refusal:
        """Return where the board is in this frame."""
        tiny = cv2.resize(gray, (80, 60), interpolation=cv2.INTER_AREA)
        if self.last is not None:
            if self.last.view.size_px != (gray.shape[1], gray.shape[0]):
                self.forget()
            elif self._tiny is not None and _calm(tiny, self._tiny):
                return self.last
            else:
                kept = self._keep(gray, self.last)
                if kept is not None:
                    self._tiny = tiny
                    return kept
        found = self._search(gray)
        if isinstance(found, Registration):
            self.adopt(found, gray)
            self._tiny = tiny
        elif self.last is not None:
            # An arm may cover nearly everything for a moment; the camera has hardly moved meanwhile.
            self._misses += 1
            if self._misses >= LOST_AFTER:
                self._lost = self.last
                self.forget()
        return found

    def forget(self) -> None:
        """Give up the last pose."""
        self.last, self._adopted, self._reference, self._tiny, self._misses = None, None, None, None, 0

    def adopt(self, found: Registration, gray: Gray) -> None:
        """Take a registration of this frame as the one to keep."""
        self.last, self._lost, self._misses, self._tries = found, None, 0, 0
        # How the holes look now is needed only when something moves.
        self._adopted, self._reference = gray, None

    def _keep(self, gray: Gray, last: Registration) -> Registration | None:
        """Return the last registration, mended when the board crept, None when it is not there any more."""
        if self._adopted is None:
            return None
        reference = self._reference or check_holes(self._adopted, last.view, self.board)
        self._reference = reference
        now = check_holes(gray, last.view, self.board)
        strong = reference.score > LEAST_PEAK
        near = np.linalg.norm(now.shift - reference.shift, axis=1) < 0.16
        same = strong & near & (now.score > KEEP_SCORE * reference.score)
        share = same.sum() / max(1, strong.sum())
        if share < 0.3 or not _all_around(self.board, same):
            return None
        if _drift(self.board, now.shift - reference.shift, same) < DRIFT and share > 0.5:
            self._misses = 0
            return last
        loose = replace(last.view, covariance=LOOSE)
        refined = refine(gray, loose, self.board, rounds=3)
        if refined is None:
            return last if share > 0.5 else None
        # An arm may lie over all camps for a moment; that they are there was seen before.
        mended = accept(
            refined, self.board, last.method, last.orientation, 0.6 * last.score, last.markers, 0.0
        )
        if mended is None:
            return last if share > 0.5 else None
        self.adopt(mended, gray)
        return mended

    def _search(self, gray: Gray) -> Registration | Refusal:
        found = self.find(gray)
        if isinstance(found, Registration) or found is NO_FIT:
            return found
        # Searches take a fifth of a second and scans seconds: not for every frame of a camera that looks elsewhere.
        self._tries += 1
        known = [
            one
            for one in (self.last, self._lost, self.stored)
            if one is not None and one.view.size_px == (gray.shape[1], gray.shape[0])
        ]
        for one in known:
            refined = refine(gray, replace(one.view, covariance=LOOSE), self.board)
            again = accept(refined, self.board, "stored", one.orientation) if refined else None
            if again is None and self.nearby is not None and _due(self._tries, FIRST_SEARCHES):
                again = self.nearby(gray, one)
            if again is not None:
                return again
        if self.scan is not None and _due(self._tries, FIRST_SCANS_KNOWN if known else FIRST_SCANS):
            return self.scan(gray)
        return found


def _due(tries: int, first: tuple[int, ...]) -> bool:
    return tries in first or tries % LATER_SCANS == 0


def _calm(tiny: Gray, before: Gray) -> bool:
    """Whether two thumbnails show no change but grain."""
    return int(cv2.absdiff(tiny, before).max()) <= 6


def _drift(board: BoardFile, shift: Floats, same: Bools) -> float:
    """Return how far the board has moved at most, in pitches: a shift, a turn or a stretch of all holes together."""
    points = hole_points_mm(board) / max(board.size_mm) - 0.5
    terms = np.column_stack([points, np.ones(len(points))])
    motion = np.linalg.lstsq(terms[same], shift[same], rcond=None)[0]
    return float(np.linalg.norm(terms @ motion, axis=1).max())


def _all_around(board: BoardFile, same: Bools) -> bool:
    """Whether the holes found again lie on at least two opposite sides of the board, not in one corner."""
    points = hole_points_mm(board) - np.array(board.size_mm) / 2
    angle = np.arctan2(points[same, 1], points[same, 0])
    sectors = np.unique(((angle + np.pi) / (2 * np.pi) * 8).astype(int) % 8)
    return len(sectors) >= 4
