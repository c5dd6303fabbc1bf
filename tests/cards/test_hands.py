"""Hands of which the finder misses a card, and hands that are far away."""

from collections.abc import Sequence

import numpy as np
import pytest

from tests.support.drawn_cards import hand, lay, table
from tock_vision.arrays import Frame
from tock_vision.cards import CardReader
from tock_vision.cards.classifier import Classifier, IndexReading, Pyramid
from tock_vision.cards.corners import LABELS, Corner
from tock_vision.cards.fans import with_those_between
from tock_vision.cards.parts import fine_view, part_with_small_cards
from tock_vision.cards.physical import likeliest

HAND = ["KH", "7S", "10S", "6C"]
SPREAD = 0.1
FAR_PX = 48.0
"""Height of a card of which the whole picture shows nothing."""


def surest(picture: Frame, names: Sequence[str]) -> list[IndexReading]:
    """The surest index of each card."""
    indices = [index for card in CardReader().seen(picture, thorough=True)[0] for index in card.indices[:1]]
    return [index for name in names for index in indices if str(LABELS[likeliest(index)]) == name]


def named(indices: Sequence[IndexReading]) -> set[str]:
    return {str(LABELS[likeliest(index)]) for index in indices}


def reading(x: float, y: float, height_px: float, sure: float) -> IndexReading:
    chances = np.full(len(LABELS), 0.0, np.float32)
    chances[0] = 1.0
    return IndexReading(Corner(x, y, 0.0, height_px), chances, sure, agreed=3.0)


@pytest.mark.whole
def test_cards_between_two_clear_ones_of_a_hand_are_read_where_nothing_was_found() -> None:
    picture = hand(HAND, spread=SPREAD)
    indices = surest(picture, HAND)
    assert len(indices) == len(HAND)
    outer = [indices[0], indices[2]]
    assert named(with_those_between(Classifier(), Pyramid(picture), outer)) == {"KH", "7S", "10S"}


@pytest.mark.whole
def test_between_two_cards_that_lie_apart_nothing_is_read() -> None:
    picture = hand(["KH", "6C"], spread=2 * SPREAD)
    indices = surest(picture, ["KH", "6C"])
    assert len(with_those_between(Classifier(), Pyramid(picture), indices)) == len(indices) == 2


@pytest.mark.whole
def test_cards_that_are_far_away_are_read_in_their_part_of_the_picture() -> None:
    picture = table((1600, 1200))
    for number, name in enumerate(HAND):
        lay(picture, name, (500.0 + 45 * number, 700.0), FAR_PX, 0.1 * number)
    readings = CardReader().read(picture, thorough=True)
    assert {str(one.card) for one in readings if one.card is not None} == set(HAND)


def test_only_a_small_part_of_a_large_picture_is_looked_at_alone() -> None:
    picture = np.zeros((1200, 1600, 3), np.uint8)
    together = [reading(700.0 + 40 * n, 500.0, 20.0, 0.5) for n in range(4)]
    part = part_with_small_cards(picture, together)
    assert part is not None
    assert (part.left, part.top) == (540, 340)
    assert part.image.shape[:2] == (320, 440)
    all_over = [reading(100.0 + 140 * n, 500.0, 20.0, 0.5) for n in range(10)]
    assert part_with_small_cards(picture, all_over) is None
    assert part_with_small_cards(picture[::2, ::2], together) is None
    assert part_with_small_cards(picture, [reading(700.0, 500.0, 90.0, 0.5)]) is None


def test_beside_a_large_clear_index_a_mere_hint_is_not_followed() -> None:
    picture = np.zeros((1200, 1600, 3), np.uint8)
    large, hint, clear_hint = (
        reading(*row)
        for row in ((300.0, 300.0, 90.0, 0.99), (900.0, 900.0, 20.0, 0.4), (900.0, 900.0, 20.0, 0.8))
    )
    assert part_with_small_cards(picture, [hint]) is not None
    assert part_with_small_cards(picture, [large, hint]) is None
    assert part_with_small_cards(picture, [large, clear_hint]) is not None


def test_every_view_of_a_part_knows_the_way_back_to_the_whole_picture() -> None:
    picture = np.full((1200, 1600, 3), 40, np.uint8)
    picture[495:506, 695:706] = 255
    part = part_with_small_cards(picture, [reading(690.0, 490.0, 20.0, 0.5)])
    assert part is not None
    for view in part.views():
        bright = np.argwhere(view.image[..., 0] > 220).mean(axis=0)[::-1]
        corner = view.home(Corner(float(bright[0]), float(bright[1]), 0.0, 10.0))
        assert np.hypot(corner.x - 700, corner.y - 500) < 3


def test_a_large_picture_that_shows_nothing_is_searched_finer() -> None:
    picture = np.zeros((1200, 1600, 3), np.uint8)
    assert fine_view(picture, []) is not None
    assert fine_view(picture, [reading(700.0, 500.0, 60.0, 0.5)]) is None
    assert fine_view(picture[::2, ::2], []) is None
