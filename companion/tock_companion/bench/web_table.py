"""A table without sources and its page, in a process of its own, until its standard input ends."""

import importlib
import sys
import tempfile
from pathlib import Path

from tock_companion.boardfile import generate
from tock_companion.storage import Store
from tock_companion.table.live import Table
from tock_companion.table.setup import GameSetup

PAWNS = {"P0": ["T4", "T20"], "P1": ["T26"], "P2": ["T60"], "P3": []}


def main() -> None:
    """Serve, print the port, stay."""
    web = importlib.import_module("tock_web")
    position = {seat: [*places, *["camp"] * (4 - len(places))] for seat, places in PAWNS.items()}
    with tempfile.TemporaryDirectory() as folder:
        table = Table(generate(4, 440), Store(Path(folder)), setup=GameSetup(position=position))
        table.start()
        with web.serve(web.create_app(table), "127.0.0.1", 0) as server:
            sys.stdout.write(f"{server.port}\n")
            sys.stdout.flush()
            sys.stdin.read()
        table.stop()


if __name__ == "__main__":
    main()
