"""Prints cards: drawn decks unchanged, and their middles with indices of many fonts."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.training.cards.art import JOKERS, RANKS
from vision.training.cards.decks import (
    HEIGHT,
    SYMBOLS,
    WIDTH,
    Face,
    glyph,
    ink,
    load_deck,
    suit_fonts,
    upright_fonts,
)  # fmt: skip

Array = Any
LETTERS = {
    "english": dict(zip(RANKS, RANKS, strict=True)),
    "french": dict(zip(RANKS, RANKS, strict=True)) | {"A": "1", "J": "V", "Q": "D", "K": "R"},
    "french A": dict(zip(RANKS, RANKS, strict=True)) | {"J": "V", "Q": "D", "K": "R"},
    "german": dict(zip(RANKS, RANKS, strict=True)) | {"J": "B", "Q": "D"},
}
OTHER_GAMES = ("swiss-xvii",)
UNUSABLE = ("tango", "tango_nuevo")
"""Rank and suit stand side by side there."""
RED, BLACK = (40, 30, 205), (35, 28, 26)


class Printer:
    """Prints cards: drawn decks, unchanged and re-lettered."""

    def __init__(self, folder: Path) -> None:
        files = sorted((folder / "decks").glob("*.npz"))
        self.decks = {}
        for file in files:
            if file.stem not in (*OTHER_GAMES, *UNUSABLE):
                faces = load_deck(file)
                if faces:
                    self.decks[file.stem] = faces
        self.without_index = [
            cv2.resize(archive[name], (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
            for file in files
            for archive in (np.load(file),)
            for name in archive.files
            if name == "BACK" or file.stem in OTHER_GAMES
        ]
        """Backs, and the cards of a deck of another game."""
        self.names = sorted(self.decks)
        self.fonts = upright_fonts(folder / "fetched")
        self.suits = suit_fonts(self.fonts)
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
