"""A board is photographed, mended by finger, checked with pawns, kept and played on, in a real browser."""

from pathlib import Path
from threading import Event, Thread

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import (
    HOST,
    OpenPage,
    become_host,
    drag,
    hole,
    is_too_wide,
    live,
    open_sheet,
    seated,
    small_targets,
    tell,
)
from tests.support.page_client import PageClient
from tests.support.pictures import BOARDS, needs_pictures
from tests.support.service import Companion, wait_for_board
from tests.support.waiting import until
from tock_companion.boardfile import load
from tock_rules import ZONE_LENGTH, Seat

pytestmark = pytest.mark.browser
NARROW = {"width": 360, "height": 740}
RECORDED = BOARDS / "recordings" / "d3_swap" / "frames"
SWAPPED = (25, 62)
"""The swap in the recording: black, the second seat of its own board file, swaps with a jack."""
EVERY_S, FRAME_S = 0.25, 0.5
KEPT = 8
"""Copies of stills that lie in the folder at a time."""
PATIENCE_S = 60.0
SEARCH_MS = 90_000


NEW_GAME = """async data => {
  const headers = { "Content-Type": "application/json", "X-Tock": "1" };
  const body = JSON.stringify({ kind: "new_game", role: "host", data });
  const answer = await fetch("/api/v1/request", { method: "POST", headers, body });
  return (await answer.json()).ok;
}"""


BOARDS_NOW = "async () => (await (await fetch('/api/v1/boards')).json()).boards"


