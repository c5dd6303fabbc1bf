"""Lengths that belong together: a board whose parts no wooden board can have in common is refused.

Drawing, straightening and searching take their sizes from these, so they bound the cost of a board file.
"""

from collections.abc import Iterator
from math import dist

from tock_companion.boardfile.model import BoardFile
from tock_companion.schema import Mistake

MIN_MM, MAX_MM = 100.0, 3000.0
"""A side of a board."""
MIN_PILE_MM, MAX_PILE_MM = 60.0, 600.0
"""A card is about 57 or 63 mm wide."""
MIN_PITCH_MM, MAX_PITCHES, MIN_PITCHES = 4.0, 60.0, 6.0
"""From hole to hole; and how many pitches the longer side of a board may have, and must have."""
MIN_APART_PITCHES = 0.25
MIN_HOLE_PITCHES, MAX_HOLE_PITCHES = 0.02, 2.0
MIN_PAWN_PITCHES, MAX_PAWN_PITCHES = 0.01, 1.0
MIN_MARKER_MM, MAX_MARKER_SHARE = 3.0, 0.34
"""A side of a marker; at most in shorter sides of the board."""


def unbuildable(board: BoardFile) -> Iterator[Mistake]:
    """Find the lengths of a board with all its holes that do not go together."""
    for number, side_mm in enumerate(board.size_mm):
        if side_mm < MIN_MM:
            place = ("size", number)
            yield place, f"'size[{number}]' is {side_mm:g} mm; a side of a board has at least {MIN_MM:g} mm"
    pitch_mm, longest_mm = board.pitch_mm, max(board.size_mm)
    if pitch_mm < max(MIN_PITCH_MM, longest_mm / MAX_PITCHES) or pitch_mm > longest_mm / MIN_PITCHES:
        yield (
            ("holes",),
            f"it is {pitch_mm:.3g} mm from one hole of the track to the next, which does not fit a board of "
            f"{longest_mm:g} mm ({max(MIN_PITCH_MM, longest_mm / MAX_PITCHES):.3g} to "
            f"{longest_mm / MIN_PITCHES:.3g} mm); are all lengths millimetres?",
        )
        return
    yield from _crowded(board)
    yield from _odd_parts(board)


def _crowded(board: BoardFile) -> Iterator[Mistake]:
    least_mm = MIN_APART_PITCHES * board.pitch_mm
    ordered = sorted(board.holes, key=lambda hole: hole.x_mm)
    for place, first in enumerate(ordered):
        for second in ordered[place + 1 :]:
            if second.x_mm - first.x_mm >= least_mm:
                break
            gap_mm = dist((first.x_mm, first.y_mm), (second.x_mm, second.y_mm))
            if gap_mm < least_mm:
                yield (
                    ("holes",),
                    f"holes {first.id} and {second.id} are {gap_mm:.3g} mm apart, closer than pawns can stand; "
                    "correct x or y of one of them",
                )


def _odd_parts(board: BoardFile) -> Iterator[Mistake]:
    pitch_mm = board.pitch_mm
    for number, hole in enumerate(board.holes):
        if range_mm := _outside(hole.d_mm, MIN_HOLE_PITCHES * pitch_mm, MAX_HOLE_PITCHES * pitch_mm):
            yield ("holes", number, "d"), f"hole {hole.id} is {hole.d_mm:g} mm wide; it may have {range_mm}"
    for number, marker in enumerate(board.markers):
        if range_mm := _outside(marker.size_mm, MIN_MARKER_MM, MAX_MARKER_SHARE * min(board.size_mm)):
            place = ("markers", number, "size")
            yield place, f"a side of marker {marker.id} is {marker.size_mm:g} mm; it may have {range_mm}"
    pawn, pile, longest_mm = board.pawn, board.pile, max(board.size_mm)
    if pawn is not None and (
        range_mm := _outside(pawn.radius_mm, MIN_PAWN_PITCHES * pitch_mm, MAX_PAWN_PITCHES * pitch_mm)
    ):
        yield ("pawn", "radius_mm"), f"'pawn.radius_mm' is {pawn.radius_mm:g}; it may have {range_mm}"
    if pile is not None:
        for key, at_mm, along_mm in (("x", pile.x_mm, board.size_mm[0]), ("y", pile.y_mm, board.size_mm[1])):
            if range_mm := _outside(at_mm, -longest_mm, along_mm + longest_mm):
                yield (
                    ("pile", key),
                    f"'pile.{key}' is {at_mm:g}, too far from the board; it may be {range_mm}",
                )


def _outside(value: float, least: float, most: float) -> str:
    """The bounds of a length that lies outside them, as a person reads them; empty where it lies within."""
    return "" if least <= value <= most else f"{least:.3g} to {most:.4g} mm"
