"""`tock config`: checks a configuration, or writes one with every key explained."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import Parser, list_mistakes
from tock_app.config.keys import template
from tock_app.config.load import CONFIG_NAME, load_config
from tock_app.service.sources import make_sources
from tock_companion.errors import BadInputError, FaultyDocumentError
from tock_companion.language import LANGUAGES
from tock_companion.views.terminal import terminal_language


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Check or write a configuration; return 2 after printing a line for each mistake."""
    parser = Parser(prog="tock config", description="The configuration of this table.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    check = commands.add_parser("check", help="checks a configuration, line by line")
    check.add_argument("file", nargs="?", type=Path, help="tock.toml of the data folder if left out")
    init = commands.add_parser("init", help="writes a configuration in which every key is explained")
    init.add_argument("file", nargs="?", type=Path, default=Path(CONFIG_NAME))
    init.add_argument("--lang", choices=LANGUAGES, default=terminal_language())
    init.add_argument("--port", type=int, help="the port to write into it")
    options = parser.parse_args(list(arguments))
    out = stdout or sys.stdout
    if options.command == "check":
        try:
            config = load_config(options.file)
            make_sources(config)
        except FaultyDocumentError as error:
            return list_mistakes("tock config", error)
        sources = ", ".join(config.sources)
        out.write(
            f"ok: {config.setup.ruleset}, {config.board_file.zones} zones, {sources}, port {config.port}, "
            f"games in {config.data}\n"
        )
        return 0
    _write(options.file, template(options.lang, {} if options.port is None else {"port": options.port}))
    out.write(f"{options.file} is written; change it and run `tock config check {options.file}`\n")
    return 0


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise BadInputError(f"{path} exists and is left as it is; name another file") from None
    except OSError as error:
        raise BadInputError(f"{path} cannot be written: {error.strerror}") from None
