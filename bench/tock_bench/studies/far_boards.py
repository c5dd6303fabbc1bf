"""Whole games on two boards over a real relay and broker, while either companion, the broker or the line is ended.

`python -m tock_bench.studies.far_boards OUT.json --games 10 --minutes 20`

The referees see boards that a program puts, ten frames a second on the table's clock; all else is as in two homes:
keys, sessions, Mosquitto with its rights, TLS and WebSockets. Counted are moves that one log lacks or has twice, and
moments at which the second board stood otherwise than the game although it was taken to show it.
"""

import argparse
import json
import os
import random
import signal
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, sleep

from tests.support.sources import HandSource
from tock_app.service.far import let_in, second_board
from tock_bench.meeting_place import MeetingPlace
from tock_companion.boardfile import generate
from tock_companion.errors import TockError
from tock_companion.events.facts import Fact, MoveAccepted, MoveTakenBack
from tock_companion.far.meeting import MeetingPlace as Place
from tock_companion.far.tunnel import Tunnel
from tock_companion.rules import Board, Card, Move, Seat
from tock_companion.storage import Store
from tock_companion.table.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_web import create_app

PATIENCE_S = 30.0
FRAMES = 12
DISTURBED = 0.08
"""Share of the moves during which something ends."""
NAMES = {Seat.P0: "Anna", Seat.P2: "Luc"}, {Seat.P1: "Bob", Seat.P3: "Zoé"}
CARDS = ("AH", "KD", "QS", "JC", "10H", "9D", "8S", "6C", "4D", "3H", "2C")


@dataclass
class Found:
    """The findings, of all games together."""

    games: int = 0
    whole_games: int = 0
    moves: int = 0
    cuts: int = 0
    restarts: int = 0
    broker_kills: int = 0
    lost: int = 0
    doubled: int = 0
    unnoticed: int = 0
    stuck: int = 0


class Home:
    """A companion: a table with a board that is shown to it."""

    def __init__(self, folder: Path, size_mm: float) -> None:
        self.folder, self._size_mm = folder, size_mm
        self._board: Board | None = None
        self.open()

    def open(self) -> None:
        """Start the table on its folder."""
        self.source = HandSource()
        self.table = Table(generate(4, self._size_mm), Store(self.folder), [self.source])
        self.table.start()

    def show(self, board: Board) -> None:
        """Have the camera see a board for over a second."""
        self._board = board
        self.source.show(board.to_pawns(), FRAMES)

    def look(self) -> None:
        """Have the camera see the same board a little longer."""
        if self._board is not None:
            self.source.show(self._board.to_pawns(), 2)

    @property
    def played(self) -> int:
        """The moves of the game, as everybody is shown it."""
        return len(self.table.game.moves)

    def facts(self) -> list[Fact]:
        """The moves in its log, and those taken back."""
        return [fact for _, fact in self.table.facts()[1] if isinstance(fact, MoveAccepted | MoveTakenBack)]


