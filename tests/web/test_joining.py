"""Sitting down, standing up, being the host."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.support.page import OWN, Phone
from tests.support.tables import BOARD, people_of, wait_for
from tock_companion.allowance import Window
from tock_companion.boardfile import generate
from tock_companion.core.bodies import AnswerSeat
from tock_companion.core.requests import Request, Role
from tock_companion.errors import TockError
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.seats.seat_requests import PAUSE_AFTER_NO_S, SEAT_REQUEST_OPEN_S, SeatOutcome
from tock_rules import Seat
from tock_web import create_app
from tock_web.services import PageServices

pytestmark = pytest.mark.usefixtures("quick_pins")


def test_sitting_down_shows_the_own_seat(phone: Phone, table: Table) -> None:
    phone.sit("P2", "Zoé")
    assert phone.get("view?role=seat").get_json()["seat"] == "P2"
    assert phone.get("session").get_json()["seat"] == "P2"
    view = wait_for(table, lambda view: view["seats"][2]["taken"])
    assert view["seats"][2]["name"] == "Zoé"


def test_a_taken_seat_is_refused_with_a_sentence_in_both_languages(phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0", "Anna")
    answer = other_phone.post("join", name="Bob", seat="P0")
    assert answer.status_code == 409
    assert "Anna" in answer.get_json()["message"]["fr"]
    assert "Anna" in answer.get_json()["message"]["en"]
    assert other_phone.get("view?role=seat").status_code == 401


def test_standing_up_frees_the_seat(phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0")
    assert phone.post("leave").status_code == 200
    assert phone.get("view?role=seat").status_code == 401
    other_phone.sit("P0", "Bob")


def test_changing_seats_leaves_the_old_one(phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0")
    phone.sit("P1")
    assert phone.get("session").get_json()["seat"] == "P1"
    other_phone.sit("P0", "Bob")


class FillingStore(Store):
    """A store whose disk takes some more changes of holders and then is full."""

    changes = 100

    def save_holder(self, *given: Any) -> None:
        self._fill()
        super().save_holder(*given)

    def free_seat(self, *given: Any) -> None:
        self._fill()
        super().free_seat(*given)

    def _fill(self) -> None:
        if self.changes == 0:
            raise TockError("games.sqlite cannot be written (disk is full); free disk space")
        self.changes -= 1


@pytest.mark.parametrize("room", [0, 1])
def test_one_phone_never_has_two_seats_however_full_the_disk_is(tmp_path: Path, room: int) -> None:
    store = FillingStore(tmp_path)
    table = Table(generate(4, 440), store)
    table.start()
    phone = Phone(create_app(table).test_client()).sit("P0")
    store.changes = room
    phone.post("join", name="Anna", seat="P1")
    assert len(table.people.sitting()) == 1
    assert phone.get("view?role=seat").status_code == 200
    table.stop()


def test_a_name_is_cleaned_and_never_empty(phone: Phone) -> None:
    assert phone.post("join", name="   ", seat="P0").status_code == 400
    answer = phone.post("join", name="  Grand  maman " + "x" * 60, seat="P0")
    assert answer.get_json()["name"].startswith("Grand maman x")
    assert len(answer.get_json()["name"]) <= 24


@pytest.mark.parametrize("name", ["\u200b", "\u2060\ufeff", "\u3164", "\u00ad", "\U000e0041"])
def test_a_name_that_nobody_sees_is_refused_and_one_that_looks_alike_is_alike(
    phone: Phone, other_phone: Phone, name: str
) -> None:
    assert phone.post("join", name=name, seat="P0").status_code == 400
    phone.sit("P0", "Anna")
    assert other_phone.post("join", name=f"Anna{name}", seat="P1").get_json()["name"] == "Anna 2"


def test_nonsense_is_refused_in_one_line(phone: Phone) -> None:
    for data in ({"name": "A", "seat": "P9"}, {"name": 3, "seat": "P0"}, {"seat": "P0"}, {"name": "A"}):
        answer = phone.post("join", **data)
        assert answer.status_code == 400, data
        assert answer.get_json()["error"].count("\n") == 0


def test_start_page_and_seat_lead_to_each_other(phone: Phone) -> None:
    assert phone.client.get("/seat").headers["Location"] == "/"
    phone.sit("P0")
    assert phone.client.get("/").headers["Location"] == "/seat"
    assert phone.client.get("/seat").status_code == 200


def asked(phone: Phone, seat: str, name: str = "Zoé") -> str:
    secret: str = phone.post("join/ask", name=name, seat=seat).get_json()["secret"]
    return secret


def state(phone: Phone, secret: str) -> str:
    outcome: str = phone.post("join/hear", secret=secret).get_json()["state"]
    return outcome


def test_a_seat_changes_hands_only_with_a_yes(phone: Phone, other_phone: Phone, table: Table) -> None:
    phone.sit("P0", "Anna")
    assert other_phone.post("join/ask", name="Zoé", seat="P1").get_json()["code"] == "seat_free"
    secret = asked(other_phone, "P0")
    assert state(other_phone, secret) == "waiting"
    wait_for(table, lambda _view: phone.get("view?role=seat").get_json()["wishes"])
    request = phone.get("view?role=seat").get_json()["wishes"][0]
    assert request == {"number": 1, "seat": "P0", "name": "Zoé"}
    assert phone.post("request", kind="answer_seat", data={"number": 1, "yes": False}).status_code == 200
    assert state(other_phone, secret) == "refused"
    assert phone.get("view?role=seat").status_code == 200

    secret = asked(other_phone, "P0")
    assert phone.post("request", kind="answer_seat", data={"number": 2, "yes": True}).status_code == 200
    assert state(other_phone, secret) == "seated"
    assert other_phone.get("view?role=seat").get_json()["seat"] == "P0"
    assert phone.get("view?role=seat").status_code == 401


def test_neither_a_neighbour_nor_the_asker_can_say_yes(phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0", "Anna")
    other_phone.sit("P1", "Bob")
    secret = asked(other_phone, "P0")
    answer = other_phone.post("request", kind="answer_seat", data={"number": 1, "yes": True})
    assert answer.get_json()["code"] == "not_allowed"
    assert state(other_phone, secret) == "waiting"
    assert state(phone, "0" * 32) == "refused"


def test_the_host_gives_or_frees_the_seat_of_a_lost_phone(
    app: Flask, phone: Phone, other_phone: Phone
) -> None:
    host = Phone(app.test_client())
    host.post("host")
    phone.sit("P0", "Anna")
    secret = asked(other_phone, "P0")
    assert (
        host.post("request", kind="answer_seat", role="host", data={"number": 1, "yes": True}).status_code
        == 200
    )
    assert state(other_phone, secret) == "seated"
    assert phone.post("request", kind="free_seat", data={"seat": "P0"}).status_code == 401
    assert host.post("request", kind="free_seat", role="host", data={"seat": "P0"}).status_code == 200
    assert other_phone.get("view?role=seat").status_code == 401


def test_repeated_requests_after_a_no_keep_nobody_out(tmp_path: Path) -> None:
    now = [0.0]
    with closing(Store(tmp_path)) as store:
        people = people_of(store, lambda: now[0])
        people.join("Anna", Seat.P0, "fr")

        def ask(name: str, address: str) -> str:
            return people.ask(name, Seat.P0, device=name, address=address).reply.code

        def say_no(name: str) -> None:
            number = next(asked.number for asked in people.requests() if asked.name == name)
            assert people.answer(Request(AnswerSeat(number, False), Role.HOST)).ok

        for number in range(39):
            ask(f"pest {number}", "10.0.0.66")
        assert [asked.name for asked in people.requests()] == ["pest 0"], "one at a time from one address"
        assert ask("Zoé", "10.0.0.1") == "ok", "an honest phone is heard meanwhile"
        say_no("pest 0")
        assert ask("pest", "10.0.0.66") == "ok", "one no may be a slip"
        say_no("pest")
        for wait_s in (PAUSE_AFTER_NO_S, 2 * PAUSE_AFTER_NO_S, 4 * PAUSE_AFTER_NO_S):
            assert ask("pest", "10.0.0.66") == "seat_asked_often"
            now[0] += wait_s
            assert ask("pest", "10.0.0.66") == "ok"
            say_no("pest")
        assert ask("Bob", "10.0.0.2") == "ok"


def test_a_yes_to_one_who_asks_is_a_no_to_the_others(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        people = people_of(store)
        people.join("Anna", Seat.P0, "fr")
        asked = [people.ask(name, Seat.P0, device=name, address=name) for name in ("Bob", "Zoé", "Tim")]
        assert people.ask("Max", Seat.P0, device="Max", address="Max").reply.code == "seat_asked"
        number = people.requests()[1].number
        assert people.answer(Request(AnswerSeat(number, True), Role.HOST)).ok
        assert people.requests() == ()
        assert people.ask("Max", Seat.P0, device="Max", address="Max").reply.code == "seat_asked"
        assert people.join("Max", Seat.P0).reply.code == "seat_taken"
        assert people.hear(asked[0].secret, "Bob") == SeatOutcome()
        assert people.hear(asked[1].secret, "Zoé").ticket is not None


def test_a_wish_nobody_answers_is_forgotten(tmp_path: Path) -> None:
    now = [0.0]
    with closing(Store(tmp_path)) as store:
        people = people_of(store, lambda: now[0])
        people.join("Anna", Seat.P0, "fr")
        secret = people.ask("Zoé", Seat.P0, "fr").secret
        now[0] = SEAT_REQUEST_OPEN_S - 1
        assert people.hear(secret).waiting
        now[0] = SEAT_REQUEST_OPEN_S
        assert people.requests() == ()
        assert people.hear(secret) == SeatOutcome()


def test_the_companion_is_shut_down_by_the_host_alone(table: Table) -> None:
    ended: list[bool] = []

    def end() -> bool:
        ended.append(True)
        return False

    app = create_app(table, PageServices(shut_down=end))
    host, guest = Phone(app.test_client()), Phone(app.test_client())
    host.post("host")
    assert guest.post("host/shutdown").status_code == 403
    assert not ended
    answer = host.post("host/shutdown")
    assert answer.status_code == 200
    assert answer.get_json() == {"ok": True, "machine": False}
    assert ended


def test_the_secret_of_a_seat_that_was_given_away_is_forgotten(phone: Phone, table: Table) -> None:
    phone.sit("P0")
    token, device = (phone.client.get_cookie(name) for name in ("tock_seat", "tock_device"))
    assert token is not None
    assert device is not None
    table.people.leave(token.value, device.value)
    assert phone.get("session").get_json()["seat"] is None
    assert phone.client.get_cookie("tock_seat") is None


def test_attempts_come_back_with_time_and_with_success() -> None:
    now = [0.0]
    attempts = Window(each=2, together=3, window_s=60, clock_s=lambda: now[0])
    assert [attempts.take("a") for _ in range(3)] == [0, 0, 61]
    assert attempts.take("b") == 0
    assert attempts.take("c") == 61, "all addresses together have used theirs up"
    attempts.give_back("b")
    assert attempts.take("c") == 0
    now[0] = 60
    assert attempts.take("a") == 0


def test_few_addresses_hold_up_a_newcomer_for_a_minute_and_not_the_whole_evening() -> None:
    now = [0.0]
    attempts = Window(each=5, together=20, window_s=60, each_window_s=300, clock_s=lambda: now[0])
    held_up_s = 0
    for second in range(300):
        now[0] = float(second)
        for guesser in "abcd" * 20:
            attempts.take(guesser)
        held_up_s += attempts.take("newcomer") > 0
        attempts.give_back("newcomer")
    assert held_up_s <= 60


def test_a_valid_secret_never_waits_for_guesses(app: Flask, phone: Phone) -> None:
    phone.sit("P0")
    for number in range(80):
        stranger = app.test_client()
        stranger.set_cookie("tock_seat", f"{number:032x}")
        stranger.get("/api/v1/view?role=seat")
    assert phone.get("view?role=seat").status_code == 200


def test_nobody_sits_down_under_the_name_of_another(app: Flask, phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0", "Ann")
    assert other_phone.post("join", name="\u0410nn", seat="P1").get_json()["name"] == "\u0410nn 2"
    assert other_phone.post("join", name="\u0410nn", seat="P2").get_json()["name"] == "\u0410nn 2", (
        "moving on"
    )
    third = Phone(app.test_client())
    asked = third.post("join/ask", name="ANN", seat="P0").get_json()
    (question,) = phone.get("view?role=seat").get_json()["wishes"]
    assert question["name"] == "ANN", "the second phone of the same person, perhaps"
    assert third.post("join/hear", secret=asked["secret"]).get_json()["state"] == "waiting"
    fourth = Phone(app.test_client())
    fourth.post("join/ask", name="ANN", seat="P2")
    assert "'ANN 2'" in str(other_phone.get("view?role=seat").get_json()["wishes"])


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("join", {"name": "Ann", "seat": "P1"}),
        ("join/ask", {"name": "Ann", "seat": "P0"}),
        ("host", {"pin": ""}),
    ],
)
def test_a_browser_that_blocks_cookies_gets_a_sentence_and_no_right(
    app: Flask, phone: Phone, table: Table, path: str, body: dict[str, object]
) -> None:
    phone.sit("P0", "Bob")
    blocked = app.test_client().post(f"/api/v1/{path}", json=body, headers={"X-Tock": "no-cookies"})
    assert (blocked.status_code, blocked.get_json()["code"]) == (409, "http/cookies")
    assert table.people.names() == {Seat.P0: "Bob"}
    assert table.people.requests() == ()


def test_two_tables_on_one_machine_keep_their_seats_apart(app: Flask, tmp_path: Path) -> None:
    """A browser sends the cookies of a host to all its ports."""
    other = Table(BOARD, Store(tmp_path / "other"))
    seats = {"8080": app, "8081": create_app(other)}
    jar: dict[str, str] = {}
    for port, one in seats.items():
        browser = one.test_client()
        for name, value in jar.items():
            browser.set_cookie(name, value)
        host = {"Host": f"localhost:{port}"}
        body = {"name": "Ann", "seat": "P0"}
        joined = browser.post("/api/v1/join", json=body, headers={**OWN, **host})
        assert joined.status_code == 200
        for line in joined.headers.getlist("Set-Cookie"):
            name, _, value = line.partition(";")[0].partition("=")
            jar[name] = value
    for port, one in seats.items():
        browser = one.test_client()
        for name, value in jar.items():
            browser.set_cookie(name, value)
        session = browser.get("/api/v1/session", headers={"Host": f"localhost:{port}"})
        assert session.get_json()["seat"] == "P0"
        assert "Set-Cookie" not in session.headers
    other.stop()
