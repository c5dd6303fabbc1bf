"""A hostile page in a guest's browser, or a curious guest, gets nothing."""

import json
import re
import socket
import sqlite3
from base64 import b64encode
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.page import OWN, Phone
from tests.support.waiting import until
from tock_app.service.control import ControlServer
from tock_app.service.diagnosis import network_of_table
from tock_companion.core.requests import Role
from tock_companion.health import Finding, Level, sentence
from tock_companion.language import LANGUAGES
from tock_companion.storage.files import DATABASE_NAME
from tock_companion.table.runtime.live import Table
from tock_web import create_app
from tock_web.limits.pin_attempts import (
    PIN_WINDOW_S,
    PROVED_PIN_TRIES,
    STRANGERS_PIN_TRIES,
    TRIES_OF_ONE,
    TRIES_OF_ONE_S,
)
from tock_web.services import PageServices
from tock_web.serving.gate import ENDPOINT
from tock_web.serving.security import HostRule

GET_ROUTES = ["/", "/watch", "/host", "/sim", "/api/v1/view", "/api/v1/session", "/api/v1/board"]


def test_the_page_about_safety_says_how_often_a_pin_may_be_tried() -> None:
    page = (Path(__file__).parents[2] / "docs" / "security.md").read_text(encoding="utf-8")
    words_of_page = " ".join(page.split())
    words = {5: "five", 30: "thirty"}
    assert (
        f"One address has {words[TRIES_OF_ONE]} attempts at the PIN in {words[TRIES_OF_ONE_S // 60]} minutes"
        in words_of_page
    )
    assert f"all together have {words[STRANGERS_PIN_TRIES]} in an hour" in words_of_page
    assert f"they have {words[sum(PROVED_PIN_TRIES.values())]} more between them" in words_of_page
    assert PIN_WINDOW_S == 3600


@pytest.mark.whole
@pytest.mark.parametrize(
    "host",
    ["192.168.1.50:8080", "10.0.0.7", "[fe80::1]:8080", "localhost:8080", "tock.local", "TOCK.local:80"],
)
def test_addresses_and_own_names_are_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/api/v1/health", headers={"Host": host}).status_code == 200


@pytest.mark.whole
@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "tock.local.evil.example", "192.168.1.50.evil.example", "", "[", "a:b:c"),
        *("evil.com@localhost", "[::1].evil.com", "localhost:80:80", "localhost/x", "local host", "[::1"),
        "localhost:",
    ],
)
def test_any_other_name_is_refused_on_every_page(client: FlaskClient, host: str) -> None:
    for path in GET_ROUTES:
        assert client.get(path, headers={"Host": host}).status_code in (400, 421), path


def test_names_of_the_settings_are_answered(table: Table) -> None:
    named = create_app(table, PageServices(host_names=("spieltisch.home",)))
    assert named.test_client().get("/api/v1/health", headers={"Host": "spieltisch.home"}).status_code == 200


def test_the_own_name_of_the_machine_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tock_web.serving.security.gethostname", lambda: "Salon.lan")
    rule = HostRule.of()
    assert rule.allows("salon.local:8080")
    assert rule.allows("salon")
    assert not rule.allows("kitchen.local")
    for ending in ("lan", "home", "home.arpa", "localdomain", "internal", "fritz.box"):
        assert rule.allows(f"salon.{ending}:8080")
        assert not rule.allows(f"kitchen.{ending}")
    for name in (
        "salon.box",
        "salon.com",
        "salon.lan.evil.com",
        "evil.salon.lan",
        "salon.evil.lan",
        "xsalon.lan",
    ):
        assert not rule.allows(name)


@pytest.mark.parametrize(
    ("announced", "host", "is_ours"),
    [
        ("salon-2.local", "salon-2.local:8080", True),
        ("salon-2.local", "Salon-2.local.", True),
        ("salon-2.local", "salon-3.local", False),
        ("salon-2.local", "salon-2.lan", False),
        ("", "salon-2.local", False),
        ("evil.com", "evil.com", False),
    ],
)
def test_a_numbered_name_is_ours_where_the_network_gave_it(
    monkeypatch: pytest.MonkeyPatch, announced: str, host: str, is_ours: bool
) -> None:
    monkeypatch.setattr("tock_web.serving.security.gethostname", lambda: "salon")
    assert HostRule.of(avahi_name=lambda: announced).allows(host) is is_ours


