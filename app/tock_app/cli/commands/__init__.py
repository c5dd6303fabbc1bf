"""One module for each command, imported only when it is asked for: most need neither pixels nor a page."""

from collections.abc import Callable

Run = Callable[[list[str]], int]
"""Runs a command with its arguments and returns its exit code."""

COMMANDS = {
    "run": "starts the companion",
    "judge": "answers rule questions, one JSON line each",
    "rules": "lists the rulesets; prints the rules of a game in plain words",
    "hint": "ranks the legal moves of the seat to move, with reasons",
    "arena": "plays computer players against each other",
    "board": "reads boards in images; makes and checks board files",
    "club": "serves a page with all tables of a club",
    "config": "checks or writes the configuration",
    "hardware": "drawings, lists and parts for building a board",
    "image-files": "writes what goes onto the memory card of a new table",
    "cards": "reads playing cards in pictures; learns your own jokers",
    "game": "prints a game as a record that a person can follow",
    "replay": "runs a recorded table and prints its events",
    "firmware": "says what runs on the reed board and brings it up to date",
    "reed": "checks the reed board with a magnet, hole by hole",
    "bench": "measures itself on fixed, seeded inputs",
    "doctor": "checks this machine and says what to do about each fault",
    "report": "packs one game and the state of this machine for somebody who can help",
    "host": "prints a code for the host; forgets the host's PIN",
    "record": "records the running table",
    "relay": "runs the relay of homes that are far from each other",
    "update": "says whether a release is signed, and which keys count",
}
"""The commands of `tock`, each with its purpose."""


def program_of(name: str) -> Run:
    """Import the program of a command."""
    match name:
        case "run":
            from tock_app.cli.commands.run import run
        case "judge":
            from tock_app.cli.commands.judge import run
        case "rules":
            from tock_app.cli.commands.rules import run
        case "hint":
            from tock_app.cli.commands.hint import run
        case "arena":
            from tock_app.cli.commands.arena import run
        case "board":
            from tock_app.cli.commands.board import run
        case "club":
            from tock_app.cli.commands.club import run
        case "config":
            from tock_app.cli.commands.config import run
        case "hardware":
            from tock_app.cli.commands.hardware import run
        case "image-files":
            from tock_app.cli.commands.image_files import run
        case "cards":
            from tock_app.cli.commands.cards import run
        case "game":
            from tock_app.cli.commands.game import run
        case "replay":
            from tock_app.cli.commands.replay import run
        case "firmware":
            from tock_app.cli.commands.firmware import run
        case "reed":
            from tock_app.cli.commands.reed import run
        case "bench":
            from tock_app.cli.commands.bench import run
        case "doctor":
            from tock_app.cli.commands.doctor import run
        case "report":
            from tock_app.cli.commands.report import run
        case "host":
            from tock_app.cli.commands.host import run
        case "record":
            from tock_app.cli.commands.record import run
        case "relay":
            from tock_app.cli.commands.relay import run
        case "update":
            from tock_app.cli.commands.update import run
        case _:
            raise KeyError(name)
    return run
