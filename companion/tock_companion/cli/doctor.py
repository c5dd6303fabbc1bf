"""`tock doctor`: looks at every part of this machine and says what to do about each fault."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import TextIO

from tock_companion import __version__
from tock_companion.boardfile import BoardFile
from tock_companion.cli.arguments import Parser
from tock_companion.cli.config import Config, load_config
from tock_companion.cli.control import RUNNING_NAME
from tock_companion.health import Finding, Level, System, sentence, worst
from tock_companion.health.games import check_games
from tock_companion.health.machine import (
    check_clock,
    check_devices,
    check_disk,
    check_heat_and_power,
    check_memory,
    check_network,
    check_versions,
)
from tock_companion.health.network import home_ip
from tock_companion.storage.files import DATABASE_NAME

CHECKS_GROUP = "tock.checks"
"""Further checks by entry point: called with the board file and the sources, they yield findings."""
MARKS = {Level.OK: "ok", Level.WARNING: "look", Level.FAULT: "FAULT"}


def run(arguments: Sequence[str], stdout: TextIO | None = None, system: System | None = None) -> int:
    """Print what was found; return 1 when something does not work."""
    parser = Parser(
        prog="tock doctor", description="Checks this machine and says what to do about each fault."
    )
    parser.add_argument("--config", type=Path, help="the configuration file to check with")
    parser.add_argument("--lang", choices=("fr", "en"), default=_language(), help="language of the sentences")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    options = parser.parse_args(arguments)
    out = stdout or sys.stdout
    found = []
    for finding in examine(load_config(options.config), system or System()):
        found.append(finding)
        text, remedy = sentence(finding, options.lang)
        if options.json:
            level = finding.level.name.lower()
            row = {"part": finding.part, "code": finding.code, "level": level, "found": text, "do": remedy}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
        else:
            out.write(f"{MARKS[finding.level]:>5}  {finding.part}: {text}\n")
            if remedy:
                out.write(f"       → {remedy}\n")
        out.flush()
    return 1 if worst(found) is Level.FAULT else 0


def examine(config: Config, system: System, *, with_sources: bool = True) -> Iterator[Finding]:
    """Yield what every check finds; those that open the sources (camera, reed board) are slow and come last."""
    yield from check_versions(__version__)
    yield from check_memory(system)
    yield from check_heat_and_power(system)
    yield from check_disk(system, config.data)
    yield from check_clock(system)
    yield from check_network(home_ip(), config.port)
    yield from check_games(config.data / DATABASE_NAME)
    yield running(config.data)
    yield from check_devices(system, config.sources)
    if with_sources:
        yield from _checks_of_sources(config.board_file, config.sources)


def running(data: Path) -> Finding:
    """Tell whether a companion runs on this data folder."""
    try:
        pid = int(json.loads((data / RUNNING_NAME).read_text())["pid"])
        os.kill(pid, 0)
    except PermissionError:
        return Finding("service", "service/running", values={"pid": "?"})
    except (OSError, ValueError, KeyError):
        return Finding("service", "service/stopped")
    return Finding("service", "service/running", values={"pid": str(pid)})


def _checks_of_sources(board_file: BoardFile, sources: object) -> Iterator[Finding]:
    for entry in sorted(entry_points(group=CHECKS_GROUP), key=lambda entry: entry.name):
        yield from entry.load()(board_file, sources)


def _language() -> str:
    """Return the language of this terminal, as far as we speak it."""
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "fr" if spoken.lower().startswith("fr") else "en"
