"""Events survive the way to the disk and back."""

import json
from dataclasses import MISSING, fields
from typing import Any

import pytest

from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_from_line, event_to_json, event_to_line
from tock_companion.events.facts import FACT_TYPES, Event, MoveAccepted, TurnEnded

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
