"""Decks for the synthetic scenes: where the indices of drawn art are, and cards re-lettered with many fonts."""

import zlib
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.training.cards.art import CYRILLIC, DECK, JOKERS, RANKS

Array = Any
WIDTH, HEIGHT = 272, 400
"""All cards are brought to this size."""
LETTERS = {
    "english": dict(zip(RANKS, RANKS, strict=True)),
    "french": dict(zip(RANKS, RANKS, strict=True)) | {"A": "1", "J": "V", "Q": "D", "K": "R"},
    "french A": dict(zip(RANKS, RANKS, strict=True)) | {"J": "V", "Q": "D", "K": "R"},
    "german": dict(zip(RANKS, RANKS, strict=True)) | {"J": "B", "Q": "D"},
}
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
OTHER_GAMES = ("swiss-xvii",)
UNUSABLE = ("tango", "tango_nuevo")
"""Rank and suit stand side by side there."""
RED, BLACK = (40, 30, 205), (35, 28, 26)


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


def kept_back(fonts: list[str]) -> list[str]:
    """One font in five, which no fit sees: they give its figures."""
    return fonts[::5]


def suit_fonts(fonts: list[str]) -> list[str]:
    """The fonts that draw the four suits."""
    from fontTools.ttLib import TTFont

    return [
        path
        for path in fonts
        if all(ord(s) in TTFont(path, lazy=True).getBestCmap() for s in SYMBOLS.values())
    ]


