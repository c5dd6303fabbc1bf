"""The lens of a photograph from its straight lines: edges of the board, of the table and of cards, and their grain.

A lens bends straight lines, the more the farther out they lie. Of all radial terms, that counts under which the long
edges of a photograph become straight (the plumb lines of Brown 1971, found automatically as by Devernay and Faugeras
2001). An edge that is curved on the table becomes straight under no term and says nothing, because a residual counts
as a logarithm. On 93 pictures of made boards 75 were believed, off by 0.004 in the median and by 0.03 at most.

A square of 600 pixels through a lens that bends as phones do not:

>>> side = np.linspace(-300, 300, 200)
>>> edge = np.column_stack([side, np.full(200, 220.0)]) + (480, 360)
>>> bent = [_bent(turned, (960, 720), -0.12) for turned in (edge, edge[:, ::-1] + (120, -120))]
>>> round(_believed(bent, (960, 720)), 2)
-0.12

Constants set in `08d87b9a`.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from tock_vision.arrays import Bools, Floats, Frame

SIDE_PX = 960
"""The longer side of the picture in which edges are sought."""
RADIALS = np.arange(-0.24, 0.085, 0.01)
"""The radial terms that are tried."""
MAX_RADIAL = 0.04
"""No camera bends lines inwards more; circles seem to."""
SOFT_PX, FAINTEST_EDGE, STRONG_SHARE, WEAK_SHARE = 2.5, 6.0, 0.8, 0.5
"""Sigma that smooths the stairs of an edge; least slope of one, in units of Sobel; the quantile of slopes from which
edges begin; and the share of that slope to which they are followed."""
DIRECTIONS, DIRECTION_RAD = 9, 0.45
"""Directions into which edges are sorted, each with those that differ by less from it."""
SMOOTHED_PX = 7
MIN_LENGTH, LONGEST = 0.2, 0.42
"""Least length of an edge that counts, and the length beyond which it counts no more, in `SIDE_PX`."""
FILLED_SHARE = 0.6
MAX_POINTS = 200
OFF_PX, UNIT_PX = 0.6, 60.0
"""Distance from a straight line beyond which an edge is not straight, and length of an edge that counts once."""
OPEN_COST, WIDEST_OPEN = 4.0, 0.105
"""Terms that cost so much more than the best are open; the lens is not known where they lie farther apart."""
ROUNDS = 6


def radial_term(frame: Frame) -> float | None:
    """The radial term of the lens that took a photograph; None where too little in it is straight."""
    factor = min(1.0, SIDE_PX / max(frame.shape))
    if factor < 1:
        size = (round(frame.shape[1] * factor), round(frame.shape[0] * factor))
        frame = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
    height, width = frame.shape[:2]
    return _believed(_long_edges(frame), (width, height))


def _long_edges(frame: Frame) -> list[Floats]:
    """The pixels of each long edge of about one direction (shapes: [n, 2])."""
    is_edge, normal = _edges(frame)
    grown = np.ones((3, 3), np.uint8)
    edges = []
    for direction in range(DIRECTIONS):
        off = np.abs((normal - direction * np.pi / DIRECTIONS + np.pi / 2) % np.pi - np.pi / 2)
        some = is_edge & (off < DIRECTION_RAD)
        # Grown by a pixel, so that the stairs of an edge are one.
        count, labels, boxes, _ = cv2.connectedComponentsWithStats(cv2.dilate(some.astype(np.uint8), grown))
        lengths = np.hypot(boxes[:, cv2.CC_STAT_WIDTH], boxes[:, cv2.CC_STAT_HEIGHT])
        for number in range(1, count):
            if lengths[number] < MIN_LENGTH * SIDE_PX:
                continue
            left, top, wide, tall = boxes[number, :4]
            part = np.s_[top : top + tall, left : left + wide]
            y, x = np.nonzero((labels[part] == number) & some[part])
            if len(x) > FILLED_SHARE * lengths[number]:
                edges.append(np.column_stack([x + left, y + top]).astype(float))
    return edges


def _edges(frame: Frame) -> tuple[Bools, Floats]:
    """The pixels of edges in whichever colour they are clearest, and the direction across each."""
    soft = cv2.GaussianBlur(frame.astype(np.float32), (0, 0), SOFT_PX)
    across, down = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    clearest = (across**2 + down**2).argmax(axis=2)[..., None]
    across, down = (np.take_along_axis(slope, clearest, axis=2)[..., 0] for slope in (across, down))
    slopes = np.hypot(across, down)
    strong = max(float(np.quantile(slopes[::4, ::4], STRONG_SHARE)), FAINTEST_EDGE)
    # As whole numbers as large as they may be, so that faint edges are smooth too.
    scale = np.iinfo(np.int16).max / max(float(slopes.max()), strong)
    is_edge = cv2.Canny(
        (scale * across).astype(np.int16), (scale * down).astype(np.int16),
        WEAK_SHARE * strong * scale, strong * scale, L2gradient=True,
    )  # fmt: skip
    # Directions are means of doubled angles: both sides of an edge have the same.
    square, product = across**2 - down**2, 2 * across * down
    around = (SMOOTHED_PX, SMOOTHED_PX)
    normal = np.arctan2(cv2.blur(product, around), cv2.blur(square, around)) / 2
    return is_edge > 0, normal.astype(float) % np.pi


def _believed(edges: Sequence[Floats], size_px: tuple[int, int]) -> float | None:
    """The term under which most edges are straight, if others are clearly worse."""
    if not edges:
        return None
    lengths = np.array([np.hypot(*np.ptp(edge, axis=0)) for edge in edges])
    weights = np.minimum(lengths, LONGEST * SIDE_PX) / UNIT_PX
    off = np.array([_off_straight(edge, size_px) for edge in edges])
    costs = weights @ np.log1p((off / OFF_PX) ** 2)
    best = int(costs.argmin())
    still_open = RADIALS[costs < costs[best] + OPEN_COST]
    if np.ptp(still_open) > WIDEST_OPEN or not RADIALS[0] < RADIALS[best] < MAX_RADIAL:
        return None
    return float(RADIALS[best])


def _off_straight(edge: Floats, size_px: tuple[int, int]) -> Floats:
    """How far an edge is from a straight line under each radial term, in pixels of the photograph (RMS)."""
    some = edge[np.linspace(0, len(edge) - 1, min(len(edge), MAX_POINTS)).round().astype(int)]
    bent = (some - (np.array(size_px) - 1) / 2) / (np.hypot(*size_px) / 2)
    far = np.hypot(bent[:, 0], bent[:, 1])
    straight = np.repeat(far[None], len(RADIALS), axis=0)
    for _ in range(ROUNDS):
        straight = far / (1 + RADIALS[:, None] * straight**2)
    grown = straight / np.maximum(far, 1e-9)
    places = grown[..., None] * bent
    places = places - places.mean(axis=1, keepdims=True)
    xx, yy, xy = ((places[..., i] * places[..., j]).mean(axis=1) for i, j in ((0, 0), (1, 1), (0, 1)))
    # The smaller eigenvalue of the covariance is the mean square across the line.
    least = (xx + yy) / 2 - np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
    # Measured as the photograph shows it: a term that makes everything smaller makes nothing straighter.
    off: Floats = np.sqrt(np.maximum(least, 0)) * far.mean() / straight.mean(axis=1) * np.hypot(*size_px) / 2
    return off


def _bent(places: Floats, size_px: tuple[int, int], radial: float) -> Floats:
    """The places where a lens shows these pixels."""
    middle, radius = (np.array(size_px) - 1) / 2, np.hypot(*size_px) / 2
    off = places - middle
    bent: Floats = middle + off * (1 + radial * (off**2).sum(axis=1, keepdims=True) / radius**2)
    return bent
