"""The result of a program, and its table in a document."""

import re
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import TypeVar

from tests.support.checkout import ROOT
from tock_companion.errors import BadInputError

Figures = Mapping[str, object]
"""Counts, rates (fractions of 1) and times (the unit is in the name), nested as in JSON."""
Say = Callable[[str], None]
"""Reports progress."""
T = TypeVar("T", int, float)
C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Measured:
    """The findings of one run; plain figures are enough where no document has a table."""

    figures: Figures
    table: str = ""
    """Markdown for the document."""
    passed: bool = True
    """False where a fault was found: the exit code is then 1."""


def origin(command: str) -> str:
    """The sentence with today's date, the commit and the command of a measurement."""
    return f"Measured on {date.today().isoformat()} at commit `{present_commit()}` with `{command}`."


def present_commit() -> str:
    """The commit that is checked out, `unknown` outside a checkout."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return ran.stdout.strip() or "unknown"


def with_block(document: str, name: str, text: str) -> str:
    """A document with one program's block replaced; raises BadInputError where it has none."""
    begin, end = f"<!-- measured: {name} -->", "<!-- end of the measurement -->"
    if begin not in document:
        raise BadInputError(f"the document has no block '{begin}'; add one where the table goes")
    block = f"{begin}\n{text.strip()}\n{end}"
    return re.sub(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: block, document, flags=re.DOTALL)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown; columns whose first cell is a number are aligned right."""
    cells = [
        [f"{cell:,}" if isinstance(cell, int) else str(cell).replace("|", "\\|") for cell in row]
        for row in rows
    ]
    rules = ["---:" if re.match(r"-?\d", cell) else "---" for cell in (cells or [[*head]])[0]]
    return "\n".join(f"| {' | '.join(row)} |" for row in ([*head], rules, *cells))


def add_counts(to: C, other: C) -> None:
    """Add the counts and lists of a dataclass to those of another of its kind."""
    for each in fields(to):  # type: ignore[arg-type]
        setattr(to, each.name, getattr(to, each.name) + getattr(other, each.name))


def percentile(values: Sequence[T], part: float) -> T:
    """The value below which this part (0 to 1) of all values is; raises IndexError without values."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def spread(name: str, values: Sequence[float], digits: int = 1) -> dict[str, float]:
    """The median and the 95th percentile under `NAME_median` and `NAME_p95`."""
    shares = {"median": 0.5, "p95": 0.95}
    return {f"{name}_{word}": round(float(percentile(values, part)), digits) for word, part in shares.items()}
