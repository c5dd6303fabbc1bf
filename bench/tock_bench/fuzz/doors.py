"""Everything that reads a file or lines of somebody else: a valid input for it, how to spoil it, how to give it.

Commands run through `main`, as a shell would call them; what has no command runs through the function that reads it.
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tock_app.cli.main import main
from tock_bench.fuzz import file_mutations, mutations, valid
from tock_bench.fuzz.child import Outcome, trial
from tock_bench.fuzz.granted import save_and_start
from tock_bench.fuzz.mutations import Mutation
from tock_companion.boardfile import HoleKind, load
from tock_companion.core.fields import NAME_LENGTH
from tock_companion.core.requests import Role
from tock_companion.errors import TockError, escaped
from tock_companion.mqtt.club import view_of
from tock_companion.names import tidy_name
from tock_companion.sources.reed.frames import FrameReader
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_hardware.templates import sheets
from tock_vision.cards.pile import STILL_MS, PileWatcher
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import Appearance, DrawnCard, DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer

Run = Callable[[], int]
MANY_LINES = 60
"""Allowed to commands that print a line for every mistake."""
MAX_LINE_CHARS = 1_000
SPECIALS = ("missing", "folder", "pipe", "loop", "/dev/zero", "/dev/urandom", "/dev/full", "empty")


@dataclass(frozen=True, slots=True)
class Door:
    """One way in for a file, or for lines on standard input."""

    name: str
    mutate: Mutation
    valid: Callable[[], bytes]
    """The content of the spoiled file, or of standard input, as it should be."""
    run: Run
    target: str = ""
    """The spoiled file's name in the working folder; empty: standard input."""
    beside: Callable[[], Mapping[str, bytes]] = field(default=dict)
    """Further files that are as they should be."""
    most_lines: int = 1

    def input(self, seed: int, index: int) -> bytes:
        """Make an input; the same one for the same numbers."""
        return self.mutate(Random(f"{seed}/{self.name}/{index}"), self.valid())

    def give(self, folder: Path, content: bytes) -> Outcome:
        """Try it with a content, in an empty folder."""
        self._lay_out(folder)
        if not self.target:
            return trial(self.run, folder, content)
        (folder / self.target).write_bytes(content)
        return trial(self.run, folder)

    def give_special(self, folder: Path, kind: str) -> Outcome:
        """Try it with something that is no regular file, or an empty one."""
        self._lay_out(folder)
        path = folder / self.target
        if kind == "folder":
            path.mkdir()
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "empty":
            path.touch()
        elif kind != "missing":
            path.symlink_to(path if kind == "loop" else kind)
        return trial(self.run, folder)

    def faults(self, outcome: Outcome) -> list[str]:
        """Name what no input may cause."""
        found = outcome.faults(self.most_lines)
        if "traceback" not in found and any(
            len(line) > MAX_LINE_CHARS for line in outcome.stderr.splitlines()
        ):
            found.append("long line")
        return found

    def _lay_out(self, folder: Path) -> None:
        for name, content in self.beside().items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        (folder / self.target).parent.mkdir(parents=True, exist_ok=True)
        os.environ["TOCK_DATA"] = str(folder / "data")
        (folder / "data").mkdir(exist_ok=True)


def command(*arguments: str) -> Run:
    """Run a command as from a shell."""
    return lambda: main(arguments)


def commands(*lines: tuple[str, ...]) -> Run:
    """Run several commands one after the other, up to the first that fails."""
    return lambda: next((code for line in lines if (code := main(line))), 0)


def in_one_line(run: Callable[[], object], expected: type[Exception] = TockError) -> Run:
    """Run what reads for a command: what it is expected to raise becomes one line and exit code 2."""

    def call() -> int:
        try:
            run()
        except expected as error:
            os.write(2, f"{escaped(' '.join(str(error).split()))[:400]}\n".encode())
            return 2
        return 0

    return call


