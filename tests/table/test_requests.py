"""Requests as they come over the wire: read into typed values, or refused with the field that is wrong."""

import pytest

from tock_companion.core.bodies import BODIES, Correct, Deal, NewGame, PawnChange, PlayCard, Undo
from tock_companion.core.requests import Role, adapter, parse_request, request_data
from tock_companion.errors import BadInputError
from tock_rules import Card, Seat

STEP = {"seat": "P3", "from": "P3-C1", "to": "T60"}


@pytest.mark.parametrize(
    ("kind", "data", "body"),
    [
        ("play_card", {"card": "10H"}, PlayCard(Card.parse("10H"))),
        ("undo", {}, Undo()),
        ("undo", {"to": None}, Undo()),
        ("undo", {"to": 7}, Undo(7)),
        ("deal", {"count": 5}, Deal(5)),
        ("correct", {"changes": [STEP], "why": "é"}, Correct((PawnChange(Seat.P3, "P3-C1", "T60"),), "é")),
        ("new_game", {"options": {"jokers": False}, "first": "P2"}, NewGame("mjc", {"jokers": False}, None, Seat.P2)),
    ],
)  # fmt: skip
def test_a_request_is_read_into_a_typed_value(kind: str, data: object, body: object) -> None:
    request = parse_request(kind, data, Role.SEAT, Seat.P0, 12)
    assert request.body == body
    assert (request.role, request.seat, request.revision) == (Role.SEAT, Seat.P0, 12)


@pytest.mark.parametrize(
    ("kind", "data", "complaint"),
    [
        ("dance", {}, "'kind' is not one of play_card"),
        (["undo"], {}, "'kind' is not one of"),
        ("undo", [], "'data' must be a table"),
        ("undo", None, "'data' must be a table"),
        ("undo", {"until": 3}, "key 'until' is not known"),
        ("play_card", {}, "'card' is missing"),
        ("play_card", {"card": ["9H"]}, "'card': no such card"),
        ("correct", {"changes": [STEP], "why": "\ud800"}, "'why' must be well-formed text"),
        ("correct", {"changes": [STEP], "why": "a\nb"}, "'why' has a character that is not allowed (U+000A)"),
        ("correct", {"changes": [STEP], "why": "a\u202eb"}, "U+202E"),
        ("correct", {"changes": [STEP], "why": "x" * 201}, "'why' must be a text of at most 200 letters"),
        ("correct", {"changes": []}, "'changes' must be a list of at least 1 entries"),
        ("correct", {"changes": [{"seat": "P3"}]}, "'changes[0].from' is missing"),
        ("hand_set", {"cards": ["9H"] * 17}, "'cards' must be a list of at most 16 entries"),
        ("hand_set", {"count": True}, "'count' must be a whole number"),
        ("hand_check", {"readings": [{"likely": ["9H"], "confidence": float("nan")}]}, "finite"),
        ("hand_check", {"readings": [{"likely": ["9H"], "confidence": 10**400}]}, "'readings[0].confidence'"),
        ("undo", {"to": 10**30}, "'to'"),
        ("vote_back", {"number": 1, "yes": 1}, "'yes' must be true or false"),
        ("new_game", {"players": 99}, "'players'"),
        ("new_game", {"options": {"jokers": [1]}}, "'options.jokers"),
        ("move", {"text": {"de": "P0:T4>T10"}}, "'text'"),
    ],
)  # fmt: skip
def test_a_mistake_names_its_field(kind: object, data: object, complaint: str) -> None:
    with pytest.raises(BadInputError) as refusal:
        parse_request(kind, data, Role.SEAT, Seat.P0)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("correct", {"changes": [STEP], "why": "moved by the cat"}),
        ("discard", {"cards": ["9H", "JOK_B"]}),
        ("hand_check", {"readings": [{"likely": ["9H", "6H"], "confidence": 0.5}]}),
        ("new_game", {"players": 2, "first": "P2", "position": "seen"}),
        ("pause", {}),
    ],
)
def test_the_data_of_a_request_come_back_as_they_were_sent(kind: str, data: dict[str, object]) -> None:
    assert request_data(parse_request(kind, data, Role.HOST).body) == data


def test_a_request_does_not_show_a_hand_in_its_text_form() -> None:
    assert "9H" not in repr(parse_request("hand_set", {"cards": ["9H"]}, Role.SEAT, Seat.P0))


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_every_kind_is_described_by_a_schema_that_allows_nothing_more(kind: str) -> None:
    schema = adapter(kind).json_schema()
    assert schema["additionalProperties"] is False
    assert schema["description"]
