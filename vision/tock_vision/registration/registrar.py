"""Keeping hold of the board from frame to frame: a moved board or camera is noticed, and found again."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Gray
from tock_vision.registration.hole_check import HoleCheck, check_holes, drift_pitches, lie_all_around
from tock_vision.registration.hole_fit import seated
from tock_vision.registration.markers import NO_FIT, PICTURED, is_turned, register_by_markers
from tock_vision.registration.pattern import MIN_ROUNDNESS, refine
from tock_vision.registration.results import LOOSE_COVARIANCE, Refusal, Registration, accept
from tock_vision.registration.scan import scan
from tock_vision.registration.search import find_nearby
from tock_vision.registration.touches import Touches, register_by_touches

THUMBNAIL_PX = (80, 60)
GRAIN_LEVELS = 6
"""Grey levels by which a pixel of two thumbnails may differ because of grain."""
SAME_PLACE_PITCHES = 0.16
"""A hole that is found this close to where it was is the same one."""
KEPT_SCORE_SHARE = 0.55
"""Share of its roundness that a hole must keep; a covered one keeps less."""
MIN_SAME_SHARE, MAX_SAME_SHARE = 0.3, 0.5
"""Share of the holes that must be the same: below the first the board is not there, above the second it is."""
FIRST_SCANS = (1, 3, 6, 12)
"""Frames without a sign of the board, counted from the first, in which it is scanned for."""
FIRST_SCANS_KNOWN = (3, 6, 12)
"""The same where its last place is known, which is searched first."""
FIRST_SEARCHES = (1, 2, 3, 5, 8, 12)
"""The same for searches around its last place."""
SCAN_EVERY_FRAMES = 25
"""After those it is scanned and searched for in every frame whose number this divides."""
LOST_AFTER_FRAMES = 3
"""Frames without a sign of the board after which the last pose is given up."""
DRIFT_PITCHES = 0.07
"""The holes may be off by this much anywhere before the pose is fitted again."""


@dataclass(frozen=True)
class SearchPlan:
    """The search for a board of which nothing is known yet."""

    markers: bool = True
    touches: Touches | None = None
    """Places in the frame where holes were touched; they take the place of the markers."""
    pattern: bool = True
    """Whether the frame is scanned for the pattern of holes where all else failed, which takes seconds."""


class Registrar:
    """Follows one board through the frames of one camera; not for use from several threads at once."""

    def __init__(
        self, board: BoardFile, stored: Registration | None = None, plan: SearchPlan | None = None
    ) -> None:
        self.board = board
        self.stored = stored
        """The place of the board when this camera was calibrated."""
        self.plan = plan or SearchPlan()
        self.last: Registration | None = None
        """The place of the board, as far as is known; None before it is found and after it is lost."""
        self._lost: Registration | None = None
        self._adopted: Gray | None = None
        self._reference: HoleCheck | None = None
        self._thumbnail: Gray | None = None
        self._misses = 0
        self._tries = 0

    def locate(self, gray: Gray) -> Registration | Refusal:
        """Find the board in this frame, the cheapest way that holds: no change, the same holes, a search."""
        thumbnail = cv2.resize(gray, THUMBNAIL_PX, interpolation=cv2.INTER_AREA)
        if self.last is not None:
            if self.last.pose.size_px != (gray.shape[1], gray.shape[0]):
                self.forget()
            elif self._thumbnail is not None and _alike(thumbnail, self._thumbnail):
                return self.last
            else:
                kept = self._keep(gray, self.last)
                if kept is not None and is_turned(gray, kept.pose, self.board):
                    self.forget()
                elif kept is not None:
                    self._thumbnail = thumbnail
                    return kept
        found = self._search(gray)
        if isinstance(found, Registration):
            found = seated(gray, found, self.board)
            self.adopt(found, gray)
            self._thumbnail = thumbnail
        elif self.last is not None:
            # An arm may cover nearly everything for a moment; the camera has hardly moved meanwhile.
            self._misses += 1
            if self._misses >= LOST_AFTER_FRAMES:
                self._lost = self.last
                self.forget()
        return found

    def forget(self) -> None:
        """Give up the last pose."""
        self.last, self._adopted, self._reference, self._thumbnail, self._misses = None, None, None, None, 0

    def adopt(self, found: Registration, gray: Gray) -> None:
        """Take a registration of this frame as the one to keep."""
        self.last, self._lost, self._misses, self._tries = found, None, 0, 0
        # How the holes look now is needed only once something moves; most frames never ask.
        self._adopted, self._reference = gray, None

    def _keep(self, gray: Gray, last: Registration) -> Registration | None:
        """Keep the last registration, mended where the board crept; None when the board is not there any more.

        A hand, a sleeve or a shadow changes many holes at once and looks like a moved board to any single measure.
        Three questions tell them apart: are there enough of the clearly round holes left, do they lie on several
        sides, and have they all moved together?
        """
        if self._adopted is None:
            return None
        reference = self._reference or check_holes(self._adopted, last.pose, self.board)
        self._reference = reference
        now = check_holes(gray, last.pose, self.board)
        # Holes that were hardly round to begin with say nothing now; a pawn put down or taken up leaves its hole round.
        strong = reference.score > MIN_ROUNDNESS
        near = np.linalg.norm(now.shift - reference.shift, axis=1) < SAME_PLACE_PITCHES
        same = strong & near & (now.score > KEPT_SCORE_SHARE * reference.score)
        share = same.sum() / max(1, strong.sum())
        # A board moved by whole pitches still has some holes where others were: in a few rows, on one side.
        if share < MIN_SAME_SHARE or not lie_all_around(self.board, same):
            return None
        if (
            drift_pitches(self.board, now.shift - reference.shift, same) < DRIFT_PITCHES
            and share > MAX_SAME_SHARE
        ):
            self._misses = 0
            return last
        # Half of the holes suffice to believe that it is an arm; less than that must be confirmed by a fit.
        fallback = last if share > MAX_SAME_SHARE else None
        refined = refine(gray, replace(last.pose, covariance=LOOSE_COVARIANCE), self.board, rounds=3)
        if refined is None:
            return fallback
        # An arm may lie over all camps for a moment, so that they are there is not asked again: it was seen before.
        mended = accept(
            refined,
            self.board,
            last.method,
            last.orientation,
            0.6 * last.score,
            last.markers,
            least_group=0.0,
        )
        if mended is None:
            return fallback
        mended = seated(gray, mended, self.board)
        self.adopt(mended, gray)
        return mended

    def _search(self, gray: Gray) -> Registration | Refusal:
        """Find a board that has moved, trying costlier methods in turn."""
        found = self._find(gray)
        # Three markers agree on a place where the holes do not fit: it is another board, or no board but a picture of
        # one, and no search will help.
        if isinstance(found, Registration) or found in (NO_FIT, PICTURED):
            return found
        # A search takes a fifth of a second, a scan seconds: not for every frame of a camera that looks elsewhere.
        self._tries += 1
        size_px = (gray.shape[1], gray.shape[0])
        places = (self.last, self._lost, self.stored)
        known = [one for one in places if one is not None and one.pose.size_px == size_px]
        for one in known:
            again = self._find_where_it_was(gray, one)
            if again is not None:
                return again
        if self.plan.pattern and _due(self._tries, FIRST_SCANS_KNOWN if known else FIRST_SCANS):
            return scan(gray, self.board)
        return found

    def _find(self, gray: Gray) -> Registration | Refusal:
        if self.plan.touches is not None:
            return register_by_touches(gray, self.board, self.plan.touches)
        return register_by_markers(gray, self.board) if self.plan.markers else scan(gray, self.board)

    def _find_where_it_was(self, gray: Gray, known: Registration) -> Registration | None:
        """Find a board that has moved by a few pixels, or when a search is due by about a pitch."""
        refined = refine(gray, replace(known.pose, covariance=LOOSE_COVARIANCE), self.board)
        again = accept(refined, self.board, "stored", known.orientation) if refined else None
        if again is None and _due(self._tries, FIRST_SEARCHES):
            again = find_nearby(gray, known, self.board)
        return again


def _due(tries: int, first: tuple[int, ...]) -> bool:
    return tries in first or tries % SCAN_EVERY_FRAMES == 0


def _alike(thumbnail: Gray, before: Gray) -> bool:
    """Whether two thumbnails differ by no more than grain."""
    return int(cv2.absdiff(thumbnail, before).max()) <= GRAIN_LEVELS
