"""Tells a card by its face: how many pips in which layout, their colour and shape, or the drawing of a court card."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

import cv2
import numpy as np

from tock_rules import Rank, Suit
from tock_vision.arrays import Bools, Floats, Frame, Singles, softmax

WEIGHTS = "card_pips.npz"
FACE_SIZE = 160, 224
"""Width and height in pixels of the straightened card in which pips are sought."""
MIN_INK_CONTRAST, PAPER_PX = 28, 52
"""Ink is at least so much darker than the paper around it; how far around, larger than any pip."""
MARGINS = 0.215, 0.07
"""Indices and edges: a mark with its middle nearer to the sides than this, as a share of the card, is no pip."""
INDICES_END = 0.36
"""No index reaches further from the short sides, as a share of the height."""
EDGE_PX = 3
"""Nothing printed is nearer to the edges of a card."""
MIN_PIP_AREA, ALIKE_AREA, SPECK_AREA = 0.003, 0.5, 0.12
"""The smallest pip, as a share of the card; of pips the smallest, and of specks the largest, as shares of the usual."""
DRAWN_INK, DRAWN_AREA = 0.33, 0.06
"""Share of the middle of a card that the ink of a drawing fills at least, and the largest piece of it, of the card."""
MAX_STRAY_SHARE = 0.25
"""Most of other ink in the face, as a share of that of the pips."""
ACE_AREAS = 0.005, 0.2
"""Area of the pip of an ace, as shares of the card."""
SPREADS = (0.09, 0.26), (0.15, 0.39)
"""Distances of the outer pips from the middle, as shares of the width and of the height."""
MAX_OFFSET = 0.035
"""Largest distance of a pip from its place in the layout, as a share of the height of the card."""
MAX_LEAN = 0.06
"""Largest lean of a row or column of pips."""
SHAPE_PX = 16
MIN_LIKENESS, MIN_ASPECT, MAX_ASPECT = 0.85, 0.62, 1.5
"""Least likeness of a pip to one of the usual shapes, and bounds of its width over its height."""
RED_BELOW, BLACK_ABOVE = 0.5, 0.72
"""Darkness in red light over that in green and blue: a red pip lies below the first, a black one above the second."""

_OUTER = ((-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0))
_SIDES = ((-1.0, 0.0), (1.0, 0.0))
_THIRDS = tuple((x, y / 3) for y in (-1.0, 1.0) for x in (-1.0, 1.0))
_MIDDLE = ((0.0, 0.0),)
_BETWEEN = ((0.0, -0.5), (0.0, 0.5))
LAYOUTS: Sequence[tuple[Rank, Sequence[tuple[float, float]]]] = (
    (Rank.TWO, ((0.0, -1.0), (0.0, 1.0))),
    (Rank.THREE, ((0.0, -1.0), *_MIDDLE, (0.0, 1.0))),
    (Rank.FOUR, _OUTER),
    (Rank.FIVE, (*_OUTER, *_MIDDLE)),
    (Rank.SIX, (*_OUTER, *_SIDES)),
    (Rank.SEVEN, (*_OUTER, *_SIDES, (0.0, -0.5))),
    (Rank.SEVEN, (*_OUTER, *_BETWEEN, *_MIDDLE)),
    (Rank.EIGHT, (*_OUTER, *_SIDES, *_BETWEEN)),
    (Rank.NINE, (*_OUTER, *_THIRDS, *_MIDDLE)),
    (Rank.TEN, (*_OUTER, *_THIRDS, (0.0, -2 / 3), (0.0, 2 / 3))),
)
"""The places of the pips: across and along from the middle, the outer ones at 1."""
DRAWN = (Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING)
"""The court cards, and the ace since one of them is ornate in many decks."""
FACE_SUITS = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
RED = np.array([suit in (Suit.HEARTS, Suit.DIAMONDS) for suit in FACE_SUITS])


@dataclass(frozen=True, slots=True)
class Face:
    """The reading of a face: one rank by its pips, or those with a drawing; the chance of each suit."""

    ranks: tuple[Rank, ...]
    suits: Singles
    """In the order of `FACE_SUITS` (shape: [4], sum 1); all alike where the face does not say."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A connected piece of ink."""

    x: float
    y: float
    area: float
    """All as shares of the card."""
    left: int
    top: int
    ink: Bools


