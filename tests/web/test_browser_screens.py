"""Every screen, in both languages: all is translated, letters of 225 % fit a small phone, and axe finds nothing."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import (
    HOST_SHEETS,
    PIXEL,
    SMALL,
    TABLET,
    OpenPage,
    become_host,
    close_sheet,
    drag,
    is_too_wide,
    live,
    open_menu,
    open_sheet,
    sit,
)
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder

pytestmark = [pytest.mark.browser, pytest.mark.whole]
IN_BOTH_LANGUAGES = pytest.mark.parametrize(
    "locale", ["fr-CA", pytest.param("en-CA", marks=pytest.mark.slow)]
)
DIALOG = "dialog[open]"
STEPS = 7
"""Of setting up."""
CODE = re.compile(r"\bP[0-7]\b")
ALL_THAT_IS_READ = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    if (!node.parentElement.closest("script, style, [aria-hidden=true], textarea")) found.push(node.data);
  for (const node of document.querySelectorAll("[aria-label], [title], [alt], [placeholder]"))
    for (const name of ["aria-label", "title", "alt", "placeholder"]) found.push(node.getAttribute(name) ?? "");
  return found.filter((text) => text.trim());
}"""
UNTRANSLATED = re.compile(r"\{\w+\}|\b(setup|event|mode|hand|replay|correct|settings)[.-][a-z]+[.-]?[a-z]*\b")


def look(page: Page, part: str = "html") -> None:
    """Look at a screen, or at the part of it that is new, by day and by night.

    No screen shows the name of a text in place of the text, or a seat by its code, folded or for screen readers.
    """
    # While a request is under way buttons are paler.
    expect(page.locator("body.busy")).to_have_count(0)
    words = page.locator("body").inner_text()
    assert not UNTRANSLATED.search(words), UNTRANSLATED.search(words)
    assert [text for text in page.evaluate(ALL_THAT_IS_READ) if CODE.search(text)] == []
    assert not is_too_wide(page)
    assert faults_day_and_night(page, part) == []
    size = page.viewport_size
    page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    page.evaluate("document.documentElement.style.fontSize = '225%'")
    assert not is_too_wide(page)
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size(size)  # type: ignore[arg-type]


@IN_BOTH_LANGUAGES
def test_every_screen_of_the_players(site: str, open_page: OpenPage, locale: str) -> None:
    anna = open_page("about:blank", PIXEL, locale)
    asked: list[str] = []
    anna.on("request", lambda request: asked.append(request.url))
    anna.goto(f"{site}/")
    look(live(anna))
    sit(anna, "P0", "Anna")
    look(anna)
    anna.get_by_test_id("hand-enter").click()
    for card in ("6H", "KS", "10D", "JOK_C"):
        anna.get_by_test_id(f"enter-card-{card}").click()
    look(anna, "#cards")
    anna.get_by_test_id("hand-save").click()
    expect(anna.get_by_test_id("hand-card-6H")).to_be_visible()
    look(anna)
    anna.get_by_test_id("hand-card-6H").click()
    expect(anna.get_by_test_id("legal-move")).to_have_count(2)
    look(anna, "#moves")

    table = live(open_page(f"{site}/sim", TABLET, locale))
    drag(table, "T4", "T11")
    for screen in (anna, table):
        expect(screen.get_by_test_id("warning")).to_be_visible()
        look(screen)
    drag(table, "T11", "T10")
    expect(anna.get_by_test_id("warning")).to_have_count(0)
    open_menu(anna)
    look(anna, DIALOG)
    anna.get_by_test_id("replay-open").click()
    expect(anna.get_by_test_id("replay-step")).to_be_visible()
    look(anna, DIALOG)
    anna.get_by_test_id("replay-close").click()
    open_menu(anna)
    anna.get_by_test_id("correct-open").click()
    expect(anna.locator(DIALOG)).to_be_visible()
    look(anna, DIALOG)
    assert asked
    assert [url for url in asked if not url.startswith(site)] == [], "everything comes from the companion"


@IN_BOTH_LANGUAGES
def test_every_screen_of_watchers_and_the_host(site: str, open_page: OpenPage, locale: str) -> None:
    for path, size in (("watch", TABLET), ("table", TABLET), ("card", PIXEL)):
        look(live(open_page(f"{site}/{path}", size, locale)))
    host = live(open_page(f"{site}/host", PIXEL, locale))
    look(host)
    become_host(host)
    expect(host.locator("#host-tools")).to_be_visible()
    live(host)
    for sheet in HOST_SHEETS:
        open_sheet(host, sheet)
        close_sheet(host)
    look(host)
    host.get_by_test_id("setup-open").click()
    title = host.locator("#setup-title")
    titles: list[str] = []
    for _ in range(STEPS):
        if titles:
            expect(title).not_to_have_text(titles[-1])
        titles.append(title.inner_text())
        look(host, ".guided")
        host.get_by_test_id("setup-next").click()
    expect(host.get_by_test_id("setup")).to_be_hidden()
    assert len({*titles}) == STEPS


def test_all_phones_say_that_the_host_records(
    site: str, table: Table, tmp_path: Path, open_page: OpenPage
) -> None:
    pages = [
        sit(open_page(f"{site}/", PIXEL), "P0", "Anna"),
        *(live(open_page(f"{site}/{path}", PIXEL)) for path in ("watch", "host")),
    ]
    boards = [page.locator("#board svg") for page in pages[:2]]
    places = [board.bounding_box() for board in boards]
    table.record_to(Recorder(tmp_path / "film", table.board_file))
    for page in pages:
        expect(page.get_by_test_id("recorded")).to_be_visible()
        assert not is_too_wide(page)
    assert [board.bounding_box() for board in boards] == places, "no tap misses its hole"
    assert faults_day_and_night(pages[0]) == []
    table.stop_recording()
    for page in pages:
        expect(page.get_by_test_id("recorded")).to_have_count(0)