MIDDLE_OF = """id => {
  const ring = document.querySelector(`[data-testid="made-${id}"] circle`);
  if (!ring) return null;
  ring.scrollIntoView({ block: "center", inline: "center" });
  const { x, y, width, height } = ring.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""
"""In one go, because every redraw puts new rings in the place of the old."""


def middle_of(page: Page, made: str) -> tuple[float, float]:
    """The place on the screen of a hole of the board that was found."""
    x, y = page.wait_for_function(MIDDLE_OF, arg=made).json_value()
    return x, y


def take(page: Page, tool: str) -> None:
    page.get_by_test_id(f"maker-tool-{tool}").click()


def touch(page: Page, at: tuple[float, float], to: tuple[float, float] | None = None) -> None:
    """Press a finger on the photo, and slide it if it is to go somewhere."""
    page.mouse.move(*at)
    page.mouse.down()
    expect(page.locator(".maker .lens")).to_be_visible()
    if to is not None:
        page.mouse.move(*to, steps=3)
    page.mouse.up()
    expect(page.locator(".maker .lens")).to_be_hidden()


IS_SHOWN = """testid => {
  const image = document.querySelector(`[data-testid=${testid}]`);
  return image.checkVisibility() && image.naturalWidth > 0;
}"""
SHARE_OF_THE_WIDTH = """() => {
  const sides = [...document.querySelectorAll(".made-hole circle")].map(ring => ring.getBoundingClientRect());
  const [left, right] = [Math.min(...sides.map(({ left }) => left)), Math.max(...sides.map(({ right }) => right))];
  return (right - left) / document.documentElement.clientWidth;
}"""
"""The width of the board on the screen."""
MIN_SHARE = 0.75


def test_the_board_of_the_simulated_table_is_found_mended_checked_and_played_on(
    tmp_path: Path, open_page: OpenPage
) -> None:
    with Companion(tmp_path) as companion:
        url = f"http://{HOST}:{companion.port}"
        page = open_page(f"{url}/host", NARROW)
        become_host(page)
        live(page)
        anna = seated(open_page, url, "P0", "Anna", NARROW)
        open_sheet(page, "boards")
        page.get_by_test_id("maker-open").click()
        expect(page.get_by_test_id("maker-camera")).to_be_visible()
        assert small_targets(page, ".maker") == []
        page.get_by_test_id("maker-frame").click()
        expect(page.get_by_test_id("maker-photo")).to_be_visible()
        page.get_by_test_id("maker-find").click()
        expect(page.get_by_test_id("maker-count")).to_contain_text("4 zones, 105 cases", timeout=SEARCH_MS)
        expect(page.locator(".made-hole")).to_have_count(105)
        assert small_targets(page, ".maker") == []
        assert faults_day_and_night(page, ".maker") == []
        assert not is_too_wide(page)
        assert page.evaluate(SHARE_OF_THE_WIDTH) > MIN_SHARE
        expect(page.get_by_test_id("made-P0-H1")).to_have_text("M1")
        # Without a tool in hand a tap magnifies its place.
        page.touchscreen.tap(*middle_of(page, "P0-C1"))
        expect(page.get_by_test_id("made-P0-C1")).to_be_in_viewport()
        expect(page.get_by_test_id("made-T30")).to_have_text("12")
        page.get_by_test_id("maker-zoom").click()
        page.get_by_test_id("maker-zoom").click()
        expect(page.get_by_test_id("made-T30")).to_have_text("")

        page.get_by_test_id("maker-zoom").click()
        take(page, "remove")
        where = middle_of(page, "T5")
        touch(page, where)
        expect(page.get_by_test_id("maker-missing")).to_contain_text("4 cases")
        expect(page.get_by_test_id("maker-right")).to_be_disabled()
        take(page, "add")
        touch(page, where)
        expect(page.locator(".made-hole")).to_have_count(105)
        take(page, "move")
        page.get_by_test_id("maker-everywhere").uncheck()
        x, y = middle_of(page, "T10")
        ring = page.get_by_test_id("made-T10").locator(".casing")
        before = ring.get_attribute("cx") or ""
        touch(page, (x, y), (x + 9, y))
        expect(ring).not_to_have_attribute("cx", before)
        expect(page.get_by_test_id("maker-undo")).to_be_enabled()
        page.get_by_test_id("maker-undo").click()
        expect(ring).to_have_attribute("cx", before)
        take(page, "own")
        page.get_by_test_id("maker-color-pink").click()
        touch(page, middle_of(page, "P2-H2"))
        page.get_by_test_id("maker-undo").click()
        page.get_by_test_id("maker-right").click()

        page.get_by_test_id("maker-check-frame").click()
        expect(page.get_by_test_id("maker-checked")).to_contain_text("16 pions sur 16")
        expect(page.get_by_test_id("maker-camera")).to_be_hidden()
        expect(page.locator("[data-testid^=camp-].seen")).to_have_count(16)
        page.wait_for_function(IS_SHOWN, arg="maker-checked-photo")
        assert small_targets(page, ".maker") == []
        page.get_by_test_id("maker-back-mend").click()
        take(page, "own")
        page.get_by_test_id("maker-color-pink").click()
        touch(page, middle_of(page, "P0-H2"))
        page.get_by_test_id("maker-right").click()
        page.get_by_test_id("maker-skip-check").click()
        page.get_by_test_id("maker-name").fill("Table de Léo")
        assert page.evaluate(NEW_GAME, {"players": 4})
        page.get_by_test_id("maker-save").click()
        expect(page.get_by_test_id("board-sure")).to_contain_text("La partie en cours s’arrête, et reste")
        expect(page.get_by_test_id("board-sure")).to_contain_text("Anna\u00a0: Rouge → Rose")
        assert [row["key"] for row in page.evaluate(BOARDS_NOW) if row["in_use"]] == ["standard-4"]
        page.get_by_test_id("danger-yes").click()
        expect(anna.get_by_test_id("toast")).to_have_text("Maintenant, tu es Rose.")
        expect(page.get_by_test_id("toast")).to_have_text(
            "« Table de Léo » est gardé, et il est sur la table."
        )
        assert page.evaluate("scrollY") == 0
        expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
        open_sheet(page, "boards")
        expect(page.get_by_test_id("board-row-table-de-leo")).to_contain_text("Sur la table")
        assert load(tmp_path / "boards" / "table-de-leo.json").pitch_mm == pytest.approx(20, rel=0.02)

        live(anna)
        table = live(open_page(f"{url}/sim", {"width": 1024, "height": 768}))
        anna.get_by_test_id("hand-card-KH").click()
        expect(anna.get_by_test_id("legal-move")).to_have_attribute("data-move", "P0:camp>T0*")
        drag(table, "P0-C1", "T0")
        expect(hole(anna, "T0")).to_have_attribute("data-pawn", "P0")
        # The lobby showed a game for two.
    expect(anna.get_by_test_id("turn")).to_contain_text("P2")


def stands(page: Page, hole_id: str) -> str | None:
    """The owner of the pawn that the page shows in a hole by now."""
    return hole(page, hole_id).get_attribute("data-pawn")


def checked_again(page: Page) -> str:
    """The check's result for the picture that the camera has by now."""
    page.get_by_test_id("maker-check-frame").click()
    expect(page.get_by_test_id("maker-check-frame")).to_be_enabled()
    return page.get_by_test_id("maker-checked").inner_text()


