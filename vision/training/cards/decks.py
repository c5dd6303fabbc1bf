"""Decks for the synthetic scenes: where the indices of drawn art are, and fonts for other indices."""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.training.cards.art import CYRILLIC, DECK, JOKERS

Array = Any
NAMES = (*DECK, *JOKERS)
WIDTH, HEIGHT = 272, 400
"""All cards are brought to this size."""
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@dataclass
class Face:
    """One card: its picture (BGR, HEIGHT x WIDTH) and where indices are printed upright, (x, y, width, height)."""

    card: str
    image: Array
    boxes: list[tuple[float, float, float, float]]
    """Boxes of the upright corners; the same card turned by half has them too."""
    soft: dict[int, Array] = field(default_factory=dict)

    @cached_property
    def paper(self) -> Array:
        """The colour of the paper."""
        return paper_of(self.image)

    def softened(self, size: int) -> Array:
        """The picture blurred over some pixels, for drawing it smaller; made once."""
        if size not in self.soft:
            self.soft[size] = cv2.blur(self.image, (size, size))
        return self.soft[size]


def paper_of(image: Array) -> Array:
    """The most usual colour."""
    return np.median(image.reshape(-1, 3)[::7], axis=0)


def ink(image: Array) -> Array:
    """Mask of the printed pixels: they differ from the paper."""
    return (np.abs(image.astype(np.float32) - paper_of(image)).max(axis=2) > 70).astype(np.uint8)


def ace_box(image: Array) -> tuple[float, float, float, float] | None:
    """Find the index of an ace in the top left corner: the letter and the small suit below it."""
    corner = ink(image)[4 : int(HEIGHT * 0.4), 4 : int(WIDTH * 0.3)]
    count, _, stats, _ = cv2.connectedComponentsWithStats(corner, connectivity=8)
    parts = [
        stats[n]
        for n in range(1, count)
        if stats[n][4] > 40 and stats[n][3] > 10 and stats[n][3] < HEIGHT / 4
    ]
    parts = [part for part in parts if part[0] + part[2] < corner.shape[1] - 1]
    if len(parts) < 2:
        return None
    parts.sort(key=lambda part: part[1])
    first = parts[0]
    below = [part for part in parts[1:] if part[1] > first[1] + first[3] * 0.6]
    if not below:
        return None
    second = below[0]
    left, right = min(first[0], second[0]), max(first[0] + first[2], second[0] + second[2])
    top, bottom = first[1], second[1] + second[3]
    return float(left + 4), float(top + 4), float(right - left), float(bottom - top)


def load_deck(file: Path) -> list[Face]:
    """The faces of a deck file with their index boxes; empty when the indices are not found."""
    art = {
        name: cv2.resize(image, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        for name, image in np.load(file).items()
    }
    found = [box for box in (ace_box(art["A" + suit]) for suit in "SHDC") if box]
    if len(found) < 2:
        return []
    x, y, width, height = (float(value) for value in np.median(np.array(found), axis=0))
    box = (x, y, width, height)
    mirrored = (WIDTH - x - width, y, width, height)
    four = share_of_ink(art["AS"], mirrored) > 0.5 * share_of_ink(art["AS"], box)
    faces = []
    for card in (*DECK, *JOKERS):
        if card not in art or not readable(file.stem, card):
            continue
        boxes = [box, mirrored] if four else [box]
        if card in JOKERS and share_of_ink(art[card], box) < 0.06:
            boxes = []
        faces.append(Face(card, art[card], list(boxes)))
    return faces


def readable(deck: str, card: str) -> bool:
    """Whether the letters of a deck include those that mean this card."""
    return deck not in CYRILLIC or deck == "atlasnye" or card[:-1] not in ("A", "J", "Q")


def share_of_ink(image: Array, box: tuple[float, ...]) -> float:
    """The printed share of a box."""
    x, y, width, height = (int(value) for value in box)
    part = ink(image)[max(y, 0) : y + height, max(x, 0) : x + width]
    return float(part.mean()) if part.size else 0.0


@lru_cache(maxsize=4096)
def font(path: str, size: int) -> Any:
    """A font at a size in pixels."""
    return ImageFont.truetype(path, size)


@lru_cache(maxsize=8192)
def glyph(path: str, text: str) -> Array | None:
    """Draw a text as tightly cut coverage (0 to 255, some 96 pixels high); None when the font lacks it."""
    drawn = font(path, 96)
    left, top, right, bottom = drawn.getbbox(text)
    if right - left < 8 or bottom - top < 20 or right - left > 260:
        return None
    image = Image.new("L", (int(right - left) + 4, int(bottom - top) + 4))
    ImageDraw.Draw(image).text((2 - left, 2 - top), text, fill=255, font=drawn)
    cover = np.array(image)
    rows, columns = np.nonzero(cover.max(axis=1) > 60)[0], np.nonzero(cover.max(axis=0) > 60)[0]
    return cover[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def upright_fonts(folder: Path) -> list[str]:
    """The fonts that have all index letters, upright, and no symbol fonts."""
    from fontTools.ttLib import TTFont

    good = []
    for path in sorted([*folder.glob("**/*.ttf"), *folder.glob("**/*.otf")]):
        name = path.stem.lower()
        if any(word in name for word in ("italic", "oblique", "-it", "symbol", "math", "braille")):
            continue
        letters = TTFont(path, lazy=True, fontNumber=0).getBestCmap() or {}
        if all(ord(letter) in letters for letter in "0123456789AJQKVDRB"):
            good.append(str(path))
    return good


def suit_fonts(fonts: list[str]) -> list[str]:
    """The fonts that draw the four suits."""
    from fontTools.ttLib import TTFont

    return [
        path
        for path in fonts
        if all(ord(s) in TTFont(path, lazy=True).getBestCmap() for s in SYMBOLS.values())
    ]