@pytest.mark.parametrize(
    ("path", "host", "status"),
    [
        ("/", "evil.example", 421),
        ("/", "\u00b2:\u00b2", 421),
        ("/nowhere", "localhost", 404),
        ("/replay", "localhost", 404),
        ("/api/v1/nowhere", "localhost", 404),
        ("/api/v1/view?role=host", "localhost", 403),
        ("/api/v1/view?role=x", "localhost", 400),
        ("/api/v1/join", "localhost", 405),
    ],
)
def test_a_window_shows_a_page_in_both_languages_and_a_script_gets_json(
    client: FlaskClient, path: str, host: str, status: int
) -> None:
    window = client.get(path, headers={"Host": host, "Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert window.status_code == status
    assert window.mimetype == "text/html"
    assert 'lang="fr"' in window.text
    assert 'lang="en"' in window.text
    assert "evil.example" not in window.text
    assert ("http://" in window.text) == (status == 421), "the table's own address, where this one is not"
    style = re.findall("<style>(.*?)</style>", window.text)[0]
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in window.headers["Content-Security-Policy"]
    assert "#f6efe1" in style, "paper by day"
    assert "#15130f" in style, "and by night"
    script = client.get(path, headers={"Host": host, "Accept": "*/*"})
    assert (script.status_code, script.mimetype) == (status, "application/json")


def test_a_proxy_that_changes_the_host_is_named(client: FlaskClient) -> None:
    """Another site's page cannot send our header: only a proxy makes the two differ."""
    foreign = {"Origin": "https://tock.example"}
    named = client.post("/api/v1/host", headers={**OWN, **foreign})
    assert (named.status_code, named.get_json()["code"]) == (403, "http/proxy")
    assert client.post("/api/v1/host", headers=foreign).get_json()["code"] == "http/403"


def test_a_phone_and_the_doctor_name_faults_of_the_network_that_the_phone_has_met(
    client: FlaskClient, table: Table, tmp_path: Path
) -> None:
    assert table.network_troubles() == []
    client.post("/api/v1/host", headers={**OWN, "Origin": "https://tock.example"})
    held = client.get("/api/v1/view?held=true").get_json()
    assert [note["code"] for note in held["health"]] == ["held_back"]
    assert client.get("/api/v1/view").get_json()["health"] == [], "others are not bothered"
    table.note_name("oak", is_doubled=True)
    until(lambda: len(table.network_troubles()) == 3)
    line = ControlServer(
        tmp_path, lambda *_: {"troubles": " ".join(table.network_troubles())}, lambda _: None
    )
    found = [finding.code for finding in network_of_table(tmp_path)]
    line.close()
    assert found == ["network/held_back", "network/host_changed", "network/same_name"]
    for lang in LANGUAGES:
        assert all(sentence(Finding("network", code, Level.WARNING), lang)[1] for code in found)


def test_a_table_that_hangs_does_not_hold_up_the_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tock_app.service.diagnosis.ANSWER_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        (tmp_path / "running.json").write_text(json.dumps({"pid": 1, "port": port, "key": "x"}))
        assert list(network_of_table(tmp_path)) == []


def test_a_proxy_is_asked_to_hold_no_stream_back(client: FlaskClient) -> None:
    answer = client.get("/api/v1/events?tab=abcdefgh", buffered=False)
    assert answer.headers["X-Accel-Buffering"] == "no"
    answer.close()


@pytest.mark.whole
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {**OWN, "Sec-Fetch-Site": "cross-site"},
        {**OWN, "Sec-Fetch-Site": "same-site"},
        {**OWN, "Origin": "http://evil.example"},
        {**OWN, "Origin": "null"},
        *({**OWN, "Origin": f"http://{site}"} for site in ("localhost:9999", "[evil", "evil@localhost")),
        *({**OWN, "Origin": site} for site in ("//localhost", "localhost")),
    ],
)
def test_a_change_that_another_site_asks_for_is_refused(app: Flask, headers: dict[str, str]) -> None:
    for rule in app.url_map.iter_rules():
        if "POST" in (rule.methods or ()):
            answer = app.test_client().post(rule.rule, json={"name": "x", "seat": "P0"}, headers=headers)
            assert answer.status_code == 403, rule.rule


