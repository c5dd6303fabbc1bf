"""Admission of phones as cameras, and their pictures: everybody and everything else gets one sentence."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.conforming import conforming
from tests.support.page import OWN, Phone, offer
from tests.support.tables import wait_for
from tests.vision.test_phone_camera import resized
from tock_companion.boardfile import generate
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_vision.camera import CameraSource
from tock_vision.mending.maker import BoardMaker
from tock_vision.rendering.appearance import Appearance
from tock_vision.rendering.renderer import Renderer
from tock_web import create_app
from tock_web.camera_phones import AWAY_AFTER_S, MAX_PHONES_ASKING, CameraPhones
from tock_web.context import context_of
from tock_web.https.camera_server import create_camera_app
from tock_web.limits.quotas import Quota, Quotas
from tock_web.routes.camera_pictures import CAMERA_COOKIE, MAX_PICTURE_BYTES
from tock_web.services import PageServices
from tock_web.workshop.services import WorkshopServices

BOARD = generate(4, 440)
SITE = "https://localhost"


@pytest.fixture(scope="module")
def picture() -> bytes:
    frame = Renderer(BOARD, Appearance(size_px=(640, 480))).frame([], None)
    return cv2.imencode(".jpg", frame)[1].tobytes()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    cameras = [CameraSource(BOARD, {"phone": True, "name": name}) for name in ("camera", "shelf")]
    running = Table(BOARD, Store(tmp_path), cameras)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def app(table: Table) -> Flask:
    made = create_app(table, PageServices(of_features=[WorkshopServices(BoardMaker())]))
    # However long a test takes, no phone that is here is away.
    context_of(made).phones = CameraPhones(table.choices, table.sources, lambda: 0.0)
    return made


@pytest.fixture
def host(app: Flask) -> Phone:
    phone = Phone(app.test_client())
    assert phone.post("host").status_code == 200
    return phone


@dataclass
class Lens:
    """A phone at the camera's page."""

    client: FlaskClient

    def ask(self) -> Any:
        answer = conforming(self.client.post("/api/v1/phone/ask", json={}, headers=OWN, base_url=SITE))
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    def send(self, data: bytes, taken_ms: int, **more: Any) -> TestResponse:
        path = f"/api/v1/phone/picture?taken_ms={taken_ms}"
        asked = {"headers": OWN, "content_type": "image/jpeg", "base_url": SITE, **more}
        return conforming(self.client.post(path, data=data, **asked))


@pytest.fixture
def lens(app: Flask) -> Lens:
    return Lens(create_camera_app(app).test_client())


@pytest.fixture
def other(app: Flask) -> Lens:
    return Lens(create_camera_app(app).test_client())


@pytest.fixture
def inside(lens: Lens, host: Phone) -> Lens:
    lens.ask()
    assert host.post("phones/let-in", number=1).status_code == 200
    assert lens.ask()["state"] == "let_in"
    return lens


def code(answer: TestResponse) -> tuple[int, str]:
    assert set(answer.get_json()["message"]) == {"fr", "en"}
    return answer.status_code, answer.get_json()["code"]


def now_ms(table: Table) -> int:
    """The time at the table, a later one with each call."""
    before = table.clock_ms()
    while table.clock_ms() == before:
        pass
    return table.clock_ms()


def test_a_phone_asks_and_the_host_lets_it_in(lens: Lens, host: Phone, table: Table, picture: bytes) -> None:
    assert lens.ask()["state"] == "asking"
    assert code(lens.send(picture, now_ms(table))) == (403, "phone/not_let_in")
    rows = host.get("phones").get_json()["phones"]
    assert [(row["kind"], row["source"], row["here"]) for row in rows] == [("browser", None, True)]
    assert host.post("phones/let-in", number=rows[0]["number"]).get_json()["phones"][0]["source"] == "camera"
    assert lens.ask()["state"] == "let_in"
    answer = lens.send(picture, now_ms(table)).get_json()
    assert (answer["ok"], answer["code"], answer["recording"]) == (True, "camera/waiting", False)


