"""Markers for the board's corners (ArUco DICT_4X4_50), drawn as squares so that their size is exact on any printer."""

from collections.abc import Iterator
from itertools import groupby

from tock_companion.boardfile import BoardFile, Marker
from tock_hardware.drawing.pdf import Group, Page
from tock_hardware.drawing.shapes import Anchor, Pen, Shape, Text, line, rectangle
from tock_hardware.templates.tiles import FOOTER_MM, MARGIN_MM, Paper, scale_bar

CELLS = 6
"""Cells along a side: four bits and a black border."""
INK = Pen("MARKERS", stroke=None, fill="#000000")
BLANK = Pen("MARKERS", stroke=None, fill="#ffffff")
CUT = Pen("GUIDES", stroke="#777777", width_mm=0.15)

# Row by row from the top left, 1 = white; the dictionary of OpenCV.
_BITS = (
    "b532 0f9a 332d 9946 549e 79cd 9e2e c4f2 feda cf56 f991 11a7 0eb7 2a0f 24b1 263e 4665 6600 6c5e 76af "
    "868b b02b ccd5 dd82 fe47 9471 ace4 a554 2123 346f 4415 57b2 9ecf f0cb 08ae 0929 1875 04ff 0df6 1c5a "
    "1718 2a28 328c 38b2 24e8 2eeb 2d3f 4b64 502e 5013"
)
BITS = tuple(int(word, 16) for word in _BITS.split())


def marker_shapes(marker: Marker) -> tuple[Shape, ...]:
    """Draw a black square and its white cells, as rows and as columns so that no seam shows between them."""
    cell = marker.size_mm / CELLS
    left, top = marker.x_mm - marker.size_mm / 2, marker.y_mm - marker.size_mm / 2
    white = [[not _is_black(marker.id, row, column) for column in range(CELLS)] for row in range(CELLS)]
    shapes: list[Shape] = [rectangle(left, top, marker.size_mm, marker.size_mm, INK)]
    for row in range(CELLS):
        for start, length in _runs(white[row]):
            shapes.append(rectangle(left + start * cell, top + row * cell, length * cell, cell, BLANK))
    for column in range(CELLS):
        for start, length in _runs([white[row][column] for row in range(CELLS)]):
            if length > 1:
                shapes.append(rectangle(left + column * cell, top + start * cell, cell, length * cell, BLANK))
    return tuple(shapes)


def _runs(cells: list[bool]) -> Iterator[tuple[int, int]]:
    """Yield start and length of every unbroken run of True."""
    start = 0
    for value, group in groupby(cells):
        length = len(list(group))
        if value:
            yield start, length
        start += length


def _is_black(marker_id: int, row: int, column: int) -> bool:
    if not (0 < row < CELLS - 1 and 0 < column < CELLS - 1):
        return True
    return not BITS[marker_id] >> (15 - (4 * (row - 1) + column - 1)) & 1


def marker_pages(board: BoardFile, paper: Paper) -> tuple[Page, ...]:
    """Lay out sheets with every marker of the board, a white border of one cell, and cutting lines."""
    if not board.markers:
        return ()
    side = max(marker.size_mm for marker in board.markers)
    label = 5.0
    border = side / CELLS
    width, height = side + 2 * border, side + 2 * border + label
    gap = 8.0
    columns = max(1, int((paper.width_mm - 2 * MARGIN_MM + gap) // (width + gap)))
    head = 24.0
    rows = max(1, int((paper.height_mm - MARGIN_MM - FOOTER_MM - head + gap) // (height + gap)))
    pages = []
    for first in range(0, len(board.markers), columns * rows):
        shapes: list[Shape] = [
            Text(MARGIN_MM, MARGIN_MM + 5, f"Tock: marqueurs / markers, {board.name}", 5, bold=True),
            Text(
                MARGIN_MM,
                MARGIN_MM + 11,
                "Imprimer à 100 %. Découper sur le trait gris, coller à plat, le numéro vers le bas du plateau.",
                3.2,
            ),
            Text(
                MARGIN_MM,
                MARGIN_MM + 16,
                "Print at 100 %. Cut along the grey line, glue flat, the number towards the bottom edge of the board.",
                3.2,
            ),
        ]
        for place, marker in enumerate(board.markers[first : first + columns * rows]):
            x = MARGIN_MM + (place % columns) * (width + gap)
            y = MARGIN_MM + head + (place // columns) * (height + gap)
            shapes.append(rectangle(x, y, width, height, CUT))
            shapes.extend(marker_shapes(Marker(marker.id, x + width / 2, y + width / 2, marker.size_mm)))
            where = _corner(board, marker)
            shapes.append(
                Text(x + width / 2, y + height - 2, f"{marker.id}: {where}", 3.2, anchor=Anchor.MIDDLE)
            )
        shapes.extend(scale_bar(MARGIN_MM, paper.height_mm - 12, 100))
        pages.append(Page(paper.width_mm, paper.height_mm, (Group(tuple(shapes)),)))
    return tuple(pages)


def _corner(board: BoardFile, marker: Marker) -> str:
    width, height = board.size_mm
    fr = ("haut" if marker.y_mm < height / 2 else "bas") + (
        " gauche" if marker.x_mm < width / 2 else " droite"
    )
    en = ("top" if marker.y_mm < height / 2 else "bottom") + (
        " left" if marker.x_mm < width / 2 else " right"
    )
    return f"{fr} / {en}"


def marker_place(marker: Marker, pen: Pen) -> tuple[Shape, ...]:
    """Draw the outline where a marker is glued, with its number and which way is up."""
    half = marker.size_mm / 2
    x, y = marker.x_mm, marker.y_mm
    return (
        rectangle(x - half, y - half, marker.size_mm, marker.size_mm, pen),
        line(x - 3, y - half + 5, x, y - half + 2, pen),
        line(x, y - half + 2, x + 3, y - half + 5, pen),
    )
