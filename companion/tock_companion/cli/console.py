"""What commands share: a parser whose complaint is one line, and JSON lines in, JSON lines out."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TextIO

from tock_companion.errors import BadInputError, FaultyDocumentError, escaped

UNREADABLE = 2

Request = Mapping[str, Any]
Answer = dict[str, Any]
Answering = Callable[[Request], Answer]


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is an exception instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        """Raise BadInputError; `--help` shows the usage."""
        raise BadInputError(f"{message}; see '{self.prog} --help'")


def list_mistakes(who: str, error: FaultyDocumentError) -> int:
    """Print every mistake on a line of its own, and give the exit code for unreadable input."""
    for mistake in error.mistakes:
        print(f"{who}: {escaped(' '.join(mistake.split()))}", file=sys.stderr)
    return UNREADABLE


def answer_lines(answering: Answering, source: TextIO | None, target: TextIO | None) -> int:
    """Answer every line, standard input and output if none are given; return 0, or 1 when a line was malformed."""
    target = target or sys.stdout
    failed = False
    for line in source or sys.stdin:
        if line.strip():
            answer = answer_line(answering, line)
            failed = failed or "error" in answer
            target.write(json.dumps(answer, ensure_ascii=False) + "\n")
            target.flush()
    return 1 if failed else 0


def answer_line(answering: Answering, line: str) -> Answer:
    """The answer to one line, with the request's `id`; a malformed line gets `error`."""
    identity: object = None
    try:
        request = json.loads(line)
        if not isinstance(request, dict):
            raise BadInputError("a request is a JSON object")
        identity = request.get("id")
        return {"id": identity, **answering(request)}
    except json.JSONDecodeError as error:
        return {"id": identity, "error": f"not JSON: {error}"}
    except RecursionError:
        return {"id": identity, "error": "not JSON: nested too deeply"}
    except BadInputError as error:
        return {"id": identity, "error": str(error)}
