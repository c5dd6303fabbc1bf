"""Somebody far away in a real browser, over a real relay, its broker and TLS: from the link to a move, and back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Locator, Page, expect

from tests.support.axe import faults
from tests.support.boards import pawns
from tests.support.browsing import OpenPage, is_too_wide, small_targets
from tests.support.page import Phone
from tests.support.relay_process import RunningRelay
from tests.support.tables import wait_for
from tock_app.config.load import Relay
from tock_app.service.far import far_home, let_in
from tock_companion.boardfile import generate
from tock_companion.computer_seats import Computers
from tock_companion.core.game_setup import GameSetup
from tock_companion.far.tunnel import Tunnel
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app

pytestmark = [pytest.mark.browser, pytest.mark.whole]
START = pawns("P0 T4 T20, P1 T26, P3 T60")
NARROW = {"width": 360, "height": 740}
MAX_TAPS = 4
"""On her side; the host needs two: "Somebody far away", and to send the link."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table that nothing sees, and the companion draws her cards."""
    running = Table(generate(4, 440), Store(tmp_path), setup=GameSetup(position=START))
    running.start()
    computers = Computers(running, seed=2, pace_s=0.0)
    computers.start()
    yield running
    computers.stop()
    running.stop()


@pytest.fixture
def app(table: Table) -> Flask:
    return create_app(table)


@pytest.fixture
def home(place: RunningRelay, table: Table, app: Flask, tmp_path: Path) -> Iterator[Tunnel]:
    tunnel = far_home(table, Relay(place.url, place.ca), tmp_path)
    let_in(tunnel, app)
    tunnel.start()
    yield tunnel
    tunnel.stop()


def line(page: Page) -> Locator:
    return page.get_by_test_id("far-line")


def far_page(open_page: OpenPage, link: str) -> Page:
    return open_page(link, NARROW, ignore_https_errors=True)


def test_from_the_link_to_her_first_move_and_back_after_a_cut(
    table: Table, app: Flask, home: Tunnel, open_page: OpenPage
) -> None:
    luc = Phone(app.test_client()).sit("P1", "Luc")
    link = home.invite(Seat.P0, name="Odette").link
    page = far_page(open_page, link)
    taps = 1
    expect(page.locator("#far-name")).to_have_value("Odette")
    assert faults(page) == []
    page.get_by_test_id("far-join").click()
    expect(page.get_by_test_id("hand")).to_be_visible()
    assert luc.post("request", kind="deal").status_code == 200
    hand = page.get_by_test_id("hand")
    expect(hand).to_be_visible()
    card = hand.locator("[data-testid^=hand-card-]:not(.useless)").first
    card.click()
    page.get_by_test_id("legal-move").first.click()
    taps += 3
    shown = wait_for(table, lambda view: view["last_move"] is not None)
    assert shown["last_move"]["seat"] == "P0"
    assert taps <= MAX_TAPS
    expect(page.get_by_test_id("legal-move")).to_have_count(0)
    expect(page.locator("body:not(.busy)")).to_be_visible()
    expect(line(page)).to_be_hidden()
    assert not is_too_wide(page)
    assert small_targets(page, "main") == []
    assert faults(page) == []
    page.context.set_offline(True)
    expect(line(page)).to_have_attribute("data-state", "cut")
    page.context.set_offline(False)
    expect(line(page)).to_be_hidden()
    page.reload()
    expect(page.get_by_test_id("hand")).to_be_visible()
    home.revoke(home.guests()[0].room)
    expect(line(page)).to_have_attribute("data-state", "revoked")


def test_an_onlooker_sees_the_table_and_a_player_stood_in_for_sits_down_again(
    table: Table, app: Flask, home: Tunnel, open_page: OpenPage
) -> None:
    Phone(app.test_client()).sit("P1", "Luc")
    onlooker = far_page(open_page, home.invite(None, watches=True).link)
    expect(onlooker.get_by_test_id("far-join")).to_have_text("Regarder")
    onlooker.locator("#far-name").fill("Guy")
    onlooker.get_by_test_id("far-join").click()
    expect(onlooker.get_by_test_id("far-watching")).to_contain_text("Guy regarde.")
    expect(onlooker.get_by_test_id("signs-open")).to_be_visible()
    page = far_page(open_page, home.invite(Seat.P0, name="Odette").link)
    page.get_by_test_id("far-join").click()
    expect(page.get_by_test_id("hand")).to_be_visible()
    room = next(guest.room for guest in home.guests() if guest.seat is Seat.P0)
    assert home.stand_in(room).ok
    expect(line(page)).to_have_attribute("data-state", "out")
    page.get_by_test_id("far-sit").click()
    expect(page.get_by_test_id("hand")).to_be_visible()
    expect(line(page)).to_be_hidden()
    assert table.people.names()[Seat.P0] == "Odette"


def test_a_second_phone_reads_that_the_link_is_used(home: Tunnel, open_page: OpenPage) -> None:
    link = home.invite(Seat.P1, name="Odette").link
    first = far_page(open_page, link)
    first.get_by_test_id("far-join").click()
    expect(first.locator("#turn")).to_be_visible()
    second = far_page(open_page, link)
    expect(line(second)).to_have_attribute("data-state", "device")
    expect(line(first)).to_be_hidden()


def test_a_link_that_was_cut_off_says_so(place: RunningRelay, open_page: OpenPage) -> None:
    page = far_page(open_page, f"{place.url}/far#1.AAAAAAAAAAAAAAAAAAAAAA.cutoff")
    expect(line(page)).to_have_attribute("data-state", "link-cut-off")
    expect(page.locator("#far-form")).to_be_hidden()
