"""Two homes with a companion each, and a real relay between them, with broker and TLS."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.support import page_client as clients
from tests.support.browsing import PHONE, STILL, TABLET, live
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
