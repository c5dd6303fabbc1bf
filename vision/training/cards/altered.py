"""Counts how hands that are read rightly are read when they are nearer, blurred, shaken, smaller or seen flat.

`python -m vision.training.cards.altered PHOTOS … [--every N] [--first K]`, folders with `labels.json` and `img/`.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.card_confidence import SURE_CARD_CONFIDENCE
from tock_vision.cards import CardReader, CardReading
from vision.training.cards.report import photos

Array = Any
MAX_SIDE_PX = 2600
"""Of a close picture: phones send no larger ones."""
MIN_CARDS = 2


def height_px(reading: CardReading) -> float:
    """Height of an index, rank and suit together."""
    box = np.array(reading.box)
    return float(np.linalg.norm(box[3] - box[0]))


def resized(image: Array, factor: float) -> Array:
    """The picture resized evenly."""
    return cv2.resize(
        image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    )


def close(image: Array, readings: list[CardReading], index_px: float) -> Array | None:
    """Cut to the indices with one index around them, each so high; None where that is too large."""
    tall = float(np.median([height_px(one) for one in readings]))
    points = np.concatenate([np.array(one.box) for one in readings])
    low = np.maximum(points.min(axis=0) - tall, 0).astype(int)
    high = (points.max(axis=0) + tall).astype(int)
    cut = image[low[1] : high[1], low[0] : high[0]]
    factor = index_px / tall
    return None if max(cut.shape[:2]) * factor > MAX_SIDE_PX else resized(cut, factor)


def blurred(image: Array, tall: float, share: float) -> Array:
    """Out of focus by so much of an index."""
    return cv2.GaussianBlur(image, (0, 0), share * tall)


def shaken(image: Array, tall: float, share: float, rng: Any) -> Array:
    """Moved during the exposure by so much of an index."""
    length = max(2, round(share * tall))
    kernel = np.zeros((length, length), np.float32)
    angle, middle = rng.uniform(0, np.pi), (length - 1) / 2
    arm = np.array([np.cos(angle), np.sin(angle)]) * middle
    (x, y), (to_x, to_y) = (np.round(middle + side * arm).astype(int).tolist() for side in (-1, 1))
    cv2.line(kernel, (x, y), (to_x, to_y), 1.0)
    return cv2.filter2D(image, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)


def alterations(image: Array, readings: list[CardReading], rng: Any) -> Iterator[tuple[str, Array | None]]:
    """Yield every alteration by name."""
    tall = float(np.median([height_px(one) for one in readings]))
    yield "close 250", close(image, readings, 250)
    yield "close 350", close(image, readings, 350)
    yield "blur 7 %", blurred(image, tall, 0.07)
    yield "blur 10 %", blurred(image, tall, 0.10)
    yield "shaken 30 %", shaken(image, tall, 0.3, rng)
    yield "index 14 px", resized(image, 14 / tall)
    yield "index 10 px", resized(image, 10 / tall)
    yield "flat 40 %", cv2.resize(image, None, fx=1.0, fy=0.4, interpolation=cv2.INTER_AREA)


def counted(wanted: Counter[str], readings: list[CardReading]) -> Counter[str]:
    """What one altered hand adds to the row of its alteration."""
    named = [one for one in readings if one.card is not None]
    right = (wanted & Counter(str(one.card) for one in named)).total()
    left, sure_wrong = Counter(wanted), 0
    for one in sorted(named, key=lambda one: -one.confidence):
        name = str(one.card)
        sure_wrong += left[name] <= 0 and one.confidence >= SURE_CARD_CONFIDENCE
        left[name] -= 1
    whole = Counter(str(one.card) for one in named) == wanted
    row = {"hands": 1, "whole": whole, "cards": wanted.total(), "right": right}
    return Counter(row | {"wrong": len(named) - right, "surely wrong": sure_wrong})


def measured(folders: list[Path], chosen: Callable[[int], bool]) -> dict[str, Counter[str]]:
    """Read the chosen photographs, and those that are read rightly once more for each alteration."""
    reader, rows, rng = CardReader(), dict[str, Counter[str]](), np.random.default_rng(54)
    numbered = enumerate(picture for folder in folders for picture in photos(folder))
    for number, picture in numbered:
        wanted = Counter(picture.cards)
        is_hand = len(picture.cards) >= MIN_CARDS and not picture.unreadable and wanted.total() == len(wanted)
        if not chosen(number) or not is_hand:
            continue
        readings = reader.read(picture.image, thorough=True)
        if Counter(str(one.card) for one in readings) != wanted:
            continue
        for name, altered in alterations(picture.image, readings, rng):
            if altered is not None:
                row = counted(wanted, reader.read(altered, thorough=True))
                rows.setdefault(name, Counter()).update(row)
        sys.stderr.write(f"\r{number} ")
    return rows


def main() -> None:
    """Measure and print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rows = measured(options.photos, lambda number: number % options.every == options.first)
    for name, row in rows.items():
        sys.stdout.write(
            f"{name}: {row['whole']} of {row['hands']} hands whole, {row['right']} of {row['cards']} cards right, "
            f"{row['wrong']} wrong, {row['surely wrong']} of them surely\n"
        )


if __name__ == "__main__":
    main()
