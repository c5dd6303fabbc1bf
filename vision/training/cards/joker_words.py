"""Fits the word JOKER, letter below letter, on printed cards.

`python -m vision.training.cards.joker_words ART card_joker_words.npz`.
"""

import sys
from typing import Any

import cv2
import numpy as np

from tock_vision.cards.joker_words import (
    CARD_SIZE,
    FILLED,
    GRADIENTS,
    HEIGHTS,
    SLIMNESS,
    WINDOW_SIZE,
    windows,
)
from vision.training.cards.decks import HEIGHT, WIDTH, glyph, kept_back
from vision.training.cards.logistic import art_and_out, two_classes, with_ones
from vision.training.cards.printer import Printer, lay, wipe

Array = Any
WORD, LOWER_CASE = "JOKER", 0.15
OTHER_WORDS = (
    "KONIG",
    "QUEEN",
    "DAMES",
    "VALET",
    "JACKS",
    "ROYAL",
    "POKER",
    "TRUMP",
    "10987",
    "AKQJT",
    "CARDS",
)
COUNT, ROUNDS, HARDEST = 2000, 2, 4
"""Words printed; rounds of fitting, before each of which the windows most like the word join those without it."""
PULL = 3e-5


def printed(rng: Any, face: Array, path: str, word: str) -> tuple[Array, Array] | None:
    """A card with a word at two corners, and where (left, top, right, bottom); None when the font lacks a letter."""
    letters = [drawn for letter in word if (drawn := glyph(path, letter)) is not None]
    if len(letters) < len(word):
        return None
    tall = float(np.exp(rng.uniform(*np.log((HEIGHTS[0], HEIGHTS[-1]))))) * HEIGHT
    wide = rng.uniform(SLIMNESS[0], SLIMNESS[-1]) * tall
    pitch, share = tall / len(word), rng.uniform(0.72, 0.96)
    widest = max(letter.shape[1] / letter.shape[0] for letter in letters)
    left, top = rng.uniform(0.015, 0.14) * WIDTH, rng.uniform(0.02, 0.12) * HEIGHT
    colored = rng.random() < 0.4
    ink = (
        (rng.uniform(0, 60), rng.uniform(0, 60), rng.uniform(150, 230))
        if colored
        else (rng.uniform(0, 70),) * 3
    )
    image = face.copy()
    for half in (image, image[::-1, ::-1]):
        wipe(half, (0, 0, left + 1.3 * wide, top + 1.1 * tall), np.median(face[4:12, 30:-30], axis=(0, 1)))
        for number, letter in enumerate(letters):
            large = 1.35 if number == 0 and word != word.upper() else 1.0
            size = (
                max(3, int(wide * letter.shape[1] / letter.shape[0] / widest)),
                max(4, int(pitch * share * large)),
            )
            small = cv2.resize(letter, size, interpolation=cv2.INTER_AREA)
            lay(half, small, ink, int(left + (wide - size[0]) / 2), int(top + number * pitch))
    return image, np.array([left, top, left + wide, top + tall])


