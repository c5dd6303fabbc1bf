"""Two companions that play one game, each with a board of its own, over lines that are cut and programs that end."""

import asyncio
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from tock_app.service.far import let_in, second_board
from tock_bench.far.player import worth_of
from tock_bench.far.relays import MortalPlace
from tock_bench.far.sides import PATIENCE_S, Sees, Side, until
from tock_bench.far.slow_line import SlowLine
from tock_companion.boardfile import BoardFile
from tock_companion.errors import TockError
from tock_companion.far.meeting import MeetingPlace as Place
from tock_companion.far.tunnel import Tunnel
from tock_companion.rules import Card, Move, Seat
from tock_companion.table.core.game_setup import GameSetup
from tock_companion.table.core.requests import Role, parse_request
from tock_companion.table.core.state import Copying
from tock_web import create_app

ROUND_TRIP_S, LOSS = 0.02, 0.01
CARDS_TRIED = 6
CARDS = ("AH", "KD", "QS", "JC", "10H", "9D", "8S", "6C", "4D", "3H", "2C")
NAMES = ("Zéphyrine Quatrelune", "Balthazar Ouessant", "Hippolyte Marguerin", "Théodosia Vaubancourt")


@dataclass
class Found:
    """The findings of some games."""

    games: int = 0
    moves: int = 0
    cuts: int = 0
    restarts: int = 0
    relay_kills: int = 0
    broker_kills: int = 0
    lost: int = 0
    doubled: int = 0
    unnoticed: int = 0
    stuck: int = 0
    notes: list[str] = field(default_factory=list)


