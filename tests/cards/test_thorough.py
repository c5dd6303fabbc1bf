"""A still picture is read thoroughly: turned, flat or dark it gives the same cards; a sample of real photographs."""

import json
from collections import Counter

import cv2
import numpy as np
import pytest

from tests.support.drawn_cards import draw, hand, lay, table
from tests.support.pictures import CARDS, needs_pictures
from tock_vision.arrays import Frame
from tock_vision.cards import CardReader, read_cards
from tock_vision.cards.outlines import outlines_of
from tock_vision.cards.reading import CardReading
from tock_vision.cards.views import further_views
from tock_vision.images import load_image

NAMES = ["KH", "10S", "6C"]
SIZE = (800, 600)


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


def named(readings: list[CardReading]) -> Counter[str]:
    return Counter(str(reading.card) for reading in readings if reading.card is not None)


def flat(picture: Frame) -> Frame:
    """The picture as from a chair: a third as high."""
    width, height = picture.shape[1::-1]
    return np.asarray(cv2.resize(picture, (width, round(height * 0.36)), interpolation=cv2.INTER_AREA))


def on_its_side(picture: Frame) -> Frame:
    return np.ascontiguousarray(np.rot90(picture))


def small_and_dark(picture: Frame) -> Frame:
    half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(half * 0.35, dtype=np.uint8)


def tiny(picture: Frame) -> Frame:
    return np.asarray(cv2.resize(picture, None, fx=0.11, fy=0.11, interpolation=cv2.INTER_AREA))


@pytest.mark.whole
@pytest.mark.parametrize("changed", [flat, on_its_side, small_and_dark, tiny])
def test_the_same_cards_are_named_however_the_photo_was_taken(changed: object, reader: CardReader) -> None:
    assert callable(changed)
    assert named(reader.read(changed(hand(NAMES, SIZE)), thorough=True)) == Counter(NAMES)


@pytest.mark.whole
def test_a_card_whose_corners_are_hidden_is_reported_with_its_place_and_no_name(reader: CardReader) -> None:
    picture = hand(NAMES[:2], SIZE)
    lay(picture, "6C", (400, 300), 250.0)
    blank = np.full((256, 184, 3), 245, np.uint8)
    cv2.circle(blank, (92, 128), 30, (20, 20, 20), -1)
    draw(picture, blank, (400, 300), 250.0, 0.1)
    readings = reader.read(picture, thorough=True)
    assert named(readings) == Counter(NAMES[:2])
    (unread,) = [reading for reading in readings if reading.card is None]
    assert unread.likely == ()
    middle = np.mean(unread.box, axis=0)
    assert np.hypot(*(middle - (400, 300))) < 15


def test_the_outlines_of_cards_apart_are_their_edges() -> None:
    picture = table(SIZE)
    lay(picture, "KH", (250, 300), 240.0, 0.4)
    lay(picture, "6C", (560, 300), 240.0, -0.9)
    found = sorted(outlines_of(picture), key=lambda outline: outline.corners[:, 0].mean())
    assert len(found) == 2
    for outline, middle in zip(found, ((250, 300), (560, 300)), strict=True):
        assert np.hypot(*(outline.corners.mean(axis=0) - middle)) < 5
        first, second = (np.hypot(*(outline.corners[n + 1] - outline.corners[n])) for n in (0, 1))
        assert 1.3 < second / first < 1.5
        assert outline.holds(*middle)
        assert not outline.has_in_corner(*middle)


def test_a_table_without_cards_has_no_outlines() -> None:
    assert outlines_of(table(SIZE)) == []


def test_every_look_knows_the_way_back() -> None:
    picture = np.full((600, 800, 3), 40, np.uint8)
    cv2.circle(picture, (600, 150), 12, (255, 255, 255), -1)
    for view in further_views(picture):
        bright = np.argwhere(view.image[..., 0] > 220).mean(axis=0)[::-1]
        back = cv2.perspectiveTransform(bright[None, None], view.back)[0, 0]
        assert np.hypot(*(back - (600, 150))) < 3


EVERY = 14
"""The whole set is measured by `make cards-report`."""
MIN_FOUND_SHARE, MAX_SURE_WRONG_SHARE = 0.95, 0.03


def sample() -> list[dict[str, object]]:
    images = json.loads((CARDS / "labels.json").read_text(encoding="utf-8"))["images"]
    return [entry for entry in images if entry["source"] != "kagglejoker"][::EVERY]


@needs_pictures
@pytest.mark.whole
def test_most_cards_of_real_photographs_are_named_and_few_wrongly() -> None:
    found, wanted, sure_wrong, sure = 0, 0, 0, 0
    for entry in sample():
        truth = Counter(str(card) for card in entry["cards"])  # type: ignore[attr-defined]
        readings = read_cards(load_image(CARDS / str(entry["file"]), upright=True))
        named = Counter(str(reading.card) for reading in readings if reading.card is not None)
        clear = Counter(str(reading.card) for reading in readings if not reading.doubtful)
        found += (truth & named).total()
        wanted += truth.total()
        sure += clear.total()
        sure_wrong += (clear - truth).total()
    assert wanted > 40
    assert found / wanted > MIN_FOUND_SHARE
    assert sure_wrong / sure < MAX_SURE_WRONG_SHARE
