"""Which way round a board lies that was found by its pattern: a marker tells, or pawns in camps and homes."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind
from tock_vision.arrays import Floats, Gray, Singles
from tock_vision.markers import find_markers
from tock_vision.pattern import refine
from tock_vision.register import (
    LOOSE,
    Find,
    Refusal,
    Registration,
)
from tock_vision.scan import accept_pattern, find_pattern
from tock_vision.view import View, rotation_matrix, rotation_vector

SeatChances = Callable[[View], tuple[Singles, Singles]]
"""From a view the chance of a pawn in every hole and of each seat's colour, given that there is one."""

SURE_MARGIN = 3.0
"""How much likelier, as a logarithm, the best way round must be to be called sure."""
MARKER_MISS = 0.5
"""A marker must be seen within this many of its sides from where the view has it."""


def turned(view: View, board: BoardFile, zones: int) -> View:
    """Return the view in which the board is turned by some zones: it shows the same pattern."""
    angle = 2 * np.pi * zones / board.zones
    spin = rotation_matrix(np.array([0.0, 0.0, angle]))
    rotation = rotation_matrix(view.params[:3])
    middle = np.array([*board.size_mm, 0.0]) / 2
    params = view.params.copy()
    params[:3] = rotation_vector(rotation @ spin)
    params[3:6] = view.params[3:6] + rotation @ (middle - spin @ middle)
    return View(params, view.size_px)


def ways_round(gray: Gray, board: BoardFile, found: Registration) -> list[Registration]:
    """Return the registration in all ways round that fit the holes as well."""
    ways = []
    for zones in range(board.zones):
        view = replace(turned(found.view, board, zones), covariance=LOOSE)
        refined = refine(gray, view, board, rounds=3)
        if refined is None:
            continue
        way = accept_pattern(refined, board)
        if way is not None:
            ways.append(way)
    return ways


def orient(board: BoardFile, ways: list[Registration], seat_chances: SeatChances) -> Registration:
    """Return the way round that the pawns in camps and homes speak for."""
    scores = np.array([_support(board, *seat_chances(way.view)) for way in ways])
    order = np.argsort(scores)[::-1]
    best = ways[int(order[0])]
    sure = len(ways) == 1 or float(scores[order[0]] - scores[order[1]]) > SURE_MARGIN
    return replace(best, orientation="sure" if sure and float(scores[order[0]]) > 0 else "guessed")


def _support(board: BoardFile, pawn: Singles, seats: Singles) -> float:
    """Return how much likelier the pawns in camps and homes are to be their owners' than anyone's."""
    total = 0.0
    for number, hole in enumerate(board.holes):
        if hole.kind in (HoleKind.CAMP, HoleKind.HOME) and hole.seat is not None:
            own = float(seats[number, board.seats.index(hole.seat)])
            total += float(pawn[number]) * np.log(max(own, 0.02) * board.zones)
    return total


def scanner(board: BoardFile) -> Find:
    """Return what finds a board by its pattern, turned as a lone marker says."""

    def scan(gray: Gray) -> Registration | Refusal:
        found = find_pattern(gray, board)
        if isinstance(found, Refusal):
            return found
        seen = find_markers(gray, board)
        if seen.ids:
            for way in ways_round(gray, board, found):
                off = np.linalg.norm(way.view.project(seen.points_mm) - seen.points_px, axis=1)
                side_px = float(np.median(_sides_px(seen.points_px)))
                if float(np.median(off)) < MARKER_MISS * side_px:
                    return replace(way, orientation="sure", markers=len(seen.ids))
        return found

    return scan


def _sides_px(corners: Floats) -> Floats:
    square = corners.reshape(-1, 4, 2)
    sides: Floats = np.linalg.norm(square - np.roll(square, 1, axis=1), axis=2)
    return sides
