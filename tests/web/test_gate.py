"""Requests over the Wi-Fi are well formed, or are refused with one sentence before anything sees them."""

import json
import threading
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from tests.support.browsing import OpenPage, hole, live, seated
from tests.support.conforming import conforming
from tests.support.page import OWN, Phone
from tock_app.config.load import config_of
from tock_app.service.admin import MachineAdmin
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app
from tock_web.routes.machine import CONFIG_LENGTH
from tock_web.services import PageServices

JSON = {**OWN, "Content-Type": "application/json"}
BAD_BODIES = Path(__file__).parents[1] / "data" / "web" / "bad_bodies.jsonl"


def cases() -> list[dict[str, str]]:
    return [json.loads(line) for line in BAD_BODIES.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def host(table: Table, tmp_path: Path) -> Phone:
    """A phone that holds a seat and is the host, of a companion whose settings may be changed."""
    path = tmp_path / "tock.toml"
    machine = MachineAdmin(path, config_of(path, "", {"TOCK_DATA": str(tmp_path)}))
    phone = Phone(create_app(table, PageServices(machine=machine)).test_client()).sit("P1")
    phone.post("host")
    return phone


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["about"])
def test_bad_input_is_refused_with_the_field_that_is_wrong(
    host: Phone, table: Table, case: dict[str, str]
) -> None:
    before = table.view(Role.HOST)
    answer = conforming(host.client.post(f"/api/v1/{case['path']}", data=case["body"], headers=JSON))
    assert answer.status_code == 400, answer.text
    refused = answer.get_json()
    assert (refused["code"], refused["field"]) == ("bad_input", case["field"])
    assert all(refused["field"] in sentence for sentence in refused["message"].values())
    assert refused["error"] == refused["message"]["en"]
    assert "\n" not in refused["error"]
    assert table.view(Role.HOST)["game"] == before["game"]
    assert host.get("view?role=host").get_json()["wishes"] == []


def test_a_body_of_another_kind_is_refused(client: FlaskClient) -> None:
    answer = client.post("/api/v1/join", data=b'{"name":"A"}', headers={**OWN, "Content-Type": "text/plain"})
    assert (answer.status_code, answer.get_json()["field"]) == (400, "Content-Type")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("view?role=admin", "role"),
        ("view?role=seat&role=host", "role"),
        ("view?role=table&token=1", "token"),
        ("health?x=1", "x"),
        ("events?role=table&tab=short", "tab"),
        ("events?role=table&tab=a%0Abcdefgh", "tab"),
        ("game.jsonl?number=%D9%A3", "number"),
        ("game.jsonl?number=%2B1", "number"),
        ("game.jsonl", "number"),
        ("evidence?seq=1&game=x", "game"),
        ("rules?ruleset=../mjc", "ruleset"),
    ],
)
def test_a_bad_query_is_refused_with_its_key(host: Phone, query: str, field: str) -> None:
    answer = host.get(query)
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_input")
    assert answer.get_json()["field"] == field


@pytest.mark.parametrize("name", ["tock_seat", "tock_host"])
@pytest.mark.parametrize("value", ["é", "x" * 32, "0" * 31, "%00", "0" * 4000])
def test_a_cookie_that_cannot_be_ours_counts_as_none(client: FlaskClient, name: str, value: str) -> None:
    answer = client.get("/api/v1/session", headers={"Cookie": f"{name}={value}"})
    assert answer.status_code == 200
    assert answer.get_json()["seat"] is None
    assert answer.get_json()["host"] is False


def test_a_name_is_kept_in_one_form_of_unicode(phone: Phone) -> None:
    assert phone.post("join", name="Zoe\u0301", seat="P0").get_json()["name"] == "Zo\u00e9"


def test_only_the_host_learns_what_is_wrong_with_settings(host: Phone, phone: Phone) -> None:
    assert phone.post("machine/settings", text="x" * (CONFIG_LENGTH + 1)).status_code == 403
    assert host.post("machine/settings", text="x" * (CONFIG_LENGTH + 1)).get_json()["field"] == "text"


