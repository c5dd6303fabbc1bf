"""The whole companion as a person starts it: rendered camera pictures in, verdicts on phones out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browsing import HOST, LIVELY, PIXEL, TABLET, OpenPage, drag, hole, live, open_sheet, seated
from tests.support.service import Companion

pytestmark = pytest.mark.browser


@pytest.fixture
def companion_url(tmp_path: Path) -> Iterator[str]:
    with Companion(tmp_path) as running:
        yield f"http://{HOST}:{running.port}"


def test_two_phones_a_simulated_table_and_its_host(companion_url: str, open_page: OpenPage) -> None:
    host = open_page(f"{companion_url}/host", TABLET)
    host.get_by_test_id("become-host").click()
    anna = seated(open_page, companion_url, "P0", "Anna", PIXEL, "fr-CA")
    bob = seated(open_page, companion_url, "P1", "Bob", PIXEL, "en-CA")
    table = live(open_page(f"{companion_url}/sim", TABLET, **LIVELY))
    expect(table.locator("#camera")).to_be_visible()

    anna.get_by_test_id("hand-card-KH").click()
    expect(anna.get_by_test_id("legal-move")).to_have_attribute("data-move", "P0:camp>T0*")
    drag(table, "P0-C1", "T0")
    for phone in (anna, bob):
        expect(hole(phone, "T0")).to_have_attribute("data-pawn", "P0")
        expect(phone.get_by_test_id("turn")).to_contain_text("P1")

    bob.get_by_test_id("hand-card-AS").click()
    expect(bob.get_by_test_id("legal-move")).to_have_count(1)
    drag(table, "P1-C2", "T20")
    for phone in (anna, bob):
        expect(phone.get_by_test_id("warning")).to_be_visible()
        expect(phone.get_by_test_id("repair-step")).to_have_attribute("data-from", "T20")
    target = bob.get_by_test_id("repair-step").get_attribute("data-to")
    assert target is not None
    drag(table, "T20", "P1-C2" if target.startswith("P1-C") else target)
    for phone in (anna, bob):
        expect(phone.get_by_test_id("warning")).to_have_count(0)

    if target.startswith("P1-C"):
        drag(table, "P1-C2", "T18")
    for phone in (anna, bob):
        expect(hole(phone, "T18")).to_have_attribute("data-pawn", "P1")
        # Two play, as the lobby showed when the first card was laid.
        expect(phone.get_by_test_id("turn")).to_contain_text("P0")

    # The host sees the camera's picture.
    open_sheet(host, "sources")
    expect(host.locator("#camera")).to_be_visible()
