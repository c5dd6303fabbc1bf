"""Measures how quickly the panel answers: turn change to light, button to page, on the mock pins of gpiozero.

The page is a real one: its stream is read over HTTP as a phone reads it. On a real pin the debouncing time of a button
comes on top (`BOUNCE_S`).
"""

import json
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from tock_app.service.panel import PanelInterface
from tock_companion.boardfile import generate
from tock_companion.errors import TockError
from tock_companion.panel.panel import Panel
from tock_companion.panel.pins import BOUNCE_S
from tock_companion.panel.wiring import panel_wiring
from tock_companion.rules import Seat
from tock_companion.storage import Store
from tock_companion.table.core.game_setup import GameSetup
from tock_companion.table.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve

SAMPLES = 100
PATIENCE_S = 10.0
PAUSE_S = 0.02
PAWNS = {"P0": ["T20"], "P1": ["T60"], "P2": [], "P3": []}
WIRING = {"undo": 27, "lights": {"P0": [5, 6, 13], "P1": [19, 26, 21]}, "factory": "mock"}


def run(say: Callable[[str], None], samples: int | None = None) -> dict[str, object]:
    """Measure `samples` turns, each taken back with the button."""
    count = samples or SAMPLES
    lights_ms, pages_ms = [], []
    with _table() as (table, panel, page):
        page.until("P0")
        for number in range(count):
            if number % 25 == 0:
                say(f"turn {number + 1} of {count}")
            time.sleep(PAUSE_S)
            _ask(table, "play_card", card="9H")
            lamp = panel.pins.lights[Seat.P1]
            began_s = time.monotonic()
            _ask(table, "move", text="P0:T20>T29")
            lights_ms.append(_until_lit(lamp, began_s))
            page.until("P1")
            time.sleep(PAUSE_S)
            pin = panel.pins.buttons["undo"].pin
            pin.drive_low()
            began_s = time.monotonic()
            pin.drive_high()
            pages_ms.append(1000 * (page.until("P0") - began_s))
    return {
        "turn_to_light_ms_median": round(median(lights_ms), 1),
        "turn_to_light_ms_p99": _high(lights_ms),
        "button_to_page_ms_median": round(median(pages_ms), 1),
        "button_to_page_ms_p99": _high(pages_ms),
        "button_debounce_ms": round(1000 * BOUNCE_S),
        "n": count,
    }


class _Page:
    """A phone's stream of the public view; notes when whose turn it became."""

    def __init__(self, url: str) -> None:
        self._news = threading.Condition()
        self._turn, self._at_s = "", 0.0
        self._stream = urllib.request.urlopen(
            f"{url}api/v1/events?role=table&tab=panel-bench", timeout=PATIENCE_S
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._stream:
            if not line.startswith(b"data:"):
                continue
            turn = json.loads(line[5:]).get("to_move")
            with self._news:
                if turn and turn != self._turn:
                    self._turn, self._at_s = turn, time.monotonic()
                    self._news.notify_all()

    def until(self, turn: str) -> float:
        """Wait until the page knows whose turn it is; return when it knew."""
        with self._news:
            if not self._news.wait_for(lambda: self._turn == turn, PATIENCE_S):
                raise TockError(f"the page never heard that it is {turn}'s turn")
            return self._at_s


@contextmanager
def _table() -> Iterator[tuple[Table, Panel, _Page]]:
    position = {seat: [*places, *["camp"] * (4 - len(places))] for seat, places in PAWNS.items()}
    with tempfile.TemporaryDirectory() as folder:
        table = Table(generate(4, 440), Store(Path(folder)), setup=GameSetup(position=position))
        table.start()
        panel = Panel(panel_wiring(WIRING), PanelInterface(table))
        panel.start()
        with serve(create_app(table), "127.0.0.1", 0) as server:
            yield table, panel, _Page(f"http://127.0.0.1:{server.port}/")
            panel.stop()
            table.stop()


def _ask(table: Table, kind: str, **data: object) -> None:
    reply = table.request(parse_request(kind, data, Role.SEAT, Seat.P0))
    if not reply.ok:
        raise TockError(f"{kind} was refused: {reply.code}")


def _until_lit(lamp: Any, began_s: float) -> float:
    """Milliseconds until a lamp is lit."""
    while not lamp.is_lit:
        if time.monotonic() - began_s > PATIENCE_S:
            raise TockError("the light never came")
        time.sleep(0.0005)
    return 1000 * (time.monotonic() - began_s)


def _high(values: list[float]) -> float:
    return round(sorted(values)[min(len(values) - 1, int(0.99 * len(values)))], 1)
