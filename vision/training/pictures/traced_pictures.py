"""Traces a picture of a board with pawns, hands and other things on it, with the truth of every hole.

Needs numba.
"""

from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose, rotation_matrix
from tock_vision.holes.patches import pawn_height_mm
from vision.training.pictures.clutter import clutter, reach_over
from vision.training.pictures.pawns import Placing, pawn_of, place_pawns
from vision.training.pictures.ray_tracer import trace
from vision.training.pictures.shapes import CARD, CELL_MM, covered
from vision.training.pictures.things import Things
from vision.training.pictures.wooden_boards import Board, wood

Array = Any
HIDDEN_SHARE = 0.4


def muted(color: Array, rng: Any) -> Array:
    """A colour nearer to grey, as most tables are."""
    grey = float(np.mean(color))
    return grey + (np.asarray(color) - grey) * rng.uniform(0.0, 0.6)


def light_of(rng: Any) -> tuple[Array, Array]:
    """A lamp (direction, colour, size, window frame) and the light from all around."""
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


def rays_of(pose: CameraPose) -> tuple[Array, Array]:
    """The place of the camera and the direction of each pixel, in board coordinates with z up."""
    width, height = pose.size_px
    xs, ys = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
    bent = np.stack([xs, ys], -1) - pose.center_px
    straight = bent.copy()
    for _ in range(6):
        r2 = (straight**2).sum(-1, keepdims=True) / pose.radius_px**2
        straight = bent / (1 + pose.params[7] * np.minimum(r2, 2.25))
    rotation = rotation_matrix(pose.params[:3])
    rays = np.concatenate([straight / np.exp(pose.params[6]), np.ones((height, width, 1))], -1) @ rotation
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    origin = -rotation.T @ pose.params[3:6]
    return origin * [1, 1, -1], rays * [1, 1, -1]


def lists_of(rows: Array, bounds: Array, source: Array, size: Array, *, far_away: bool) -> Array:
    """The things that may lie between each cell of the plane and a source (shape: [rows, columns, some])."""
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
    """The share of each pawn, or of each empty hole, that the camera sees."""
    shape = pawn_of(board)
    turn = np.arange(36) * 2.4
    disc = np.sqrt((np.arange(36) + 0.5) / 36)[:, None] * np.stack([np.cos(turn), np.sin(turn)], 1)
    out = np.ones(len(board.holes))
    for number, hole in enumerate(board.holes):
        foot = np.array([hole.x_mm, hole.y_mm, 0.0])
        if number not in where:
            points = foot + np.column_stack([disc * hole.d_mm / 2, np.zeros(36)])
        elif shape.is_marble:
            middle = foot + np.array([0.0, 0.0, pawn_height_mm(board, shape)])
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


def developed(light: Array, rng: Any, exposure: str | None = None) -> Array:
    """Develop light as a camera does: exposure (fair, light, dim or bright), colour cast, blur, noise, JPEG."""
    lum = light.mean(-1)
    kind = exposure or rng.choice(["fair", "dim", "bright"], p=[0.66, 0.2, 0.14])
    ranges = {"fair": (0.1, 0.3), "light": (0.25, 0.5), "dim": (0.012, 0.06), "bright": (0.35, 0.9)}
    out = light * (rng.uniform(*ranges[str(kind)]) / max(float(np.median(lum)), 1e-4))
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
    jpeg = cv2.imencode(".jpg", coded, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(78, 97))])[1]
    return cv2.imdecode(jpeg, cv2.IMREAD_COLOR)


def furnished(
    drawn: Board,
    pose: CameraPose,
    rng: Any,
    *,
    hands: float,
    things: float,
    placing: Placing = place_pawns,
    exposure: str | None = None,
) -> dict[str, Any]:
    """Put pawns, perhaps a hand and other things onto a board, light it, and take its picture."""
    board = drawn.board
    lying = Things([])
    where, loose = placing(lying, board, rng)
    if rng.random() < hands:
        reach_over(lying, board, rng)
    if rng.random() < things:
        clutter(lying, board, rng)
    table = wood(
        (board.size_mm[0] * 3, board.size_mm[1] * 3), muted(drawn.appearance.table, rng), 0.1, 0.8, rng
    )
    rows, bounds = lying.arrays()
    lamp, ambient = light_of(rng)
    origin, rays = rays_of(pose)
    size = np.array(board.size_mm)
    places = pose.project(hole_points_mm(board))
    close = np.zeros(pose.size_px[::-1], np.uint8)
    for place, scale in zip(places, pose.scale(hole_points_mm(board)), strict=True):
        at = tuple(int(value) for value in np.clip(place, -500, 5000))
        cv2.circle(close, at, round(1.5 * board.pitch_mm * scale), 1, -1)
    seen_from = lists_of(rows, bounds, origin, size, far_away=False)
    lit_from = lists_of(rows, bounds, lamp[:3], size, far_away=True)
    light = trace(
        origin, rays, close > 0, drawn.texture, table, size, drawn.holes, drawn.cells, rng.uniform(0, 1.2),
        lamp, ambient, rows, bounds, seen_from, lit_from, int(rng.integers(2**31)),
    )  # fmt: skip
    seen = visible_share(board, origin, where, rows, bounds)
    outside: Array = ((places < 4) | (places > np.array(pose.size_px) - 5)).any(1)
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
    return {
        "frame": developed(light, rng, exposure),
        "holes": holes,
        "view": pose.params.tolist(),
        "loose": loose,
        "rows": (origin, rows, bounds),
    }
