"""The ArUco markers of a board in a frame, and finding the board by them."""

from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.boardfile.parse import MARKER_IDS
from tock_vision.arrays import Floats, Gray
from tock_vision.camera_pose import LENSES, CameraPose, fit, from_points
from tock_vision.registration.pattern import Anchors, refine
from tock_vision.registration.pictured import is_pictured
from tock_vision.registration.results import MIN_SCORE, Refusal, Registration, accept

MAX_ENLARGED = 2.0
ENLARGED_SIDE_PX = 2600
"""Frames are enlarged to at most this for a second look: large ones have enough pixels for each module already."""
CORNER_SIGMA_PX = 1.0
STICKER_SIGMA_MM = 0.8
"""Deviation of stickers from their nominal place."""
SETTLED_SIGMAS = 1.0
"""Three or more markers that fit a pose this well settle it; no other lens needs trying."""
REACH_SIDES = 1.3
"""Half the side of the part of a frame in which a marker is looked for where it was, in sides of the marker."""
MAX_MISS_SIDES = 0.35
"""A marker this many of its sides away from where the others put it is a false one."""


@dataclass(frozen=True)
class MarkerSighting:
    """Corners of the markers of one board, from the top left clockwise (shape: [count * 4, 2])."""

    ids: tuple[int, ...]
    points_mm: Floats
    points_px: Floats

    def only(self, ids: tuple[int, ...]) -> "MarkerSighting":
        """Keep only some of the markers."""
        keep = np.repeat(np.array([marker in ids for marker in self.ids], dtype=bool), 4)
        kept = tuple(marker for marker in self.ids if marker in ids)
        return MarkerSighting(kept, self.points_mm[keep], self.points_px[keep])

    def anchors(self, pose: CameraPose) -> Anchors:
        """The corners as constraints of a fit."""
        sigma = CORNER_SIGMA_PX + STICKER_SIGMA_MM * pose.scale(self.points_mm)
        # The four corners of a sticker are off together: they count as two points, not as four.
        return Anchors(self.points_mm, self.points_px, 1.4 * sigma)


@lru_cache(maxsize=4)
def _detector(thorough: bool, windows: int, measured: bool = False) -> cv2.aruco.ArucoDetector:
    params = cv2.aruco.DetectorParameters()
    # A search by gradients measures corners, but takes one or leaves it by a hair. Corners on whole pixels are the same
    # on every processor, and a fit that goes on to the holes needs no better ones.
    if measured:
        params.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    params.adaptiveThreshWinSizeMin = 5
    params.adaptiveThreshWinSizeMax = 45
    params.adaptiveThreshWinSizeStep = 40 // (windows - 1)
    params.minMarkerPerimeterRate = 0.02
    params.errorCorrectionRate = 1.0
    if thorough:
        params.polygonalApproxAccuracyRate = 0.06
        params.maxErroneousBitsInBorderRate = 0.5
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), params)


def glance_at_markers(gray: Gray, board: BoardFile) -> MarkerSighting:
    """Detect the markers that show at first glance; takes about fifty milliseconds."""
    known = {marker.id: marker for marker in board.markers}
    corners: dict[int, Floats] = {}
    if known:
        _detect(gray, 1.0, _detector(False, 2), known.keys(), corners)
    return _sighting(board, corners)


def is_turned(gray: Gray, pose: CameraPose, board: BoardFile) -> bool:
    """Whether markers lie where others of this board belong: board or camera was turned, and holes lie on holes."""
    own = others = 0
    known = {marker.id for marker in board.markers}
    for marker in board.markers:
        place_mm = np.array([[marker.x_mm, marker.y_mm]])
        x, y = pose.project(place_mm)[0]
        reach = REACH_SIDES * marker.size_mm * float(pose.scale(place_mm)[0])
        top, left = (max(0, round(value - reach)) for value in (y, x))
        shown = gray[top : max(0, round(y + reach)), left : max(0, round(x + reach))]
        corners: dict[int, Floats] = {}
        if min(shown.shape) > 0:
            _detect(np.ascontiguousarray(shown), 1.0, _detector(False, 2), known, corners)
        own += marker.id in corners
        others += bool(corners.keys() - {marker.id})
    return own == 0 and others >= 2


