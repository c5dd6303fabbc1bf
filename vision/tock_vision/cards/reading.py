"""Reads cards: finder, classifier, cards from corners, calibrated confidence, enrolled jokers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import local

import cv2
import numpy as np

from tock_companion.rules import JOKERS, Card
from tock_vision.arrays import Frame
from tock_vision.cards.calibration import calibrated
from tock_vision.cards.classifier import Classifier, Pyramid
from tock_vision.cards.corners import LABELS, is_joker
from tock_vision.cards.finder import Finder
from tock_vision.cards.jokers import FoundJoker, Jokers, find_jokers
from tock_vision.cards.physical import PhysicalCard, cards_of, in_reading_order, middle_of, split_pairs

NAMED_CONFIDENCE = 0.5
"""Confidence from which a card is named; below it only candidates are listed."""
TOLD_CONFIDENCE = 0.2
SURE_CONFIDENCE = 0.9
"""Below this a reading is doubtful, and players are asked."""


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
        """Whether somebody should check."""
        return self.confidence < SURE_CONFIDENCE


class CardReader:
    """Reads cards in pictures; one instance for each thread."""

    def __init__(self) -> None:
        """Load both networks."""
        self._finder = Finder()
        self._classifier = Classifier()

    def seen(self, image: Frame, packs: int = 2, closer: bool = False) -> list[PhysicalCard]:
        """All cards that may be in a picture, without calibration or threshold."""
        corners = self._finder.find(image, closer)
        return cards_of(self._classifier.classify(Pyramid(image), corners, closer), packs)

    def read(
        self, image: Frame, count: int | None = None, packs: int = 2, jokers: Jokers | None = None
    ) -> list[CardReading]:
        """Read the cards of a picture (BGR, 8 bits) in reading order.

        `count` says how many cards are there, `packs` how many of each there can be, `jokers` what one's own look like.
        Where cards are missing, the picture is looked at once more, closer.
        """
        found = find_jokers(image, jokers) if jokers is not None else None
        readings = readings_of(self.seen(image, packs), found, count)
        if count is None or _worth_telling(readings) >= count:
            return readings
        seen = self.seen(image, packs, closer=True)
        readings = readings_of(seen, found, count)
        missing = count - _worth_telling(readings)
        return readings_of(split_pairs(seen, missing, packs), found, count) if missing > 0 else readings


def readings_of(
    cards: list[PhysicalCard], found: Sequence[FoundJoker] | None = None, count: int | None = None
) -> list[CardReading]:
    """Readings of the cards and of the jokers found by their drawing, in reading order.

    Where one's own jokers are known (`found` is not None), one that shows only its corner is left open.
    """
    readings = [
        (_reading(card, confidence, count is not None), middle_of(card))
        for card, confidence in zip(cards, calibrated(cards), strict=True)
        if not _on_joker(card, confidence, found or ())
    ]
    if found is not None:
        readings = [(_left_open(reading), place) for reading, place in readings]
        readings += [(_joker_reading(joker), _middle(joker)) for joker in found]
    readings.sort(key=lambda pair: -pair[0].confidence)
    if count is not None:
        readings = readings[:count]
    kept = [pair for pair in readings if pair[0].confidence >= TOLD_CONFIDENCE or count is not None]
    return [kept[number][0] for number in in_reading_order([place for _, place in kept])]


def _worth_telling(readings: list[CardReading]) -> int:
    return sum(reading.confidence >= TOLD_CONFIDENCE for reading in readings)


def _reading(card: PhysicalCard, confidence: float, named: bool) -> CardReading:
    best = [int(number) for number in np.argsort(-card.best.chances)[:2]]
    name = card.card if named or confidence >= NAMED_CONFIDENCE else None
    return CardReading(
        name, round(confidence, 4), card.best.corner.box(), tuple(LABELS[number] for number in best)
    )


def _left_open(reading: CardReading) -> CardReading:
    if not is_joker(reading.likely[0]):
        return reading
    return replace(reading, card=None, confidence=min(reading.confidence, NAMED_CONFIDENCE - 0.01))


def _joker_reading(found: FoundJoker) -> CardReading:
    corners = [[round(float(x), 1), round(float(y), 1)] for x, y in found.corners]
    likely = JOKERS if found.card is None else (found.card, *(card for card in JOKERS if card != found.card))
    return CardReading(found.card, found.confidence, corners, likely)


def _middle(found: FoundJoker) -> tuple[float, float, float]:
    """Centre of a joker, and about how tall an index of it would be."""
    x, y = found.corners.mean(axis=0)
    return float(x), float(y), float(np.hypot(*(found.corners[3] - found.corners[0]))) / 6


def _on_joker(card: PhysicalCard, confidence: float, found: Sequence[FoundJoker]) -> bool:
    """Whether a corner belongs to a joker that was recognised by its drawing."""
    corner = card.best.corner
    return any(
        cv2.pointPolygonTest(joker.corners.astype(np.float32), (corner.x, corner.y), True)
        > -0.3 * corner.height_px
        and (is_joker(card.card) or confidence < SURE_CONFIDENCE)
        for joker in found
    )


_OF_THREAD = local()


def read_cards(
    image: Frame, count: int | None = None, packs: int = 2, jokers: Jokers | None = None
) -> list[CardReading]:
    """Read the cards in a picture (BGR, 8 bits), in reading order; each thread loads the networks once."""
    if not hasattr(_OF_THREAD, "reader"):
        _OF_THREAD.reader = CardReader()
    reader: CardReader = _OF_THREAD.reader
    return reader.read(image, count, packs, jokers)
