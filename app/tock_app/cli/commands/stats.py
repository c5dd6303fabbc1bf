"""`tock stats`: the figures of people over all games of the data folder."""

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, fields
from datetime import date
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import Parser
from tock_app.config.load import load_config
from tock_companion.errors import BadInputError
from tock_companion.names import no_formula
from tock_companion.statistics.book import book_of, bring_up, faults_of
from tock_companion.statistics.people import PersonFigures, firsts, people, use_names
from tock_companion.statistics.persons import persons_of
from tock_companion.storage import Store
from tock_companion.storage.files import DATABASE_NAME
from tock_companion.table.seats.game_people import NOBODY, all_people

NESTED = ("partners", "opponents", "took_from")
"""Figures that do not fit into a cell."""
COLUMNS: Mapping[str, str] = {
    "name": "name", "games": "games", "won": "won", "taken": "taken", "lost": "lost", "longest_march": "march",
    "accuracy": "accuracy", "luck": "luck", "thinking_ms": "ms a turn",
}  # fmt: skip


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Print a table, JSON or CSV; raises BadInputError for a wrong day or a folder without games."""
    parser = Parser(prog="tock stats", description="Figures of each person over all finished games.")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="everything, as one JSON object")
    form.add_argument("--csv", action="store_true", help="one line for each person, for a spreadsheet")
    parser.add_argument("--since", metavar="DATE", help="games that ended on this day or later: 2026-11-28")
    parser.add_argument("--config", type=Path, help="the configuration of the companion")
    asked = parser.parse_args(list(arguments))
    since = None if asked.since is None else _day(asked.since)
    data, out = load_config(asked.config).data, stdout or sys.stdout
    if not (data / DATABASE_NAME).exists():
        raise BadInputError(f"{data} has no games; name the folder with TOCK_DATA")
    with closing(Store(data, set_aside=False)) as store, book_of(data) as book:
        known = all_people(store.choices)
        bring_up(book, store, lambda number: known.get(number, NOBODY), _progress)
        use_names(book, persons_of(store.choices))
        found, faults = people(book, since), faults_of(book)
        if asked.json:
            document = {
                "since": since and since.isoformat(),
                "people": [asdict(person) for person in found],
                "firsts": [asdict(first) for first in firsts(book)],
                "skipped_games": [{"game": number, "reason": fault} for number, fault in faults],
            }
            out.write(f"{json.dumps(document, ensure_ascii=False)}\n")
            return 0
    (_write_csv if asked.csv else _write_table)(found, out)
    for number, fault in faults:
        print(f"tock stats: game {number} is not counted: {fault}", file=sys.stderr)
    return 0


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadInputError(f"--since must be a day such as 2026-11-28, not '{text}'") from None


def _progress(done: int, due: int) -> None:
    if sys.stderr.isatty() and due > 1:
        print(
            f"\rcounting game {done} of {due}", end="\n" if done == due else "", file=sys.stderr, flush=True
        )


def _write_csv(found: Sequence[PersonFigures], out: TextIO) -> None:
    names = [field.name for field in fields(PersonFigures) if field.name not in NESTED]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    rows = ([getattr(person, name) for name in names] for person in found)
    writer.writerows([no_formula(one) if isinstance(one, str) else one for one in row] for row in rows)


def _write_table(found: Sequence[PersonFigures], out: TextIO) -> None:
    rows = [[*COLUMNS.values()], *([_shown(getattr(person, name)) for name in COLUMNS] for person in found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    for row in rows:
        cells = (
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        out.write("  ".join(cells).rstrip() + "\n")


def _shown(value: object) -> str:
    return "-" if value is None else f"{value:+.2f}" if isinstance(value, float) else str(value)
