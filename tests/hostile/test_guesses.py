"""Floods of guesses and requests: nothing that callers choose gives them more, or takes others' share."""

import json
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import count, cycle
from pathlib import Path
from threading import Event

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.page import OWN, Phone, cookie_header, machine_code
from tests.support.tables import BOARD
from tests.support.variants import some
from tock_companion.hints import advice
from tock_companion.table.runtime import recorder
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app
from tock_web.context import context_of
from tock_web.limits.pin_attempts import PIN_WINDOW_S, PROVED_PIN_TRIES, STRANGERS_PIN_TRIES, pin_attempts
from tock_web.limits.quotas import MAX_CLIENTS, Quota, Quotas, TooManyError
from tock_web.services import PageServices

PIN, GUESSES, AN_HOUR = "4711", 1000, STRANGERS_PIN_TRIES + sum(PROVED_PIN_TRIES.values())
OWNER_ADDRESS = "192.168.1.2"


@dataclass
class Sender:
    """The cookies and the address of one request."""

    device: str = ""
    token: str = ""
    address: str = "192.168.1.66"


def fresh() -> str:
    return secrets.token_hex(16)


def sent(client: FlaskClient, by: Sender, path: str, **body: object) -> int:
    for name, value in (("tock_device", by.device), ("tock_host", by.token)):
        if value:
            client.set_cookie(name, value)
    place = {"REMOTE_ADDR": by.address}
    return client.post(f"/api/v1/{path}", json=body, headers=OWN, environ_overrides=place).status_code


def cookie(client: FlaskClient, name: str) -> str:
    kept = client.get_cookie(name)
    assert kept is not None
    return kept.value


def former_hosts(app: Flask) -> list[tuple[str, str]]:
    """Tokens and devices of guests who were host of the free table."""
    found = []
    for _ in range(4):
        guest = app.test_client()
        assert sent(guest, Sender(), "host") == 200
        found.append((cookie(guest, "tock_host"), cookie(guest, "tock_device")))
        sent(guest, Sender(), "host/release")
    return found


Mixture = Callable[[list[tuple[str, str]]], Iterator[Sender]]
MIXTURES: dict[str, Mixture] = {
    "one token, new devices": lambda old: (Sender(fresh(), old[0][0]) for _ in count()),
    "old tokens on their devices": lambda old: (Sender(device, token) for token, device in cycle(old)),
    "new devices": lambda _old: (Sender(fresh()) for _ in count()),
    "addresses": lambda _old: (Sender(address=f"10.0.{n // 250}.{n % 250}") for n in count()),
    "addresses of one network": lambda _old: (Sender(address=f"fd00::{n:x}") for n in count()),
    "the owner's address too": lambda _old: (Sender(fresh(), address=a) for a in cycle(("10.0.0.7", OWNER_ADDRESS))),
    "everything": lambda old: (
        Sender(fresh(), old[n % 4][0], f"10.0.{n // 250}.{n % 250}") for n in count()
    ),
}  # fmt: skip


@pytest.mark.usefixtures("quick_pins")
@pytest.mark.parametrize("mixture", some(MIXTURES, every=3))
def test_of_a_thousand_guesses_sixty_an_hour_are_checked_and_the_owner_gets_in_meanwhile(
    table: Table, tmp_path: Path, mixture: str
) -> None:
    now_s, attempts = [0.0], pin_attempts()
    attempts.clock_s = lambda: now_s[0]
    app = create_app(table, PageServices(data=tmp_path, pin_attempts=attempts))
    senders = MIXTURES[mixture](former_hosts(app))
    owner, client = Phone(app.test_client()), app.test_client()
    place = {"REMOTE_ADDR": OWNER_ADDRESS}
    owner.client.environ_base.update(place)
    owner.post("host")
    assert owner.choose_pin(PIN).status_code == 200
    checked = {403: 0, 429: 0}
    for number in range(GUESSES):
        now_s[0] = number * PIN_WINDOW_S / GUESSES
        checked[sent(client, next(senders), "host", pin=f"{number:04}")] += 1
        if number % 100 == 99:
            owner.post("host/release")
            assert owner.post("host", pin=PIN).status_code == 200
    assert 0 < checked[403] <= AN_HOUR


@pytest.mark.usefixtures("quick_pins")
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("host", {"pin": "0000"}),
        ("host/pin", {"pin": "1234", "proof": "0000"}),
        ("host/others/end", {"key": "1", "proof": "0000"}),
    ],
    ids=["host", "host/pin", "host/others/end"],
)
def test_a_host_of_a_free_table_has_no_more_guesses_at_the_machine_s_code_for_being_host_again(
    app: Flask, path: str, body: dict[str, object]
) -> None:
    machine_code(app)
    codes = []
    for _ in range(20):
        guest = Phone(app.test_client())
        assert guest.post("host").status_code == 200
        codes.append(guest.post(path, **body).status_code)
        guest.post("host/release")
    assert codes == [403] * 5 + [429] * 15


