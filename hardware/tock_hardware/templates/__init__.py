"""What is printed at full size: drill template, underside, markers, paper board; whole or tiled on A4 and Letter."""

from typing import Literal

from tock_companion.boardfile import BoardFile
from tock_hardware.drawing import to_pdf, to_svg
from tock_hardware.templates.board import drill_template, underside
from tock_hardware.templates.markers import marker_pages
from tock_hardware.templates.paper import paper_board
from tock_hardware.templates.tiles import A4, LETTER, Paper, one_page, tiles


def export(board: BoardFile, file_format: str) -> bytes:
    """Draw the drill template as a file: `svg`, `dxf` or `pdf`."""
    drawing = drill_template(board)
    if file_format == "pdf":
        return to_pdf(drawing.title, one_page(drawing))
    if file_format == "dxf":
        # Loads ezdxf, which takes most of a second; the other formats do without.
        from tock_hardware.drawing.dxf import to_dxf  # noqa: PLC0415

        return to_dxf(drawing).encode()
    return to_svg(drawing).encode()


def sheets(board: BoardFile, drawing: Literal["paper", "drill"]) -> bytes:
    """Draw a board at full size on sheets of A4 as PDF: one to play on, or the template to drill by."""
    drawn = paper_board(board) if drawing == "paper" else drill_template(board)
    return to_pdf(drawn.title, tiles(drawn, A4))


__all__ = [
    "A4",
    "LETTER",
    "Paper",
    "drill_template",
    "export",
    "marker_pages",
    "paper_board",
    "sheets",
    "tiles",
    "underside",
    "one_page",
]
