"""Every screen is usable by all: axe finds nothing, the keyboard reaches everything, marks tell seats apart."""

import io
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, expect

from tests.support.axe import faults, faults_day_and_night
from tests.support.browsing import (
    HOST,
    PIXEL,
    TABLET,
    OpenPage,
    become_host,
    close_sheet,
    live,
    open_sheet,
    seated,
    tell,
)
from tests.support.page import no_cards
from tests.support.tables import put
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.core.state import Lobby
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve
from tock_web.services import PageServices

pytestmark = pytest.mark.browser


def test_axe_finds_what_is_wrong(site: str, open_page: OpenPage) -> None:
    page = live(open_page(f"{site}/watch"))
    page.evaluate(
        """() => {
          const bad = document.createElement("p");
          bad.innerHTML = "<input><span>grey</span>";
          bad.className = "badge-bad";
          bad.style.color = "#ccc";
          bad.style.background = "#ddd";
          document.querySelector("main").append(bad);
        }"""
    )
    assert {fault.split(":")[0] for fault in faults(page)} >= {"color-contrast", "label"}


# What public pages have in their menu is the same on all; the screens themselves are looked at in test_browser_screens.
PATHS = ["/watch", "/host", *(pytest.param(path, marks=pytest.mark.slow) for path in ("/", "/sim", "/card"))]


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_in_any_sheet(site: str, open_page: OpenPage, path: str) -> None:
    page = live(open_page(f"{site}{path}", PIXEL))
    if path == "/host":
        become_host(page)
        expect(page.locator("#host-tools")).to_be_visible()
        live(page)
    for name in page.locator("[data-open]").evaluate_all("all => all.map(one => one.dataset.open)"):
        page.evaluate("name => document.querySelector(`[data-open=${name}]`).click()", name)
        assert faults(page, "dialog[open]") == [], name
        close_sheet(page)
    for summary in page.locator("details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()
    assert faults_day_and_night(page) == []


def test_the_text_board_says_where_everything_stands(site: str, open_page: OpenPage) -> None:
    page = seated(open_page, site, "P0", "Anna", locale="en-CA")
    board = page.get_by_test_id("text-board")
    open_sheet(page, "words")
    expect(board).to_contain_text("Red")
    expect(board).to_contain_text("red 4")
    expect(board).to_contain_text("2 in camp")


def test_a_turn_is_played_with_the_keyboard_alone(blind_site: str, open_page: OpenPage) -> None:
    page = live(open_page(f"{blind_site}/", TABLET))
    page.get_by_test_id("join-name").focus()
    page.keyboard.type("Anna")
    page.get_by_test_id("join-seat-P0").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.get_by_test_id("join-enter").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/seat")
    live(page)
    reach(page, "hand-card-6H")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("legal-move")).to_have_count(2)
    reach(page, "legal-move")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("turn")).to_contain_text("P1")


def reach(page: Page, testid: str) -> None:
    """Walk with the tab key until the thing is reached."""
    for _ in range(120):
        if page.evaluate("document.activeElement?.dataset.testid ?? ''") == testid:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tab key never reaches {testid}")


@pytest.fixture
def prepared(tmp_path: Path) -> Iterator[str]:
    """The address of a table at which nobody has begun."""
    table = Table(generate(4, 440), Store(tmp_path), lobby=Lobby())
    table.start()
    with serve(create_app(table, PageServices(read_cards=no_cards)), "127.0.0.1", 0) as running:
        yield f"http://{HOST}:{running.port}"
    table.stop()


def test_the_lobby(prepared: str, open_page: OpenPage) -> None:
    screen = live(open_page(f"{prepared}/", PIXEL))
    host = seated(open_page, prepared, "P0", "Anna", PIXEL)
    guest = seated(open_page, prepared, "P1", "Bob", PIXEL)
    expect(host.get_by_test_id("begin")).to_be_visible()
    found = {name: faults_day_and_night(page) for name, page in (("screen", screen), ("host", host))}
    assert {**found, "guest": faults_day_and_night(guest)} == {"screen": [], "host": [], "guest": []}