def find_markers(gray: Gray, board: BoardFile) -> MarkerSighting:
    """Detect the board's markers in a frame, trying harder while some are missing."""
    known = {marker.id: marker for marker in board.markers}
    corners: dict[int, Floats] = {}
    if known:
        _detect(gray, 1.0, _detector(False, 5), known.keys(), corners)
    if len(corners) < len(known):
        # Printed modules a few pixels wide need room for the corner search.
        factor = min(MAX_ENLARGED, max(1.0, ENLARGED_SIDE_PX / max(gray.shape)))
        large = gray
        if factor > 1:
            large = cv2.resize(gray, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
            _detect(large, factor, _detector(False, 5), known.keys(), corners)
        if len(corners) < 2:
            soft = cv2.GaussianBlur(large, (0, 0), 6)
            sharp = cv2.addWeighted(large, 2.5, soft, -1.5, 0)
            _detect(sharp, factor, _detector(True, 5), known.keys(), corners)
    return _sighting(board, corners)


def detect_all_markers(gray: Gray) -> dict[int, Floats]:
    """Detect the markers of any board: corners in px by id, from the top left clockwise (shape: [4, 2])."""
    corners: dict[int, Floats] = {}
    factor = min(MAX_ENLARGED, max(1.0, ENLARGED_SIDE_PX / max(gray.shape)))
    large = cv2.resize(gray, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    _detect(large, factor, _detector(False, 5, measured=True), set(range(MARKER_IDS)), corners)
    return corners


def _sighting(board: BoardFile, corners: dict[int, Floats]) -> MarkerSighting:
    ids = tuple(sorted(corners))
    places = [_corners_mm(board, number) for number in ids]
    return MarkerSighting(
        ids,
        np.concatenate(places) if places else np.zeros((0, 2)),
        np.concatenate([corners[number] for number in ids]) if ids else np.zeros((0, 2)),
    )


def _detect(
    gray: Gray, factor: float, detector: cv2.aruco.ArucoDetector, known: Set[int], corners: dict[int, Floats]
) -> None:
    found, ids, _ = detector.detectMarkers(gray)
    if ids is None:
        return
    for number, places in zip((int(value) for value in ids.ravel()), found, strict=True):
        if number in known and number not in corners:
            corners[number] = (places[0].astype(float) - (factor - 1) / 2) / factor


def _corners_mm(board: BoardFile, number: int) -> Floats:
    marker = next(marker for marker in board.markers if marker.id == number)
    half = marker.size_mm / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    corners: Floats = square + np.array([marker.x_mm, marker.y_mm])
    return corners


def poses_from_markers(
    seen: MarkerSighting, size_px: tuple[int, int]
) -> list[tuple[CameraPose, MarkerSighting]]:
    """Possible poses, the likeliest first, each with the markers that it relies on."""
    ids = seen.ids
    # One wrong marker among three or more shows by its distance from where the others put it.
    groups = [] if not ids else [ids] if len(ids) < 3 else [ids, *combinations(ids, len(ids) - 1)]
    options: list[tuple[float, CameraPose, MarkerSighting]] = []
    for group in groups:
        part = seen.only(group)
        for start in _starts(part, size_px):
            sigma = CORNER_SIGMA_PX + STICKER_SIGMA_MM * start.scale(part.points_mm)
            pose = fit(start, part.points_mm, part.points_px, sigma)
            off = np.linalg.norm(pose.project(part.points_mm) - part.points_px, axis=1)
            side_mm = float(np.linalg.norm(part.points_mm[1] - part.points_mm[0]))
            worst = float((off / (side_mm * pose.scale(part.points_mm))).max())
            if worst < MAX_MISS_SIDES:
                options.append((float((off / sigma).mean()), pose, part))
                if len(part.ids) >= 3 and options[-1][0] < SETTLED_SIGMAS:
                    break
        if options:
            break
    options.sort(key=lambda option: option[0])
    return [(pose, part) for _, pose, part in options]


def _starts(part: MarkerSighting, size_px: tuple[int, int]) -> list[CameraPose]:
    """Rough poses for each lens, the best fit first."""
    starts = [
        start
        for width_focal, radial in LENSES
        for start in from_points(part.points_mm, part.points_px, size_px, width_focal * size_px[0], radial)
    ]
    return sorted(
        starts, key=lambda pose: float(np.abs(pose.project(part.points_mm) - part.points_px).mean())
    )


MIN_MARKERS_SCORE = 0.43
"""The least score where three or more markers agree."""
NO_MARKERS = Refusal("camera/no_board", "no marker of this board is in the picture; show the whole board")
NO_MARKERS_LISTED = Refusal(
    "camera/no_board", "the board file lists no markers; touch four holes to show where the board is"
)
NO_FIT = Refusal(
    "camera/other_board", "the markers are seen, but the holes do not fit the board file; check it"
)
PICTURED = Refusal(
    "camera/picture",
    "this is the board on a screen or on paper, seen from the side; point the camera at the board itself",
)
FEW_MARKERS = Refusal(
    "camera/no_board",
    "only one or two markers are seen, and the holes do not fit; show the whole board, in better light",
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
    options = poses_from_markers(seen, size_px)
    best: Registration | None = None
    # Three markers settle the pose; with fewer every possible pose is tried on the holes.
    for pose, part in options[: 2 if len(seen.ids) >= 3 else 6]:
        found = _settle(gray, board, pose, part)
        if found is not None and (best is None or found.score > best.score):
            best = found
        if best is not None and len(part.ids) >= 3 and best.score > MIN_SCORE:
            break
    return best or _misfit(gray, board, seen)


def _misfit(gray: Gray, board: BoardFile, seen: MarkerSighting) -> Refusal:
    """Say why the holes do not fit the markers."""
    if is_pictured(gray, board, seen.points_mm, seen.points_px):
        return PICTURED
    return NO_FIT if len(seen.ids) > 2 else FEW_MARKERS


def _settle(gray: Gray, board: BoardFile, pose: CameraPose, part: MarkerSighting) -> Registration | None:
    refined = refine(gray, pose, board, part.anchors(pose))
    if refined is None:
        return None
    least = MIN_MARKERS_SCORE if len(part.ids) >= 3 else MIN_SCORE
    return accept(refined, board, "markers", "sure", least, len(part.ids))