class Lines:
    """The lines to one relay of all games that are played at a time; they run in a thread of their own."""

    def __init__(self, folder: Path) -> None:
        self.place = MortalPlace(folder)
        self.place.open()
        self.ca = self.place.relay.ca
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._lines: list[SlowLine] = []

    def line(self, rng: random.Random, local: str) -> SlowLine:
        """One more line."""
        line = SlowLine(self.place.relay.port, rng, local)
        line.round_trip_s, line.loss = ROUND_TRIP_S, LOSS
        asyncio.run_coroutine_threadsafe(line.open(), self._loop).result(PATIENCE_S)
        self._lines.append(line)
        return line

    def cut(self, line: SlowLine) -> None:
        """Break it off."""
        self._loop.call_soon_threadsafe(line.cut)

    def close(self) -> None:
        """End all."""
        for line in self._lines:
            asyncio.run_coroutine_threadsafe(line.close(), self._loop).result(PATIENCE_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self.place.stop()


@dataclass(frozen=True, slots=True)
class Game:
    """One game to be played."""

    number: int
    boards: tuple[BoardFile, BoardFile]
    sources: tuple[Callable[[BoardFile], Sees], Callable[[BoardFile], Sees]]
    setup: GameSetup
    here: Sequence[Seat]
    there: Sequence[Seat]
    disturbed: float
    """Share of the moves during which something ends."""


class TwoBoards:
    """Two companions that share a game, with everything between them."""

    def __init__(self, folder: Path, game: Game, lines: Lines, rng: random.Random) -> None:
        self._game, self._rng, self._lines, self.found = game, rng, lines, Found()
        # An address of its own: one may ask for few tables in an hour.
        local = f"127.4.{game.number % 250}."
        self._line_here, self._line_there = lines.line(rng, f"{local}1"), lines.line(rng, f"{local}2")
        self.here = Side(folder / "here", game.boards[0], game.setup, game.sources[0])
        self.there = Side(folder / "there", game.boards[1], None, game.sources[1])
        self._open_tunnel()
        for side, seats in ((self.here, game.here), (self.there, game.there)):
            for seat in seats:
                side.table.people.join(NAMES[seat], seat)
        self.board = second_board(self.there.table, self.there.folder, lines.ca)
        # Another game may just have ended the broker.
        if not until(self._is_invited):
            raise TockError("no invitation is granted")

    def _is_invited(self) -> bool:
        link = self.tunnel.invite(None).link
        self.board.follow(link.replace(f":{self._line_here.port}/", f":{self._line_there.port}/"))
        return True

    def _open_tunnel(self) -> None:
        url = f"https://127.0.0.1:{self._line_here.port}"
        self.tunnel = Tunnel(self.here.table, self.here.folder, Place(url, self._lines.ca))
        let_in(self.tunnel, create_app(self.here.table))
        self.tunnel.start()

    def close(self) -> None:
        """End both."""
        self.board.stop()
        self.tunnel.stop()
        self.here.table.stop()
        self.there.table.stop()

    def play(self, end_s: float) -> None:
        """Play to the end, or until the time is over."""
        everybody = len(self._game.here) + len(self._game.there)
        if not until(lambda: len(self.here.table.people.names()) == everybody):
            self._stuck("not everybody sits")
            return
        for side in (self.here, self.there):
            side.show(self.here.table.position.board)
        while self.here.table.game.ended is None and monotonic() < end_s:
            if not self.move():
                break
            self._look_for_difference()
        self._settle()
        self.found.games += 1

    def move(self) -> bool:
        """Make one move on the board of whoever is to move, and copy it on the other; False where nothing comes."""
        position = self.here.table.position
        seat, before = position.to_move, self.here.played
        card, move = self._chosen()
        is_there = seat in self._game.there
        if is_there and not self._until(lambda: self._may_move_there(seat)):
            return self._stuck(f"{seat.name} cannot begin: {self.board.followed}")
        asked = parse_request("play_card", {"card": card}, Role.SEAT, seat)
        side = self.there if is_there else self.here
        if not self._until(lambda: (self.there if is_there else self.here).table.request(asked).ok):
            return self._stuck(f"{seat.name} cannot lay {card}: {side.table.request(asked)}")
        if is_there:
            self.there.show(move.result)
        if self._rng.random() < self._game.disturbed:
            self.disturb()
        self.here.show(move.result)
        if not self._until(lambda: self.here.played > before):
            return self._stuck(f"{seat.name}: {card} {move.text} is not recorded")
        self._look_for_difference()
        self.there.show(self.here.table.position.board)
        self.found.moves += 1
        return True

    def _may_move_there(self, seat: Seat) -> bool:
        # By the number of moves: a position that came back is another one.
        caught_up = self.there.played == self.here.played
        return caught_up and seat in self.here.table.people.names()

    def _chosen(self) -> tuple[str, Move]:
        position = self.here.table.position
        for cards in (self._rng.sample(CARDS, CARDS_TRIED), CARDS):
            moves = [
                (worth_of(move.result, position), card, move)
                for card in cards
                for move in position.legal_moves(Card.parse(card))
                if not move.result.looks_like(position.board)
            ]
            if moves:
                _, card, move = max(moves, key=lambda one: one[0])
                return card, move
        raise TockError(f"no card moves in {position.text}")

    def disturb(self) -> None:
        """End one part, and start it again."""
        match self._rng.randrange(8):
            case 0:
                self._lines.place.kill_broker()
                self.found.broker_kills += 1
            case 1:
                self._lines.place.kill_relay()
                self.found.relay_kills += 1
            case 2:
                self.board.stop()
                self.there.table.stop()
                self.there.open()
                self.board = second_board(self.there.table, self.there.folder, self._lines.ca)
                self.board.start()
                self.found.restarts += 1
            case 3:
                self.tunnel.stop()
                self.here.table.stop()
                self.here.open()
                self._open_tunnel()
                self.found.restarts += 1
            case number:
                self._lines.cut(self._line_here if number == 4 else self._line_there)
                self.found.cuts += 1

    def _until(self, holds: Callable[[], bool]) -> bool:
        """Wait while both cameras go on."""

        def look() -> None:
            self.here.look()
            self.there.look()

        return until(holds, look)

    def _stuck(self, why: str) -> bool:
        self.found.stuck += 1
        self.found.notes.append(f"game {self._game.number}, move {self.found.moves}: {why}")
        return False

    def _look_for_difference(self) -> None:
        """Count where home takes the second board to show the game, and it shows something else."""
        state, shown = self.here.table._writer.state, self.there.shown
        is_taken_to_show = Copying.SHOWN in state.copies.boards.values()
        if is_taken_to_show and shown is not None and not shown.looks_like(state.position.board):
            self.found.unnoticed += 1
            self.found.notes.append(
                f"game {self._game.number}, move {self.found.moves}: shows something else"
            )

    def _settle(self) -> None:
        """Wait until both logs are the same, and count where they are not."""
        self._until(lambda: self.here.facts() == self.there.facts())
        here, there = self.here.facts(), self.there.facts()
        differing = sum(one != other for one, other in zip(here, there, strict=False))
        self.found.lost += max(0, len(here) - len(there)) + differing
        self.found.doubled += max(0, len(there) - len(here))
        if here != there:
            self.found.notes.append(
                f"game {self._game.number}: {len(here)} and {len(there)}, {differing} differ"
            )
        self._look_for_difference()
