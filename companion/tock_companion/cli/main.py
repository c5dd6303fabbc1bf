"""`tock`: picks the command; a fault that a person can mend is one line on standard error and exit code 2."""

import importlib
import logging
import os
import sys
from collections.abc import Sequence

from tock_companion import __version__
from tock_companion.cli.console import Parser
from tock_companion.errors import TockError, escaped

COMMANDS = {
    "run": ("tock_companion.cli.commands.run", "starts the companion"),
    "judge": ("tock_companion.cli.commands.judge", "answers rule questions, one JSON line each"),
    "rules": (
        "tock_companion.cli.commands.rules",
        "lists the rulesets; prints the rules of a game in plain words",
    ),
    "hint": ("tock_companion.cli.commands.hint", "ranks the legal moves of the seat to move, with reasons"),
    "arena": ("tock_companion.cli.commands.arena", "plays computer players against each other"),
    "board": ("tock_companion.cli.commands.board", "reads boards in images; makes and checks board files"),
    "club": ("tock_companion.cli.commands.club", "serves a page with all tables of a club"),
    "config": ("tock_companion.cli.commands.config", "checks or writes the configuration"),
    "hardware": ("tock_companion.cli.commands.hardware", "drawings, lists and parts for building a board"),
    "cards": ("tock_companion.cli.commands.cards", "reads playing cards in pictures; learns your own jokers"),
    "game": ("tock_companion.cli.commands.game", "prints a game as a record that a person can follow"),
    "replay": ("tock_companion.cli.commands.replay", "runs a recorded table and prints its events"),
    "firmware": (
        "tock_companion.cli.commands.firmware",
        "says what runs on the reed board and brings it up to date",
    ),
    "reed": ("tock_companion.cli.commands.reed", "checks the reed board with a magnet, hole by hole"),
    "bench": ("tock_companion.cli.commands.bench", "measures itself on fixed, seeded inputs"),
    "doctor": (
        "tock_companion.cli.commands.doctor",
        "checks this machine and says what to do about each fault",
    ),
    "report": (
        "tock_companion.cli.commands.report",
        "packs one game and the state of this machine for somebody who can help",
    ),
    "record": ("tock_companion.cli.commands.record", "records the running table"),
}
WRONG_USE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 yes, 1 no, 2 wrong use or unreadable input."""
    parser = Parser(prog="tock", description="The companion of a real Tock board.")
    parser.add_argument("--version", action="version", version=f"tock {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (_, purpose) in COMMANDS.items():
        commands.add_parser(name, help=purpose, add_help=False)
    try:
        arguments, rest = parser.parse_known_args(argv)
    except TockError as error:
        return _refuse("tock", error)
    logging.basicConfig(
        stream=sys.stderr,
        level=os.environ.get("TOCK_LOG", "INFO").upper(),
        format="%(levelname)s %(name)s: %(message)s",
    )
    module = importlib.import_module(COMMANDS[arguments.command][0])
    try:
        return int(module.run(rest))
    except TockError as error:
        return _refuse(f"tock {arguments.command}", error)
    except BrokenPipeError:
        # The reader of our output (`| head`) has left: that is its right.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _refuse(who: str, error: TockError) -> int:
    print(f"{who}: {escaped(' '.join(str(error).split()))}", file=sys.stderr)
    return WRONG_USE


if __name__ == "__main__":
    sys.exit(main())
