"""Where the first look leaves a card in doubt, further ones are taken: from further away, sharper, taller."""

import cv2
import numpy as np
import pytest

from tests.support.drawn_cards import face, hand, table
from tock_vision.arrays import Frame
from tock_vision.cards import CardReader
from tock_vision.cards.further_glances import further_glances

SIZE = (800, 600)
NAMES = ["KH", "10S", "6C"]


def test_every_glance_knows_the_way_back_to_the_picture() -> None:
    picture = np.full((900, 2000, 3), 40, np.uint8)
    picture[290:311, 490:511] = 255
    glances = list(further_glances(picture, [12.0]))
    assert len(glances) == 5
    for glance in glances:
        y, x = np.argwhere(glance.image[..., 0] > 200).mean(axis=0)
        (place,) = glance.home([[float(x), float(y)]])
        assert np.hypot(place[0] - 500, place[1] - 300) < 4


def corner_alone(name: str) -> Frame:
    """The corner of a card as large as the picture."""
    card = cv2.resize(face(name), None, fx=8, fy=8, interpolation=cv2.INTER_CUBIC)
    return np.asarray(card[: card.shape[0] // 2, : card.shape[1] // 3], np.uint8)


@pytest.mark.whole
@pytest.mark.parametrize("name", ["10S", "QC"])
def test_a_card_that_fills_the_picture_is_named(name: str) -> None:
    readings = CardReader().read(corner_alone(name), thorough=True)
    assert [str(one.card) for one in readings] == [name]
    assert np.array(readings[0].box).max() <= max(corner_alone(name).shape)


@pytest.mark.whole
def test_a_picture_without_cards_names_none_from_further_away() -> None:
    assert CardReader().read(table(SIZE), thorough=True) == []


@pytest.mark.whole
def test_a_clear_hand_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = CardReader()
    monkeypatch.setattr("tock_vision.cards.reading.further_glances", lambda *_: pytest.fail("a second look"))
    assert {str(one.card) for one in reader.read(hand(NAMES, SIZE), thorough=True)} == set(NAMES)
