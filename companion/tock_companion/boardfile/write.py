"""Writing board files: the JSON that `parse` reads back."""

import hashlib
import json
from collections.abc import Mapping

from tock_companion.boardfile.model import BoardFile, DrilledHole
from tock_rules import PAWNS_PER_SEAT, ZONE_LENGTH


def to_json(board: BoardFile) -> dict[str, object]:
    """Turn the board into its JSON object; `parse` gives the same board back."""
    data: dict[str, object] = {
        "name": board.name,
        "zones": board.zones,
        **{key: value for key, value, usual in _ring(board) if value != usual},
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
    if board.pile is not None:
        pile = board.pile
        data["pile"] = {"x": pile.x_mm, "y": pile.y_mm, "w": pile.width_mm, "h": pile.height_mm}
    return data


def _ring(board: BoardFile) -> tuple[tuple[str, int, int], ...]:
    """Left out where they are as on a Tock board, so that its file and its fingerprint stay what they were."""
    return (
        ("zone_length", board.zone_length, ZONE_LENGTH),
        ("pawns_per_seat", board.pawns_per_seat, PAWNS_PER_SEAT),
    )


def to_text(board: BoardFile) -> str:
    """Write the board as JSON with one line per hole."""
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


def fingerprint(board: BoardFile) -> str:
    """16 hex digits that change with anything of a board but its name; a camera's calibration is filed under them."""
    return _digest({key: value for key, value in to_json(board).items() if key != "name"})


def fingerprint_with_name(board: BoardFile) -> str:
    """By which releases 0.1.0 and 0.2.0 knew a board, so that it became another one with its name."""
    return _digest(to_json(board))


def _digest(document: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:16]


def _hole_json(hole: DrilledHole) -> dict[str, object]:
    return {
        "id": hole.id,
        "kind": hole.kind.value,
        "seat": hole.seat.name if hole.seat is not None else None,
        "index": hole.index,
        "x": hole.x_mm,
        "y": hole.y_mm,
        "d": hole.d_mm,
    }
