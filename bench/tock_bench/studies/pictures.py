"""The pictures of the documents for users, in both languages.

A family sits down at a simulated table, lays a card and errs; its host sets the table up; a club plays a round.
"""

import io
import re
import tempfile
from contextlib import closing
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.support import page_client as clients
from tests.support.boards import pawns
from tests.support.browsing import TABLET, live, sit
from tock_app.config.load import config_of
from tock_app.service.admin import MachineAdmin
from tock_bench.results import Figures, Say
from tock_companion.boardfile import generate
from tock_companion.club.desk import Desk
from tock_companion.club.repository import ClubRepository
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.core.state import Lobby
from tock_companion.language import LANGUAGES
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_vision.simulated import SimulatedSource
from tock_web import create_app, serve
from tock_web.club.access import DESK
from tock_web.club.desk import create_desk_app, director_pin
from tock_web.services import PageServices

OUT = Path("docs/guide/images")
PHONE: ViewportSize = {"width": 390, "height": 844}
START = pawns("P0 T4 T20, P1 T26, P2 T40, P3 T60")
HAND = ["6H", "7S", "KD", "10C", "QS"]
COLORS = 128
"""Of each picture: a quarter of the bytes; an octree keeps the few pixels of a seat’s colour, a median cut does not."""
PATIENCE_MS = 20_000
NAMES = "Ana, Béa, Chloé, Dan, Élise, Fred, Gaël, Hugo, Inès, Jules, Karim, Léa, Marc, Nora, Omar, Paul"


def shoot(page: Page, name: str) -> None:
    """Take a picture of a page in each language."""
    for lang in LANGUAGES:
        if page.locator("html").get_attribute("lang") != lang:
            page.evaluate("document.querySelector('[data-testid=language]').click()")
            expect(page.locator("html")).to_have_attribute("lang", lang)
        page.evaluate("scrollTo(0, 0)")
        taken = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
        taken.quantize(COLORS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
            OUT / f"{name}-{lang}.png", optimize=True
        )


def live_at(page: Page, url: str) -> Page:
    """Open an address and wait until the page is live."""
    page.goto(url)
    return live(page)


def open_page(browser: Browser, url: str, size: ViewportSize = PHONE) -> Page:
    """A new device with a page open."""
    page = browser.new_context(
        viewport=size, locale="fr-CA", has_touch=True, device_scale_factor=1
    ).new_page()
    return live_at(page, url)


def ask(table: Table, kind: str, seat: Seat | None = None, **data: object) -> None:
    """Ask as a seat, or as the host."""
    role = Role.SEAT if seat is not None else Role.HOST
    assert table.request(parse_request(kind, data, role, seat)).ok, kind


def evening(browser: Browser, table: Table, scene: Scene, url: str) -> None:
    """From the lobby to a wrong move."""
    door = open_page(browser, f"{url}/")
    door.get_by_test_id("join-name").fill("Léa")
    door.get_by_test_id("join-seat-P0").click()
    shoot(door, "join")
    lea = sit(door, "P0", "Léa")
    for seat, name in (("P1", "Mamie"), ("P2", "Tom"), ("P3", "Papa")):
        sit(open_page(browser, f"{url}/"), seat, name)
    expect(lea.get_by_test_id("lobby-seat-P3")).to_contain_text("Papa")
    shoot(lea, "lobby")
    ask(table, "begin")
    ask(table, "new_game", position="seen", players=4)
    ask(table, "hand_set", Seat.P0, cards=HAND)
    lea.get_by_test_id("hand-show").click()
    shoot(lea, "hand")
    lea.get_by_test_id("menu-open").click()
    shoot(lea, "menu")
    lea.get_by_test_id("menu-close").click()
    lea.get_by_test_id("hand-card-6H").click()
    expect(lea.get_by_test_id("legal-move").first).to_be_visible()
    shoot(lea, "moves")
    screen = open_page(browser, f"{url}/sim", TABLET)  # type: ignore[arg-type]
    expect(screen.locator("#camera")).to_be_visible()
    shoot(screen, "simulated")
    host = lea.context.new_page()
    live_at(host, f"{url}/host")
    shoot(host, "host")
    host.get_by_test_id("setup-open").click()
    for _ in range(3):
        host.get_by_test_id("setup-next").click()
    setup = host.get_by_test_id("setup")
    expect(setup.locator(".camera-stage img")).to_be_visible()
    host.wait_for_function("document.querySelector('.camera-stage img').naturalWidth > 0")
    setup.evaluate("dialog => dialog.scrollTo(0, 0)")
    shoot(host, "setup")
    live_at(host, f"{url}/host/machine")
    expect(host.get_by_test_id("findings").locator("li").first).to_be_visible()
    shoot(host, "machine")
    move(scene, "T4", "T11")
    expect(lea.get_by_test_id("warning")).to_be_visible()
    shoot(lea, "warning")