def test_a_change_from_the_own_page_is_taken(client: FlaskClient) -> None:
    headers = {**OWN, "Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}
    answer = client.post("/api/v1/join", json={"name": "Anna", "seat": "P0"}, headers=headers)
    assert answer.status_code == 200


ASKED = {"role": "host", "number": 1, "seq": 1, "ruleset": "mjc", "tab": "abcdefgh", "name": "", "lang": "fr"}
"""A value for each key that a query may have."""


OF_ITSELF = frozenset({"revision", "t_ms", "sources"})
"""Parts of a view that change while nobody asks for anything."""


def kept(table: Table, folder: Path) -> tuple[object, ...]:
    """Everything that a request might change: the disk, the host's view, the seats."""
    with closing(sqlite3.connect(f"file:{folder / DATABASE_NAME}?mode=ro", uri=True)) as database:
        rows = tuple(database.iterdump())
    view = {name: value for name, value in table.view(Role.HOST).items() if name not in OF_ITSELF}
    return rows, view, table.people.names(), table.people.requests(), sorted(folder.rglob("*"))


@pytest.mark.whole
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_nothing_is_changed_by_a_get(
    app: Flask, table: Table, phone: Phone, other_phone: Phone, tmp_path: Path, method: str
) -> None:
    phone.sit("P0", "Anna")
    phone.post("host")
    other_phone.post("join/ask", name="Zoé", seat="P0")
    phone.get("view?role=host")
    before, tried = kept(table, tmp_path), 0
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.arguments:
            continue
        stated = getattr(app.view_functions[rule.endpoint], ENDPOINT, None)
        query = stated.query.model_fields if stated is not None and stated.query is not None else {}
        asked = {name: ASKED[name] for name in query if name in ASKED}
        for headers in ({}, OWN):
            with phone.client.open(rule.rule, method=method, query_string=asked, headers=headers) as answer:
                assert answer.status_code < 500, rule.rule
            tried += 1
    assert tried > 50
    assert kept(table, tmp_path) == before
    assert phone.get("session").get_json()["seat"] == "P0"


@pytest.mark.whole
def test_no_route_that_changes_something_answers_a_get(app: Flask, phone: Phone) -> None:
    phone.sit("P0", "Anna")
    for rule in app.url_map.iter_rules():
        methods = rule.methods or set()
        assert methods <= {"GET", "HEAD", "OPTIONS"} or methods <= {"POST", "OPTIONS"}, rule.rule


@pytest.mark.whole
@pytest.mark.parametrize("path", [*GET_ROUTES, "/static/css/base.css", "/nowhere"])
def test_every_answer_is_sealed(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in headers


def test_views_are_never_stored(client: FlaskClient) -> None:
    assert client.get("/api/v1/view").headers["Cache-Control"] == "no-store"


@pytest.mark.whole
@pytest.mark.parametrize("path", ["/", "/watch", "/host", "/sim", "/card"])
def test_pages_have_no_code_and_no_style_of_their_own(client: FlaskClient, path: str) -> None:
    text = client.get(path).text
    # A block of data is no code: browsers do not run it.
    assert not re.search(r"""<script(?![^>]*\b(?:src=|type="application/json"))""", text)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", text)


def test_the_secret_of_a_seat_is_out_of_reach_of_scripts(phone: Phone) -> None:
    cookie = phone.post("join", name="Anna", seat="P0").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert re.search(r"tock_seat=[0-9a-f]{32};", cookie)


def test_the_secret_is_in_no_answer(phone: Phone, other_phone: Phone) -> None:
    token = phone.sit("P0").client.get_cookie("tock_seat").value  # type: ignore[union-attr]
    for path in ("view", "session", "view?role=watch", "health"):
        assert token not in other_phone.get(path).text
        assert token not in phone.get(path).text


def test_a_made_up_secret_opens_nothing(client: FlaskClient) -> None:
    client.set_cookie("tock_seat", "0" * 32)
    client.set_cookie("tock_host", "0" * 32)
    assert client.get("/api/v1/view?role=seat").status_code == 401
    assert client.get("/api/v1/view?role=host").status_code == 403
    answer = client.post("/api/v1/request", json={"kind": "pause", "role": "host"}, headers=OWN)
    assert answer.status_code == 403


def test_guessing_secrets_makes_the_address_wait(client: FlaskClient) -> None:
    codes = []
    for number in range(80):
        client.set_cookie("tock_seat", f"{number:032x}")
        codes.append(client.get("/api/v1/view?role=seat").status_code)
    assert codes[0] == 401
    assert codes[-1] == 429


@pytest.mark.whole
@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static//etc/passwd",
        "/static/..\\app.py",
    ],
)
def test_no_path_leads_out_of_the_static_files(client: FlaskClient, path: str) -> None:
    assert client.get(path, follow_redirects=True).status_code == 404
