"""Every screen once in both languages, kept as pictures in `build/screens` to be looked at."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import PIXEL, TABLET, OpenPage, drag, is_too_wide, live, open_menu, sit

pytestmark = [pytest.mark.browser, pytest.mark.whole]
SCREENS = Path(__file__).resolve().parents[2] / "build" / "screens"
UNTRANSLATED = re.compile(
    r"\{\w+\}|\b(wizard|event|mode|hand|replay|correct|settings)[.-][a-z]+[.-]?[a-z]*\b"
)


class Album:
    """Keeps pictures of one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.names: list[str] = []
        SCREENS.mkdir(parents=True, exist_ok=True)

    def keep(self, page: Page, name: str, *, whole: bool = True) -> None:
        """Take a picture; no screen shows the name of a text in place of the text, or runs out to the side."""
        words = page.locator("body").inner_text()
        assert not UNTRANSLATED.search(words), (name, UNTRANSLATED.search(words))
        assert not is_too_wide(page), name
        path = SCREENS / f"{name}-{self.lang}.png"
        page.screenshot(path=str(path), full_page=whole, animations="disabled")
        self.names.append(name)


@pytest.mark.parametrize("lang", ["fr", pytest.param("en", marks=pytest.mark.slow)])
def test_every_screen_in_both_languages(site: str, open_page: OpenPage, lang: str) -> None:
    album, locale = Album(lang), f"{lang}-CA"
    anna = live(open_page(f"{site}/", PIXEL, locale))
    album.keep(anna, "join")
    sit(anna, "P0", "Anna")
    album.keep(anna, "seat-pack")
    anna.get_by_test_id("hand-enter").click()
    for card in ("6H", "KS", "10D", "JOK_C"):
        anna.get_by_test_id(f"enter-card-{card}").click()
    album.keep(anna, "seat-editor")
    anna.get_by_test_id("hand-save").click()
    expect(anna.get_by_test_id("hand-card-6H")).to_be_visible()
    album.keep(anna, "seat-hand")
    anna.get_by_test_id("hand-card-6H").click()
    expect(anna.get_by_test_id("legal-move")).to_have_count(2)
    album.keep(anna, "seat-moves")

    table = live(open_page(f"{site}/sim", TABLET, locale))
    drag(table, "T4", "T11")
    expect(anna.get_by_test_id("warning")).to_be_visible()
    album.keep(anna, "seat-warning")
    album.keep(table, "sim-warning")
    drag(table, "T11", "T10")
    expect(anna.get_by_test_id("warning")).to_have_count(0)
    open_menu(anna)
    album.keep(anna, "seat-menu", whole=False)
    anna.get_by_test_id("replay-open").click()
    expect(anna.get_by_test_id("replay-step")).to_be_visible()
    album.keep(anna, "seat-replay", whole=False)
    anna.get_by_test_id("replay-close").click()
    open_menu(anna)
    anna.get_by_test_id("correct-open").click()
    album.keep(anna, "seat-correct", whole=False)
    anna.get_by_test_id("correct-cancel").click()

    album.keep(live(open_page(f"{site}/watch", TABLET, locale)), "watch")
    album.keep(live(open_page(f"{site}/card", PIXEL, locale)), "card")
    host = live(open_page(f"{site}/host", PIXEL, locale))
    album.keep(host, "host-door")
    host.get_by_test_id("become-host").click()
    expect(host.locator("#host-tools")).to_be_visible()
    live(host)
    album.keep(host, "host")
    host.get_by_test_id("wizard-open").click()
    for number in range(7):
        expect(host.locator("#wizard-title")).to_be_visible()
        album.keep(host, f"wizard-{number + 1}", whole=False)
        host.get_by_test_id("wizard-next").click()
    assert len(album.names) == 21
