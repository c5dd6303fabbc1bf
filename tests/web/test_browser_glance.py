"""One glance, one hand: a player needs no scrolling for the present turn, and no text is cut or broken."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import OpenPage, is_too_wide, live, open_sheet, seated
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Seat

pytestmark = pytest.mark.browser
SIZES = ((390, 844), (360, 640), (844, 390), (768, 1024), (1920, 1080))
HAND = ["6H", "7S", "KD", "10C", "JOK_C"]
BROKEN = """() => {
  const broken = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.checkVisibility() || node.parentElement.closest("script, svg, b")) continue;
    if (getComputedStyle(node.parentElement).clipPath !== "none") continue;
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}’'\\u00a0-]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const parts = [...range.getClientRects()].filter(({ width }) => width > 1);
      const lines = new Set(parts.map(({ top }) => Math.round(top)));
      if (lines.size > 1 && !/[-\\u00a0]/.test(word)) broken.push(word);
    }
  }
  return broken;
}"""
"""The words of which a part stands on the next line."""
CUT = """() => {
  const cut = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.data.trim() || !node.parentElement.checkVisibility()) continue;
    if (node.parentElement.closest("script, svg, option")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    for (let box = node.parentElement; box; box = box.parentElement) {
      const { overflowX, clipPath, position } = getComputedStyle(box);
      if (overflowX === "auto" || overflowX === "scroll" || clipPath !== "none" || position === "fixed") break;
      const isCard = box.matches("button, .card");
      const { left, right, width } = box.getBoundingClientRect();
      if (width < 3) break;
      if ((isCard || overflowX !== "visible") && (text.left < left - 2 || text.right > right + 2)) cut.push(node.data);
    }
  }
  return cut;
}"""
"""The texts that run out of their card or button, or into what hides them."""


UNDER_THE_GLASS = """() => {
  const glass = document.querySelector(".board-tool .icon")?.getBoundingClientRect();
  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
  const isUnder = (hole) => {
    const [[x, y], [glassX, glassY]] = [middle(hole), middle(glass)];
    return Math.hypot(x - glassX, y - glassY) < (glass.width + hole.width) / 2;
  };
  const holes = [...document.querySelectorAll("[data-testid^=hole-]")];
  return holes.filter((hole) => glass && isUnder(hole.getBoundingClientRect())).map((hole) => hole.dataset.testid);
}"""
"""The holes that the glass covers."""


def outside(page: Page, *selectors: str) -> list[str]:
    """Those of the elements that are not wholly on the screen as it is, without scrolling."""
    found: Any = page.evaluate(
        """(selectors) => selectors.filter((selector) => {
          const all = [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility());
          return !all.length || all.some((node) => {
            const { left, top, right, bottom } = node.getBoundingClientRect();
            return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
          });
        })""",
        list(selectors),
    )
    return list(found)


def large_text(page: Page, percent: int) -> None:
    """Show all letters so much larger than usual."""
    page.evaluate(
        "(size) => { document.documentElement.style.fontSize = size; }", f"{112.5 * percent / 100}%"
    )


@pytest.fixture
def anna(site: str, table: Table, open_page: OpenPage) -> Page:
    """A player whose turn it is, with her hand open."""
    page = seated(open_page, site, "P0", "Anna", {"width": 390, "height": 844})
    table.request(parse_request("hand_set", {"cards": HAND}, Role.SEAT, Seat.P0))
    page.get_by_test_id("hand-show").click()
    expect(page.get_by_test_id("hand-card-6H")).to_be_visible()
    return page


@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.slow)])
def test_turn_board_hand_and_what_to_do_are_seen_at_once(anna: Page, lang: str) -> None:
    if lang == "en":
        anna.get_by_test_id("language").click()
    needed = (
        "#turn",
        "#board svg",
        "[data-testid^=hand-card-]",
        "[data-testid=hint]",
    )
    found = {}
    for width, height in SIZES:
        anna.set_viewport_size({"width": width, "height": height})
        anna.evaluate("scrollTo(0, 0)")
        found[width, height] = outside(anna, *needed)
        board = anna.locator("#board svg").bounding_box()
        assert board is not None
        assert min(board["width"], board["height"]) >= 0.33 * min(width, height), (width, height)
    assert found == {size: [] for size in SIZES}


def test_a_hand_that_is_not_entered_leaves_no_empty_strip(site: str, open_page: OpenPage) -> None:
    page = seated(open_page, site, "P0", "Anna", {"width": 390, "height": 844})
    expect(page.get_by_test_id("hand")).to_be_visible()
    page.get_by_test_id("hand-card-KH").click()
    expect(page.get_by_test_id("legal-move").first).to_be_visible()
    expect(page.get_by_test_id("hand")).to_be_hidden()


def test_the_instruction_is_in_reach_of_the_thumb(anna: Page) -> None:
    """On a phone held in one hand the buttons of the turn are in the lower half."""
    for testid in ("hint", "hand-card-6H"):
        box = anna.get_by_test_id(testid).bounding_box()
        assert box is not None
        assert box["y"] > 844 / 2, testid
    anna.get_by_test_id("hand-card-KD").click()
    anna.set_viewport_size({"width": 360, "height": 640})
    expect(anna.get_by_test_id("legal-move").first).to_be_in_viewport()


@pytest.mark.parametrize(
    "percent", [*(pytest.param(size, marks=pytest.mark.slow) for size in (100, 145)), 200]
)
def test_no_word_is_broken_and_nothing_runs_out_to_the_side(
    site: str, anna: Page, open_page: OpenPage, percent: int
) -> None:
    """Bugs 16 and 17: `piq/ue`, `Jo/k/er`, a ten without its suit."""
    screen = live(open_page(f"{site}/", {"width": 320, "height": 640}))
    expect(anna.locator(".board-tool .icon")).to_be_visible()
    for page, sheets in ((anna, ("players", "history", "settings")), (screen, ("invite",))):
        large_text(page, percent)
        for width, height in ((320, 640), (390, 844), (844, 390)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(BROKEN) == [], (width, percent)
            assert not is_too_wide(page), (width, percent)
            assert page.evaluate(UNDER_THE_GLASS) == [], (width, percent)
            assert page.evaluate(CUT) == [], (width, percent)
            bar = page.locator(".bar").bounding_box()
            assert bar is not None
            assert bar["height"] < 80, "all of it on one line"
        for sheet in sheets:
            open_sheet(page, sheet)
            assert page.evaluate(BROKEN) + page.evaluate(CUT) == [], (sheet, percent)
            page.get_by_test_id("menu-close").click()
    anna.set_viewport_size({"width": 320, "height": 640})
    anna.get_by_test_id("hand-enter").click()
    expect(anna.get_by_test_id("enter-card-6H")).to_be_attached()
    assert anna.evaluate(BROKEN) + anna.evaluate(CUT) == [], percent
