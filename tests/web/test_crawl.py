"""Every route and stream, as every kind of caller: what belongs to one seat reaches no other."""

import json
from collections.abc import Iterator

import pytest
from flask import Flask

from tests.web.conftest import Phone

OWN_KEYS = ("legal_moves", "hand", "can_undo", "can_discard", "your_turn")
"""What only the view of a seat has."""
HANDS = {"P0": ["6H", "QD", "7C", "JOK_C"], "P1": ["5S", "4H", "KD"]}
ROLES = ("table", "watch", "seat", "host")


@pytest.fixture
def callers(app: Flask) -> dict[str, Phone]:
    """Two players with hands, one of whom has laid a card, the host, and somebody from the street."""
    phones = {name: Phone(app.test_client()) for name in ("P0", "P1", "host", "nobody")}
    phones["P0"].sit("P0", "Anna")
    phones["P1"].sit("P1", "Bob")
    phones["host"].post("host")
    for name, cards in HANDS.items():
        assert phones[name].post("request", kind="hand_set", data={"cards": cards}).status_code == 200
    assert phones["P0"].post("request", kind="play_card", data={"card": "6H"}).status_code == 200
    return phones


def paths(app: Flask) -> Iterator[str]:
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.arguments:
            continue
        if rule.rule.endswith(("/view", "/events")):
            yield from (f"{rule.rule}?role={role}&tab=abcdefgh{role}" for role in ROLES)
        elif rule.rule.endswith("/game.jsonl"):
            yield f"{rule.rule}?number=1"
        else:
            yield rule.rule


def read(phone: Phone, path: str) -> str:
    """Return the answer; of a stream the first events only."""
    answer = phone.client.get(path)
    if answer.mimetype != "text/event-stream":
        return answer.data.decode(errors="replace")
    chunks = iter(answer.response)
    text = b"".join(bytes(next(chunks)) for _ in range(2)).decode()
    answer.close()
    return text


def test_legal_moves_reach_their_seat_alone(app: Flask, callers: dict[str, Phone]) -> None:
    secret = callers["P0"].get("view?role=seat").get_json()["legal_moves"]
    assert secret
    marks = [json.dumps(move["text"]) for move in secret]
    for name, phone in callers.items():
        if name == "P0":
            continue
        for path in paths(app):
            text = read(phone, path)
            assert not any(mark in text for mark in marks), f"{name} {path}"


def test_only_seats_get_the_keys_of_a_seat(app: Flask, callers: dict[str, Phone]) -> None:
    for name in ("host", "nobody"):
        for path in paths(app):
            if "/view" not in path and "/events" not in path:
                continue
            text = read(callers[name], path)
            keys = [
                key for key in OWN_KEYS if f'"{key}":' in text and not (key == "can_undo" and name == "host")
            ]
            assert not keys, f"{name} {path}"


def test_a_hand_reaches_its_seat_alone(app: Flask, callers: dict[str, Phone]) -> None:
    secret = [f'"{card}"' for card in HANDS["P0"][1:]]
    assert all(mark in callers["P0"].get("view?role=seat").text for mark in secret)
    for name, phone in callers.items():
        if name == "P0":
            continue
        for path in paths(app):
            text = read(phone, path)
            assert not any(mark in text for mark in secret), f"{name} {path}"


def test_no_refusal_tells_of_a_hand(callers: dict[str, Phone]) -> None:
    for name in ("P1", "host", "nobody"):
        for kind in ("play_card", "discard", "undo", "hand_set", "deal", "decide_now", "correct"):
            role = "host" if name == "host" else "seat"
            text = (
                callers[name].post("request", kind=kind, role=role, data={"card": "2S", "cards": ["2S"]}).text
            )
            assert not any(card in text for card in HANDS["P0"][1:]), f"{name} {kind}"
