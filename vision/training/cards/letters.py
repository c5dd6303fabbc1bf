"""Fits the letters of decks (A or 1, J, V or B, Q or D, K or R) on printed indices.

`python -m vision.training.cards.letters ART card_letters.npz`.
"""

import sys
from typing import Any

import cv2
import numpy as np

from tock_vision.cards.corners import Corner
from tock_vision.cards.letters import LETTERS, features, letter_patch
from vision.training.cards.decks import SYMBOLS, glyph, kept_back, suit_fonts, upright_fonts
from vision.training.cards.logistic import art_and_out, classes, several_classes

Array = Any
SAMPLES = 2000
"""Indices printed for each letter."""
INDEX_PX = 90


def main() -> None:
    """Fit the letters of each rank, and tell how many are right in fonts that were not fitted."""
    art, out = art_and_out(__doc__)
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
        fitted = several_classes(x[~new], y[~new], len(letters))
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


if __name__ == "__main__":
    main()
