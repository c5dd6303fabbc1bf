"""`tock cards …`: reads playing cards in pictures, draws the readings, learns jokers."""

import argparse
import sys
from pathlib import Path

from tock_app.cli.console import (
    UNREADABLE,
    Parser,
    add_pictures_commands,
    json_text,
    run_chosen,
    silence_native_libraries,
)
from tock_app.config.load import load_config
from tock_companion.errors import one_line
from tock_companion.storage.files import JOKERS_NAME


def run(arguments: list[str]) -> int:
    """Run one of the card commands; 0 when all is well, 2 for a picture that cannot be used."""
    return run_chosen(_parser(), arguments)


def _parser() -> Parser:
    parser = Parser(prog="tock cards", description="Reads playing cards in pictures.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_pictures_commands(commands, "cards", _add_reading, read=_read, overlay=_overlay)

    enrol = commands.add_parser("enrol", help="learns the two jokers of a pack from a photo of each")
    enrol.add_argument("black", type=Path, metavar="BLACK", help="a photo of the black joker alone")
    enrol.add_argument("colour", type=Path, metavar="COLOUR", help="a photo of the colour joker alone")
    enrol.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="where to keep them (default: the data folder, for the phone page)",
    )
    enrol.set_defaults(action=_enrol)
    return parser


def _add_reading(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--count", type=_count, metavar="N", help="how many cards are to be seen, where known"
    )
    parser.add_argument(
        "--packs", type=_count, default=2, metavar="N", help="how many of each card there can be (default: 2)"
    )
    parser.add_argument("--jokers", type=Path, metavar="FILE", help="a file made by `tock cards enrol`")


def _count(text: str) -> int:
    number = int(text) if text.isdigit() else 0
    if not 1 <= number <= 54:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 54")
    return number


def _read(options: argparse.Namespace) -> int:
    silence_native_libraries()
    from tock_vision.cards.stills import answer as answer_of

    code = 0
    for image in options.images:
        answer = answer_of(image, options.count, options.packs, options.jokers)
        print(json_text(answer), flush=True)
        if "error" in answer:
            print(f"tock cards read: {one_line(str(answer['error']))}", file=sys.stderr)
            code = UNREADABLE
    return code


def _overlay(options: argparse.Namespace) -> int:
    silence_native_libraries()
    from tock_vision.cards.stills import overlay

    answer = overlay(options.image, options.out, options.count, options.packs, options.jokers)
    print(json_text(answer))
    return 0


def _enrol(options: argparse.Namespace) -> int:
    silence_native_libraries()
    from tock_vision.cards.stills import enrol_jokers

    out = options.out if options.out is not None else load_config(None).data / JOKERS_NAME
    print(json_text(enrol_jokers(options.black, options.colour, out)))
    return 0