class Projector:
    """A camera that shows one still picture after another: a folder in which ever new copies appear."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._still = b""
        self._over = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def show(self, still: Path, for_s: float = 0.0) -> None:
        self._still = still.read_bytes()
        if not self._thread.is_alive():
            self._copy(0)
            self._thread.start()
        self._over.wait(for_s)

    def stop(self) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        number = 1
        while not self._over.wait(EVERY_S):
            self._copy(number)
            (self.folder / f"{number - KEPT:06}.jpg").unlink(missing_ok=True)
            number += 1

    def _copy(self, number: int) -> None:
        part = self.folder / "next.part"
        part.write_bytes(self._still)
        part.rename(self.folder / f"{number:06}.jpg")


@needs_pictures
@pytest.mark.slow
@pytest.mark.timeout(400)
def test_stills_played_as_a_camera_become_the_board_on_which_a_move_is_refereed(
    tmp_path: Path, open_page: OpenPage
) -> None:
    frames = tmp_path / "frames"
    frames.mkdir()
    (tmp_path / "tock.toml").write_text(f'[sources.camera]\nframes = "{frames}"\nfps = 4\n')
    projector = Projector(frames)
    projector.show(RECORDED / "calib_empty.jpg")
    with Companion(tmp_path) as companion:
        page = open_page(f"http://{HOST}:{companion.port}/host", NARROW)
        become_host(page)
        live(page)
        open_sheet(page, "boards")
        page.get_by_test_id("maker-open").click()
        expect(page.get_by_test_id("maker-camera")).to_be_visible()
        page.get_by_test_id("maker-frame").click()
        page.get_by_test_id("maker-find").click()
        expect(page.get_by_test_id("maker-count")).to_contain_text("4 zones", timeout=SEARCH_MS)
        page.get_by_test_id("maker-zoom").click()
        page.get_by_test_id("maker-zoom").click()
        for wrong in ("T12", "P1-H1", "P3-C2"):
            take(page, "remove")
            where = middle_of(page, wrong)
            touch(page, where)
            expect(page.get_by_test_id("maker-missing")).to_be_visible()
            take(page, "add")
            touch(page, where)
            expect(page.get_by_test_id("maker-missing")).to_have_count(0)
        page.get_by_test_id("maker-right").click()
        projector.show(RECORDED / "calib_camps.jpg")
        until(lambda: checked_again(page) == "16 pions sur 16 sont dans leurs camps.", within_s=PATIENCE_S)
        page.get_by_test_id("maker-name-it").click()
        page.get_by_test_id("maker-name").fill("Chêne")
        page.get_by_test_id("maker-save").click()
        wait_for_board(PageClient(companion.url), "Chêne")
        board = load(tmp_path / "boards" / "chene.json")
        assert board.zones == 4

        mover = next(seat for seat, color in board.colors.items() if color == "black")
        start, end = (f"T{(hole + ZONE_LENGTH * (mover - Seat.P1)) % 72}" for hole in SWAPPED)
        anna = seated(open_page, companion.url, mover.name, "Anna", NARROW)
        projector.show(RECORDED / "f000.jpg")
        game = {"players": 4, "first": mover.name, "position": "seen"}
        until(
            lambda: page.evaluate(NEW_GAME, game) and stands(anna, start) == mover.name, within_s=PATIENCE_S
        )
        tell(anna, "JH")
        anna.get_by_test_id("hand-card-JH").click()
        for frame in sorted(RECORDED.glob("f*.jpg")):
            projector.show(frame, FRAME_S)
        expect(hole(anna, end)).to_have_attribute("data-pawn", mover.name, timeout=SEARCH_MS)
        expect(anna.get_by_test_id("turn")).to_contain_text(Seat((mover + 1) % 4).name)
        projector.stop()
