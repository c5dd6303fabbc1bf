"""`tock host`: the host's rights, for a person at the machine."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import Parser
from tock_app.config.load import load_config
from tock_app.service.control import ask
from tock_web.rights.pin import forget_pin


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Print a code or forget the PIN; raise `TockError` on failure."""
    parser = Parser(prog="tock host", description="The host's rights, from the machine itself.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser(
        "code", help="prints a code, good for ten minutes, that lets one device be host and choose the PIN"
    )
    commands.add_parser("forget-pin", help="takes the host's PIN away, while the companion runs or not")
    for command in commands.choices.values():
        command.add_argument("--config", type=Path, help="the configuration of the companion")
    asked = parser.parse_args(list(arguments))
    data, out = load_config(asked.config).data, stdout or sys.stdout
    if asked.command == "code":
        out.write(f"{ask(data, 'host-code')['code']}\n")
    elif forget_pin(data):
        out.write(
            "the PIN is forgotten; whoever is host stays host (`tock host code` lets one device be host too)\n"
        )
    else:
        out.write("there is no PIN\n")
    return 0
