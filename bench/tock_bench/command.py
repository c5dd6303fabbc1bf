"""`tock bench NAME`: runs one program; its options are the parameters of its `run`."""

import json
import platform
import sys
import time
from argparse import RawTextHelpFormatter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from tests.support.checkout import ROOT
from tock_app.cli.console import NO, Parser
from tock_bench.results import Figures, Measured, origin, present_commit, with_block
from tock_companion.errors import BadInputError

Run = Callable[..., Figures | Measured]


@dataclass(frozen=True, slots=True)
class Program:
    """A module of `tock_bench` with a `run`; its docstring begins with a summary."""

    module: str
    document: str = ""
    """The page of docs/measurements with the block that `--write` replaces."""
    command: str = ""
    """The command that the page names, where it is another than `tock bench NAME`."""


PROGRAMS = {
    "camera": Program("figures.camera"),
    "cards": Program("figures.cards"),
    "durability": Program("figures.durability"),
    "far": Program("figures.far"),
    "hints": Program("figures.hints"),
    "hostile": Program("figures.hostile"),
    "link": Program("figures.link"),
    "referee": Program("figures.referee"),
    "relay": Program("figures.relay"),
    "rules": Program("figures.rules"),
    "vision": Program("figures.vision"),
    "web": Program("figures.web"),
    "arm64": Program("studies.arm64", "arm64.md", "make arm64"),
    "fuzz": Program("fuzz.run", "fuzz.md", "make fuzz"),
    "journeys": Program("journeys.run", "journeys.md"),
    "old-folders": Program("studies.old_folders"),
    "pictures": Program("studies.pictures"),
}


def run(arguments: list[str]) -> int:
    """Run a program and print its result as JSON; 1 where it found something that must not be."""
    name = named(arguments[:1])
    if name == "list":
        print(listing())
        return 0
    if name not in PROGRAMS:
        raise BadInputError(f"no bench is called '{name}'; 'tock bench list' names all")
    program, work = PROGRAMS[name], loaded(name)
    options = vars(parser_for(name, work).parse_args(arguments[1:]))
    on_one_line, writes = options.pop("json"), options.pop("write", False)
    began_s = time.monotonic()
    found = work(say, **{key: tuple(it) if isinstance(it, list) else it for key, it in options.items()})
    measured = found if isinstance(found, Measured) else Measured(found)
    machine = f"{platform.machine()}, {platform.python_implementation()} {platform.python_version()}"
    if writes:
        page = ROOT / "docs" / "measurements" / program.document
        text = f"{origin(program.command or f'tock bench {name}')} {machine}.\n\n{measured.table}"
        page.write_text(with_block(page.read_text(encoding="utf-8"), name, text), encoding="utf-8")
    result = {
        "name": name,
        "machine": machine,
        "seconds": round(time.monotonic() - began_s, 1),
        "commit": present_commit(),
        "date": date.today().isoformat(),
        "figures": measured.figures,
    }
    print(json.dumps(result, indent=None if on_one_line else 2))
    return 0 if measured.passed else NO


def named(arguments: list[str]) -> str:
    """The name of the program; `--help` lists all."""
    parser = Parser(
        prog="tock bench",
        usage="tock bench NAME [OPTION...]",
        description=listing(),
        formatter_class=RawTextHelpFormatter,
    )
    parser.add_argument(
        "name", metavar="NAME", help="one of these, or `list`; --help after it lists its options"
    )
    return str(parser.parse_args(arguments).name)


def say(line: str) -> None:
    """Report progress on standard error."""
    print(line, file=sys.stderr, flush=True)


def listing() -> str:
    """All programs with the first line of their modules, without importing any."""
    return "\n".join(f"  {name:16} {summary(name)}" for name in PROGRAMS)


def summary(name: str) -> str:
    """The first line of a program's module."""
    path = Path(__file__).parent.joinpath(*PROGRAMS[name].module.split(".")).with_suffix(".py")
    return path.read_text(encoding="utf-8").splitlines()[0].strip('"')


def loaded(name: str) -> Run:
    """A program's `run`; raises BadInputError where a library of the tests is missing."""
    try:
        work: Run = import_module(f"tock_bench.{PROGRAMS[name].module}").run
    except ModuleNotFoundError as error:
        needed = f"bench {name} needs the library {error.name}"
        raise BadInputError(f"{needed}; 'make check' installs what tests need") from None
    return work


def parser_for(name: str, work: Run) -> Parser:
    """A program's options: those that all have, and the parameters of its `run` after the first."""
    parser = Parser(prog=f"tock bench {name}", description=summary(name))
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    if document := PROGRAMS[name].document:
        meaning = f"put the table into docs/measurements/{document}"
        parser.add_argument("--write", action="store_true", help=meaning)
    hints = get_type_hints(work, include_extras=True)
    for key, parameter in list(signature(work).parameters.items())[1:]:
        add_option(parser, parameter, hints[key])
    return parser


def add_option(parser: Parser, parameter: Parameter, hint: Any) -> None:
    """Add a parameter as an option, or as an argument where it has no default."""
    hint, meaning = get_args(hint) if get_origin(hint) is Annotated else (hint, None)
    if isinstance(hint, UnionType):
        hint = next(kind for kind in get_args(hint) if kind is not NoneType)
    several = get_origin(hint) is tuple
    kind, number = (get_args(hint)[0], "+") if several else (hint, None)
    option = f"--{parameter.name.replace('_', '-')}"
    if parameter.default is Parameter.empty:
        parser.add_argument(parameter.name, type=kind, nargs=number, help=meaning)
    else:
        parser.add_argument(option, type=kind, nargs=number, default=parameter.default, help=meaning)
