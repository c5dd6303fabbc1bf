"""The faces of cards: the letters of the table's own deck, and what cannot be played plainly so."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import PIXEL, OpenPage, live, open_sheet, seated, tell
from tock_companion.boardfile import generate
from tock_companion.core.requests import Role, parse_request
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat

pytestmark = pytest.mark.browser


LETTERS = """cards => cards.map(card => {
  const index = document.querySelector(`[data-testid="hand-card-${card}"] .card b`);
  return index.textContent + getComputedStyle(index, "::before").content.replace(/none|"/g, "");
})"""
"""In one go, because every redraw puts new cards in the place of the old."""


def letters(page: Page, *cards: str) -> list[str]:
    """The letters in the corners of cards of the hand."""
    read: list[str] = page.evaluate(LETTERS, cards)
    return read


def test_cards_have_the_letters_of_the_table_s_deck(site: str, table: Table, open_page: OpenPage) -> None:
    host = live(open_page(f"{site}/host", PIXEL))
    host.get_by_test_id("become-host").click()
    anna = seated(open_page, site, "P0", "Anna", PIXEL)
    tell(anna, "JS", "QH", "KD", "AC", "10D")
    assert letters(anna, "JS", "QH", "KD", "AC", "10D") == [*"VDRA", "10"]
    anna.get_by_test_id("language").click()
    expect(anna.locator("html")).to_have_attribute("lang", "en")
    assert letters(anna, "JS", "QH", "KD", "AC", "10D") == [*"JQKA", "10"]
    open_sheet(host, "mode")
    host.get_by_test_id("indices").select_option("french")
    expect(anna.locator("html")).to_have_attribute("data-indices", "french")
    assert letters(anna, "JS", "QH", "KD", "AC", "10D") == [*"VDRA", "10"]
    anna.get_by_test_id("language").click()
    anna.get_by_test_id("hand-card-AC").click()
    anna.get_by_test_id("take-back").click()
    asked = {"card": "KD"}
    assert table.request(parse_request("play_card", asked, Role.SEAT, Seat.P0)).ok
    expect(anna.get_by_test_id("turn")).to_contain_text("R♦")
    expect(anna.locator(".laid-card")).to_contain_text("Roi de carreau")


def test_a_card_that_cannot_be_played_looks_so_and_says_why(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    assert blind_table.request(parse_request("new_game", {"ruleset": "mjc"}, Role.HOST)).ok
    anna = seated(open_page, blind_site, "P0", "Anna", PIXEL, "fr-CA")
    tell(anna, "6H", "AS")
    useless, useful = anna.get_by_test_id("hand-card-6H"), anna.get_by_test_id("hand-card-AS")
    expect(useless).to_contain_text("aucun")
    expect(useful).to_contain_text("1 coup")
    colors = [card.evaluate("(node) => getComputedStyle(node).backgroundColor") for card in (useless, useful)]
    assert colors[0] != colors[1]
    useless.click()
    expect(anna.get_by_test_id("toast")).to_contain_text("6 de cœur\u00a0: aucun coup possible")
    expect(anna.locator(".laid-card")).to_have_count(0)


def test_the_letters_are_kept_through_a_restart(tmp_path: Path) -> None:
    for _ in range(2):
        table = Table(generate(4, 440), Store(tmp_path))
        table.start()
        before = table.view(Role.TABLE)["indices"]
        assert table.request(parse_request("set_indices", {"indices": "german"}, Role.HOST)).ok
        assert table.view(Role.TABLE)["indices"] == "german"
        table.stop()
    assert before == "german"
