"""Prints templates at full size: drill template, underside, markers, paper board; whole or tiled on A4 and Letter."""

from typing import Literal

from tock_companion.boardfile import BoardFile
from tock_companion.errors import TockError
from tock_hardware.drawing.pdf import to_pdf
from tock_hardware.drawing.shapes import Drawing
from tock_hardware.drawing.svg import to_svg
from tock_hardware.templates.board import drill_template
from tock_hardware.templates.paper import paper_board
from tock_hardware.templates.tiles import A4, LETTER, one_page, tiles


def export(board: BoardFile, file_format: str) -> bytes:
    """Draw the drill template as a file: `svg`, `dxf` or `pdf`; raises TockError where `dxf` lacks its library."""
    drawing = drill_template(board)
    if file_format == "pdf":
        return to_pdf(drawing.title, one_page(drawing))
    if file_format == "dxf":
        return _dxf(drawing)
    return to_svg(drawing).encode()


def _dxf(drawing: Drawing) -> bytes:
    """Draw as DXF by ezdxf, which is an extra and takes most of a second to load."""
    try:
        from tock_hardware.drawing.dxf import to_dxf  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise TockError(
            f"a DXF needs {error.name}; install it with: pip install 'tock-companion[workshop]', or take svg or pdf"
        ) from None
    return to_dxf(drawing).encode()


def sheets(board: BoardFile, drawing: Literal["paper", "drill"], size: Literal["a4", "letter"]) -> bytes:
    """Draw a board at full size on sheets as PDF: one to play on, or the template to drill by."""
    drawn = paper_board(board) if drawing == "paper" else drill_template(board)
    return to_pdf(drawn.title, tiles(drawn, A4 if size == "a4" else LETTER))
