"""The reader knows a joker of any pack by the word at its corners, and asks which; no other card counts as one."""

from itertools import product

import cv2
import numpy as np
import pytest

from tests.support.drawn_cards import draw, lay, table
from tock_vision.arrays import Frame
from tock_vision.cards import CardReader
from tock_vision.cards.joker_words import lettered_jokers, printed_part, whole_picture
from tock_vision.cards.outlines import outlines_of

RED, BLACK = (30, 20, 200), (25, 25, 25)


def with_word(word: str, ink: tuple[int, int, int], lefts: tuple[int, ...] = (0,)) -> Frame:
    """A white card with a word, letter below letter, at two corners or more, and a figure in the middle."""
    card = np.full((420, 300, 3), 244, np.uint8)
    cv2.circle(card, (150, 210), 60, (60, 160, 220), -1)
    for half, left in product((card, card[::-1, ::-1]), lefts):
        window = np.s_[:190, left : left + 60]
        part = np.ascontiguousarray(half[window])
        for number, letter in enumerate(word):
            place = (18, 42 + 26 * number)
            cv2.putText(part, letter, place, cv2.FONT_HERSHEY_TRIPLEX, 0.9, ink, 2, cv2.LINE_AA)
        half[window] = part
    return card


@pytest.mark.parametrize(("ink", "kind"), [(RED, "JOK_C"), (BLACK, "JOK_B")])
def test_a_joker_is_recognised_by_its_word_and_the_colour_of_it(ink: tuple[int, int, int], kind: str) -> None:
    card = with_word("JOKER", ink)
    (found,) = lettered_jokers(card, [whole_picture(card)])
    assert str(found.card) == kind
    assert found.confidence < 0.9


@pytest.mark.parametrize("degrees", [0, 50, 120, 250])
def test_a_joker_with_four_words_is_recognised_on_ground_of_its_own_colour_too(degrees: int) -> None:
    turn = cv2.getRotationMatrix2D((150, 210), degrees, 1.0)
    turn[:, 2] += 150, 90
    ground = np.full((600, 600, 3), 244, np.uint8)
    cv2.warpAffine(
        with_word("JOKER", RED, (0, 240)), turn, (600, 600), dst=ground, borderMode=cv2.BORDER_TRANSPARENT
    )
    outline = printed_part(ground)
    assert outline is not None
    (found,) = lettered_jokers(ground, [outline])
    assert str(found.card) == "JOK_C"


def test_ground_of_many_colours_has_no_printed_part() -> None:
    assert printed_part(np.random.default_rng(1).integers(0, 256, (80, 60, 3)).astype(np.uint8)) is None


@pytest.mark.parametrize("word", ["QUEEN", "VALET", "10987", "JOUER", "JOLLY", "JODER", "POKER", "LOSER"])
def test_another_word_makes_no_joker(word: str) -> None:
    card = with_word(word, BLACK)
    assert lettered_jokers(card, [whole_picture(card)]) == []


def test_court_cards_and_aces_are_no_jokers() -> None:
    picture = table((900, 600))
    for number, name in enumerate(["KH", "QC", "JD", "AS"]):
        lay(picture, name, (120 + 220 * number, 300), 220.0, 0.1 * number)
    outlines = outlines_of(picture)
    assert len(outlines) == 4
    assert lettered_jokers(picture, outlines) == []


@pytest.mark.whole
def test_a_joker_beside_other_cards_is_named_and_asked_for() -> None:
    picture = table((900, 600))
    lay(picture, "KH", (250, 300), 300.0)
    draw(picture, with_word("JOKER", RED), (620, 300), 300.0, 0.2)
    readings = CardReader().read(picture, thorough=True)
    assert [str(reading.card) for reading in readings] == ["KH", "JOK_C"]
    assert [str(card) for card in readings[1].likely] == ["JOK_C", "JOK_B"]
    assert readings[1].doubtful
