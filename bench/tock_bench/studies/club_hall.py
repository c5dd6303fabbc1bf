"""A tournament of sixteen in real browsers: a director, the hall's screen, two tables with companions, and phones.

Two rounds are played, and what everybody sees is photographed; what the documents for users show is written
beside their other pictures (`make pictures`).
"""

import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.support import page_client as clients
from tests.support.browsing import TABLET
from tests.support.checkout import BUILD
from tests.support.club import running_desk
from tests.support.mosquitto import Broker
from tests.support.page import no_cards
from tests.support.waiting import until
from tock_bench.results import Figures, Say
from tock_bench.studies.pictures import OUT, PATIENCE_MS, PHONE, open_page, shoot
from tock_companion.boardfile import generate
from tock_companion.club.desk import Desk
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.mqtt.member import Member
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve
from tock_web.club.access import DESK, DeskAccess
from tock_web.club.desk import create_desk_app, director_pin
from tock_web.club.member import ClubServices
from tock_web.services import PageServices

FOLDER = BUILD / "club"
"""For the pictures that no document shows."""
NAMES = "Ana, Béa, Chloé, Dan, Élise, Fred, Gaël, Hugo, Inès, Jules, Karim, Léa, Marc, Nora, Omar, Paul"
ROUNDS = 2
WITH_COMPANION = ("chene", "sapin")
WITHOUT = (3, 4)
"""The tables of the hall that have nothing but a card with a code."""


@contextmanager
def companion(folder: Path, name: str, address: BrokerAddress) -> Iterator[str]:
    """A table with a companion whose host has not let it join; the address of its page."""
    table = Table(generate(4, 440.0), Store(folder / name))
    member = Member(table, address, name)
    with ExitStack() as stack:
        stack.callback(table.stop)
        table.start()
        stack.callback(member.stop)
        member.start()
        server = stack.enter_context(
            serve(
                create_app(table, PageServices(of_features=[ClubServices(member)], read_cards=no_cards)),
                "127.0.0.1",
                0,
            )
        )
        until(lambda: member.club_met is not None)
        yield f"http://{clients.HOST}:{server.port}"


class Hall:
    """Everybody's pages."""

    def __init__(self, browser: Browser, desk: Desk, url: str, pin: str, codes: DeskAccess) -> None:
        self._desk, self._url, self._codes = desk, url, codes
        self.screen = open_page(browser, f"{url}/", TABLET)  # type: ignore[arg-type]
        self.phone = open_page(browser, f"{url}/")
        self.phone.get_by_test_id("hall-name").fill("Élise")
        self.director = open_page(browser, f"{url}/director", TABLET)  # type: ignore[arg-type]
        self.director.get_by_test_id("director-pin").fill(pin)
        self.director.get_by_test_id("director-enter").click()
        self._sheets = [open_page(browser, f"{url}/") for _ in WITHOUT]

    def open(self) -> None:
        """Announce the tournament and enter everybody."""
        self.director.get_by_test_id("open-name").fill("Coupe du Chêne")
        self.director.get_by_test_id("open-rounds").fill(str(ROUNDS))
        self.director.get_by_test_id("open-go").click()
        self.director.get_by_test_id("people-list").fill(NAMES.replace(", ", "\n"))
        self.director.get_by_test_id("people-add").click()
        expect(self.director.get_by_test_id("people")).to_contain_text("16")

    def begin_round(self, number: int) -> None:
        """Pair a round and begin it."""
        self.director.get_by_test_id("do-pair").click()
        expect(self.director.get_by_test_id("do-begin")).to_be_enabled()
        self.director.get_by_test_id("do-begin").click()
        expect(self.screen.get_by_test_id("hall-round")).to_contain_text(str(number))
        expect(self.screen.get_by_test_id("hall-table-4")).to_be_visible()

    def enter_results(self, show: bool) -> None:
        """At the tables without anything one side enters the result, and the other one confirms it."""
        for table, sheet in zip(WITHOUT, self._sheets, strict=True):
            sheet.goto(f"{self._url}/sheet#{self._codes.code_of(table)}")
            sheet.reload()
            sheet.get_by_test_id("winner").select_option("1")
            sheet.get_by_test_id("home-0").fill("2")
            if show and table == WITHOUT[0]:
                shoot(sheet, "club-entering", FOLDER)
                sheet.get_by_test_id("winner").select_option("1")
                sheet.get_by_test_id("home-0").fill("2")
            sheet.get_by_test_id("sheet-send").click()
            expect(sheet.get_by_test_id("sheet-yes")).to_be_visible()
            if show and table == WITHOUT[0]:
                shoot(sheet, "club-sheet")
            sheet.get_by_test_id("sheet-yes").click()
            expect(sheet.get_by_test_id("sheet-done")).to_be_visible()
            expect(self.screen.get_by_test_id(f"hall-table-{table}")).to_have_class(re.compile("done"))

    def end_time(self) -> None:
        """Call time: the boards count as they stand."""
        self.director.get_by_test_id("do-time").click()
        self.director.get_by_test_id("do-time-yes").click()
        expect(self.director.get_by_test_id("do-close")).to_be_enabled()


