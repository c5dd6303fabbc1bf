"""A flood uses up its sender's share and nobody else's."""

import json
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from threading import Event

import pytest
from flask import Flask

from tests.support.page import OWN, Phone, cookie_header
from tests.support.tables import BOARD
from tock_companion.hints import advice
from tock_companion.table.runtime import recorder
from tock_rules import Seat
from tock_web.limits.quotas import MAX_CLIENTS, Quota, Quotas, TooManyError


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
