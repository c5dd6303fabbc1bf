"""The panel at the table: presses become requests, views become lights and sounds."""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

from tock_companion.background import Follower, Stream
from tock_companion.errors import TockError
from tock_companion.panel.count_along import Count, count_along
from tock_companion.panel.pins import Pins, Press
from tock_companion.panel.signals import Light, Signals, Sound, signals, sound
from tock_companion.panel.wiring import PanelSettings
from tock_companion.views.schema import PublicView, SeatView
from tock_rules import Hole, Seat

LOG = logging.getLogger(__name__)
HELP_S = 10.0
"""Time for which the help button lights every legal target."""
LOOK_AGAIN_S = 1.0
"""Without news the panel looks this often whether the time of the help button is over."""
REQUESTS = {
    ("turn", Press.SHORT): "decide_now",
    ("turn", Press.LONG): "end_turn",
    ("undo", Press.SHORT): "undo",
    ("undo", Press.LONG): "pause_or_resume",
}
"""The request of each button press, by button and duration; the help button makes none."""
FORGOTTEN_S = 4.0
"""Time for which the lights confirm that the host's PIN is forgotten."""


class TableInterface(Protocol):
    """The part of the table that the panel uses."""

    def subscribe(self) -> Stream[PublicView]:
        """Open a stream of the public view."""

    def seat_view(self, seat: Seat) -> SeatView:
        """The view of a seat, for the moves of a card that lies open."""

    def ask(self, kind: str, seat: Seat) -> bool:
        """Make a request for the seat to move; returns whether it was granted."""


class Panel:
    """Buttons, lights and buzzer, from `start` to `stop`."""

    def __init__(
        self,
        wiring: PanelSettings,
        table: TableInterface,
        light_holes: Callable[[Iterable[Hole]], None] | None = None,
        forget_pin: Callable[[], object] = lambda: None,
    ) -> None:
        """Take the pins; raises BadInputError when they cannot be used. `forget_pin` takes the host's PIN away."""
        self._table = table
        self._light_holes = light_holes if wiring.hole_lights else None
        self._shown = Signals()
        self._view: PublicView | None = None
        self._count: Count | None = None
        self._help_until_s = self._forgotten_until_s = 0.0
        self._forget_pin = forget_pin
        self._lock = threading.Lock()
        self._loop = Follower(
            "tock-panel",
            "shows each new view on the panel",
            self._subscribe,
            self._take,
            LOOK_AGAIN_S,
        )
        self.pins = Pins(wiring, self._pressed)

    def start(self) -> None:
        self._loop.start()

    def stop(self) -> None:
        """Switch everything off."""
        self._loop.stop()
        self.pins.close()
        if self._light_holes is not None:
            self._light_holes(())

    def _subscribe(self) -> Stream[PublicView]:
        return self._table.subscribe()

    def _take(self, view: PublicView | None) -> float:
        self._show(view if view is not None else self._view)
        return 0.0

    def _show(self, view: PublicView | None) -> None:
        if view is None:
            return
        with self._lock:
            noise = sound(self._view, view) if view is not self._view else None
            self._view = view
            helping = time.monotonic() < self._help_until_s
            seat_view = self._table.seat_view(Seat[view["to_move"]]) if view["expects"] == "move" else None
            self._count = count_along(self._count, view, seat_view)
            new = signals(view, seat_view, all_targets=helping, count=self._count)
            if time.monotonic() < self._forgotten_until_s:
                new = replace(new, seats=dict.fromkeys(new.seats, Light.FORGOTTEN))
            for seat, light in new.seats.items():
                if self._shown.seats.get(seat, Light.OFF) is not light:
                    self.pins.show(seat, light)
            if noise is not None:
                self.pins.sound(noise)
            if self._light_holes is not None and new.holes != self._shown.holes:
                self._light_holes(sorted(new.holes))
            self._shown = new

    def _pressed(self, name: str, press: Press) -> None:
        view = self._view
        if name == "help" and press is Press.VERY_LONG:
            self._forget()
        elif view is not None and name == "help":
            self._help_until_s = 0.0 if press is Press.LONG else time.monotonic() + HELP_S
            self._show(view)
        elif view is not None and press is not Press.VERY_LONG:
            self._ask(REQUESTS[name, press], view)

    def _forget(self) -> None:
        try:
            self._forget_pin()
        except TockError as error:
            LOG.error("panel: %s", error)
            return
        LOG.warning("panel: the host's PIN is forgotten")
        self._forgotten_until_s = time.monotonic() + FORGOTTEN_S
        self._show(self._view)
        self.pins.sound(Sound.FORGOTTEN)

    def _ask(self, kind: str, view: PublicView) -> None:
        if kind == "pause_or_resume":
            kind = "resume" if view["game"]["paused"] else "pause"
        granted = self._table.ask(kind, Seat[view["to_move"]])
        LOG.info("panel: %s %s", kind, "granted" if granted else "refused")
