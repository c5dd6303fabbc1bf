"""What is printed at full size: drill template, underside, markers, paper board; whole or tiled on A4 and Letter."""

from tock_companion.boardfile import BoardFile
from tock_hardware.drawing import to_dxf, to_pdf, to_svg
from tock_hardware.templates.board import drill_template, underside
from tock_hardware.templates.markers import marker_pages
from tock_hardware.templates.paper import paper_board
from tock_hardware.templates.tiles import A4, LETTER, Paper, tiles, whole


def export(board: BoardFile, file_format: str) -> bytes:
    """Return the drill template as a file: `svg`, `dxf` or `pdf`."""
    drawing = drill_template(board)
    if file_format == "pdf":
        return to_pdf(drawing.title, whole(drawing))
    return {"svg": to_svg, "dxf": to_dxf}[file_format](drawing).encode()


__all__ = [
    "A4",
    "LETTER",
    "Paper",
    "drill_template",
    "export",
    "marker_pages",
    "paper_board",
    "tiles",
    "underside",
    "whole",
]
