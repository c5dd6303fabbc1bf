"""Whole games on two boards of other sizes, shapes and colours, lines cut and programs ended. Goes on where ended.

Real relay, Mosquitto and TLS as processes of their own. The referees see what a program puts before them, on the
table's clock; at every eighth second board drawn pictures through the real camera reader. Counted are moves that one
log lacks or has twice, moments at which home takes a board to show the game that does not, and games that stand still.
"""

import json
import logging
import random
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

from tests.support.odd_boards import blossom, drilled_off
from tock_bench.far.sides import DrawnCamera, Hand
from tock_bench.far.two_boards import Found, Game, Lines, TwoBoards
from tock_bench.places import BUILD
from tock_bench.results import Measured, Say, add_counts, table
from tock_companion.boardfile import BoardFile, generate
from tock_companion.rules import Seat
from tock_companion.table.core.game_setup import GameSetup

FOLDER = BUILD / "far-boards"
GAMES, AT_ONCE, SEED = 50, 5, 40
CAMERA_EVERY = 8
DISTURBED = 0.12
GAME_S = 1500.0
SIZES_MM = (360, 440, 520, 620)
NEARLY_HOME = {
    "P0": ["T64", "T70", "H1", "H2"],
    "P2": ["T28", "T34", "H1", "H2"],
}
"""Games before cameras begin here: pictures take their time."""


@dataclass
class Counts:
    """All findings so far."""

    done: list[int] = field(default_factory=list)
    before_camera: int = 0
    found: Found = field(default_factory=Found)

    @classmethod
    def read(cls, path: Path) -> "Counts":
        """Those of before."""
        if not path.exists():
            return cls()
        kept = json.loads(path.read_text(encoding="utf-8"))
        return cls(kept["done"], kept["before_camera"], Found(**kept["found"]))


def run(
    say: Say, games: int = GAMES, at_once: int = AT_ONCE, seed: int = SEED, minutes: float = 60.0
) -> Measured:
    """Play until there are `games` of that seed, some at a time; each eighth in front of a camera."""
    # Lines that are cut while something is written are what is measured.
    for name in ("asyncio", "tock_companion"):
        logging.getLogger(name).setLevel(logging.ERROR)
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = FOLDER / f"seed-{seed}.json"
    counts, end_s = Counts.read(kept), monotonic() + 60 * minutes
    while missing := [number for number in range(games) if number not in counts.done][:at_once]:
        if monotonic() > end_s:
            break
        _together(missing, seed, counts, say)
        kept.write_text(json.dumps(asdict(counts), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return measured(counts)


def _together(numbers: Sequence[int], seed: int, counts: Counts, say: Say) -> None:
    """Some games at one meeting place."""
    folder = FOLDER / f"at-{numbers[0]}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    lines = Lines(folder / "relay")
    try:
        with ThreadPoolExecutor(len(numbers)) as pool:
            played = pool.map(lambda number: _played(folder, number, seed, lines), numbers)
            for number, found in zip(numbers, played, strict=True):
                add_counts(counts.found, found)
                counts.done.append(number)
                counts.before_camera += _has_camera(number) and bool(found.games)
                say(f"game {number}: {asdict(found)}")
    finally:
        lines.close()
    shutil.rmtree(folder, ignore_errors=True)


def _played(folder: Path, number: int, seed: int, lines: Lines) -> Found:
    rng = random.Random(f"{seed} {number}")
    two = TwoBoards(folder / str(number), game_of(number, rng), lines, rng)
    try:
        two.play(monotonic() + GAME_S)
    finally:
        two.close()
    return two.found


def _has_camera(number: int) -> bool:
    return number % CAMERA_EVERY == CAMERA_EVERY - 1


def game_of(number: int, rng: random.Random) -> Game:
    """A game: two play, and four in every fifth one."""
    boards = board_of(rng), board_of(rng)
    if _has_camera(number):
        # A reader knows the drawn board by its markers.
        boards = boards[0], _coloured(generate(4, rng.choice(SIZES_MM)), rng)
        setup = GameSetup(seats=(Seat.P0, Seat.P2), teams=(), position=NEARLY_HOME)
        return Game(
            number, boards, (lambda _board: Hand(), DrawnCamera), setup, [Seat.P0], [Seat.P2], DISTURBED
        )
    seats = list(Seat)[:4] if number % 5 == 4 else [Seat.P0, Seat.P2]
    rng.shuffle(seats)
    here, there = seats[: len(seats) // 2], seats[len(seats) // 2 :]
    setup = GameSetup(seats=sorted(seats), first=rng.choice(seats))
    return Game(number, boards, (lambda _board: Hand(), lambda _board: Hand()), setup, here, there, DISTURBED)


def board_of(rng: random.Random) -> BoardFile:
    """A board of four zones of some size, shape and colours."""
    plain = generate(4, rng.choice(SIZES_MM))
    shape = rng.choice((plain, plain, drilled_off(plain, 0.15, rng.randrange(1000)), blossom(4)))
    return _coloured(shape, rng)


def _coloured(board: BoardFile, rng: random.Random) -> BoardFile:
    colors = list(board.colors.values())
    rng.shuffle(colors)
    name = f"board {rng.randrange(1000)}"
    return replace(board, name=name, colors=dict(zip(board.colors, colors, strict=True)))


def measured(counts: Counts) -> Measured:
    """The table."""
    found = counts.found
    rows: list[tuple[str, Any]] = [
        ("games, of them before the camera's reader", f"{found.games}, {counts.before_camera}"),
        ("moves", found.moves),
        ("lines cut, companions' tables ended and started again", f"{found.cuts}, {found.restarts}"),
        ("killed: relays, brokers", f"{found.relay_kills}, {found.broker_kills}"),
        ("in one log only, or otherwise", f"**{found.lost}**"),
        ("doubled", f"**{found.doubled}**"),
        ("second board otherwise than it was taken to show", f"**{found.unnoticed}**"),
        ("games that stood still", f"**{found.stuck}**"),
    ]
    passed = not (found.lost or found.doubled or found.unnoticed or found.stuck)
    return Measured(asdict(counts), table(("two boards", ""), rows), passed)
