"""A list of people as it is typed, pasted or saved by a spreadsheet."""

import csv

from tock_companion.errors import NO_TEXT, BadInputError, escaped, quoted
from tock_companion.language import folded
from tock_companion.mqtt.club_notes import MAX_NAME_CHARS
from tock_companion.names import tidy_name

MAX_BYTES = 200_000
SEPARATORS = ";\t,"
HEADINGS = frozenset(
    {"name", "names", "player", "nom", "noms", "joueur", "joueuse", "prenom", "equipe", "team"}
)
BETWEEN_PARTNERS = ("&", "/", "+")


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, else what Windows wrote before it (Latin-1 with more signs); raises BadInputError."""
    if len(data) > MAX_BYTES:
        raise BadInputError(f"the list has more than {MAX_BYTES} bytes; give a list of names")
    if b"\0" in data:
        raise BadInputError("the file is no list of names; save it as CSV")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def entries(text: str, people: int) -> list[tuple[str, ...]]:
    """The entrants of a list, a line for each, of one name or two; raises BadInputError that names the line."""
    separator = max(SEPARATORS, key=text.count)
    found = []
    rows = csv.reader(text.splitlines(), delimiter=separator if separator in text else ";")
    for number, row in enumerate(rows, start=1):
        cells = [" ".join(cell.split()) for cell in row if tidy_name(cell)]
        if not cells or (number == 1 and all(folded(cell) in HEADINGS for cell in cells)):
            continue
        found.append(_entry(cells, people, number))
    return found


def _entry(cells: list[str], people: int, line: int) -> tuple[str, ...]:
    if people == 2 and len(cells) == 1:
        cells = _partners(cells[0])
    if people == 1:
        # A spreadsheet has first names and family names in columns of their own.
        cells = [" ".join(cells)]
    if len(cells) != people:
        raise BadInputError(f"line {line}: {quoted(', '.join(cells))} is no pair; write two names a line")
    for name in cells:
        if len(name) > MAX_NAME_CHARS:
            raise BadInputError(
                f"line {line}: {quoted(name)} has {len(name)} characters; a name has at most {MAX_NAME_CHARS}"
            )
        if NO_TEXT.search(name):
            raise BadInputError(f"line {line}: '{escaped(name)}' has a character that no name can have")
    return tuple(tidy_name(name) for name in cells)


def _partners(cell: str) -> list[str]:
    for sign in BETWEEN_PARTNERS:
        if sign in cell:
            return [name.strip() for name in cell.split(sign) if name.strip()]
    return [cell]
