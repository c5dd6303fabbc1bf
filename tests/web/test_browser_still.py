"""The board stands still: of one size and in one place on a phone, in every state of the game."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import (
    HOST,
    HOST_SHEETS,
    TABLET,
    OpenPage,
    become_host,
    live,
    open_sheet,
    seated,
    tell,
)
from tests.support.page import no_cards
from tests.support.sources import PerfectEye
from tests.support.tables import put
from tock_companion.boardfile import generate
from tock_companion.core.requests import Role, parse_request
from tock_companion.core.state import Lobby
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import PageServer, create_app, serve
from tock_web.services import PageServices

pytestmark = pytest.mark.browser
PHONES = ((390, 844), (360, 640), (844, 390))
PERCENT = (100, 145, 200)
NEARLY_WON: dict[str, list[str]] = {"P0": ["T40"], "P1": ["T9", "H2", "H3", "H4"], "P2": [], "P3": []}
PLACES = """(sizes) => sizes.map((percent) => {
  const root = document.documentElement;
  root.style.fontSize = `${percent * 1.125}%`;
  const { x, y, width, height } = document.querySelector("#board svg").getBoundingClientRect();
  root.style.fontSize = "";
  return [x, y, width, height];
})"""
"""The place and the size of the board, with letters of these sizes."""
WIDE = """(sizes) => {
  const root = document.documentElement;
  const sheet = document.querySelector("dialog[open]");
  for (const details of sheet.querySelectorAll("details")) details.open = true;
  const found = sizes.filter((percent) => {
    root.style.fontSize = `${percent * 1.125}%`;
    return Math.max(root.scrollWidth, sheet.scrollWidth, sheet.offsetWidth) > innerWidth;
  });
  root.style.fontSize = "";
  return found;
}"""
"""The sizes of letters with which the open sheet is wider than the screen."""

Rows = dict[tuple[int, int, int], tuple[float, ...]]


def ask(table: Table, kind: str, seat: Seat | None = None, **data: object) -> None:
    role = Role.HOST if seat is None else Role.SEAT
    assert table.request(parse_request(kind, data, role, seat)).ok, kind


class Watched:
    """A phone whose board is measured in one state of the game after the other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.first: Rows = {}
        self.moved: dict[str, Rows] = {}

    def measure(self, state: str) -> None:
        now: Rows = {}
        # Ends as the phone is held.
        for width, height in reversed(PHONES):
            self.page.set_viewport_size({"width": width, "height": height})
            places: Any = self.page.evaluate(PLACES, PERCENT)
            now |= {
                (width, height, percent): tuple(place) for percent, place in zip(PERCENT, places, strict=True)
            }
        self.first = self.first or now
        moved = {
            key: place
            for key, place in now.items()
            if any(abs(a - b) > 1 for a, b in zip(place, self.first[key], strict=True))
        }
        if moved:
            self.moved[state] = moved


@contextmanager
def evening(folder: Path) -> Iterator[tuple[Table, Scene, PageServer]]:
    scene = Scene(board := generate(4, 440))
    table = Table(board, Store(folder), [PerfectEye(scene)], scene=scene, lobby=Lobby())
    table.start()
    with serve(create_app(table, PageServices(read_cards=no_cards)), "127.0.0.1", 0) as running:
        yield table, scene, running
    table.stop()


