"""`tock board …`: reads pawns from pictures, makes board files and drawings, checks board files."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tock_app.cli.console import (
    NO,
    UNREADABLE,
    Parser,
    add_pictures_commands,
    json_text,
    list_mistakes,
    run_chosen,
    silence_native_libraries,
)
from tock_app.cli.rulesets import ruleset_argument
from tock_app.config.load import load_config
from tock_companion.boardfile import BoardFile, generate, load, to_text, zone_text
from tock_companion.boardfile.model import ZONES
from tock_companion.errors import BadInputError, FaultyDocumentError, one_line, printable
from tock_companion.storage.boards import FOLDER, BadBoard, BoardFolder
from tock_rules import Hole, load_preset, shape_for

if TYPE_CHECKING:
    from tock_vision.holes.calibration import Shows

MIN_BOARD_MM, MAX_BOARD_MM = 150.0, 2000.0


def run(arguments: list[str]) -> int:
    """Run one of the board commands; 0 when all is well, 1 when a board was not found, 2 for a bad picture."""
    return run_chosen(_parser(), arguments)


def _parser() -> Parser:
    parser = Parser(prog="tock board", description="Reads boards; makes and checks board files.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_pictures_commands(commands, "pawns", _add_reading, read=_read, overlay=_overlay)

    learn = commands.add_parser("learn", help="learns a board and its pawns from pictures by one camera")
    _add_board(learn)
    learn.add_argument("--camps", type=Path, metavar="IMAGE", help="all pawns in their camps")
    learn.add_argument("--empty", type=Path, metavar="IMAGE", help="the empty board")
    learn.add_argument("--out", required=True, type=Path, metavar="FILE")
    learn.set_defaults(action=_learn)

    export = commands.add_parser("export", help="prints a board file or a drawing made from geometry")
    export.add_argument("--zones", required=True, type=int, choices=ZONES)
    export.add_argument(
        "--game",
        type=ruleset_argument,
        metavar="GAME",
        help="the game that the board is for, its name or the path of its file (default: Tock)",
    )
    export.add_argument("--size", required=True, type=float, metavar="MM", help="side of the square board")
    export.add_argument("--format", required=True, choices=("json", "svg", "dxf", "pdf"))
    export.set_defaults(action=_export)

    _add_discovery(commands)

    file = commands.add_parser("file", help="checks board files")
    checks = file.add_subparsers(required=True, metavar="COMMAND")
    check = checks.add_parser("check", help="says whether board files can be used")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")
    check.set_defaults(action=_check)
    return parser


def _add_discovery(commands: "argparse._SubParsersAction[Parser]") -> None:
    discover = commands.add_parser("discover", help="makes a board file from photographs of a board")
    discover.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    discover.add_argument("--out", required=True, type=Path, metavar="FILE")
    discover.add_argument("--zones", type=int, choices=(4, 6, 8))
    discover.add_argument(
        "--game", type=ruleset_argument, metavar="GAME", help="looks for the board of this game alone"
    )
    discover.add_argument("--size", type=_size_mm, metavar="MM", help="longer side of the board")
    _add_touch(
        discover,
        "pixels of all start holes in the first picture, clockwise: T0, T18, …, and of the middle: C",
    )
    discover.add_argument("--middle", choices=("yes", "no"), help="whether there is a hole in the middle")
    discover.add_argument("--overlay", type=Path, metavar="PICTURE", help="draws what was found")
    discover.add_argument("--force", action="store_true", help="replaces FILE where it exists")
    discover.set_defaults(action=_discover)

    listing = commands.add_parser("list", help="prints the boards in a folder, one JSON line each")
    listing.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    listing.set_defaults(action=_list)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    _add_board(parser)
    _add_touch(parser, "rough pixel places of four or more holes, for boards without markers")
    parser.add_argument("--state", type=Path, metavar="FILE", help="a file made by `tock board learn`")


def _add_board(parser: argparse.ArgumentParser) -> None:
    board = parser.add_mutually_exclusive_group(required=True)
    board.add_argument("--board", type=Path, metavar="BOARD.json")
    board.add_argument("--holes", type=Path, metavar="HOLES.json", help="holes of a board of another game")


def _add_touch(parser: argparse.ArgumentParser, meaning: str) -> None:
    parser.add_argument("--touch", nargs="+", action="extend", default=[], metavar="HOLE=x,y", help=meaning)


def _overlay(options: argparse.Namespace) -> int:
    silence_native_libraries()
    from tock_vision.any_board.document import load_holes
    from tock_vision.any_board.stills import overlay as overlay_holes
    from tock_vision.stills import overlay

    if options.holes is not None:
        listed, any_touches = load_holes(options.holes), dict(_place(text) for text in options.touch)
        answer = overlay_holes(listed, options.image, options.out, any_touches, options.state)
    else:
        touches = dict(_touch(text) for text in options.touch)
        answer = overlay(load(options.board), options.image, options.out, touches, options.state)
    print(json_text(answer))
    return 0 if answer["registered"] else NO


def _learn(options: argparse.Namespace) -> int:
    silence_native_libraries()
    from tock_vision.any_board.document import load_holes
    from tock_vision.any_board.stills import learn_holes
    from tock_vision.stills import learn_state

    shown: tuple[tuple[Path | None, Shows], ...] = ((options.empty, "empty"), (options.camps, "camps"))
    pictures = [(path, shows) for path, shows in shown if path]
    if not pictures:
        raise BadInputError("nothing to learn from; give --camps, --empty or both")
    if options.holes is not None:
        answer = learn_holes(load_holes(options.holes), pictures, options.out)
    else:
        answer = learn_state(load(options.board), pictures, options.out)
    print(json_text(answer))
    return 0 if answer["learned"] else NO


def _read(options: argparse.Namespace) -> int:
    silence_native_libraries()
    from tock_vision.any_board.document import load_holes
    from tock_vision.any_board.stills import holes_reader
    from tock_vision.stills import UNREADABLE as UNREADABLE_IMAGE
    from tock_vision.stills import image_reader

    if options.holes is not None:
        any_touches = dict(_place(text) for text in options.touch)
        read_image = holes_reader(load_holes(options.holes), any_touches, options.state)
    else:
        touches = dict(_touch(text) for text in options.touch)
        read_image = image_reader(load(options.board), touches, options.state)
    code = 0
    for image in options.images:
        answer = read_image(image)
        print(json_text(answer), flush=True)
        if answer.get("reason") == UNREADABLE_IMAGE:
            print(f"tock board read: {one_line(str(answer['message']))}", file=sys.stderr)
            code = UNREADABLE
        elif not answer["registered"]:
            code = max(code, NO)
    return code


def _discover(options: argparse.Namespace) -> int:
    silence_native_libraries()
    from tock_vision.discovery.command import discover_board

    answer = discover_board(
        options.images,
        options.out,
        zones=options.zones,
        game=options.game,
        size_mm=options.size,
        touches=dict(_touch(text) for text in options.touch),
        has_middle=None if options.middle is None else options.middle == "yes",
        overlay=options.overlay,
        force=options.force,
    )
    print(json_text(answer))
    return 0 if answer["found"] else NO


def _size_mm(text: str) -> float:
    try:
        size = float(text)
    except ValueError:
        size = 0.0
    if not MIN_BOARD_MM <= size <= MAX_BOARD_MM:
        raise BadInputError(
            f"--size {text}: give the longer side of the board in millimetres, "
            f"{MIN_BOARD_MM:g} to {MAX_BOARD_MM:g}"
        )
    return size


def _list(options: argparse.Namespace) -> int:
    for found in BoardFolder(options.folder or load_config(None).data / FOLDER).all():
        if isinstance(found, BadBoard):
            print(f"tock board list: {found.why}", file=sys.stderr)
            continue
        board = found.board
        print(
            json_text(
                {
                    "file": str(found.path),
                    "name": board.name,
                    "zones": board.zones,
                    "zone_length": board.zone_length,
                    "pawns_per_seat": board.pawns_per_seat,
                    "holes": len(board.holes),
                    "pitch_mm": round(board.pitch_mm, 2),
                    "colors": {seat.name: color for seat, color in board.colors.items()},
                }
            )
        )
    return 0


def _touch(text: str) -> tuple[Hole, tuple[float, float]]:
    hole, place = _place(text)
    return Hole.parse(hole), place


def _place(text: str) -> tuple[str, tuple[float, float]]:
    hole, _, place = text.rpartition("=")
    try:
        x_px, y_px = (float(part) for part in place.split(","))
    except ValueError:
        raise BadInputError(f"--touch {text}: give HOLE=x,y with pixels, for example T0=412,96") from None
    return hole, (x_px, y_px)


def _export(options: argparse.Namespace) -> int:
    shape = shape_for(load_preset(options.game), options.zones) if options.game else options.zones
    board = generate(shape, options.size)
    if options.format == "json":
        print(to_text(board), end="")
        return 0
    from tock_hardware import templates

    sys.stdout.flush()
    sys.stdout.buffer.write(templates.export(board, options.format))
    return 0


def _check(options: argparse.Namespace) -> int:
    code = 0
    for file in options.files:
        try:
            print(_summary(file, load(file)))
        except FaultyDocumentError as error:
            code = list_mistakes("tock board", error)
    return code


def _summary(file: Path, board: BoardFile) -> str:
    width, height = board.size_mm
    return (
        f"{printable(str(file))}: {board.name}, {zone_text(board.shape)}, {len(board.holes)} holes, "
        f"{len(board.markers)} markers, "
        f"{width:g} x {height:g} mm, {board.pitch_mm:.1f} mm from hole to hole"
    )
