"""Every button that ends something, tapped twice on one spot: nothing ends, and "yes" can be undone."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from playwright.sync_api import Page, Request, Route, expect

from tests.support.browsing import HOST, OpenPage, live, seated
from tests.support.page_client import PageClient
from tests.support.tables import put, wait_for
from tock_companion.club.desk import Desk
from tock_companion.club.repository import ClubRepository
from tock_companion.core.handlers import RULES
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app, serve
from tock_web.club.desk import create_desk_app, director_pin
from tock_web.describe.openapi import routes_of
from tock_web.generate import described_app
from tock_web.services import PageServices

TWICE = """(button) => {
    button.scrollIntoView({ block: "center" });
    const { x, y, width, height } = button.getBoundingClientRect();
    const [clientX, clientY] = [x + width / 2, y + height / 2];
    const tap = (node) => {
        const hit = node?.closest("button, a, summary") ?? node;
        node?.dispatchEvent(new PointerEvent("pointerdown", { clientX, clientY, bubbles: true }));
        if (!hit?.disabled) hit?.click();
    };
    tap(button);
    const again = () => tap(document.elementFromPoint(clientX, clientY));
    return new Promise((resolve) => setTimeout(() => resolve(again()), 80));
}"""
"""A tap, and 80 ms later another one at the same spot."""

ENDS = {route.path.removeprefix("/api/v1/") for route in routes_of(described_app()) if route.endpoint.ends}
REQUESTS = {rule.body.KIND for rule in RULES.values() if rule.ends}
FOR_PROGRAMS = {"new_game"}
"""No page of ours has a button for it."""
LIKE_ENDINGS = {
    "end", "forget", "remove", "revoke", "leave", "release", "shutdown", "close", "drop", "clear", "unfollow",
    "send-away", "install", "restart", "free",
}  # fmt: skip
HARMLESS = {"end_turn", "end_practice", "machine/update/forget"}
"""A turn is taken back, a practice begins and a package is uploaded again."""


@dataclass(frozen=True)
class Ending:
    """The way to a button that ends something."""

    name: str
    """The path, or the kind of the request."""
    page: str
    button: str
    opens: Sequence[str] = ()
    """Buttons before it."""
    fills: Mapping[str, str] = field(default_factory=dict)


GUEST = {
    "room": "r", "seat": "P2", "name": "Mamie", "state": "here", "seconds": 0, "round_trip_ms": 40, "cards": "drawn",
    "link": "http://x/#y", "qr": "data:,", "until_s": 2_000_000_000, "watches": False, "trouble": None,
}  # fmt: skip
FAR = {"on": True, "relay": "x", "reached": True, "boards": [], "watching": []}
OFF = {"state": "off", "sentence": None, "round_trip_ms": None}
PHONE = {"number": 1, "kind": "iPhone", "source": "camera", "here": True}
BOARD = {
    "name": "Chêne", "zones": 4, "holes": 104, "own": True, "in_use": False, "places": {},
    "colors": {f"P{n}": "black" for n in range(4)},
}  # fmt: skip
STANDING_IN: Mapping[str, object] = {
    "far": {**FAR, "seats": [GUEST], "followed": OFF},
    "boards": {"boards": [{**BOARD, "key": "oak"}]},
    "host/others": {"hosts": [{"key": "k", "name": "Tom", "here": True}]},
    "phones": {"url": "https://x", "code": "data:,", "places": 1, "may_change": True, "phones": [PHONE]},
    "membership": {"offered": True, "broker": True, "club": "Chêne", "member": True, "elsewhere": False},
    "board-maker": {
        "phase": "refused", "progress": 1, "photos": [{"width": 8, "height": 8}], "reason": "discover/no_board",
        "message": {"fr": "Aucun plateau."}, "asks": [], "board": None, "checked": None,
    },
    "programs": {"keys": [{"number": 1, "name": "Lampe", "ends_at": "2030-01-01", "scope": "read", "seat": None}]},
    "machine/doctor": {"findings": []},
    "board-maker/picture": None,
    "machine/wifi": {"radio": False},
    "machine/settings": {"file": "tock.toml", "text": "", "keys": [], "restarts": True},
    "machine/update": {
        "here": True, "pin": True, "progress": None,
        "candidate": {"version": "2", "installed": "1", "size": 9, "sha256": "0", "signer": "Chêne"},
    },
    "own-games": {
        "games": [{
            "name": "Chez nous", "ruleset": "mjc", "title": {"fr": "MJC"}, "options": {}, "changes": [], "link": "#",
            "fits": True,
        }],
    },
}  # fmt: skip
"""Answers that would take a camera, a club, another home or a new version."""

IN_A_GAME = (
    Ending("host/shutdown", "host", "#shutdown", ("open-end",)),
    Ending("host/release", "host", "#release-host", ("open-end",)),
    Ending("host/pin", "host", "#new-pin-save", ("open-pin",), {"#new-pin": "4321"}),
    Ending("host/others/end", "host", "end-host-k", ("open-pin",)),
    Ending("boards/choose", "host", "board-choose-oak", ("open-boards",)),
    Ending("boards/remove", "host", "board-remove-oak", ("open-boards", ".board-row summary")),
    Ending("board-maker/clear", "host", "maker-clear", ("open-boards", "maker-open")),
    Ending("games", "host", "game-yes", ("open-games", "game-1")),
    Ending("games/forget", "host", "[data-testid=kept-1] [data-testid=forget]", ("open-games",)),
    Ending("free_seat", "host", "free-P1", ("open-seats",)),
    Ending("prepare", "host", "#new-game", ("open-new-game",)),
    Ending("undo", "host", "propose-back", ("menu-open", "replay-open", "replay-back")),
    Ending("phones/send-away", "host", "camera-send-away-1", ("open-sources",)),
    Ending("phones/end", "host", "camera-end", ("open-sources",)),
    Ending("membership", "host", "club-leave", ("open-club",)),
    Ending("programs/end", "host", "program-end-1", ("open-programs",)),
    Ending("far/renew", "host", "far-renew", (".far-guest details:last-of-type summary",)),
    Ending("far/revoke", "host", "far-revoke", (".far-guest details:last-of-type summary",)),
    Ending("far/unfollow", "host", "far-unfollow"),
    Ending("machine/restart", "host/machine", "restart"),
    Ending("machine/update/install", "host/machine", "update-install", (), {"#update-pin": "4321"}),
    Ending("leave", "seat", "menu-leave", ("menu-open",)),
)
IN_A_LOBBY = (
    Ending("own-games/forget", "host", "own-forget", ("lobby-which",)),
    Ending("hand_host", "host", "hand-host"),
)
OF_A_DIRECTOR = (
    Ending("director/drop", "director", "do-drop"),
    Ending("director/time", "director", "do-time"),
    Ending("director/close", "director", "do-close"),
    Ending(
        "director/open",
        "director",
        "open-go",
        ("[data-testid=open-fold] > summary",),
        {"#open-name": "Coupe"},
    ),
)


def test_every_ending_is_declared_and_walked() -> None:
    """A route or request that sounds like an ending says that it is one, and the walks below reach all of them."""
    posts = {
        route.path.removeprefix("/api/v1/") for route in routes_of(described_app()) if route.method == "POST"
    }
    kinds = {rule.body.KIND for rule in RULES.values()}
    alike = {name for name in posts | kinds if LIKE_ENDINGS & set(re.split("[/_]", name))}
    assert alike - ENDS - REQUESTS == HARMLESS
    walked = {ending.name for ending in (*IN_A_GAME, *IN_A_LOBBY, *OF_A_DIRECTOR)}
    assert walked == (ENDS | REQUESTS) - FOR_PROGRAMS


def watched(page: Page) -> list[str]:
    """The endings that a page asks for from now on."""
    asked: list[str] = []

    def note(request: Request) -> None:
        path = urlsplit(request.url).path.removeprefix("/api/v1/")
        name = json.loads(request.post_data or "{}")["kind"] if path == "request" else path
        if request.method == "POST" and name in ENDS | REQUESTS:
            asked.append(name)

    page.on("request", note)
    return asked


def stood_in(page: Page, answers: Mapping[str, object]) -> None:
    """Answer some questions of the page instead of the companion."""

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path.removeprefix("/api/v1/")
        if route.request.method == "GET" and path in answers:
            route.fulfill(status=200, content_type="application/json", body=json.dumps(answers[path]))
        else:
            route.fallback()

    page.route("**/api/v1/**", answer)


def place(page: Page, name: str) -> str:
    return name if name[0] in "#.[" else f"[data-testid={name}]"


def tap_twice(page: Page, ending: Ending) -> None:
    """Go to the button, tap it twice, say yes and take that back."""
    for name in ending.opens:
        page.locator(place(page, name)).first.click()
    for name, text in ending.fills.items():
        page.locator(name).fill(text)
    node = page.locator(place(page, ending.button)).first
    if ending.button == "hand-host":
        node.select_option(index=1)
    else:
        node.evaluate(TWICE)
    expect(page.get_by_test_id("danger")).to_be_visible()
    page.get_by_test_id("danger-yes").click()
    expect(page.get_by_test_id("danger")).to_contain_text("5 secondes")
    page.get_by_test_id("danger-undo").click()
    expect(page.get_by_test_id("danger")).to_have_count(0)


@pytest.mark.browser
def test_no_double_tap_at_a_table_ends_anything(table: Table, open_page: OpenPage) -> None:
    app = create_app(table, PageServices(shut_down=lambda: False, restart=lambda: None))
    with serve(app, "127.0.0.1", 0) as running:
        site = f"http://{HOST}:{running.port}"
        phone = seated(open_page, site, "P0", "Anna")
        for asked_for in (
            parse_request("new_game", {"position": "seen"}, Role.HOST),
            parse_request("play_card", {"card": "6H"}, Role.SEAT, Seat.P0),
        ):
            assert table.request(asked_for).ok
        put(table, "T4", "T10")
        wait_for(table, lambda view: view["holes"].get("T10") == "P0" and view["to_move"] != "P0")
        asked = watched(phone)
        stood_in(phone, STANDING_IN)
        PageClient(site.replace(HOST, "127.0.0.1")).post("/api/v1/join", name="Tom", seat="P1", lang="fr")
        for ending in IN_A_GAME:
            more = {"far": {**FAR, "seats": [], "followed": {**OFF, "state": "here"}}}
            if ending.name == "far/unfollow":
                stood_in(phone, more)
            phone.goto(f"{site}/{ending.page}")
            live(phone)
            tap_twice(phone, ending)
        assert asked == []
        assert len(table.people.names()) == 2


@pytest.mark.browser
def test_no_double_tap_in_a_lobby_ends_anything(
    app: Flask, table: Table, site: str, open_page: OpenPage
) -> None:
    phone = seated(open_page, site, "P0", "Anna")
    asked = watched(phone)
    stood_in(phone, STANDING_IN)
    PageClient(site.replace(HOST, "127.0.0.1")).post("/api/v1/join", name="Tom", seat="P1", lang="fr")
    phone.goto(f"{site}/host")
    phone.evaluate(
        """() => fetch("/api/v1/request", {method: "POST", body: JSON.stringify({kind: "prepare", role: "host",
        data: {ruleset: "mjc"}}), headers: {"X-Tock": "1", "Content-Type": "application/json"}})"""
    )
    asked.clear()
    for ending in IN_A_LOBBY:
        phone.goto(f"{site}/host")
        live(phone)
        tap_twice(phone, ending)
    assert asked == []


@pytest.mark.browser
def test_no_double_tap_of_a_director_ends_anything(tmp_path: Path, open_page: OpenPage) -> None:
    with closing(ClubRepository(tmp_path)) as repository:
        app = create_desk_app(Desk(repository, "Club du Chêne"))
        with serve(app, "127.0.0.1", 0) as server:
            director = open_page(f"http://{HOST}:{server.port}/director")
            director.get_by_test_id("director-pin").fill(director_pin(app))
            director.get_by_test_id("director-enter").click()
            director.get_by_test_id("open-name").fill("Coupe")
            director.get_by_test_id("open-go").click()
            director.get_by_test_id("people-list").fill("Ana\nBéa\nChloé\nDan")
            director.get_by_test_id("people-add").click()
            expect(director.get_by_test_id("people")).to_contain_text("Inscrits : 4")
            asked = watched(director)
            director.get_by_test_id("do-pair").click()
            expect(director.get_by_test_id("pairings")).to_contain_text("Ana")
            drop, time, close, again = OF_A_DIRECTOR
            tap_twice(director, drop)
            director.get_by_test_id("do-begin").click()
            tap_twice(director, time)
            director.get_by_test_id("winner").select_option("1")
            director.get_by_test_id("result-why").fill("Abandon")
            director.get_by_test_id("result-save").click()
            expect(director.get_by_test_id("do-close")).to_be_enabled()
            tap_twice(director, close)
            tap_twice(director, again)
            assert asked == []
