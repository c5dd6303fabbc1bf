"""A table of eight in the middle of a game, without sources, and its page; the process ends with its input."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app, serve

ZONES, SIDE_MM = 8, 600.0
MOVES = 48
"""Made before the first view: a view holds the last forty."""
CARDS = ("AH", "5C", "KD", "8S", "3H")


def main() -> None:
    """Serve, print the port, stay."""
    with tempfile.TemporaryDirectory() as folder:
        table = Table(generate(ZONES, SIDE_MM), Store(Path(folder)), setup=GameSetup("diagonale"))
        table.start()
        play(table)
        with serve(create_app(table), "127.0.0.1", 0) as server:
            sys.stdout.write(f"{server.port}\n")
            sys.stdout.flush()
            sys.stdin.read()
        table.stop()


def play(table: Table) -> None:
    """Play by touch until enough moves are made and it is the first seat's turn."""
    made = 0
    while made < MOVES or table.view(Role.TABLE)["to_move"] != Seat.P0.name:
        seat = Seat[str(table.view(Role.TABLE)["to_move"])]
        card = CARDS[made // ZONES % len(CARDS)]
        _ask(table, seat, "play_card", card=card)
        view: Any = table.view(Role.SEAT, seat)
        if view["legal_moves"]:
            _ask(table, seat, "move", text=view["legal_moves"][0]["text"])
        else:
            _ask(table, seat, "discard", card=card)
        made += 1


def _ask(table: Table, seat: Seat, kind: str, **data: object) -> None:
    reply = table.request(parse_request(kind, data, Role.SEAT, seat))
    assert reply.ok, reply


if __name__ == "__main__":
    main()
