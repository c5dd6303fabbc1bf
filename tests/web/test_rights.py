"""Every route and page in every role: exactly the refusals of the table in `docs/security.md`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.club import playing_desk
from tests.support.page import OWN, Phone, no_cards
from tests.support.sources import PerfectEye
from tock_companion.boardfile import generate
from tock_companion.sources.base import Source
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_vision.camera import CameraSource
from tock_web import create_app
from tock_web.club.access import CARD, DIRECTOR, DeskAccess
from tock_web.club.desk import AT_A_DESK, create_desk_app, director_pin
from tock_web.describe.rights import AT_A_TABLE, CAMERA, GUEST, HOST, PLAYER, PROGRAM, Right, rights_of
from tock_web.generate import SECURITY
from tock_web.https.camera_server import create_camera_app
from tock_web.rights.cookies import DEVICE_COOKIE, HOST_COOKIE, SEAT_COOKIE
from tock_web.routes.camera_pictures import CAMERA_COOKIE
from tock_web.services import PageServices

REFUSED = {"http/401", "http/403", "phone/not_let_in", "club/bad-code", "club/wait"}
COOKIES = (SEAT_COOKIE, HOST_COOKIE, DEVICE_COOKIE, CAMERA_COOKIE)
LAST = ("/leave", "/release", "/director/close", "/logout")
"""Requests that end the rights of who asks; they come last."""
BODIES: dict[str, dict[str, object]] = {
    "/api/v1/request": {"kind": "deal", "data": {"count": 5}},
    "/api/v1/sheet/enter": {"homes": [0, 0]},
    "/api/v1/sheet/confirm": {"result": "x", "agrees": True},
}


@dataclass
class Visitor:
    """Somebody at one of the doors."""

    party: str
    client: FlaskClient
    code: str = ""
    """That of the card of a club's table."""

    def may(self, right: Right) -> bool:
        """Ask, and say whether one was let in; what then becomes of it is another matter."""
        answer = self._asked(right)
        try:
            if right.path in ("/seat", "/cards"):
                return answer.status_code == 200
            if answer.status_code < 400 or not answer.is_json:
                return answer.status_code not in (401, 403)
            return answer.get_json()["code"] not in REFUSED
        finally:
            answer.close()

    def _asked(self, right: Right) -> TestResponse:
        site = {"base_url": "https://localhost"}
        if right.method == "GET":
            queries = {"role": right.role, "tab": "abcdefgh"} if right.role else {}
            if right.path.endswith("/view"):
                queries.pop("tab")
            return self.client.get(right.path, query_string=queries, buffered=False, **site)
        if right.path.endswith("/picture"):
            return self.client.post(
                f"{right.path}?taken_ms=1", data=b"x", headers=OWN, content_type="image/jpeg", **site
            )
        body = {**BODIES.get(right.path, {}), **({"role": right.role} if right.role else {})}
        if right.who is CARD:
            body["code"] = self.code or "AAAAAAAA"
        return self.client.post(right.path, json=body, headers=OWN, **site)


def ordered(rights: Sequence[Right]) -> list[Right]:
    return sorted(rights, key=lambda right: (right.path.endswith(LAST), right.path.endswith("/logout")))


def wrong(app: Flask, visitors: Sequence[Visitor]) -> tuple[int, list[str]]:
    """Number of cells that were tried, and those where the table and the door disagree."""
    tried, found = 0, []
    for number, visitor in enumerate(visitors, start=1):
        # One whose guesses are too many keeps nobody else waiting.
        visitor.client.environ_base["REMOTE_ADDR"] = f"10.0.0.{number}"
    for right in ordered(rights_of(app)):
        for visitor in visitors:
            tried += 1
            if visitor.may(right) is not right.may(visitor.party):
                found.append(f"{visitor.party}: {right.method} {right.path} {right.role}")
    return tried, found


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    board = generate(4, 440)
    scene = Scene(board)
    sources: list[Source] = [PerfectEye(scene), CameraSource(board, {"phone": True})]
    running = Table(board, Store(tmp_path), sources, scene=scene)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def app(table: Table) -> Flask:
    return create_app(table, PageServices(read_cards=no_cards))


