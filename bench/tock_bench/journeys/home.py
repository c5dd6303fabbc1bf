"""A companion with a family around it."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser

from tests.support import page_client as clients
from tests.support.browsing import PHONE, STILL, TABLET, live
from tests.support.service import Companion
from tock_bench.journeys.person import Person, Taps


@dataclass
class Home:
    """A companion, the browser that opens its page, and the taps and seconds of the family."""

    browser: Browser
    companion: Companion
    folder: Path

    def __post_init__(self) -> None:
        self.taps = Taps()
        self.start_over()

    def someone(self, size: dict[str, int] | None = None, locale: str = "fr-CA") -> Person:
        """A person with a new phone that has just scanned the code."""
        context = self.browser.new_context(viewport=size or PHONE, locale=locale, has_touch=True, **STILL)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(f"http://{clients.HOST}:{self.companion.port}/")
        return Person(live(page), self.taps)

    def screen(self) -> Person:
        """The computer's screen, which `tock run` opens."""
        return self.someone(TABLET)

    def restart(self) -> None:
        """Switch the machine off, and on again the next day."""
        self.companion.stop()
        self.companion = Companion(self.companion.data, port=self.companion.port)
        self.companion.wait_until_up()

    def start_over(self) -> None:
        """Count from here."""
        self.taps.number = 0
        self.began_s = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the counting began."""
        return time.monotonic() - self.began_s


@contextmanager
def at_home(browser: Browser) -> Iterator[Home]:
    """A companion on an empty folder with a family around it."""
    with tempfile.TemporaryDirectory() as folder, Companion(Path(folder) / "data") as companion:
        at = Home(browser, companion, Path(folder))
        yield at
        for context in browser.contexts:
            context.close()
        if at.companion is not companion:
            at.companion.stop()
