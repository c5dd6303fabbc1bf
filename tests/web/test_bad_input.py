"""At a real table: two fingers at once, a page from yesterday, the back button. One clear sentence, nothing lost."""

import threading

import pytest
from playwright.sync_api import expect

from tests.support.browsing import OpenPage, hole, live, seated
from tests.support.page import Phone
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app


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
