"""Measures how quickly a change reaches phones: eight browsers, two hundred spectators, one process that serves them.

The server, the spectators and the browser are processes of their own. An event is a request that a player sends; it
is over when the page of another phone shows it.
"""

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from typing import Any

from tests.support.page_client import HOST, chromium
from tests.support.watching import Held
from tock_bench.figures.web_links import CUTS, LIVE, reconnects
from tock_bench.results import percentile
from tock_companion.errors import BadInputError

PHONES = 8
SPECTATORS = 200
EVENTS = 40
CARD = "AH"
PAUSE_S = 0.25
"""Between events, so that they do not overlap."""
WATCHER = """() => {
  window.tockSeen = [];
  const look = () => window.tockSeen.push((performance.timeOrigin + performance.now()) / 1000);
  const turn = document.querySelector("[data-testid=turn]");
  new MutationObserver(look).observe(turn, {childList: true, subtree: true, characterData: true});
}"""
"""Notes when the sentence on top has changed in the document."""


def run(say: Callable[[str], None], samples: int | None = None) -> dict[str, object]:
    """Measure `samples` events in each part; raises BadInputError where no browser can be started."""
    events = samples or EVENTS
    with serving() as (port, process):
        player = Player(port)
        player.sit()
        figures = _fanout(port, player, events, say)
        figures["memory_mb"] = Held.by(process.pid).memory_mb
    with serving() as (port, process):
        player = Player(port)
        player.sit()
        figures["memory_mb_alone"] = Held.by(process.pid).memory_mb
        figures.update(_browsers(port, player, events, say))
    return figures


@contextmanager
def serving() -> Iterator[tuple[int, "subprocess.Popen[str]"]]:
    command = [sys.executable, "-m", "tock_bench.figures.web_table"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            port = process.stdout.readline()
            if not port:
                raise BadInputError("the bench's own companion did not start; its complaint stands above")
            yield int(port), process
        finally:
            process.stdin.close()


class Player:
    """Somebody at the first seat who lays a card and takes it back, over and over."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/api/v1/"
        self.cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self._laid = False

    def sit(self) -> None:
        self._post("join", {"name": "Bench", "seat": "P0"})

    def become_host(self) -> None:
        self._post("host", {})

    def change(self) -> float:
        """Make an event; return when it was asked for."""
        kind = "withdraw_card" if self._laid else "play_card"
        self._laid = not self._laid
        asked_s = time.time()
        self._post("request", {"kind": kind, "data": {"card": CARD} if kind == "play_card" else {}})
        return asked_s

    def _post(self, path: str, data: object) -> None:
        headers = {"Content-Type": "application/json", "X-Tock": "1"}
        self._opener.open(
            urllib.request.Request(self._url + path, json.dumps(data).encode(), headers)
        ).close()


def _fanout(port: int, player: Player, events: int, say: Callable[[str], None]) -> dict[str, object]:
    say(f"web: {SPECTATORS} spectators, {events} events")
    command = [sys.executable, "-m", "tock_bench.figures.web_streams", str(port), str(SPECTATORS)]
    waits_ms: list[float] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if process.stdout.readline().strip() != "open":
            raise BadInputError(
                "the spectators could not connect; is something else using up the connections?"
            )
        for _ in range(events):
            asked_s = player.change()
            received = [process.stdout.readline().split() for _ in range(SPECTATORS)]
            waits_ms += [(float(received_s) - asked_s) * 1000 for _, received_s in received]
            time.sleep(PAUSE_S)
        process.terminate()
    return {
        "fanout_ms_median": _percentile(waits_ms, 0.5),
        "fanout_ms_p95": _percentile(waits_ms, 0.95),
        "fanout_n": len(waits_ms),
        "streams": SPECTATORS,
    }


def _browsers(port: int, player: Player, events: int, say: Callable[[str], None]) -> dict[str, object]:
    say(f"web: {PHONES} phones in a browser, {events} events")
    with chromium() as browser:
        site = f"http://{HOST}:{port}"
        sizes = {
            f"kb_{page}_page": _kilobytes(browser, site + path)
            for page, path in (("first", "/"), ("watch", "/watch"))
        }
        phones = [_phone(browser, site, seat, player) for seat in range(PHONES)]
        waits_ms: list[float] = []
        for _ in range(events):
            asked_s = player.change()
            time.sleep(PAUSE_S)
            for phone in phones:
                seen = phone.evaluate("() => window.tockSeen.splice(0)")
                waits_ms += [(seen[0] - asked_s) * 1000] if seen else []
        say(f"web: {PHONES} phones whose link is cut {CUTS} times")
        found = reconnects(phones, f"http://{HOST}", port, player.change)
    return {
        "event_to_dom_ms_median": _percentile(waits_ms, 0.5),
        "event_to_dom_ms_p95": _percentile(waits_ms, 0.95),
        "event_to_dom_n": len(waits_ms),
        "event_to_dom_missed": events * PHONES - len(waits_ms),
        "phones": PHONES,
        **found,
        **sizes,
    }


def _phone(browser: Any, site: str, seat: int, player: Player) -> Any:
    """Open the page of a seat; the first phone is the player's."""
    context = browser.new_context(viewport={"width": 412, "height": 839}, has_touch=True)
    page = context.new_page()
    if seat == 0:
        context.add_cookies(
            [{"name": cookie.name, "value": cookie.value, "url": site} for cookie in player.cookies]
        )
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


def _percentile(values: list[float], part: float) -> float:
    if not values:
        raise BadInputError("no event arrived")
    return round(percentile(values, part), 2)
