"""The face of a card: its pips, their layout, colour and shape; and what faces add to indices."""

import cv2
import numpy as np
import pytest

from tests.support.drawn_cards import draw, face, lay, table
from tock_companion.card_confidence import SURE_CARD_CONFIDENCE
from tock_rules import Card
from tock_vision.arrays import Frame
from tock_vision.cards import CardReader
from tock_vision.cards.classifier import IndexReading
from tock_vision.cards.corners import LABELS, Corner
from tock_vision.cards.faces import AGAINST_CHANCE, NAMING_CHANCE, name_of, overruled, supported, with_faces
from tock_vision.cards.outlines import outlines_of
from tock_vision.cards.physical import PhysicalCard
from tock_vision.cards.pips import DRAWN, FACE_SIZE, face_of

SIZE = (800, 600)
MIDDLE = (400.0, 300.0)
PAPER = (255, 255, 255)
NUMBERS = ("2H", "5D", "6C", "7S", "9H", "10S")


def straight(picture: Frame) -> Frame:
    return np.asarray(cv2.resize(picture, FACE_SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def without_indices(name: str) -> Frame:
    """A drawn card with paper over its four corners."""
    card = face(name).copy()
    height, width = card.shape[:2]
    for part in (card, card[::-1, ::-1], card[:, ::-1], card[::-1]):
        part[6 : round(0.44 * height), 6 : round(0.25 * width)] = PAPER
    return card


def photo(card: Frame, turn: float = 0.3) -> Frame:
    picture = table(SIZE)
    draw(picture, card, MIDDLE, 300.0, turn)
    return picture


def read_as(name: str, other: str, share: float) -> IndexReading:
    """An index that is one of two cards, the first with some share."""
    chances = np.full(len(LABELS), 1e-4, np.float32)
    chances[LABELS.index(Card.parse(name))] = share
    chances[LABELS.index(Card.parse(other))] = 1 - share
    return IndexReading(Corner(*MIDDLE, 0.0, 40.0), chances / chances.sum(), 0.97)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("turned", [False, True], ids=["upright", "upside down"])
def test_pips_name_a_card_either_way_up_without_its_indices(name: str, turned: bool) -> None:
    card = without_indices(name)
    seen = face_of(straight(card[::-1, ::-1] if turned else card))
    assert seen is not None
    assert str(name_of(seen)) == name


@pytest.mark.parametrize("name", ["JD", "QC", "KH"])
def test_a_court_drawing_says_that_it_is_no_number(name: str) -> None:
    seen = face_of(straight(face(name)))
    assert seen is not None
    assert seen.ranks == DRAWN
    assert name_of(seen) is None


def test_a_card_with_a_pip_hidden_is_no_other_card() -> None:
    card = without_indices("10S")
    height, width = card.shape[:2]
    hidden = card.copy()
    hidden[: height // 3, : width // 2] = PAPER
    assert face_of(straight(hidden)) is None


def test_discs_in_the_layout_of_a_card_are_no_pips() -> None:
    width, height = FACE_SIZE
    card = np.full((height, width, 3), 245, np.uint8)
    for x, y in ((0.3, 0.2), (0.7, 0.2), (0.5, 0.5), (0.3, 0.8), (0.7, 0.8)):
        cv2.circle(card, (round(x * width), round(y * height)), 13, (20, 20, 20), -1, cv2.LINE_AA)
    assert face_of(card) is None


def test_a_face_decides_between_the_two_cards_of_an_unclear_index() -> None:
    picture = photo(face("6C"))
    (outline,) = outlines_of(picture)
    (card,) = with_faces(picture, [PhysicalCard([read_as("5C", "6C", 0.6)], outline)])
    assert str(card.card) == "6C"
    assert card.chance() > 0.9
    assert supported(card, 0.6) == pytest.approx(0.92)


def test_a_clear_face_speaks_against_another_card_and_takes_the_place_of_a_weak_one() -> None:
    picture = photo(face("6C"))
    (outline,) = outlines_of(picture)
    (card,) = with_faces(picture, [PhysicalCard([read_as("KH", "QH", 0.9)], outline)])
    assert supported(card, 0.95) == AGAINST_CHANCE
    assert overruled(card, 0.3)
    assert not overruled(card, 0.95)


def test_a_card_whose_indices_are_covered_is_named_by_its_pips_and_stays_doubtful() -> None:
    picture = photo(without_indices("9H"))
    lay(picture, "KH", (130.0, 300.0), 300.0)
    readings = CardReader().read(picture, thorough=True)
    assert sorted(str(reading.card) for reading in readings) == ["9H", "KH"]
    (covered,) = [reading for reading in readings if str(reading.card) == "9H"]
    assert covered.doubtful
    assert NAMING_CHANCE <= covered.confidence < SURE_CARD_CONFIDENCE
    assert covered.likely[0] == Card.parse("9H")


def test_pips_that_reach_the_sides_of_a_deck_without_indices_are_not_counted_in_the_middle_alone() -> None:
    """As on the cards of Jass, of which an eight and a ten show two pips between their outer columns."""
    pip = cv2.resize(face("2H")[64:96, 75:107], (26, 26))
    for rows in ((0.17, 0.5, 0.83), (0.14, 0.38, 0.62, 0.86)):
        card = np.full((FACE_SIZE[1], FACE_SIZE[0], 3), 255, np.uint8)
        places = [(x, y) for x in (0.17, 0.83) for y in rows] + [(0.5, 0.3), (0.5, 0.7)]
        for x, y in places:
            left, top = round(x * FACE_SIZE[0] - 13), round(y * FACE_SIZE[1] - 13)
            card[top : top + 26, left : left + 26] = pip if y < 0.5 else pip[::-1, ::-1]
        assert face_of(card) is None
