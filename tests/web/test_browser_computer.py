"""A computer at the simulated table, chosen by the host and followed on every screen."""

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from tests.support.browsing import TABLET, OpenPage, become_host, open_sheet
from tests.support.page import Phone
from tests.support.tables import put, wait_for
from tock_companion.computer_seats import Computers
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Seat


@pytest.mark.browser
def test_the_host_gives_a_seat_to_the_computer_and_the_screen_says_what_to_move(
    table: Table, site: str, open_page: OpenPage
) -> None:
    host = open_page(f"{site}/host", TABLET)
    become_host(host)
    open_sheet(host, "seats")
    host.get_by_test_id("computer-P0").select_option("medium")
    expect(host.get_by_test_id("turn")).to_contain_text("Rouge (ordinateur)")
    table.request(parse_request("hand_set", {"cards": ["6H"]}, Role.SEAT, Seat.P0))
    Computers(table, seed=2, pace_s=0.0).act()
    expect(host.get_by_test_id("turn")).to_contain_text("Rouge (ordinateur)")
    expect(host.get_by_test_id("turn")).to_contain_text("joue 6♥ : déplace le pion rouge")
    screen = open_page(f"{site}/", TABLET)
    expect(screen.locator(".legal").first).to_be_attached()


@pytest.mark.browser
def test_taking_a_computer_s_seat_asks_first(table: Table, site: str, open_page: OpenPage) -> None:
    asked = {"seat": "P2", "strength": "easy"}
    assert table.request(parse_request("set_computer", asked, Role.HOST, None)).ok
    phone = open_page(f"{site}/")
    tile, ask = phone.get_by_test_id("join-seat-P2"), phone.locator("#join-taken")
    expect(tile).to_contain_text("ordinateur")
    expect(ask).to_be_hidden()
    tile.click()
    expect(ask).to_contain_text("L’ordinateur joue à cette place.")
    expect(phone.get_by_test_id("join-enter")).to_have_text("Jouer à sa place")
    phone.get_by_test_id("join-seat-P3").click()
    expect(ask).to_be_hidden()
    expect(phone.get_by_test_id("join-enter")).to_have_text("S’asseoir")


def test_a_whole_turn_of_a_computer_at_the_simulated_table(client: FlaskClient, table: Table) -> None:
    host = Phone(client)
    host.post("host")
    asked = {"kind": "set_computer", "role": "host", "data": {"seat": "P0", "strength": "strong"}}
    assert host.post("request", **asked).status_code == 200
    table.request(parse_request("hand_set", {"cards": ["6H"]}, Role.SEAT, Seat.P0))
    computers = Computers(table, seed=2, pace_s=0.0)
    computers.start()
    planned = wait_for(table, lambda view: view["planned"])["planned"]
    (arrow,) = planned["arrows"]
    assert planned["label"]["fr"].endswith("s’il te plaît.")
    # The six captures the blue pawn on T26, which the sentence does not forget.
    assert planned["label"]["en"].endswith("the blue pawn to its camp, please.")
    put(table, "T26", "P1-C4")
    put(table, arrow["from"], arrow["to"])
    after = wait_for(table, lambda view: view["to_move"] == "P1")
    assert after["last_move"]["text"] == planned["text"]
    assert after["planned"] is None
    computers.stop()
