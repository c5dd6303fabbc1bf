"""The journeys of a first evening, by taps and seconds.

Each journey has a companion of its own, started as by `tock run`; its phones are 390 by 844 points. The seconds are
the machine's: they hold no reading and no thinking.
"""

from collections.abc import Callable
from statistics import median
from typing import Annotated

from playwright.sync_api import Browser, expect
from playwright.sync_api import Error as PlaywrightError

from tests.support import page_client as clients
from tests.support.browsing import PATIENCE_MS
from tock_bench.journeys import playing, things
from tock_bench.journeys.home import Home, at_home
from tock_bench.results import Measured, Say, table

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
}
HEAD = ("journey", "taps", "seconds, median (least to most)", "fails")


def run(
    say: Say, times: int = 3, only: Annotated[str, "a part of a journey's name in the code"] = ""
) -> Measured:
    """Try each journey several times."""
    expect.set_options(timeout=PATIENCE_MS)
    with clients.chromium() as browser:
        tried = {
            name: _tried(browser, go, times, say) for name, go in JOURNEYS.items() if only in go.__name__
        }
    rows = [(name, *_cells(tries, times)) for name, tries in tried.items()]
    passed = all(len(tries) == times for tries in tried.values())
    return Measured(
        {name: {"taps_and_seconds": tries} for name, tries in tried.items()}, table(HEAD, rows), passed
    )


def _tried(browser: Browser, go: Callable[[Home], None], times: int, say: Say) -> list[tuple[int, float]]:
    """Taps and seconds of each try that did not fail."""
    tries = []
    for _ in range(times):
        with at_home(browser) as at:
            try:
                go(at)
                tries.append((at.taps.number, at.seconds))
            except (AssertionError, PlaywrightError) as error:
                say(f"{go.__name__}: {error}")
    return tries


def _cells(tries: list[tuple[int, float]], times: int) -> tuple[str, str, str]:
    taps, seconds = zip(*tries, strict=True) if tries else ((), ())
    fails = f"{times - len(tries)} of {times}"
    if not seconds:
        return "–", "–", fails
    return str(max(taps)), f"{median(seconds):.1f} ({min(seconds):.1f} to {max(seconds):.1f})", fails
