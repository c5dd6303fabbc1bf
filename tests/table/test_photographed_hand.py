"""Photographed hands: pack, played cards and size of the hand correct or question a reading."""

from collections import Counter

import pytest

from tock_companion.core.bodies import CardReading
from tock_companion.core.photographed_hand import judge
from tock_companion.core.requests import Role, parse_request
from tock_companion.errors import BadInputError
from tock_rules import Card, Seat, pack

DECK = Counter(pack())
NONE: Counter[Card] = Counter()


def card(name: str) -> Card:
    return Card.parse(name)


def read(confidence: float, *names: str) -> CardReading:
    return CardReading(tuple(card(name) for name in names), confidence)


def test_a_sure_and_possible_reading_is_not_asked_about() -> None:
    (one,) = judge([read(0.97, "6H", "6D")], DECK, NONE, 5)
    assert (one.card, one.choices) == (card("6H"), ())


def test_a_doubtful_reading_is_asked_with_its_two_likely_cards() -> None:
    (one,) = judge([read(0.7, "6H", "6D")], DECK, NONE, 5)
    assert one.choices == (card("6H"), card("6D"))
    assert one.reason == "unsure"


def test_a_card_that_was_played_already_gives_way_to_the_second_likeliest() -> None:
    (one,) = judge([read(0.8, "6H", "6D")], DECK, Counter([card("6H")]), 5)
    assert (one.card, one.choices, one.reason) == (card("6D"), (card("6D"), card("6H")), "played")


def test_a_certain_reading_of_a_played_card_is_questioned_and_kept() -> None:
    (one,) = judge([read(0.995, "6H", "6D")], DECK, Counter([card("6H")]), 5)
    assert (one.card, one.choices[0], one.reason) == (card("6H"), card("6H"), "played")


def test_one_pack_holds_each_card_once_and_the_surer_reading_takes_it() -> None:
    first, second = judge([read(0.8, "9S", "9C"), read(0.96, "9S", "9C")], DECK, NONE, 5)
    assert (second.card, second.choices) == (card("9S"), ())
    assert (first.card, first.reason) == (card("9C"), "played")


def test_two_packs_hold_it_twice() -> None:
    both = judge([read(0.95, "9S", "9C"), read(0.96, "9S", "9C")], Counter(pack(2)), NONE, 5)
    assert [one.card for one in both] == [card("9S")] * 2
    assert not any(one.choices for one in both)


def test_jokers_are_questioned_where_the_pack_has_none() -> None:
    (one,) = judge([read(0.95, "JOK_B", "JOK_C")], Counter(pack(jokers=False)), NONE, 5)
    assert (one.card, one.reason) == (card("JOK_B"), "not_in_pack")


def test_the_weakest_reading_beyond_the_size_of_the_hand_is_dropped_and_a_strong_one_questioned() -> None:
    three = [read(0.95, "2S"), read(0.3, "7C", "7S"), read(0.96, "KD")]
    assert [str(one.card) for one in judge(three, DECK, NONE, 2)] == ["2S", "KD"]
    three[1] = read(0.92, "7C", "7S")
    last = judge(three, DECK, NONE, 2)[1]
    assert (str(last.card), last.reason) == ("7C", "too_many")


@pytest.mark.parametrize(
    "data", [None, [], {}, {"likely": [], "confidence": 1}, {"likely": ["6X"], "confidence": 1}]
)
def test_a_malformed_reading_is_refused(data: object) -> None:
    with pytest.raises(BadInputError):
        parse_request("hand_check", {"readings": [data]}, Role.SEAT, Seat.P0)
