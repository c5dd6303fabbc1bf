"""One schema: for the answers, the documents and the types of the page's scripts."""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import pytest
from flask import Flask

from tests.support.conforming import document, faults
from tests.support.page import OWN, Phone
from tests.support.tables import put, wait_for
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.handlers import RULES
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.views.parts import Expectation
from tock_rules import Hole, HoleKind, Seat
from tock_web import create_app
from tock_web.describe.openapi import routes_of
from tock_web.generate import api_reference, generated

MAX_TURNS = 400
NEAR_THE_END = {"P0": ["T50", "H2", "H3", "H4"], "P2": ["T14", "H2", "H3", "H4"]}


def test_the_generated_files_are_those_of_the_types() -> None:
    stale = [str(path) for path, text in generated().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run `make api`"


def test_the_reference_names_every_route_and_every_kind_of_request() -> None:
    reference = api_reference()
    routes = {path.removeprefix("/api/v1/").partition("{")[0] for path in document()["paths"]}
    assert {route for route in routes if f" {route}" not in reference} == set()
    assert {body.KIND for body in RULES if f"`{body.KIND}`" not in reference} == set()


def test_no_type_of_the_document_is_an_object_of_anything() -> None:
    schemas = document()["components"]["schemas"]
    # A club's views come from a broker; a document and an event of the log have schemas of their own.
    loose = {name for name, schema in schemas.items() if schema in ({"type": "object"}, {})}
    assert loose == set()
    for name, schema in schemas.items():
        for key, inner in schema.get("properties", {}).items():
            assert inner != {"type": "object"}, f"{name}.{key}"


def test_the_document_expects_what_a_table_can_expect() -> None:
    expects = document()["components"]["schemas"]["TableView"]["properties"]["expects"]
    assert set(expects["enum"]) == set(get_args(Expectation))
    assert "start" not in expects["enum"]


EVERYBODY = ("host", "watch", "table")
EACH_SEAT = ("table",)


class Watchers:
    """One phone for each role, which look at everything and hold it against the document."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.host = Phone(app.test_client())
        self.host.post("host")
        self.seats = {name: Phone(app.test_client()).sit(name, f"Person {name}") for name in ("P0", "P2")}
        self.expected: set[str] = set()
        self.views_seen = 0

    def look(self, roles: Sequence[str] = EVERYBODY) -> dict[str, Any]:
        """Look as both seats and some roles; return the view of the last."""
        for phone in self.seats.values():
            assert phone.get("view?role=seat").status_code == 200
        for role in roles:
            answer = self.host.get(f"view?role={role}")
            assert answer.status_code == 200
        self.views_seen += 1
        view: dict[str, Any] = answer.get_json()
        self.expected.add(view["expects"])
        return view

    def ask(self, seat: str, kind: str, **data: object) -> bool:
        return self.seats[seat].post("request", kind=kind, data=data).status_code == 200


@pytest.fixture
def blind_duel(tmp_path: Path) -> Iterator[Table]:
    """Two players at a table that nothing sees, with one pawn each to bring home."""
    setup = GameSetup(ruleset="joker-individuel", seats=(Seat.P0, Seat.P2), position=NEAR_THE_END)
    running = Table(generate(4, 440), Store(tmp_path), setup=setup)
    running.start()
    yield running
    running.stop()


@pytest.mark.whole
def test_every_view_of_a_game_up_to_its_end_is_as_documented(blind_duel: Table) -> None:
    people = Watchers(create_app(blind_duel))
    rng = random.Random(7)
    for turn in range(MAX_TURNS):
        # Seats always look; the others look by turns, before a card is laid or behind it.
        view = people.look(EACH_SEAT if turn % 2 else EVERYBODY)
        if view["expects"] == "over":
            break
        seat = view["to_move"]
        if turn % 5 == 0:
            people.host.post("request", kind="deal", role="host")
            people.ask(seat, "hand_set", cards=["6H", "KS", "JOK_C"], count=5)
        mine = people.seats[seat].get("view?role=seat").get_json()
        if view["expects"] == "card":
            assert people.ask(seat, "play_card", card=best_card(mine, rng))
            mine = people.seats[seat].get("view?role=seat").get_json()
        moves = mine["legal_moves"]
        if moves:
            people.look(EVERYBODY if turn % 2 else EACH_SEAT)
            homeward = [move for move in moves if any(is_home(hole) for hole in move["targets"])]
            assert people.ask(seat, "move", text=rng.choice(homeward or moves)["text"])
        elif not people.ask(seat, "discard") and not people.ask(seat, "end_turn"):
            assert people.ask(seat, "withdraw_card")
    assert people.look()["expects"] == "over"
    assert people.host.get("replay").get_json()["steps"]
    assert people.host.get("games").get_json()["games"]
    assert people.host.get("journal").get_json()["events"]


def is_home(hole: str) -> bool:
    return Hole.parse(hole).kind is HoleKind.HOME


def best_card(view: dict[str, Any], rng: random.Random) -> str:
    """A card of the hand that can be moved with, if there is one; any card where the hand is not known."""
    playable = [card["card"] for card in view["hand"]["cards"] if card["moves"]]
    card: str = rng.choice(playable or view["cards"])
    return card


@pytest.mark.whole
def test_every_view_of_a_table_in_trouble_is_as_documented(table: Table) -> None:
    app = create_app(table)
    people = Watchers(app)
    stranger = Phone(app.test_client())
    people.look()
    put(table, "T4", "T11")
    wait_for(table, lambda view: view["seen"])
    assert people.ask("P0", "play_card", card="6H")
    wait_for(table, lambda view: view["warning"])
    assert people.look()["warning"]["repair"]
    put(table, "T11", "T10")
    wait_for(table, lambda view: view["last_move"])
    people.look()
    stranger.post("join/ask", name="Zoé", seat="P0")
    people.host.post("request", kind="set_computer", role="host", data={"seat": "P1", "strength": "easy"})
    people.ask("P2", "propose_back", to=people.look()["history"][0]["seq"])
    wait_for(table, lambda view: view["proposal"])
    people.look()
    people.host.post("request", kind="pause", role="host")
    assert people.look()["expects"] == "paused"
    for path in (
        "replay",
        "rules",
        "rules/statements?refs=R004-29,R004-45",
        "rulesets",
        "options",
        "session",
        "health",
        "hints",
        "board",
        "sim/scene",
    ):
        assert stranger.get(path).status_code == 200
    seq = people.look()["history"][0]["seq"]
    assert people.host.get(f"evidence?seq={seq}").status_code == 200


def test_every_event_of_a_stream_is_as_documented(app: Flask) -> None:
    events = document()["paths"]["/api/v1/events"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    answer = app.test_client().get("/api/v1/events?role=watch&tab=abcdefgh", headers=OWN)
    chunks = iter(answer.response)
    next(chunks)
    first = next(chunks)
    answer.close()
    text = first.decode() if isinstance(first, bytes) else str(first)
    name, data = (text.partition(f"{field}: ")[2].partition("\n")[0] for field in ("event", "data"))
    assert name == "view"
    assert faults(events["schema"]["x-events"][name], json.loads(data)) == []


def test_a_view_with_a_key_too_many_or_too_few_is_noticed(phone: Phone) -> None:
    view = phone.get("view").get_json()
    schema = {"$ref": "#/components/schemas/View"}
    assert faults(schema, view) == []
    assert faults(schema, {**view, "hand": []}) != []
    assert faults(schema, {key: value for key, value in view.items() if key != "expects"}) != []
    assert faults(schema, {**view, "to_move": "P9"}) != []


def test_a_route_that_states_nothing_is_noticed(app: Flask) -> None:
    assert routes_of(app)
    app.add_url_rule("/api/v1/unstated", "unstated", lambda: "anything")
    with pytest.raises(LookupError, match="/api/v1/unstated"):
        routes_of(app)
