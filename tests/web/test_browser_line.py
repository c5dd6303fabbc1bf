"""One line that never leaves the screen, and controls that cover no hole of any board."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import OpenPage, live, seated, tell
from tests.support.odd_boards import bent, blossom, drilled_off
from tests.support.tables import put
from tock_companion.boardfile import BoardFile, generate, to_json
from tock_companion.table.runtime.live import Table
from tock_rules import BoardShape

pytestmark = pytest.mark.browser
SIZES = ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 720), (1920, 1080))
PERCENT = (100, 145, 200)
BOARDS_A_LOAD = 60
HIDDEN_LINES = """(percents) => percents.flatMap((percent) => {
  const root = document.documentElement;
  root.style.fontSize = `${percent * 1.125}%`;
  const found = [];
  for (const share of [0, 0.3, 0.6, 1]) {
    scrollTo({ top: share * (root.scrollHeight - innerHeight), behavior: "instant" });
    const { left, top, width, height } = document.querySelector("#turn").getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20));
    const inside = top >= 0 && top + Math.min(height, 50) <= innerHeight && left >= 0 && left + width <= innerWidth + 1;
    if (!inside || !seen?.closest("#turn")) found.push([percent, share, Math.round(top), seen?.className ?? ""]);
  }
  scrollTo({ top: 0, behavior: "instant" });
  root.style.fontSize = "";
  return found;
})"""
"""Where the line by the board is off the screen, or under something: size of letters, share that is scrolled."""
COVERED = """async (documents) => {
  const root = document.querySelector("#board");
  const { Board } = await import("/static/js/board/board.js");
  const { seatStyles } = await import("/static/js/board/shapes.js");
  const controls = [...document.querySelectorAll("button, a, select, input, #toast, .turn")]
    .filter((node) => node.checkVisibility() && !node.closest("dialog"));
  return documents.flatMap((board) => {
    new Board(root, board, seatStyles(board), { isNamed: true });
    const boxes = controls.map((node) => [node, node.getBoundingClientRect()]).filter(([, box]) => box.width > 3);
    const { left, top, right, bottom } = root.getBoundingClientRect();
    return [...root.querySelectorAll("[data-hole]")].flatMap((hole) => {
      const it = hole.getBoundingClientRect();
      const over = boxes.filter(([, box]) =>
        box.left < it.right && it.left < box.right && box.top < it.bottom && it.top < box.bottom);
      const off = it.left < left - 1 || it.right > right + 1 || it.top < top - 1 || it.bottom > bottom + 1;
      return over.length || off ? [[board.name, hole.dataset.hole, over[0]?.[0].outerHTML ?? "off the board"]] : [];
    });
  });
}"""
"""The holes of each board that lie under a control, or outside the drawing."""


def boards(many: int) -> list[BoardFile]:
    """Drawn boards of 2 to 8 zones and rings of 14 to 20, with pawns of 4 or 5, and home-made ones."""
    shapes = [
        BoardShape(zones, zone_length=length, pawns_per_seat=each, has_centre=False)
        for zones in (4, 6, 8)
        for length in range(14, 21)
        for each in (4, 5)
    ]
    plain = [generate(shape, 600) for shape in shapes] + [generate(zones, 600) for zones in (4, 6, 8)]
    made = [drilled_off(plain[seed % len(plain)], 0.1 + 0.02 * (seed % 10), seed) for seed in range(many)]
    odd = [blossom(4), blossom(6), bent(generate(4, 440))]
    return [*odd, *made, *plain][:many] if many < len(plain) else [*odd, *plain, *made][:many]


def covered(page: Page, some: list[BoardFile]) -> list[Any]:
    """The holes that something covers, drawn one board after the other on the page of a seat."""
    found: list[Any] = page.evaluate(COVERED, [json.loads(json.dumps(to_json(board))) for board in some])
    return found


@pytest.fixture
def anna(site: str, open_page: OpenPage) -> Page:
    """A player whose turn it is, with her hand on the screen."""
    page = seated(open_page, site, "P0", "Anna", {"width": 390, "height": 844})
    tell(page, "JC", "KD", "7S", "8C", "6H")
    return page


def hidden_lines(page: Page) -> dict[tuple[int, int], list[Any]]:
    """Where the line is not seen, by the size of the screen."""
    found = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found[width, height] = page.evaluate(HIDDEN_LINES, PERCENT)
    page.set_viewport_size({"width": 390, "height": 844})
    return {size: hidden for size, hidden in found.items() if hidden}


def test_whose_turn_it_is_never_leaves_the_screen(anna: Page, table: Table) -> None:
    """After a jack with many moves the page stood 679 px down, without its heading."""
    assert hidden_lines(anna) == {}
    anna.get_by_test_id("hand-card-JC").click()
    expect(anna.get_by_test_id("legal-move").first).to_be_visible()
    assert hidden_lines(anna) == {}
    put(table, "P1-C1", "T30")
    expect(anna.get_by_test_id("warning")).to_be_visible()
    assert hidden_lines(anna) == {}


def test_the_rest_of_a_jack_stays_in_sight_however_far_the_page_was_scrolled(
    anna: Page, table: Table
) -> None:
    anna.get_by_test_id("hand-card-JC").click()
    anna.set_viewport_size({"width": 360, "height": 640})
    expect(anna.get_by_test_id("legal-move").first).to_be_visible()
    anna.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    scene = table.scene
    assert scene is not None
    (own,) = [pawn for pawn in scene.state.pawns if scene.hole_of(pawn) == "T20"]
    scene.set_aside(own.id)
    expect(anna.get_by_test_id("guidance").locator(".warning-message")).to_be_in_viewport(ratio=1)
    anna.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(anna.get_by_test_id("guidance").locator(".warning-message")).to_be_in_viewport(ratio=1)


def test_no_control_covers_a_hole_on_a_sample_of_boards(anna: Page) -> None:
    """The glass lay over the corners of a board whose track runs round the edge."""
    for width, height in SIZES:
        anna.set_viewport_size({"width": width, "height": height})
        assert covered(anna, boards(6)) == [], (width, height)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("percent", PERCENT)
def test_no_control_covers_a_hole_on_three_hundred_boards(anna: Page, percent: int) -> None:
    some = boards(300)
    assert len(some) == 300
    for start in range(0, len(some), BOARDS_A_LOAD):
        # A page keeps every board that it has drawn.
        anna.reload()
        live(anna)
        for width, height in SIZES:
            anna.set_viewport_size({"width": width, "height": height})
            anna.evaluate(
                "(size) => { document.documentElement.style.fontSize = size; }", f"{1.125 * percent}%"
            )
            assert covered(anna, some[start : start + BOARDS_A_LOAD]) == [], (width, height)
