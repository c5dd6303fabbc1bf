"""A companion with a family around it, and how often a journey of theirs is tried."""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Error as PlaywrightError

from tests.support import page_client as clients
from tests.support.browsing import PATIENCE_MS, STILL, TABLET, hole, live
from tests.support.service import Companion
from tests.support.taps import Household
from tock_bench.evenings.person import Person
from tock_bench.results import Measured, Say, table

PHONE = {"width": 390, "height": 844}


@dataclass
class Home:
    """A companion, and what opens its page."""

    browser: Browser
    companion: Companion
    folder: Path

    def __post_init__(self) -> None:
        self.family = Household("", self.page)
        self.start_over()

    def page(
        self, path: str = "/", size: dict[str, int] | None = None, locale: str = "fr-CA", **options: object
    ) -> Page:
        """A device of its own, to which the code has led."""
        context = self.browser.new_context(viewport=size or PHONE, locale=locale, has_touch=True, **options)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(f"http://{clients.HOST}:{self.companion.port}{path}")
        return live(page)

    def someone(self, path: str = "/", size: dict[str, int] | None = None, locale: str = "fr-CA") -> Person:
        """A person who knows only what is on the screen of a device of their own."""
        return Person(self.page(path, size, locale, **STILL), self.family)

    def screen(self) -> Person:
        """The computer's screen, which `tock run` opens by itself."""
        return self.someone("/", TABLET)

    def restart(self) -> None:
        """Switch the machine off; switch it on again the next day."""
        self.companion.stop()
        self.companion = Companion(self.companion.data, port=self.companion.port)
        self.companion.wait_until_up()

    def hosting(self) -> Page:
        """The host's page of the first who has sat down."""
        lea = self.family.seated("Léa", "P0")
        lea.goto(f"http://{clients.HOST}:{self.companion.port}/host")
        return live(lea)

    def begun(self) -> tuple[Page, Page, Page]:
        """Two who sit, a game that has begun, and the simulated table."""
        screen = self.page("/", TABLET)
        lea, mamie = self.family.seated("Léa", "P0"), self.family.seated("Mamie", "P1")
        self.family.tap(lea.get_by_test_id("begin"))
        screen.wait_for_url("**/sim")
        return live(screen), lea, mamie

    def out(self) -> tuple[Page, Page, Page]:
        """The same after Red's first move."""
        screen, lea, mamie = self.begun()
        self.family.tap(lea.get_by_test_id("hand-card-KH"))
        expect(lea.get_by_test_id("legal-move")).to_have_count(1)
        self.family.drag(screen, "P0-C1", "T0")
        expect(hole(mamie, "T0")).to_have_attribute("data-pawn", "P0")
        return screen, lea, mamie

    def start_over(self) -> None:
        """Count from here."""
        self.family.taps = 0
        self.began_s = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since the counting began."""
        return time.monotonic() - self.began_s


class Counted(Protocol):
    """People with all that they have, whose taps and seconds are counted."""

    family: Household

    @property
    def seconds(self) -> float:
        """Since the counting began."""


People = TypeVar("People", bound=Counted)


@contextmanager
def at_home(browser: Browser) -> Iterator[Home]:
    """A companion of its own with a family around it."""
    with tempfile.TemporaryDirectory() as folder, Companion(Path(folder) / "data") as companion:
        at = Home(browser, companion, Path(folder))
        yield at
        for context in browser.contexts:
            context.close()
        if at.companion is not companion:
            at.companion.stop()


def try_all(
    journeys: Mapping[str, Callable[[People], None]],
    times: int,
    only: str,
    say: Say,
    people: Callable[[Browser], AbstractContextManager[People]],
) -> Measured:
    """Try every journey whose function's name has `only` in it, each time with `people` of its own."""
    expect.set_options(timeout=PATIENCE_MS)
    with clients.chromium() as browser:
        tried = {
            name: try_often(lambda: people(browser), go, times, say)
            for name, go in journeys.items()
            if only in go.__name__
        }
    rows = [(name, *tries.cells(times)) for name, tries in tried.items()]
    figures = {name: asdict(tries) for name, tries in tried.items()}
    head = ("journey", "taps", "seconds, median (least to most)", "fails")
    return Measured(figures, table(head, rows), passed=not any(tries.fails for tries in tried.values()))


@dataclass
class Tries:
    """The results of one journey."""

    taps: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    fails: int = 0

    def cells(self, times: int) -> tuple[str, str, str]:
        """The row of the table, behind the journey's name."""
        fails = f"{self.fails} of {times}"
        if not self.seconds:
            return "–", "–", fails
        median, least, most = statistics.median(self.seconds), min(self.seconds), max(self.seconds)
        spread = f"{median:.1f} ({least:.1f} to {most:.1f})" if times > 1 else f"{median:.1f}"
        return str(max(self.taps)), spread, fails


def try_often(
    people: Callable[[], AbstractContextManager[People]], go: Callable[[People], None], times: int, say: Say
) -> Tries:
    """Make one journey several times."""
    tries = Tries()
    for _ in range(times):
        with people() as at:
            try:
                go(at)
            except (AssertionError, PlaywrightError) as error:
                say(f"{go.__name__}: {error}")
                tries.fails += 1
            else:
                tries.taps.append(at.family.taps)
                tries.seconds.append(at.seconds)
    return tries
