"""Every route and stream, as every kind of caller: what belongs to one seat reaches no other."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.support.page import Phone, no_cards
from tock_app.config.load import config_of
from tock_app.service.admin import MachineAdmin
from tock_app.service.metrics import metrics_text
from tock_companion.table.runtime.live import Table
from tock_web import create_app
from tock_web.services import PageServices

pytestmark = pytest.mark.whole

OWN_KEYS = ("legal_moves", "hand", "can_undo", "can_discard", "your_turn")
"""Keys that only the view of a seat has."""
HANDS = {"P0": ["6H", "QD", "7C", "JOK_C"], "P1": ["5S", "4H", "KD"]}
ROLES = ("table", "watch", "seat", "host")
QUERIES = {
    "/api/v1/view": tuple(f"role={role}" for role in ROLES),
    "/api/v1/events": tuple(f"role={role}&tab=abcdefgh{role}" for role in ROLES),
    "/api/v1/game.jsonl": ("number=1",),
    "/api/v1/evidence": tuple(f"seq={seq}" for seq in range(1, 9)),
    "/api/v1/evidence/picture": ("seq=4&name=card",),
    "/static/<path:path>": ("",),
    "/guide/<name>": ("",),
    "/guide/images/<path:path>": ("",),
}
ENDS = ("/leave", "/shutdown", "/restart", "/release", "/host/pin")
"""Routes that end something the crawl needs; they answer with a code alone."""


@pytest.fixture
def app(table: Table, tmp_path: Path) -> Flask:
    """An app with every route that there is."""
    path = tmp_path / "tock.toml"
    services = PageServices(
        metrics=lambda streams: metrics_text(table.figures, streams),
        machine=MachineAdmin(path, config_of(path, "", {"TOCK_DATA": str(tmp_path)})),
        read_cards=no_cards,
    )
    return create_app(table, services)


@pytest.fixture
def callers(app: Flask) -> dict[str, Phone]:
    """Two players with hands, one of whom has had a hint and laid a card, the host, and somebody from the street."""
    phones = {name: Phone(app.test_client()) for name in ("P0", "P1", "host", "nobody")}
    phones["host"].post("host")
    phones["P0"].sit("P0", "Anna")
    phones["P1"].sit("P1", "Bob")
    for name, cards in HANDS.items():
        assert phones[name].post("request", kind="hand_set", data={"cards": cards}).status_code == 200
    assert phones["P0"].post("hint", level="nudge").status_code == 200
    assert phones["P0"].post("request", kind="play_card", data={"card": "6H"}).status_code == 200
    return phones


def paths(app: Flask) -> Iterator[str]:
    """Every address that answers to GET; a route with a part to fill in must be in `QUERIES`."""
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()):
            continue
        assert not rule.arguments or rule.rule in QUERIES, rule.rule
        path = rule.rule.replace("images/<path:path>", "images/card-sheet.png").replace("<name>", "play")
        path = path.replace("<path:path>", "js/pages/seat.js")
        yield from (f"{path}?{query}" for query in QUERIES.get(rule.rule, ("",)))


def changes(app: Flask) -> Iterator[str]:
    """Every address that answers to POST and leaves the callers their rights."""
    for rule in app.url_map.iter_rules():
        if "POST" in (rule.methods or ()) and not rule.rule.endswith(ENDS):
            yield rule.rule.removeprefix("/api/v1/")


def read(phone: Phone, path: str) -> str:
    """The answer with its headers; of a stream the first events only."""
    answer = phone.client.get(path)
    if answer.mimetype != "text/event-stream":
        return f"{answer.headers}{answer.data.decode(errors='replace')}"
    chunks = answer.iter_encoded()
    text = b"".join(next(chunks) for _ in range(2)).decode()
    answer.close()
    return text


def test_the_crawl_goes_everywhere(app: Flask, callers: dict[str, Phone]) -> None:
    reached = {
        path.partition("?")[0] for path in paths(app) if callers["host"].client.get(path).status_code == 200
    }
    assert reached >= {
        *("/", "/watch", "/host", "/host/machine", "/metrics", "/api/v1/machine/settings", "/api/v1/hints"),
        *("/api/v1/view", "/api/v1/events", "/api/v1/journal", "/api/v1/replay", "/api/v1/game.jsonl"),
    }
    assert {"hint", "hand/photo", "sim/card", "request", "games"} <= set(changes(app))


def test_a_seat_s_data_reaches_that_seat_alone(
    app: Flask, callers: dict[str, Phone], caplog: pytest.LogCaptureFixture
) -> None:
    own = callers["P0"].get("view?role=seat")
    moves = [json.dumps(move["text"]) for move in own.get_json()["legal_moves"]]
    cards = [f'"{card}"' for card in HANDS["P0"][1:]]
    assert moves
    assert all(mark in own.text for mark in cards)
    with caplog.at_level(logging.DEBUG):
        for name in ("P1", "host", "nobody"):
            for path in paths(app):
                text = read(callers[name], path)
                found = [mark for mark in (*moves, *cards) if mark in text]
                assert not found, f"{name} {path}: {found}"
    assert not [card for card in HANDS["P0"][1:] if card in caplog.text]


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


def test_no_answer_to_a_change_tells_of_a_hand(app: Flask, callers: dict[str, Phone]) -> None:
    tries: list[dict[str, object]] = [
        {},
        {"level": "hint"},
        {"level": "teacher"},
        {"card": "6H", "seat": "P0"},
    ]
    for name in ("P1", "host", "nobody"):
        for path in changes(app):
            for data in tries:
                text = callers[name].post(path, **data).text
                assert not any(card in text for card in HANDS["P0"][1:]), f"{name} {path} {data}"


def test_no_refusal_tells_of_a_hand(callers: dict[str, Phone]) -> None:
    for name in ("P1", "host", "nobody"):
        for kind in (
            "play_card",
            "discard",
            "undo",
            "hand_set",
            "hand_draw",
            "hand_check",
            "deal",
            "decide_now",
            "correct",
        ):
            role = "host" if name == "host" else "seat"
            text = (
                callers[name].post("request", kind=kind, role=role, data={"card": "2S", "cards": ["2S"]}).text
            )
            assert not any(card in text for card in HANDS["P0"][1:]), f"{name} {kind}"