def face_of(card: Frame) -> Face | None:
    """The print between the indices of a straightened card of `FACE_SIZE`; None where that is not clear."""
    below = swallowed(card)
    darkest = cv2.max(cv2.max(below[..., 0], below[..., 1]), below[..., 2])
    level, _ = cv2.threshold(darkest, 0, 255, cv2.THRESH_OTSU)
    ink = darkest > max(float(level) * 0.8, MIN_INK_CONTRAST)
    spots = _spots(ink)
    if _is_drawing(ink, spots):
        return Face(DRAWN, np.full(4, 0.25, np.float32))
    inner = [spot for spot in spots if _in_face(spot)]
    pips = [spot for spot in inner if spot.area > MIN_PIP_AREA]
    usual = float(np.median([pip.area for pip in pips])) if pips else 0.0
    pips = [pip for pip in pips if pip.area > SPECK_AREA * usual]
    if not pips or min(pip.area for pip in pips) < ALIKE_AREA * max(pip.area for pip in pips):
        return None
    if any(_is_beside(spot) and spot.area > ALIKE_AREA * usual for spot in spots):
        # Pips of a deck without indices lie at the sides too: those in the middle are not all.
        return None
    if sum(spot.area for spot in inner) > (1 + MAX_STRAY_SHARE) * sum(pip.area for pip in pips):
        return None
    rank = rank_of(np.array([(pip.x, pip.y) for pip in pips]), usual)
    if rank is None:
        return None
    suits = _suits(pips, below)
    return Face((rank,), suits) if suits is not None else None


