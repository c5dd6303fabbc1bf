"""Lays cards of other games, and playing cards, under the live camera, and counts what it names.

`python -m vision.training.cards.pile ART --count 20 --seed 1`; ART is a folder of art.py or fresh.py.

Each card is laid onto an empty pile, at any angle, as sharp as a camera of 1 to 3 pixels a millimetre shows it. The
pile watcher gets frames as from the capture loop: until it is still, with noise.
"""

import argparse
import logging
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.support.drawn_cards import draw, table
from tock_companion.boardfile import Pile
from tock_companion.rules import Card
from tock_vision.camera_pose import CameraPose
from tock_vision.cards.pile import PX_PER_MM, STILL_MS, UNREADABLE, PileWatcher, Unreadable
from vision.training.cards.decks import NAMES
from vision.training.cards.near import NearMaker

Array = Any
log = logging.getLogger(__name__)
SIZE_PX = (640, 480)
VIEW = CameraPose(
    np.array(
        [0, 0, 0, -SIZE_PX[0] / 2 / PX_PER_MM, -SIZE_PX[1] / 2 / PX_PER_MM, 1, np.log(PX_PER_MM), 0], float
    ),
    SIZE_PX,
)
"""A camera straight above."""
PILE = Pile(106.0, 80.0, 150.0, 140.0)
CARD_MM = 88.0
FRAME_MS = 100
PLAYED = "playing cards"


class UnderTheCamera:
    """Lays one card after the other under the live camera, each onto an empty pile."""

    def __init__(self, maker: NearMaker, seed: int) -> None:
        self.maker = maker
        self.rng = np.random.default_rng(seed)

    def seen(self, card: Array) -> Card | Unreadable | None:
        """The report of the watcher about one card."""
        watcher, empty = PileWatcher(PILE), table(SIZE_PX, seed=int(self.rng.integers(100)))
        frame = empty.copy()
        middle = (PILE.x_mm * PX_PER_MM, PILE.y_mm * PX_PER_MM)
        draw(frame, card, middle, CARD_MM * PX_PER_MM, float(self.rng.uniform(0, 6.3)))
        sharpness, light = self.rng.uniform(1 / 3, 1), self.rng.uniform(0.6, 1.1)
        reported = [
            watcher.update(self._taken(shown, sharpness, light), VIEW, FRAME_MS * number)
            for number, shown in enumerate(
                [empty] * (STILL_MS // FRAME_MS + 3) + [frame] * (STILL_MS // FRAME_MS + 3)
            )
        ]
        return next((one for one in reported if one is not None), None)

    def _taken(self, frame: Array, sharpness: float, light: float) -> Array:
        small = cv2.resize(frame, None, fx=sharpness, fy=sharpness, interpolation=cv2.INTER_AREA)
        seen = cv2.resize(small, SIZE_PX, interpolation=cv2.INTER_LINEAR) * light
        return (seen + self.rng.normal(0, 2, (*SIZE_PX[::-1], 1))).clip(0, 255).astype(np.uint8)


def main() -> None:
    """Count, and print a table."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("art", type=Path)
    parser.add_argument("--count", type=int, default=20, help="cards of each kind")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    maker = NearMaker(options.art, options.seed)
    camera = UnderTheCamera(maker, options.seed)
    log.info("| cards | n | named | reported as unreadable | nothing reported |\n|---|---:|---:|---:|---:|")
    for kind in (*maker.other_games.kinds, PLAYED):
        reported: Counter[str] = Counter()
        for _ in range(options.count):
            name = str(maker.rng.choice(NAMES[:52]))
            card = maker.deck()(name).image if kind == PLAYED else maker.other_games.card(kind)
            seen = camera.seen(card)
            right = "right" if kind == PLAYED and str(seen) == name else "named"
            reported["silent" if seen is None else "unreadable" if seen is UNREADABLE else right] += 1
        named = (
            f"{reported['right']} rightly, {reported['named']} wrongly"
            if kind == PLAYED
            else reported["named"]
        )
        log.info(
            "| %s | %d | %s | %d | %d |",
            kind,
            options.count,
            named,
            reported["unreadable"],
            reported["silent"],
        )


if __name__ == "__main__":
    main()
