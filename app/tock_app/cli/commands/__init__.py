"""One module for each command, imported only when it is asked for: most need neither pixels nor a page."""

from collections.abc import Callable
from dataclasses import dataclass

Run = Callable[[list[str]], int]
"""Runs a command with its arguments and returns its exit code."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of `tock`."""

    purpose: str
    load: Callable[[], Run]


def _run() -> Run:
    from tock_app.cli.commands.run import run

    return run


def _judge() -> Run:
    from tock_app.cli.commands.judge import run

    return run


def _rules() -> Run:
    from tock_app.cli.commands.rules import run

    return run


def _hint() -> Run:
    from tock_app.cli.commands.hint import run

    return run


def _arena() -> Run:
    from tock_app.cli.commands.arena import run

    return run


def _board() -> Run:
    from tock_app.cli.commands.board import run

    return run


def _club() -> Run:
    from tock_app.cli.commands.club import run

    return run


def _config() -> Run:
    from tock_app.cli.commands.config import run

    return run


def _hardware() -> Run:
    from tock_app.cli.commands.hardware import run

    return run


def _image_files() -> Run:
    from tock_app.cli.commands.image_files import run

    return run


def _cards() -> Run:
    from tock_app.cli.commands.cards import run

    return run


def _game() -> Run:
    from tock_app.cli.commands.game import run

    return run


def _replay() -> Run:
    from tock_app.cli.commands.replay import run

    return run


def _firmware() -> Run:
    from tock_app.cli.commands.firmware import run

    return run


def _reed() -> Run:
    from tock_app.cli.commands.reed import run

    return run


def _bench() -> Run:
    from tock_app.cli.commands.bench import run

    return run


def _doctor() -> Run:
    from tock_app.cli.commands.doctor import run

    return run


def _report() -> Run:
    from tock_app.cli.commands.report import run

    return run


def _host() -> Run:
    from tock_app.cli.commands.host import run

    return run


def _record() -> Run:
    from tock_app.cli.commands.record import run

    return run


def _update() -> Run:
    from tock_app.cli.commands.update import run

    return run


def _relay() -> Run:
    from tock_app.cli.commands.relay import run

    return run


COMMANDS = {
    "run": Command("starts the companion", _run),
    "judge": Command("answers rule questions, one JSON line each", _judge),
    "rules": Command("lists the rulesets; prints the rules of a game in plain words", _rules),
    "hint": Command("ranks the legal moves of the seat to move, with reasons", _hint),
    "arena": Command("plays computer players against each other", _arena),
    "board": Command("reads boards in images; makes and checks board files", _board),
    "club": Command("serves a page with all tables of a club", _club),
    "config": Command("checks or writes the configuration", _config),
    "hardware": Command("drawings, lists and parts for building a board", _hardware),
    "image-files": Command("writes what goes onto the memory card of a new table", _image_files),
    "cards": Command("reads playing cards in pictures; learns your own jokers", _cards),
    "game": Command("prints a game as a record that a person can follow", _game),
    "replay": Command("runs a recorded table and prints its events", _replay),
    "firmware": Command("says what runs on the reed board and brings it up to date", _firmware),
    "reed": Command("checks the reed board with a magnet, hole by hole", _reed),
    "bench": Command("measures itself on fixed, seeded inputs", _bench),
    "doctor": Command("checks this machine and says what to do about each fault", _doctor),
    "report": Command("packs one game and the state of this machine for somebody who can help", _report),
    "host": Command("prints a code for the host; forgets the host's PIN", _host),
    "record": Command("records the running table", _record),
    "relay": Command("runs the relay of homes that are far from each other", _relay),
    "update": Command("says whether a release is signed, and which keys count", _update),
}
