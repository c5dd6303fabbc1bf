"""The panel at the table: presses become requests, views become lights and sounds."""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import Protocol

from tock_companion.panel.counting import Count, count_along
from tock_companion.panel.pins import Pins
from tock_companion.panel.signals import Light, Signals, View, signals, sound
from tock_companion.panel.wiring import PanelWiring
from tock_companion.rules import Seat

LOG = logging.getLogger(__name__)
HELP_S = 10.0
STOP_WAIT_S = 0.9
REQUESTS = {
    ("turn", False): "decide_now",
    ("turn", True): "end_turn",
    ("undo", False): "undo",
    ("undo", True): "pause_or_resume",
}
"""What a short and a long press ask for; the help button lights every legal target for ten seconds."""


class Stream(Protocol):
    """A subscription to the public view."""

    def get(self, timeout_s: float) -> View | None:
        """Wait for the next view."""

    def close(self) -> None:
        """End the stream; a waiting reader returns at once."""


class Desk(Protocol):
    """What the panel needs of the table."""

    def subscribe(self) -> Stream:
        """Open a stream of the public view."""

    def seat_view(self, seat: Seat) -> View:
        """Return the view of a seat, for the moves of a card that lies open."""

    def ask(self, kind: str, seat: Seat) -> bool:
        """Make a request for the seat to move; whether it was granted."""


class Panel:
    """Buttons, lights and buzzer, from `start` to `stop`."""

    def __init__(
        self, wiring: PanelWiring, desk: Desk, light_holes: Callable[[Iterable[str]], None] | None = None
    ) -> None:
        """Take the pins; raises BadInputError when they cannot be used."""
        self._desk = desk
        self._light_holes = light_holes if wiring.hole_lights else None
        self._shown = Signals()
        self._view: View | None = None
        self._count: Count | None = None
        self._help_until_s = 0.0
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._stream: Stream | None = None
        self._thread = threading.Thread(target=self._run, name="tock-panel", daemon=True)
        self.pins = Pins(wiring, self._pressed)

    def start(self) -> None:
        """Begin to show."""
        self._stream = self._desk.subscribe()
        self._thread.start()

    def stop(self) -> None:
        """Switch everything off."""
        self._stopped.set()
        if self._stream is not None:
            self._stream.close()
            self._thread.join(STOP_WAIT_S)
        self.pins.close()
        if self._light_holes is not None:
            self._light_holes(())

    def _run(self) -> None:
        assert self._stream is not None
        while not self._stopped.is_set():
            view = self._stream.get(1.0)
            if self._stopped.is_set():
                return
            try:
                self._show(view if view is not None else self._view)
            except Exception:
                # A panel that cannot show something must not end; the phones show it too.
                LOG.exception("the panel could not show the table")

    def _show(self, view: View | None) -> None:
        if view is None:
            return
        with self._lock:
            noise = sound(self._view, view) if view is not self._view else None
            self._view = view
            helping = time.monotonic() < self._help_until_s
            mover = self._desk.seat_view(Seat[view["to_move"]]) if view["expects"] == "move" else None
            self._count = count_along(self._count, view, mover)
            new = signals(view, mover, all_targets=helping, count=self._count)
            for seat, light in new.seats.items():
                if self._shown.seats.get(seat, Light.OFF) is not light:
                    self.pins.show(seat, light)
            if noise is not None:
                self.pins.sound(noise)
            if self._light_holes is not None and new.holes != self._shown.holes:
                self._light_holes(sorted(new.holes))
            self._shown = new

    def _pressed(self, name: str, long: bool) -> None:
        view = self._view
        if view is None:
            return
        if name == "help":
            self._help_until_s = 0.0 if long else time.monotonic() + HELP_S
            self._show(view)
            return
        kind = REQUESTS[name, long]
        if kind == "pause_or_resume":
            kind = "resume" if view["game"]["paused"] else "pause"
        granted = self._desk.ask(kind, Seat[view["to_move"]])
        LOG.info("panel: %s %s", kind, "granted" if granted else "refused")
