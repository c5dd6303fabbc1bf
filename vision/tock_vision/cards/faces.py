"""Uses whole cards beside their indices: reads their faces, decides between several cards, finds cards not read at
all."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from tock_rules import Card
from tock_vision.arrays import Frame, Singles
from tock_vision.cards.classifier import IndexReading
from tock_vision.cards.corners import LABELS, is_joker
from tock_vision.cards.outlines import Outline
from tock_vision.cards.physical import PhysicalCard, sureness
from tock_vision.cards.pips import FACE_SIZE, FACE_SUITS, Face, face_of

CLEAR_CHANCE = 0.99
"""A card read this clearly needs no face."""
PIPS_FACTOR, DRAWING_FACTOR = 0.01, 0.1
"""Remaining weight of what pips, or a drawing, exclude: both can be read wrongly, a drawing more easily."""
NAMING_CHANCE, AGAINST_CHANCE = 0.8, 0.49
"""Confidence of a card that its face alone names, and the most of one of which the clear face says another."""
SURE_SUIT = 0.9
SHOWN_CONFIDENCE = 0.2
"""Confidence from which a reading is shown."""
BESIDE_FACE = 0.3
"""An index lies at most this far outside the face of its card, in sides of the face."""
ALIKE_AREAS, USUAL_SHAPES = 2.0, (1.2, 1.7)
"""Factor by which cards of a picture differ in area at most, and ratio of a card's long side to its short one."""


def face_in(image: Frame, outline: Outline) -> Face | None:
    """The face of a whole card in a picture; one seen flat may lie on its side."""
    for card in (outline, outline.on_its_side()):
        # A card is made smaller by averaging, or thin pips are lost.
        straight, _ = card.straightened(image, (2 * FACE_SIZE[0], 2 * FACE_SIZE[1]))
        face = face_of(np.asarray(cv2.resize(straight, FACE_SIZE, interpolation=cv2.INTER_AREA), np.uint8))
        if face is not None:
            return face
    return None


def name_of(face: Face) -> Card | None:
    """The card that a face names: pips of one layout and one suit."""
    best = int(face.suits.argmax())
    if len(face.ranks) > 1 or face.suits[best] < SURE_SUIT:
        return None
    return Card(face.ranks[0], FACE_SUITS[best])


def with_faces(image: Frame, cards: Sequence[PhysicalCard]) -> list[PhysicalCard]:
    """The cards, those that are whole and not clear weighed by their faces too."""
    return [_weighed(image, card) for card in cards]


def _weighed(image: Frame, card: PhysicalCard) -> PhysicalCard:
    if card.outline is None or card.chance() >= CLEAR_CHANCE:
        return card
    face = face_in(image, card.outline)
    if face is None:
        return card
    factors = _factors(face)
    indices = [_with_chances(index, index.chances * factors) for index in card.indices]
    return PhysicalCard(sorted(indices, key=sureness, reverse=True), card.outline, face)


def _with_chances(index: IndexReading, weighed: Singles) -> IndexReading:
    return replace(index, chances=np.asarray(weighed / weighed.sum(), np.float32))


def _factors(face: Face) -> Singles:
    """Likelihood of each of `LABELS` given a face (shape: [54])."""
    if len(face.ranks) > 1:
        fits = [is_joker(card) or card.rank in face.ranks for card in LABELS]
        return np.where(fits, 1.0, DRAWING_FACTOR).astype(np.float32)
    chances = [
        0.0 if card.rank not in face.ranks else float(face.suits[FACE_SUITS.index(card.suit)])
        for card in LABELS
    ]
    return np.maximum(np.array(chances, np.float32), PIPS_FACTOR)


def supported(card: PhysicalCard, chance: float) -> float:
    """The confidence of a card with what its face says: as a second witness, or against it."""
    named = _named(card)
    if named is None:
        return chance
    return 1 - (1 - chance) * (1 - NAMING_CHANCE) if named == card.card else min(chance, AGAINST_CHANCE)


def overruled(card: PhysicalCard, chance: float) -> bool:
    """Whether the face of a card names it better than its indices, of which the chance is given."""
    return _named(card) not in (None, card.card) and chance <= AGAINST_CHANCE


def is_known(outline: Outline, likely: Sequence[Card], cards: Sequence[PhysicalCard]) -> bool:
    """Whether a face is that of a card whose index was read in it or beside it: the outline may be the print's."""
    low, high = -BESIDE_FACE, 1.0 + BESIDE_FACE
    return any(
        low <= min(place) and max(place) <= high
        for card in cards
        if card.card == likely[0] and card.chance() >= SHOWN_CONFIDENCE
        for place in (outline.place(index.corner.x, index.corner.y) for index in card.indices)
    )


def without_faced(outlines: Sequence[Outline], cards: Sequence[PhysicalCard]) -> list[Outline]:
    """The outlines but those of cards that their faces name."""
    faced = [card.outline for card in cards if _named(card) is not None]
    return [one for one in outlines if all(one is not other for other in faced)]


def _named(card: PhysicalCard) -> Card | None:
    return name_of(card.face) if card.face is not None else None


def likely_by(face: Face | None) -> tuple[Card, ...]:
    """The card that a face names, then the next likely; none where it names none."""
    if face is None or name_of(face) is None:
        return ()
    suits = [FACE_SUITS[int(number)] for number in np.argsort(-face.suits)[:2]]
    return tuple(Card(face.ranks[0], suit) for suit in suits)


def unread_among(outlines: Sequence[Outline], indices: list[IndexReading]) -> list[Outline]:
    """The outlines in which nothing worth telling was read."""
    read = [index.corner for index in indices if sureness(index) >= SHOWN_CONFIDENCE]
    return [one for one in outlines if not any(one.holds(corner.x, corner.y) for corner in read)]


def like_cards(unread: Sequence[Outline], cards: list[PhysicalCard]) -> list[Outline]:
    """The outlines that are as large as those of the cards that were read; where none was, of the shape of cards."""
    known = [card.outline.area for card in cards if card.outline is not None]
    if not known:
        return [one for one in unread if USUAL_SHAPES[0] < one.shape < USUAL_SHAPES[1]]
    usual = float(np.median(known))
    return [one for one in unread if usual / ALIKE_AREAS < one.area < usual * ALIKE_AREAS]