def swallowed(card: Frame) -> Frame:
    """Darkness of each pixel relative to the paper around it, by colours."""
    soft = cv2.GaussianBlur(card, (3, 3), 0)
    size = card.shape[1::-1]
    coarse = cv2.resize(card, (size[0] // 4, size[1] // 4), interpolation=cv2.INTER_AREA)
    paper = cv2.dilate(cv2.medianBlur(coarse, 3), np.ones((PAPER_PX // 4, PAPER_PX // 4), np.uint8))
    paper = cv2.resize(cv2.blur(paper, (PAPER_PX // 4, PAPER_PX // 4)), size)
    return np.asarray(cv2.subtract(paper, soft), np.uint8)


def _spots(ink: Bools) -> list[Spot]:
    height, width = ink.shape
    count, labels, stats, centres = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=4)
    spots = []
    for number in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[number])
        part = labels[top : top + high, left : left + wide] == number
        x, y = centres[number]
        spots.append(Spot(x / width, y / height, area / ink.size, left, top, part))
    return spots


def _is_drawing(ink: Bools, spots: Sequence[Spot]) -> bool:
    """Whether the middle of a card is a drawing: much ink, and more of it in one piece than a pip has."""
    height, width = ink.shape
    middle = ink[height // 5 : -(height // 5), width // 4 : -(width // 4)]
    return float(middle.mean()) > DRAWN_INK and max(spot.area for spot in spots) > DRAWN_AREA


def _in_face(spot: Spot) -> bool:
    """Whether a piece of ink lies between the indices and ends before the edges."""
    across, along = MARGINS
    inner = across < spot.x < 1 - across and along < spot.y < 1 - along
    return inner and _is_apart(spot)


def _is_beside(spot: Spot) -> bool:
    """Whether a piece of ink lies at a side, where a card has neither a pip nor an index."""
    return (
        not MARGINS[0] < spot.x < 1 - MARGINS[0]
        and INDICES_END < spot.y < 1 - INDICES_END
        and _is_apart(spot)
    )


def _is_apart(spot: Spot) -> bool:
    """Whether a piece of ink ends before the edges."""
    ends = spot.left + spot.ink.shape[1], spot.top + spot.ink.shape[0]
    return bool(min(spot.left, spot.top, FACE_SIZE[0] - ends[0], FACE_SIZE[1] - ends[1]) >= EDGE_PX)


def rank_of(places: Floats, area: float) -> Rank | None:
    """The rank of a card with pips at some places (shape: [n, 2], shares of the card); None where none fits."""
    off = places - 0.5
    if len(places) == 1:
        near = float(np.hypot(*off[0])) < 2 * MAX_OFFSET
        return Rank.ACE if near and ACE_AREAS[0] < area < ACE_AREAS[1] else None
    for rank, layout in LAYOUTS:
        if len(layout) == len(places) and _fits(off, np.array(layout)):
            return rank
    return None


def _fits(off: Floats, layout: Floats) -> bool:
    """Whether pips lie in a layout, either way up, stretched and a little askew."""
    spread = np.maximum(np.abs(off).max(axis=0), 0.05)
    for way in (layout, -layout):
        order = _matched(off / spread, way)
        if order is None:
            continue
        places = np.hstack([way, np.ones((len(way), 1))])
        fitted = np.linalg.lstsq(places, off[order], rcond=None)[0]
        near = (
            np.abs(off[order] - places @ fitted).max() < MAX_OFFSET and np.abs(fitted[2]).max() < MAX_OFFSET
        )
        straight = max(abs(fitted[0, 1]), abs(fitted[1, 0])) < MAX_LEAN
        used = [n for n in (0, 1) if way[:, n].any()]
        within = all(SPREADS[n][0] < fitted[n, n] < SPREADS[n][1] for n in used)
        if near and straight and within:
            return True
    return False


def _matched(seen: Floats, wanted: Floats) -> list[int] | None:
    """The number of the pip nearest to each place; None where one would lie at two."""
    far = np.hypot(*(seen[:, None] - wanted[None]).transpose(2, 0, 1))
    order = [int(number) for number in far.argmin(axis=0)]
    return order if len(set(order)) == len(order) else None


def _suits(pips: list[Spot], below: Frame) -> Singles | None:
    """The chances of the suits by colour and shape; None where the pips are no suit."""
    shapes = [shape_of(pip.ink, upside_down=pip.y > 0.5) for pip in pips if abs(pip.y - 0.5) > 0.05]
    middle = [shape_of(pip.ink, upside_down=turned) for pip in pips for turned in (False, True)]
    # A pip in the middle may lie either way.
    shape = np.mean(shapes, axis=0) if shapes else max(middle, key=likeness)
    if likeness(shape) < MIN_LIKENESS or not MIN_ASPECT < shape[-1] < MAX_ASPECT:
        return None
    chances = suit_chances(shape)
    ink = np.concatenate([_ink_of(pip, below) for pip in pips])
    red = ink[:, 2].mean() / max(float(ink[:, :2].mean()), 1.0)
    if not RED_BELOW < red < BLACK_ABOVE:
        alike = (red <= RED_BELOW) == RED
        if not alike[chances.argmax()]:
            return None
        chances = chances * alike
    return np.asarray(chances / chances.sum(), np.float32)


def _ink_of(pip: Spot, below: Frame) -> Singles:
    high, wide = pip.ink.shape
    part = below[pip.top : pip.top + high, pip.left : pip.left + wide][pip.ink]
    return np.asarray(part[part.max(axis=1) >= np.median(part.max(axis=1))])


def shape_of(ink: Bools, *, upside_down: bool) -> Singles:
    """The shape of a pip, upright (shape: [SHAPE_PX * SHAPE_PX + 1], shares of ink, then how wide it is)."""
    upright = ink[::-1, ::-1] if upside_down else ink
    share = cv2.resize(upright.astype(np.float32), (SHAPE_PX, SHAPE_PX), interpolation=cv2.INTER_AREA)
    return np.append(share.reshape(-1), np.float32(ink.shape[1] / ink.shape[0]))


def suit_chances(shape: Singles) -> Singles:
    """The chance of each suit by the shape of a pip alone."""
    weights, _ = _weights()
    return softmax(weights[:, :-1] @ shape + weights[:, -1])


def likeness(shape: Singles) -> float:
    """Likeness of a shape to the most similar of the usual ones, at most 1."""
    _, usual = _weights()
    seen = shape[:-1] - shape[:-1].mean()
    return float((usual @ seen).max() / max(float(np.linalg.norm(seen)), 1e-6))


@cache
def _weights() -> tuple[Singles, Singles]:
    """Of each suit one row for each part of a shape, the last for the constant; then the usual shapes.

    Those are without the last part, of mean 0 and length 1.
    """
    with as_file(files("tock_vision.data").joinpath(WEIGHTS)) as path, np.load(path) as kept:
        return kept["weights"], kept["usual"]
