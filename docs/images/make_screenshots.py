"""Takes the pictures of the README from a running companion with a simulated table and a fresh game.

TOCK_DATA=/tmp/tock-pictures TOCK_PORT=8099 tock run &
python docs/images/make_screenshots.py 8099
"""

import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect

from tock_bench.clients import HOST, chromium
from tock_companion.rules import Hole, HoleKind

FOLDER = Path(__file__).parent
PHONE: ViewportSize = {"width": 390, "height": 844}
TABLET = {"width": 1024, "height": 768}
PLAYERS = {"P0": "Anna", "P1": "Bob", "P2": "Chloé", "P3": "Papi"}
CARDS = ["KH", "AS", "KC", "AD", "9H", "10C", "QS", "8D", "6C", "QH", "9S", "8C", "10D"]
PATIENCE_MS = 15_000
GET = "async (path) => (await fetch(path)).json()"
POST = """async ([path, data]) => {
  const headers = {"Content-Type": "application/json", "X-Tock": "1"};
  return (await fetch(path, {method: "POST", headers, body: JSON.stringify(data)})).json();
}"""


class Table:
    """Four phones and two hands at the simulated table."""

    def __init__(self, browser: Browser, base: str) -> None:
        self.base = base
        self.phones = {seat: self._sit(browser, seat, name) for seat, name in PLAYERS.items()}

    def _sit(self, browser: Browser, seat: str, name: str) -> Page:
        locale = "en-CA" if seat == "P1" else "fr-CA"
        page = browser.new_context(
            viewport=PHONE, locale=locale, has_touch=True, device_scale_factor=1.5
        ).new_page()
        page.goto(f"{self.base}/")
        page.get_by_test_id("join-name").fill(name)
        page.get_by_test_id(f"join-seat-{seat}").click()
        page.get_by_test_id("join-enter").click()
        page.wait_for_url("**/seat")
        expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "live")
        return page

    def get(self, path: str) -> Any:
        return self.phones["P0"].evaluate(GET, f"/api/v1/{path}")

    def post(self, seat: str, path: str, data: dict[str, object]) -> Any:
        return self.phones[seat].evaluate(POST, [f"/api/v1/{path}", data])

    def move_pawn(self, source: str, target: str, seat: str | None = None) -> None:
        """Put the pawn of a hole into another hole, as a hand would."""
        place = next(hole for hole in self.get("board")["holes"] if hole["id"] == target)
        pawns = [pawn for pawn in self.get("sim/scene")["pawns"] if pawn["hole"] == source]
        pawn = next(pawn for pawn in pawns if seat is None or pawn["seat"] == seat)
        self.post("P0", "sim/pawn", {"id": pawn["id"], "x_mm": place["x"], "y_mm": place["y"]})

    def free_camp(self, seat: str) -> str:
        taken = {pawn["hole"] for pawn in self.get("sim/scene")["pawns"]}
        return next(f"{seat}-C{number}" for number in range(1, 5) if f"{seat}-C{number}" not in taken)

    def lay(self, card: str) -> tuple[str, list[Any]]:
        """Lay a card for the seat to move; return that seat and its legal moves."""
        seat = self.get("view")["to_move"]
        self.post(seat, "request", {"kind": "play_card", "data": {"card": card}})
        return seat, self.phones[seat].evaluate(GET, "/api/v1/view?role=seat")["legal_moves"]

    def play(self, card: str) -> None:
        """Play the last legal move of a card; a card without moves is thrown away."""
        seat, moves = self.lay(card)
        if not moves:
            self.post(seat, "request", {"kind": "discard", "data": {"card": card}})
            return
        move = moves[-1]
        for taken in move["captures"]:
            self.move_pawn(taken["hole"], self.free_camp(taken["seat"]), taken["seat"])
        for arrow in move["arrows"]:
            source = (
                self._camp_with_pawn(arrow["seat"]) if Hole.parse(arrow["from"]).in_camp else arrow["from"]
            )
            self.move_pawn(source, arrow["to"], arrow["seat"])
        expect(self.phones[seat].get_by_test_id("turn")).not_to_contain_text(PLAYERS[seat])

    def _camp_with_pawn(self, seat: str) -> str:
        holes: list[str | None] = [
            pawn["hole"] for pawn in self.get("sim/scene")["pawns"] if pawn["seat"] == seat
        ]
        return next(hole for hole in holes if hole is not None and Hole.parse(hole).in_camp)


def shoot(page: Page, name: str) -> None:
    """Take one picture from the top of a page."""
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")


def main(port: str) -> None:
    """Play a little and take pictures on the way."""
    base = f"http://{HOST}:{port}"
    expect.set_options(timeout=PATIENCE_MS)
    with chromium() as browser:
        tablet = browser.new_context(viewport=TABLET, locale="en-CA").new_page()
        tablet.goto(f"{base}/")
        expect(tablet.get_by_test_id("join-seat-P0")).to_be_visible()
        shoot(tablet, "table-join")
        table = Table(browser, base)
        anna, bob = table.phones["P0"], table.phones["P1"]
        for card in CARDS[:8]:
            table.play(card)
        expect(anna.get_by_test_id("hand-card-7H")).to_be_visible()
        shoot(anna, "phone-card")
        table.lay("6C")
        expect(anna.get_by_test_id("legal-move").first).to_be_visible()
        shoot(anna, "phone-moves")
        simulated = browser.new_context(viewport=TABLET, locale="fr-CA").new_page()
        simulated.goto(f"{base}/sim")
        expect(simulated.locator("#camera")).to_be_visible()
        # Photographs make large files.
        simulated.evaluate("document.getElementById('camera').style.maxWidth = '205px'")
        shoot(simulated, "simulated-table")
        start = table.get("view")["holes"]
        annas = [Hole.parse(hole) for hole, seat in start.items() if seat == "P0"]
        pawn = next(hole for hole in annas if hole.kind is HoleKind.TRACK)
        table.move_pawn(str(pawn), f"T{(pawn.index + 7) % 72}", "P0")
        expect(anna.get_by_test_id("warning")).to_be_visible()
        shoot(anna, "phone-warning")
        expect(bob.get_by_test_id("warning")).to_be_visible()
        shoot(tablet, "table-warning")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
