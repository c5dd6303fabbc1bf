"""Identities: secrets count on their own device, nobody guesses a PIN, and no host is locked out."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.page import OWN, Phone
from tests.support.tables import BOARD
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app
from tock_web.limits.quotas import Quota, Quotas
from tock_web.services import PageServices

pytestmark = pytest.mark.usefixtures("quick_pins")
PIN = "4711"


def copied(app: Flask, phone: Phone, *names: str) -> Phone:
    """Another device with some of a phone's cookies."""
    thief = Phone(app.test_client())
    for name in names:
        cookie = phone.client.get_cookie(name)
        assert cookie is not None
        thief.client.set_cookie(name, cookie.value)
    return thief


@pytest.mark.parametrize("other", [(), ("tock_device",)], ids=["no device", "another device"])
def test_the_secret_of_a_seat_opens_nothing_on_another_device(
    app: Flask, phone: Phone, other_phone: Phone, other: tuple[str, ...]
) -> None:
    phone.sit("P0", "Anna")
    other_phone.sit("P1", "Bob")
    thief = copied(app, phone, "tock_seat")
    for name in other:
        cookie = other_phone.client.get_cookie(name)
        assert cookie is not None
        thief.client.set_cookie(name, cookie.value)
    assert thief.get("view?role=seat").status_code == 401
    assert thief.post("request", kind="deal", data={}).status_code == 401
    assert thief.post("leave").status_code == 200
    assert phone.get("view?role=seat").status_code == 200


def test_the_secret_of_the_host_opens_nothing_on_another_device(app: Flask, phone: Phone) -> None:
    phone.post("host")
    thief = copied(app, phone, "tock_host")
    assert thief.get("view?role=host").status_code == 403
    assert thief.post("host/release").status_code == 200
    assert phone.get("view?role=host").status_code == 200


def test_every_change_of_rights_makes_a_new_secret_and_ends_the_old_one(app: Flask, phone: Phone) -> None:
    phone.sit("P0")
    before = copied(app, phone, "tock_seat", "tock_device")
    phone.post("leave")
    phone.sit("P0")
    assert before.get("view?role=seat").status_code == 401
    phone.post("host")
    before = copied(app, phone, "tock_host", "tock_device")
    phone.post("host/release")
    phone.post("host")
    assert before.get("view?role=host").status_code == 403
    assert phone.get("view?role=host").status_code == 200


def cookie(phone: Phone, name: str) -> str:
    kept = phone.client.get_cookie(name)
    assert kept is not None
    return kept.value


