"""Everybody can use every screen: axe finds nothing, and the keyboard reaches everything."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults, faults_day_and_night
from tests.support.browsing import (
    PIXEL,
    TABLET,
    OpenPage,
    close_sheet,
    hole,
    live,
    open_sheet,
    seated,
)

pytestmark = pytest.mark.browser


def test_axe_finds_what_is_wrong(site: str, open_page: OpenPage) -> None:
    page = live(open_page(f"{site}/watch"))
    page.evaluate(
        """() => {
          const bad = document.createElement("p");
          bad.innerHTML = "<input><span>grey</span>";
          bad.className = "badge-bad";
          bad.style.color = "#ccc";
          bad.style.background = "#ddd";
          document.querySelector("main").append(bad);
        }"""
    )
    assert {fault.split(":")[0] for fault in faults(page)} >= {"color-contrast", "label"}


# What public pages have in their menu is the same on all; the screens themselves are looked at in test_browser_screens.
PATHS = ["/watch", "/host", *(pytest.param(path, marks=pytest.mark.slow) for path in ("/", "/sim", "/card"))]


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_in_any_sheet(site: str, open_page: OpenPage, path: str) -> None:
    page = live(open_page(f"{site}{path}", PIXEL))
    if path == "/host":
        page.get_by_test_id("become-host").click()
        expect(page.locator("#host-tools")).to_be_visible()
        live(page)
    for name in page.locator("[data-open]").evaluate_all("all => all.map(one => one.dataset.open)"):
        page.evaluate("name => document.querySelector(`[data-open=${name}]`).click()", name)
        assert faults(page, "dialog[open]") == [], name
        close_sheet(page)
    for summary in page.locator("details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()
    assert faults_day_and_night(page) == []


def test_the_text_board_says_where_everything_stands(site: str, open_page: OpenPage) -> None:
    page = seated(open_page, site, "P0", "Anna", locale="en-CA")
    board = page.get_by_test_id("text-board")
    open_sheet(page, "words")
    expect(board).to_contain_text("Red")
    expect(board).to_contain_text("red 4")
    expect(board).to_contain_text("2 in camp")


def test_a_turn_is_played_with_the_keyboard_alone(blind_site: str, open_page: OpenPage) -> None:
    page = live(open_page(f"{blind_site}/", TABLET))
    page.get_by_test_id("join-name").focus()
    page.keyboard.type("Anna")
    page.get_by_test_id("join-seat-P0").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.get_by_test_id("join-enter").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/seat")
    live(page)
    reach(page, "hand-card-6H")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("legal-move")).to_have_count(2)
    reach(page, "legal-move")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("turn")).to_contain_text("P1")


def reach(page: Page, testid: str) -> None:
    """Walk with the tab key until the thing is reached."""
    for _ in range(120):
        if page.evaluate("document.activeElement?.dataset.testid ?? ''") == testid:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tab key never reaches {testid}")


def test_the_simulated_table_is_moved_with_the_keyboard(site: str, open_page: OpenPage) -> None:
    page = live(open_page(f"{site}/sim", TABLET))
    hole(page, "T20").focus()
    page.keyboard.press("Enter")
    hole(page, "T21").focus()
    page.keyboard.press("Enter")
    expect(hole(page, "T21")).to_have_attribute("data-pawn", "P0")
    expect(hole(page, "T20")).to_have_attribute("data-pawn", "")
