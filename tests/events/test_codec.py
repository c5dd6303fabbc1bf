"""Events survive the way to the disk and back; hands follow from them."""

import json
from dataclasses import MISSING, fields
from typing import Any

import pytest

from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_from_line, event_to_json, event_to_line
from tock_companion.events.facts import (
    FACT_TYPES,
    CardPlayed,
    CardsDealt,
    Correction,
    Event,
    Fact,
    GameStarted,
    MoveAccepted,
    MoveTakenBack,
    TurnEnded,
)
from tock_companion.events.hands import Hands, fold_hands
from tock_rules import Seat, parse_hand

SAMPLES: dict[str, Any] = {
    "Mapping[str, typing.Annotated[int": {"P0": 5},
    "typing.Annotated[int": 3,
    "Mapping[str, list[str]]": {"P0": ["camp", "T20*"]},
    "list[collections.abc.Mapping": [{"seat": "P0", "from": "T20", "to": "camp"}],
    "Text": {"fr": "là", "en": "there"},
    "Literal": "card",
    "Mapping": {"fr": "là", "en": "there"},
    "list": [],
    "str": "P0",
    "int": 3,
}


def sample(kind: str) -> Event:
    """One event of a kind, with a value for every field that has no default."""
    fact_type = FACT_TYPES[kind]
    values = {
        item.name: next(value for word, value in SAMPLES.items() if str(item.type).find(word) >= 0)
        for item in fields(fact_type)
        if item.default is MISSING
    }
    return Event(7, 1200, fact_type(**values))


@pytest.mark.parametrize("kind", sorted(FACT_TYPES))
def test_every_kind_round_trips(kind: str) -> None:
    event = sample(kind)
    assert event_from_line(event_to_line(event)) == event


def test_the_envelope_comes_first_and_is_versioned() -> None:
    document = event_to_json(Event(3, 40, TurnEnded("P0", "P1")))
    assert list(document.items()) == [
        ("v", 1), ("seq", 3), ("t_ms", 40), ("event", "turn_ended"), ("seat", "P0"), ("next", "P1")
    ]  # fmt: skip


def test_all_kinds_of_the_contract_are_there_and_the_mode() -> None:
    assert set(FACT_TYPES) - {"mode_set"} == {
        "game_started", "cards_dealt", "card_played", "move_accepted", "violation", "question",
        "question_answered", "repaired", "pawn_missing", "correction", "turn_ended", "move_taken_back",
        "source_lost", "source_back", "paused", "resumed", "game_ended",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"v": 2}, "newer version"),
        ({"event": "cheated"}, "'cheated' is not known"),
        ({"seq": "x"}, "whole numbers"),
        ({"colour": "red"}, "wrong fields"),
    ],
)
def test_a_malformed_event_is_refused_with_its_reason(change: dict[str, object], complaint: str) -> None:
    document = {**event_to_json(Event(3, 40, TurnEnded("P0", "P1"))), **change}
    with pytest.raises(BadInputError, match=complaint):
        event_from_line(json.dumps(document))


def test_accents_stay_readable_in_the_log() -> None:
    assert "là" in event_to_line(sample("violation"))
    assert MoveAccepted.KIND in event_to_line(sample("move_accepted"))


SEATS = ["P0", "P1", "P2", "P3"]


def started(ruleset: str) -> GameStarted:
    camp = {seat: ["camp"] * 4 for seat in SEATS}
    return GameStarted(ruleset, {}, SEATS, None, "cross-4", 4, None, "P0", camp)


def moved(card: str, move: str = "P0:T4>T10") -> MoveAccepted:
    return MoveAccepted("P0", card, move, {}, {})


def hands_after(*facts: Fact, given: str = "6H KS 9C 2D", ruleset: str = "gladius") -> Hands:
    """Fold facts after a hand that was entered in event 2."""
    every = (started(ruleset), CardsDealt({"P0": len(given.split())}), *facts)
    events = [Event(number, 0, fact) for number, fact in enumerate(every, 1)]
    return fold_hands(events, {(2, Seat.P0): parse_hand(given.split())})


