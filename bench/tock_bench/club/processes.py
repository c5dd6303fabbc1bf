"""Processes that a bench runs beside the club's desk: whole companions, and a hall's screen."""

import json
import threading
import time
import urllib.request
from pathlib import Path

from tock_bench.companion import BLIND, Companion
from tock_companion.tournament.facts import GameKey

TABLE_SETTINGS = """host = "127.0.0.1"
[tls]
port = 0
{blind}[mqtt]
host = "127.0.0.1"
port = {broker}
table = "{name}"
club = true
"""


class RealTable:
    """A whole companion in a process of its own, which has joined the club."""

    def __init__(self, folder: Path, name: str, broker_port: int) -> None:
        self._folder = folder
        folder.mkdir(parents=True)
        (folder / "tock.toml").write_text(
            TABLE_SETTINGS.format(blind=BLIND, broker=broker_port, name=name), encoding="utf-8"
        )
        self._companion: Companion | None = None

    def start(self) -> None:
        """Start it; nothing is waited for."""
        self._companion = Companion(self._folder)

    def stop(self) -> None:
        """End it."""
        if self._companion is not None:
            self._companion.stop()


class HallScreen:
    """Reads what the hall's screen is sent, and notes when it first showed each result."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.first_seen_s: dict[GameKey, float] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Read no more."""
        self._over.set()

    def has_seen(self, number: int, count: int) -> bool:
        """Whether at least this many results of a round were shown."""
        return sum(key.round == number for key in list(self.first_seen_s)) >= count

    def _read(self) -> None:
        kind, number = "", 0
        with urllib.request.urlopen(f"{self._url}/api/v1/desk/events", timeout=60) as stream:
            for line in stream:
                if self._over.is_set():
                    return
                if line.startswith(b"event: "):
                    kind = line[7:].decode().strip()
                elif line.startswith(b"data: ") and kind in ("hall", "tables"):
                    now_s = time.monotonic()
                    news = json.loads(line[6:])
                    # What changes at single tables belongs to the round that was sent whole before.
                    number = news.get("round", number)
                    for game in news["games"]:
                        if game["result"] is not None:
                            self.first_seen_s.setdefault(GameKey(number, game["table"]), now_s)
