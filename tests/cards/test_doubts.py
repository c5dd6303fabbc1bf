"""What readings leave open is weighed: a number beside a drawing, a spade that may be a club."""

import cv2
import numpy as np

from tock_vision.arrays import Frame
from tock_vision.cards.classifier import IndexReading, Pyramid
from tock_vision.cards.corners import LABELS, Corner
from tock_vision.cards.doubts import weighed

AT = Corner(100.0, 100.0, 0.0, 40.0)
NAMES = [str(card) for card in LABELS]


def reading(**chances: float) -> IndexReading:
    values = np.full(len(LABELS), 1e-4, np.float32)
    for name, chance in chances.items():
        values[NAMES.index(name.removeprefix("_"))] = chance
    return IndexReading(AT, values / values.sum(), 1.0)


def card(drawn: bool) -> Frame:
    """A part of a card, with or without a drawing beside the index."""
    picture = np.full((300, 300, 3), 230, np.uint8)
    cv2.putText(picture, "8", (92, 112), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (20, 20, 200), 3)
    if drawn:
        picture[95:290, 122:290] = (160, 120, 40)
    return picture


def chance(picture: Frame, index: IndexReading, name: str) -> float:
    (one,) = weighed(Pyramid(picture), [index])
    assert abs(float(one.chances.sum()) - 1) < 1e-5
    return float(one.chances[NAMES.index(name)])


def test_a_number_that_may_be_a_court_card_is_doubtful_beside_a_drawing() -> None:
    letter = reading(_8D=0.95, JD=0.04)
    assert chance(card(drawn=False), letter, "8D") > 0.9
    assert chance(card(drawn=True), letter, "8D") < 0.6


def test_a_clear_number_beside_a_drawing_is_believed() -> None:
    assert chance(card(drawn=True), reading(_8D=0.98, JD=0.001), "8D") > 0.95


def test_a_spade_that_may_be_a_club_is_less_sure_and_a_club_is_not() -> None:
    assert chance(card(drawn=False), reading(_6S=0.8, _6C=0.15), "6S") < 0.75
    assert chance(card(drawn=False), reading(_6C=0.8, _6S=0.15), "6C") > 0.78
