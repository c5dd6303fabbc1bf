"""Two homes with a board each, in real browsers, with two companions, a relay, its broker and TLS between them."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support import page_client as clients
from tests.support.browsing import PHONE, STILL, TABLET, hole, is_too_wide, live
from tests.support.relay_process import RunningRelay
from tests.support.service import Companion
from tests.support.taps import Household


class TwoHomes:
    """Léa's home, which invites, and Bob's; the taps of both families are counted together."""

    def __init__(self, browser: Browser, place: RunningRelay, folder: Path) -> None:
        self.browser, self.place = browser, place
        self.began_s = 0.0
        self.family = Household("", self.page)
        self.lea, self.bob = (self._started(folder / name) for name in ("lea", "bob"))
        for companion in (self.lea, self.bob):
            companion.wait_until_up()

    def _started(self, folder: Path) -> Companion:
        folder.mkdir()
        settings = f'[far]\nrelay = "{self.place.url}"\nca = "{self.place.ca}"\n'
        (folder / "tock.toml").write_text(settings, encoding="utf-8")
        return Companion(folder)

    def page(
        self, url: str, size: dict[str, int] | None = None, locale: str = "fr-CA", **options: object
    ) -> Page:
        """A device of its own at an address; it trusts the relay's certificate."""
        chosen = {"ignore_https_errors": True, **STILL, **options}
        context = self.browser.new_context(viewport=size or PHONE, locale=locale, has_touch=True, **chosen)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(url)
        return page

    def at(
        self, home: Companion, path: str = "/", size: dict[str, int] | None = None, locale: str = "fr-CA"
    ) -> Page:
        """A device in a home."""
        return live(self.page(f"http://{clients.HOST}:{home.port}{path}", size, locale))

    def seated(self, home: Companion, name: str, seat: str, locale: str = "fr-CA") -> Page:
        """The phone of somebody who sits in a home."""
        page = self.at(home, locale=locale)
        self.family.sit(page, name, seat)
        return page

    def table(self, home: Companion) -> Page:
        """The simulated table of a home."""
        return self.at(home, "/sim", TABLET)

    def host(self, page: Page) -> None:
        """Go to the host's page: two taps."""
        self.family.tap(page.get_by_test_id("menu-open"))
        self.family.tap(page.locator("#menu a[href='/host']"))
        page.wait_for_url("**/host")
        live(page)

    def start_over(self) -> None:
        """Count taps and seconds from here."""
        self.family.taps, self.began_s = 0, time.monotonic()

    @property
    def seconds(self) -> float:
        """Since the counting began."""
        return time.monotonic() - self.began_s

    def restart(self) -> None:
        """Switch Léa's machine off and on again."""
        self.lea.stop()
        self.lea = Companion(self.lea.data, port=self.lea.port)
        self.lea.wait_until_up()

    def stop(self) -> None:
        """End both companions."""
        for companion in (self.lea, self.bob):
            if companion.process.poll() is None:
                companion.stop()


@contextmanager
def two_homes(browser: Browser, place: RunningRelay | None = None) -> Iterator[TwoHomes]:
    """Two homes at work; with a relay of their own where none is given."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tock-two-homes-")))
        if place is None:
            (folder / "relay").mkdir()
            place = RunningRelay(folder / "relay").start()
            stack.callback(place.stop)
        homes = TwoHomes(browser, place, folder)
        stack.callback(homes.stop)
        yield homes
        for context in browser.contexts:
            context.close()


pytestmark = [pytest.mark.browser, pytest.mark.whole]
MAX_TAPS = 8
"""Of both sides together, until the second board is joined."""


@pytest.fixture
def homes(chromium: Browser, place: RunningRelay) -> Iterator[TwoHomes]:
    expect.set_options(timeout=30_000)
    with two_homes(chromium, place) as homes:
        yield homes


def test_a_board_joins_by_its_link_and_a_move_is_made_on_both(homes: TwoHomes) -> None:
    family = homes.family
    lea, bob = homes.seated(homes.lea, "Léa", "P0"), homes.seated(homes.bob, "Bob", "P1")
    family.taps = 0
    homes.host(lea)
    family.tap(lea.get_by_test_id("far-board"))
    link = lea.get_by_test_id("far-link").get_attribute("href") or ""
    on_a_phone = homes.page(link)
    expect(on_a_phone.get_by_test_id("far-line")).to_have_attribute("data-state", "board")
    expect(lea.get_by_test_id("far-state")).to_have_attribute("data-state", "waiting")
    homes.host(bob)
    family.tap(bob.get_by_test_id("far-follow-link"))
    bob.keyboard.insert_text(link)
    family.tap(bob.get_by_test_id("far-follow"))
    expect(bob.get_by_test_id("far-followed")).to_have_attribute("data-state", "here")
    expect(lea.get_by_test_id("far-state")).to_have_attribute("data-state", "here")
    assert family.taps <= MAX_TAPS
    tables = homes.table(homes.lea), homes.table(homes.bob)
    for page in (lea, bob):
        page.go_back()
        live(page)
    expect(bob.get_by_test_id("far-home")).to_contain_text("la partie se prépare là-bas")
    lea.get_by_test_id("begin").tap()
    lea.get_by_test_id("hand-card-KH").tap()
    family.drag(tables[0], "P0-C1", "T0")
    asked = bob.get_by_test_id("guidance")
    expect(asked).to_have_attribute("data-code", "elsewhere/copy")
    expect(asked).to_contain_text("déplace le pion rouge")
    lea.get_by_test_id("signs-open").tap()
    lea.get_by_test_id("sign-clap").tap()
    expect(bob.get_by_test_id("far-sign")).to_contain_text("Léa")
    family.drag(tables[1], "P0-C1", "T0")
    expect(asked).to_have_count(0)
    bob.get_by_test_id("hand-card-KH").tap()
    family.drag(tables[1], "P1-C1", "T18")
    expect(lea.get_by_test_id("turn")).to_contain_text("déplace le pion bleu")
    family.drag(tables[0], "P1-C1", "T18")
    expect(hole(bob, "T18")).to_have_attribute("data-pawn", "P1")
    assert not is_too_wide(bob)
