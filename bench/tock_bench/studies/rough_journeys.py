"""Tries the other events of a first evening, by taps and seconds."""

import os
import random
import signal
from collections.abc import Callable
from typing import Annotated

from playwright.sync_api import Page, expect

from tests.support.browsing import hole, live
from tests.support.service import lay_elsewhere, places_mm
from tock_bench import clients
from tock_bench.clients import PageClient
from tock_bench.evenings.home import PHONE, Home, at_home, try_all
from tock_bench.results import Measured, Say
from tock_companion.rules import Hole

WRONG_HOLES = range(1, 21)
"""A king leads out to T0 alone."""
ROUND = (
    ("KH", ("P0-C1 T0",)),
    ("KS", ("P1-C1 T18",)),
    ("10H", ("T0 T10",)),
    ("QS", ("T18 T30",)),
    ("8H", ("T10 T18",)),
    ("KC", ("T18 P0-C1", "P1-C2 T18")),
    ("AH", ("P0-C1 T0",)),
    ("6S", ("T30 T36",)),
    ("JH", ("T0 aside", "T36 T0", "aside T36")),
    ("7S", ("T0 T3", "T18 T22")),
    ("4H", ("T36 T32",)),
    ("2S", ("T3 T5",)),
)
"""Cards of two who take turns, and how their pawns go: out, a capture, a swap, a seven in two parts, four back."""
ASIDE_MM = (-40.0, -40.0)
WILD_TAPS, SEED = 50, 20
FROZEN_MS = 60_000
STOPPED_MS = 20_000


def wrong_moves(at: Home) -> None:
    screen, lea, mamie = at.begun()
    at.start_over()
    at.family.tap(lea.get_by_test_id("hand-card-KH"))
    expect(lea.get_by_test_id("legal-move")).to_have_count(1)
    for number in WRONG_HOLES:
        at.family.drag(screen, "P0-C1", Hole.track(number))
        expect(mamie.get_by_test_id("warning")).to_be_visible()
        at.family.drag(screen, Hole.track(number), "P0-C1")
        expect(mamie.get_by_test_id("warning")).to_have_count(0)
    at.family.drag(screen, "P0-C1", "T0")
    expect(mamie.get_by_test_id("turn")).to_contain_text("À toi")


def a_round(at: Home) -> None:
    screen, lea, mamie = at.begun()
    table = PageClient(at.companion.url)
    places = {**places_mm(table), "aside": ASIDE_MM}
    at.start_over()
    for number, (card, moves) in enumerate(ROUND):
        mover, other = (lea, mamie) if number % 2 == 0 else (mamie, lea)
        at.family.tap(mover.get_by_test_id(f"hand-card-{card}"))
        expect(mover.get_by_test_id("legal-move").first).to_be_visible()
        for move in moves:
            begin, end = move.split()
            if "aside" in move:
                at.family.taps += 1
                lay_elsewhere(table, places[begin], places[end])
            else:
                at.family.drag(screen, begin, end)
            expect(other.get_by_test_id("warning")).to_have_count(0)
        expect(other.get_by_test_id("turn")).to_contain_text("À toi")


def same_seat_twice(at: Home) -> None:
    _, lea, _ = at.begun()
    at.start_over()
    again = lea.context.new_page()
    again.goto(f"http://{clients.HOST}:{at.companion.port}/seat")
    live(again)
    at.family.tap(again.get_by_test_id("hand-card-KH"))
    for page in (lea, again):
        expect(page.get_by_test_id("legal-move")).to_have_count(1)


def frozen_phone(at: Home) -> None:
    screen, lea, mamie = at.begun()
    at.family.tap(lea.get_by_test_id("hand-card-KH"))
    expect(lea.get_by_test_id("legal-move")).to_have_count(1)
    session = mamie.context.new_cdp_session(mamie)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    at.family.drag(screen, "P0-C1", "T0")
    screen.wait_for_timeout(FROZEN_MS)
    at.start_over()
    session.send("Page.setWebLifecycleState", {"state": "active"})
    expect(hole(mamie, "T0")).to_have_attribute("data-pawn", "P0")
    expect(mamie.get_by_test_id("turn")).to_contain_text("À toi")


def stopped_companion(at: Home) -> None:
    screen, lea, mamie = at.begun()
    os.kill(at.companion.process.pid, signal.SIGSTOP)
    screen.wait_for_timeout(STOPPED_MS)
    os.kill(at.companion.process.pid, signal.SIGCONT)
    at.start_over()
    at.family.tap(lea.get_by_test_id("hand-card-KH"))
    expect(lea.get_by_test_id("legal-move")).to_have_count(1)
    at.family.drag(screen, "P0-C1", "T0")
    expect(hole(mamie, "T0")).to_have_attribute("data-pawn", "P0")


def wild_taps(at: Home) -> None:
    _, lea, _ = at.out()
    errors: list[str] = []
    lea.on("pageerror", lambda error: errors.append(str(error)))
    table, rng = PageClient(at.companion.url), random.Random(SEED)
    before = table.view("table")["holes"]
    at.start_over()
    for _ in range(WILD_TAPS):
        at.family.taps += 1
        _tap_anywhere(lea, rng)
    assert not errors, errors
    assert table.view("table")["holes"] == before
    lea.goto(f"http://{clients.HOST}:{at.companion.port}/")
    live(lea)


def _tap_anywhere(page: Page, rng: random.Random) -> None:
    page.touchscreen.tap(rng.randrange(PHONE["width"]), rng.randrange(PHONE["height"]))


JOURNEYS: dict[str, Callable[[Home], None]] = {
    "twenty wrong moves, each put back, then the right one": wrong_moves,
    "twelve moves of two: out, capture, swap, a seven, four back": a_round,
    "a seat open twice": same_seat_twice,
    "a phone frozen for a minute (seconds after it)": frozen_phone,
    "a companion stopped for twenty seconds (seconds after it)": stopped_companion,
    "fifty wild taps": wild_taps,
}


def run(
    say: Say, times: int = 1, only: Annotated[str, "a part of a journey's name in the code"] = ""
) -> Measured:
    """Try all of them."""
    return try_all(JOURNEYS, times, only, say, at_home)