def photographed(rng: Any, card: Array, finer: int = 1) -> Array:
    """A card straightened not quite exactly, in some light, blurred and noisy; `finer` than it is searched."""
    size = np.array(CARD_SIZE, np.float32) * finer
    edges = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    there = edges * size + rng.normal(0, 0.012, (4, 2)).astype(np.float32) * size
    matrix = cv2.getPerspectiveTransform(
        edges * np.array([WIDTH, HEIGHT], np.float32), there.astype(np.float32)
    )
    soft = cv2.blur(card, (2, 2)) if rng.random() < 0.5 else card
    size_px = (int(size[0]), int(size[1]))
    seen = cv2.warpPerspective(soft, matrix, size_px, borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.GaussianBlur(seen.astype(np.float32), (0, 0), rng.uniform(0.3, 1.5) * finer)
    seen = seen * rng.uniform(0.4, 1.05) + rng.uniform(0, 40) + rng.normal(0, rng.uniform(0, 8), seen.shape)
    return seen.clip(0, 255).astype(np.uint8)


def window(rng: Any, card: Array, place: Array) -> Array:
    """The features of a place, cut as roughly as the search meets it."""
    left, top, right, bottom = place * np.tile(np.array(CARD_SIZE) / (WIDTH, HEIGHT), 2)
    tall = (bottom - top) / FILLED * np.exp(rng.normal(0, 0.06))
    wide = (right - left) / FILLED * np.exp(rng.normal(0, 0.1))
    x = (left + right) / 2 + rng.normal(0, 0.07) * wide
    y = (top + bottom) / 2 + rng.normal(0, 0.025) * tall
    scale = np.diag([wide / WINDOW_SIZE[0], tall / WINDOW_SIZE[1]])
    matrix = np.hstack([scale, [[x - wide / 2], [y - tall / 2]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    grey = cv2.cvtColor(card, cv2.COLOR_BGR2GRAY)
    cut = cv2.warpAffine(grey, matrix, WINDOW_SIZE, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(GRADIENTS.compute(cut), np.float32).reshape(-1)


def rows_of(card: Array) -> Array:
    """The features of all windows of a card."""
    return np.concatenate([seen for seen, _ in windows(card)])


def clearest(card: Array, weights: Array) -> tuple[float, Array]:
    """The highest log odds of all windows of a card, and the features of those most like the word."""
    rows = rows_of(card)
    odds = rows @ weights[:-1] + weights[-1]
    order = np.argsort(-odds)[:HARDEST]
    return float(odds[order[0]]), rows[order]


def main() -> None:
    """Fit the word, and tell how clear it is in fonts that were not fitted, and on cards without it."""
    art, out = art_and_out(__doc__)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(31)
    printer = Printer(art)
    faces = [face.image for name in printer.names for face in printer.decks[name] if "JOK" not in face.card]
    faces += printer.without_index
    kept_fonts = set(kept_back(printer.fonts))
    words = [sample for _ in range(COUNT) if (sample := word(rng, faces, printer.fonts)) is not None]
    seen = np.array([features for features, path, _ in words if path not in kept_fonts])
    without = [photographed(rng, other(rng, faces, printer.fonts)) for _ in range(COUNT // 4)]
    nothing = np.concatenate([next_rows(rng, card) for card in without])
    weights = fitted(seen, nothing)
    for _ in range(ROUNDS):
        nothing = np.concatenate([nothing, *(clearest(card, weights)[1] for card in without)])
        weights = fitted(seen, nothing)
    fresh = [
        max(clearest(card, weights)[0], -99)
        for path, card in ((p, c) for _, p, c in words)
        if path in kept_fonts
    ]
    false = [
        clearest(photographed(rng, other(rng, faces, printer.fonts)), weights)[0] for _ in range(COUNT // 4)
    ]
    for name, odds in (("words in fonts that were not fitted", fresh), ("cards without", false)):
        sys.stdout.write(
            f"{name}, {len(odds)}: log odds {np.percentile(odds, (1, 5, 20, 50, 80, 95, 99)).round(1)}\n"
        )
    np.savez_compressed(out, weights=weights)


def fitted(seen: Array, nothing: Array) -> Array:
    """Weights that tell the word from nothing."""
    truth = np.repeat(np.array([1, 0], np.float32), [len(seen), len(nothing)])
    return two_classes(with_ones(np.concatenate([seen, nothing])), truth, pull=PULL)


def word(rng: Any, faces: list[Array], fonts: list[str]) -> tuple[Array, str, Array] | None:
    """The features of a printed word, its font, and the card."""
    path = str(rng.choice(fonts))
    face = faces[int(rng.integers(len(faces)))]
    made = printed(rng, face, path, WORD.capitalize() if rng.random() < LOWER_CASE else WORD)
    if made is None:
        return None
    card = photographed(rng, made[0])
    return window(rng, card, made[1]), path, card


def other(rng: Any, faces: list[Array], fonts: list[str]) -> Array:
    """A card without the word: as drawn, or with another one."""
    face = faces[int(rng.integers(len(faces)))]
    made = (
        printed(rng, face, str(rng.choice(fonts)), str(rng.choice(OTHER_WORDS)))
        if rng.random() < 0.3
        else None
    )
    return face if made is None else made[0]


def next_rows(rng: Any, card: Array) -> Array:
    """Some windows of a card."""
    rows = rows_of(card)
    return rows[rng.choice(len(rows), 2 * HARDEST, replace=False)]


if __name__ == "__main__":
    main()
