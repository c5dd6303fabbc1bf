"""Makes pictures of boards that nobody owns, with the truth of every hole: `scenes.py OUT_FOLDER --count 400`.

Writes `stills.jsonl` in the form of the given stills, with a board file for each picture. Needs numba.
"""

import argparse
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from make_data import random_board, random_color, random_look
from traced import (
    CAPSULE,
    CARD,
    CELL_MM,
    COLUMNS,
    COVER_ID,
    GLASS,
    GLOSSY,
    MATT,
    SPHERE,
    SWIRL,
    covered,
    trace,
)

from tock_companion.boardfile import BoardFile, HoleKind, load, to_text
from tock_companion.rules.geometry import PAWNS_PER_SEAT, ZONE_LENGTH
from tock_vision.patches import pawn_height_mm
from tock_vision.pattern import hole_points_mm
from tock_vision.render import Look, look_view, named_color
from tock_vision.view import View, rotation_matrix

Array = Any
HIDDEN_SHARE = 0.4
TEXTURE_PX_PER_MM = 3.0
MATERIALS = {"opaque": GLOSSY, "satin": MATT, "swirl": SWIRL, "cateye": GLASS}


def linear(color: Array) -> Array:
    """Return linear light from 0 to 1 of a BGR colour from 0 to 255."""
    return (np.clip(np.asarray(color, dtype=float), 0, 255) / 255.0) ** 2.2


def muted(color: Array, rng: Any) -> Array:
    """Return a colour nearer to grey, as most tables are."""
    grey = float(np.mean(color))
    return grey + (np.asarray(color) - grey) * rng.uniform(0.0, 0.6)


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
        """Return the rows, and balls around each: centre and squared radius."""
        rows = np.array(self.rows).reshape(-1, COLUMNS)
        bounds = np.column_stack([rows[:, 1:4], rows[:, 7] ** 2])
        rods = rows[:, 0] == CAPSULE
        bounds[rods, :3] = (rows[rods, 1:4] + rows[rods, 4:7]) / 2
        reach = np.linalg.norm(rows[rods, 1:4] - rows[rods, 4:7], axis=1) / 2 + rows[rods, 7]
        bounds[rods, 3] = reach**2
        return rows, bounds


@dataclass(frozen=True)
class Paint:
    """Surface of a thing."""

    color: Array
    material: int = MATT
    other: Array = (0.8, 0.8, 0.8)
    twist: float = 0.0


def wood(size_mm: tuple[float, float], color: Array, grain: float, scale: float, rng: Any) -> Array:
    """Return planks with streaks (linear light)."""
    width, height = (max(8, round(side * scale)) for side in size_mm)
    streaks = np.zeros((height, width), np.float32)
    for fine_mm, weight in ((1.0, 0.4), (4.0, 0.8), (20.0, 1.0)):
        shape = (
            max(2, round(size_mm[1] / fine_mm)),
            max(2, round(size_mm[0] / (fine_mm * rng.uniform(8, 30)))),
        )
        streaks += cv2.resize(
            rng.normal(0, weight, shape).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
        )
    streaks = np.clip(1 + grain * streaks / max(float(streaks.std()), 1e-6), 0.2, 2.0)
    if rng.random() < 0.5:
        streaks = np.ascontiguousarray(cv2.resize(streaks.T, (width, height)))
    return streaks[..., None] * linear(color).astype(np.float32)