def first_at_table_1(desk: Desk) -> str:
    """The name on the first seat of the first table."""
    now = desk.state.tournament
    assert now is not None
    return now.entrants[now.rounds[-1].games[0].sides[0][0]].name


def _has_more(desk: Desk, tables: int) -> bool:
    return len(desk.state.tables) > tables


def seat_by_name(page: Page, name: str) -> None:
    """A player sits down where the round has put their name."""
    page.get_by_test_id("join-name").fill(name)
    page.get_by_test_id("join-seat-P0").click()
    page.get_by_test_id("join-enter").click()
    page.wait_for_url("**/seat")


def evening(browser: Browser, hall: Hall, desk: Desk, tables: list[str]) -> None:
    """Two rounds, from the hosts' buttons to the last standings."""
    hosts = [open_page(browser, f"{url}/host") for url in tables]
    for host in hosts:
        host.get_by_test_id("become-host").click()
        host.get_by_test_id("open-club").click()
        expect(host.get_by_test_id("club-join")).to_be_visible()
    shoot(hosts[0], "club-host", FOLDER)
    # One after the other, so that the first has the first place in the hall.
    for host in hosts:
        before = len(desk.state.tables)
        host.get_by_test_id("club-join").click()
        until(partial(_has_more, desk, before))
    hall.open()
    for number in range(1, ROUNDS + 1):
        hall.begin_round(number)
        sitting = [open_page(browser, f"{url}/") for url in tables]
        if number == 1:
            name = first_at_table_1(desk)
            expect(sitting[0].get_by_test_id("join-seat-P0")).to_contain_text(name)
            shoot(sitting[0], "club-seats", FOLDER)
            seat_by_name(sitting[0], name)
            shoot(sitting[0], "club-seat", FOLDER)
            shoot(hall.phone, "club-hall")
            shoot(hall.screen, "club-screen", FOLDER)
        hall.enter_results(show=number == 1)
        if number == 1:
            expect(hall.director.get_by_test_id("toast")).to_be_empty()
            shoot(hall.director, "club-director")
        hall.end_time()
    shoot(hall.screen, "club-standings", FOLDER)
    shoot(hall.phone, "club-phone-standings", FOLDER)
    hall.director.set_viewport_size(PHONE)
    shoot(hall.director, "club-director-phone", FOLDER)


def run(_say: Say) -> Figures:
    """Play, and take all pictures."""
    expect.set_options(timeout=PATIENCE_MS)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        broker = Broker(folder)
        broker.start()
        stack.callback(broker.stop)
        address = BrokerAddress("127.0.0.1", broker.port)
        desk = stack.enter_context(running_desk(folder / "club", address, "Club du Chêne"))
        app = create_desk_app(desk)
        server = stack.enter_context(serve(app, "127.0.0.1", 0))
        tables = [stack.enter_context(companion(folder, one, address)) for one in WITH_COMPANION]
        browser = stack.enter_context(clients.chromium())
        url = f"http://{clients.HOST}:{server.port}"
        hall = Hall(browser, desk, url, director_pin(app), app.extensions[DESK])
        evening(browser, hall, desk, tables)
    return {"folders": [str(OUT), str(FOLDER)]}
