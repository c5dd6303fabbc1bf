"""Things that stand and lie on the boards of training pictures: pawns, hands, cards, cups."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind, PawnShape
from tock_companion.rules import PAWNS_PER_SEAT
from tock_vision.holes.patches import pawn_height_mm
from vision.training.pictures.random_boards import random_color
from vision.training.pictures.ray_tracer import COVER_ID
from vision.training.pictures.shapes import CAPSULE, CARD, COLUMNS, GLASS, GLOSSY, MATT, SPHERE, SWIRL
from vision.training.pictures.wooden_boards import linear

Array = Any
MATERIALS = {"opaque": GLOSSY, "satin": MATT, "swirl": SWIRL, "cateye": GLASS, "clear": GLASS}


@dataclass
class Things:
    """Everything that stands or lies on the board, as rows for the tracer."""

    rows: list[Array]

    def ball(self, place: Array, radius: float, paint: "Paint", group: int) -> None:
        """Add a ball."""
        self._row(SPHERE, place, place, radius, paint, group)

    def rod(self, start: Array, end: Array, radius: float, paint: "Paint", group: int) -> None:
        """Add a rod with round ends."""
        self._row(CAPSULE, start, end, radius, paint, group)

    def card(self, place: Array, half: tuple[float, float], turn: float, paint: "Paint") -> None:
        """Add a flat card."""
        self._row(CARD, place, (*half, turn), float(np.hypot(*half)), paint, COVER_ID)

    def _row(self, kind: int, first: Array, second: Array, radius: float, paint: "Paint", group: int) -> None:
        row = np.zeros(COLUMNS)
        row[0], row[1:4], row[4:7], row[7] = kind, first, second, radius
        row[8:11], row[11], row[12:15], row[15], row[16] = (
            paint.color,
            paint.material,
            paint.other,
            paint.twist,
            group,
        )
        self.rows.append(row)

    def arrays(self) -> tuple[Array, Array]:
        """The rows, and balls around each: centre and squared radius."""
        rows = np.array(self.rows).reshape(-1, COLUMNS)
        bounds = np.column_stack([rows[:, 1:4], rows[:, 7] ** 2])
        rods = rows[:, 0] == CAPSULE
        bounds[rods, :3] = (rows[rods, 1:4] + rows[rods, 4:7]) / 2
        reach = np.linalg.norm(rows[rods, 1:4] - rows[rods, 4:7], axis=1) / 2 + rows[rods, 7]
        bounds[rods, 3] = reach**2
        return rows, bounds


Placing = Callable[[Things, BoardFile, Any], tuple[dict[int, str], list[tuple[Array, str]]]]
"""Stands pawns on a board: which hole has which colour, and what lies beside."""


def pawn_of(board: BoardFile) -> PawnShape:
    """The pawns of a board; every board that training makes has some."""
    assert board.pawn is not None, board.name
    return board.pawn


@dataclass(frozen=True)
class Paint:
    """Surface of a thing."""

    color: Array
    material: int = MATT
    other: Array = (0.8, 0.8, 0.8)
    twist: float = 0.0


def stand(
    things: Things, board: BoardFile, place: Array, paint: Paint, group: int, make: "Make", *, off: bool
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


@dataclass(frozen=True)
class Make:
    """Sizes of a set's tall pawns."""

    tall: float
    thick: float
    base: float
    head: float
    rng: Any


def _some_make(board: BoardFile, rng: Any) -> Make:
    pitch, hole_mm = board.pitch_mm, board.holes[0].d_mm
    peg = pawn_of(board).style == "peg"
    return Make(
        rng.uniform(0.75, 1.35) * pitch,
        hole_mm * rng.uniform(0.38, 0.55),
        rng.uniform(0.2, 0.3) * pitch,
        (0.0 if rng.random() < 0.5 else rng.uniform(1.2, 1.7)) if peg else rng.uniform(0.7, 0.95),
        rng,
    )


def place_pawns(
    things: Things, board: BoardFile, rng: Any, *, strictly: bool = False, pawn_rng: Any | None = None
) -> tuple[dict[int, str], list[tuple[Array, str]]]:
    """Stand pawns in holes, mostly four of a seat as in a game, and some beside them; return who is where.

    Strictly by the rules each seat has four, and other seats' pawns never stand in its camp and homes. Equal `pawn_rng`
    make equal pawns.
    """
    pawn_rng = pawn_rng or rng
    pitch, make = board.pitch_mm, _some_make(board, pawn_rng)
    free = list(range(len(board.holes)))
    where: dict[int, str] = {}
    loose = []
    shares = rng.dirichlet([1.0, 0.6, 1.0])
    for seat in board.seats:
        color = linear(random_color(board.colors[seat], pawn_rng))
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


def place_in_camps(
    things: Things, board: BoardFile, rng: Any, *, pawn_rng: Any
) -> tuple[dict[int, str], list[tuple[Array, str]]]:
    """Stand all pawns in their camps; they appear as those that `place_pawns` makes with an equal `pawn_rng`."""
    make, where = _some_make(board, pawn_rng), {}
    for seat in board.seats:
        color = linear(random_color(board.colors[seat], pawn_rng))
        for number, hole in enumerate(board.holes):
            if hole.kind is HoleKind.CAMP and hole.seat == seat:
                place = np.array([hole.x_mm, hole.y_mm]) + rng.normal(0, 0.01, 2) * board.pitch_mm
                stand(things, board, place, pawn_paint(board, color, rng), number, make, off=False)
                where[number] = board.colors[seat]
    return where, []