def test_the_phone_photographs_the_board_that_is_made(
    inside: Lens, host: Phone, table: Table, picture: bytes
) -> None:
    assert code(host.post("board-maker/frame")) == (409, "camera/no_picture")
    inside.send(picture, now_ms(table))
    wait_for(table, lambda view: table.preview() is not None)
    assert len(host.post("board-maker/frame").get_json()["photos"]) == 1


def test_an_unknown_device_gets_nothing(inside: Lens, other: Lens, table: Table, picture: bytes) -> None:
    assert code(other.send(picture, now_ms(table))) == (403, "phone/not_let_in")
    other.client.set_cookie(CAMERA_COOKIE, 32 * "0", domain="localhost", secure=True)
    assert code(other.send(picture, now_ms(table))) == (403, "phone/not_let_in")


def test_two_phones_are_two_cameras_and_a_third_waits(
    inside: Lens, other: Lens, host: Phone, app: Flask
) -> None:
    other.ask()
    assert host.post("phones/let-in", number=2).get_json()["phones"][1]["source"] == "shelf"
    third = Lens(create_camera_app(app).test_client())
    third.ask()
    assert code(host.post("phones/let-in", number=3)) == (409, "phone/no_place")
    assert host.post("phones/send-away", number=1).status_code == 200
    assert inside.ask()["state"] == "refused"
    assert host.post("phones/let-in", number=3).status_code == 200
    assert third.ask()["state"] == "let_in"


def test_a_phone_takes_the_place_of_one_that_is_away() -> None:
    clock = [0.0]
    phones = CameraPhones(Kept(), [CameraSource(BOARD, {"phone": True})], lambda: clock[0])
    phones.ask("a", "iPhone")
    assert phones.let_in(1)
    phones.ask("b", "Android")
    assert not phones.let_in(2)
    clock[0] += AWAY_AFTER_S + 1
    phones.ask("b", "Android")
    assert phones.let_in(2)
    assert [phone.kind for phone in phones.listed()] == ["Android"]


def test_a_phone_that_was_let_in_is_so_after_a_restart(table: Table, inside: Lens, picture: bytes) -> None:
    again = Lens(create_camera_app(create_app(table)).test_client())
    cookie = inside.client.get_cookie(CAMERA_COOKIE, domain="localhost")
    assert cookie is not None
    again.client.set_cookie(CAMERA_COOKIE, cookie.value, domain="localhost", secure=True)
    assert again.ask()["state"] == "let_in"
    assert again.send(picture, now_ms(table)).status_code == 200


def test_the_secret_of_a_phone_is_kept_nowhere(table: Table, inside: Lens, tmp_path: Path) -> None:
    cookie = inside.client.get_cookie(CAMERA_COOKIE, domain="localhost")
    assert cookie is not None
    assert cookie.secure
    assert cookie.http_only
    assert not [path for path in tmp_path.iterdir() if cookie.value.encode() in path.read_bytes()]


def test_phones_that_stopped_asking_are_forgotten() -> None:
    clock = [0.0]
    phones = CameraPhones(Kept(), [CameraSource(BOARD, {"phone": True})], lambda: clock[0])
    for number in range(100):
        phones.ask(str(number), "browser", f"10.0.0.{number}")
    assert len(phones.listed()) == MAX_PHONES_ASKING
    clock[0] += 60
    assert phones.listed() == []