class TwoHomes:
    """Two companions that share games, with everything between them."""

    def __init__(self, folder: Path, rng: random.Random, found: Found) -> None:
        self._rng, self.found = rng, found
        self.place = MeetingPlace(folder / "relay").start()
        self.home, self.away = Home(folder / "home", 440), Home(folder / "away", 520)
        self._open_tunnel()
        for seat, name in NAMES[0].items():
            self.home.table.people.join(name, seat)
        for seat, name in NAMES[1].items():
            self.away.table.people.join(name, seat)
        self.board = second_board(self.away.table, self.away.folder, self.place.ca)
        self.board.follow(self.tunnel.invite(None).link)

    def _open_tunnel(self) -> None:
        self.tunnel = Tunnel(self.home.table, self.home.folder, Place(self.place.url, self.place.ca))
        let_in(self.tunnel, create_app(self.home.table))
        self.tunnel.start()

    def close(self) -> None:
        """End all."""
        self.board.stop()
        self.tunnel.stop()
        self.home.table.stop()
        self.away.table.stop()
        self.place.stop()

    def disturb(self) -> None:
        """End one part, and start it again."""
        match self._rng.randrange(4):
            case 0:
                os.kill(int((self.place.folder / "broker/tock.pid").read_text()), signal.SIGKILL)
                self.found.broker_kills += 1
            case 1:
                self.board.stop()
                self.away.table.stop()
                self.away.open()
                self.board = second_board(self.away.table, self.away.folder, self.place.ca)
                self.board.start()
                self.found.restarts += 1
            case 2:
                self.tunnel.stop()
                self.home.table.stop()
                self.home.open()
                self._open_tunnel()
                self.found.restarts += 1
            case _:
                self.board.stop()
                self.board.start()
                self.found.cuts += 1

    def move(self) -> bool:
        """Make one move on the board of whoever is to move, and copy it on the other; False where nothing comes."""
        position = self.home.table.position
        seat, before = position.to_move, self.home.played
        cards = self._rng.sample(CARDS, len(CARDS))
        card, move = next((card, move) for card in cards for move in self._moves(card))
        is_away = seat in NAMES[1]
        if is_away and not self._until(lambda: self.away.table.position == position and self._sits(seat)):
            return False
        asked = parse_request("play_card", {"card": card}, Role.SEAT, seat)
        side = self.away if is_away else self.home
        if not self._until(lambda: side.table.request(asked).ok):
            return False
        if is_away:
            self.away.show(move.result)
        if self._rng.random() < DISTURBED:
            self.disturb()
        self.home.show(move.result)
        if not self._until(lambda: self.home.played > before):
            return False
        self.away.show(self.home.table.position.board)
        self.found.moves += 1
        return True

    def _until(self, holds: Callable[[], bool]) -> bool:
        """Wait while both cameras go on."""

        def look() -> None:
            self.home.look()
            self.away.look()

        return until(holds, look)

    def _sits(self, seat: Seat) -> bool:
        return seat in self.home.table.people.names()

    def _moves(self, card: str) -> list[Move]:
        """A legal move with a card that a camera can see; none where there is none."""
        position = self.home.table.position
        moves = [
            move
            for move in position.legal_moves(Card.parse(card))
            if not move.result.looks_like(position.board)
        ]
        return self._rng.sample(moves, 1) if moves else []

    def settle(self) -> None:
        """Wait until both logs are the same, and count where they are not."""
        self._until(lambda: self.home.facts() == self.away.facts())
        home, away = self.home.facts(), self.away.facts()
        self.found.lost += max(0, len(home) - len(away)) + sum(
            one != other for one, other in zip(home, away, strict=False)
        )
        self.found.doubled += max(0, len(away) - len(home))
        following = self.away.table.following
        shows = following is not None and following.shows
        if shows and self.away.table.position.board != self.home.table.position.board:
            self.found.unnoticed += 1


def until(holds: Callable[[], bool], again: Callable[[], None] = lambda: None) -> bool:
    """Wait for something; False when it has not come in time. `again` is repeated meanwhile."""
    end_s = monotonic() + PATIENCE_S
    while monotonic() < end_s:
        with suppress(TimeoutError, TockError):
            if holds():
                return True
            again()
        sleep(0.1)
    return False


def play(folder: Path, rng: random.Random, found: Found, end_s: float) -> None:
    """Play one game to its end, or until the time is over."""
    (folder / "relay").mkdir(parents=True)
    two = TwoHomes(folder, rng, found)
    try:
        if not until(lambda: len(two.home.table.people.names()) == len(Seat.__members__) // 2):
            found.stuck += 1
            return
        for side in (two.home, two.away):
            side.show(two.home.table.position.board)
        while two.home.table.game.ended is None and monotonic() < end_s:
            if not two.move():
                found.stuck += 1
                break
        two.settle()
        found.games += 1
        found.whole_games += two.home.table.game.ended is not None
    finally:
        two.close()


def main() -> None:
    """Play the games and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found, end_s = Found(), monotonic() + 60 * args.minutes
    for game in range(args.games):
        if monotonic() > end_s:
            break
        with tempfile.TemporaryDirectory(prefix="tock-two-homes-") as folder:
            play(Path(folder), random.Random(f"{args.seed} {game}"), found, end_s)
        args.out.write_text(json.dumps(asdict(found), indent=1) + "\n")
        print(f"game {game + 1} of {args.games}: {asdict(found)}", flush=True)


if __name__ == "__main__":
    main()