@pytest.fixture
def door(app: Flask) -> Flask:
    return create_camera_app(app)


@pytest.fixture
def at_a_table(app: Flask, door: Flask) -> Callable[[Flask], list[Visitor]]:
    """The owner, a player, a guest and a phone that is a camera, each with its cookies, at one of the doors."""
    host, player, camera = Phone(app.test_client()), Phone(app.test_client()), door.test_client()
    host.post("host")
    player.sit("P1", "Bob")
    camera.post("/api/v1/phone/ask", json={}, headers=OWN, base_url="https://localhost")
    assert host.post("phones/let-in", number=1).status_code == 200
    key = host.post("programs", name="lamp").get_json()["key"]
    guest = app.test_client()
    clients = {HOST: host.client, PLAYER: player.client, CAMERA: camera, GUEST: guest, PROGRAM: guest}

    def visitors(at: Flask) -> list[Visitor]:
        found = []
        for party in AT_A_TABLE:
            client = at.test_client()
            for cookie in filter(None, map(clients[party].get_cookie, COOKIES)):
                client.set_cookie(cookie.key, cookie.value, secure=cookie.secure)
            if party is PROGRAM:
                client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {key}"
            found.append(Visitor(party, client))
        return found

    return visitors


def test_at_a_table_everybody_may_what_the_table_of_rights_says(
    app: Flask, at_a_table: Callable[[Flask], list[Visitor]]
) -> None:
    tried, found = wrong(app, at_a_table(app))
    assert found == []
    assert tried > 5 * 100


def test_on_the_camera_s_page_everybody_may_what_the_table_of_rights_says(
    door: Flask, at_a_table: Callable[[Flask], list[Visitor]]
) -> None:
    tried, found = wrong(door, at_a_table(door))
    assert found == []
    assert tried == 5 * 4


def test_at_a_club_s_desk_everybody_may_what_the_table_of_rights_says(tmp_path: Path) -> None:
    with playing_desk(tmp_path) as desk:
        app = create_desk_app(desk)
        director = app.test_client()
        director.post("/api/v1/director/login", json={"pin": director_pin(app)}, headers=OWN)
        with app.app_context():
            code = DeskAccess(desk).code_of(1, 0)
        visitors = [
            Visitor(GUEST, app.test_client()),
            Visitor(CARD.party, app.test_client(), code),
            Visitor(DIRECTOR.party, director),
        ]
        tried, found = wrong(app, visitors)
        assert found == []
        assert tried > 3 * 20


@pytest.mark.parametrize(
    ("page", "parties"),
    [("/host", {HOST}), ("/seat", {PLAYER}), ("/watch", {*AT_A_TABLE})],
)
def test_a_page_brings_the_view_of_its_role_to_those_who_may_look(
    app: Flask, at_a_table: Callable[[Flask], list[Visitor]], page: str, parties: set[str]
) -> None:
    role = page.strip("/")
    for visitor in at_a_table(app):
        text = visitor.client.get(page, follow_redirects=True).get_data(as_text=True)
        assert (f'"role":"{role}"' in text) is (visitor.party in parties), visitor.party


def test_the_documents_name_every_route_of_the_running_doors(app: Flask, door: Flask, tmp_path: Path) -> None:
    documented = SECURITY.read_text(encoding="utf-8")
    with playing_desk(tmp_path / "club") as desk:
        for at, parties in ((app, AT_A_TABLE), (door, AT_A_TABLE), (create_desk_app(desk), AT_A_DESK)):
            for right in rights_of(at):
                allowed = ", ".join(filter(right.may, parties))
                role = f" as {right.role}" if right.role else ""
                for_whom = "all" if allowed == ", ".join(parties) else allowed
                assert f"| `{right.method} {right.path}`{role} | {for_whom} |" in documented
