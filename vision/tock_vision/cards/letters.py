"""Tells the letter in the corner of an ace or a court card: decks have A or 1, J, V or B, Q or D, K or R."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files

import cv2
import numpy as np

from tock_rules import Rank
from tock_vision.arrays import Frame, Singles, softmax
from tock_vision.cards.corners import INDEX_PX, Corner, cut

LETTERS: Mapping[Rank, str] = {Rank.ACE: "A1", Rank.JACK: "JVB", Rank.QUEEN: "QD", Rank.KING: "KR"}
"""The letters that can stand in the corner of a card of that rank."""
MIN_HEIGHT_PX = 20.0
"""Height of an index below which its letter is not read."""
SURE_CHANCE = 0.97
TIMES = 2
"""Resolution of the patch, as a multiple of the one from which the card is read."""
SIDE_PX = 32
GRADIENTS = cv2.HOGDescriptor((SIDE_PX, SIDE_PX), (16, 16), (8, 8), (8, 8), 9)
WEIGHTS = "card_letters.npz"


def letter_of(image: Frame, rank: Rank, box: list[list[float]]) -> str | None:
    """The letter of a card that was read as one of that rank, by the box of its index; None where that is not clear."""
    corner = Corner.of_box(box)
    if rank not in LETTERS or corner.height_px < MIN_HEIGHT_PX:
        return None
    chances = chances_of(rank, features(letter_patch(image, corner)))
    best = int(chances.argmax())
    return LETTERS[rank][best] if chances[best] >= SURE_CHANCE else None


def letter_patch(image: Frame, corner: Corner) -> Frame:
    """The part of an index in which its letter stands (shape: [SIDE_PX, SIDE_PX], grey)."""
    while corner.height_px > 2 * TIMES * INDEX_PX:
        image = np.asarray(cv2.pyrDown(image), dtype=np.uint8)
        corner = Corner(corner.x / 2, corner.y / 2, corner.up, corner.height_px / 2)
    finer = Corner(corner.x, corner.y, corner.up, corner.height_px / TIMES)
    high, wide = 24 * TIMES, 24 * TIMES
    patch = cut(image, finer, wide, 40 * TIMES)[:high]
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def features(patch: Frame) -> Singles:
    """Directions of the edges in a patch (shape: [n])."""
    return np.asarray(GRADIENTS.compute(patch), dtype=np.float32).reshape(-1)


def chances_of(rank: Rank, seen: Singles) -> Singles:
    """The chance of each of the rank's letters."""
    weights = _weights()[rank.text]
    return softmax(weights[:, :-1] @ seen + weights[:, -1])


@cache
def _weights() -> Mapping[str, Singles]:
    """Of each rank one row for each letter, the last column for the constant."""
    with as_file(files("tock_vision.data").joinpath(WEIGHTS)) as path, np.load(path) as kept:
        return {name: kept[name] for name in kept.files}
