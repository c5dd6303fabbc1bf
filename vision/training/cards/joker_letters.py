"""Fits the letters of the word JOKER, each against all others, on printed cards.

`python -m vision.training.cards.joker_letters ART card_joker_letters.npz`.

Words are found on the cards as the reader finds them, and cut there. Half of the others differ from JOKER in one or two
letters. Fonts that were not fitted, one in five, give the figures.
"""

import logging
from typing import Any

import cv2
import numpy as np

from tock_vision.cards.joker_letters import FINER, SHIFTS, WORD, cells
from tock_vision.cards.joker_words import CARD_SIZE, FILLED, clearest_word
from vision.training.cards.decks import kept_back
from vision.training.cards.joker_words import LOWER_CASE, OTHER_WORDS, fitted, photographed, printed
from vision.training.cards.logistic import art_and_out
from vision.training.cards.printer import Printer

Array = Any
log = logging.getLogger(__name__)
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LIKE_IT = ("JOUER", "JOLLY", "JETON", "JOUET", "TOKEN", "POKER", "LOSER", "JUDOS", "JOIES", "ROUGE")
COUNT = 3600
CENTRE = len(SHIFTS) // 2


def a_word(rng: Any) -> str:
    """The word, in one case of three; else another one, mostly much like it."""
    if rng.random() < 0.35:
        return WORD
    if rng.random() < 0.35:
        return str(rng.choice(LIKE_IT + OTHER_WORDS))
    letters = list(WORD)
    for place in rng.choice(5, int(rng.integers(1, 4)), replace=False):
        letters[int(place)] = ALPHABET[int(rng.integers(26))]
    return "".join(letters)


def samples(rng: Any, faces: list[Array], fonts: list[str], count: int) -> list[tuple[str, Array, float]]:
    """Words, the cells of each (shape: [letters, shifts, features]), and how clear the reader found the word."""
    rows: list[tuple[str, Array, float]] = []
    while len(rows) < count:
        word = a_word(rng)
        shown = word.capitalize() if rng.random() < LOWER_CASE else word
        made = printed(rng, faces[int(rng.integers(len(faces)))], str(rng.choice(fonts)), shown)
        if made is None:
            continue
        fine = photographed(rng, made[0], FINER)
        odds, place = clearest_word(cv2.resize(fine, CARD_SIZE, interpolation=cv2.INTER_AREA))
        rows.append((word, cells(fine, place * FINER, FILLED), odds))
    return rows


def fit_letters(rows: list[tuple[str, Array, float]]) -> Array:
    """Weights of each letter: first where it ought to be, then where it is likeliest."""
    found = [row for row in rows if row[2] > 0]
    weights = []
    for number, letter in enumerate(WORD):
        seen = np.array([row[1][number] for row in found])
        right = np.array([row[0][number] == letter for row in found])
        best = seen[:, CENTRE]
        for _ in range(4):
            one = fitted(best[right], np.concatenate([best[~right], seen[~right, 0], seen[~right, -1]]))
            best = seen[np.arange(len(seen)), (seen @ one[:-1]).argmax(axis=1)]
        weights.append(one)
    return np.array(weights, np.float32)


def main() -> None:
    """Fit, write, and say how clear the letters are in fonts that were not fitted."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    art, out = art_and_out(__doc__)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(37)
    printer = Printer(art)
    faces = [face.image for name in printer.names for face in printer.decks[name] if "JOK" not in face.card]
    kept = kept_back(printer.fonts)
    fonts = [path for path in printer.fonts if path not in kept]
    weights = fit_letters(samples(rng, faces, fonts, COUNT))
    np.savez_compressed(out, weights=weights)
    fresh = samples(rng, faces, kept, COUNT // 3)
    for name, mine in (("the word", True), ("others", False)):
        chosen = np.array([row[1] for row in fresh if (row[0] == WORD) == mine and row[2] > 0])
        odds = np.einsum("nlsf,lf->nls", chosen, weights[:, :-1]).max(axis=2) + weights[:, -1]
        least = odds.min(axis=1)
        log.info(
            "%s, %d found: least of five %s",
            name,
            len(least),
            np.percentile(least, (1, 5, 20, 50, 80, 95, 99)).round(1),
        )


if __name__ == "__main__":
    main()