def test_secrets_that_are_old_are_replaced_and_open_nothing_once_the_new_one_is_used(
    app: Flask, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.sit("P0", "Anna")
    phone.post("host")
    thief = copied(app, phone, "tock_seat", "tock_host", "tock_device")
    assert phone.post("request", kind="deal", data={"count": 5}).status_code == 200
    assert cookie(phone, "tock_seat") == cookie(thief, "tock_seat"), "it is not old yet"
    monkeypatch.setattr("tock_companion.table.seats.identity.RENEW_S", 0.0)
    monkeypatch.setattr("tock_web.rights.host_secrets.RENEW_S", 0.0)
    phone.get("view?role=seat")
    assert cookie(phone, "tock_seat") == cookie(thief, "tock_seat"), "a GET changes nothing"
    assert phone.post("request", kind="deal", data={"count": 5}).status_code == 200
    monkeypatch.undo()
    for name in ("tock_seat", "tock_host"):
        assert cookie(phone, name) != cookie(thief, name)
    # Whoever did not get the answer goes on with the old one.
    assert thief.get("view?role=seat").status_code == 200
    assert thief.get("view?role=host").status_code == 200
    assert phone.get("view?role=seat").status_code == 200
    assert phone.get("view?role=host").status_code == 200
    assert thief.get("view?role=seat").status_code == 401
    assert thief.get("view?role=host").status_code == 403


def test_a_replaced_secret_holds_the_seat_through_a_restart(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = "f" * 32
    ticket = table.people.join("Anna", Seat.P0, device=device).ticket
    assert ticket is not None
    monkeypatch.setattr("tock_companion.table.seats.identity.RENEW_S", 0.0)
    renewed = table.people.renew(ticket.token, device)
    assert renewed is not None
    assert table.people.renew(renewed.token, "e" * 32) is None
    table.stop()
    again = Table(BOARD, Store(tmp_path))
    assert again.people.holder(renewed.token, device) is Seat.P0
    assert again.people.holder(ticket.token, device) is None
    again.stop()


def test_an_old_secret_opens_nothing_of_the_next_player(
    app: Flask, phone: Phone, other_phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.sit("P0", "Anna")
    old = copied(app, phone, "tock_seat", "tock_device")
    monkeypatch.setattr("tock_companion.table.seats.identity.RENEW_S", 0.0)
    assert phone.post("request", kind="deal", data={"count": 5}).status_code == 200
    assert phone.post("leave").status_code == 200
    other_phone.sit("P0", "Zoé")
    assert old.get("view?role=seat").status_code == 401


def test_the_rights_of_the_host_end_with_the_cookie(app: Flask, phone: Phone) -> None:
    phone.post("host")
    assert phone.get("view?role=host").status_code == 200
    phone.client.delete_cookie("tock_host")
    assert phone.get("view?role=host").status_code == 403
    assert phone.post("request", kind="pause", role="host").status_code == 403
    assert phone.post("host/shutdown").status_code == 403


def guess(client: FlaskClient, pin: str, address: str, **headers: str) -> int:
    return client.post(
        "/api/v1/host",
        json={"pin": pin},
        headers={**OWN, **headers},
        environ_overrides={"REMOTE_ADDR": address},
    ).status_code


def test_no_header_gives_more_attempts_at_the_pin(app: Flask, phone: Phone) -> None:
    phone.post("host")
    phone.choose_pin(PIN)
    codes = [
        guess(app.test_client(), "0000", "192.168.1.7", **{name: f"10.0.0.{number}"})
        for number, name in enumerate(("X-Forwarded-For", "Forwarded", "X-Real-IP", "Client-IP") * 3)
    ]
    assert codes == [403] * 5 + [429] * 7


def test_a_device_that_knew_the_pin_gets_in_while_others_guess_also_after_a_restart(
    table: Table, tmp_path: Path
) -> None:
    host = Phone(create_app(table, PageServices(data=tmp_path)).test_client())
    host.post("host")
    host.choose_pin(PIN)
    again = create_app(table, PageServices(data=tmp_path))
    owner = copied(again, host, "tock_device")
    for number in range(40):
        guess(again.test_client(), "0000", f"192.168.1.{number}")
    assert guess(again.test_client(), PIN, "192.168.1.99") == 429
    assert owner.post("host", pin=PIN).status_code == 200
    kept = (tmp_path / "host-pin.json").read_text()
    cookie = host.client.get_cookie("tock_device")
    assert cookie is not None
    assert cookie.value not in kept


def test_a_new_pin_forgets_which_devices_knew_the_old_one(table: Table, tmp_path: Path) -> None:
    app = create_app(table, PageServices(data=tmp_path))
    child, host = Phone(app.test_client()), Phone(app.test_client())
    host.post("host")
    host.choose_pin(PIN)
    assert child.post("host", pin=PIN).status_code == 200
    assert host.post("host", pin=PIN).status_code == 200
    host.choose_pin("0815", PIN)
    again = create_app(table, PageServices(data=tmp_path))
    for number in range(40):
        guess(again.test_client(), "0000", f"192.168.1.{number}")
    assert copied(again, child, "tock_device").post("host", pin="0815").status_code == 429
    assert copied(again, host, "tock_device").post("host", pin="0815").status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/api/v1/nowhere", {}, 404),
        ("GET", "/api/v1/view?role=host", {}, 403),
        ("GET", "/api/v1/view?role=seat", {}, 401),
        ("GET", "/api/v1/view?role=x", {}, 400),
        ("DELETE", "/api/v1/view", OWN, 405),
        ("POST", "/api/v1/join", {}, 403),
        ("POST", "/api/v1/join", OWN, 400),
        ("GET", "/", {"Host": "evil.example"}, 421),
    ],
)
def test_errors_are_sealed_like_every_answer(
    client: FlaskClient, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    answer = client.open(path, method=method, headers=headers)
    assert answer.status_code == status
    assert_sealed(answer)


def test_refusals_of_what_is_too_much_and_faults_of_ours_are_sealed_too(
    app: Flask, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("a fault of ours")

    headers = {**OWN, "Content-Type": "application/json"}
    answers = [phone.client.post("/api/v1/join", data=b"x" * 70_000, headers=headers)]
    phone.sit("P0")
    answers.append(phone.client.post("/api/v1/hand/photo", data=b"x", headers=headers))
    app.extensions["tock"].streams.close_all()
    answers.append(phone.client.get("/api/v1/events?role=seat&tab=abcdefgh"))
    monkeypatch.setitem(app.view_functions, "live.board", fail)
    answers.append(phone.client.get("/api/v1/board"))
    app.extensions["tock"].quotas = Quotas(known=Quota(burst=0, per_s=1))
    answers.append(phone.client.get("/api/v1/health"))
    assert [answer.status_code for answer in answers] == [413, 415, 503, 500, 429]
    for answer in answers:
        assert_sealed(answer)
    assert answers[-1].headers["Retry-After"] == "2"


def assert_sealed(answer: TestResponse) -> None:
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
