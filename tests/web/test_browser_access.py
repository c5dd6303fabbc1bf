"""Everybody can use every screen: axe finds nothing, the keyboard reaches everything, greys and 200 % text suffice."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import PIXEL, SMALL, TABLET, OpenPage, hole, is_too_wide, live, sit

pytestmark = pytest.mark.browser
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def faults(page: Page) -> list[str]:
    """Return what axe-core finds on the page as it is shown now."""
    page.evaluate(AXE)
    found: Any = page.evaluate("(options) => axe.run(document, options)", RULES)
    assert found["passes"], "axe looked at nothing"
    return [
        f"{fault['id']}: {node['html'][:120]}" for fault in found["violations"] for node in fault["nodes"][:3]
    ]


def night(page: Page) -> None:
    for _ in range(2):
        page.locator("#theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "night")


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


@pytest.mark.parametrize("theme", ["day", "night"])
@pytest.mark.parametrize("path", ["/", "/watch", "/sim", "/card", "/host"])
def test_axe_finds_nothing(site: str, open_page: OpenPage, path: str, theme: str) -> None:
    page = live(open_page(f"{site}{path}", PIXEL))
    if path == "/host":
        assert faults(page) == []
        page.get_by_test_id("become-host").click()
        expect(page.locator("#host-tools")).to_be_visible()
        live(page)
    if theme == "night":
        night(page)
    for summary in page.locator("details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()
    assert faults(page) == []


STATES: dict[str, Callable[[Page], None]] = {
    "pack": lambda page: page.get_by_test_id("turn").wait_for(),
    "moves": lambda page: page.get_by_test_id("hand-card-6H").click(),
    "editor": lambda page: page.get_by_test_id("hand-enter").click(),
    "correct": lambda page: page.get_by_test_id("correct-open").click(),
    "replay": lambda page: page.get_by_test_id("replay-open").click(),
}


@pytest.mark.parametrize("theme", ["day", "night"])
def test_axe_finds_nothing_on_a_player_s_page(site: str, open_page: OpenPage, theme: str) -> None:
    page = sit(open_page(f"{site}/", PIXEL), "P0", "Anna")
    if theme == "night":
        night(page)
    found = {}
    for name, reach in STATES.items():
        page.reload()
        live(page)
        reach(page)
        page.wait_for_timeout(150)
        found[name] = faults(page)
    assert found == {name: [] for name in STATES}


def test_the_text_board_says_where_everything_stands(site: str, open_page: OpenPage) -> None:
    page = sit(open_page(f"{site}/", locale="en-CA"), "P0", "Anna")
    board = page.get_by_test_id("text-board")
    board.locator("summary").click()
    expect(board).to_contain_text("Red")
    expect(board).to_contain_text("4 in the red zone")
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
    page = sit(open_page(f"{site}/", SMALL), "P0", "Anna")
    page.evaluate("document.documentElement.style.fontSize = '225%'")
    for name, show in STATES.items():
        page.reload()
        live(page)
        page.evaluate("document.documentElement.style.fontSize = '225%'")
        show(page)
        page.wait_for_timeout(100)
        assert not is_too_wide(page), name


def test_every_seat_has_a_shape_of_its_own(site: str, open_page: OpenPage) -> None:
    page = live(open_page(f"{site}/watch"))
    shapes = page.evaluate(
        "() => [...document.querySelectorAll('.seats .pawn-icon g')].map((pawn) => pawn.lastChild.outerHTML)"
    )
    assert len(shapes) == 4
    assert len({shape.replace('fill="#FFFFFF"', "").replace('fill="#000000"', "") for shape in shapes}) == 4
