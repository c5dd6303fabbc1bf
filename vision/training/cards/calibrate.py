"""Fits the confidence of card readings on synthetic pictures that no training saw.

`python -m vision.training.cards.calibrate ART [--thorough | --near]`.

Writes its part of `card_calibration.json` of the package: the weights of a logistic regression on
`calibration.features`, for quick readings or for thorough ones. With `--near` the weights of thorough readings are
fitted to pictures of cards held close and of other games, pulled towards their former values.
"""

import argparse
import json
import logging
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_rules import JOKERS
from tock_vision.cards import CardReader
from tock_vision.cards.calibration import FEATURES, features
from vision.training.cards.decks import NAMES
from vision.training.cards.near import NearMaker
from vision.training.cards.other_games import empty_scene
from vision.training.cards.scenes import Maker

Array = Any
log = logging.getLogger(__name__)
SEED = 90210
SIDE = 832
HEIGHTS = (95.0, 420.0)
SHOWN = 0.85
JOKER_AT = 5
"""Column of the rows that says whether a reading is a joker."""
JOKERS_COUNT = 0.3
"""Scenes have about three times as many jokers as hands do."""
PULL, PULL_NEAR = 1e-3, 1e-2
"""Weight of the squares of the weights, which keeps them finite where everything is right; and with `--near`, whose
pictures are of one kind only."""
NEWTON_STEPS, MAX_ODDS = 40, 20
NEAR_SEED, NEAR_COUNT = 1, 175
"""Number of the first picture with `--near`, and pictures of each kind."""


Truth = tuple[Array, Counter[str], Counter[str]]
"""A picture, the cards of which at least one index shows, and those that are half hidden."""


def pictures(art: Path, count: int) -> Iterator[Truth]:
    """Yield scenes, every fourth picture without cards: backs, other games, print."""
    maker = Maker(art, SEED, SIDE, HEIGHTS)
    for number in range(count):
        kind = ("none", "page", "games")[number // 4 % 3] if number % 4 == 3 else None
        if kind in ("page", "games"):
            canvas = empty_scene(maker, "page" if kind == "page" else None, 4)
            yield maker.camera.photographed(canvas), Counter(), Counter()
            continue
        scene = maker.scene(kind)
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(maker.rng.integers(50, 96))]
        image = cv2.imdecode(cv2.imencode(".jpg", scene.image, quality)[1], cv2.IMREAD_COLOR)
        shown = {int(row[6]): NAMES[int(row[5])] for row in scene.rows if row[4] > SHOWN}
        half_hidden = Counter(NAMES[int(row[5])] for row in scene.rows if 0.3 <= row[4] <= SHOWN)
        yield image, Counter(shown.values()), half_hidden


def near_pictures(art: Path) -> Iterator[Truth]:
    """Yield photographs of cards held close, then of other games."""
    photos = NearMaker(art, NEAR_SEED).photos(NEAR_COUNT)
    for near in chain(photos, NearMaker(art, NEAR_SEED + 1).empties(NEAR_COUNT)):
        yield near.image, Counter(near.cards), Counter(str(joker) for joker in JOKERS * 9)


def collected(given: Iterator[Truth], *, thorough: bool) -> tuple[Array, Array]:
    """Features and whether the card was right, of all readings; a half hidden card need not be read, and may be."""
    rows, right, reader = [], [], CardReader()
    for image, left, half_hidden in given:
        cards, _ = reader.seen(image, thorough=thorough)
        for card, values in sorted(
            zip(cards, features(cards), strict=True), key=lambda one: -one[0].chance()
        ):
            name = str(card.card)
            if left[name] > 0 or not half_hidden[name]:
                rows.append([1.0, *values])
                right.append(left[name] > 0)
                left[name] -= 1
    log.info("%d readings, %.4f right", len(rows), np.mean(right))
    return np.array(rows), np.array(right, float)


def fitted(rows: Array, right: Array, towards: Array, pull: float) -> Array:
    """The weights of confidence by logistic regression (Newton's method), pulled towards known ones."""
    counts = np.where((rows[:, JOKER_AT] > 0) & (right > 0), JOKERS_COUNT, 1.0)
    weights = np.zeros(rows.shape[1], rows.dtype)
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -MAX_ODDS, MAX_ODDS)))
        slope = rows.T @ (counts * (chance - right)) / len(right) + pull * (weights - towards)
        bend = (rows * (counts * chance * (1 - chance))[:, None]).T @ rows / len(right)
        weights -= np.linalg.solve(bend + pull * np.eye(len(weights), dtype=rows.dtype), slope)
    return weights


def main() -> None:
    """Fit and write."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("art", type=Path)
    parser.add_argument("--count", type=int, default=800, help="pictures")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--thorough", action="store_true", help="for the readings of still pictures")
    kinds.add_argument("--near", action="store_true", help="the same on pictures of cards held close")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    out = Path(__file__).parents[2] / "tock_vision" / "data" / "card_calibration.json"
    kept = json.loads(out.read_text(encoding="utf-8"))
    given = near_pictures(options.art) if options.near else pictures(options.art, options.count)
    # A thorough reading is a quick one with more evidence, and takes longer to collect.
    thorough = options.thorough or options.near
    towards = kept["thorough" if options.near else "quick"] if thorough else np.zeros(FEATURES + 1)
    weights = fitted(
        *collected(given, thorough=thorough), np.array(towards), PULL_NEAR if options.near else PULL
    )
    kept["thorough" if thorough else "quick"] = [round(float(one), 4) for one in weights]
    out.write_text(json.dumps(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
