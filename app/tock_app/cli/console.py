"""Shared by all commands: one-line errors for wrong arguments, and JSON lines in and out."""

import argparse
import codecs
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import IO, Any, NoReturn, TextIO

from tock_companion.errors import BadInputError, FaultyDocumentError, one_line
from tock_companion.files import text_of
from tock_companion.schema import lookalike
from tock_companion.strict_json import DoubledKeyError, once_each
from tock_companion.views.terminal import in_language, terminal_language

NO = 1
"""Exit code of a command whose answer is no."""
UNREADABLE = 2
"""Exit code of a command whose input cannot be used."""
YES = ("y", "yes", "o", "oui")
MAX_LINE_CHARS = 1_000_000
SURROGATE = re.compile("[\ud800-\udfff]")

Request = Mapping[str, Any]
Answer = dict[str, Any]
Answering = Callable[[Request], Answer]
Action = Callable[[argparse.Namespace], int]
"""Carries out a command with its arguments and returns its exit code."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of printing its usage."""

    def error(self, message: str) -> NoReturn:
        """Raise BadInputError; `--help` shows the usage."""
        raise BadInputError(f"{message}; see '{self.prog} --help'")


def run_chosen(parser: Parser, arguments: list[str]) -> int:
    """Run the `action` of the chosen subcommand."""
    options = parser.parse_args(arguments)
    return int(options.action(options))


def add_pictures_commands(
    commands: "argparse._SubParsersAction[Parser]",
    things: str,
    add_reading: Callable[[argparse.ArgumentParser], None],
    *,
    read: Action,
    overlay: Action,
) -> None:
    """Add the subcommands `read` and `overlay` of `things`; `add_reading` adds their options."""
    reading = commands.add_parser("read", help=f"reads {things} from pictures, one JSON line each")
    reading.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    add_reading(reading)
    reading.set_defaults(action=read)
    drawing = commands.add_parser("overlay", help="draws what is read onto a picture")
    drawing.add_argument("image", type=Path, metavar="IMAGE")
    drawing.add_argument("--out", required=True, type=Path, metavar="PICTURE")
    add_reading(drawing)
    drawing.set_defaults(action=overlay)


def agreed(question: str, stdin: TextIO, out: TextIO) -> bool:
    """Ask, and return whether the answer is yes, in English or French."""
    out.write(f"{question} [y/N] ")
    out.flush()
    return stdin.readline().strip().lower() in YES


def discard_output() -> None:
    """Redirect standard output to /dev/null, so that flushing it at exit raises nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def silence_native_libraries() -> None:
    """Silence native libraries on standard error: libjpeg remarks on every damaged picture.

    Python's messages still appear. Under pytest, which captures the stream, nothing changes.
    """
    try:
        if sys.stderr.fileno() != 2:
            return
    except (OSError, ValueError):
        return
    sys.stderr.flush()
    errors = sys.stderr.errors or "backslashreplace"
    sys.stderr = os.fdopen(os.dup(2), "w", encoding=sys.stderr.encoding, errors=errors, buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def list_mistakes(who: str, error: FaultyDocumentError) -> int:
    """Print every mistake on a separate line; return the exit code for unreadable input."""
    for mistake in error.mistakes:
        print(f"{who}: {one_line(in_language(mistake, terminal_language()))}", file=sys.stderr)
    return UNREADABLE


def answer_lines(answering: Answering, source: TextIO | None, target: TextIO | None) -> int:
    """Answer every line (default: of standard input); return 1 when one was malformed."""
    target = target or sys.stdout
    failed = False
    for line in _lines(source or sys.stdin):
        if line.strip():
            answer = answer_line(answering, line)
            failed = failed or "error" in answer
            target.write(json_text(answer, target) + "\n")
            target.flush()
    return 1 if failed else 0


def answer_line(answering: Answering, line: str | bytes) -> Answer:
    """The answer to one line, with the request's `id`; a malformed line gets `error`."""
    identity: object = None
    try:
        request = _decoded(line)
        identity = request.get("id")
        return {"id": identity, **answering(request)}
    except BadInputError as error:
        return {"id": identity, "error": one_line(str(error))}


def _decoded(line: str | bytes) -> Request:
    text = text_of(line, "request")
    try:
        request = json.loads(text, object_pairs_hook=once_each)
    except json.JSONDecodeError as error:
        raise BadInputError(f"not JSON: {error}{lookalike(text, error)}") from None
    except RecursionError:
        raise BadInputError("not JSON: nested too deeply") from None
    except DoubledKeyError as error:
        raise BadInputError(f"not JSON: {error}") from None
    except ValueError:
        # Python reads no integers of more than 4,300 digits.
        raise BadInputError("not JSON: a number of too many digits") from None
    if not isinstance(request, dict):
        raise BadInputError("a request is a JSON object")
    return request


def _lines(source: TextIO) -> Iterator[str | bytes]:
    """Read line by line, as bytes where possible: a line that is not UTF-8 must not end the others."""
    stream: IO[Any] = getattr(source, "buffer", source)
    for number in count(1):
        line = stream.readline(MAX_LINE_CHARS + 1)
        if len(line) > MAX_LINE_CHARS:
            # A device without line ends would never return.
            raise BadInputError(
                f"line {number} is longer than {MAX_LINE_CHARS} bytes; give one JSON object a line"
            )
        if not line:
            return
        yield line


def json_text(answer: Mapping[str, object], target: TextIO | None = None) -> str:
    """Write an answer as one line of JSON, readable where `target` (default: standard output) can write it."""
    text = json.dumps(answer, ensure_ascii=False)
    # Lone surrogates from the input have no encoding, and JSON of another encoding than UTF-8 is none.
    can_write = codecs.lookup(getattr(target or sys.stdout, "encoding", None) or "utf-8").name == "utf-8"
    return text if can_write and not SURROGATE.search(text) else json.dumps(answer)