@pytest.mark.usefixtures("quick_pins")
def test_another_board_gives_no_new_guesses(app: Flask, table: Table) -> None:
    for _ in range(5):
        sent(app.test_client(), Sender(), "host", pin="0000")
    again = create_app(table, context_of(app).services)
    assert sent(again.test_client(), Sender(), "host", pin="0000") == 429


@pytest.mark.usefixtures("quick_pins")
def test_hosts_get_a_notice_once_strangers_have_used_up_their_guesses(app: Flask, phone: Phone) -> None:
    phone.post("host")
    phone.choose_pin(PIN)
    for number in range(STRANGERS_PIN_TRIES):
        stream = phone.client.get("/api/v1/events?role=host&tab=abcdefgh", buffered=False)
        parts = [next(stream.response).decode() for _ in range(2)]  # type: ignore[call-overload]
        assert not any("guessing" in part for part in parts)
        stream.close()
        sent(app.test_client(), Sender(address=f"10.0.0.{number}"), "host", pin="0000")
    stream = phone.client.get("/api/v1/events?role=host&tab=abcdefgh", buffered=False)
    parts = [next(stream.response).decode() for _ in range(3)]  # type: ignore[call-overload]
    assert '"guessing":true' in parts[2]
    stream.close()


# A new PIN, and ending one host.


@pytest.mark.usefixtures("quick_pins")
@pytest.mark.parametrize("removes", [False, True])
def test_a_new_pin_ends_every_other_host_and_every_earlier_proof(
    table: Table, tmp_path: Path, removes: bool
) -> None:
    app = create_app(table, PageServices(data=tmp_path))
    owner, child, guest = (Phone(app.test_client()) for _ in range(3))
    owner.sit("P0", "Anna")
    assert owner.choose_pin(PIN).status_code == 200
    child.sit("P1", "Zoé")
    assert child.post("host", pin=PIN).status_code == 200
    code = machine_code(app)
    assert guest.post("host", pin=code).status_code == 200
    assert owner.post("host/pin", pin=None if removes else "2222", proof=PIN).status_code == 200
    for ended in (child, guest):
        assert ended.get("view?role=host").status_code == 403
    assert owner.get("view?role=host").status_code == 200
    assert owner.get("host/others").get_json() == {"hosts": []}
    again = create_app(table, PageServices(data=tmp_path))
    for before in (child, guest):
        same = Phone(again.test_client())
        for name in ("tock_host", "tock_device"):
            same.client.set_cookie(name, cookie(before.client, name))
        assert same.get("view?role=host").status_code == 403, "also after a restart"
    assert guest.post("host", pin=code).status_code in (403, 429), "its code counts no longer"


@pytest.mark.usefixtures("quick_pins")
def test_the_seat_of_another_host_loses_the_rights_by_a_new_pin_too(
    app: Flask, phone: Phone, table: Table
) -> None:
    phone.sit("P0", "Anna")
    owner = Phone(app.test_client())
    assert owner.post("host", pin=machine_code(app)).status_code == 200
    assert owner.choose_pin(PIN).status_code == 200
    assert table.host_seat is None
    assert phone.get("view?role=host").status_code == 403
    assert phone.get("view?role=seat").status_code == 200, "the seat stays"


@pytest.mark.usefixtures("quick_pins")
def test_one_host_is_ended_with_the_proof_alone(app: Flask, phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0", "Anna")
    phone.choose_pin(PIN)
    other_phone.sit("P1", "Zoé")
    other_phone.post("host", pin=PIN)
    guest = Phone(app.test_client())
    guest.post("host", pin=PIN)
    hosts = {host["name"]: host for host in phone.get("host/others").get_json()["hosts"]}
    assert set(hosts) == {"Zoé", None}
    assert hosts["Zoé"]["here"] is True
    assert (
        phone.post("host/others/end", key=hosts["Zoé"]["key"], proof="0000").get_json()["code"] == "host/pin"
    )
    assert other_phone.get("view?role=host").status_code == 200
    assert phone.post("host/others/end", key=hosts["Zoé"]["key"], proof=PIN).status_code == 200
    assert other_phone.get("view?role=host").status_code == 403
    assert guest.get("view?role=host").status_code == 200
    assert guest.get("host/others").get_json()["hosts"] == [{"key": "P0", "name": "Anna", "here": True}]
    assert guest.post("host/others/end", key="P0", proof=PIN).status_code == 200
    assert phone.get("view?role=host").status_code == 403


def few(**shares: int) -> Quotas:
    """Shares that a few requests use up, and that do not grow again during a test."""
    return Quotas(**{name: Quota(burst=burst, per_s=1 / 60) for name, burst in shares.items()})


def ask(port: int, address: str, path: str = "/api/v1/health", **headers: str) -> int:
    line = HTTPConnection("127.0.0.1", port, timeout=10, source_address=(address, 0))
    line.request("GET", path, headers=headers)
    status = line.getresponse().status
    line.close()
    return status


def test_a_flood_has_to_wait_and_others_do_not(app: Flask, phone: Phone, port: int) -> None:
    phone.sit("P0")
    app.extensions["tock"].quotas = few(strangers=5, known=20)
    assert [ask(port, "127.0.0.66") for _ in range(7)] == [200] * 5 + [429] * 2
    assert ask(port, "127.0.0.1") == 200
    assert ask(port, "127.0.0.66", Cookie=cookie_header(phone)) == 200


def test_made_up_cookies_from_many_addresses_shut_out_no_right_one(
    app: Flask, phone: Phone, port: int
) -> None:
    phone.sit("P0")
    for number in range(700):
        app.extensions["tock"].strangers.take(f"127.0.2.{number % 200}")
    assert ask(port, "127.0.0.66", "/api/v1/session", Cookie=f"tock_seat={'0' * 32}") == 429
    assert ask(port, "127.0.0.1", "/api/v1/session", Cookie=cookie_header(phone)) == 200
    assert ask(port, "127.0.0.66", "/api/v1/view?role=seat", Cookie=cookie_header(phone)) == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "events?role=watch&tab=abcdefgh"), ("POST", "join"), ("POST", "leave"), ("POST", "host")],
)
def test_comings_and_goings_of_an_address_are_counted_whatever_its_cookies(
    app: Flask, method: str, path: str
) -> None:
    app.extensions["tock"].quotas = few(comings=3)
    codes = []
    for number in range(5):
        client = app.test_client()
        client.set_cookie("tock_device", f"{number:032x}")
        asked = {"name": "Eve", "seat": "P1"} if path == "join" else {}
        answer = client.open(
            f"/api/v1/{path}", method=method, headers=OWN, json=asked if method == "POST" else None
        )
        codes.append(answer.status_code)
        answer.close()
    assert codes[3:] == [429, 429]
    assert 429 not in codes[:3]


