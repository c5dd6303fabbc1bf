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

from tock_vision.cards import CardReader
from tock_vision.cards.calibration import FEATURES, features
from tock_vision.cards.corners import is_joker
from vision.training.cards.decks import NAMES
from vision.training.cards.logistic import two_classes
from vision.training.cards.near import NearMaker
from vision.training.cards.other_games import photo_without_playing_cards
from vision.training.cards.scenes import Maker, Scene

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
NEAR_SEED, NEAR_COUNT = 1, 175
"""Number of the first picture with `--near`, and pictures of each kind."""


def truth_of(scene: Any) -> Counter[str]:
    """The cards of a scene of which at least one index shows; jokers of unclear colour count as either."""
    cards = {int(row[6]): NAMES[int(row[5])] for row in scene.rows if row[4] > SHOWN}
    return Counter(cards.values())


def pictures(art: Path, count: int) -> Iterator[Scene]:
    """Yield scenes, every fourth picture without cards: backs, other games, print."""
    maker = Maker(art, SEED, SIDE, HEIGHTS)
    for number in range(count):
        if number % 4 == 3:
            kind = number // 4 % 3
            if kind == 0:
                yield maker.scene("none")
            else:
                yield Scene(photo_without_playing_cards(maker, printed=kind == 1))
            continue
        scene = maker.scene()
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(maker.rng.integers(50, 96))]
        image = cv2.imdecode(cv2.imencode(".jpg", scene.image, quality)[1], cv2.IMREAD_COLOR)
        yield Scene(image, scene.rows)


def collected(scenes: Iterator[Scene], reader: CardReader, thorough: bool) -> Iterator[tuple[Array, Array]]:
    """Yield features and whether the card was right, of all pictures so far, every twenty pictures and at the end."""
    rows, right = [], []
    number = 0
    for number, scene in enumerate(scenes, 1):
        left = truth_of(scene)
        half_hidden = Counter(NAMES[int(row[5])] for row in scene.rows if 0.3 <= row[4] <= SHOWN)
        cards, _ = reader.seen(scene.image, thorough=thorough)
        seen = sorted(cards, key=lambda one: -one.chance())
        for card, values in zip(seen, features(seen), strict=True):
            name = str(card.card)
            if left[name] <= 0 and half_hidden[name]:
                # Half hidden: it is there, but need not be read.
                continue
            rows.append([1.0, *values])
            right.append(left[name] > 0)
            left[name] -= 1
        if number % 20 == 0:
            log.info("%d pictures, %d readings, %.4f right", number, len(rows), np.mean(right))
            yield np.array(rows), np.array(right, float)
    yield np.array(rows), np.array(right, float)


def collected_near(art: Path, reader: CardReader) -> tuple[Array, Array]:
    """Features and whether the card was right, of all readings but those of jokers."""
    rows, right = [], []
    photos = NearMaker(art, NEAR_SEED).photos(NEAR_COUNT)
    for near in chain(photos, NearMaker(art, NEAR_SEED + 1).empties(NEAR_COUNT)):
        left = Counter(near.cards)
        seen, _ = reader.seen(near.image, thorough=True)
        for card, values in sorted(zip(seen, features(seen), strict=True), key=lambda one: -one[0].chance()):
            if not is_joker(card.card):
                rows.append([1.0, *values])
                right.append(left[str(card.card)] > 0)
                left[str(card.card)] -= 1
    log.info("%d readings, %.4f right", len(rows), np.mean(right))
    return np.array(rows), np.array(right, float)


def fitted(rows: Array, right: Array, towards: Array, pull: float = PULL) -> Array:
    """The weights of confidence, pulled towards known ones."""
    counts = np.where((rows[:, JOKER_AT] > 0) & (right > 0), JOKERS_COUNT, 1.0)
    return two_classes(rows, right, pull=pull, towards=towards, counts=counts)


def write(out: Path, weights: dict[str, Array]) -> None:
    """Write the weights of all readings."""
    rounded = {name: [round(float(one), 4) for one in values] for name, values in weights.items()}
    out.write_text(json.dumps(rounded) + "\n", encoding="utf-8")


def main() -> None:
    """Fit and write."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("art", type=Path)
    parser.add_argument("--count", type=int, default=800, help="pictures; each fit so far is kept")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--thorough", action="store_true", help="for the readings of still pictures")
    kinds.add_argument("--near", action="store_true", help="the same on pictures of cards held close")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    out = Path(__file__).parents[2] / "tock_vision" / "data" / "card_calibration.json"
    kept = json.loads(out.read_text(encoding="utf-8"))
    if options.near:
        rows, right = collected_near(options.art, CardReader())
        weights = fitted(rows, right, np.array(kept["thorough"]), PULL_NEAR)
        write(out, kept | {"thorough": weights})
        return
    # A thorough reading is a quick one with more evidence, and takes longer to collect.
    towards = np.array(kept["quick"]) if options.thorough else np.zeros(FEATURES + 1)
    for rows, right in collected(pictures(options.art, options.count), CardReader(), options.thorough):
        weights = fitted(rows, right, towards)
        kept["thorough" if options.thorough else "quick"] = weights
        write(out, kept)
        log.info("%s: %s from %d readings", out, weights.round(3), len(right))


if __name__ == "__main__":
    main()
