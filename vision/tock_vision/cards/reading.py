"""Reads cards: finder, classifier, cards from corners, calibrated confidence, enrolled jokers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import local

import cv2
import numpy as np

from tock_companion.card_confidence import SURE_CARD_CONFIDENCE
from tock_rules import JOKERS, Card
from tock_vision.arrays import Floats, Frame
from tock_vision.cards.calibration import calibrated
from tock_vision.cards.classifier import Classifier, IndexReading, Pyramid
from tock_vision.cards.closer_look import looked_again
from tock_vision.cards.corners import LABELS, is_joker
from tock_vision.cards.doubts import weighed
from tock_vision.cards.faces import (
    NAMING_CHANCE,
    SHOWN_CONFIDENCE,
    face_in,
    is_known,
    like_cards,
    likely_by,
    overruled,
    supported,
    unread_among,
    with_faces,
    without_faced,
)
from tock_vision.cards.fans import with_those_between
from tock_vision.cards.finder import MAX_PX, MIN_SCORE, Finder
from tock_vision.cards.further_glances import further_glances
from tock_vision.cards.index_pips import doubted
from tock_vision.cards.joker_words import lettered_jokers, printed_part, whole_picture
from tock_vision.cards.jokers import FoundJoker, Jokers, find_jokers
from tock_vision.cards.outlines import Outline, outlines_of
from tock_vision.cards.parts import Part, fine_view, part_with_small_cards
from tock_vision.cards.physical import (
    PhysicalCard,
    cards_of,
    in_reading_order,
    is_lone_joker,
    middle_of,
    split_pairs,
)
from tock_vision.cards.views import (
    View,
    further_views,
    grouped_readings,
    joined,
    plain_view,
    straightened_views,
)

NAMED_CONFIDENCE, NAMED_CONFIDENCE_STILL = 0.5, 0.65
"""Confidences from which a card is named, by a single look and in a still picture; below only candidates are listed."""
LONELY_CONFIDENCES = 0.85, 0.7
"""Confidences from which a card that was read at one corner, or at two, is named in a still picture that shows none
beyond doubt: keys and print look like cards here and there, a hand is clear somewhere."""
CROWDED, UNCLEAR = (12, 4), (0.1, 0.9)
"""Number of unclear cards, in all and for each that is clear, that only print and tiles show; and their chances."""
CLEAR_CONFIDENCE, CROWDED_CONFIDENCE = 0.97, 0.995
"""Confidence of a clear card, and from which a card is named among that many unclear ones in a still picture."""
THOROUGH_SCORE = 0.12
"""Least score of a find that is read where several views must agree."""
MAX_OUTLINES_READ = 8
"""Outlines without a card that are read on their own."""


@dataclass(frozen=True, slots=True)
class CardReading:
    """One card in a picture (None: unreadable), with its confidence and place."""

    card: Card | None
    confidence: float
    """Chance, 0 to 1, that the card is right (of the likeliest card where none is named)."""
    box: list[list[float]]
    """The index it was read at, or the edges of a card that cannot be read: four points in pixels, clockwise."""
    likely: tuple[Card, ...] = ()
    """The likeliest cards, at most two, best first; none of a card that shows only its edges."""

    @property
    def doubtful(self) -> bool:
        """Whether a player should check."""
        return self.confidence < SURE_CARD_CONFIDENCE


class CardReader:
    """Reads cards in pictures; one instance for each thread."""

    def __init__(self) -> None:
        """Load both networks."""
        self._finder = Finder()
        self._classifier = Classifier()

    def seen(
        self, image: Frame, packs: int = 2, closer: bool = False, thorough: bool = False
    ) -> tuple[list[PhysicalCard], list[Outline]]:
        """All cards that may be in a picture, without calibration or threshold, and outlines of those unread.

        Only a thorough reading seeks outlines: it looks at the picture turned and stretched too, which takes ten times
        as long.
        """
        if not thorough:
            return cards_of(self._indices(image, closer), packs), []
        pyramid = Pyramid(image)
        first = self._in_picture(plain_view(image, MAX_PX), pyramid, closer)
        views = [first, *(self._in_picture(view, pyramid) for view in further_views(image))]
        groups = grouped_readings(views)
        part = self._part_with_small_cards(image, pyramid, groups)
        if part is not None:
            groups = grouped_readings([*views, *(self._in_picture(view, pyramid) for view in part.views())])
        outlines = outlines_of(image)
        indices = self._combined(pyramid, groups)
        for outline in unread_among(outlines, indices)[:MAX_OUTLINES_READ]:
            seen = [self._in_picture(view, pyramid) for view in straightened_views(image, outline)]
            indices += self._combined(pyramid, grouped_readings(seen))
        cards = with_faces(image, cards_of(indices, packs, outlines))
        return cards, like_cards(without_faced(unread_among(outlines, indices), cards), cards)

    def _part_with_small_cards(
        self, image: Frame, pyramid: Pyramid, groups: list[list[IndexReading]]
    ) -> Part | None:
        readings = [joined(group) for group in groups]
        fine = fine_view(image, readings)
        return part_with_small_cards(image, readings if fine is None else self._in_picture(fine, pyramid))

    def _indices(self, image: Frame, closer: bool) -> list[IndexReading]:
        corners = self._finder.find(image, closer, MAX_PX, MIN_SCORE)
        return self._classifier.classify(Pyramid(image), corners, closer)

    def _in_picture(self, view: View, pyramid: Pyramid, closer: bool = False) -> list[IndexReading]:
        """The readings of one view, placed in the picture; `pyramid` is that of the whole picture."""
        corners = self._finder.find(view.image, closer, view.longest_px, THOROUGH_SCORE)
        if view.alike:
            placed = [view.home(corner) for corner in corners]
            return self._classifier.classify(pyramid, placed, closer, thorough=True)
        indices = self._classifier.classify(Pyramid(view.image), corners, closer, thorough=True)
        return [replace(index, corner=view.home(index.corner)) for index in indices]

    def _combined(self, pyramid: Pyramid, groups: list[list[IndexReading]]) -> list[IndexReading]:
        """The readings of all views together, one of each index, looked at once more where they are not clear."""
        readings = looked_again(self._classifier, pyramid, groups)
        indices = with_those_between(self._classifier, pyramid, readings)
        indices = weighed(pyramid, doubted(pyramid, indices))
        return [index for index in indices if not is_lone_joker(index)]

    def read(
        self,
        image: Frame,
        count: int | None = None,
        packs: int = 2,
        jokers: Jokers | None = None,
        thorough: bool = False,
    ) -> list[CardReading]:
        """Read the cards of a picture (BGR, 8 bits) in reading order.

        `count` says how many cards are there, `packs` how many of each there can be, `jokers` what one's own look like.
        Where cards are missing, the picture is looked at once more, closer; where a thorough reading leaves one in
        doubt, or names none surely, from further away too, sharper and taller.
        """
        best = self._look(image, count, packs, jokers, thorough)
        if not thorough or _is_clear(best, count):
            return best
        heights = [float(np.hypot(*np.subtract(one.box[3], one.box[0]))) for one in best if one.likely]
        for glance in further_glances(image, heights):
            seen = self._look(glance.image, count, packs, jokers, thorough)
            if len(_sure_names(seen)) > len(_sure_names(best)):
                best = [replace(one, box=glance.home(one.box)) for one in seen]
            if _is_clear(best, count):
                break
        return best

    def _look(
        self, image: Frame, count: int | None, packs: int, jokers: Jokers | None, thorough: bool
    ) -> list[CardReading]:
        found = find_jokers(image, jokers) if jokers is not None else None
        seen, unread = self.seen(image, packs, thorough=thorough)
        faced = _faced(image, unread)
        lettered = _lettered(image, seen, faced) if thorough and jokers is None else []

        def calibrated_readings(cards: list[PhysicalCard]) -> list[CardReading]:
            return readings_of(cards, found, count, faced if thorough else None, lettered)

        readings = calibrated_readings(seen)
        if count is None or _count_shown(readings) >= count:
            return readings
        seen, unread = self.seen(image, packs, closer=True, thorough=thorough)
        faced = _faced(image, unread)
        readings = calibrated_readings(seen)
        missing = count - _count_shown(readings)
        return readings if missing <= 0 else calibrated_readings(split_pairs(seen, missing, packs))


Faced = tuple[Outline, tuple[Card, ...]]
"""The outline of a card of which no index was read, and the cards that its face names."""


def _faced(image: Frame, unread: Sequence[Outline]) -> list[Faced]:
    return [(one, likely_by(face_in(image, one))) for one in unread]


def _lettered(image: Frame, cards: list[PhysicalCard], unread: Sequence[Faced]) -> list[FoundJoker]:
    """The jokers that say so among the cards unread or taken for jokers; a picture of nothing else may be one whole.

    One with the pips of a number is none.
    """
    outlines = [
        *(outline for outline, likely in unread if not likely),
        *(card.outline for card in cards if card.outline is not None and is_joker(card.card)),
    ]
    if not outlines and all(chance < NAMED_CONFIDENCE for chance in calibrated(cards, thorough=True)):
        edges = whole_picture(image), printed_part(image)
        return lettered_jokers(image, [one for one in edges if one is not None])[:1]
    return lettered_jokers(image, outlines)


def readings_of(
    cards: list[PhysicalCard],
    found: Sequence[FoundJoker] | None = None,
    count: int | None = None,
    unread: Sequence[Faced] | None = None,
    lettered: Sequence[FoundJoker] = (),
) -> list[CardReading]:
    """Readings of the cards and of the jokers found by their drawing, in reading order.

    Where one's own jokers are known (`found` is not None), one that shows only its corner is left open. After a
    thorough reading `unread` are the outlines of cards of which no index was read, each with the cards that its face
    names. `lettered` are jokers of any pack.
    """
    still = unread is not None
    chances = calibrated(cards, thorough=still)
    leasts = [0.0] * len(cards) if count is not None else _leasts(cards, chances, still)
    readings = [
        (_of_card(card, confidence, least), middle_of(card))
        for card, confidence, least in zip(cards, chances, leasts, strict=True)
        if not _on_joker(card, confidence, [*(found or ()), *lettered])
    ]
    if found is not None:
        readings = [(_left_open(reading), place) for reading, place in readings]
    readings += [(_joker_reading(joker), _middle(joker.corners)) for joker in (*(found or ()), *lettered)]
    readings += [
        (_by_outline(outline, likely), _middle(outline.corners))
        for outline, likely in unread or ()
        if not (likely and is_known(outline, likely, cards))
        and not any(np.array_equal(outline.corners, joker.corners) for joker in lettered)
    ]
    readings.sort(key=lambda pair: -pair[0].confidence)
    if count is not None:
        readings = readings[:count]
    kept = [
        pair
        for pair in readings
        if pair[0].confidence >= SHOWN_CONFIDENCE or count is not None or not pair[0].likely
    ]
    return [kept[number][0] for number in in_reading_order([place for _, place in kept])]


def _is_clear(readings: list[CardReading], count: int | None) -> bool:
    """Whether cards are named, as many as there are, and none is in doubt."""
    enough = _count_shown(readings) >= (count or 1)
    return enough and not any(reading.doubtful for reading in readings)


def _sure_names(readings: Sequence[CardReading]) -> set[Card]:
    """The cards beyond doubt; two of one name count once, for a look from further away may see one card as two."""
    return {one.card for one in readings if one.card is not None and not one.doubtful}


def _count_shown(readings: list[CardReading]) -> int:
    return sum(reading.confidence >= SHOWN_CONFIDENCE for reading in readings)


def _leasts(cards: Sequence[PhysicalCard], chances: Sequence[float], still: bool) -> list[float]:
    """Confidences from which cards are named."""
    if not still:
        return [NAMED_CONFIDENCE] * len(cards)
    if _is_crowded(cards, chances):
        return [CROWDED_CONFIDENCE] * len(cards)
    if any(chance >= SURE_CARD_CONFIDENCE for chance in chances):
        return [NAMED_CONFIDENCE_STILL] * len(cards)
    lonely = dict(enumerate(LONELY_CONFIDENCES, start=1))
    return [lonely.get(len(card.indices), NAMED_CONFIDENCE_STILL) for card in cards]


def _is_crowded(cards: Sequence[PhysicalCard], chances: Sequence[float]) -> bool:
    """Whether a picture shows much that is nearly a card, as print and tiles do."""
    (most, for_each), (low, high) = CROWDED, UNCLEAR
    clear = sum(chance >= CLEAR_CONFIDENCE for chance in chances)
    unclear = sum(low <= card.chance() < high and not is_joker(card.card) for card in cards)
    return unclear >= max(most, for_each * clear)


def _of_card(card: PhysicalCard, confidence: float, least: float) -> CardReading:
    if card.outline is not None and overruled(card, confidence):
        return _by_outline(card.outline, likely_by(card.face))
    return _reading(card, supported(card, confidence), least)


def _reading(card: PhysicalCard, confidence: float, least: float) -> CardReading:
    best = [int(number) for number in np.argsort(-card.best.chances)[:2]]
    name = card.card if confidence >= least else None
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


def _by_outline(outline: Outline, likely: tuple[Card, ...]) -> CardReading:
    corners = [[round(float(x), 1), round(float(y), 1)] for x, y in outline.corners]
    return (
        CardReading(likely[0], NAMING_CHANCE, corners, likely) if likely else CardReading(None, 0.0, corners)
    )


def _middle(corners: Floats) -> tuple[float, float, float]:
    """Centre of a card of which the edges are known, and about how tall an index of it would be."""
    x, y = corners.mean(axis=0)
    return float(x), float(y), float(np.hypot(*(corners[3] - corners[0]))) / 6


def _on_joker(card: PhysicalCard, confidence: float, found: Sequence[FoundJoker]) -> bool:
    """Whether a corner belongs to a joker that was recognised by its drawing."""
    corner = card.best.corner
    return any(
        cv2.pointPolygonTest(joker.corners.astype(np.float32), (corner.x, corner.y), True)
        > -0.3 * corner.height_px
        and (is_joker(card.card) or confidence < SURE_CARD_CONFIDENCE)
        for joker in found
    )


_OF_THREAD = local()


def read_cards(
    image: Frame, count: int | None = None, packs: int = 2, jokers: Jokers | None = None
) -> list[CardReading]:
    """Read the cards in a still picture (BGR, 8 bits) thoroughly; each thread loads the networks once."""
    if not hasattr(_OF_THREAD, "reader"):
        _OF_THREAD.reader = CardReader()
    reader: CardReader = _OF_THREAD.reader
    return reader.read(image, count, packs, jokers, thorough=True)
