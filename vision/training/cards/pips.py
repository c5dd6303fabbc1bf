"""Fits the shapes of the four suits, as pips of a card seen small, on drawn suits of decks and fonts.

`python -m vision.training.cards.pips ART card_pips.npz`.
"""

import sys
from typing import Any

import cv2
import numpy as np

from tock_vision.cards.pips import FACE_SUITS, shape_of
from vision.training.cards.decks import SYMBOLS, glyph
from vision.training.cards.logistic import art_and_out, classes, several_classes
from vision.training.cards.printer import Printer

Array = Any
SAMPLES = 12000
KINDS = 4
"""Usual shapes kept for each suit, to recognise marks that are not a pip."""
HEIGHTS_PX = 7.0, 40.0
"""Heights at which pips are seen."""


def drawn_suits(printer: Printer) -> list[dict[str, Array]]:
    """The suits of every deck and of every font that has them (0 to 255)."""
    found = list(printer.cut_suits)
    for path in printer.suits:
        one = {suit: glyph(path, SYMBOLS[suit]) for suit in SYMBOLS}
        if all(picture is not None for picture in one.values()):
            found.append(one)
    return found


def seen(cover: Array, rng: Any) -> Array:
    """A drawn suit as a phone may see it on a straightened card, parted from the paper."""
    high = float(np.exp(rng.uniform(*np.log(HEIGHTS_PX))))
    wide = high * cover.shape[1] / cover.shape[0] * rng.uniform(0.8, 1.25)
    size = max(4, round(wide)), max(5, round(high))
    small = cv2.resize(cover, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    side = 2 * max(size) + 6
    paper = np.zeros((side, side), np.float32)
    top, left = (side - size[1]) // 2, (side - size[0]) // 2
    paper[top : top + size[1], left : left + size[0]] = small
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.normal(0, 5)), 1.0)
    turn[0, 1] += rng.normal(0, 0.08)
    paper = cv2.warpAffine(paper, turn, (side, side), flags=cv2.INTER_LINEAR)
    # Photographs of small cards are enlarged when they are straightened.
    times = rng.uniform(14, 36) / high if high < 14 else 1.0
    paper = cv2.resize(paper, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR)
    paper = cv2.GaussianBlur(paper, (0, 0), rng.uniform(0.4, 1.4) * max(1.0, times * 0.6))
    paper += rng.normal(0, rng.uniform(0, 14), paper.shape)
    ink = (paper > rng.uniform(70, 175)).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=4)
    if count < 2:
        return None
    best = 1 + int(stats[1:, 4].argmax())
    x, y, w, h, _ = stats[best]
    return labels[y : y + h, x : x + w] == best


def kinds(shapes: Array, rng: Any) -> Array:
    """The middles of KINDS groups of shapes that are alike."""
    middles = shapes[rng.choice(len(shapes), KINDS, replace=False)]
    for _ in range(20):
        nearest = np.linalg.norm(shapes[:, None] - middles[None], axis=2).argmin(axis=1)
        middles = np.stack([shapes[nearest == kind].mean(axis=0) for kind in range(KINDS)])
    return middles


def main() -> None:
    """Fit, tell how many are right in drawings that were not fitted, and write."""
    art, out = art_and_out(__doc__)
    rng = np.random.default_rng(22)
    suits = drawn_suits(Printer(art))
    shapes, truth, unknown = [], [], []
    for _ in range(SAMPLES):
        number, suit = int(rng.integers(len(suits))), int(rng.integers(4))
        ink = seen(suits[number][FACE_SUITS[suit].value], rng)
        if ink is not None:
            shapes.append(shape_of(ink, upside_down=False))
            truth.append(suit)
            unknown.append(number % 5 == 0)
    x, y, new = np.array(shapes), np.array(truth), np.array(unknown)
    fitted = several_classes(x[~new], y[~new], 4)
    right = (classes(fitted, x[new]) == y[new]).mean()
    sys.stdout.write(
        f"{right:.4f} of {new.sum()} in {len(suits)} drawings, of which a fifth was not fitted\n"
    )
    usual = np.concatenate([kinds(x[y == suit][:, :-1], rng) for suit in range(4)])
    usual -= usual.mean(axis=1, keepdims=True)
    usual /= np.linalg.norm(usual, axis=1, keepdims=True)
    np.savez_compressed(out, weights=fitted.astype(np.float32), usual=usual.astype(np.float32))


if __name__ == "__main__":
    main()
