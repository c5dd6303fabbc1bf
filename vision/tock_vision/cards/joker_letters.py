"""Reads the word on a joker letter by letter: JOUER, POKER or JETON look like it as a whole."""

from functools import cache
from importlib.resources import as_file, files

import cv2
import numpy as np

from tock_vision.arrays import Floats, Frame, Singles

WORD = "JOKER"
WEIGHTS = "card_joker_letters.npz"
FINER = 2
"""How much finer the card is cut than for the search of the word."""
CELL_PX = 24
CELL_WIDTHS, CELL_PITCHES = 1.0, 1.3
"""Width of the part in which a letter is read, in widths of the window; and its height, in distances of two letters."""
FIRST_AT = 0.43
"""The middle of the first letter, in distances of two letters below the top of the word."""
SHIFTS = (-0.3, -0.15, 0.0, 0.15, 0.3)
"""How far the letters are sought up and down, in such distances: the window lies only roughly."""
MIN_LOG_ODDS = np.array([-2.0, -0.6, -0.6, -0.6, -0.6])
"""Log odds that each letter must reach, at both corners together: the J has the most shapes, with and without a foot.
Of drawn words that differ in one letter few pass, of the word nine in ten."""
GRADIENTS = cv2.HOGDescriptor((CELL_PX, CELL_PX), (12, 12), (6, 6), (6, 6), 9)


def is_spelt(odds: Singles) -> bool:
    """Whether each letter is that of the word, by its log odds at both corners together."""
    return bool((odds > MIN_LOG_ODDS).all())


def letter_odds(card: Frame, place: Floats, filled: float) -> Singles:
    """Log odds of each letter of the word (shape: [5]).

    `card` is straightened, `place` the window (left, top, right, bottom) of which the word fills a share.
    """
    weights = _weights()
    seen = cells(card, place, filled)
    return np.asarray((np.einsum("lsf,lf->ls", seen, weights[:, :-1]) + weights[:, -1:]).max(axis=1))


def cells(card: Frame, place: Floats, filled: float) -> Singles:
    """The directions of edges where the letters are sought (shape: [letters, shifts, features])."""
    grey = np.asarray(cv2.cvtColor(card, cv2.COLOR_BGR2GRAY), np.uint8)
    left, top, right, bottom = (float(value) for value in place)
    pitch = (bottom - top) * filled / len(WORD)
    first = (top + bottom) / 2 - len(WORD) / 2 * pitch + FIRST_AT * pitch
    middle = (left + right) / 2
    size = (right - left) * CELL_WIDTHS, pitch * CELL_PITCHES
    rows = [
        [_features(grey, middle, first + (number + shift) * pitch, size) for shift in SHIFTS]
        for number in range(len(WORD))
    ]
    return np.array(rows, np.float32)


def _features(grey: Frame, x: float, y: float, size: tuple[float, float]) -> Singles:
    scale = np.diag([size[0] / CELL_PX, size[1] / CELL_PX])
    matrix = np.hstack([scale, [[x - size[0] / 2], [y - size[1] / 2]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cell = cv2.warpAffine(grey, matrix, (CELL_PX, CELL_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(GRADIENTS.compute(np.asarray(cell, np.uint8)), np.float32).reshape(-1)


@cache
def _weights() -> Singles:
    """One row for each letter, the last column for the constant."""
    with as_file(files("tock_vision.data").joinpath(WEIGHTS)) as path, np.load(path) as kept:
        return np.asarray(kept["weights"], np.float32)
