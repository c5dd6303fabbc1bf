"""A phone far away: invited by the host, it follows the table and plays, and everybody reads how things are."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Locator, Page, expect

from tests.support.axe import faults
from tests.support.boards import pawns
from tests.support.browsing import OpenPage, is_too_wide, live, seated, small_targets
from tests.support.far import FarGuest, far_home
from tests.support.page import Phone, offer
from tests.support.relay_process import RunningRelay
from tests.support.tables import wait_for
from tock_app.config.load import Relay
from tock_app.service import far as far_service
from tock_companion.boardfile import generate
from tock_companion.computer_seats import Computers
from tock_companion.core.game_setup import GameSetup
from tock_companion.far.link import read_link
from tock_companion.far.tunnel import Tunnel
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app
from tock_web.far.home import FarServices

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
    tunnel = far_service.far_home(table, Relay(place.url, place.ca), tmp_path)
    far_service.let_in(tunnel, app)
    tunnel.start()
    yield tunnel
    tunnel.stop()


def line(page: Page) -> Locator:
    return page.get_by_test_id("far-line")


def far_page(open_page: OpenPage, link: str) -> Page:
    return open_page(link, NARROW, ignore_https_errors=True)


@pytest.mark.browser
@pytest.mark.whole
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


@pytest.mark.browser
@pytest.mark.whole
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


@pytest.mark.browser
@pytest.mark.whole
def test_a_second_phone_reads_that_the_link_is_used(home: Tunnel, open_page: OpenPage) -> None:
    link = home.invite(Seat.P1, name="Odette").link
    first = far_page(open_page, link)
    first.get_by_test_id("far-join").click()
    expect(first.locator("#turn")).to_be_visible()
    second = far_page(open_page, link)
    expect(line(second)).to_have_attribute("data-state", "device")
    expect(line(first)).to_be_hidden()


@pytest.mark.browser
@pytest.mark.whole
def test_a_link_that_was_cut_off_says_so(place: RunningRelay, open_page: OpenPage) -> None:
    page = far_page(open_page, f"{place.url}/far#1.AAAAAAAAAAAAAAAAAAAAAA.cutoff")
    expect(line(page)).to_have_attribute("data-state", "link-cut-off")
    expect(page.locator("#far-form")).to_be_hidden()


SMALLEST = {"width": 320, "height": 640}


@pytest.mark.browser
def test_the_host_sends_a_link_and_everybody_reads_how_things_stand(
    table: Table, app: Flask, site: str, tmp_path: Path, open_page: OpenPage
) -> None:
    with far_home(table, app, tmp_path) as (tunnel, line):
        offer(app, of_features=[FarServices(tunnel)])
        anna = seated(open_page, site, "P0", "Anna", SMALLEST)
        anna.goto(f"{site}/host")
        live(anna).locator("[data-seat=P1] [data-testid=far-invite]").click()
        link = anna.get_by_test_id("far-link").get_attribute("href") or ""
        assert read_link(link).relay == tunnel.relay
        state = anna.get_by_test_id("far-state")
        expect(state).to_have_attribute("data-state", "waiting")
        assert not is_too_wide(anna)
        assert small_targets(anna, "#far") == []
        guest = FarGuest(line, link)
        assert guest.hello() is None
        guest.call("POST", "join", body={"name": "Mamie", "lang": "fr"})
        expect(state).to_have_attribute("data-state", "here")
        expect(state).to_contain_text("Mamie est là.")
        line.cut()
        expect(state).to_have_attribute("data-state", "away")
        expect(state).to_contain_text("Mamie n’est plus en ligne")
        line.mend()
        anna.locator("#far summary", has_text="Cartes").click()
        anna.get_by_test_id("far-cards").select_option("real")
        expect(anna.get_by_test_id("far-photo")).to_be_visible()
        anna.get_by_test_id("far-revoke").click()
        anna.get_by_test_id("danger-yes").click()
        expect(anna.locator("[data-seat=P1] [data-testid=far-invite]")).to_be_visible()
        assert "P1" not in {seat.name for seat in table.people.names()}
