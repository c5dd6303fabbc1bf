"""`tock report`: one game and the state of the machine in one file, to send to the developers."""

import json
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import Parser, agreed
from tock_app.config.load import Config
from tock_app.service.diagnosis import examine, settings_to_examine
from tock_companion.core.bodies import HAND_KINDS
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_to_line
from tock_companion.events.game import fold
from tock_companion.files import MB, read_bounded, write_file
from tock_companion.health import Finding, System, sentence
from tock_companion.language import TERMINAL
from tock_companion.storage import Store
from tock_companion.storage.files import DATABASE_NAME
from tock_companion.strict_json import decode

PICTURES = (".jpg", ".jpeg", ".png", ".webp")
MAX_RECORDING_BYTES = 120 * MB
"""A report is held in memory, and a larger one is hard to send."""
Part = tuple[str, bytes]
"""Name within the report, and content."""


def run(arguments: Sequence[str], stdin: TextIO | None = None, stdout: TextIO | None = None) -> int:
    """Print the contents, ask, and write the report; return 1 for a no."""
    parser = Parser(
        prog="tock report", description="Packs one game and the state of this machine into a file."
    )
    parser.add_argument(
        "--game", type=int, help="number of the game, as `tock game list` says; the newest if left out"
    )
    parser.add_argument("--recording", type=Path, help="a folder made by `tock record`, to put in as well")
    parser.add_argument("--out", type=Path, help="the file to write")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    options = parser.parse_args(list(arguments))
    out, (config, mistakes) = stdout or sys.stdout, settings_to_examine(None)
    target = options.out or Path(f"tock-report-{datetime.now():%Y-%m-%d-%H%M}.zip")
    if target.exists():
        raise BadInputError(f"{target} exists and is left as it is; name another file with --out")
    parts = [*_machine(config, mistakes), *_game(config, options.game)]
    if options.recording is not None:
        parts += _recording(options.recording)
    out.write(_summary(parts))
    if not options.yes and not agreed("Write it?", stdin or sys.stdin, out):
        out.write("nothing was written\n")
        return 1
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts:
            packed.writestr(name, content)
    write_file(target, archive.getvalue(), "report")
    out.write(f"{target} is written; nothing was sent anywhere\n")
    return 0


def _machine(config: Config, mistakes: Sequence[Finding]) -> Iterator[Part]:
    rows = []
    for finding in (*mistakes, *examine(config, System())):
        found, remedy = sentence(finding, TERMINAL)
        rows.append({"part": finding.part, "code": finding.code, "found": found, "do": remedy})
    yield "doctor.jsonl", _lines(rows)


def _game(config: Config, number: int | None) -> Iterator[Part]:
    """Yield the event log, which holds no hands, and the position as `Position.parse` reads it."""
    if not (config.data / DATABASE_NAME).exists():
        return
    with closing(Store(config.data, set_aside=False)) as store:
        game = store.newest_game() if number is None else store.game(number)
    if game is None or not game.events:
        raise BadInputError(f"there is no game {number}; `tock game list` lists them")
    lines = [event_to_line(event) + "\n" for event in game.events]
    yield f"game-{game.number}.jsonl", "".join(lines).encode()
    # A log that contradicts the rules has no position, and is worth reporting all the more.
    with suppress(BadInputError):
        yield "position.txt", f"{fold(game.events).position.text}\n".encode()


def _recording(folder: Path) -> Iterator[Part]:
    if not (folder / "recording.json").is_file():
        raise BadInputError(
            f"{folder} is no recording: recording.json is missing; name a folder made by `tock record`"
        )
    left_bytes = MAX_RECORDING_BYTES
    # A recording has no links: one in it was put there, and leads to another file of this machine.
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
        if not path.resolve().is_relative_to(folder.resolve()):
            continue
        content = read_bounded(path, left_bytes, "part of the recording")
        left_bytes -= len(content)
        if path.name == "requests.jsonl":
            content = without_hands(content)
        yield f"recording/{path.relative_to(folder).as_posix()}", content


def without_hands(lines: bytes) -> bytes:
    """Remove the body of requests that contain a hand, and unreadable lines."""
    rows: list[object] = []
    for line in lines.decode("utf-8", errors="replace").split("\n"):
        if not line.strip():
            continue
        try:
            row = decode(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            # An unreadable line might contain a hand; an empty one keeps the line numbers.
            rows.append({"left_out": "this line cannot be read"})
        else:
            rows.append({**row, "data": {}} if str(row.get("kind")) in HAND_KINDS else row)
    return _lines(rows)


def _lines(rows: Sequence[object]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode(errors="replace")


def _summary(parts: Sequence[Part]) -> str:
    photos = [name for name, _ in parts if name.startswith("recording/photos/")]
    pictures = [name for name, _ in parts if name.endswith(PICTURES) and name not in photos]
    size_mb = sum(len(content) for _, content in parts) / 1e6
    text = f"The report holds {len(parts)} files ({size_mb:.1f} MB): what `tock doctor` says"
    games = [name for name, _ in parts if name.startswith("game-")]
    text += (
        f", the log of one game ({games[0]}) with the players' cards left out, and its position"
        if games
        else ""
    )
    text += f", and {len(pictures)} pictures that show the table and perhaps people" if pictures else ""
    text += f", and {len(photos)} photo{'s' if len(photos) > 1 else ''} of hands" if photos else ""
    return text + ".\n"
