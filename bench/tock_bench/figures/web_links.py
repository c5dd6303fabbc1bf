"""Tries phones on a shaky Wi-Fi: their link is cut, twenty times, and they find back by themselves."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tock_bench.results import percentile

CUTS = 20
PATIENCE_MS = 20_000
REFUSED = 400
LIVE = "[data-testid=connection][data-state=live]"
SHOWS = tuple(f"[data-testid=turn][data-expects={wanted}]" for wanted in ("move", "card"))
"""Selectors of a page after a card was laid, and after it was taken back."""


class Wire:
    """A piece of Wi-Fi that can be cut: passes bytes on, and drops every connection when told to."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Drop everything that goes over the wire now; new connections pass."""
        dropped, self._open = self._open, []
        for line in dropped:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                return
            self._open += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(source, target), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        try:
            with suppress(OSError):
                while part := source.recv(65536):
                    target.sendall(part)
        finally:
            for line in (source, target):
                with suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)
            source.close()


def reconnects(phones: list[Any], site: str, port: int, change: Callable[[], object]) -> dict[str, object]:
    """Cut the link of all phones, make an event, and wait until each shows it; twenty times.

    `site` is where the phones find the companion of `port` but for the port. A request has failed when the companion
    refuses it: what breaks in the cut itself is not counted, what comes of it is.
    """
    wire = Wire(port)
    refused: list[str] = []
    for phone in phones:
        phone.on("response", lambda answer: refused.append(answer.url) if answer.status >= REFUSED else None)
        phone.goto(f"{site}:{wire.port}/seat")
        phone.wait_for_selector(LIVE)
    waits_s: list[float] = []
    for number in range(CUTS):
        wire.cut()
        cut_s = time.monotonic()
        change()
        for phone in phones:
            phone.wait_for_selector(SHOWS[number % 2], timeout=PATIENCE_MS)
            waits_s.append(time.monotonic() - cut_s)
    wire.close()
    return {
        "reconnects": len(waits_s),
        "reconnect_s_median": round(percentile(waits_s, 0.5), 2),
        "reconnect_s_most": round(max(waits_s), 2),
        "reconnect_refused": len(refused),
    }
