"""The letter in the corner of an ace or a court card, drawn with a font and told."""

import cv2
import numpy as np
import pytest

from tock_companion.core.indices import Indices
from tock_companion.views.indices import learned
from tock_rules import Rank
from tock_vision.cards.letters import LETTERS, MIN_HEIGHT_PX, letter_of

HEIGHT_PX = 60


def index(letter: str) -> np.ndarray:
    """A card's corner with a letter above a pip."""
    picture = np.full((200, 200, 3), 245, np.uint8)
    cv2.putText(picture, letter, (84, 100), cv2.FONT_HERSHEY_DUPLEX, 1.4, (20, 20, 20), 3, cv2.LINE_AA)
    cv2.circle(picture, (100, 120), 10, (20, 20, 20), -1, cv2.LINE_AA)
    return picture


def box(height_px: float) -> list[list[float]]:
    right, down = 0.36 * height_px, 0.54 * height_px
    return [
        [100 - right, 100 - down],
        [100 + right, 100 - down],
        [100 + right, 100 + down],
        [100 - right, 100 + down],
    ]


@pytest.mark.parametrize("rank", LETTERS)
def test_no_letter_is_taken_for_another_of_its_rank(rank: Rank) -> None:
    named = {letter: letter_of(index(letter), rank, box(HEIGHT_PX)) for letter in LETTERS[rank]}
    assert all(found in (letter, None) for letter, found in named.items())
    assert any(named.values())


def test_a_small_index_and_a_number_have_no_letter() -> None:
    assert letter_of(index("K"), Rank.KING, box(MIN_HEIGHT_PX / 2)) is None
    assert letter_of(index("K"), Rank.TEN, box(HEIGHT_PX)) is None


def test_two_cards_make_another_deck_and_one_does_not() -> None:
    assert learned(Indices.BY_LANGUAGE, "AAR") is Indices.BY_LANGUAGE
    assert learned(Indices.BY_LANGUAGE, "RD") is Indices.FRENCH
    assert learned(Indices.BY_LANGUAGE, "JQ") is Indices.ENGLISH
    assert learned(Indices.ENGLISH, "R") is Indices.ENGLISH
    assert learned(Indices.ENGLISH, "RD") is Indices.FRENCH
    assert learned(Indices.FRENCH, "RD1") is Indices.FRENCH
    assert learned(Indices.FRENCH, "RD11") is Indices.FRENCH_ONE
    assert learned(Indices.FRENCH, "JQ") is Indices.ENGLISH
