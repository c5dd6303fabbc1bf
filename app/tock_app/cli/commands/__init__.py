"""One module for each command, imported only when it is asked for: most need neither pixels nor a page."""

from collections.abc import Callable
from importlib import import_module

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
    "stats": "prints the figures of each person over all games",
    "update": "says whether a release is signed, and which keys count",
}
"""The commands of `tock`, each with its purpose."""


def program_of(name: str) -> Run:
    """Import the program of a command; raises KeyError for one that is not listed."""
    if name not in COMMANDS:
        raise KeyError(name)
    run: Run = import_module(f"{__name__}.{name.replace('-', '_')}").run
    return run
