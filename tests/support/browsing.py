"""Phones in a real browser, at a name that is not localhost, because pages there may do less."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.support import page_client as clients
from tock_companion.errors import BadInputError

HOST = clients.HOST
PHONE = {"width": 390, "height": 844}
PIXEL = {"width": 412, "height": 839}
SMALL = {"width": 320, "height": 640}
TABLET = {"width": 1024, "height": 768}
PATIENCE_MS = 30_000
STILL = {"reduced_motion": "reduce"}
LIVELY = {"reduced_motion": "no-preference"}
"""Motion is painted without end while a board is wrong: a quarter of a browser's computing in a test."""
EXPECTED = re.compile(
    "status of (401|403|409|415|422|429|503)|net::ERR_|interrupted while the page was loading"
)
"""Refusals and broken connections are part of play; browsers report them all the same."""

HOST_SHEETS = (
    "new-game",
    "boards",
    "mode",
    "voice",
    "seats",
    "games",
    "journal",
    "sources",
    "pin",
    "end",
    "programs",
)
OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests; every phone is a context of its own."""
    try:
        clients.find_browser()
    except BadInputError as error:
        pytest.skip(str(error))
    with clients.chromium() as started:
        yield started


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[OpenPage]:
    """Open an address on a new phone; anything that the console complains of fails the test."""
    expect.set_options(timeout=PATIENCE_MS)
    complaints: list[str] = []
    with ExitStack() as stack:

        def open_page(
            url: str, size: dict[str, int] | None = None, locale: str = "fr-CA", **options: object
        ) -> Page:
            context: BrowserContext = chromium.new_context(
                viewport=size or PIXEL,  # type: ignore[arg-type]
                locale=locale,
                has_touch=True,
                **{**STILL, **options},  # type: ignore[arg-type]
            )
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on(
                "console", lambda message: complaints.append(message.text) if _is_bad(message.type) else None
            )
            page.goto(url)
            return page

        yield open_page
    unexpected = [text for text in complaints if not EXPECTED.search(text)]
    assert not unexpected


def _is_bad(kind: str) -> bool:
    return kind in ("error", "warning")


def sit(page: Page, seat: str, name: str) -> Page:
    """Join a seat on the start page and wait until its page lives."""
    page.get_by_test_id("join-name").fill(name)
    page.get_by_test_id(f"join-seat-{seat}").click()
    page.get_by_test_id("join-enter").click()
    page.wait_for_url("**/seat")
    live(page)
    return page


def seated(
    open_page: OpenPage,
    site: str,
    seat: str,
    name: str,
    size: dict[str, int] | None = None,
    locale: str = "fr-CA",
) -> Page:
    """A new phone at the page of its seat; `sit` is for tests that go there by way of the start page."""
    page = open_page("about:blank", size, locale)
    # A page that is only there to ask would be a second page to load.
    who = clients.PageClient(site.replace(HOST, "127.0.0.1"))
    assert who.post("/api/v1/join", name=name, seat=seat, lang=locale[:2])["ok"]
    page.context.add_cookies(
        [{"name": key, "value": value, "url": site} for key, value in who.cookies().items()]
    )
    page.goto(f"{site}/seat")
    return live(page)


def live(page: Page) -> Page:
    """Wait until the page follows the table."""
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    return page


def become_host(page: Page) -> None:
    """Take the host's rights, after which the page is loaded again."""
    with page.expect_navigation():
        page.get_by_test_id("become-host").click()


def open_sheet(page: Page, name: str) -> None:
    """Open a sheet of the menu, or of the host's page."""
    if page.url.endswith("/host") and name in HOST_SHEETS:
        page.get_by_test_id(f"open-{name}").click()
    else:
        open_menu(page)
        page.get_by_test_id(f"menu-{name}").click()


def close_sheet(page: Page) -> None:
    """Close the menu."""
    page.get_by_test_id("menu-close").click()


def open_menu(page: Page) -> None:
    """Open the list of the menu."""
    page.get_by_test_id("menu-open").click()


def hole(page: Page | Locator, hole_id: str) -> Locator:
    """The area of a hole on the board."""
    return page.get_by_test_id(f"hole-{hole_id}")


def drag(page: Page, source: str, target: str) -> None:
    """Drag a pawn on the simulated table from hole to hole."""
    hole(page, source).drag_to(hole(page, target))
    expect(hole(page, source)).to_have_attribute("data-pawn", "")


def is_too_wide(page: Page) -> bool:
    """Whether the page, or the dialog open on it, must be scrolled sideways."""
    wide: bool = page.evaluate(
        """[document.documentElement, ...document.querySelectorAll("dialog[open]")]
          .some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)"""
    )
    return wide


SMALL_TARGETS = """([least, within]) => {
  const targets = [...document.querySelectorAll("button, label")].filter(node => node.closest(within));
  return targets.flatMap(node => {
    const { width, height } = node.getBoundingClientRect();
    return width && Math.min(width, height) < least ? [`${node.textContent} ${width} x ${height}`] : [];
  });
}"""
MIN_TARGET_PX = 43.5


def small_targets(page: Page, within: str) -> list[str]:
    """The parts of a page's section that are too small for a finger."""
    small: list[str] = page.evaluate(SMALL_TARGETS, [MIN_TARGET_PX, within])
    return small


def tell(page: Page, *cards: str) -> None:
    """Tell the hand of this phone's seat."""
    page.get_by_test_id("hand-enter").click()
    for card in cards:
        page.get_by_test_id(f"enter-card-{card}").click()
    page.get_by_test_id("hand-save").click()
    expect(page.locator(f"[data-testid=hand-card-{cards[0]}].in-hand")).to_be_visible()
