"""A computer opponent, chosen on the host's page and followed on the table's screen."""

import pytest
from playwright.sync_api import expect

from tests.support.browsing import TABLET, OpenPage, open_sheet
from tock_companion.computer_seats import Computers
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Seat

pytestmark = pytest.mark.browser


def test_the_host_gives_a_seat_to_the_computer_and_the_screen_says_what_to_move(
    table: Table, site: str, open_page: OpenPage
) -> None:
    host = open_page(f"{site}/host", TABLET)
    host.get_by_test_id("become-host").click()
    open_sheet(host, "seats")
    host.get_by_test_id("computer-P0").select_option("medium")
    expect(host.get_by_test_id("turn")).to_contain_text("Rouge (ordinateur)")
    table.request(parse_request("hand_set", {"cards": ["6H"]}, Role.SEAT, Seat.P0))
    Computers(table, seed=2, pace_s=0.0).act()
    expect(host.get_by_test_id("turn")).to_contain_text("Rouge (ordinateur)")
    expect(host.get_by_test_id("turn")).to_contain_text("joue 6♥ : déplace le pion rouge")
    screen = open_page(f"{site}/", TABLET)
    expect(screen.locator(".legal").first).to_be_attached()


def test_taking_a_computer_s_seat_asks_first(table: Table, site: str, open_page: OpenPage) -> None:
    asked = {"seat": "P2", "strength": "easy"}
    assert table.request(parse_request("set_computer", asked, Role.HOST, None)).ok
    phone = open_page(f"{site}/")
    tile, ask = phone.get_by_test_id("join-seat-P2"), phone.locator("#join-computer")
    expect(tile).to_contain_text("ordinateur")
    expect(ask).to_be_hidden()
    tile.click()
    expect(ask).to_contain_text("L’ordinateur joue à cette place.")
    expect(phone.get_by_test_id("join-enter")).to_have_text("Jouer à sa place")
    phone.get_by_test_id("join-seat-P3").click()
    expect(ask).to_be_hidden()
    expect(phone.get_by_test_id("join-enter")).to_have_text("S’asseoir")