def place_crowd(things: Things, board: BoardFile, rng: Any) -> tuple[dict[int, str], list[tuple[Array, str]]]:
    """Fill most holes with pawns of one to four colours, as other games begin; none lies beside."""
    make, share = _some_make(board, rng), rng.uniform(0.5, 0.97)
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


def reach_over(things: Things, board: BoardFile, rng: Any) -> None:
    """Lay a hand with its arm over the board."""
    width, height = board.size_mm
    tip = rng.uniform(0.05, 0.95, 2) * [width, height]
    turn = np.arctan2(tip[1] - height / 2, tip[0] - width / 2) + rng.normal(0, 0.7)
    ahead, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    dark = rng.uniform(0, 1)
    skin = Paint(linear(np.array([150, 175, 222]) * (1 - dark) + np.array([45, 62, 95]) * dark), MATT)
    low = rng.uniform(6, 35)

    def spot(along: float, side: float, up: float) -> Array:
        return np.array([*(tip + along * ahead + side * across), low + up])

    flat = rng.random() < 0.3
    spread = rng.uniform(0.6, 1.4)
    for finger, (side, long) in enumerate(((-24, 12), (-8, 0), (8, 3), (24, 14))):
        bent = 30 if not flat and finger > 1 and rng.random() < 0.6 else 0
        knuckle = spot(78, side * 0.9, 30 if not flat else 10)
        middle = spot(40 + (long + bent) / 2, side * spread, 30 if not flat else 8)
        things.rod(spot(long + bent, side * spread * (1.0 if flat else 0.6), 0), middle, 7.0, skin, COVER_ID)
        things.rod(middle, knuckle, 8.5, skin, COVER_ID)
    thumb = spot(55, -40 if rng.random() < 0.5 else 40, 18)
    things.rod(spot(12 if not flat else 45, rng.uniform(-14, 14), 2), thumb, 8.5, skin, COVER_ID)
    things.rod(thumb, spot(105, 0, 28), 11.0, skin, COVER_ID)
    for side in (-22, -8, 8, 22):
        things.rod(spot(80, side, 28), spot(150, side * 0.7, 32), 13.0, skin, COVER_ID)
    bare = rng.uniform(160, 420)
    things.rod(spot(145, 0, 32), spot(bare, 0, 45), 27.0, skin, COVER_ID)
    sleeve = Paint(linear(rng.uniform(10, 235, 3)), MATT)
    things.rod(spot(bare - 30, 0, 45), spot(900, 0, 70), rng.uniform(36, 48), sleeve, COVER_ID)
    if not flat and rng.random() < 0.6:
        _hold(things, board, spot(4, 0, 0), rng)


def _hold(things: Things, board: BoardFile, at: Array, rng: Any) -> None:
    """Let fingertips hold a pawn above the board: it hides the holes behind it and stands in none."""
    color = linear(random_color(board.colors[board.seats[rng.integers(board.zones)]], rng))
    paint = pawn_paint(board, color, rng)
    shape = pawn_of(board)
    if shape.is_marble:
        things.ball((at[0], at[1], max(at[2], shape.radius_mm + 2)), shape.radius_mm, paint, COVER_ID)
        return
    lean, tall = rng.normal(0, 0.3, 2), 1.0 * board.pitch_mm
    foot = np.array([at[0], at[1], max(at[2] - 0.6 * tall, 3.0)])
    top = foot + tall * np.array([*lean, 1.0])
    things.rod(tuple(foot), tuple(top), 0.22 * board.holes[0].d_mm + 0.05 * board.pitch_mm, paint, COVER_ID)


def clutter(things: Things, board: BoardFile, rng: Any) -> None:
    """Lay cards, a cup or a phone onto the board."""
    middle = np.array(board.size_mm) / 2
    anywhere = rng.random() < 0.4
    for number in range(rng.integers(1, 5)):
        place = rng.uniform(0, 1, 2) * board.size_mm if anywhere else middle + rng.normal(0, 18, 2)
        ink = linear((40, 30, 200) if rng.random() < 0.5 else (25, 25, 25))
        face = rng.random() < 0.8
        color = linear(rng.uniform(205, 240, 3) if face else rng.uniform(40, 200, 3))
        paint = Paint(color, MATT, ink if face else color * 0.5, rng.uniform(0.5, 6))
        things.card((*place, 0.6 + 0.4 * number), (29.0, 44.0), rng.uniform(0, 3.14), paint)
    if rng.random() < 0.25:
        place = rng.uniform(0, 1, 2) * board.size_mm
        paint = Paint(linear(rng.uniform(10, 240, 3)), GLOSSY)
        radius = rng.uniform(28, 42)
        things.rod((*place, radius * 0.6), (*place, rng.uniform(60, 95)), radius, paint, COVER_ID)
