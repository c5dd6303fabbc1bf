"""The page of a club in a real browser, fed by a real broker."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import HOST, TABLET, OpenPage
from tests.support.mosquitto import Broker
from tock_companion.boardfile import generate
from tock_companion.core.requests import Role, parse_request
from tock_companion.mqtt.club import Club
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.mqtt.publisher import Publisher
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import serve
from tock_web.club.tables import create_club_app

pytestmark = pytest.mark.browser


@pytest.fixture
def tables(tmp_path: Path, broker: Broker) -> Iterator[dict[str, Table]]:
    """A table of four and one of six, both publishing."""
    with ExitStack() as stack:
        made = {}
        for name, zones in (("oak", 4), ("pine", 6)):
            table = Table(generate(zones, 440.0), Store(tmp_path / name))
            stack.callback(table.stop)
            table.start()
            publisher = Publisher(table, BrokerAddress("127.0.0.1", broker.port), name, "1.0")
            stack.callback(publisher.stop)
            publisher.start()
            made[name] = table
        yield made


@pytest.fixture
def url(broker: Broker) -> Iterator[str]:
    club = Club(BrokerAddress("127.0.0.1", broker.port))
    with serve(create_club_app(club), "127.0.0.1", 0) as server:
        club.start()
        yield f"http://{HOST}:{server.port}/"
    club.stop()


def test_every_table_is_drawn_with_whose_turn_it_is(
    tables: dict[str, Table], url: str, open_page: OpenPage
) -> None:
    page = open_page(url, TABLET)
    for name in tables:
        card = page.get_by_test_id(f"club-table-{name}")
        expect(card.get_by_test_id("board")).to_be_visible()
        expect(card.get_by_test_id("turn")).to_contain_text("de jouer")
    assert tables["oak"].request(parse_request("play_card", {"card": "KH"}, Role.HOST, Seat.P0)).ok
    expect(page.get_by_test_id("club-table-oak").get_by_test_id("turn")).to_contain_text("joue R♥")
    page.get_by_test_id("language").click()
    expect(page.get_by_test_id("club-table-oak").get_by_test_id("turn")).to_contain_text("plays K♥")
    assert faults_day_and_night(page) == []


def test_a_broker_that_goes_and_comes_is_shown(
    tables: dict[str, Table], url: str, broker: Broker, open_page: OpenPage
) -> None:
    page = open_page(url, TABLET)
    oak = page.get_by_test_id("club-table-oak")
    expect(oak).to_be_visible()
    broker.stop()
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
    expect(page.locator("#club-note")).to_contain_text("injoignable")
    assert tables["oak"].request(parse_request("play_card", {"card": "KH"}, Role.HOST, Seat.P0)).ok
    broker.start()
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    expect(oak.get_by_test_id("turn")).to_contain_text("joue R♥")
