"""Writing board files: the JSON that `parse` reads back, and a drawing at full size."""

import json
from xml.sax.saxutils import escape

from tock_companion.boardfile.model import COLOR_NAMES, BoardFile, Hole


def to_json(board: BoardFile) -> dict[str, object]:
    """Return the board as the JSON object of the contract; `parse` gives the same board back."""
    data: dict[str, object] = {
        "name": board.name,
        "zones": board.zones,
        "unit": "mm",
        "size": list(board.size_mm),
        "holes": [_hole_json(hole) for hole in board.holes],
        "markers": [
            {"id": marker.id, "x": marker.x_mm, "y": marker.y_mm, "size": marker.size_mm}
            for marker in board.markers
        ],
        "colors": {seat.name: color for seat, color in board.colors.items()},
    }
    if board.pawn is not None:
        data["pawn"] = {"style": board.pawn.style, "radius_mm": board.pawn.radius_mm}
    return data


def to_text(board: BoardFile) -> str:
    """Return the board as JSON text with one line for each hole."""
    data = to_json(board)
    parts = []
    for key, value in data.items():
        if key in ("holes", "markers") and isinstance(value, list):
            lines = ",\n".join("  " + json.dumps(entry) for entry in value)
            text = f"[\n{lines}\n ]" if lines else "[]"
        else:
            text = json.dumps(value, ensure_ascii=False)
        parts.append(f' "{key}": {text}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def to_svg(board: BoardFile) -> str:
    """Return a drawing at full size (1 unit = 1 mm): outline, holes with their ids, marker squares."""
    width, height = board.size_mm
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif">',
        f"<title>{escape(board.name)}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="none" stroke="#000" stroke-width="0.3"/>',
    ]
    for marker in board.markers:
        side = marker.size_mm
        left, top = marker.x_mm - side / 2, marker.y_mm - side / 2
        lines.append(
            f'<rect x="{left:g}" y="{top:g}" width="{side:g}" height="{side:g}" fill="none" stroke="#000" '
            f'stroke-width="0.3"><title>marker {marker.id}</title></rect>'
        )
    lines.extend(_hole_svg(board, hole) for hole in board.holes)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _hole_json(hole: Hole) -> dict[str, object]:
    return {
        "id": hole.id,
        "kind": hole.kind.value,
        "seat": hole.seat.name if hole.seat is not None else None,
        "index": hole.index,
        "x": hole.x_mm,
        "y": hole.y_mm,
        "d": hole.d_mm,
    }


def _hole_svg(board: BoardFile, hole: Hole) -> str:
    color = COLOR_NAMES[board.colors[hole.seat]] if hole.seat is not None else "#000"
    radius = hole.d_mm / 2
    # The cross marks the point for the drill, the small text names the hole.
    return (
        f'<g id="{hole.id}" stroke="{color}" stroke-width="0.3" fill="none">'
        f'<circle cx="{hole.x_mm:g}" cy="{hole.y_mm:g}" r="{radius:g}"/>'
        f'<path d="M{hole.x_mm - 1:g} {hole.y_mm:g}h2m-1 -1v2"/>'
        f'<text x="{hole.x_mm:g}" y="{hole.y_mm + radius + 2.4:g}" font-size="2.2" text-anchor="middle" '
        f'fill="#444" stroke="none">{hole.id}</text></g>'
    )
