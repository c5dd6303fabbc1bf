"""`tock rules`: the rulesets, their switches, their rules in plain language, and the faults of a ruleset file."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import Parser
from tock_app.cli.rulesets import know_games, ruleset_named
from tock_companion.errors import BadInputError
from tock_companion.language import LANGUAGES, catalog
from tock_companion.views.terminal import terminal_language
from tock_companion.views.wording.games import title
from tock_companion.views.wording.rulesheet import rulesheet
from tock_companion.views.wording.statements import statement
from tock_rules import Ruleset, Value, faults_of, own_files, parse_value, preset_names


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Print the requested rules or statements."""
    target = stdout or sys.stdout
    parser = Parser(prog="tock rules", description="The games and their rules.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("list", help="names the rulesets")
    show = commands.add_parser("show", help="prints the rules of a game in plain words")
    show.add_argument("name", help="a ruleset, or the path of its file")
    show.add_argument("--lang", choices=LANGUAGES, default=terminal_language())
    show.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    show.add_argument(
        "--switches", action="store_true", help="prints every switch with its value and statements"
    )
    say = commands.add_parser("say", help="prints statements of the games by number")
    say.add_argument("numbers", nargs="+", metavar="NUMBER", help="such as R004-29")
    say.add_argument("--lang", choices=LANGUAGES, default=terminal_language())
    check = commands.add_parser(
        "check", help="names faults of a ruleset file, and entries without effect, by line"
    )
    check.add_argument("file", type=Path)
    asked = parser.parse_args(list(arguments))
    if asked.command == "check":
        faults = faults_of(_bytes(asked.file))
        lines = [f"{asked.file}:{fault.line}: {fault.what}" for fault in faults]
        target.write("\n".join(lines or [f"{asked.file}: no faults"]) + "\n")
        return int(any(fault.stops for fault in faults))
    if asked.command == "list":
        know_games()
        lines = [
            f"{own_files.plain_name(name)}: {title(name)[terminal_language()]}" for name in preset_names()
        ]
    elif asked.command == "say":
        know_games()
        lines = [f"{number}: {statement(number)[asked.lang]}" for number in asked.numbers]
    else:
        rules = ruleset_named(asked.name)
        rules = rules.with_options(dict(_option(text, rules) for text in asked.option))
        lines = _switches(rules, asked.lang) if asked.switches else _sheet(rules, asked.lang)
    target.write("\n".join(lines) + "\n")
    return 0


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read: {error.strerror}") from error


def _option(text: str, rules: Ruleset) -> tuple[str, Value]:
    name, equals, value = text.partition("=")
    if not equals:
        raise BadInputError(f"an option is NAME=VALUE, not {text!r}")
    return name, parse_value(name, value, rules.options)


def _sheet(rules: Ruleset, lang: str) -> list[str]:
    lines = [title(rules.name)[lang], ""]
    for section in rulesheet(rules):
        lines += [section.heading[lang], *(f"- {line[lang]}" for line in section.lines), ""]
    return lines[:-1]


def _switches(rules: Ruleset, lang: str) -> list[str]:
    lines = []
    for name, option in rules.options.items():
        statements = ", ".join(rules.rests_on.get(name, ())) or "-"
        sentence = catalog("house_rules")[f"switch.{option.name}"][lang]
        lines.append(f"{name} = {str(getattr(rules, name)).lower()} ({statements}): {sentence}")
    return lines
