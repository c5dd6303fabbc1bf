"""A board drawn as an SVG picture, as notebooks show a position; places are those of the drawing in text."""

from tock_rules.board import Board
from tock_rules.drawing import Place, layout_of
from tock_rules.seats import Seat

COLORS = ("#d33f49", "#2f6fb3", "#3a9b4b", "#e0a92b", "#8a4fa3", "#e07b2b", "#3aa6a6", "#7a5c48")
"""By seat."""
_PX = 20
"""From hole to hole."""


def board_svg(board: Board) -> str:
    """The picture; every hole says its name and its pawn, a pawn that has not moved since it came out has a ring."""
    shape, layout = board.shape, layout_of(board)
    lines = []
    for cell, place in layout.cells.items():
        owner, home = board.owners.get(cell), shape.home_of(cell)
        fresh = owner is not None and board.is_fresh(cell)
        title = str(shape.hole_id(cell)) + ("" if owner is None else f": {owner.name}{', fresh' * fresh}")
        start = (
            cell // shape.zone_length if cell < shape.track_length and cell % shape.zone_length == 0 else None
        )
        lines.append(_hole(place, title, owner, fresh, start if home is None else home[0]))
    for seat, camp in layout.camps.items():
        for number, (hole, place) in enumerate(zip(shape.camp_holes(seat), camp, strict=True)):
            pawn = seat if number < board.camp_count(seat) else None
            lines.append(
                _hole(place, f"{hole}: {seat.name}" if pawn is not None else str(hole), pawn, False, seat)
            )
        x, y = _middle(layout.names[seat])
        lines.append(f'<text x="{x}" y="{y + 4}" font-size="12" text-anchor="middle">{seat.name}</text>')
    width, height = (_PX * (size + 2) for size in (layout.width, layout.height))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
            f' height="{height}" font-family="sans-serif">',
            f'<rect width="{width}" height="{height}" rx="12" fill="#f3e3c3"/>',
            *lines,
            "</svg>",
        ]
    )


def _hole(place: Place, title: str, pawn: Seat | None, fresh: bool, zone: int | None) -> str:
    x, y = _middle(place)
    edge = "#6b5a3c" if zone is None else COLORS[zone]
    fill, size = ("#fffaf0", 6) if pawn is None else (COLORS[pawn], 8)
    ring = ' stroke="#000" stroke-width="3"' if fresh else f' stroke="{edge}" stroke-width="2"'
    return f'<circle cx="{x}" cy="{y}" r="{size}" fill="{fill}"{ring}><title>{title}</title></circle>'


def _middle(place: Place) -> tuple[int, int]:
    row, column = place
    return _PX * (column + 1), _PX * (row + 1)
