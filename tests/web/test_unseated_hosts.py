"""A host's seat that another phone takes over: the rights stay with the person, and nobody gets them by the seat."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.support.page import Phone
from tests.web.test_host_rights import Clock, is_host
from tock_companion.boardfile import generate
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.seats.seat_requests import SILENT_S
from tock_web import PageServices, create_app
from tock_web.rights.host_secrets import HOST_AWAY_S, Hosts

pytestmark = pytest.mark.usefixtures("quick_pins")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(tmp_path: Path, clock: Clock) -> Iterator[Table]:
    running = Table(generate(4, 440), Store(tmp_path), clock_s=clock)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def app(table: Table, clock: Clock) -> Flask:
    """An app in which people fall silent when the test says so."""
    return create_app(table, PageServices(hosts=Hosts(clock)))


def taken_over(by: Phone, name: str, clock: Clock, holder: Phone | None = None) -> None:
    """Have a phone ask for the host's seat, and take it after a yes or once its holder has been silent for long."""
    secret = by.post("join/ask", name=name, seat="P0").get_json()["secret"]
    if holder is None:
        clock.s += SILENT_S
    else:
        yes = {"number": 1, "yes": True}
        assert holder.post("request", kind="answer_seat", data=yes).status_code == 200
    assert by.post("join/hear", secret=secret).get_json()["state"] == "seated"


@pytest.mark.parametrize("pin", ["4711", None], ids=["with a PIN", "without a PIN"])
@pytest.mark.parametrize("is_asked", [True, False], ids=["after a yes", "of a silent phone"])
@pytest.mark.parametrize("name", ["Anna", "Bob"], ids=["under the host's name", "under another"])
def test_the_holder_of_a_host_s_former_seat_is_not_host(
    phone: Phone, other_phone: Phone, clock: Clock, name: str, pin: str | None, is_asked: bool
) -> None:
    """With the seat came the rights, past the PIN; a locked screen of a minute was enough."""
    phone.sit("P0", "Anna")
    if pin is not None:
        phone.choose_pin(pin)
    taken_over(other_phone, name, clock, phone if is_asked else None)
    assert not is_host(other_phone)
    assert other_phone.post("host").get_json()["code"] in ("host/taken", "host/pin")
    assert other_phone.post("request", kind="pause", role="host").status_code == 403
    # Their screen wakes up: host still, at the table's own page.
    assert phone.client.get("/").status_code == 200
    assert is_host(phone)
    assert phone.post("request", kind="pause", role="host").status_code == 200
    assert phone.get("session").get_json()["seat"] is None


def test_an_unseated_host_stays_it_with_a_secret_of_its_own(
    phone: Phone, other_phone: Phone, app: Flask, clock: Clock
) -> None:
    phone.sit("P0", "Anna")
    taken_over(other_phone, "Bob", clock)
    seat = phone.client.get_cookie("tock_seat")
    assert seat is not None
    phone.post("request", kind="pause", role="host")
    phone.get("session")
    assert phone.client.get_cookie("tock_host") is not None
    assert phone.client.get_cookie("tock_seat") is None
    assert is_host(phone)
    thief = Phone(app.test_client())
    thief.client.set_cookie("tock_seat", seat.value)
    assert not is_host(thief), "a copied secret opens nothing elsewhere"


def test_an_unseated_host_who_stays_away_may_be_relieved(
    phone: Phone, other_phone: Phone, clock: Clock
) -> None:
    phone.sit("P0", "Anna")
    taken_over(other_phone, "Anna", clock)
    clock.s += HOST_AWAY_S - SILENT_S
    assert other_phone.post("host").status_code == 200
    assert is_host(other_phone)


def test_a_host_who_takes_another_seat_takes_the_rights_along(
    phone: Phone, other_phone: Phone, clock: Clock, table: Table
) -> None:
    phone.sit("P0", "Anna")
    other_phone.sit("P1", "Bob")
    secret = phone.post("join/ask", name="Anna", seat="P1").get_json()["secret"]
    clock.s += SILENT_S
    assert phone.post("join/hear", secret=secret).get_json()["seat"] == "P1"
    assert is_host(phone)
    assert table.host_seat is not None
    assert table.host_seat.name == "P1"
    assert not is_host(other_phone)