def test_parallel_guesses_of_a_pin_are_counted_before_they_are_checked(app: Flask, phone: Phone) -> None:
    phone.post("host")
    phone.choose_pin("4711")
    answers: list[int] = []

    def guess(number: int) -> None:
        answers.append(Phone(app.test_client()).post("host", pin=f"{number:04}").status_code)

    threads = [threading.Thread(target=guess, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [403] * 5 + [429] * 15


def test_a_fault_of_ours_is_answered_in_the_same_form_and_forges_no_line_of_the_log(
    app: Flask, table: Table, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(table, "view", fail)
    answer = app.test_client().get("/api/v1/view")
    assert (answer.status_code, answer.get_json()["code"]) == (500, "http/500")
    assert "a fault of ours" not in answer.text
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert [record.getMessage() for record in caplog.records] == ["GET /api/v1/view failed"]


@pytest.mark.parametrize("path", ["/x%0AINFO%20tock:%20all%20is%20well", "/x%1B%5B31m", "/x%E2%80%AEy"])
def test_no_path_forges_a_line_of_the_log(app: Flask, caplog: pytest.LogCaptureFixture, path: str) -> None:
    @app.before_request
    def fail() -> None:
        raise RuntimeError("a fault of ours")

    assert app.test_client().get(path).status_code == 500
    (record,) = caplog.records
    assert record.getMessage().isprintable()


@pytest.mark.parametrize("board", ["/dev/zero", "/dev/urandom", "."])
def test_settings_with_a_board_that_is_no_file_are_refused_without_reading_it(
    host: Phone, board: str
) -> None:
    answer = host.post("machine/settings", text=f'board = "{board}"\n')
    assert (answer.status_code, answer.get_json()["code"]) == (409, "settings/refused")


def test_settings_that_no_companion_can_start_with_are_not_kept(host: Phone, tmp_path: Path) -> None:
    (tmp_path / "tock.toml").write_text("players = 4\n")
    assert host.post("machine/settings", text="[panel]\nx = 1\n").get_json()["code"] == "settings/refused"
    assert (tmp_path / "tock.toml").read_text() == "players = 4\n"


def test_two_phones_that_confirm_at_once_play_one_move(blind_table: Table) -> None:
    app = create_app(blind_table)
    phone = Phone(app.test_client()).sit("P0")
    phone.post("request", kind="play_card", data={"card": "6H"})
    revision = phone.get("view?role=seat").get_json()["revision"]
    second = Phone(app.test_client())
    for name in ("tock_seat", "tock_device"):
        second.client.set_cookie(name, phone.client.get_cookie(name).value)  # type: ignore[union-attr]
    answers: list[int] = []

    def confirm(who: Phone, text: str) -> None:
        answers.append(who.post("request", kind="move", data={"text": text}, revision=revision).status_code)

    threads = [
        threading.Thread(target=confirm, args=(phone, "P0:T4>T10")),
        threading.Thread(target=confirm, args=(second, "P0:T20>T26")),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 409]
    assert len(blind_table.view(Role.TABLE)["history"]) == 1


def test_a_move_that_the_table_contradicts_is_not_played_by_touch(table: Table, phone: Phone) -> None:
    phone.sit("P0")
    with table.subscribe(Role.TABLE) as stream:
        while not table.view(Role.TABLE)["sources"]:
            stream.get(1.0)
    phone.post("request", kind="play_card", data={"card": "6H"})
    answer = phone.post("request", kind="move", data={"text": "P0:T4>T10"})
    assert answer.status_code == 409
    assert answer.get_json()["code"] == "on_the_board"
    assert set(answer.get_json()["message"]) == {"fr", "en"}


@pytest.mark.browser
def test_the_back_button_leads_to_the_game_as_it_is_now(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    anna.goto(f"{blind_site}/watch")
    live(anna)
    assert blind_table.request(parse_request("play_card", {"card": "6H"}, Role.SEAT, Seat.P0)).ok
    assert blind_table.request(parse_request("move", {"text": "P0:T4>T10"}, Role.SEAT, Seat.P0)).ok
    anna.go_back()
    live(anna)
    expect(hole(anna, "T10")).to_have_attribute("data-pawn", "P0")


@pytest.mark.browser
def test_a_page_that_was_open_since_yesterday_tells_so_and_goes_on(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    # The stream is dead and nobody has noticed; the game went on without this phone.
    anna.route("**/api/v1/events*", lambda route: route.abort())
    anna.route("**/api/v1/view*", lambda route: route.abort())
    anna.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert blind_table.request(parse_request("play_card", {"card": "6H"}, Role.SEAT, Seat.P0)).ok
    assert blind_table.request(parse_request("move", {"text": "P0:T4>T10"}, Role.SEAT, Seat.P0)).ok
    anna.get_by_test_id("hand-card-6H").click()
    expect(anna.get_by_test_id("toast")).to_contain_text("changé")
    anna.unroute_all()
    expect(hole(anna, "T10")).to_have_attribute("data-pawn", "P0")
    live(anna)
