"""Asks of an index for the pip of its suit: below the numbers of other games there is a square, a disc, a letter."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from tock_rules import Suit
from tock_vision.arrays import Bools, Frame
from tock_vision.cards.classifier import IndexReading, Pyramid
from tock_vision.cards.corners import LABELS, is_joker
from tock_vision.cards.physical import likeliest, sureness
from tock_vision.cards.pips import likeness, shape_of, swallowed

ASKED_SURENESS, ASKED_PX = 0.5, 36.0
"""Sureness and height in pixels from which an index is asked for its pip: smaller ones show no shape."""
FINER = 2
"""The cut is twice as fine as that for the networks."""
PLACE = (0.22, 0.52, 0.85)
"""How far from the middle of the cut a pip lies at most, as a share of its width; and between which of its height."""
MIN_AREA, MAX_HEIGHT = 0.01, 0.5
"""Least area of a pip, and its greatest height, as shares of the cut."""
MIN_INK = 28
POSSIBLE, CLEAR = (0.42, 0.77), (0.8, 0.74)
"""Least likeness to the usual shapes and largest filled share of the bounds, of a possible pip and of a clear one.
Discs, squares and bars fill more; of 1,192 pips on photographs none fills 0.75. Those seen aslant are least alike."""
MIN_SOLID = {Suit.SPADES: 0.75, Suit.HEARTS: 0.84, Suit.DIAMONDS: 0.84, Suit.CLUBS: 0.6}
"""Least share of its hull that the pip of a suit fills: a star fills less than a heart or a diamond."""
DOUBT = 0.1
"""Chance left of being an index where no pip is below the number."""


def doubted(pyramid: Pyramid, indices: Sequence[IndexReading]) -> list[IndexReading]:
    """The indices of a picture; where none shows a pip, those that clearly show something else are hardly any more."""
    marks = [_mark_below(pyramid, index) for index in indices]
    seen = [(mark, LABELS[likeliest(index)].suit) for index, mark in zip(indices, marks, strict=True)]
    if any(mark is not None and is_pip(mark, suit, CLEAR) for mark, suit in seen):
        return list(indices)
    return [
        index if mark is None or is_pip(mark, suit) else replace(index, valid=index.valid * DOUBT)
        for index, (mark, suit) in zip(indices, seen, strict=True)
    ]


def _mark_below(pyramid: Pyramid, index: IndexReading) -> Bools | None:
    asked = sureness(index) >= ASKED_SURENESS and index.corner.height_px >= ASKED_PX
    if not asked or is_joker(LABELS[likeliest(index)]):
        return None
    return mark_of(pyramid.fine_patch(index.corner, FINER))


def mark_of(patch: Frame) -> Bools | None:
    """The piece of ink where an index has its pip; None where there is none that stands alone."""
    height, width = patch.shape[:2]
    dark = swallowed(patch).max(axis=2)
    level, _ = cv2.threshold(dark, 0, 255, cv2.THRESH_OTSU)
    ink = dark > max(float(level) * 0.8, MIN_INK)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=4)
    aside, top, bottom = PLACE
    pieces = [
        number
        for number in range(1, count)
        if abs(centres[number][0] / width - 0.5) < aside
        and top < centres[number][1] / height < bottom
        and stats[number][4] > MIN_AREA * ink.size
    ]
    if not pieces:
        return None
    number = max(pieces, key=lambda one: int(stats[one][4]))
    x, y, wide, high = (int(value) for value in stats[number][:4])
    alone = x > 0 and y > 0 and x + wide < width and y + high < height and high <= MAX_HEIGHT * height
    return np.asarray(labels[y : y + high, x : x + wide] == number) if alone else None


def is_pip(mark: Bools, suit: Suit, limits: tuple[float, float] = POSSIBLE) -> bool:
    """Whether a piece of ink is like the pip of a suit, fills its bounds no more than one, and is as round as this."""
    min_likeness, max_filled = limits
    shape = shape_of(mark, upside_down=False)
    if float(shape[:-1].mean()) > max_filled or likeness(shape) < min_likeness:
        return False
    return solidity(mark) >= MIN_SOLID.get(suit, 0.0)


def solidity(mark: Bools) -> float:
    """Share of its hull that a piece of ink fills."""
    outlines, _ = cv2.findContours(mark.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(np.concatenate(outlines))
    filled = cv2.fillConvexPoly(np.zeros(mark.shape, np.uint8), hull, 1)
    return float(mark.sum()) / max(int(filled.sum()), 1)
