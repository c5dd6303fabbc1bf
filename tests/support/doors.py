"""Everything that reads the files or lines of others: a valid input for it, and a way to try another one.

Commands run through `main`, as a shell calls them; a reader without a command runs by its function.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests.support import valid_files as valid
from tests.support.trial import Outcome, trial
from tock_app.cli.console import silence_native_libraries
from tock_app.cli.main import main
from tock_app.config.load import load_config
from tock_app.service.admin import MachineAdmin
from tock_app.service.boot_files import show_code
from tock_app.service.companion import serve
from tock_app.service.shutdown import Shutdown
from tock_app.service.supervision import Supervision
from tock_companion.boardfile import HoleKind, load
from tock_companion.club.people_list import as_text, decoded, entries
from tock_companion.core.fields import NAME_LENGTH
from tock_companion.core.requests import Role
from tock_companion.errors import BadInputError, TockError, escaped, one_line
from tock_companion.mqtt.club import view_of
from tock_companion.names import tidy_name
from tock_companion.sources.reed.frames import FrameReader
from tock_companion.storage import Store
from tock_companion.storage.forgetting import GAME, NAME, Forgotten, forgotten_in, note
from tock_companion.storage.sweeping import Places, Sweep
from tock_companion.table.runtime.live import Table
from tock_hardware.templates import sheets
from tock_vision.cards.pile import STILL_MS, PileWatcher
from tock_vision.images import decode_image
from tock_vision.picture_stream import PictureCutter
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import Appearance, DrawnCard, DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer
from tock_web.rights.machine_code import MachineCode

Run = Callable[[], int]
MANY_LINES = 60
"""Allowed to commands that print a line for every mistake."""
MAX_LINE_CHARS = 1_000
SPECIALS = ("missing", "folder", "pipe", "loop", "/dev/zero", "/dev/urandom", "/dev/full", "empty")


@dataclass(frozen=True, slots=True)
class Door:
    """One reader of a file, or of lines on standard input."""

    name: str
    form: str
    """The form of the input: a mutation of the fuzzer."""
    valid: Callable[[], bytes]
    run: Run
    target: str = ""
    """The input's file in the working folder; empty: standard input."""
    beside: Callable[[], Mapping[str, bytes]] = field(default=dict)
    """Further valid files."""
    most_lines: int = 1

    def give(self, content: bytes) -> Outcome:
        """Try an input in an empty folder."""
        with empty_folder() as folder:
            self._lay_out(folder)
            if not self.target:
                return trial(self.run, folder, content)
            (folder / self.target).write_bytes(content)
            return trial(self.run, folder)

    def give_special(self, kind: str) -> Outcome:
        """Try a file that is not regular, or empty."""
        with empty_folder() as folder:
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
        """Faults that no input may cause."""
        found = outcome.faults(self.most_lines)
        is_long = any(len(line) > MAX_LINE_CHARS for line in outcome.stderr.splitlines())
        return [*found, "long line"] if is_long and "traceback" not in found else found

    def _lay_out(self, folder: Path) -> None:
        for name, content in self.beside().items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        (folder / self.target).parent.mkdir(parents=True, exist_ok=True)
        os.environ["TOCK_DATA"] = str(folder / "data")
        (folder / "data").mkdir(exist_ok=True)