def test_the_board_stands_still_all_evening(tmp_path: Path, open_page: OpenPage) -> None:
    """It jumped with every card and warning, and a warning in large letters pushed it off the screen."""
    with evening(tmp_path) as (table, scene, server):
        anna = seated(open_page, f"http://{HOST}:{server.port}", "P0", "Anna", {"width": 390, "height": 844})
        phone = Watched(anna)
        table.people.join("Mamie Jo", Seat.P1)
        expect(anna.get_by_test_id("begin")).to_be_visible()
        phone.measure("lobby")
        for (width, height, percent), (x, y, wide, high) in phone.first.items():
            assert x >= 0, (width, height, percent)
            assert y >= 0, (width, height, percent)
            assert x + wide <= width, (width, height, percent)
            assert y + high <= height, (width, height, percent)
            assert wide >= 0.7 * min(width, height), "large letters are for people who see little"

        ask(table, "begin")
        expect(anna.get_by_test_id("hand-enter")).to_be_visible()
        phone.measure("my turn")
        sim = live(open_page(f"http://{HOST}:{server.port}/sim", TABLET))
        at_rest = sim.get_by_test_id("board").bounding_box()
        anna.get_by_test_id("hand-enter").click()
        expect(anna.get_by_test_id("tray")).to_be_visible()
        phone.measure("a hand is entered")
        anna.get_by_test_id("hand-cancel").click()
        tell(anna, "KH", "7S", "8C", "JOK_C")
        phone.measure("a hand")
        anna.get_by_test_id("hand-hide").click()
        phone.measure("a hidden hand")
        anna.get_by_test_id("hand-show").click()
        anna.get_by_test_id("hand-card-KH").click()
        expect(anna.get_by_test_id("legal-move").first).to_be_visible()
        phone.measure("a card is laid")
        scene.set_aside("P0-1")
        expect(anna.get_by_test_id("guidance")).to_contain_text("Pose maintenant le pion rouge")
        phone.measure("a pawn in the hand")
        expect(anna.get_by_test_id("missing")).to_have_count(0)
        scene.put_back(table.position.board.to_pawns())
        expect(anna.get_by_test_id("guidance")).to_have_count(0)

        for steps, (source, target) in enumerate((("P1-C1", "T30"), ("P1-C2", "T32"), ("P1-C3", "T34")), 1):
            put(table, source, target)
            expect(anna.get_by_test_id("repair-step")).to_have_count(steps)
            phone.measure(f"a warning with steps: {steps}")
        assert sim.get_by_test_id("board").bounding_box() == at_rest
        anna.set_viewport_size({"width": 360, "height": 640})
        anna.evaluate("document.documentElement.style.fontSize = '225%'")
        expect(anna.locator(".warning .bang")).to_be_in_viewport(ratio=1)
        put(table, "P1-C4", "T36")
        expect(anna.get_by_test_id("many-wrong")).to_be_visible()
        phone.measure("many pawns are wrong")
        scene.put_back(table.position.board.to_pawns())
        expect(anna.get_by_test_id("warning")).to_have_count(0)

        put(table, "P0-C1", "T0")
        expect(anna.get_by_test_id("turn")).to_contain_text("Mamie Jo")
        phone.measure("another’s turn")
        for pawn in ("P0-2", "P1-1", "P0-3"):
            scene.set_aside(pawn)
        expect(anna.get_by_test_id("missing").locator(".pawn")).to_have_count(3)
        expect(anna.get_by_test_id("missing-status")).to_have_text(
            "Rouge\u00a0: 2 pions ne sont pas sur le plateau. Bleu\u00a0: 1 pion n’est pas sur le plateau."
        )
        expect(anna.get_by_test_id("warning")).not_to_contain_text("à côté d’une case")
        phone.measure("pawns are missing")
        scene.put_back(table.position.board.to_pawns())
        expect(anna.get_by_test_id("missing")).to_have_count(0)
        ask(table, "undo", Seat.P1)
        expect(anna.get_by_test_id("proposal")).to_be_visible()
        phone.measure("a vote")
        anna.get_by_test_id("vote-no").click()
        ask(table, "pause")
        expect(anna.get_by_test_id("turn")).to_contain_text("en pause")
        phone.measure("a pause")
        ask(table, "resume")

        scene.set_up(NEARLY_WON)
        expect(anna.get_by_test_id("many-wrong")).to_be_visible()
        ask(table, "accept_board")
        expect(anna.get_by_test_id("warning")).to_have_count(0)
        ask(table, "play_card", Seat.P1, card="8C")
        put(table, "T9", "P1-H1")
        expect(anna.get_by_test_id("ending")).to_be_visible()
        phone.measure("the end")
        expect(sim.get_by_test_id("ending")).to_contain_text("Mamie Jo gagne")
        expect(sim.get_by_test_id("ending-again")).to_have_count(0)
        assert sim.get_by_test_id("board").bounding_box() == at_rest
        sim.get_by_test_id("ending-replay").click()
        expect(sim.get_by_test_id("replay-step")).to_be_visible()
        server.stop()
        expect(anna.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
        phone.measure("no table")
        anna.set_viewport_size({"width": 360, "height": 640})
        anna.evaluate("document.documentElement.style.fontSize = '225%'")
        assert anna.locator(".connection").evaluate(
            "node => node.scrollHeight <= node.parentElement.clientHeight"
        )
        assert phone.moved == {}


def test_sheets_are_no_wider_than_the_phone(site: str, open_page: OpenPage) -> None:
    """The sheet of a new game with its house rules was 474 px wide on a phone of 390."""
    host = live(open_page(f"{site}/host", {"width": 390, "height": 844}))
    become_host(host)
    expect(host.locator("#host-tools")).to_be_visible()
    wide = {}
    for name in HOST_SHEETS:
        open_sheet(host, name)
        found = []
        for width, height in PHONES[:2]:
            host.set_viewport_size({"width": width, "height": height})
            host.evaluate(WIDE, PERCENT)
            found += [(width, percent) for percent in host.evaluate(WIDE, PERCENT)]
        wide[name] = found
        host.get_by_test_id("menu-close").click()
    assert wide == {name: [] for name in HOST_SHEETS}
