"""The result of every program of the apparatus, and the tables that the documents get from it."""

import platform
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import TypeVar

from tests.support.checkout import ROOT
from tock_companion.errors import BadInputError

Figures = Mapping[str, object]
"""Counts, rates (fractions of 1) and times (the unit is in the name), nested as JSON nests them."""
Say = Callable[[str], None]
"""Shows how far a program is; what it prints there is no result."""
T = TypeVar("T", int, float)
C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Measured:
    """The findings of one run; plain figures are enough where a list of them is the table."""

    figures: Figures
    table: str = ""
    """Markdown for the document; empty where the figures are listed."""
    passed: bool = True
    """False where something was found that must not be: the exit code is then 1."""


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of one run with everything that a reader needs to measure again."""

    name: str
    command: str
    commit: str
    date: str
    machine: str
    seconds: float
    measured: Measured

    @classmethod
    def of(cls, name: str, command: str, seconds: float, found: Figures | Measured) -> "Result":
        """Add to what a program found where and when that was."""
        machine = f"{platform.machine()}, {platform.python_implementation()} {platform.python_version()}"
        measured = found if isinstance(found, Measured) else Measured(found)
        return cls(
            name, command, present_commit(), date.today().isoformat(), machine, round(seconds, 1), measured
        )

    def to_json(self) -> dict[str, object]:
        """The public form: `name`, `machine`, `seconds`, `figures`, and where they come from."""
        return {
            "name": self.name,
            "machine": self.machine,
            "seconds": self.seconds,
            "commit": self.commit,
            "date": self.date,
            "figures": self.measured.figures,
        }

    def to_markdown(self) -> str:
        """The sentence that says where the figures come from, and their table."""
        begin = origin(self.command, self.commit, self.date)
        return f"{begin} {self.machine}.\n\n{self.measured.table or listed(self.measured.figures)}"

    def write(self, document: Path) -> None:
        """Replace this program's block in a document; raises BadInputError where it has none."""
        text = document.read_text(encoding="utf-8")
        if block(self.name)[0] not in text:
            raise BadInputError(
                f"{document.name} has no block '{block(self.name)[0]}'; add one where the table goes"
            )
        document.write_text(with_block(text, self.name, self.to_markdown()), encoding="utf-8")


def origin(command: str, commit: str = "", day: str = "") -> str:
    """One sentence: on which date, at which commit and by which command something was measured."""
    return f"Measured on {day or date.today().isoformat()} at commit `{commit or present_commit()}` with `{command}`."


def present_commit() -> str:
    """The commit that is checked out, `unknown` outside a checkout."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return ran.stdout.strip() or "unknown"


def block(name: str) -> tuple[str, str]:
    """The comments around what a program writes into a document."""
    return f"<!-- measured: {name} -->", "<!-- end of the measurement -->"


def with_block(document: str, name: str, text: str) -> str:
    """A document with one program's block replaced and everything else as it was."""
    begin, end = block(name)
    written = f"{begin}\n{text.strip()}\n{end}"
    return re.sub(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: written, document, flags=re.DOTALL)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in markdown; columns whose first cell is a number stand to the right."""
    cells = [[cell_of(value) for value in row] for row in rows]
    first = cells[0] if cells else [""] * len(head)
    rules = ["---:" if re.match(r"\**-?\d", cell) else "---" for cell in first]
    lines = [f"| {' | '.join(row)} |" for row in (head, *cells)]
    return "\n".join((lines[0], f"|{'|'.join(rules)}|", *lines[1:]))


def listed(figures: Figures) -> str:
    """One row for each figure, named by its path."""
    return table(("figure", "value"), paths_of(figures))


def paths_of(figures: Figures, above: str = "") -> Iterator[tuple[str, object]]:
    """Yield every figure with the names that lead to it."""
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from paths_of(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def cell_of(value: object) -> str:
    """A value as a reader expects it: 12,345, – for nothing, and no bar that would end the cell."""
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "–"
        case int():
            return f"{value:,}"
        case list() | tuple():
            return ", ".join(map(cell_of, value)) or "–"
        case _:
            return str(value).replace("|", "\\|")


def add_counts(to: C, other: C) -> None:
    """Add the counts and lists of a dataclass to those of another of its kind."""
    for each in fields(to):  # type: ignore[arg-type]
        setattr(to, each.name, getattr(to, each.name) + getattr(other, each.name))


def percentile(values: Sequence[T], part: float) -> T:
    """The value under which this part (0 to 1) of all values lies; raises IndexError without values."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def percentile_of_any(values: Sequence[T], part: float) -> T | None:
    """The percentile, None without values."""
    return percentile(values, part) if values else None
