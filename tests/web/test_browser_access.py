"""Everybody can use every screen: axe finds nothing, the keyboard reaches everything, greys and 200 % text suffice."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults, faults_day_and_night
from tests.support.browsing import (
    PIXEL,
    SMALL,
    TABLET,
    OpenPage,
    close_sheet,
    hole,
    is_too_wide,
    live,
    open_menu,
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


STATES: dict[str, tuple[str, str | None, str | None]] = {
    "menu": ("dialog[open]", "menu-open", "menu-close"),
    "pack": ("html", None, None),
    "editor": ("#cards", "hand-enter", "hand-cancel"),
    "correct": ("dialog[open]", "correct-open", "correct-cancel"),
    "replay": ("dialog[open]", "replay-open", "replay-close"),
    "moves": ("#moves", "hand-card-6H", None),
}
"""The states of a player's page: the new part, and the buttons that lead there and back."""


def states(page: Page) -> Iterator[str]:
    """Lead a player's page through its states."""
    for name, (part, there, back) in STATES.items():
        if there in ("correct-open", "replay-open"):
            open_menu(page)
        if there:
            page.get_by_test_id(there).click()
        # The game to step through is fetched first.
        expect(page.locator(part)).to_be_visible()
        if name == "moves":
            expect(page.get_by_test_id("legal-move")).to_have_count(2)
        yield name
        if back:
            page.get_by_test_id(back).click()


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


def test_large_letters_fit_a_small_phone(site: str, open_page: OpenPage) -> None:
    page = seated(open_page, site, "P0", "Anna", SMALL)
    page.evaluate("document.documentElement.style.fontSize = '225%'")
    assert [name for name in states(page) if is_too_wide(page)] == []
