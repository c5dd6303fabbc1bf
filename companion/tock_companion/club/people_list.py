"""A list of people as it is typed, pasted or saved by a spreadsheet."""

import csv
import re
from collections.abc import Iterator, Sequence

from tock_companion.errors import NO_TEXT, BadInputError, escaped, quoted
from tock_companion.files import text_of
from tock_companion.language import folded
from tock_companion.mqtt.club_notes import MAX_NAME_CHARS
from tock_companion.names import tidy_name

MAX_BYTES = 200_000
SEPARATORS = ";\t,"
HEADINGS = frozenset(
    {"name", "names", "player", "nom", "noms", "joueur", "joueuse", "prenom", "equipe", "team"}
)
BETWEEN_PARTNERS = ("&", "/", "+")
FOR_EXCEL = re.compile(r'\s*"?sep=(.?)[^\n]*(?:\n|$)', re.IGNORECASE)
"""A first line that names the separator to Excel."""
QUOTES = "‘’“”«»"
OLDER = ("cp1252", "mac_roman")
"""Encodings of spreadsheets before UTF-8, on Windows and on the Mac; of equally likely ones the first counts."""


def decoded(data: bytes) -> str:
    """The text of a file, in UTF-8 or in the older encoding that makes the likelier names; raises BadInputError."""
    if len(data) > MAX_BYTES:
        raise BadInputError(f"the list has more than {MAX_BYTES} bytes; give a list of names")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        if b"\0" not in data:
            return min((data.decode(older, errors="replace") for older in OLDER), key=_unlikely)
    text = text_of(data, "the list")
    if "\0" in text:
        raise BadInputError("the file is no list of names; save it as CSV")
    return text


def _unlikely(text: str) -> int:
    """Count signs beyond ASCII at places where hardly any name has them: in "ZoŽ", "JŸrgen", "C™té", "ƒmile"."""
    return sum(
        _is_odd(before, sign, after)
        for before, sign, after in zip(f" {text}", text, f"{text[1:]} ", strict=False)
        if not sign.isascii()
    )


def _is_odd(before: str, sign: str, after: str) -> bool:
    if sign in QUOTES:
        return sign != "’" and before.isalpha() and after.isalpha()
    if not sign.isalpha() or sign == "ƒ":
        return before.isalpha() or after.isalpha()
    return sign.isupper() and (before.islower() or (before.isalpha() and after.islower()))


def entries(text: str, people: int) -> list[tuple[str, ...]]:
    """The entrants of a list, a line for each, of one name or two; raises BadInputError that names the line.

    Where the first line has headings, only the columns of names count.
    """
    found: list[tuple[str, ...]] = []
    columns: list[int] | None = None
    for place, (number, row) in enumerate(_rows(text_of(text, "the list"))):
        known = [column for column, cell in enumerate(row) if _is_heading(cell)]
        if place == 0 and known:
            columns = known
            continue
        named = row if columns is None else [cell for column, cell in enumerate(row) if column in columns]
        cells = [" ".join(cell.split()) for cell in named if tidy_name(cell)]
        if cells:
            found.append(_entry(cells, people, number))
    return found


def as_text(found: Sequence[tuple[str, ...]]) -> str:
    """Write entrants for a look: a line for each, which `entries` reads as the same."""
    lines = [_line(names) for names in found]
    if found and (any(map(_is_heading, found[0])) or FOR_EXCEL.match(lines[0])):
        # The first name is that of a column.
        lines.insert(0, ";".join(["Name"] * len(found[0])))
    return "\n".join(lines)


def _line(names: tuple[str, ...]) -> str:
    special = (*SEPARATORS, '"', *(BETWEEN_PARTNERS if len(names) == 2 else ()))
    if not any(sign in name for name in names for sign in special):
        return f" {BETWEEN_PARTNERS[0]} ".join(names)
    return ";".join('"' + name.replace('"', '""') + '"' for name in names)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row and the number of its first line."""
    separator = max(SEPARATORS, key=text.count) if any(sign in text for sign in SEPARATORS) else ";"
    skipped = 0
    if announced := FOR_EXCEL.match(text):
        separator = announced[1] if announced[1] and announced[1] in SEPARATORS else separator
        skipped, text = announced[0].count("\n"), text[announced.end() :]
    rows = csv.reader(text.splitlines(keepends=True), delimiter=separator, strict=True)
    line = skipped + 1
    try:
        for row in rows:
            yield line, row
            line = skipped + rows.line_num + 1
    except csv.Error:
        raise BadInputError(
            f'line {line}: a quotation mark (") has no partner, or is inside a name; remove it'
        ) from None


def _is_heading(cell: str) -> bool:
    return folded(cell).rstrip("0123456789 ") in HEADINGS


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