class Printer:
    """Prints cards: drawn decks as they are, and re-lettered."""

    def __init__(self, folder: Path, held: bool | None = None) -> None:
        """`held` says whether to take only the decks and fonts held out of training, or only the others; else all."""
        files = sorted((folder / "decks").glob("*.npz"))
        self.decks = {}
        for file in files:
            if file.stem not in (*OTHER_GAMES, *UNUSABLE):
                faces = load_deck(file)
                if faces:
                    self.decks[file.stem] = faces
        self.others = [
            cv2.resize(archive[name], (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
            for file in files
            for archive in (np.load(file),)
            for name in archive.files
            if name == "BACK" or file.stem in OTHER_GAMES
        ]
        self.names = sorted(self.decks)
        self.fonts = upright_fonts(folder / "fetched")
        self.suits = suit_fonts(self.fonts)
        if held is not None:
            self.names = [name for name in self.names if held_out(name) == held]
            self.fonts = [path for path in self.fonts if held_out(family(path)) == held]
        self.cut_suits = self._suits_of_art()

    def _suits_of_art(self) -> list[dict[str, Array]]:
        shapes = []
        for name in self.names:
            faces = {face.card: face for face in self.decks[name]}
            if not all(f"2{suit}" in faces for suit in "SHDC"):
                continue
            one = {}
            for suit in "SHDC":
                # The upper pip of a two stands alone in the middle.
                middle = ink(faces[f"2{suit}"].image)[10 : HEIGHT // 2 - 8, WIDTH // 3 : 2 * WIDTH // 3]
                count, labels, stats, _ = cv2.connectedComponentsWithStats(middle)
                if count < 2:
                    break
                best = 1 + int(np.argmax(stats[1:, 4]))
                x, y, w, h, area = stats[best]
                if not 0.3 < area / (w * h) < 0.9 or h < 24:
                    break
                one[suit] = ((labels[y : y + h, x : x + w] == best) * 255).astype(np.uint8)
            if len(one) == 4:
                shapes.append(one)
        return shapes

    def face(self, rng: Any, deck: str, card: str) -> Face:
        """A card of a deck as drawn."""
        faces = [face for face in self.decks[deck] if face.card == card]
        return faces[0] if faces else self.decks[deck][int(rng.integers(len(self.decks[deck])))]

    def style(self, rng: Any) -> dict[str, Any]:
        """Choose how the indices of one deck re-lettered look."""
        four_color = rng.random() < 0.06
        shade = rng.uniform(0.75, 1.15)
        red = tuple(np.clip(np.array(RED) * shade + rng.uniform(-25, 25, 3), 0, 255))
        black = tuple(np.clip(np.array(BLACK) * rng.uniform(0.3, 2.2), 0, 255))
        inks = {"S": black, "C": black, "H": red, "D": red}
        if four_color:
            inks |= {"C": (50, 130, 30), "D": (190, 90, 20)}
        return {
            "letters": LETTERS[
                str(rng.choice(["english", "french", "french A", "german"], p=[0.37, 0.37, 0.08, 0.18]))
            ],
            "font": str(rng.choice(self.fonts)),
            "suits": self.cut_suits[int(rng.integers(len(self.cut_suits)))] if rng.random() < 0.6 else None,
            "suit_font": str(rng.choice(self.suits)),
            "inks": inks,
            "height": rng.uniform(0.12, 0.28) * HEIGHT,
            "rank_share": rng.uniform(0.45, 0.68),
            "gap": rng.uniform(0.0, 0.1),
            "stretch": rng.uniform(0.7, 1.1),
            "suit_stretch": rng.uniform(0.8, 1.1),
            "left": rng.uniform(0.02, 0.06) * WIDTH,
            "top": rng.uniform(0.02, 0.05) * HEIGHT,
            "four": rng.random() < 0.25,
            "deck": str(rng.choice(self.names)),
            "blank": rng.random() < 0.2,
            "weight": int(rng.choice([-3, 0, 3, 5], p=[0.15, 0.65, 0.12, 0.08])),
            "worn": rng.uniform(0.2, 0.7) if rng.random() < 0.15 else 0.0,
            "grain": int(rng.integers(1 << 30)),
        }

    def lettered(self, style: dict[str, Any], card: str) -> Face | None:
        """Reprint a card: the middle of a drawn deck, corners in the given style."""
        faces = [face for face in self.decks[style["deck"]] if face.card == card]
        if not faces or card in JOKERS:
            return None
        index = self._index(style, card)
        if index is None:
            return None
        cover, color = index
        image = faces[0].image.copy()
        paper = faces[0].paper
        height, width = cover.shape
        spots = [(style["left"], style["top"])]
        if style["four"]:
            spots.append((WIDTH - style["left"] - width, style["top"]))
        if style["blank"]:
            image[:] = paper
        for half in (image, image[::-1, ::-1]):
            for box in faces[0].boxes:
                wipe(half, box, paper)
            for x, y in spots:
                wipe(half, (x - 2, y - 2, width + 4, height + 4), paper)
                lay(half, cover, color, int(x), int(y))
        boxes = [(float(int(x)), float(int(y)), float(width), float(height)) for x, y in spots]
        return Face(card, image, boxes)

    def _index(self, style: dict[str, Any], card: str) -> tuple[Array, Any] | None:
        suit = card[-1]
        letters = glyph(style["font"], style["letters"][card[:-1]])
        drawn = style["suits"][suit] if style["suits"] else glyph(style["suit_font"], SYMBOLS[suit])
        if letters is None or drawn is None:
            return None
        letters = weighted(letters, style["weight"])
        total = style["height"]
        rank_high = total * style["rank_share"]
        suit_high = total * (1 - style["rank_share"] - style["gap"])
        scale = rank_high / letters.shape[0]
        narrow = style["stretch"] * (0.8 if len(style["letters"][card[:-1]]) > 1 else 1.0)
        widest = 0.62 * total
        rank_wide = min(letters.shape[1] * scale * narrow, widest)
        suit_wide = min(drawn.shape[1] * suit_high / drawn.shape[0] * style["suit_stretch"], widest)
        rank = cv2.resize(letters, (max(3, int(rank_wide)), int(rank_high)), interpolation=cv2.INTER_AREA)
        small = cv2.resize(drawn, (max(3, int(suit_wide)), int(suit_high)), interpolation=cv2.INTER_AREA)
        width = max(rank.shape[1], small.shape[1])
        cover = np.zeros((int(total), width), np.uint8)
        at = (width - rank.shape[1]) // 2
        cover[: rank.shape[0], at : at + rank.shape[1]] = rank
        at = (width - small.shape[1]) // 2
        cover[int(total) - small.shape[0] :, at : at + small.shape[1]] = small
        if style["worn"]:
            cover = worn(cover, style["worn"], style["grain"])
        return cover, style["inks"][suit]


def family(path: str) -> str:
    """The name that a font shares with its weights: that of the package it is from."""
    parts = Path(path).parts
    return parts[parts.index("fetched") + 1] if "fetched" in parts else Path(path).stem


def held_out(name: str) -> bool:
    """Whether a deck or the fonts of a package are kept for measuring: one in eight."""
    return zlib.crc32(name.encode()) % 8 == 3


def weighted(cover: Array, size: int) -> Array:
    """Print bolder by some of 96 lines, or thinner where enough of the strokes is left."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (max(abs(size), 1),) * 2)
    if size > 0:
        return cv2.dilate(cover, kernel)
    thin = cv2.erode(cover, kernel) if size else cover
    return thin if thin.sum() > 0.55 * cover.sum() else cover


def worn(cover: Array, strength: float, grain: int) -> Array:
    """Rub off print in spots, and fade it all."""
    rng = np.random.default_rng(grain)
    coarse = rng.uniform(0, 1, (cover.shape[0] // 4 + 2, cover.shape[1] // 4 + 2)).astype(np.float32)
    spots = cv2.resize(coarse, cover.shape[::-1], interpolation=cv2.INTER_CUBIC)
    left = (1 - strength * 0.5) * (1 - strength * (spots > 0.75))
    return (cover * left).astype(np.uint8)


def wipe(image: Array, box: tuple[float, ...], paper: Array) -> None:
    """Print paper over a box."""
    x, y, width, height = (int(value) for value in box)
    image[max(y - 1, 0) : y + height + 2, max(x - 1, 0) : x + width + 2] = paper


def lay(image: Array, cover: Array, color: Any, x: int, y: int) -> None:
    """Print a coverage in a colour."""
    height, width = cover.shape
    part = image[y : y + height, x : x + width]
    share = cover[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
    part[:] = (part * (1 - share) + np.array(color, np.float32) * share).clip(0, 255)
