"""`tock board …`: reads pawns from pictures, makes board files and drawings, checks board files."""

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import Any, cast

from tock_companion.boardfile import BoardFile, generate, load, to_svg, to_text
from tock_companion.cli.arguments import Parser
from tock_companion.errors import BadInputError

NO = 1
UNREADABLE = 2


def run(args: list[str]) -> int:
    """Run one of the board commands; 0 when all is well, 1 when a board was not found, 2 for a bad picture."""
    options = _parser().parse_args(args)
    return int(options.action(options))


def _parser() -> Parser:
    parser = Parser(prog="tock board", description="Reads boards; makes and checks board files.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    read = commands.add_parser("read", help="reads pawns from pictures, one JSON line each")
    read.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    read.add_argument("--board", required=True, type=Path, metavar="BOARD.json")
    read.add_argument(
        "--touch",
        nargs="+",
        action="extend",
        default=[],
        metavar="HOLE=x,y",
        help="rough pixel places of four or more holes, for boards without markers",
    )
    read.add_argument("--state", type=Path, metavar="FILE", help="a file made by `tock board learn`")
    read.set_defaults(action=_read)

    export = commands.add_parser("export", help="prints a board file or a drawing made from geometry")
    export.add_argument("--zones", required=True, type=int, choices=(4, 6, 8))
    export.add_argument("--size", required=True, type=float, metavar="MM", help="side of the square board")
    export.add_argument("--format", required=True, choices=("json", "svg"))
    export.set_defaults(action=_export)

    file = commands.add_parser("file", help="checks board files")
    checks = file.add_subparsers(required=True, metavar="COMMAND")
    check = checks.add_parser("check", help="says whether board files can be used")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")
    check.set_defaults(action=_check)
    return parser


def _read(options: argparse.Namespace) -> int:
    board = load(options.board)
    touches = dict(_touch(text) for text in options.touch)
    # Pixels are reached by name only: the companion does not depend on them.
    reading = cast(Any, importlib.import_module("tock_vision.stills"))
    read_image = reading.image_reader(board, touches, options.state)
    code = 0
    for image in options.images:
        answer = read_image(image)
        print(json.dumps(answer, ensure_ascii=False), flush=True)
        if answer.get("reason") == reading.UNREADABLE:
            print(f"tock board read: {answer['message']}", file=sys.stderr)
            code = UNREADABLE
        elif not answer["registered"]:
            code = max(code, NO)
    return code


def _touch(text: str) -> tuple[str, tuple[float, float]]:
    hole, _, place = text.partition("=")
    try:
        x_px, y_px = (float(part) for part in place.split(","))
    except ValueError:
        raise BadInputError(f"--touch {text}: give HOLE=x,y with pixels, for example T0=412,96") from None
    return hole, (x_px, y_px)


def _export(options: argparse.Namespace) -> int:
    board = generate(options.zones, options.size)
    print(to_text(board) if options.format == "json" else to_svg(board), end="")
    return 0


def _check(options: argparse.Namespace) -> int:
    for file in options.files:
        print(_summary(file, load(file)))
    return 0


def _summary(file: Path, board: BoardFile) -> str:
    width, height = board.size_mm
    return (
        f"{file}: {board.name}, {board.zones} zones, {len(board.holes)} holes, {len(board.markers)} markers, "
        f"{width:g} x {height:g} mm, {board.pitch_mm:.1f} mm from hole to hole"
    )
