"""Indices: found askew, doubted beside a drawing, told by their pips, and the letters of a deck."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.drawn_cards import hand, lay, table
from tock_companion.core.indices import Indices
from tock_companion.views.indices import learned
from tock_rules import Card, Rank
from tock_vision.arrays import Frame
from tock_vision.cards import CardReader
from tock_vision.cards.classifier import Classifier, IndexReading, Pyramid
from tock_vision.cards.corners import LABELS, Corner
from tock_vision.cards.doubts import weighed
from tock_vision.cards.finder import Finder
from tock_vision.cards.index_pips import doubted, is_pip, mark_of
from tock_vision.cards.letters import LETTERS, MIN_HEIGHT_PX, letter_of
from tock_vision.cards.physical import likeliest, sureness

CARDS = ["AS", "2H", "5D", "6C", "7S"]


def read_at(corners: list[Corner], closer: bool, thorough: bool = False) -> set[str]:
    readings = Classifier().classify(Pyramid(hand(CARDS)), corners, closer, thorough)
    return {str(LABELS[likeliest(reading)]) for reading in readings if sureness(reading) > 0.9}


def test_an_index_found_much_too_large_and_turned_is_read_in_a_closer_look() -> None:
    corners = Finder().find(hand(CARDS))
    assert read_at(corners, closer=False) == set(CARDS)
    askew = [corner.moved(0.0, 0.0, 0.35, 0.4) for corner in corners]
    assert len(read_at(askew, closer=False)) < len(CARDS)
    assert read_at(askew, closer=True) == set(CARDS)


def test_the_larger_network_reads_the_same_indices() -> None:
    corners = [corner.moved(0.1, 0.1, 0.2, 0.2) for corner in Finder().find(hand(CARDS))]
    assert read_at(corners, closer=False, thorough=True) == set(CARDS)


IN_DOUBT = Corner(100.0, 100.0, 0.0, 40.0)
NAMES = [str(card) for card in LABELS]


def undecided(**chances: float) -> IndexReading:
    values = np.full(len(LABELS), 1e-4, np.float32)
    for name, chance in chances.items():
        values[NAMES.index(name.removeprefix("_"))] = chance
    return IndexReading(IN_DOUBT, values / values.sum(), 1.0)


def corner_of_card(drawn: bool) -> Frame:
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
    letter = undecided(_8D=0.95, JD=0.04)
    assert chance(corner_of_card(drawn=False), letter, "8D") > 0.9
    assert chance(corner_of_card(drawn=True), letter, "8D") < 0.6


def test_a_clear_number_beside_a_drawing_is_believed() -> None:
    assert chance(corner_of_card(drawn=True), undecided(_8D=0.98, JD=0.001), "8D") > 0.95


def test_a_spade_that_may_be_a_club_is_less_sure_and_a_club_is_not() -> None:
    assert chance(corner_of_card(drawn=False), undecided(_6S=0.8, _6C=0.15), "6S") < 0.75
    assert chance(corner_of_card(drawn=False), undecided(_6C=0.8, _6S=0.15), "6C") > 0.78


INDEX_PX = 80.0
AT = Corner(200.0, 150.0, 0.3, INDEX_PX)


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