@contextmanager
def empty_folder() -> Iterator[Path]:
    """A folder that is removed with everything in it."""
    folder = Path(tempfile.mkdtemp(prefix="tock-fuzz-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def command(*arguments: str) -> Run:
    """Run a command as from a shell."""
    return lambda: main(arguments)


def commands(*lines: tuple[str, ...]) -> Run:
    """Run several commands, up to the first that fails."""
    return lambda: next((code for line in lines if (code := main(line))), 0)


def in_one_line(run: Callable[[], object], expected: type[Exception] = TockError) -> Run:
    """Run a reader; an expected error becomes one line and exit code 2."""

    def call() -> int:
        try:
            run()
        except expected as error:
            sys.stderr.write(f"{escaped(' '.join(str(error).split()))[:400]}\n")
            return 2
        return 0

    return call


def resume() -> None:
    """Start a table on the games of the data folder, view it in each role, and stop it."""
    table = Table(valid.BOARD, Store(Path("data")))
    try:
        table.start()
        for role in (Role.TABLE, Role.WATCH, Role.HOST):
            table.view(role)
    finally:
        table.stop()


def sweep_copies() -> None:
    """Make the deletions of the list in a copy of the games, in games from elsewhere too."""
    deletions = [Forgotten.of(NAME, "ana"), Forgotten.of(GAME, "x")]
    with suppress(TockError):
        note(Path("data"), deletions)
    data = Path("data")
    Sweep(Places(data, (data / "backups",), data / "recordings"), 1).run(datetime(2026, 11, 29, tzinfo=UTC))
    forgotten_in(data)


def save_settings() -> int:
    """Save the settings on standard input as a host does; start with them where they are granted."""
    file = Path("data/tock.toml")
    file.touch()
    # Below the ports that the system assigns, so that no other program takes one meanwhile.
    os.environ["TOCK_PORT"] = str(20_000 + os.getpid() % 10_000)
    try:
        text = sys.stdin.buffer.read().decode("utf-8", errors="surrogateescape")
        MachineAdmin(file, load_config(file)).replace(text)
    except BadInputError as error:
        sys.stderr.write(f"{one_line(str(error))}\n")
        return 2
    supervision = Supervision({})
    shutdown = Shutdown(supervision)
    shutdown.stop()
    serve(load_config(file), file, shutdown, supervision)
    return 0


def hear_reed_board() -> None:
    """Decode the bytes of a serial port."""
    frames = FrameReader()
    list(frames.feed(sys.stdin.buffer.read()))


def show_at_club() -> None:
    """Read the state that a table published."""
    view_of(sys.stdin.buffer.read())


def draw_and_read() -> int:
    """Draw `board.json` as the simulated table does, with pawns and a card, and read the picture."""

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
    sheets(board, "paper", "a4")
    sheets(board, "drill", "letter")


def name_people() -> None:
    """Tidy names; invisible characters in a tidy name change nothing."""
    for line in sys.stdin.buffer.read().decode("utf-8", errors="ignore").splitlines():
        name = tidy_name(line, NAME_LENGTH)
        assert tidy_name(name) == tidy_name(f"\u2060{name}\u00ad") == name, ascii(line)


def enter_people() -> None:
    """Read a spreadsheet's list of people; the list as shown reads alike."""
    found = entries(decoded(sys.stdin.buffer.read()), people=1)
    assert entries(as_text(found), people=1) == found


def watch_stream() -> None:
    """Cut the stream of a network camera into pictures, and decode each."""
    cutter, stream = PictureCutter(), sys.stdin.buffer
    silence_native_libraries()
    while data := stream.read(3_000):
        for picture in cutter.feed(data):
            with suppress(BadInputError):
                decode_image(picture, "frame")


def take_code() -> int:
    """Obey the file with a code on the card."""
    show_code(MachineCode(), Path())
    return 0


READ_BOARD = ("board", "read", "photo.jpg", "--board", "board.json")
READ_CARDS = ("cards", "read", "photo.jpg")
GAMES = "data/games.sqlite"
LIST_GAMES = ("game", "list")
EXPORT_GAME = ("game", "export")
REPLAYED = {
    "recording.json": "json", "board.json": "json", "frames/0.jpg": "picture", "requests.jsonl": "lines",
    "reed.jsonl": "lines", "seen.jsonl": "lines", "cards.jsonl": "lines", "frames.jsonl": "lines",
}  # fmt: skip


def _board() -> Mapping[str, bytes]:
    return {"board.json": valid.board()}


def _photo_of_board() -> Mapping[str, bytes]:
    return {"photo.jpg": valid.board_photo()}


def _photo() -> Mapping[str, bytes]:
    return {"photo.jpg": valid.card_photo()}


def _recorded(file: str, form: str, name: str, run: Run) -> Door:
    """A door for one file of a recording."""
    target = f"recording/{file}"

    def others() -> Mapping[str, bytes]:
        return {path: content for path, content in valid.recording().items() if path != target}

    return Door(name, form, lambda: valid.recording()[target], run, target, others)


def _on_game(name: str, run: Run, target: str, most_lines: int = 1) -> Door:
    """A door for a database of games."""
    return Door(name, "database", valid.games, run, target, most_lines=most_lines)


def _on_log(name: str, run: Run) -> Door:
    """A door for an event log."""
    return Door(name, "lines", valid.log, run, "log.jsonl")


DOORS = (
    Door("judge", "lines", valid.judge_lines, command("judge")),
    Door("hint", "lines", valid.hint_lines, command("hint", "--ms", "0")),
    Door(
        "board file check", "json", valid.board, command("board", "file", "check", "board.json"), "board.json",
        most_lines=MANY_LINES,
    ),
    Door("board read --board", "json", valid.board, command(*READ_BOARD), "board.json", _photo_of_board),
    Door("board drawn and read", "lengths", valid.board, draw_and_read, "board.json"),
    Door("board printed", "lengths", valid.board, in_one_line(print_board), "board.json"),
    Door(
        "config check", "toml", valid.settings, command("config", "check", "tock.toml"), "tock.toml",
        lambda: {"boards/board.json": valid.board()}, MANY_LINES,
    ),
    Door(
        "settings that the host saves", "toml", valid.settings, save_settings,
        beside=lambda: {"data/boards/board.json": valid.board(), "data/camera.npz": valid.state()},
        most_lines=MANY_LINES,
    ),
    _on_log("game import", commands(("game", "import", "log.jsonl"), LIST_GAMES, EXPORT_GAME)),
    _on_log("game export LOG", command("game", "export", "log.jsonl")),
    _on_log("game export LOG --events", command("game", "export", "log.jsonl", "--events")),
    _on_game("game restore", commands(("game", "restore", "copy.sqlite"), LIST_GAMES, EXPORT_GAME), "copy.sqlite"),
    _on_game("game list", command(*LIST_GAMES), GAMES),
    _on_game("report", command("report", "--yes", "--out", "report.zip"), GAMES),
    _on_game("deletions in a copy", in_one_line(sweep_copies), "data/backups/games-2026-11-28.sqlite"),
    Door("list of deletions", "json", valid.deletions, in_one_line(sweep_copies), "data/forgotten.json"),
    _on_game("stats", command("stats"), GAMES, most_lines=MANY_LINES),
    _on_game("start", in_one_line(resume), GAMES, most_lines=5),
    Door("board read IMAGE", "picture", valid.board_photo, command(*READ_BOARD), "photo.jpg", _board),
    Door(
        "board read --state", "arrays", valid.state, command(*READ_BOARD, "--state", "state.npz"), "state.npz",
        lambda: {**_board(), **_photo_of_board()},
    ),
    Door(
        "board learn", "picture", valid.board_photo,
        command("board", "learn", "--board", "board.json", "--camps", "photo.jpg", "--out", "state.npz"), "photo.jpg",
        _board,
    ),
    Door("cards read IMAGE", "picture", valid.card_photo, command(*READ_CARDS), "photo.jpg"),
    Door(
        "cards read --jokers", "arrays", valid.jokers, command(*READ_CARDS, "--jokers", "jokers.npz"), "jokers.npz",
        _photo,
    ),
    Door(
        "cards enrol", "picture", valid.card_photo,
        command("cards", "enrol", "black.jpg", "photo.jpg", "--out", "jokers.npz"), "black.jpg", _photo,
    ),
    *(
        _recorded(file, form, f"replay: {file}", command("replay", "recording"))
        for file, form in REPLAYED.items()
    ),
    _recorded(
        "requests.jsonl", "lines", "report --recording",
        command("report", "--recording", "recording", "--yes", "--out", "report.zip"),
    ),
    Door("club: state of a table", "json", valid.club_state, in_one_line(show_at_club, ValueError), "state.json"),
    Door(
        "board read --holes", "json", valid.holes,
        command("board", "read", "photo.jpg", "--holes", "holes.json"), "holes.json", _photo_of_board,
    ),
    Door("list of people", "sheet", valid.people, in_one_line(enter_people)),
    Door("camera: stream", "bytes", valid.stream, in_one_line(watch_stream)),
    Door("board read PNG", "picture", lambda: valid.card_photo(".png"), command(*READ_BOARD), "photo.jpg", _board),
    Door("code on the memory card", "bytes", lambda: b"1234 5678\n", take_code, "tock-host-code.txt"),
    Door("names", "names", valid.names, in_one_line(name_people)),
    Door("reed board: serial", "bytes", valid.serial, in_one_line(hear_reed_board)),
)  # fmt: skip
BY_NAME = {door.name: door for door in DOORS}