def test_too_many_requests_get_the_time_to_ask_again(app: Flask, phone: Phone) -> None:
    phone.sit("P0")
    app.extensions["tock"].quotas = few(moves=2)
    answers = [phone.post("request", kind="undo", data={}) for _ in range(3)]
    assert [answer.status_code for answer in answers[:2]] != [429, 429]
    assert answers[2].status_code == 429
    assert answers[2].get_json()["message"]["en"].startswith("Too many requests")
    assert 0 < int(answers[2].headers["Retry-After"]) <= 61


def test_a_seats_holder_is_not_buried_in_questions(app: Flask, phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0")
    app.extensions["tock"].quotas = few(seat_requests=3)
    answers = [other_phone.post("join/ask", name="Eve", seat="P0", lang="en") for _ in range(4)]
    assert answers[-1].status_code == 429


def test_a_seat_that_asks_for_many_hints_gets_one_at_a_time(
    app: Flask, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = Event(), Event()

    def slow(self: advice.Adviser) -> advice.Advice:
        begun.set()
        assert go_on.wait(10)
        return further(self)

    further = advice.Adviser.further
    monkeypatch.setattr(advice.Adviser, "further", slow)
    phone.sit("P0")
    assert phone.post("request", kind="hand_set", data={"cards": ["6H", "QD"]}).status_code == 200
    cookie = cookie_header(phone)

    def hint() -> int:
        headers = {**OWN, "Cookie": cookie, "Content-Type": "application/json"}
        body = json.dumps({"level": "hint"})
        return app.test_client(use_cookies=False).post("/api/v1/hint", data=body, headers=headers).status_code

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(hint)
        assert begun.wait(10)
        assert [hint() for _ in range(3)] == [429] * 3
        go_on.set()
        assert first.result() == 200
    begun.clear()
    assert hint() == 200


def test_shares_grow_again_and_the_number_of_clients_is_bounded() -> None:
    now_s = 0.0
    quota = Quota(burst=2, per_s=0.5, clock_s=lambda: now_s)
    quota.take("a")
    quota.take("a")
    with pytest.raises(TooManyError) as refused:
        quota.take("a")
    assert refused.value.wait_s == 3
    now_s = 2.0
    quota.take("a")
    for number in range(MAX_CLIENTS + 5):
        quota.take(str(number))
    assert len(quota) == MAX_CLIENTS


def test_no_seat_fills_the_disk_with_photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "MAX_PHOTO_BYTES", 2500)
    recording = recorder.Recorder(tmp_path / "report", BOARD, keeps_photos=True)
    for t_ms in range(4):
        recording.photo(t_ms, Seat.P0, "jpeg", bytes(1000))
    recording.photo(9, Seat.P1, "jpeg", bytes(1000))
    kept = sorted(file.name for file in (tmp_path / "report" / "photos").iterdir())
    assert kept == ["000000000-P0.jpeg", "000000001-P0.jpeg", "000000009-P1.jpeg"]


def test_no_host_fills_the_disk_with_games(app: Flask, phone: Phone) -> None:
    phone.post("host")
    app.extensions["tock"].quotas = few(uploads=2, known=100, strangers=100)
    assert [phone.post("games", log="{}").status_code for _ in range(3)][-1] == 429
