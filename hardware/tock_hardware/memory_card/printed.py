"""The sheet that is printed and laid beside the table: both ways to the page, with codes to scan, in every language."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from string import Template

import segno

from tock_companion.language import LANGUAGES, catalog
from tock_companion.machine.network import OWN_ADDRESS, Network
from tock_hardware.drawing.pdf import Group, Page, to_pdf
from tock_hardware.drawing.shapes import Pen, Shape, Text, rectangle, text_width_mm
from tock_hardware.memory_card.settings import PRINTABLE, Card

WIDTH_MM, HEIGHT_MM = 148.0, 210.0
"""A5: printers put it on A4 or Letter as it is."""
MARGIN_MM = 9.0
PADDING_MM = 4.0
QUIET_CELLS = 2
"""White around a code, of the four cells that readers want (ISO/IEC 18004); the padding is the rest."""
LEADING = 1.3
"""From line to line, in sizes of the type."""
SCALES = (1.0, 0.8, 0.6)
"""Of the letters; the smaller ones are for the longest names and passwords that a Wi-Fi can have."""
BOLD = 1.12
"""Largest width of a bold line, relative to a plain one."""
FRAME = Pen("FRAME", stroke="#999999", width_mm=0.25)
INK = Pen("CODE", stroke=None, fill="#000000")
FAINT = Pen("TEXT", stroke=None, fill="#555555")


@dataclass(frozen=True, slots=True)
class Way:
    """One way to the page: what to scan, what to type, and three sentences."""

    heading: str
    code: str
    facts: Mapping[str, str]
    steps: str
    code_mm: float
    name: str = ""
    """The network that the steps speak of."""


def sheet(card: Card) -> bytes:
    """Draw the sheet as one page of PDF."""
    title = " · ".join(words(lang)["title"] for lang in order(card))
    for scale in SCALES:
        shapes, bottom = _drawn(card, title, scale)
        if bottom <= HEIGHT_MM - MARGIN_MM / 2:
            break
    return to_pdf(title, [Page(WIDTH_MM, HEIGHT_MM, (Group(shapes),))])


def order(card: Card) -> tuple[str, ...]:
    """Every language, the card's own first."""
    return (card.language, *(lang for lang in LANGUAGES if lang != card.language))


def words(lang: str) -> Mapping[str, str]:
    """The words of the sheet and of the explanations; steps have a line each."""
    return {code: text[lang] for code, text in catalog("memory_card").items()}


def own_address() -> str:
    """The address of the page on the table's own Wi-Fi."""
    return f"http://{OWN_ADDRESS}"


def home_address(card: Card) -> str:
    """The address of the page on the house's network."""
    return f"http://{card.host_name}.local"


def _drawn(card: Card, title: str, scale: float) -> tuple[tuple[Shape, ...], float]:
    """Draw everything with letters of this scale; the shapes, and where they end."""
    shapes: list[Shape] = [Text(MARGIN_MM, MARGIN_MM + 5, title, 6.5, bold=True)]
    top, bottom = MARGIN_MM + 10, 0.0
    for way in (*([_own(card.own)] if card.own else []), _house(card)):
        drawn, bottom = _section(card, way, top, scale)
        shapes.extend(drawn)
        top = bottom + 4
    return tuple(shapes), bottom


def _own(own: Network) -> Way:
    facts = {"wifi": own.name, "password": own.password, "address": own_address()}
    return Way("own", own.code, facts, "own_steps", 37, own.name)


def _house(card: Card) -> Way:
    address = home_address(card)
    if card.house is None:
        return Way("house", address, {"address": address}, "cable_steps", 29)
    # The network's name is given; characters that the sheet's fonts lack are shown as question marks.
    name = card.house.name.encode(PRINTABLE, errors="replace").decode(PRINTABLE)
    return Way("house", address, {"wifi": name, "address": address}, "house_steps", 29, name)


def _section(card: Card, way: Way, top: float, scale: float) -> tuple[list[Shape], float]:
    """Draw one way to the page from `top` on; the shapes, and where they end."""
    left, right = MARGIN_MM + PADDING_MM, WIDTH_MM - MARGIN_MM - PADDING_MM
    shapes: list[Shape] = []
    y = top + 1.5
    for lang in order(card):
        y += 4.6 * LEADING
        shapes.append(Text(left, y, words(lang)[way.heading], 4.6, bold=True))
    y += 2
    shapes.extend(_code(way.code, left, y, way.code_mm))
    beside = left + way.code_mm + 3
    facts, end = _facts(card, way.facts, (beside, y), right - beside, 5.4 * scale)
    shapes.extend(facts)
    y = max(y + way.code_mm, end) + 1
    column = (right - left - 5) / 2
    ends = []
    for place, lang in enumerate(order(card)):
        x = left + place * (column + 5)
        lines = [Template(line).substitute(name=way.name) for line in words(lang)[way.steps].split("\n")]
        drawn, end = _steps(lines, (x, y), column, 3.4 * scale)
        shapes.extend(drawn)
        ends.append(end)
    bottom = max(ends) + PADDING_MM
    shapes.append(rectangle(MARGIN_MM, top, WIDTH_MM - 2 * MARGIN_MM, bottom - top, FRAME))
    return shapes, bottom


def _facts(
    card: Card, facts: Mapping[str, str], place: tuple[float, float], width: float, size: float
) -> tuple[list[Shape], float]:
    x, y = place
    shapes: list[Shape] = []
    for key, value in facts.items():
        label = " / ".join(dict.fromkeys(words(lang)[key] for lang in order(card)))
        y += 0.5 + 3.2 * LEADING
        shapes.append(Text(x, y, label, 3.2, FAINT))
        for line in _wrapped(value, size * BOLD, width):
            y += (size - 0.4) * LEADING
            shapes.append(Text(x, y, line, size, bold=True))
    return shapes, y


def _steps(
    lines: list[str], place: tuple[float, float], width: float, size: float
) -> tuple[list[Shape], float]:
    x, y = place
    indent = 1.3 * size
    shapes: list[Shape] = []
    for number, step in enumerate(lines, start=1):
        y += 0.6
        for row, line in enumerate(_wrapped(step, size, width - indent)):
            y += size * LEADING
            if row == 0:
                shapes.append(Text(x, y, f"{number}.", size))
            shapes.append(Text(x + indent, y, line, size))
    return shapes, y


def _wrapped(text: str, size_mm: float, width_mm: float) -> Iterator[str]:
    """Break a text between words; a word that is wider than the line is broken inside."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if text_width_mm(longer, size_mm) <= width_mm:
            line = longer
            continue
        if line:
            yield line
        line = word
        while text_width_mm(line, size_mm) > width_mm:
            fits = max(n for n in range(1, len(line)) if text_width_mm(line[:n], size_mm) <= width_mm)
            yield line[:fits]
            line = line[fits:]
    yield line


def _code(text: str, x: float, y: float, size_mm: float) -> Iterator[Shape]:
    """Draw a QR code with its white border as black bars, row by row."""
    cells = [list(map(bool, row)) for row in segno.make(text, error="m", micro=False).matrix]
    side = size_mm / (len(cells) + 2 * QUIET_CELLS)
    for number, row in enumerate(cells):
        column = 0
        for dark, group in groupby(row):
            length = len(list(group))
            if dark:
                # A hair higher than a row, so that no seam shows between two.
                place = x + (QUIET_CELLS + column) * side, y + (QUIET_CELLS + number) * side
                yield rectangle(*place, length * side, side + 0.01, INK)
            column += length
