"""Every screen of the page on phones, tablets and a large screen, in both languages, by day and night, small and large.

`make screenshots` puts the pictures into `build/screenshots`, to be looked at. One table is taken from its lobby into a
game; each of its screens is shown in every way. Besides it says which screens run out to the side.
"""

import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice, product, repeat
from pathlib import Path
from typing import Annotated

from playwright.sync_api import Browser, Page, expect

from tests.support import page_client as clients
from tests.support.browsing import is_too_wide, live, sit
from tests.support.checkout import BUILD
from tests.support.ending import nearly_won, win
from tests.support.sources import PerfectEye
from tests.support.tables import put, wait_for
from tock_bench.results import Figures, Say
from tock_companion.boardfile import generate
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.core.requests import Role, parse_request
from tock_companion.table.core.state import Lobby
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app, serve

OUT = BUILD / "screenshots"
SIZES = ((390, 844), (360, 640), (844, 390), (768, 1024), (1920, 1080), (320, 568))
PHONES = SIZES[:3]
LANGS, THEMES = ("fr", "en"), ("day", "night")
TEXTS = ("1", "1.45", "2")
"""As usual, the largest that the page offers, and the browser's own at twice the size."""
SEED = 38
SHOW_HAND = "document.querySelector('[data-testid=hand-show]')?.click()"
STANDING = {"P0-C1": "T4", "P0-C2": "T20", "P1-C1": "T26"}


@dataclass(frozen=True)
class Way:
    """One way to show the page."""

    width: int
    height: int
    lang: str
    theme: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.width}x{self.height}-{self.lang}-{self.theme}-{round(float(self.text) * 100)}"


def ways_of(sizes: tuple[tuple[int, int], ...]) -> list[Way]:
    """All ways to show the page at these sizes."""
    ways = product(sizes, LANGS, THEMES, TEXTS)
    return [Way(width, height, lang, theme, text) for (width, height), lang, theme, text in ways]


def turns(each: int) -> Iterator[list[Way]]:
    """That many of a phone's ways for one screen after another, each way as often as any other."""
    ways = ways_of(PHONES)
    random.Random(SEED).shuffle(ways)
    endless = cycle(ways)
    while True:
        yield list(islice(endless, each))


class Photographer:
    """Takes pictures of pages that are open already: only their size, language and colours change."""

    def __init__(self, ways: Iterator[list[Way]]) -> None:
        self._ways = ways
        self.wide: list[str] = []
        self.taken = 0

    def take(self, page: Page, name: str) -> None:
        """Show a page in the ways that it is next to be shown in."""
        for look in next(self._ways):
            page.set_viewport_size({"width": look.width, "height": look.height})
            if page.locator("html").get_attribute("lang") != look.lang:
                page.evaluate("document.querySelector('[data-testid=language]').click()")
                expect(page.locator("html")).to_have_attribute("lang", look.lang)
            page.evaluate(
                "([theme, size]) => { document.documentElement.dataset.theme = theme;"
                " document.documentElement.dataset.size = size === '2' ? '1' : size;"
                " document.documentElement.style.fontSize = size === '2' ? '225%' : ''; }",
                [look.theme, look.text],
            )
            # A hand covers itself after a while, and all these pictures take longer.
            page.evaluate(SHOW_HAND)
            page.screenshot(path=str(OUT / f"{name}-{look.name}.png"), animations="disabled")
            self.taken += 1
            if is_too_wide(page):
                self.wide.append(f"{name}-{look.name}")


def phone(browser: Browser, url: str) -> Page:
    """A new device with a page open."""
    page = browser.new_context(locale="fr-CA", has_touch=True, device_scale_factor=1).new_page()
    page.goto(url)
    return live(page)


def ask(table: Table, kind: str, seat: Seat | None = None, **data: object) -> None:
    """Ask as a seat, or as the host."""
    role = Role.SEAT if seat is not None else Role.HOST
    assert table.request(parse_request(kind, data, role, seat)).ok, kind


def album(browser: Browser, table: Table, url: str, take: Photographer) -> None:
    """Take one table from its lobby into a game."""
    screen = phone(browser, f"{url}/")
    take.take(screen, "table-lobby")
    lea = sit(phone(browser, f"{url}/"), "P0", "Léa")
    take.take(lea, "seat-lobby-host")
    mamie = sit(phone(browser, f"{url}/"), "P1", "Mamie")
    take.take(mamie, "seat-lobby-guest")
    ask(table, "begin")
    for source, target in STANDING.items():
        put(table, source, target)
    wait_for(table, lambda view: view["warning"])
    ask(table, "new_game", position="seen", players=2)
    ask(table, "hand_set", Seat.P0, cards=["6H", "7S", "KD", "10C", "JOK_C"])
    take.take(lea, "seat-turn")
    take.take(mamie, "seat-waiting")
    lea.evaluate(SHOW_HAND)
    lea.get_by_test_id("hand-card-KD").click()
    lea.get_by_test_id("legal-move").first.wait_for()
    take.take(lea, "seat-moves")
    lea.get_by_test_id("menu-open").click()
    take.take(lea, "menu")
    lea.get_by_test_id("menu-close").click()
    take.take(screen, "table-game")
    put(table, "T20", "T29")
    lea.get_by_test_id("warning").wait_for()
    take.take(lea, "seat-warning")
    put(table, "T29", "T20")
    lea.get_by_test_id("warning").wait_for(state="detached")
    mamie.get_by_test_id("hand-enter").click()
    for card in ("10C", "QH", "JOK_C"):
        mamie.get_by_test_id(f"enter-card-{card}").click()
    take.take(mamie, "seat-editor")
    host = lea.context.new_page()
    host.goto(f"{url}/host")
    live(host).get_by_test_id("pause").wait_for()
    take.take(host, "host")
    for path in ("sim", "watch"):
        take.take(phone(browser, f"{url}/{path}"), path)


def last_page(browser: Browser, folder: Path, take: Photographer) -> None:
    """Show the end of a game."""
    table = Table(generate(4, 440), Store(folder), setup=nearly_won())
    table.start()
    with serve(create_app(table), "127.0.0.1", 0) as server:
        url = f"http://{clients.HOST}:{server.port}/"
        screen, lea = phone(browser, url), sit(phone(browser, url), "P0", "Léa")
        tom = sit(phone(browser, url), "P2", "Tom")
        win(table)
        for page, name in ((lea, "seat-end-host"), (tom, "seat-end-guest"), (screen, "table-end")):
            page.get_by_test_id("ending").wait_for()
            take.take(page, name)
    table.stop()


def run(
    _say: Say, each: Annotated[int, "pictures of each screen on phones, in turns; 0 for every way"] = 0
) -> Figures:
    """Take all pictures."""
    OUT.mkdir(parents=True, exist_ok=True)
    take = Photographer(turns(each) if each else repeat(ways_of(SIZES)))
    board = generate(4, 440)
    scene = Scene(board)
    with tempfile.TemporaryDirectory() as folder, clients.chromium() as browser:
        table = Table(board, Store(Path(folder)), [PerfectEye(scene)], scene=scene, lobby=Lobby())
        table.start()
        with serve(create_app(table), "127.0.0.1", 0) as server:
            album(browser, table, f"http://{clients.HOST}:{server.port}", take)
        table.stop()
        last_page(browser, Path(folder) / "end", take)
    return {"folder": str(OUT), "pictures": take.taken, "wider_than_the_screen": list(take.wide)}