def test_a_hand_in_french_letters_who_waits_and_half_a_move(
    site: str, table: Table, open_page: OpenPage
) -> None:
    anna = seated(open_page, site, "P0", "Anna", PIXEL)
    bob = seated(open_page, site, "P1", "Bob", PIXEL)
    tell(anna, "6H", "JS", "KD", "8C", "JOK_C")
    assert table.request(parse_request("set_indices", {"indices": "french"}, Role.HOST)).ok
    expect(anna.locator("html")).to_have_attribute("data-indices", "french")
    found = {"hand": faults_day_and_night(anna), "waiting": faults_day_and_night(bob)}
    anna.get_by_test_id("hand-card-6H").click()
    expect(anna.get_by_test_id("legal-move").first).to_be_visible()
    put(table, "T26", "P1-C4")
    expect(anna.get_by_test_id("guidance")).to_be_visible()
    found["guidance"] = faults_day_and_night(anna, ".status")
    assert not any(found.values()), found


@pytest.mark.parametrize("path", ["/guide/start", pytest.param("/guide/trouble", marks=pytest.mark.slow)])
def test_pages_for_reading(site: str, open_page: OpenPage, path: str) -> None:
    page = open_page(f"{site}/host", PIXEL)
    live(page).get_by_test_id("become-host").click()
    expect(page.locator("#host-tools")).to_be_visible()
    page.goto(f"{site}{path}")
    expect(page.locator("main")).to_be_visible()
    assert faults_day_and_night(page) == []


DENSE = {"device_scale_factor": 2.625}
"""Of the phone whose size `PIXEL` is."""
SIDE_PX = 24
INSIDE = 0.62
"""The part of a pawn's picture that its rim and the wood around it leave."""
VISIBLE_DIFFERENCE = 0.05
"""Mean difference in brightness of two marks, of 1 from black to white."""


def grey(page: Page) -> Page:
    """Show the page as somebody sees it who sees no colours."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
    return page


def mark(page: Page, hole: str) -> NDArray[np.float64]:
    """Brightness of the middle of a pawn on the screen, 0 to 1."""
    box = page.get_by_test_id(f"hole-{hole}").bounding_box()
    assert box is not None
    margin = box["width"] * (1 - INSIDE) / 2
    size = box["width"] * INSIDE
    clip = {"x": box["x"] + margin, "y": box["y"] + margin, "width": size, "height": size}
    picture = Image.open(io.BytesIO(page.screenshot(clip=clip)))  # type: ignore[arg-type]
    channels = np.asarray(picture.convert("RGB"), dtype=float)
    assert np.ptp(channels, axis=2).max() <= 2, "the picture has colours"
    return np.asarray(picture.convert("L").resize((SIDE_PX, SIDE_PX)), dtype=float) / 255


def closest(page: Page, holes: list[str]) -> float:
    """Difference between the two pawns that look most alike."""
    marks = [mark(page, hole) for hole in holes]
    return min(float(np.abs(one - two).mean()) for one, two in combinations(marks, 2))


def test_eight_seats_differ_without_colours_even_on_a_phone(tmp_path: Path, open_page: OpenPage) -> None:
    setup = GameSetup(
        "diagonale", position={f"P{seat}": [f"T{18 * seat + 5}", *["camp"] * 3] for seat in range(8)}
    )
    table = Table(generate(8, 600), Store(tmp_path), setup=setup)
    table.start()
    holes = [f"T{18 * seat + 5}" for seat in range(8)]
    with serve(create_app(table), "127.0.0.1", 0) as running:
        page = grey(live(open_page(f"http://{HOST}:{running.port}/watch", PIXEL, **DENSE)))
        with_marks = closest(page, holes)
        page.evaluate(
            "document.querySelectorAll('.layer-pawns .pawn').forEach((pawn) => pawn.lastChild.remove())"
        )
        without = closest(page, holes)
    table.stop()
    assert with_marks > VISIBLE_DIFFERENCE > 2 * without, (with_marks, without)
