"""Whole games on phones, from the first pawn to the winner; and eight of them on a shaky Wi-Fi."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import HOST, OpenPage, live, seated
from tests.support.waiting import is_prompt, until
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import STANDARD_PACK, Move, Position, Rank, Seat
from tock_web import PageServer, create_app, serve


class Wire:
    """A piece of Wi-Fi that can be cut: forwards bytes, and drops every connection on demand."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Drop all connections; new ones pass."""
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
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                # The page tries again while its table ends.
                near.close()
                continue
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


pytestmark = [pytest.mark.browser, pytest.mark.whole]
NAMES = ("Anna", "Bob", "Zoé", "Papi")
MAX_TURNS = 160
RECOVERY_S = 3.0
WITHOUT = (Rank.SEVEN, Rank.JACK)
"""These cards have the longest lists of moves: other tests play them."""
LATE = {
    2: {"P0": ["H4", "H3", "H2", "camp"], "P2": ["H4", "H3", "H2", "camp"]},
    4: {
        "P0": ["H4", "H3", "H2", "T60"],
        "P1": ["H4", "H3", "T6", "T0"],
        "P2": ["H4", "H3", "H2", "T26"],
        "P3": ["H4", "H3", "T40", "T42"],
    },
}


def progress(position: Position, seat: Seat) -> int:
    """The progress of a seat's pawns."""
    track, start = 18 * position.shape.zones, 18 * int(seat)
    total = 0
    for place in position.board.to_pawns()[seat.name]:
        bare = place.rstrip("*")
        if bare.startswith("H"):
            total += 2 * track + int(bare[1:])
        elif bare.startswith("T"):
            total += 10 + (int(bare[1:]) - start) % track
    return total


def best_move(position: Position) -> Move | None:
    """The move of any card that brings the seat furthest; None when no card helps."""
    seat = position.to_move
    cards = {card.rank: card for card in STANDARD_PACK if card.rank not in WITHOUT}.values()
    moves = [move for card in cards for move in position.legal_moves(card)]
    return max(moves, key=lambda move: progress(position.play(move), seat), default=None)


def play_out(table: Table, phones: dict[str, Page]) -> int:
    """Play with the phones until somebody wins; return the number of turns."""
    for turn in range(MAX_TURNS):
        position = table.position
        if table.view(Role.TABLE)["game"]["ended"]:
            return turn
        phone, move = phones[position.to_move.name], best_move(position)
        card = str(move.card) if move is not None else "2S"
        phone.get_by_test_id(f"hand-card-{card}").click()
        if move is None:
            phone.get_by_test_id("discard").click()
        else:
            phone.locator(f'[data-move="{move.text}"]').click()
        until(lambda before=position: table.position != before)  # type: ignore[misc]
    raise AssertionError("nobody won")


@pytest.fixture(params=[2, pytest.param(4, marks=pytest.mark.slow)])
def players(request: pytest.FixtureRequest) -> int:
    count: int = request.param
    return count


@pytest.fixture
def game(tmp_path: Path, players: int) -> Iterator[tuple[Table, str]]:
    """A table that nothing sees: two have one pawn each in camp, four have none there."""
    seats = (Seat.P0, Seat.P2) if players == 2 else tuple(Seat)[:4]
    setup = GameSetup("mjc", seats=seats, position=LATE[players])
    table = Table(generate(4, 440), Store(tmp_path), setup=setup)
    table.start()
    with serve(create_app(table), "127.0.0.1", 0) as server:
        yield table, f"http://{HOST}:{server.port}"
    table.stop()


def test_a_game_is_played_to_its_end_on_phones(
    game: tuple[Table, str], players: int, open_page: OpenPage
) -> None:
    table, url = game
    seats = [str(seat["seat"]) for seat in table.view(Role.TABLE)["seats"]]
    assert len(seats) == players
    phones = {seat: seated(open_page, url, seat, name) for seat, name in zip(seats, NAMES, strict=False)}
    turns = play_out(table, phones)
    assert turns >= players
    for phone in phones.values():
        expect(phone.get_by_test_id("turn")).to_contain_text("gagne")
        expect(phone.get_by_test_id("turn")).to_have_attribute("data-expects", "over")


def test_a_cut_link_is_mended_within_three_seconds(
    server: PageServer, table: Table, open_page: OpenPage
) -> None:
    wire = Wire(server.port)
    page = live(open_page(f"http://{HOST}:{wire.port}/watch"))
    for name, seat in (("Anna", Seat.P0), ("Bob", Seat.P1)):
        wire.cut()
        cut_s = monotonic()
        table.people.join(name, seat)
        expect(page.locator(".seats")).to_contain_text(name)
        assert is_prompt(monotonic() - cut_s, RECOVERY_S)
    wire.close()
