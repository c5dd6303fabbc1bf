"""`tock bench NAME`: runs one program of the apparatus; its options are the parameters of its `run`."""

import json
import sys
import time
from argparse import RawTextHelpFormatter
from collections.abc import Callable
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from tests.support.checkout import ROOT
from tock_app.cli.console import NO, Parser
from tock_bench.programs import BY_NAME, PROGRAMS, Kind, Program
from tock_bench.results import Figures, Measured, Result
from tock_companion.errors import BadInputError

Run = Callable[..., Figures | Measured]


def run(arguments: list[str]) -> int:
    """Run a program and print its result; progress goes to standard error. 1 when it found what must not be."""
    name = named(arguments[:1])
    if name == "list":
        print(listing())
        return 0
    program = BY_NAME.get(name)
    if program is None:
        raise BadInputError(f"no bench is called '{name}'; 'tock bench list' names all")
    work = loaded(program)
    given = vars(parser_for(program, work).parse_args(arguments[1:]))
    as_line, writes = given.pop("json"), given.pop("write", False)
    began_s = time.monotonic()
    found = work(
        say, **{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    )
    result = Result.of(program.name, program.command, time.monotonic() - began_s, found)
    if writes:
        result.write(ROOT / "docs" / "measurements" / program.document)
    print(json.dumps(result.to_json(), indent=None if as_line else 2))
    return 0 if result.measured.passed else NO


def named(arguments: list[str]) -> str:
    """The name of the program, which everything behind it belongs to; `--help` lists all."""
    parser = Parser(
        prog="tock bench",
        usage="tock bench NAME [OPTION...]",
        description=listing(),
        formatter_class=RawTextHelpFormatter,
    )
    parser.add_argument(
        "name", metavar="NAME", help="one of these, or `list`; --help behind it tells its options"
    )
    return str(parser.parse_args(arguments).name)


def say(line: str) -> None:
    """Show how far a program is."""
    print(line, file=sys.stderr, flush=True)


def listing() -> str:
    """All programs with the first sentence of their modules, without importing any."""
    lines: list[str] = []
    for kind in Kind:
        lines += ["", f"{kind.value}:"]
        lines += [f"  {each.name:16} {summary(each)}" for each in PROGRAMS if each.kind is kind]
    return "\n".join(lines).strip()


def summary(program: Program) -> str:
    """The first line of a program's module."""
    path = Path(__file__).parent.joinpath(*program.module.split(".")).with_suffix(".py")
    return path.read_text(encoding="utf-8").splitlines()[0].strip('"')


def loaded(program: Program) -> Run:
    """The function that does the work; raises BadInputError where a library of the tests is missing."""
    try:
        work: Run = import_module(f"tock_bench.{program.module}").run
    except ModuleNotFoundError as error:
        needed = f"bench {program.name} needs the library {error.name}"
        raise BadInputError(f"{needed}; 'make check' installs what tests need") from None
    return work


def parser_for(program: Program, work: Run) -> Parser:
    """The options of a program: those that all have, and the parameters of its `run` behind the first."""
    parser = Parser(prog=f"tock bench {program.name}", description=summary(program))
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    if program.document:
        parser.add_argument(
            "--write", action="store_true", help=f"put the table into docs/measurements/{program.document}"
        )
    hints = get_type_hints(work, include_extras=True)
    for name, parameter in list(signature(work).parameters.items())[1:]:
        add_option(parser, parameter, hints[name])
    return parser


def add_option(parser: Parser, parameter: Parameter, hint: Any) -> None:
    """One parameter as an option; one without a default stands without a name."""
    hint, meaning = get_args(hint) if get_origin(hint) is Annotated else (hint, None)
    if isinstance(hint, UnionType):
        hint = next(kind for kind in get_args(hint) if kind is not NoneType)
    several = get_origin(hint) is tuple
    kind = get_args(hint)[0] if several else hint
    required = parameter.default is Parameter.empty
    if kind is bool:
        parser.add_argument(option_of(parameter), action="store_true", help=meaning)
    elif required:
        parser.add_argument(parameter.name, type=kind, nargs="+" if several else None, help=meaning)
    else:
        parser.add_argument(
            option_of(parameter),
            type=kind,
            nargs="+" if several else None,
            default=parameter.default,
            help=meaning,
        )


def option_of(parameter: Parameter) -> str:
    """The option that a parameter becomes."""
    return f"--{parameter.name.replace('_', '-')}"
