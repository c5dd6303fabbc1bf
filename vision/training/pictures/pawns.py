"""Makes the pawns of training pictures, of all makes, and stands them on boards."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind, PawnShape
from tock_rules import PAWNS_PER_SEAT
from tock_vision.holes.patches import pawn_height_mm
from vision.training.pictures.random_boards import random_color
from vision.training.pictures.ray_tracer import COVER_ID
from vision.training.pictures.shapes import GLASS, GLOSSY, MATT, SWIRL
from vision.training.pictures.things import Paint, Things
from vision.training.pictures.wooden_boards import linear

Array = Any
MATERIALS = {"opaque": GLOSSY, "satin": MATT, "swirl": SWIRL, "cateye": GLASS, "clear": GLASS}
Placing = Callable[[Things, BoardFile, Any], tuple[dict[int, str], list[tuple[Array, str]]]]
"""Stands pawns on a board: the colours by hole, and the pawns beside."""


def pawn_of(board: BoardFile) -> PawnShape:
    """The pawns of a board; every board that training makes has some."""
    assert board.pawn is not None, board.name
    return board.pawn


@dataclass(frozen=True)
class Make:
    """Sizes of a set's tall pawns."""

    tall: float
    thick: float
    base: float
    head: float
    rng: Any


def usual_make(board: BoardFile, rng: Any) -> Make:
    pitch, hole_mm = board.pitch_mm, board.holes[0].d_mm
    peg = pawn_of(board).style == "peg"
    return Make(
        rng.uniform(0.75, 1.35) * pitch,
        hole_mm * rng.uniform(0.38, 0.55),
        rng.uniform(0.2, 0.3) * pitch,
        (0.0 if rng.random() < 0.5 else rng.uniform(1.2, 1.7)) if peg else rng.uniform(0.7, 0.95),
        rng,
    )


def stand(
    things: Things, board: BoardFile, place: Array, paint: Paint, group: int, make: Make, *, off: bool
) -> None:
    """Put a pawn into a hole, or beside one."""
    shape = pawn_of(board)
    x, y = place
    if shape.is_marble:
        lift = shape.radius_mm if off else pawn_height_mm(board, shape)
        things.ball((x, y, lift), shape.radius_mm, paint, group)
        return
    if off:
        # It has fallen over.
        turn = make.rng.uniform(0, 6.28)
        end = (x + make.tall * np.cos(turn), y + make.tall * np.sin(turn), make.thick)
        things.rod((x, y, make.thick), end, make.thick, paint, group)
        return
    lean = make.rng.normal(0, 0.05, 2) * make.tall
    if shape.style == "peg":
        things.rod((x, y, -4.0), (x + lean[0], y + lean[1], make.tall), make.thick, paint, group)
        if make.head > 0:
            things.ball((x + lean[0], y + lean[1], make.tall), make.thick * make.head, paint, group)
        return
    for step in np.linspace(0.05, 0.72, 7):
        radius = make.base * (1.15 - step)
        things.ball((x + lean[0] * step, y + lean[1] * step, make.tall * step), radius, paint, group)
    things.ball((x + lean[0], y + lean[1], make.tall * 0.86), make.base * make.head, paint, group)


def place_pawns(
    things: Things, board: BoardFile, rng: Any, *, strictly: bool = False
) -> tuple[dict[int, str], list[tuple[Array, str]]]:
    """Stand pawns in holes, mostly four of a seat as in a game, and some beside them; return who is where.

    Strictly by the rules each seat has four, and other seats' pawns never stand in its camp and homes.
    """
    pitch, make = board.pitch_mm, usual_make(board, rng)
    free = list(range(len(board.holes)))
    where: dict[int, str] = {}
    loose = []
    shares = rng.dirichlet([1.0, 0.6, 1.0])
    for seat in board.seats:
        color = linear(random_color(board.colors[seat], rng))
        count = (
            PAWNS_PER_SEAT
            if strictly or rng.random() < 0.75
            else int(rng.integers(0, 9 if rng.random() < 0.2 else 5))
        )
        for _ in range(count):
            kind = (HoleKind.CAMP, HoleKind.HOME, HoleKind.TRACK)[rng.choice(3, p=shares)]
            fit = [n for n in free if board.holes[n].kind is kind and board.holes[n].seat in (seat, None)]
            pool = fit if fit and (strictly or rng.random() < 0.93) else free
            number = int(rng.choice(pool))
            free.remove(number)
            where[number] = board.colors[seat]
            hole = board.holes[number]
            place = np.array([hole.x_mm, hole.y_mm]) + rng.normal(0, 0.01, 2) * pitch
            stand(things, board, place, pawn_paint(board, color, rng), number, make, off=False)
        if rng.random() < 0.1:
            place = rng.uniform(0, 1, 2) * board.size_mm
            if board.nearest(*place)[1] > 0.55 * pitch:
                stand(things, board, place, pawn_paint(board, color, rng), COVER_ID + 1, make, off=True)
                loose.append((place, board.colors[seat]))
    return where, loose


def place_crowd(things: Things, board: BoardFile, rng: Any) -> tuple[dict[int, str], list[tuple[Array, str]]]:
    """Fill most holes with pawns of one to four colours, as other games begin; none lies beside."""
    make, share = usual_make(board, rng), rng.uniform(0.5, 0.97)
    seats = rng.choice(len(board.seats), int(rng.integers(1, 5)), replace=False)
    colors = {int(n): linear(random_color(board.colors[board.seats[n]], rng)) for n in seats}
    where: dict[int, str] = {}
    for number, hole in enumerate(board.holes):
        if rng.random() < share:
            seat = int(rng.choice(seats))
            where[number] = board.colors[board.seats[seat]]
            place = np.array([hole.x_mm, hole.y_mm]) + rng.normal(0, 0.01, 2) * board.pitch_mm
            stand(things, board, place, pawn_paint(board, colors[seat], rng), number, make, off=False)
    return where, []


def pawn_paint(board: BoardFile, color: Array, rng: Any) -> Paint:
    """The surface of one pawn: no two marbles are alike."""
    style = pawn_of(board).style
    material = MATERIALS.get(style, GLOSSY if rng.random() < 0.5 else MATT)
    other = np.array([0.85, 0.85, 0.85]) if color.mean() < 0.45 or rng.random() < 0.3 else color * 0.2
    paint = Paint(color * rng.uniform(0.92, 1.08), material, other, rng.uniform(0, 6.28))
    return replace(paint, twist=-1.0) if style == "clear" else paint
