"""The page and a seat far away: every right of it, and the one document that a relay sends."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.far import FarGuest, LineInMemory, far_home
from tests.support.page import OWN, Phone, catalog, offer
from tests.support.people import png
from tests.support.tables import wait_for
from tock_companion import __version__
from tock_companion.core.bodies import BODIES
from tock_companion.core.requests import Role
from tock_companion.far.tunnel import Tunnel
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app
from tock_web.assets import all_assets, assets
from tock_web.far.home import FarServices
from tock_web.far.phone import ASK, KINDS, OF_REAL_CARDS, READ, FarPhone
from tock_web.relay.page import far_page
from tock_web.services import PageServices
from tock_web.serving.tock_flask import TockFlask

DEVICE = "d" * 32
REFUSED = {(404, "far/nowhere"), (403, "not_allowed")}


@pytest.fixture
def grandmother(app: Flask) -> FarPhone:
    phone = FarPhone(app, Seat.P1, DEVICE, "Mamie")
    assert phone.call("POST", "join", {}, {"name": "Mamie", "lang": "fr"}).status == 200
    return phone


@pytest.fixture
def home(table: Table, app: Flask, tmp_path: Path) -> Iterator[tuple[Tunnel, LineInMemory]]:
    with far_home(table, app, tmp_path) as running:
        offer(app, of_features=[FarServices(running[0])])
        yield running


def is_refused(phone: FarPhone, method: str, path: str, **body: object) -> bool:
    found = phone.call(method, path, {}, body)
    assert isinstance(found.data, dict)
    return (found.status, found.data.get("code")) in REFUSED


def test_every_route_that_is_not_on_the_list_is_refused(app: Flask, grandmother: FarPhone) -> None:
    tried = 0
    for rule in app.url_map.iter_rules():
        path = rule.rule.removeprefix("/api/v1/")
        for method in (rule.methods or set()) & {"GET", "POST"}:
            if path not in (READ if method == "GET" else ASK):
                tried += 1
                assert is_refused(grandmother, method, path), (method, path)
    assert tried > 80
    routes = {rule.rule for rule in app.url_map.iter_rules()}
    assert {f"/api/v1/{path}" for path in (*READ, *ASK)} <= routes
    for method, path in (
        ("DELETE", "session"),
        ("GET", "../host"),
        ("GET", "/api/v1/host"),
        ("POST", "host/"),
    ):
        assert is_refused(grandmother, method, path)


def test_only_the_requests_of_a_seat_pass_and_only_in_its_own_name(grandmother: FarPhone) -> None:
    assert set(BODIES) >= {*KINDS, OF_REAL_CARDS}
    for kind in BODIES.keys() - KINDS:
        assert is_refused(grandmother, "POST", "request", kind=kind, data={}), kind
    for kind in KINDS:
        assert is_refused(grandmother, "POST", "request", kind=kind, data={}, role="host"), kind
        assert not is_refused(grandmother, "POST", "request", kind=kind, data={}), kind
    no_kinds: tuple[Any, ...] = ([[]], {}, None, 7)
    for no_kind in no_kinds:
        assert is_refused(grandmother, "POST", "request", kind=no_kind, data={}), no_kind
    for other in ("P0", "P2"):
        found: Any = grandmother.call("POST", "join", {}, {"name": "Mamie", "lang": "fr", "seat": other}).data
        assert found["code"] == "seat_taken"
    for role in ("host", "HOST", "seat,host"):
        assert grandmother.call("GET", "view", {"role": role}).status == 403
    assert grandmother.call("GET", "view", {"role": "seat"}).status == 200


def test_with_real_cards_the_hand_may_be_entered_and_with_drawn_ones_not(grandmother: FarPhone) -> None:
    hand = {"kind": "hand_set", "data": {"cards": ["9H"]}}
    assert grandmother.call("POST", "request", {}, hand).status == 403
    grandmother.cards = "real"
    assert grandmother.call("POST", "request", {}, hand).status == 200


def test_nobody_far_away_is_host_although_they_sit_down_first(table: Table, grandmother: FarPhone) -> None:
    assert table.host_seat is None
    table.hand_host(Seat.P1)
    session: Any = grandmother.call("GET", "session").data
    assert (session["host"], session["other_hosts"]) == (False, [])


def test_the_host_invites_renews_and_revokes(
    table: Table, home: tuple[Tunnel, LineInMemory], phone: Phone, other_phone: Phone
) -> None:
    phone.sit("P0")
    assert other_phone.get("far").status_code == 403
    assert other_phone.post("far/invite", seat="P1").status_code == 403
    assert phone.post("far/invite", seat="P0").get_json()["code"] == "seat_taken"
    answer = phone.post("far/invite", seat="P1", name="Mamie").get_json()
    (row,) = answer["seats"]
    assert (row["seat"], row["state"], row["name"], row["round_trip_ms"]) == ("P1", "waiting", "Mamie", None)
    assert row["qr"].startswith("data:image/svg+xml")
    guest = FarGuest(home[1], row["link"])
    assert guest.hello() is None
    assert guest.call("GET", "session")[1]["invited"] == {
        "seat": "P1",
        "by": "Anna",
        "name": "Mamie",
        "watches": False,
        "has_come": False,
    }
    renewed = phone.post("far/renew", room=row["room"]).get_json()["seats"]
    assert renewed[0]["link"] != row["link"]
    assert phone.post("far/revoke", room=row["room"]).get_json()["code"] == "far/ended"
    assert phone.post("far/revoke", room=renewed[0]["room"]).get_json()["seats"] == []
    assert phone.post("far/invite", seat=None).get_json()["boards"][0]["seat"] is None


def test_without_a_relay_place_the_host_reads_so(phone: Phone) -> None:
    phone.sit("P0")
    answer = phone.get("far").get_json()
    assert (answer["on"], answer["seats"], answer["boards"]) == (False, [], [])
    assert phone.post("far/invite", seat="P1").get_json()["code"] == "far/off"
    assert phone.post("far/sign", sign="clap").status_code == 404


def test_a_photographed_hand_goes_to_the_phone_far_away_alone(table: Table, tmp_path: Path) -> None:
    read = [
        {"likely": ["9H"], "confidence": 0.99},
        {"likely": ["KS"], "confidence": 0.98},
        {"likely": [], "confidence": 0.1},
    ]
    app = create_app(table, PageServices(read_cards=lambda _data: read))
    at_home = Phone(app.test_client()).sit("P0")
    with far_home(table, app, tmp_path) as (tunnel, line):
        guest = FarGuest(line, tunnel.invite(Seat.P1, cards="real").link)
        assert guest.hello() is None
        guest.call("POST", "join", body={"name": "Mamie", "lang": "fr"})
        wait_for(table, lambda view: view["far"] and view["far"]["seats"]["P1"]["state"] == "here")
        answer = at_home.client.post(
            "/api/v1/far/hand?seat=P1", data=png(48, 32), headers=OWN, content_type="image/png"
        )
        assert answer.get_json() == {"ok": True, "read": 2, "unread": 1}
        hand: Any = guest.call("GET", "view", query={"role": "seat"})[1]["hand"]
        assert [card["card"] for card in hand["cards"]] == ["9H", "KS"]
        assert hand["missing"] == 1
        assert "9H" not in str(table.view(Role.TABLE))
        refused = at_home.client.post(
            "/api/v1/far/hand?seat=P0", data=png(48, 32), headers=OWN, content_type="image/png"
        )
        assert refused.get_json()["code"] == "far/hand-drawn"


def test_nothing_of_it_is_loaded_where_no_relay_place_is_set() -> None:
    script = (
        "import sys, tock_app.service.companion; "
        "print([name for name in sys.modules if name.startswith(('tock_companion.far', 'tock_web.far.phone', 'paho'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_onlooker_far_away_is_named_gives_signs_and_asks_for_nothing_else(
    table: Table, home: tuple[Tunnel, LineInMemory], phone: Phone
) -> None:
    phone.sit("P0")
    (row,) = phone.post("far/invite", seat=None, watches=True).get_json()["watching"]
    guest = FarGuest(home[1], row["link"])
    assert guest.hello() is None
    invited = guest.call("GET", "session")[1]["invited"]
    assert (invited["watches"], invited["has_come"], invited["by"]) == (True, False, "Anna")
    assert guest.call("POST", "join", body={"name": " "})[0] == 400
    assert guest.call("POST", "join", body={"name": "Odette"})[0] == 200
    watched = wait_for(table, lambda view: bool(view["far"] and view["far"]["watching"]))
    assert list(watched["far"]["watching"]["names"]) == ["Odette"]
    assert watched["far"]["watching"]["sentence"]["fr"] == "Odette regarde."
    assert guest.call("GET", "view", query={"role": "watch"})[0] == 200
    refused = [("GET", "view", {"role": "seat"}), ("GET", "hints", {}), ("POST", "request", {})]
    assert [guest.call(method, path, query=query)[0] for method, path, query in refused] == [403, 403, 403]
    assert guest.call("POST", "far/sign", body={"sign": "heart"})[0] == 200
    signed = wait_for(table, lambda view: bool(view["far"]["sign"]))["far"]["sign"]
    assert (signed["seat"], signed["name"], signed["sign"]) == (None, "Odette", "heart")
    phone.post("far/revoke", room=row["room"])
    wait_for(table, lambda view: view["far"] is None)


def test_onlookers_at_home_are_counted_while_their_pages_are_open(table: Table, app: Flask) -> None:
    opened = [
        app.test_client().get(f"/api/v1/events?role=watch&tab=tab-of-{number}", headers=OWN, buffered=False)
        for number in range(2)
    ]
    two = wait_for(table, lambda view: bool(view["far"] and view["far"]["watching"]["others"] == 2))
    assert two["far"]["watching"]["sentence"]["en"] == "2 people are looking on."
    for answer in opened:
        answer.close()
    wait_for(table, lambda view: view["far"] is None)


def test_a_seat_with_an_invitation_out_is_given_to_somebody_else_only_when_they_ask_twice(
    table: Table, home: tuple[Tunnel, LineInMemory], phone: Phone, other_phone: Phone
) -> None:
    phone.sit("P0")
    phone.post("far/invite", seat="P1", name="Odette")
    awaited = wait_for(table, lambda view: view["seats"][1]["name"] == "Odette")
    assert not awaited["seats"][1]["taken"]
    assert "Odette" in awaited["far"]["seats"]["P1"]["sentence"]["fr"]
    wanted = {"name": "Ben", "seat": "P1", "lang": "fr"}
    refused = other_phone.post("join", **wanted).get_json()
    assert refused["code"] == "seat_invited"
    assert "Odette" in refused["message"]["fr"]
    assert other_phone.post("join", **wanted, anyway=True).status_code == 200
    assert table.people.names()[Seat.P1] == "Ben"


@pytest.fixture
def relay() -> FlaskClient:
    """The page alone, without a relay around it."""
    app = TockFlask("tock_web", static_folder=None)
    for blueprint in (assets, far_page):
        app.register_blueprint(blueprint)
    return app.test_client()


def test_a_far_phone_gets_one_document_that_knows_of_no_table(relay: FlaskClient) -> None:
    answer = relay.get("/far", headers={"Accept-Language": "en"}, base_url="https://relay.example")
    assert answer.status_code == 200
    assert catalog("en")["far.name"] in answer.text
    assert __version__ in answer.text
    assert "/api/v1/qr.svg" not in answer.text
    assert re.search(r'href="/(sim|host|watch|table|guide|card)"', answer.text) is None
    assert "connect-src 'self' wss://relay.example;" in answer.headers["Content-Security-Policy"]
    for part in re.findall(r'(?:href|src)="(/static/[^"]+)"', answer.text):
        assert relay.get(part).status_code == 200, part


def test_every_word_and_icon_of_the_far_document_exists(relay: FlaskClient) -> None:
    text, words = relay.get("/far").text, catalog("fr")
    for key in re.findall(r'data-t="([^"]+)"', text):
        assert key in words, key
    there = set(re.findall(r'<symbol id="(i-[a-z]+)"', text))
    assert there >= set(re.findall(r'href="#(i-[a-z]+)"', text))


def test_the_start_of_a_relay_place_leads_to_the_page(relay: FlaskClient) -> None:
    assert relay.get("/").headers["Location"] == "/far"


def test_the_broker_client_is_fetched_by_nobody_else() -> None:
    callers = [path for path, asset in all_assets().items() if b"vendor/u8-mqtt.js" in asset.plain]
    assert sorted(callers) == ["js/bundle/far.js", "js/far/broker.js"]
