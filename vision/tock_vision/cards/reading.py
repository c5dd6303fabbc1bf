"""Reads cards: finder, classifier, cards from corners, calibrated confidence, enrolled jokers."""

from dataclasses import dataclass
from threading import local

import numpy as np

from tock_companion.rules.cards import Card
from tock_vision.arrays import Frame
from tock_vision.cards.calibration import calibrated
from tock_vision.cards.classifier import Classifier, Pyramid
from tock_vision.cards.corners import LABELS
from tock_vision.cards.finder import Finder
from tock_vision.cards.physical import Seen, cards_of, in_reading_order

NAMED = 0.5
"""Confidence from which a card is named; below it only the likely ones are told."""
WORTH_TELLING = 0.2
SURE = 0.9
"""Below this a reading is doubtful: better ask."""


@dataclass(frozen=True, slots=True)
class CardReading:
    """One card in a picture: what it is (None: cannot be told), how sure, and where."""

    card: Card | None
    confidence: float
    """Chance, 0 to 1, that the card is right (of the likeliest card where none is named)."""
    box: list[list[float]]
    """The index it was read at: four points in pixels, clockwise from its upper left."""
    likely: tuple[Card, ...] = ()
    """The likeliest cards, at most two, best first."""

    @property
    def doubtful(self) -> bool:
        """Say whether somebody should look again."""
        return self.confidence < SURE


class CardReader:
    """Reads cards in pictures; one instance for each thread."""

    def __init__(self) -> None:
        """Load both networks."""
        self._finder = Finder()
        self._classifier = Classifier()

    def seen(self, image: Frame, packs: int = 2) -> list[Seen]:
        """Return all cards that may be in a picture, without calibration or threshold."""
        looks = self._classifier.look(Pyramid(image), self._finder.find(image))
        return cards_of(looks, packs)

    def read(self, image: Frame, count: int | None = None, packs: int = 2) -> list[CardReading]:
        """Read the cards of a picture (BGR, 8 bits) in reading order; `count` says how many are there."""
        readings = [(card, calibrated(card)) for card in self.seen(image, packs)]
        readings.sort(key=lambda pair: -pair[1])
        if count is not None:
            kept = readings[:count]
        else:
            kept = [pair for pair in readings if pair[1] >= WORTH_TELLING]
        order = in_reading_order([card.best.corner for card, _ in kept])
        return [_reading(*kept[number], named=count is not None) for number in order]


def _reading(card: Seen, confidence: float, named: bool) -> CardReading:
    chances = card.best.chances
    best = [int(number) for number in np.argsort(-chances)[:2]]
    likely = tuple(LABELS[number] for number in best)
    name = card.card if named or confidence >= NAMED else None
    return CardReading(name, round(confidence, 4), card.best.corner.box(), likely)


_OF_THREAD = local()


def read_cards(image: Frame, count: int | None = None, packs: int = 2) -> list[CardReading]:
    """Read the cards in a picture (BGR, 8 bits), in reading order; each thread loads the networks once."""
    if not hasattr(_OF_THREAD, "reader"):
        _OF_THREAD.reader = CardReader()
    reader: CardReader = _OF_THREAD.reader
    return reader.read(image, count, packs)
