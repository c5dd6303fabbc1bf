"""Measures whether a photograph of cards gives the same answer turned, smaller, larger and darker.

`python -m vision.training.cards.consistency PHOTOS … [--every 1] [--step 15]`.

Each PHOTOS is a folder with `labels.json` and `img/`. Every photograph is read as it is, turned all around in
steps of some degrees, in three sizes, and at a third of its light; an answer is the same when it names the same cards.
"""

import argparse
import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_vision.cards import CardReader
from tock_vision.images import load_image
from vision.training.cards.labels import labels_of
from vision.training.cards.measure import share

Array = Any
log = logging.getLogger(__name__)
STEP_DEGREES = 15
SCALES = (0.5, 1.0, 2.0)
DARK = 0.33
MAX_PX = 2000
"""A picture is not made larger than this; phones send no larger ones."""


def turned(image: Array, degrees: float, scale: float) -> Array:
    """A picture turned, on a larger one of the colour of its edge, and resized."""
    height, width = image.shape[:2]
    scale = min(scale, MAX_PX / max(height, width))
    angle = np.deg2rad(degrees)
    matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * scale
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ matrix.T
    size = tuple(int(side) for side in np.ceil(np.ptp(ends, axis=0)))
    edge = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    there = np.hstack([matrix, -ends.min(axis=0)[:, None]])
    smooth = cv2.GaussianBlur(image, (0, 0), 0.4 / scale) if scale < 0.9 else image
    color = tuple(float(value) for value in np.median(edge, axis=0))
    return cv2.warpAffine(smooth, there, size, flags=cv2.INTER_LINEAR, borderValue=color)


def variants(image: Array, step_degrees: int) -> Iterator[tuple[str, Array]]:
    """Yield the picture in all ways, with the kind that each counts for."""
    for scale in SCALES:
        for degrees in range(0, 360, step_degrees):
            if degrees or scale != 1.0:
                yield f"size x {scale:g}", turned(image, degrees, scale)
    yield "a third of the light", (image * DARK).astype(np.uint8)


def named(reader: CardReader, image: Array) -> Counter[str]:
    """The cards that are named in a picture."""
    return Counter(str(one.card) for one in reader.read(image, thorough=True) if one.card is not None)


def main() -> None:
    """Measure and print a table."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=1, help="only every so manieth photograph")
    parser.add_argument("--step", type=int, default=STEP_DEGREES, help="degrees from turn to turn")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    reader = CardReader()
    same, tried, photographs = Counter[str](), Counter[str](), 0
    for folder in options.photos:
        entries = labels_of(folder)["images"]
        for entry in entries[:: options.every]:
            image = load_image(folder / entry["file"], upright=True)
            upright = named(reader, image)
            photographs += 1
            before = same.total(), tried.total()
            for kind, picture in variants(image, options.step):
                tried[kind] += 1
                same[kind] += named(reader, picture) == upright
            part = same.total() - before[0], tried.total() - before[1]
            log.info("%s: %d of %d as upright", entry["file"], *part)
    rows = [f"| {kind} | {tried[kind]} | {share(same[kind], tried[kind])} |" for kind in tried]
    everything = f"| all | {tried.total()} | {share(same.total(), tried.total())} |"
    log.info("%d photographs\n\n| changed | readings | same answer |\n|---|---|---|", photographs)
    log.info("%s", "\n".join([*rows, everything]))


if __name__ == "__main__":
    main()
