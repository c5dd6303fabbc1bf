"""`tock hardware …`: makes a builder's files from board.toml; reports which magnets and sensors work."""

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tock_app.cli.console import NO, Parser, run_chosen
from tock_companion.errors import BadInputError

MIN_FLOOR_MM = 0.3
BOARD = Path("hardware/board.toml")


def run(arguments: list[str]) -> int:
    """Run one of the hardware commands; 1 when a file differs or a magnet cannot work."""
    return run_chosen(_parser(), arguments)


def _parser() -> Parser:
    parser = Parser(prog="tock hardware", description="Drawings, lists and parts for building a board.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    build = commands.add_parser("build", help="makes all files from board.toml, beside it")
    _add_board(build)
    build.add_argument(
        "--check", action="store_true", help="only says which files are not as board.toml has them"
    )
    build.add_argument("--out", type=Path, metavar="DIR", help="another folder for the files")
    build.set_defaults(action=_build)

    magnets = commands.add_parser("magnets", help="lists magnets and sensors with their safe depths")
    _add_board(magnets)
    magnets.set_defaults(action=_magnets)

    coupon = commands.add_parser("coupon", help="says what a reading on the calibration coupon means")
    _add_board(coupon)
    coupon.add_argument(
        "--closes", required=True, type=float, metavar="MM", help="thickest floor at which it closes"
    )
    coupon.add_argument(
        "--opens", required=True, type=float, metavar="MM", help="thinnest floor at which it opens"
    )
    coupon.set_defaults(action=_coupon)
    return parser


def _add_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--board", type=Path, default=BOARD, metavar="FILE", help=f"default: {BOARD}")


@contextmanager
def _libraries() -> Iterator[None]:
    """Turn the ImportError of a maker's library into an instruction to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise BadInputError(
            f"the library {error.name} is not installed; run: pip install 'tock-companion[hardware]'"
        ) from error


def _build(options: argparse.Namespace) -> int:
    started = time.perf_counter()
    with _libraries():
        from tock_hardware import build
        from tock_hardware.project import load_project
    project = load_project(options.board)
    folder = options.out or project.folder
    if not options.check:
        count = build.write(project, folder, lambda line: print(line, file=sys.stderr))
        print(f"{folder}: {count} files, {time.perf_counter() - started:.1f} s")
        return 0
    count, found = build.differences(project, folder)
    for line in found:
        print(f"{folder}/{line}")
    if found:
        print(f"{len(found)} of {count} files are not as {options.board} has them; run: tock hardware build")
        return NO
    print(
        f"{folder}: all {count} files are as {options.board} has them, {time.perf_counter() - started:.1f} s"
    )
    return 0


def _magnets(options: argparse.Namespace) -> int:
    with _libraries():
        from tock_hardware.magnetics.report import windows_page
        from tock_hardware.project import load_project
    print(windows_page(load_project(options.board)))
    return 0


def _coupon(options: argparse.Namespace) -> int:
    with _libraries():
        from tock_hardware.magnetics.window import measured_sensor, windows
        from tock_hardware.project import load_project
    project = load_project(options.board)
    sensor = measured_sensor(project, options.closes, options.opens)
    code = 0
    print(f"{sensor.name}: {sensor.close_mt:.2f} mT closes, {sensor.open_mt:.2f} mT opens")
    for board in project.boards:
        window = windows(board, [(project.magnet, sensor)])[0][0]
        if window.holds(project.depth_mm):
            advice = f"the depth of {project.depth_mm:.1f} mm is safe"
        elif (
            window
            and (floor_mm := project.plate.floor_mm + window.middle_mm - project.depth_mm) >= MIN_FLOOR_MM
        ):
            advice = f"make [plate] floor_mm {floor_mm:.1f} instead of {project.plate.floor_mm:g}"
            code = NO
        elif window:
            advice = (
                f"{project.depth_mm:.1f} mm is too deep: take a stronger magnet or a more sensitive sensor"
            )
            code = NO
        else:
            advice = "no depth is safe: take a smaller magnet or a less sensitive sensor"
            code = NO
        print(f"{board.name}: {window.text} mm; {advice}")
    return code
