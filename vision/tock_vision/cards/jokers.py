"""The two jokers of one pack: enrolled from a photo of each, recognised by their drawing, told apart by their colours.

Corner marks of jokers differ from pack to pack, so the figure is recognised instead (SIFT points and a homography).
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tock_companion.errors import BadInputError
from tock_companion.files import MB, write_file
from tock_rules import JOKERS, Card
from tock_vision.arrays import Floats, Frame, Singles
from tock_vision.npz_files import NoArraysError, load_arrays, packed

MAX_BYTES = 20 * MB
CARD_PX = (240, 336)
"""Size of a enrolled card, width and height."""
SEARCH_PX = 840
"""Pictures are searched at this longest side."""
MIN_POINTS = 25
MIN_AGREEING = 10
MAX_JOKERS = 4
CLEAR_COLOR_RATIO = 1.12
"""The other joker must differ in colour by this factor before the colour is believed."""


@dataclass(frozen=True, slots=True)
class Joker:
    """One enrolled joker: its picture (BGR, CARD_PX) and the points of its drawing."""

    card: Card
    picture: Frame
    points: Singles
    """Shape: [n, 2], pixels of the picture."""
    descriptors: Singles


@dataclass(frozen=True, slots=True)
class Jokers:
    """The black and the colour joker of a pack."""

    both: tuple[Joker, Joker]


@dataclass(frozen=True, slots=True)
class FoundJoker:
    """A joker in a picture; `card` is None when its colour is unknown."""

    card: Card | None
    confidence: float
    corners: Floats
    """Of the whole card in pixels (shape: [4, 2])."""


def enrol(black: Frame, colour: Frame) -> Jokers:
    """Learn the two jokers from photos that show one of them each; BadInputError when none is seen."""
    pictures = [_card_in(photo, name) for photo, name in ((black, "black"), (colour, "colour"))]
    if _colourfulness(pictures[0]) > 1.5 * _colourfulness(pictures[1]) + 4:
        raise BadInputError(
            "the photo of the black joker is the more colourful one; give the black joker first, then the colour one"
        )
    enrolled = [_enrolled(card, picture) for card, picture in zip(JOKERS, pictures, strict=True)]
    return Jokers((enrolled[0], enrolled[1]))


def _enrolled(card: Card, picture: Frame) -> Joker:
    points, descriptors = _points(picture)
    if len(points) < MIN_POINTS:
        name = "black" if card == JOKERS[0] else "colour"
        raise BadInputError(
            f"the photo of the {name} joker shows too little of a drawing; take it sharp, from above, filling the photo"
        )
    return Joker(card, picture, points, descriptors)


def _points(picture: Frame) -> tuple[Singles, Singles]:
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    # The annotations of OpenCV leave SIFT out.
    sift = cv2.SIFT_create(nfeatures=1600, contrastThreshold=0.03)  # type: ignore[attr-defined]
    found, descriptors = sift.detectAndCompute(gray, None)
    if descriptors is None:
        return np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32)
    return np.array([point.pt for point in found], dtype=np.float32), np.asarray(
        descriptors, dtype=np.float32
    )


def _card_in(photo: Frame, name: str) -> Frame:
    """Cut the card out of a photo, upright and flat."""
    scale = 640 / max(photo.shape[:2])
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    quad = _outline(small)
    if quad is None:
        raise BadInputError(
            f"no card outline in the photo of the {name} joker; lay it alone on a plain darker table, filling the photo"
        )
    width, height = CARD_PX
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform((quad / scale).astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(photo, matrix, CARD_PX, flags=cv2.INTER_AREA), dtype=np.uint8)


def _outline(photo: Frame) -> Floats | None:
    """Corners of the largest bright quadrilateral, the short side first; None when there is none."""
    height, width = photo.shape[:2]
    gray = cv2.GaussianBlur(photo.min(axis=2), (5, 5), 0)
    level, _ = cv2.threshold(gray, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    best: Floats | None = None
    for threshold in (level, level * 0.8, level * 1.2, 110.0):
        bright = (gray > threshold).astype(np.uint8)
        bright = np.asarray(
            cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), dtype=np.uint8
        )
        contours, _ = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            hull = cv2.convexHull(contour)
            area = cv2.contourArea(hull)
            if area < 0.08 * height * width:
                continue
            rough = cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, True), True)[:, 0].astype(np.float64)
            if (
                len(rough) == 4
                and _card_like(rough)
                and (best is None or area > cv2.contourArea(best.astype(np.float32)))
            ):
                best = rough
    return None if best is None else _short_side_first(best)


def _card_like(quad: Floats) -> bool:
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    a, b = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    return bool(1.15 < max(a, b) / max(min(a, b), 1.0) < 2.0)


def _short_side_first(quad: Floats) -> Floats:
    """Order the corners clockwise so that the first two span a short side."""
    middle = quad.mean(axis=0)
    angles = np.arctan2(quad[:, 1] - middle[1], quad[:, 0] - middle[0])
    quad = quad[np.argsort(angles)]
    first, second = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])
    ordered: Floats = quad if first < second else np.roll(quad, -1, axis=0)
    return ordered


def _colourfulness(picture: Frame) -> float:
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float64)
    chroma = lab[..., 1:] - np.median(lab[..., 1:].reshape(-1, 2), axis=0)
    return float(np.hypot(chroma[..., 0], chroma[..., 1]).mean())


def find_jokers(image: Frame, jokers: Jokers) -> list[FoundJoker]:
    """Find the enrolled jokers in a picture, each at most twice."""
    scale = min(1.0, SEARCH_PX / max(image.shape[:2]))
    small = (
        image if scale == 1.0 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    )
    points, descriptors = _points(np.asarray(small, dtype=np.uint8))
    found: list[FoundJoker] = []
    while len(found) < MAX_JOKERS and len(points) >= MIN_AGREEING:
        fits = [_fit(joker, points, descriptors) for joker in jokers.both]
        best = max((fit for fit in fits if fit is not None), key=lambda fit: int(fit[1].sum()), default=None)
        if best is None:
            break
        matrix, agreeing = best
        found.append(_named(np.asarray(small), jokers, matrix, points[agreeing], scale))
        outline = found[-1].corners.astype(np.float32) * scale
        inside = np.array(
            [cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in points]
        )
        left = ~(agreeing | inside)
        points, descriptors = points[left], descriptors[left]
    return found


def _fit(
    joker: Joker, points: Singles, descriptors: Singles
) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.bool_]]] | None:
    """Homography from the enrolled card to the picture, and which points of the picture agree with it."""
    if len(points) < 2:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(joker.descriptors, descriptors, k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.78 * pair[1].distance]
    if len(good) < MIN_AGREEING:
        return None
    source = np.array([joker.points[match.queryIdx] for match in good], np.float32)
    target = np.array([points[match.trainIdx] for match in good], np.float32)
    matrix, mask = cv2.findHomography(source, target, cv2.RANSAC, 4.0, maxIters=1500, confidence=0.999)
    if matrix is None or not _possible(matrix):
        return None
    agreeing = np.zeros(len(points), bool)
    agreeing[[match.trainIdx for match, fits in zip(good, mask[:, 0], strict=True) if fits]] = True
    return (matrix, agreeing) if agreeing.sum() >= MIN_AGREEING else None


def _quad(matrix: Floats) -> Floats:
    width, height = CARD_PX
    corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
    return np.asarray(cv2.perspectiveTransform(corners, matrix)[0], dtype=np.float64)


def _possible(matrix: Floats) -> bool:
    """Whether a camera can see a card like that: not mirrored, not folded, not a sliver."""
    quad = _quad(matrix)
    sides = np.roll(quad, -1, axis=0) - quad
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    lengths = np.linalg.norm(sides, axis=1)
    return bool((turns > 0).all() and lengths.min() > 20 and lengths.max() < 6 * lengths.min())


def _named(image: Frame, jokers: Jokers, matrix: Floats, agreeing: Singles, scale: float) -> FoundJoker:
    """Tell the colour where the drawing was recognised: only there is the card sure to be seen."""
    seen = cv2.warpPerspective(image, np.linalg.inv(matrix), CARD_PX, flags=cv2.INTER_LINEAR)
    mask = np.zeros(CARD_PX[::-1], np.uint8)
    on_card = cv2.perspectiveTransform(agreeing[None].astype(np.float64), np.linalg.inv(matrix))[0]
    cv2.fillConvexPoly(mask, cv2.convexHull(on_card.astype(np.int32)), 1)
    differences = [_difference(np.asarray(seen), joker.picture, mask > 0) for joker in jokers.both]
    nearer = int(np.argmin(differences))
    clear = max(differences) >= CLEAR_COLOR_RATIO * min(differences)
    sure = 1 - float(np.exp(-(len(agreeing) - 4) / 3.0))
    card = jokers.both[nearer].card if clear else None
    return FoundJoker(card, round(min(sure, 0.99) if clear else 0.5, 4), _quad(matrix) / scale)


def _difference(
    seen: Frame, enrolled: Frame, mask: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]"
) -> float:
    """Difference of colours after white balancing both pictures by their paper."""
    values = []
    for picture in (seen, enrolled):
        smooth = cv2.GaussianBlur(picture, (7, 7), 0).astype(np.float32)
        paper = np.percentile(smooth[mask], 92, axis=0).clip(20, 255)
        white = (smooth / paper * 230).clip(0, 255).astype(np.uint8)
        values.append(cv2.cvtColor(white, cv2.COLOR_BGR2LAB).astype(np.float32)[mask])
    difference = np.abs(values[0] - values[1])
    return float((difference[:, 1] + difference[:, 2] + 0.3 * difference[:, 0]).mean()) + 0.2


def save_jokers(path: Path, jokers: Jokers) -> None:
    """Write the enrolled jokers; BadInputError when the file cannot be written."""
    pictures = {f"picture_{number}": joker.picture for number, joker in enumerate(jokers.both)}
    write_file(path, packed(**pictures), "jokers")


def load_jokers(path: Path) -> Jokers:
    """Read enrolled jokers; BadInputError for another file."""
    try:
        arrays = load_arrays(path, MAX_BYTES, "jokers")
        pictures = [arrays[f"picture_{number}"] for number in range(2)]
    except BadInputError:
        raise
    except (NoArraysError, KeyError, ValueError, TypeError):
        pictures = []
    shape = (*CARD_PX[::-1], 3)
    if len(pictures) != 2 or any(picture.shape != shape or picture.dtype != np.uint8 for picture in pictures):
        raise BadInputError(
            f"jokers {path}: not a file made by `tock cards enrol`; make one, or leave it out"
        )
    enrolled = [_enrolled(card, picture) for card, picture in zip(JOKERS, pictures, strict=True)]
    return Jokers((enrolled[0], enrolled[1]))
