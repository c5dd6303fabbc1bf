"""Corners become cards: two corners of one card are one card, two equal cards are two."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tock_rules import JOKERS
from tock_vision.cards.calibration import calibrated
from tock_vision.cards.classifier import IndexReading
from tock_vision.cards.corners import LABELS, Corner
from tock_vision.cards.jokers import FoundJoker
from tock_vision.cards.outlines import Outline
from tock_vision.cards.physical import cards_of, in_reading_order, is_lone_joker, middle_of, split_pairs
from tock_vision.cards.reading import readings_of

INDEX_PX = 40.0


def sighting(
    name: str, right: float, down: float, up: float = 0.0, sure: float = 0.98, agreed: float = 0.0
) -> IndexReading:
    """A reading of an index at a place in index heights."""
    chances = np.full(len(LABELS), (1 - sure) / (len(LABELS) - 1), np.float32)
    chances[[str(card) for card in LABELS].index(name)] = sure
    corner = Corner(300 + right * INDEX_PX, 300 + down * INDEX_PX, up, INDEX_PX)
    return IndexReading(corner, chances, 1.0, agreed)


def names(readings: list[IndexReading], packs: int = 2) -> list[str]:
    return sorted(str(card.card) for card in cards_of(readings, packs))


def test_both_corners_of_one_card_are_one_card_at_any_rotation() -> None:
    for turn in np.linspace(0, 6, 7):
        first = Corner(300, 300, turn, INDEX_PX)
        second = first.moved(2.8, 4.5, np.pi, 0.0)
        seen = [sighting("7S", 0, 0), sighting("7S", 0, 0)]
        placed = [
            IndexReading(corner, one.chances, 1.0) for corner, one in zip((first, second), seen, strict=True)
        ]
        (card,) = cards_of(placed, packs=2)
        assert len(card.indices) == 2
        assert card.chance() > 0.999


OTHER = (2.8, 4.5, np.pi)
"""The place of the other corner of a card whose first index is at (0, 0)."""
SEEN: dict[str, tuple[list[tuple[Any, ...]], str]] = {
    "four corners": ([("KD", 0, 0), ("KD", 2.9, 0), ("KD", 0, 4.6, np.pi), ("KD", 2.9, 4.6, np.pi)], "KD"),
    "two indices aslant": ([("2C", 0, 0, 0.34), ("2C", 4.2, -0.8, 0.16)], "2C"),
    "three indices aslant": (
        [("2C", 0, 0, 0.34), ("2C", 4.2, -0.8, 0.16), ("2C", 3.4, 3.3, np.pi + 0.2, 0.9)], "2C",
    ),
    "far aslant": ([("4H", 0, 0), ("4H", 5.1, 0.5, np.pi - 0.1)], "4H"),
    "two cards aslant": ([("4H", 0, 0), ("4H", 5.1, -3.5, np.pi - 0.1)], "4H 4H"),
    "very large indices": ([("6C", 0, 0), ("6C", 1.45, 1.2, np.pi - 0.07)], "6C"),
    "two equal cards apart": ([("6H", 0, 0), ("6H", 9, 1)], "6H 6H"),
    "a weak second card of the same name": ([("6H", 0, 0), ("6H", 9, 1, 0.0, 0.6)], "6H"),
    "a misread other corner": ([("6H", 0, 0), ("6D", *OTHER, 0.6)], "6H"),
    "another card at the other corner": ([("6H", 0, 0), ("KS", *OTHER, 0.6)], "6H KS"),
    "a blurred other suit of the colour": ([("4S", 0, 0, 0.0, 0.99, 6.0), ("4C", *OTHER, 0.8, 3.6)], "4S"),
    "a sure other suit": ([("4S", 0, 0, 0.0, 0.99, 6.0), ("4C", *OTHER, 0.985, 3.6)], "4C 4S"),
    "a blurred suit of the other colour": ([("4S", 0, 0, 0.0, 0.99, 6.0), ("4H", *OTHER, 0.8, 3.6)], "4H 4S"),
    "a fan": (
        [(name, n * 0.6, 0.1 * n, 0.1 * n) for n, name in enumerate(["2S", "2C", "9H", "9D", "KS"])],
        "2C 2S 9D 9H KS",
    ),
    "a letter on its side": ([("KH", 0, 0), ("JOK_C", 2.8, 4.5, np.pi / 2)], "KH"),
    "a joker below a king": ([("KH", 0, 0), ("JOK_C", 2.8, 4.5, 0.2)], "JOK_C KH"),
    "a court card read badly": ([("QH", 0, 0, 0.0, 0.6), ("JOK_C", *OTHER, 0.8)], "QH"),
    "its letter on its side": ([("QH", 0, 0, 0.0, 0.6), ("JOK_C", 2.8, 4.5, np.pi / 2, 0.8)], "QH"),
    "a tight fan in many views": ([("7D", 0, 0, 0.0, 0.98, 4.0), ("QD", -0.35, 0, 0.0, 0.8, 2.5)], "7D QD"),
    "a tight fan in one view": ([("7D", 0, 0, 0.0, 0.98, 4.0), ("QD", -0.35, 0, 0.0, 0.8, 0.5)], "7D"),
    "an index read twice": ([("3H", 0, 0), ("5H", 0.1, 0.15, 0.0, 0.7)], "3H"),
    "many views before a sure one": ([("KC", 0.2, 0, 0.0, 0.99), ("5H", 0, 0, 0.0, 0.95, 4.0)], "5H"),
    "another suit in one view": ([("10S", 0, 0), ("10C", *OTHER, 0.8)], "10S"),
    "another suit in further views": ([("10S", 0, 0), ("10C", *OTHER, 0.8, 2.0)], "10C 10S"),
}  # fmt: skip


@pytest.mark.parametrize("kind", SEEN)
def test_corners_are_joined_to_cards(kind: str) -> None:
    seen, expected = SEEN[kind]
    assert names([sighting(*one) for one in seen]) == expected.split()


def test_two_equal_cards_are_one_where_one_pack_is_in_play() -> None:
    assert names([sighting("6H", 0, 0), sighting("6H", 9, 1)], packs=1) == ["6H"]


def test_where_a_card_is_missing_the_corners_that_fit_worst_are_two_equal_cards() -> None:
    straight = [sighting("6H", 0, 0), sighting("6H", 2.8, 4.5, np.pi)]
    askew = [sighting("9S", 20, 0), sighting("9S", 22.8, 4.5, np.pi - 0.4)]
    joined = cards_of([*straight, *askew], packs=2)
    assert len(joined) == 2
    assert sorted(str(card.card) for card in split_pairs(joined, 1, packs=2)) == ["6H", "9S", "9S"]
    assert len(split_pairs(joined, 2, packs=2)) == 4
    assert split_pairs(joined, 1, packs=1) == joined


def test_an_unsure_index_is_believed_more_beside_a_clear_card() -> None:
    unsure, clear = sighting("7D", 0, 0, sure=0.9), sighting("KS", 9, 0, sure=0.999)
    unsure = replace(unsure, corner=replace(unsure.corner, score=0.5))
    (alone,) = calibrated(cards_of([unsure], packs=2))
    beside = min(calibrated(cards_of([unsure, clear], packs=2)))
    assert alone < beside - 0.05


def test_the_mark_of_a_joker_is_named_only_at_two_corners_beside_another_card() -> None:
    first, second = sighting("JOK_B", 0, 0), sighting("JOK_B", 2.8, 4.5, np.pi)
    clear = sighting("KS", 9, 0, sure=0.999)
    assert [str(reading.card) for reading in readings_of(cards_of([first, second, clear], packs=2))] == [
        "JOK_B",
        "KS",
    ]
    assert [reading.card for reading in readings_of(cards_of([first, second], packs=2))] == [None]
    assert readings_of(cards_of([first, clear], packs=2))[0].card is None


def allowing(index: IndexReading, name: str, chance: float) -> IndexReading:
    """A reading that leaves a chance to another card."""
    chances = index.chances.copy()
    chances[[str(card) for card in LABELS].index(name)] = chance
    return replace(index, chances=chances)


def test_an_index_that_may_be_what_a_clear_one_says_is_its_other_corner() -> None:
    clear, beside = (
        sighting("2H", 0, 0, sure=0.99, agreed=6.0),
        sighting("2D", -3.4, -0.6, sure=0.9, agreed=4.0),
    )
    assert names([clear, beside]) == ["2D", "2H"]
    assert names([clear, allowing(beside, "2H", 0.04)]) == ["2H"]
    number = sighting("3D", 4, 3.4, np.pi - 0.2, sure=0.83, agreed=3.6)
    assert names([sighting("5D", 0, 0, agreed=6.6), number]) == ["3D", "5D"]
    assert names([sighting("5D", 0, 0, agreed=6.6), allowing(number, "5D", 0.09)]) == ["5D"]


def test_a_card_whose_other_corner_says_another_suit_is_doubtful() -> None:
    upper, lower = (
        sighting("9S", 0, 0, sure=0.9, agreed=4.6),
        sighting("9C", 0, 5, np.pi, sure=0.6, agreed=4.4),
    )
    (card,) = cards_of([upper, allowing(lower, "9S", 0.3)], packs=2)
    assert str(card.card) == "9S"
    assert card.chance() < 0.7


def test_cards_are_listed_line_by_line() -> None:
    places = [(500.0, 110.0, 30.0), (100.0, 120.0, 30.0), (90.0, 400.0, 30.0), (300.0, 95.0, 30.0)]
    assert in_reading_order(places) == [1, 3, 0, 2]


@pytest.mark.parametrize("up", [0.0, np.pi])
def test_the_middle_of_a_card_is_below_its_index_on_the_side_of_the_drawing(up: float) -> None:
    (card,) = cards_of([sighting("7S", 0, 0, up)], 2)
    x, y, _ = middle_of(card)
    assert (y > 300) == (up == 0.0)
    assert (x > 300) == (up == 0.0)


def test_the_letter_of_an_index_alone_is_no_joker_beside_it() -> None:
    whole = sighting("KH", 0, 0)
    letter = IndexReading(
        whole.corner.moved(0, -0.25, np.pi / 2, np.log(0.5)), sighting("JOK_C", 0, 0).chances, 0.9
    )
    assert names([whole, letter]) == ["KH"]


def outlined(width: float = 3.8, height: float = 5.6) -> Outline:
    """A card whose first index is at the place (0, 0) of `look`."""
    left, top = 300 - 0.5 * INDEX_PX, 300 - 0.6 * INDEX_PX
    right, bottom = left + width * INDEX_PX, top + height * INDEX_PX
    return Outline(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))


def test_two_corners_in_one_outline_are_one_card_and_its_drawing_is_none() -> None:
    corner, other, drawing = (
        sighting("QS", 0, 0),
        sighting("QS", 2.8, 4.5, 2.2),
        sighting("6S", 1.4, 2.0, sure=0.9),
    )
    assert names([corner, other, drawing]) == ["6S", "QS"]
    (card,) = cards_of([corner, other, drawing], 2, [outlined()])
    assert (str(card.card), len(card.indices)) == ("QS", 2)


def test_a_court_card_in_its_outline_is_no_joker_though_its_letters_look_so() -> None:
    seen = [sighting("JOK_C", 0, 0, sure=0.9), sighting("QH", 2.8, 4.5, np.pi, sure=0.6)]
    (card,) = cards_of(seen, 2, [outlined()])
    assert str(card.card) == "QH"


def test_many_views_name_no_joker_by_its_mark_alone_even_on_a_whole_card() -> None:
    first, second, clear = (
        sighting("JOK_B", 0, 0),
        sighting("JOK_B", 2.8, 4.5, np.pi),
        sighting("KS", 9, 0, sure=0.999),
    )
    whole = cards_of([first, second, clear], 2, [outlined()])
    by_mark, king = readings_of(whole, unread=[])
    assert (by_mark.card, str(by_mark.likely[0]), str(king.card)) == (None, "JOK_B", "KS")
    by_word = FoundJoker(JOKERS[0], 0.8, outlined().corners)
    assert [str(one.card) for one in readings_of(whole, unread=[], lettered=[by_word])] == ["JOK_B", "KS"]


def test_an_unclear_card_is_named_only_where_another_is_clear() -> None:
    unclear, clear = sighting("7S", 0, 0, sure=0.9), sighting("KS", 9, 0, sure=0.999)
    alone = readings_of(cards_of([unclear], 2), unread=[])
    beside = readings_of(cards_of([unclear, clear], 2), unread=[])
    assert [(one.card, str(one.likely[0])) for one in alone] == [(None, "7S")]
    assert [str(one.card) for one in beside] == ["7S", "KS"]
    assert [str(one.card) for one in readings_of(cards_of([unclear], 2), count=1, unread=[])] == ["7S"]


def test_two_cards_that_share_an_outline_stay_two() -> None:
    both = [sighting("QS", 0, 0, agreed=5.0), sighting("KH", 7.5, 0, agreed=5.0)]
    seen = cards_of(both, 2, [outlined(width=9.0, height=6.0)])
    assert sorted(str(card.card) for card in seen) == ["KH", "QS"]
    assert all(card.outline is None for card in seen)


def test_two_cards_in_one_outline_stay_two_though_the_indices_of_one_are_not_in_its_corners() -> None:
    left = [sighting("8D", 0, 0, agreed=5.0), sighting("8D", 0.2, 5.0, np.pi, agreed=5.0)]
    right = [sighting("6D", 4.5, 0, agreed=5.0), sighting("6D", 4.7, 5.0, np.pi, agreed=5.0)]
    seen = cards_of([*left, *right], 2, [outlined(width=9.0, height=6.0)])
    assert sorted(str(card.card) for card in seen) == ["6D", "8D"]


def test_a_corner_read_in_one_pass_alone_is_not_a_card() -> None:
    corner, glare = sighting("4D", 0, 0, agreed=3.0), sighting("JH", 2.8, 4.5, agreed=0.0)
    (card,) = cards_of([corner, glare], 2, [outlined()])
    assert str(card.card) == "4D"


def test_the_corners_of_a_card_seen_flat_are_one_card() -> None:
    corners = [sighting("10D", 0, 0, 0.3), sighting("10D", 1.35, 5.13, 0.3 + np.pi)]
    assert names(corners) == ["10D"]
    squeezed = [replace(one, corner=one.corner.taller(0.33)) for one in corners]
    assert names(squeezed) == ["10D"]


def test_the_mark_of_a_joker_in_one_view_alone_is_none() -> None:
    assert is_lone_joker(sighting("JOK_B", 0, 0))
    assert not is_lone_joker(sighting("JOK_B", 0, 0, agreed=2.0))
    assert not is_lone_joker(sighting("KC", 0, 0))


def test_among_much_that_is_nearly_a_card_only_what_is_beyond_doubt_is_named() -> None:
    tiles = [
        sighting(f"{rank}{suit}", 9.0 * rank, 9.0 * row, sure=0.6, agreed=2.0)
        for row, suit in enumerate("CD")
        for rank in range(2, 9)
    ]
    fair, clear = sighting("KH", 0, 30, sure=0.94, agreed=2.0), sighting("7S", 0, 60, sure=0.9999, agreed=6.0)

    def named(*indices: IndexReading) -> set[str]:
        readings = readings_of(cards_of(list(indices), 2), unread=[])
        return {str(one.card) for one in readings if one.card is not None and one.confidence > 0.8}

    assert named(fair, clear, *tiles[:4]) == {"KH", "7S"}
    assert named(fair, clear, *tiles) == {"7S"}


def test_equal_cards_of_two_packs_in_one_hand_are_two() -> None:
    ends = [sighting("KH", 0, 0, 0.0, 0.999), sighting("5D", 4.5, 0.2, 0.0, 0.999)]
    beside = [sighting("7S", 1.5, 0, 0.0, 0.999), sighting("7S", 3.0, 0.1, 0.0, 0.999)]
    assert names([*ends, *beside]) == ["5D", "7S", "7S", "KH"]
    between = [
        sighting("7S", 0, 0, 0.0, 0.999),
        sighting("5D", 1.5, 0, 0.0, 0.99),
        sighting("7S", 3.0, 0, 0.0, 0.999),
    ]
    assert names(between) == ["5D", "7S", "7S"]
    assert names([*ends, *beside], packs=1) == ["5D", "7S", "KH"]


def test_the_upper_corners_of_cards_with_four_indices_are_of_one_card_each() -> None:
    rows = [(name, 4.0 * at + right) for at, name in enumerate(("KH", "7S", "5D")) for right in (0.0, 2.4)]
    assert names([sighting(name, right, 0, 0.0, 0.999) for name, right in rows]) == ["5D", "7S", "KH"]
    fan = [
        sighting("KH", 0, 0),
        sighting("5D", 0.8, 0),
        sighting("7S", 1.6, 0, 0.0, 0.999),
        sighting("7S", 4.0, 0),
    ]
    assert names(fan) == ["5D", "7S", "KH"]


def test_a_face_beside_an_index_of_its_name_is_that_card() -> None:
    (card,) = cards_of([sighting("3D", 0, 0, 0.0, 0.9999, 5.0)], 2)
    face = outlined().corners + np.array([0.9, 0.9]) * INDEX_PX
    far = face + np.array([6.0, 0.0]) * INDEX_PX
    likely = tuple(LABELS[[str(one) for one in LABELS].index(name)] for name in ("3D", "3H"))
    for corners, count in ((face, 1), (far, 2)):
        readings = readings_of([card], unread=[(Outline(corners), likely)])
        assert [str(one.card) for one in readings] == ["3D"] * count
    other = tuple(reversed(likely))
    assert len(readings_of([card], unread=[(Outline(face), other)])) == 2
