"""`tock doctor`: checks every part of this machine and prints a remedy for each fault."""

import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import Parser, json_text
from tock_app.service.diagnosis import examine, settings_to_examine
from tock_companion.health import Level, System, sentence, worst
from tock_companion.language import LANGUAGES
from tock_companion.views.terminal import terminal_language

MARKS = {Level.OK: "ok", Level.WARNING: "look", Level.FAULT: "FAULT"}


def run(arguments: Sequence[str], stdout: TextIO | None = None, system: System | None = None) -> int:
    """Print the findings; return 1 for a fault."""
    parser = Parser(
        prog="tock doctor", description="Checks this machine and says what to do about each fault."
    )
    parser.add_argument("--config", type=Path, help="the configuration file to check with")
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=terminal_language(), help="language of the sentences"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    options = parser.parse_args(arguments)
    out = stdout or sys.stdout
    found = []
    config, mistakes = settings_to_examine(options.config)
    for finding in chain(mistakes, examine(config, system or System())):
        found.append(finding)
        text, remedy = sentence(finding, options.lang)
        if options.json:
            level = finding.level.name.lower()
            row = {"part": finding.part, "code": finding.code, "level": level, "found": text, "do": remedy}
            out.write(json_text(row, out) + "\n")
        else:
            out.write(f"{MARKS[finding.level]:>5}  {finding.part}: {text}\n")
            if remedy:
                out.write(f"       → {remedy}\n")
        out.flush()
    return 1 if worst(found) is Level.FAULT else 0