def resume() -> None:
    """Start a table on the games of the data folder, look at it as everybody, and stop it."""
    table = Table(valid.BOARD, Store(Path("data")))
    try:
        table.start()
        for role in (Role.TABLE, Role.WATCH, Role.HOST):
            table.view(role)
    finally:
        table.stop()


def save_settings() -> int:
    """Save what standard input holds as settings, and start with them where they are granted."""
    return save_and_start(sys.stdin.buffer.read().decode("utf-8", errors="surrogateescape"))


def hear_reed_board() -> None:
    """Decode what a serial port gave."""
    frames = FrameReader()
    list(frames.feed(sys.stdin.buffer.read()))


def show_at_club() -> None:
    """Read what a table published."""
    view_of(sys.stdin.buffer.read())


def draw_and_read() -> int:
    """Draw `board.json` as the simulated table does, with all that may lie on it, and read that."""

    def run() -> None:
        board = load("board.json")
        renderer = Renderer(board, Appearance(size_px=(640, 480)))
        camps = [hole for hole in board.holes if hole.kind is HoleKind.CAMP and hole.seat is not None]
        pawns = [
            DrawnPawn(hole.x_mm, hole.y_mm, named_color(board.colors[hole.seat]))
            for hole in camps
            if hole.seat is not None
        ]
        reader, pile = BoardReader(board), PileWatcher.of(board)
        for card in (None, DrawnCard("7H", red=True)):
            frame = renderer.frame(pawns, (0.0, 0.0) if card else None, card)
            reader.read_frame(frame)
            for t_ms in (0, STILL_MS, 2 * STILL_MS):
                if pile is not None:
                    pile.update(frame, renderer.pose, t_ms)

    return in_one_line(run)()


def print_board() -> None:
    """Print `board.json` at full size."""
    board = load("board.json")
    sheets(board, "paper")
    sheets(board, "drill")


def name_people() -> None:
    """Tidy names: what is left stays as it is, however it is mixed with what nobody sees."""
    for line in sys.stdin.buffer.read().decode("utf-8", errors="ignore").splitlines():
        name = tidy_name(line, NAME_LENGTH)
        assert tidy_name(name) == tidy_name(f"\u2060{name}\u00ad") == name, ascii(line)


READ_BOARD = ("board", "read", "photo.jpg", "--board", "board.json")
READ_CARDS = ("cards", "read", "photo.jpg")
REPLAY = command("replay", "recording")
GAMES = "data/games.sqlite"
LIST_GAMES = ("game", "list")
EXPORT_GAME = ("game", "export")


def _board() -> Mapping[str, bytes]:
    return {"board.json": valid.board()}


def _board_and_photo() -> Mapping[str, bytes]:
    return {"board.json": valid.board(), "photo.jpg": valid.board_photo()}


def _photo_of_board() -> Mapping[str, bytes]:
    return {"photo.jpg": valid.board_photo()}


def _photo() -> Mapping[str, bytes]:
    return {"photo.jpg": valid.card_photo()}


def _recorded(but: str) -> Callable[[], Mapping[str, bytes]]:
    return lambda: {
        name: content for name, content in valid.recording().items() if name != f"recording/{but}"
    }


def _replayed(file: str, mutate: Mutation) -> Door:
    name = f"recording/{file}"
    return Door(f"replay: {file}", mutate, lambda: valid.recording()[name], REPLAY, name, _recorded(file))