class Board:
    """Texture, bowls and cells of one board as the tracer wants them."""

    def __init__(self, board: BoardFile, look: Look, rng: Any) -> None:
        self.board, self.look, self.rng = board, look, rng
        plain = wood(board.size_mm, look.board, look.grain, TEXTURE_PX_PER_MM, rng)
        self.drawing = (255 * plain ** (1 / 2.2)).clip(0, 255).astype(np.uint8)
        self.holes = np.zeros((len(board.holes), 12))
        tall = board.pawn is not None and not board.pawn.is_marble
        self.drilled = tall or rng.random() < 0.12
        self.depth = rng.uniform(1.2, 2.6) if self.drilled else rng.uniform(0.3, 0.95)
        self.inner_rim = not self.drilled and rng.random() < 0.15
        self._paint()
        self.texture = linear(self.drawing).astype(np.float32)
        size = [int(np.ceil(side)) + 1 for side in board.size_mm]
        self.cells = np.full((size[1], size[0]), -1, np.int32)
        self._bowls()

    def owner_color(self, hole: Any) -> Array | None:
        """Return the colour of the seat in whose colour a hole is painted."""
        seat = hole.seat
        if (
            seat is None
            and self.look.starts
            and hole.kind is HoleKind.TRACK
            and hole.index % ZONE_LENGTH == 0
        ):
            seat = self.board.seats[hole.index // ZONE_LENGTH]
        return None if seat is None else self.paints[seat]

    def _paint(self) -> None:
        rng, look, board = self.rng, self.look, self.board
        scale, sub = TEXTURE_PX_PER_MM, 16
        self.paints = {seat: random_color(board.colors[seat], rng) for seat in board.seats}

        def at(x: float, y: float) -> tuple[int, int]:
            return round((x * scale - 0.5) * sub), round((y * scale - 0.5) * sub)

        track = [hole for hole in board.holes if hole.kind is HoleKind.TRACK]
        if look.lines is not None:
            thick = max(1, round(rng.uniform(0.03, 0.09) * board.pitch_mm * scale))
            for first, second in zip(track, track[1:] + track[:1], strict=True):
                ends = at(first.x_mm, first.y_mm), at(second.x_mm, second.y_mm)
                cv2.line(self.drawing, *ends, look.lines, thick, cv2.LINE_AA, 4)
        ring = max(1, round(rng.uniform(0.04, 0.1) * board.pitch_mm * scale))
        ring_collar = rng.random() < 0.4
        for number, hole in enumerate(board.holes):
            radius = hole.d_mm / 2 * scale * sub
            place, owner = at(hole.x_mm, hole.y_mm), self.owner_color(hole)
            if look.collar is not None:
                size = round(radius * look.collar_size)
                cv2.circle(
                    self.drawing, place, size, look.collar, ring if ring_collar else -1, cv2.LINE_AA, 4
                )
            if owner is not None and look.paint in ("ring", "disc"):
                thick = ring if look.paint == "ring" else -1
                size = round(radius * max(look.ring_size, 1.15))
                cv2.circle(self.drawing, place, size, owner, thick, cv2.LINE_AA, 4)
            if number % ZONE_LENGTH in (0, 6) and rng.random() < 0.5:
                side = at(hole.x_mm + 0.5 * board.pitch_mm, hole.y_mm + 0.6 * board.pitch_mm)
                text = (side[0] // sub, side[1] // sub)
                cv2.putText(self.drawing, str(number % 19), text, 0, 0.5, (40, 40, 40), 1, cv2.LINE_AA)
        if look.circles:
            self._circles(at)
        if board.markers and rng.random() < 0.8:
            self._markers()

    def _circles(self, at: Any) -> None:
        for seat in self.board.seats:
            camp = [h for h in self.board.holes if h.kind is HoleKind.CAMP and h.seat == seat]
            middle = np.mean([[h.x_mm, h.y_mm] for h in camp], axis=0)
            far = (
                max(np.hypot(h.x_mm - middle[0], h.y_mm - middle[1]) for h in camp)
                + 0.6 * self.board.pitch_mm
            )
            color = self.paints[seat]
            cv2.circle(
                self.drawing, at(*middle), round(far * 16 * TEXTURE_PX_PER_MM), color, 4, cv2.LINE_AA, 4
            )

    def _markers(self) -> None:
        for marker in self.board.markers:
            half = round(marker.size_mm * 0.65 * TEXTURE_PX_PER_MM)
            x, y = round(marker.x_mm * TEXTURE_PX_PER_MM), round(marker.y_mm * TEXTURE_PX_PER_MM)
            area = self.drawing[max(y - half, 0) : y + half, max(x - half, 0) : x + half]
            area[:] = 225
            code = (self.rng.random((6, 6)) < 0.5).astype(np.uint8) * 180 + 40
            inner = area[half // 5 : -half // 5, half // 5 : -half // 5]
            if min(inner.shape[:2]) > 6:
                inner[:] = cv2.resize(code, inner.shape[1::-1], interpolation=cv2.INTER_NEAREST)[..., None]

    def _bowls(self) -> None:
        look, rng = self.look, self.rng
        same = rng.random() < 0.5
        for number, hole in enumerate(self.board.holes):
            radius = hole.d_mm / 2
            own = linear(look.hole) * rng.uniform(0.9, 1.1)
            if look.collar is not None and same and not self.drilled:
                own = linear(look.collar) * rng.uniform(0.8, 1.0)
            owner = self.owner_color(hole)
            if owner is not None and look.paint in ("bowl", "disc") and (look.paint == "bowl" or same):
                own = linear(owner) * rng.uniform(0.75, 1.0)
            row = self.holes[number]
            row[:5] = hole.x_mm, hole.y_mm, radius, self.depth * radius * rng.uniform(0.9, 1.1), self.drilled
            row[5:8] = own
            if owner is not None and (self.inner_rim or (self.drilled and look.paint == "bowl")):
                row[8], row[9:12] = 1.0, linear(owner)
                if not self.drilled:
                    row[5:8] = linear(look.hole)
            place = (round(hole.x_mm - 0.5), round(hole.y_mm - 0.5))
            cv2.circle(self.cells, place, int(np.ceil(radius)) + 2, number, -1)


def stand(
    things: Things, board: BoardFile, place: Array, paint: Paint, group: int, make: "Make", *, off: bool
) -> None:
    """Put a pawn into a hole, or beside one."""
    shape = board.pawn
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
    """How the tall pawns of a set are made."""

    tall: float
    thick: float
    base: float
    head: float
    rng: Any


def place_pawns(things: Things, board: BoardFile, rng: Any) -> tuple[dict[int, str], list[tuple[Array, str]]]:
    """Stand pawns in holes, mostly four of a seat as in a game, and some beside them; return who is where."""
    pitch, hole_mm = board.pitch_mm, board.holes[0].d_mm
    peg = board.pawn.style == "peg"
    make = Make(
        rng.uniform(0.75, 1.35) * pitch,
        hole_mm * rng.uniform(0.38, 0.55),
        rng.uniform(0.2, 0.3) * pitch,
        (0.0 if rng.random() < 0.5 else rng.uniform(1.2, 1.7)) if peg else rng.uniform(0.7, 0.95),
        rng,
    )
    free = list(range(len(board.holes)))
    where: dict[int, str] = {}
    loose = []
    shares = rng.dirichlet([1.0, 0.6, 1.0])
    for seat in board.seats:
        color = linear(random_color(board.colors[seat], rng))
        count = (
            PAWNS_PER_SEAT if rng.random() < 0.75 else int(rng.integers(0, 9 if rng.random() < 0.2 else 5))
        )
        for _ in range(count):
            kind = (HoleKind.CAMP, HoleKind.HOME, HoleKind.TRACK)[rng.choice(3, p=shares)]
            fit = [n for n in free if board.holes[n].kind is kind and board.holes[n].seat in (seat, None)]
            pool = fit if fit and rng.random() < 0.93 else free
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


def pawn_paint(board: BoardFile, color: Array, rng: Any) -> Paint:
    """Return the surface of one pawn: no two marbles are alike."""
    style = board.pawn.style
    material = MATERIALS.get(style, GLOSSY if rng.random() < 0.5 else MATT)
    other = np.array([0.85, 0.85, 0.85]) if color.mean() < 0.45 or rng.random() < 0.3 else color * 0.2
    return Paint(color * rng.uniform(0.92, 1.08), material, other, rng.uniform(0, 6.28))


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
        if not flat and finger > 1 and rng.random() < 0.6:
            long += 30
        knuckle = spot(78, side * 0.9, 30 if not flat else 10)
        middle = spot(40 + long / 2, side * spread, 30 if not flat else 8)
        things.rod(spot(long, side * spread * (1.0 if flat else 0.6), 0), middle, 7.0, skin, COVER_ID)
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


def light_of(rng: Any) -> tuple[Array, Array]:
    """Return a lamp (direction, colour, size, window frame) and the light from all around."""
    lamp = np.zeros(16)
    high = np.radians(rng.uniform(18, 80))
    turn = rng.uniform(0, 6.28)
    lamp[:3] = np.cos(high) * np.cos(turn), np.cos(high) * np.sin(turn), np.sin(high)
    sun = rng.random() < 0.35
    warm = rng.uniform(-0.15, 0.9) if rng.random() < 0.6 else 0.0
    color = np.array([1 - 0.6 * max(warm, 0), 1 - 0.15 * warm, 1 + 0.15 * warm])
    lamp[3:6] = color * rng.uniform(0.8, 2.4) * (1.4 if sun else 1.0)
    lamp[7] = rng.uniform(0.005, 0.03) if sun else np.exp(rng.uniform(np.log(0.05), np.log(0.6)))
    if sun or rng.random() < 0.2:
        lamp[8] = 2.0 if rng.random() < 0.3 else 1.0
        lamp[9] = rng.uniform(0, 3.14)
        lamp[11], lamp[13] = rng.uniform(120, 420, 2)
        lamp[10], lamp[12] = -rng.uniform(0, 500, 2)
        lamp[14], lamp[15] = rng.uniform(0.01, 0.15), rng.uniform(0.04, 0.2)
    ambient = np.array([1.0, 1.0, 1.0]) * (0.7 + 0.3 * color) * rng.uniform(0.15, 0.9)
    return lamp, ambient


def rays_of(view: View) -> tuple[Array, Array]:
    """Return where the camera is and where each pixel looks, in board coordinates with z up."""
    width, height = view.size_px
    xs, ys = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
    bent = np.stack([xs, ys], -1) - view.center_px
    straight = bent.copy()
    for _ in range(6):
        r2 = (straight**2).sum(-1, keepdims=True) / view.radius_px**2
        straight = bent / (1 + view.params[7] * np.minimum(r2, 2.25))
    rotation = rotation_matrix(view.params[:3])
    rays = np.concatenate([straight / np.exp(view.params[6]), np.ones((height, width, 1))], -1) @ rotation
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    origin = -rotation.T @ view.params[3:6]
    return origin * [1, 1, -1], rays * [1, 1, -1]


def lists_of(rows: Array, bounds: Array, source: Array, size: Array, *, far_away: bool) -> Array:
    """Return which things may lie between each cell of the plane and a source (shape: [rows, columns, some])."""
    shape = np.ceil(3 * size[::-1] / CELL_MM).astype(int)
    y, x = np.mgrid[: shape[0], : shape[1]]
    cells = np.stack([x, y], -1).reshape(-1, 1, 2) * CELL_MM + CELL_MM / 2 - size
    middle, radius = bounds[:, :3], np.sqrt(bounds[:, 3])
    away = np.broadcast_to(-source, middle.shape) if far_away else middle - source
    fall = np.minimum(middle[:, 2], 400) / np.maximum(-away[:, 2], 1e-3)
    foot = middle[:, :2] + away[:, :2] * fall[:, None]
    start = middle[:, :2] if far_away else foot
    line = foot - start
    along = ((cells - start) * line).sum(-1) / np.maximum((line**2).sum(-1), 1e-6)
    gap = np.linalg.norm(cells - start - np.clip(along, 0, 1)[..., None] * line, axis=-1)
    stretch = 1 / np.maximum(np.abs(away[:, 2]) / np.linalg.norm(away, axis=1), 0.2)
    reach = radius * (np.maximum(stretch, 5.5) if far_away else stretch * 1.2) + CELL_MM
    close = gap < np.where(
        rows[:, 0] == CARD, radius * stretch + CELL_MM, np.minimum(reach, radius * stretch + 60)
    )
    most = max(1, int(close.sum(1).max()))
    order = np.argsort(~close, axis=1, kind="stable")[:, :most]
    out = np.where(np.take_along_axis(close, order, 1), order, -1)
    return np.column_stack([out, np.full(len(out), -1)]).reshape(*shape, most + 1)


def visible_share(
    board: BoardFile, origin: Array, where: dict[int, str], rows: Array, bounds: Array
) -> Array:
    """Return how much of each pawn, or of each empty hole, the camera sees."""
    shape = board.pawn
    turn = np.arange(36) * 2.4
    disc = np.sqrt((np.arange(36) + 0.5) / 36)[:, None] * np.stack([np.cos(turn), np.sin(turn)], 1)
    out = np.ones(len(board.holes))
    for number, hole in enumerate(board.holes):
        foot = np.array([hole.x_mm, hole.y_mm, 0.0])
        if number not in where:
            points = foot + np.column_stack([disc * hole.d_mm / 2, np.zeros(36)])
        elif shape.is_marble:
            middle = foot + [0, 0, pawn_height_mm(board, shape)]
            ahead = (origin - middle) / np.linalg.norm(origin - middle)
            side = np.cross(ahead, [0.0, 0.0, 1.0] if abs(ahead[2]) < 0.9 else [1.0, 0.0, 0.0])
            side /= np.linalg.norm(side)
            basis = np.stack([side, np.cross(ahead, side)])
            points = middle + disc @ basis * shape.radius_mm * 0.95 + ahead * shape.radius_mm
        else:
            points = foot + np.column_stack([disc * 1.5, np.linspace(0, 0.9 * board.pitch_mm, 36)])
        group = number if number in where else -2
        out[number] = 1 - covered(origin, points, group, rows, bounds)
    return out


def developed(light: Array, rng: Any) -> Array:
    """Return what a camera makes of the light: exposure, colour cast, blur, noise, JPEG."""
    lum = light.mean(-1)
    kind = rng.choice(["fair", "dim", "bright"], p=[0.66, 0.2, 0.14])
    target = {"fair": (0.1, 0.3), "dim": (0.012, 0.06), "bright": (0.35, 0.9)}[str(kind)]
    out = light * (rng.uniform(*target) / max(float(np.median(lum)), 1e-4))
    out = out * np.exp(rng.normal(0, 0.12, 3))
    height, width = lum.shape
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    out = out * (1 - rng.uniform(0, 0.35) * (x * x + y * y) / 2)[..., None]
    out = out.astype(np.float32)
    out = cv2.GaussianBlur(
        out, (0, 0), float(rng.choice([0.5, 0.7, 1.0, 1.5, 2.3], p=[0.3, 0.3, 0.2, 0.13, 0.07]))
    )
    if rng.random() < 0.15:
        length = int(rng.integers(3, 10))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    strength = rng.uniform(0.002, 0.02) * (2.5 if kind == "dim" else 1.0)
    noise = rng.normal(0, 1, out.shape).astype(np.float32)
    if rng.random() < 0.5:
        noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 1.8
    out = out + noise * strength * np.sqrt(np.maximum(out, 0.0) + 0.01)
    coded = (255 * np.clip(out, 0, 1) ** (1 / rng.uniform(2.0, 2.4))).astype(np.uint8)
    return cv2.imencode(".jpg", coded, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(78, 97))])[1]


def one_scene(boards: list[BoardFile], seed: int) -> tuple[Array, BoardFile, dict[str, Any]]:
    """Return a picture (as JPEG), its board and the truth of its holes."""
    rng = np.random.default_rng(seed)
    board = random_board(boards, rng)
    look = random_look(rng)
    if rng.random() < 0.35:
        look = replace(look, collar=None, paint=str(rng.choice(["ring", "bowl", "disc"])))
    # The small frames of a quick look still have as many pixels from hole to hole as the stills.
    size_px = (800, 600) if look.size_px[1] == 960 else (900, 600)
    view = look_view(board, replace(look, fill=float(rng.uniform(0.75, 1.15)), size_px=size_px))
    drawn = Board(board, look, rng)
    things = Things([])
    where, loose = place_pawns(things, board, rng)
    if rng.random() < 0.35:
        reach_over(things, board, rng)
    if rng.random() < 0.45:
        clutter(things, board, rng)
    table = wood((board.size_mm[0] * 3, board.size_mm[1] * 3), muted(look.table, rng), 0.1, 0.8, rng)
    rows, bounds = things.arrays()
    lamp, ambient = light_of(rng)
    origin, rays = rays_of(view)
    size = np.array(board.size_mm)
    places = view.project(hole_points_mm(board))
    close = np.zeros(view.size_px[::-1], np.uint8)
    for place, scale in zip(places, view.scale(hole_points_mm(board)), strict=True):
        at = tuple(int(value) for value in np.clip(place, -500, 5000))
        cv2.circle(close, at, round(1.5 * board.pitch_mm * scale), 1, -1)
    seen_from = lists_of(rows, bounds, origin, size, far_away=False)
    lit_from = lists_of(rows, bounds, lamp[:3], size, far_away=True)
    light = trace(
        origin, rays, close > 0, drawn.texture, table, size, drawn.holes, drawn.cells, rng.uniform(0, 1.2),
        lamp, ambient, rows, bounds, seen_from, lit_from, int(rng.integers(2**31)),
    )  # fmt: skip
    seen = visible_share(board, origin, where, rows, bounds)
    outside = ((places < 4) | (places > np.array(view.size_px) - 5)).any(1)
    holes = {
        hole.id: {
            "px": [round(float(value), 2) for value in places[n]],
            "state": "pawn" if n in where else "empty",
            "color": where.get(n),
            "hidden": bool(seen[n] < 1 - HIDDEN_SHARE or outside[n]),
            "visible": round(float(seen[n]) * (not outside[n]), 3),
        }
        for n, hole in enumerate(board.holes)
    }
    spots = beside(board, loose, origin, rows, bounds, np.random.default_rng(seed + 1_000_000))
    return developed(light, rng), board, {"holes": holes, "view": view.params.tolist(), "spots": spots}


def beside(board: BoardFile, loose: Any, origin: Array, rows: Array, bounds: Array, rng: Any) -> list[Any]:
    """Return places beside the holes, with and without a pawn that lies there."""
    spots = []
    lying = np.array([place for place, _ in loose]).reshape(-1, 2)
    pitch = board.pitch_mm
    tries = [(place + rng.normal(0, 0.08, 2) * pitch, color) for place, color in loose for _ in range(2)]
    tries += [(rng.uniform(0.02, 0.98, 2) * board.size_mm, None) for _ in range(14)]
    for place, color in tries:
        gap = np.linalg.norm(lying - place, axis=1).min() if len(lying) else 1e9
        if color is None and (gap < 1.1 * pitch or board.nearest(*place)[1] < 0.6 * pitch):
            continue
        foot = np.array([*place, 0.0])
        points = foot + np.column_stack([rng.normal(0, 0.15, (24, 2)) * pitch, np.full(24, 0.3)])
        hidden = covered(origin, points, COVER_ID + 1, rows, bounds)
        spots.append({"mm": place.tolist(), "color": color, "visible": round(1 - hidden, 3)})
    return spots


def main() -> None:
    """Draw the scenes; those that are there already stay."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--boards", type=Path, help="folder of board files whose layouts may be used too")
    args = parser.parse_args()
    boards = [load(path) for path in sorted(args.boards.glob("*.json"))] if args.boards else []
    args.out.mkdir(parents=True, exist_ok=True)
    with (args.out / "stills.jsonl").open("a") as log:
        for seed in range(args.first, args.first + args.count):
            data, board, truth = one_scene(boards, seed)
            name = f"b{seed:05d}"
            (args.out / f"{name}.jpg").write_bytes(data.tobytes())
            (args.out / f"{name}.json").write_text(to_text(board))
            log.write(json.dumps({"image": f"{name}.jpg", "board": f"{name}.json", **truth}) + "\n")
            log.flush()
            sys.stderr.write(f"{seed}\n")


if __name__ == "__main__":
    main()
