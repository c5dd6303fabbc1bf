"""Fits the letters of decks (A or 1, J, V or B, Q or D, K or R) on printed indices.

`python -m vision.training.cards.letters ART card_letters.npz`; with `--labels FOLDER` it counts instead how many
letters in the photographs there are read right.
"""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_rules import Card
from tock_vision.cards.corners import Corner
from tock_vision.cards.letters import LETTERS, features, letter_of, letter_patch
from tock_vision.cards.reading import NAMED_CONFIDENCE, CardReader
from tock_vision.images import load_image
from vision.training.cards.decks import SYMBOLS, glyph, kept_back, suit_fonts, upright_fonts
from vision.training.cards.labels import fit_or_measure, labels_of

Array = Any
SAMPLES = 2000
"""Indices printed for each letter."""
STEPS, RATE, DECAY = 400, 0.5, 1e-3
INDEX_PX = 90


def main() -> None:
    fit_or_measure(__doc__, fit_all, measure)


def fit_all(art: Path, out: Path) -> None:
    """Fit the letters of each rank, and tell how many are right in fonts that were not fitted."""
    rng = np.random.default_rng(20)
    fonts = upright_fonts(art / "fetched")
    suits = suit_fonts(fonts)
    kept = set(kept_back(fonts))
    weights = {}
    for rank, letters in LETTERS.items():
        seen, truth, unknown = [], [], []
        for number, letter in enumerate(letters):
            for _ in range(SAMPLES):
                path = str(rng.choice(fonts))
                patch = printed(rng, path, suits, letter)
                if patch is not None:
                    seen.append(features(patch))
                    truth.append(number)
                    unknown.append(path in kept)
        x, y, new = np.array(seen), np.array(truth), np.array(unknown)
        fitted = fit(x[~new], y[~new], len(letters))
        right = (classes(fitted, x[new]) == y[new]).mean()
        sys.stdout.write(f"{rank.text}: {right:.4f} of {new.sum()} in fonts that were not fitted\n")
        weights[rank.text] = fitted.astype(np.float32)
    np.savez_compressed(out, **weights)


def printed(rng: Any, path: str, suits: list[str], letter: str) -> Array | None:
    """An index as a phone may see it, cut as a reader would cut it; None when the font lacks the letter."""
    rank = glyph(path, letter)
    suit = glyph(str(rng.choice(suits)), SYMBOLS[str(rng.choice(list(SYMBOLS)))])
    if rank is None or suit is None:
        return None
    share, gap = rng.uniform(0.48, 0.66), rng.uniform(0.0, 0.08)
    tall, low = int(INDEX_PX * share), int(INDEX_PX * (1 - share - gap))
    rank_px = min(rank.shape[1] * tall / rank.shape[0] * rng.uniform(0.6, 1.1), 0.7 * INDEX_PX)
    suit_px = min(suit.shape[1] * low / suit.shape[0], 0.65 * INDEX_PX)
    side = 3 * INDEX_PX
    cover = np.zeros((side, side), np.float32)
    top, middle = (side - INDEX_PX) // 2, side // 2
    for picture, wide, high, at in (
        (rank, rank_px, tall, top),
        (suit, suit_px, low, top + INDEX_PX - low),
    ):
        small = cv2.resize(picture, (max(3, int(wide)), high), interpolation=cv2.INTER_AREA)
        left = middle - small.shape[1] // 2
        cover[at : at + high, left : left + small.shape[1]] = small
    if rng.random() < 0.5:
        # The frame of a court card, and its edge.
        beside = middle + int(rng.uniform(0.42, 0.7) * INDEX_PX)
        cover[top + int(rng.uniform(-0.1, 0.8) * INDEX_PX) :, beside : beside + 3] = rng.uniform(80, 255)
    paper, ink = rng.uniform(120, 250), rng.uniform(10, 110)
    grey = paper + (ink - paper) * cover / 255
    height = float(np.exp(rng.uniform(np.log(20), np.log(90))))
    blur = rng.uniform(0.2, 0.9) * INDEX_PX / height
    seen = cv2.GaussianBlur(grey, (0, 0), max(0.3, blur))
    seen += rng.normal(0, rng.uniform(0, 8), seen.shape)
    picture = cv2.cvtColor(seen.clip(0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)
    right, down, turn, growth = (float(rng.normal(0, spread)) for spread in (0.05, 0.05, 0.1, 0.08))
    corner = Corner(side / 2, side / 2, 0.0, float(INDEX_PX)).moved(right, down, turn, growth)
    return letter_patch(picture, corner)


def fit(seen: Array, truth: Array, count: int) -> Array:
    """Weights of a logistic regression (shape: [count, features + 1])."""
    x = np.hstack([seen, np.ones((len(seen), 1), np.float32)])
    wanted = np.eye(count, dtype=np.float32)[truth]
    weights = np.zeros((count, x.shape[1]), np.float32)
    speed = np.zeros_like(weights)
    for _ in range(STEPS):
        values = x @ weights.T
        chances = np.exp(values - values.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        slope = (chances - wanted).T @ x / len(x) + DECAY * weights
        speed = 0.9 * speed - RATE * slope
        weights += speed
    return weights


def classes(weights: Array, seen: Array) -> Array:
    """The likeliest letter of each row."""
    return (seen @ weights[:, :-1].T + weights[:, -1]).argmax(axis=1)


def measure(folder: Path) -> None:
    """Print the letters read in photographs, by the deck in them."""
    found = labels_of(folder)
    reader, named = CardReader(), Counter[tuple[str, str, str]]()
    for entry in found["images"]:
        cards = {Card.parse(name) for name in entry["cards"]}
        if not any(card.rank in LETTERS for card in cards):
            continue
        index = entry.get("index") or found["sources"][entry["source"]]["index"]
        image = load_image(folder / "img" / Path(entry["file"]).name)
        for reading in reader.read(image):
            if reading.card in cards and reading.confidence >= NAMED_CONFIDENCE:
                letter = letter_of(image, reading.card.rank, reading.box)
                named[index, reading.card.rank.text, letter or "not told"] += 1
    for (index, rank, letter), count in sorted(named.items()):
        sys.stdout.write(f"{index}: {rank} told as {letter}: {count}\n")


if __name__ == "__main__":
    main()