def test_made_up_phones_keep_the_real_one_out_of_nobody_s_list() -> None:
    phones = CameraPhones(Kept(), [CameraSource(BOARD, {"phone": True})])
    for number in range(8):
        phones.ask(f"made up {number}", "browser", "10.0.0.66")
    phones.ask("real", "iPhone", "10.0.0.1")
    assert [phone.kind for phone in phones.listed()].count("iPhone") == 1
    for number in range(100):
        # The same from half as many addresses as the list has places.
        phones.ask(f"more {number}", "browser", f"10.0.1.{number % (MAX_PHONES_ASKING // 2)}")
    phones.ask("another", "Android", "10.0.0.2")
    assert {"iPhone", "Android"} <= {phone.kind for phone in phones.listed()}
    assert len(phones.listed()) <= MAX_PHONES_ASKING


def test_times_that_cannot_be_are_refused_with_a_sentence(inside: Lens, table: Table, picture: bytes) -> None:
    now = now_ms(table) + 10_000
    table_ms = now_ms(table)
    assert code(inside.send(picture, now)) == (409, "phone/future")
    assert inside.send(picture, table_ms).status_code == 200
    assert code(inside.send(picture, table_ms)) == (409, "phone/backwards")
    assert code(inside.send(picture, max(0, table_ms - 1))) == (409, "phone/backwards")
    assert inside.send(picture, -1).status_code == 400
    assert (
        inside.client.post(
            "/api/v1/phone/picture", data=picture, headers=OWN, content_type="image/jpeg", base_url=SITE
        ).status_code
        == 400
    )


def test_a_picture_that_comes_late_is_left_out(inside: Lens, table: Table, picture: bytes) -> None:
    phones = CameraPhones(Kept(), table.sources)
    phones.ask("a", "iPhone")
    assert phones.let_in(1)
    with pytest.raises(Exception, match="phone/late"):
        phones.take("a", 1000, 7000)


def test_a_bad_picture_is_refused_with_a_sentence(inside: Lens, table: Table, picture: bytes) -> None:
    for data in (b"", b"hello", picture[:500], resized(picture, 20_000, 20_000)):
        assert code(inside.send(data, now_ms(table))) == (422, "phone/no_picture")
    huge = inside.send(picture + (MAX_PICTURE_BYTES + 1) * b"\0", now_ms(table))
    assert code(huge) == (413, "http/413")
    assert code(inside.send(picture, now_ms(table), content_type="image/png")) == (415, "http/415")


def test_more_pictures_a_second_than_a_camera_takes_are_too_many(inside: Lens, app: Flask) -> None:
    # A share that is not renewed while a busy machine answers.
    app.extensions["tock"].quotas = Quotas(pictures=Quota(burst=3, per_s=1 / 60))
    assert [inside.send(b"x", 0).status_code == 429 for _ in range(5)] == [False] * 3 + [True] * 2


def test_another_site_can_neither_ask_nor_send(
    lens: Lens, inside: Lens, table: Table, picture: bytes
) -> None:
    foreign = {"Origin": "https://evil.example", **OWN}
    assert inside.send(picture, now_ms(table), headers=foreign).status_code == 403
    assert lens.client.post("/api/v1/phone/ask", base_url=SITE).status_code == 403
    assert lens.client.get("/camera", base_url="https://evil.example").status_code == 421


def test_nothing_of_the_tables_own_page_is_served_beside_it(lens: Lens, app: Flask) -> None:
    for path in ("/host", "/seat", "/api/v1/view", "/api/v1/phones", "/api/v1/preview"):
        assert lens.client.get(path, base_url=SITE).status_code == 404
    assert lens.client.get("/", base_url=SITE).headers["Location"] == "/camera"
    plain = app.test_client()
    assert plain.post("/api/v1/phone/ask", json={}, headers=OWN).status_code == 404
    assert plain.get("/camera").headers["Location"] == "/"
    offer(app, camera_port=lambda: 8443)
    assert plain.get("/camera", headers={"Host": "192.168.1.5:8080"}).headers["Location"] == (
        "https://192.168.1.5:8443/camera"
    )


class Kept:
    """Choices without a disk."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}

    def get(self, name: str) -> object:
        return self.values.get(name)

    def keep(self, name: str, value: object) -> None:
        self.values[name] = value
