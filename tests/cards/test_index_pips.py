"""A number with a pip below it is an index; over a square, a disc or a letter it is one of another game."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.drawn_cards import lay, table
from tock_rules import Card
from tock_vision.arrays import Frame
from tock_vision.cards import CardReader
from tock_vision.cards.classifier import IndexReading, Pyramid
from tock_vision.cards.corners import LABELS, Corner
from tock_vision.cards.index_pips import doubted, is_pip, mark_of

HEIGHT_PX = 80.0
AT = Corner(200.0, 150.0, 0.3, HEIGHT_PX)


def reading(name: str, corner: Corner = AT) -> IndexReading:
    """A sure reading of an index."""
    chances = np.zeros(len(LABELS), np.float32)
    chances[[str(card) for card in LABELS].index(name)] = 1.0
    return IndexReading(corner, chances, 0.99)


def index_over(mark: str) -> Frame:
    """A white card on its slant with a 7 above a mark, at the place AT."""
    patch = np.full((300, 300, 3), 240, np.uint8)
    cv2.putText(patch, "7", (130, 145), cv2.FONT_HERSHEY_TRIPLEX, 1.3, (20, 20, 180), 3, cv2.LINE_AA)
    middle = (150, 172)
    if mark == "square":
        cv2.rectangle(patch, (137, 159), (163, 185), (20, 20, 180), -1)
    elif mark == "disc":
        cv2.circle(patch, middle, 14, (20, 20, 180), -1, cv2.LINE_AA)
    elif mark == "diamond":
        points = np.array([(150, 157), (163, 172), (150, 187), (137, 172)], np.int32)
        cv2.fillPoly(patch, [points], (20, 20, 180), cv2.LINE_AA)
    elif mark == "star":
        around = np.arange(10) * np.pi / 5
        far = np.where(np.arange(10) % 2, 6.5, 16.0)
        star = np.stack([150 + far * np.sin(around), 172 - far * np.cos(around)], axis=1)
        cv2.fillPoly(patch, [np.round(star * 16).astype(np.int32)], (20, 20, 180), cv2.LINE_AA, 4)
    turn = cv2.getRotationMatrix2D((150, 150), -np.degrees(AT.up), 1.0)
    turn[:, 2] += np.array([AT.x - 150, AT.y - 150])
    return np.asarray(cv2.warpAffine(patch, turn, (400, 300), borderValue=(240,) * 3), np.uint8)


@pytest.mark.parametrize(
    ("mark", "left"), [("diamond", 0.99), ("nothing", 0.99), ("square", 0.1), ("disc", 0.1), ("star", 0.1)]
)
def test_a_number_over_a_mark_that_is_no_pip_is_hardly_an_index(mark: str, left: float) -> None:
    (seen,) = doubted(Pyramid(index_over(mark)), [reading("7D")])
    assert seen.valid == pytest.approx(left, abs=0.02)


def test_small_and_unsure_indices_and_jokers_are_not_asked_for_a_pip() -> None:
    pyramid = Pyramid(index_over("square"))
    small = reading("7D", Corner(AT.x, AT.y, AT.up, 30.0))
    joker = reading("JOK_C")
    assert all(one.valid == 0.99 for one in doubted(pyramid, [small, joker]))


def test_where_one_index_shows_its_pip_the_others_are_believed() -> None:
    both = np.hstack([index_over("diamond"), index_over("square")])
    beside = reading("7H", replace(AT, x=AT.x + 400))
    assert all(one.valid == 0.99 for one in doubted(Pyramid(both), [reading("7D"), beside]))


def test_the_pips_of_all_suits_pass() -> None:
    picture = table((1600, 800))
    names = ["7S", "9H", "5D", "6C"]
    for number, name in enumerate(names):
        lay(picture, name, (220 + 380 * number, 400), 440.0)
    seen = CardReader().read(picture)
    assert [str(one.card) for one in seen] == names
    pyramid = Pyramid(picture)
    marks = [mark_of(pyramid.fine_patch(Corner.of_box(one.box), 2)) for one in seen]
    alone = [
        (mark, Card.parse(name).suit) for mark, name in zip(marks, names, strict=True) if mark is not None
    ]
    assert len(alone) >= 3
    assert all(is_pip(mark, suit) for mark, suit in alone)