def move(scene: Scene, source: str, target: str) -> None:
    """Put the pawn of a hole into another one."""
    scene.place_on(next(pawn.id for pawn in scene.state.pawns if scene.hole_of(pawn) == source), target)


def club_round(browser: Browser, desk: Desk) -> None:
    """A round of sixteen: pairings on a phone, a result on a sheet, the director's page."""
    app = create_desk_app(desk)
    with serve(app, "127.0.0.1", 0) as server:
        url = f"http://{clients.HOST}:{server.port}"
        phone = open_page(browser, f"{url}/")
        phone.get_by_test_id("hall-name").fill("Élise")
        director = open_page(browser, f"{url}/director", TABLET)  # type: ignore[arg-type]
        director.get_by_test_id("director-pin").fill(director_pin(app))
        director.get_by_test_id("director-enter").click()
        director.get_by_test_id("open-name").fill("Coupe du Chêne")
        director.get_by_test_id("open-go").click()
        director.get_by_test_id("people-list").fill(NAMES.replace(", ", "\n"))
        director.get_by_test_id("people-add").click()
        director.get_by_test_id("do-pair").click()
        expect(director.get_by_test_id("do-begin")).to_be_enabled()
        director.get_by_test_id("do-begin").click()
        expect(phone.get_by_test_id("hall-table-4")).to_be_visible()
        shoot(phone, "club-hall")
        sheet, other = (
            open_page(browser, f"{url}/sheet#{app.extensions[DESK].code_of(3, side)}") for side in (0, 1)
        )
        sheet.get_by_test_id("winner").select_option("1")
        sheet.get_by_test_id("home-0").fill("2")
        sheet.get_by_test_id("sheet-send").click()
        expect(sheet.get_by_test_id("sheet-no")).to_be_visible()
        other.reload()
        expect(other.get_by_test_id("sheet-yes")).to_be_visible()
        shoot(other, "club-sheet")
        other.get_by_test_id("sheet-yes").click()
        expect(phone.get_by_test_id("hall-table-3")).to_have_class(re.compile("done"))
        shoot(director, "club-director")


def run(_say: Say) -> Figures:
    """Take all pictures."""
    expect.set_options(timeout=PATIENCE_MS)
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(ClubRepository(Path(folder))) as repository,
        clients.chromium() as browser,
    ):
        club_round(browser, Desk(repository, "Club du Chêne"))
    board = generate(4, 440)
    scene = Scene(board)
    with tempfile.TemporaryDirectory() as folder, clients.chromium() as browser:
        sources = [SimulatedSource(board, {}, scene)]
        setup = GameSetup(position=START)
        table = Table(board, Store(Path(folder)), sources, scene=scene, setup=setup, lobby=Lobby())
        table.start()
        settings = Path(folder) / "tock.toml"
        config = config_of(settings, "", {"TOCK_DATA": folder})
        app = create_app(table, PageServices(machine=MachineAdmin(settings, config, table.sources)))
        with serve(app, "127.0.0.1", 0) as server:
            evening(browser, table, scene, f"http://{clients.HOST}:{server.port}")
        table.stop()
    return {"folder": str(OUT)}
