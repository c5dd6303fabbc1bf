"""Measures the delay of a change on phones: eight browsers, two hundred spectators, one process that serves them.

Server, spectators and browser are separate processes. An event is a request of a player; it is over when the page of
another phone shows it.
"""

import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from tests.support.page_client import HOST, PageClient, chromium
from tests.support.watching import Held
from tock_bench.results import Figures, Say, spread
from tock_companion.errors import BadInputError

PHONES = 8
SPECTATORS = 200
EVENTS = 40
CARD = "AH"
LIVE = "[data-testid=connection][data-state=live]"
PAUSE_S = 0.25
"""Between events, so that they do not overlap."""
SETTLE_S = 1.0
"""Time for the views that each newcomer causes."""
WATCHER = """() => {
  window.tockSeen = [];
  const look = () => window.tockSeen.push((performance.timeOrigin + performance.now()) / 1000);
  const turn = document.querySelector("[data-testid=turn]");
  new MutationObserver(look).observe(turn, {childList: true, subtree: true, characterData: true});
}"""
"""Notes the time of each change of the sentence on top."""


def run(say: Say, samples: int = EVENTS) -> Figures:
    """Measure `samples` events in each part; raises BadInputError where no browser can be started."""
    with serving() as (port, process):
        say(f"web: {SPECTATORS} spectators, {samples} events")
        figures = _fanout(port, samples)
        figures["memory_mb"] = Held.by(process.pid).memory_mb
    with serving() as (port, process):
        player = Player(port)
        figures["memory_mb_alone"] = Held.by(process.pid).memory_mb
        say(f"web: {PHONES} phones in a browser, {samples} events")
        return {**figures, **_browsers(port, player, samples)}


@contextmanager
def serving() -> Iterator[tuple[int, "subprocess.Popen[str]"]]:
    command = [sys.executable, "-m", "tock_bench.figures.web_table"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            port = process.stdout.readline()
            if not port:
                raise BadInputError("the bench's own companion did not start; see its message above")
            yield int(port), process
        finally:
            process.stdin.close()


class Player:
    """A player at the first seat who lays a card and takes it back, over and over."""

    def __init__(self, port: int) -> None:
        self.client = PageClient(f"http://127.0.0.1:{port}")
        self.client.post("/api/v1/join", name="Bench", seat="P0")
        self._laid = False

    def change(self) -> float:
        """Make an event; return the time of the request."""
        self._laid = not self._laid
        asked_s = time.time()
        answer = self.client.ask("play_card", card=CARD) if self._laid else self.client.ask("withdraw_card")
        assert answer["ok"], answer
        return asked_s


def _fanout(port: int, events: int) -> dict[str, object]:
    player, waits_ms = Player(port), []
    command = [sys.executable, "-m", "tock_bench.figures.web_streams", str(port), str(SPECTATORS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if process.stdout.readline().strip() != "open":
            raise BadInputError("the spectators could not connect; is another program using the connections?")
        time.sleep(SETTLE_S)
        for _ in range(events):
            asked_s = player.change()
            waits_ms += [(received_s - asked_s) * 1000 for received_s in _received_s(process.stdout, asked_s)]
            time.sleep(PAUSE_S)
        process.terminate()
    return {**spread("fanout_ms", waits_ms, 2), "fanout_n": len(waits_ms), "streams": SPECTATORS}


def _received_s(lines: IO[str], asked_s: float) -> Iterable[float]:
    """The time at which each spectator received its first view after a request."""
    first_s: dict[str, float] = {}
    while len(first_s) < SPECTATORS:
        stream, received_s = next(lines).split()
        if float(received_s) > asked_s:
            first_s.setdefault(stream, float(received_s))
    return first_s.values()


def _browsers(port: int, player: Player, events: int) -> dict[str, object]:
    with chromium() as browser:
        site = f"http://{HOST}:{port}"
        sizes = {
            "kb_first_page": _kilobytes(browser, f"{site}/"),
            "kb_watch_page": _kilobytes(browser, f"{site}/watch"),
        }
        phones = [_phone(browser, site, seat, player) for seat in range(PHONES)]
        waits_ms: list[float] = []
        for _ in range(events):
            asked_s = player.change()
            time.sleep(PAUSE_S)
            for phone in phones:
                seen = phone.evaluate("() => window.tockSeen.splice(0)")
                waits_ms += [(seen[0] - asked_s) * 1000] if seen else []
    return {
        **spread("event_to_dom_ms", waits_ms, 2),
        "event_to_dom_n": len(waits_ms),
        "event_to_dom_missed": events * PHONES - len(waits_ms),
        "phones": PHONES,
        **sizes,
    }


def _phone(browser: Any, site: str, seat: int, player: Player) -> Any:
    """Open the page of a seat; the first phone is the player's."""
    context = browser.new_context(viewport={"width": 412, "height": 839}, has_touch=True)
    page = context.new_page()
    if seat == 0:
        cookies = player.client.cookies().items()
        context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies])
        page.goto(f"{site}/seat")
    else:
        page.goto(f"{site}/")
        page.get_by_test_id("join-name").fill(f"Phone {seat}")
        page.get_by_test_id(f"join-seat-P{seat}").click()
        page.get_by_test_id("join-enter").click()
        page.wait_for_url("**/seat")
    page.wait_for_selector(LIVE)
    page.wait_for_selector("[data-testid=turn] span")
    page.evaluate(WATCHER)
    return page


def _kilobytes(browser: Any, url: str) -> float:
    """Unpacked size of everything a page loads before it is live; endless streams are left out."""
    context = browser.new_context()
    page = context.new_page()
    answers: list[Any] = []
    page.on("response", lambda answer: None if "/events" in answer.url else answers.append(answer))
    page.goto(url)
    page.wait_for_selector(LIVE)
    size = sum(len(answer.body()) for answer in answers if answer.ok)
    context.close()
    return round(size / 1000, 1)
