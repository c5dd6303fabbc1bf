"""States that a page shows only at times are as readable as the rest: axe finds nothing, by day and by night."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import HOST, PIXEL, OpenPage, live, seated, tell
from tests.support.page import no_cards
from tests.support.tables import put
from tock_companion.boardfile import generate
from tock_companion.core.requests import Role, parse_request
from tock_companion.core.state import Lobby
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve
from tock_web.services import PageServices

pytestmark = pytest.mark.browser


@pytest.fixture
def prepared(tmp_path: Path) -> Iterator[str]:
    """The address of a table at which nobody has begun."""
    table = Table(generate(4, 440), Store(tmp_path), lobby=Lobby())
    table.start()
    with serve(create_app(table, PageServices(read_cards=no_cards)), "127.0.0.1", 0) as running:
        yield f"http://{HOST}:{running.port}"
    table.stop()


def test_the_lobby(prepared: str, open_page: OpenPage) -> None:
    screen = live(open_page(f"{prepared}/", PIXEL))
    host = seated(open_page, prepared, "P0", "Anna", PIXEL)
    guest = seated(open_page, prepared, "P1", "Bob", PIXEL)
    expect(host.get_by_test_id("begin")).to_be_visible()
    found = {name: faults_day_and_night(page) for name, page in (("screen", screen), ("host", host))}
    assert {**found, "guest": faults_day_and_night(guest)} == {"screen": [], "host": [], "guest": []}


def test_a_hand_in_french_letters_who_waits_and_half_a_move(
    site: str, table: Table, open_page: OpenPage
) -> None:
    anna = seated(open_page, site, "P0", "Anna", PIXEL)
    bob = seated(open_page, site, "P1", "Bob", PIXEL)
    tell(anna, "6H", "JS", "KD", "8C", "JOK_C")
    assert table.request(parse_request("set_indices", {"indices": "french"}, Role.HOST)).ok
    expect(anna.locator("html")).to_have_attribute("data-indices", "french")
    found = {"hand": faults_day_and_night(anna), "waiting": faults_day_and_night(bob)}
    anna.get_by_test_id("hand-card-6H").click()
    expect(anna.get_by_test_id("legal-move").first).to_be_visible()
    put(table, "T26", "P1-C4")
    expect(anna.get_by_test_id("guidance")).to_be_visible()
    found["guidance"] = faults_day_and_night(anna, ".alerts")
    assert not any(found.values()), found


@pytest.mark.parametrize("path", ["/guide/start", pytest.param("/guide/trouble", marks=pytest.mark.slow)])
def test_pages_for_reading(site: str, open_page: OpenPage, path: str) -> None:
    page = open_page(f"{site}/host", PIXEL)
    live(page).get_by_test_id("become-host").click()
    expect(page.locator("#host-tools")).to_be_visible()
    page.goto(f"{site}{path}")
    expect(page.locator("main")).to_be_visible()
    assert faults_day_and_night(page) == []