DOORS = (
    Door("judge", mutations.json_lines, valid.judge_lines, command("judge")),
    Door("hint", mutations.json_lines, valid.hint_lines, command("hint", "--ms", "0")),
    Door(
        "board file check",
        mutations.json_text,
        valid.board,
        command("board", "file", "check", "board.json"),
        "board.json",
        most_lines=MANY_LINES,
    ),
    Door(
        "board read --board",
        mutations.json_text,
        valid.board,
        command(*READ_BOARD),
        "board.json",
        _photo_of_board,
    ),
    Door(
        "board drawn and read",
        mutations.board_lengths,
        valid.board,
        draw_and_read,
        "board.json",
    ),
    Door("board printed", mutations.board_lengths, valid.board, in_one_line(print_board), "board.json"),
    Door(
        "config check",
        mutations.toml_text,
        valid.settings,
        command("config", "check", "tock.toml"),
        "tock.toml",
        lambda: {"boards/board.json": valid.board()},
        MANY_LINES,
    ),
    Door(
        "settings that the host saves",
        mutations.toml_text,
        valid.settings,
        save_settings,
        beside=lambda: {"data/boards/board.json": valid.board(), "data/camera.npz": valid.state()},
        most_lines=MANY_LINES,
    ),
    Door(
        "game import",
        mutations.json_lines,
        valid.log,
        commands(("game", "import", "log.jsonl"), LIST_GAMES, EXPORT_GAME),
        "log.jsonl",
    ),
    Door(
        "game export LOG",
        mutations.json_lines,
        valid.log,
        command("game", "export", "log.jsonl"),
        "log.jsonl",
    ),
    Door(
        "game export LOG --events",
        mutations.json_lines,
        valid.log,
        command("game", "export", "log.jsonl", "--events"),
        "log.jsonl",
    ),
    Door(
        "game restore",
        file_mutations.database,
        valid.games,
        commands(("game", "restore", "copy.sqlite"), LIST_GAMES, EXPORT_GAME),
        "copy.sqlite",
    ),
    Door("game list", file_mutations.database, valid.games, command(*LIST_GAMES), GAMES),
    Door(
        "report",
        file_mutations.database,
        valid.games,
        command("report", "--yes", "--out", "report.zip"),
        GAMES,
    ),
    Door("start", file_mutations.database, valid.games, in_one_line(resume), GAMES, most_lines=5),
    Door(
        "board read IMAGE",
        file_mutations.picture,
        valid.board_photo,
        command(*READ_BOARD),
        "photo.jpg",
        _board,
    ),
    Door(
        "board read --state",
        file_mutations.packed_arrays,
        valid.state,
        command(*READ_BOARD, "--state", "state.npz"),
        "state.npz",
        _board_and_photo,
    ),
    Door(
        "board learn",
        file_mutations.picture,
        valid.board_photo,
        command("board", "learn", "--board", "board.json", "--camps", "photo.jpg", "--out", "state.npz"),
        "photo.jpg",
        _board,
    ),
    Door("cards read IMAGE", file_mutations.picture, valid.card_photo, command(*READ_CARDS), "photo.jpg"),
    Door(
        "cards read --jokers",
        file_mutations.packed_arrays,
        valid.jokers,
        command(*READ_CARDS, "--jokers", "jokers.npz"),
        "jokers.npz",
        _photo,
    ),
    Door(
        "cards enrol",
        file_mutations.picture,
        valid.card_photo,
        command("cards", "enrol", "black.jpg", "photo.jpg", "--out", "jokers.npz"),
        "black.jpg",
        _photo,
    ),
    _replayed("recording.json", mutations.json_text),
    _replayed("board.json", mutations.json_text),
    _replayed("frames/0.jpg", file_mutations.picture),
    _replayed("requests.jsonl", mutations.json_lines),
    _replayed("reed.jsonl", mutations.json_lines),
    _replayed("seen.jsonl", mutations.json_lines),
    _replayed("cards.jsonl", mutations.json_lines),
    _replayed("frames.jsonl", mutations.json_lines),
    Door(
        "report --recording",
        mutations.json_lines,
        lambda: valid.recording()["recording/requests.jsonl"],
        command("report", "--recording", "recording", "--yes", "--out", "report.zip"),
        "recording/requests.jsonl",
        _recorded("requests.jsonl"),
    ),
    Door(
        "club: state of a table",
        mutations.json_text,
        valid.club_state,
        in_one_line(show_at_club, ValueError),
        "state.json",
    ),
    Door("names", mutations.names, valid.names, in_one_line(name_people)),
    Door("reed board: serial", mutations.bytes_of, valid.serial, in_one_line(hear_reed_board)),
)
BY_NAME = {door.name: door for door in DOORS}
