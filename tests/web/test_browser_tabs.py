"""Many tabs of one browser: it opens six connections to one address, and every request goes through all the same."""

import re

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.support.browsing import OpenPage, live, seated

pytestmark = pytest.mark.browser
PATHS = ("/", "/sim", "/table", "/watch", "/host", "/seat", "/sim", "/table")

TAPPED = """fetch("/api/v1/request", {
  method: "POST",
  headers: { "X-Tock": "1", "Content-Type": "application/json" },
  body: JSON.stringify({ kind: "move", data: { text: "P0:T1>T2" } }),
}).then((answer) => answer.status)"""


def opened(first: Page, site: str) -> list[Page]:
    """Eight tabs with live pages, the one of the seat first."""
    tabs = [first]
    for path in PATHS:
        tab = first.context.new_page()
        tab.goto(site + path, timeout=10_000)
        tabs.append(tab)
    return tabs


def test_the_ninth_tab_opens_and_a_request_of_the_first_goes_through(
    site: str, app: Flask, open_page: OpenPage
) -> None:
    anna = seated(open_page, site, "P0", "Anna")
    tabs = opened(anna, site)
    expect(tabs[-1].get_by_test_id("connection")).to_have_attribute("data-state", "live")
    for tab in tabs:
        assert tab.evaluate(TAPPED) == 409, "the table has judged it"
    assert len(app.extensions["tock"].streams) <= 4
    # A tab that lost its stream follows the table all the same, and gets it back when it is looked at.
    anna.bring_to_front()
    anna.evaluate("dispatchEvent(new Event('focus'))")
    live(anna)
    zoe = seated(open_page, site, "P1", "Zoé")
    for tab in (anna, tabs[2], tabs[-1]):
        expect(tab.locator("body")).to_contain_text("Zoé")
    zoe.close()


def test_tabs_that_are_restored_together_all_come_up(site: str, app: Flask, open_page: OpenPage) -> None:
    first = open_page(site)
    tabs = [first.context.new_page() for _ in range(8)]
    for tab in tabs:
        tab.evaluate(f"() => {{ location.href = '{site}/table'; }}")
    for tab in tabs:
        expect(tab.get_by_test_id("connection")).to_have_attribute(
            "data-state", re.compile("live|polling"), timeout=15_000
        )
