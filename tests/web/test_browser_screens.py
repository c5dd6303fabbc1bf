"""Every screen, in both languages: all is translated, letters of 225 % fit a small phone, and axe finds nothing."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import PIXEL, SMALL, TABLET, OpenPage, drag, is_too_wide, live, open_menu, sit

pytestmark = [pytest.mark.browser, pytest.mark.whole]
IN_BOTH_LANGUAGES = pytest.mark.parametrize(
    "locale", ["fr-CA", pytest.param("en-CA", marks=pytest.mark.slow)]
)
DIALOG = "dialog[open]"
STEPS = 7
"""Of setting up."""
UNTRANSLATED = re.compile(r"\{\w+\}|\b(setup|event|mode|hand|replay|correct|settings)[.-][a-z]+[.-]?[a-z]*\b")


def look(page: Page, part: str = "html") -> None:
    """Look at a screen, or at the part of it that is new, by day and by night.

    No screen shows the name of a text in place of the text.
    """
    # While a request is under way buttons are paler.
    expect(page.locator("body.busy")).to_have_count(0)
    words = page.locator("body").inner_text()
    assert not UNTRANSLATED.search(words), UNTRANSLATED.search(words)
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
    look(live(open_page(f"{site}/watch", TABLET, locale)))
    look(live(open_page(f"{site}/card", PIXEL, locale)))
    host = live(open_page(f"{site}/host", PIXEL, locale))
    look(host)
    host.get_by_test_id("become-host").click()
    expect(host.locator("#host-tools")).to_be_visible()
    live(host)
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
