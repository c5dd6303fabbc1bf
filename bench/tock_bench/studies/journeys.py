"""The journeys of a first evening, by taps and seconds.

Each journey has a companion of its own, as `tock run` starts it; its phones are 390 by 844 points. The seconds are
those of the machine: nobody reads or thinks.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import cv2
from playwright.sync_api import expect

from tests.support import drawn_cards as drawn
from tests.support import page_client as clients
from tests.support.browsing import TABLET, hole, live, open_sheet
from tests.support.ending import NEARLY_WON
from tests.support.page_client import PageClient
from tests.support.service import drag as move_pawn
from tests.support.service import lay_elsewhere, places_mm
from tock_bench.evenings import playing, things
from tock_bench.evenings.home import Home, at_home, try_all
from tock_bench.evenings.person import SEARCH_MS
from tock_bench.results import Measured, Say
from tock_companion.boardfile import generate, to_text
from tock_rules import Hole, Seat

HAND = ["6C", "7S", "KH", "10S", "QC"]
ACCEPT = """async () => {
  const headers = { "Content-Type": "application/json", "X-Tock": "1" };
  const body = JSON.stringify({ kind: "accept_board", data: {}, role: "host" });
  return (await fetch("/api/v1/request", { method: "POST", headers, body })).ok;
}"""


def alone(at: Home) -> None:
    screen, lea = at.page("/", TABLET), at.family.seated("Léa", "P0")
    at.family.tap(lea.get_by_test_id("begin"))
    screen.wait_for_url("**/sim")
    live(screen)
    at.family.tap(lea.get_by_test_id("hand-card-KH"))
    at.family.drag(screen, "P0-C1", "T0")
    expect(hole(lea, "T0")).to_have_attribute("data-pawn", "P0")


def two(at: Home) -> None:
    at.out()


def with_computers(at: Home) -> None:
    lea = at.family.seated("Léa", "P0")
    at.family.tap(lea.get_by_test_id("lobby-players-4"))
    at.family.choose(lea.get_by_test_id("lobby-free"), "easy")
    at.family.tap(lea.get_by_test_id("begin"))
    expect(lea.locator("#lobby")).to_be_hidden()
    expect(lea.get_by_test_id("turn")).to_contain_text("Léa")


def six(at: Home) -> None:
    board = at.folder / "six.json"
    board.write_text(to_text(replace(generate(6, 600), name="Six")))
    lea = at.family.seated("Léa", "P0")
    at.family.tap(lea.get_by_test_id("menu-open"))
    at.family.tap(lea.locator("#menu a[href='/host']"))
    lea.wait_for_url("**/host")
    at.family.tap(lea.get_by_test_id("open-boards"))
    at.family.taps += 2
    lea.get_by_test_id("board-file").set_input_files(str(board))
    row = lea.get_by_test_id("board-row-six")
    at.family.tap(row.locator("summary"))
    at.family.tap(lea.get_by_test_id("board-choose-six"))
    expect(hole(lea, "T107")).to_have_count(1)


def setup(at: Home) -> None:
    lea = at.hosting()
    at.start_over()
    at.family.tap(lea.get_by_test_id("setup-open"))
    steps = lea.get_by_test_id("setup")
    expect(steps).to_be_visible()
    while steps.is_visible():
        title = lea.locator("#setup-title").inner_text()
        at.family.tap(lea.get_by_test_id("setup-next"))
        expect(lea.locator("#setup-title", has_text=title)).to_be_hidden()


def own_board(at: Home) -> None:
    lea = at.hosting()
    at.start_over()
    at.family.tap(lea.get_by_test_id("open-boards"))
    at.family.tap(lea.get_by_test_id("maker-open"))
    expect(lea.get_by_test_id("maker-camera")).to_be_visible()
    at.family.tap(lea.get_by_test_id("maker-frame"))
    expect(lea.get_by_test_id("maker-photo")).to_be_visible()
    at.family.tap(lea.get_by_test_id("maker-find"))
    expect(lea.locator(".made-hole")).to_have_count(105, timeout=SEARCH_MS)
    at.family.tap(lea.get_by_test_id("maker-right"))
    at.family.tap(lea.get_by_test_id("maker-check-frame"))
    expect(lea.get_by_test_id("maker-checked")).to_contain_text("16 pions sur 16", timeout=SEARCH_MS)
    at.family.tap(lea.get_by_test_id("maker-name-it"))
    at.family.tap(lea.get_by_test_id("maker-name"))
    lea.keyboard.type("Table de Léa")
    at.family.tap(lea.get_by_test_id("maker-save"))
    expect(lea.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    open_sheet(lea, "boards")
    expect(lea.get_by_test_id("board-row-table-de-lea")).to_contain_text("Sur la table")


def wrong_move(at: Home) -> None:
    screen, lea, mamie = at.begun()
    at.start_over()
    at.family.tap(lea.get_by_test_id("hand-card-KH"))
    expect(lea.get_by_test_id("legal-move")).to_have_count(1)
    at.family.drag(screen, "P0-C1", "T3")
    expect(mamie.get_by_test_id("warning")).to_be_visible()
    at.family.drag(screen, "T3", "P0-C1")
    expect(mamie.get_by_test_id("warning")).to_have_count(0)


def beside(at: Home) -> None:
    _, lea, _ = at.out()
    table = PageClient(at.companion.url)
    places = places_mm(table)
    (x1_mm, y1_mm), (x2_mm, y2_mm) = places["T1"], places["T2"]
    at.start_over()
    at.family.taps += 1
    lay_elsewhere(table, places["T0"], ((x1_mm + x2_mm) / 2, (y1_mm + y2_mm) / 2))
    expect(lea.get_by_test_id("guidance").or_(lea.get_by_test_id("warning"))).to_contain_text("entre deux")


def taken_back(at: Home) -> None:
    screen, lea, _ = at.out()
    at.start_over()
    at.family.tap(lea.get_by_test_id("undo"))
    at.family.drag(screen, "T0", "P0-C1")
    expect(lea.get_by_test_id("turn")).to_contain_text("À toi")


def hand(at: Home) -> None:
    _, lea, _ = at.begun()
    at.start_over()
    at.family.tap(lea.get_by_test_id("hand-enter"))
    for card in HAND:
        at.family.tap(lea.get_by_test_id(f"enter-card-{card}"))
    at.family.tap(lea.get_by_test_id("hand-save"))
    expect(lea.get_by_test_id(f"hand-card-{HAND[2]}")).to_be_in_viewport()


def left_on_their_turn(at: Home) -> None:
    _, lea, mamie = at.begun()
    at.start_over()
    at.family.tap(lea.get_by_test_id("menu-open"))
    at.family.tap(lea.get_by_test_id("menu-leave"))
    at.family.tap(lea.get_by_test_id("leave"))
    expect(mamie.get_by_test_id("absent")).to_contain_text("Léa")
    at.family.tap(mamie.get_by_test_id("absent-skip"))
    expect(mamie.get_by_test_id("turn")).to_contain_text("À toi")


def late(at: Home) -> None:
    lea = at.family.seated("Léa", "P0")
    lea.get_by_test_id("lobby-players-4").tap()
    lea.get_by_test_id("begin").tap()
    expect(lea.locator("#lobby")).to_be_hidden()
    at.start_over()
    at.family.seated("Tom", "P2")


def closed_tab(at: Home) -> None:
    _, lea, _ = at.begun()
    context = lea.context
    lea.close()
    at.start_over()
    back = context.new_page()
    back.goto(f"http://{clients.HOST}:{at.companion.port}/")
    back.wait_for_url("**/seat")
    live(back)


def guide(at: Home) -> None:
    _, lea, _ = at.begun()
    at.start_over()
    at.family.tap(lea.get_by_test_id("menu-open"))
    at.family.tap(lea.get_by_test_id("menu-guide"))
    lea.wait_for_url("**/guide/start")
    at.family.tap(lea.locator(".guide-list a", has_text="Quand quelque chose"))
    lea.wait_for_url("**/guide/trouble")


def photographed(at: Home) -> None:
    _, lea, _ = at.begun()
    picture = at.folder / "hand.jpg"
    cv2.imwrite(str(picture), drawn.hand(HAND))
    at.start_over()
    with lea.expect_file_chooser() as chooser:
        at.family.tap(lea.get_by_test_id("hand-photo"))
    chooser.value.set_files(str(picture))
    expect(lea.get_by_test_id("tray").get_by_role("button")).to_have_count(len(HAND))
    at.family.tap(lea.get_by_test_id("hand-save"))
    for card in HAND:
        expect(lea.get_by_test_id(f"hand-card-{card}")).to_be_in_viewport()


def ended(at: Home) -> None:
    screen, lea, mamie = at.begun()
    anybody = PageClient(at.companion.url)
    for place in NEARLY_WON["P0"]:
        move_pawn(anybody, "P0", str(Hole.at_place(Seat.P0, place)))
    expect(lea.get_by_test_id("warning")).to_be_visible()
    assert lea.evaluate(ACCEPT)
    expect(hole(lea, "P0-H4")).to_have_attribute("data-pawn", "P0")
    expect(lea.get_by_test_id("warning")).to_have_count(0)
    at.start_over()
    at.family.tap(lea.get_by_test_id("hand-card-8H"))
    expect(lea.get_by_test_id("legal-move").first).to_be_visible()
    at.family.drag(screen, "T63", "P0-H1")
    expect(mamie.get_by_test_id("ending")).to_be_visible()
    at.family.tap(lea.get_by_test_id("rematch"))
    expect(mamie.get_by_test_id("ending")).to_be_hidden()


JOURNEYS: dict[str, Callable[[Home], None]] = {
    "J1 two people, from the code to the first move that is judged (aim: 8 taps)": playing.two,
    "J2 four in teams, two languages, two hands photographed, first move": playing.four,
    "J3 one’s own board, two photographs, a king judged on it": things.own_board,
    "J4 an old phone as the camera, until it has found the board": things.old_phone,
    "J5 out of turn, wrong hole, between holes, a move taken back, a seat left": playing.mistakes,
    "J6 the last move, who won, its story, a rematch": playing.end,
    "J7 nothing found by axe on lobby, seat, host’s page and simulated table": playing.for_everybody,
    "J8 a club’s desk: one command, eight names, pairings, the round begins": things.club,
    "the next evening, after a game that was won: first move judged (aim: 4 taps)": playing.next_evening,
    "the next evening, a game goes on: a move judged (aim: 4 taps)": playing.next_evening_goes_on,
    "one person sits down and makes the first move": alone,
    "two people, from the code to the first move": two,
    "one person against three computers": with_computers,
    "another board, for six, from a file": six,
    "set up, step by step": setup,
    "one’s own board, from a picture of the camera": own_board,
    "a wrong move: told, put back, warning gone": wrong_move,
    "a pawn between two holes is named": beside,
    "their own last move taken back": taken_back,
    "a hand of five entered": hand,
    "a hand of five photographed (drawn cards)": photographed,
    "the last move, who won, and a rematch": ended,
    "somebody leaves on their turn; skipped": left_on_their_turn,
    "somebody joins late": late,
    "a closed tab is opened again": closed_tab,
    "what to do when something is wrong, from the seat": guide,
}


def run(
    say: Say, times: int = 3, only: Annotated[str, "a part of a journey's name in the code"] = ""
) -> Measured:
    """Try all journeys."""
    return try_all(JOURNEYS, times, only, say, at_home)