def held(hands: Hands) -> str:
    hand = hands.of(Seat.P0)
    assert hand is not None
    return " ".join(map(str, hand.cards)) + " ?" * hand.missing + " !" * hand.doubtful


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ((), "6H KS 9C 2D"),
        ((CardPlayed("P0", "6H", "touch"),), "KS 9C 2D"),
        ((CardPlayed("P0", "6H", "touch"), moved("6H")), "KS 9C 2D"),
        ((CardPlayed("P0", "6H", "touch"), Correction("P0", "withdrawn")), "6H KS 9C 2D"),
        ((CardPlayed("P0", "6H", "camera"), CardPlayed("P0", "KS", "camera")), "6H 9C 2D"),
        ((CardPlayed("P0", "6S", "camera"),), "KS 9C 2D"),
        ((CardPlayed("P0", "8H", "camera"),), "6H KS 9C 2D !"),
        ((CardPlayed("P0", "8H", "camera"), Correction("P0", "withdrawn")), "6H KS 9C 2D"),
        ((CardPlayed("P0", "2D", "touch", "discard"),), "6H KS 9C"),
        ((CardPlayed("P0", "6H", "touch"), moved("6H"), MoveTakenBack("P0", 4)), "6H KS 9C 2D"),
        ((CardPlayed("P0", "2D", "touch", "discard"), MoveTakenBack("P0", 3)), "6H KS 9C 2D"),
        ((CardsDealt(dict.fromkeys(SEATS, 4)),), " ? ? ? ?"),
        ((moved("6H"),), "KS 9C 2D"),
    ],
)
def test_a_hand_follows_the_play(facts: tuple[Fact, ...], expected: str) -> None:
    assert held(hands_after(*facts)) == expected


def test_drawing_after_a_card_leaves_one_more_to_enter() -> None:
    play = (CardPlayed("P0", "6H", "touch"), moved("6H"))
    assert held(hands_after(*play, ruleset="mjc")) == "KS 9C 2D ?"
    assert held(hands_after(*play, MoveTakenBack("P0", 4), ruleset="mjc")) == "6H KS 9C 2D"


LAID = (CardPlayed("P0", "6H", "touch"), moved("6H"))
DEAL = CardsDealt(dict.fromkeys(SEATS, 4))


@pytest.mark.parametrize(
    ("ruleset", "first", "later", "expected"),
    [
        ("mjc", "6H KS", "KS 3S", "6H KS"),
        ("mjc", None, "KS 3S", "6H ?"),
        ("gladius", "6H KS", "9S", "9S 6H"),
        ("gladius", None, "KS 3S", "KS 3S 6H"),
        ("gladius", "6H KS", "KS 3S", "KS 3S"),
        ("gladius", "6H KS", "KS 3S 2D", "6H KS"),
    ],
)
def test_a_card_taken_back_never_makes_a_hand_larger_than_it_was(
    ruleset: str, first: str | None, later: str, expected: str
) -> None:
    given = {(5, Seat.P0): parse_hand(later.split())}
    count = CardsDealt({"P1": 2} if first is None else {"P0": 2})
    if first is not None:
        given[2, Seat.P0] = parse_hand(first.split())
    entered = CardsDealt({"P0": len(later.split())})
    facts: tuple[Fact, ...] = (started(ruleset), count, *LAID, entered, MoveTakenBack("P0", 4))
    events = [Event(number, 0, fact) for number, fact in enumerate(facts, 1)]
    assert held(fold_hands(events, given)) == expected


def test_a_deal_is_undone_with_the_turn_before_it() -> None:
    before = hands_after(given="6H")
    assert hands_after(*LAID, DEAL, MoveTakenBack("P0", 4), given="6H") == before
    played_on = (DEAL, CardPlayed("P1", "2H", "touch", "discard"), DEAL, MoveTakenBack("P0", 4))
    assert hands_after(*LAID, *played_on, given="6H") == before
    twice = hands_after(DEAL, CardPlayed("P1", "2H", "touch", "discard"), DEAL, MoveTakenBack("P0", 4))
    assert twice == hands_after(DEAL)


def test_hands_are_dealt_as_the_rules_count() -> None:
    hands = hands_after()
    assert hands.next_deal == 4, "gladius with four deals 5, 4, 4 (R002-06)"
    again = hands_after(CardsDealt(dict.fromkeys(SEATS, 4)), CardsDealt(dict.fromkeys(SEATS, 4)))
    assert again.next_deal == 5


def test_more_cards_than_were_dealt_is_a_broken_store() -> None:
    events = [Event(1, 0, started("mjc")), Event(2, 0, CardsDealt({"P0": 1}))]
    with pytest.raises(BadInputError, match="event 2"):
        fold_hands(events, {(2, Seat.P0): parse_hand(["6H", "KS"])})


def test_cards_are_in_no_text_form() -> None:
    assert "KS" not in repr(hands_after())
    assert "KING" not in repr(hands_after())
