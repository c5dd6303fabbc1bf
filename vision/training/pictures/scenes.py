"""Makes pictures of boards that nobody owns, with the truth of every hole.

`python -m vision.training.pictures.scenes OUT_FOLDER --count 400`.

Writes `stills.jsonl` in the form of the given stills, with a board file for each picture. Needs numba.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, load, to_text
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose, rotation_matrix
from tock_vision.holes.patches import pawn_height_mm
from tock_vision.rendering.renderer import pose_of
from vision.training.pictures.random_boards import random_appearance, random_board
from vision.training.pictures.ray_tracer import COVER_ID, trace
from vision.training.pictures.shapes import CARD, CELL_MM, covered
from vision.training.pictures.things import Placing, Things, clutter, pawn_of, place_pawns, reach_over
from vision.training.pictures.wooden_boards import Board, wood

Array = Any
PAINTS: tuple[Literal["ring", "bowl", "disc"], ...] = ("ring", "bowl", "disc")
HIDDEN_SHARE = 0.4
EXPOSURES, IN_PLAY_SHARES = ("fair", "light", "dim"), (0.76, 0.12, 0.12)

Scene = tuple[Array, BoardFile, dict[str, Any]]
"""A picture as JPEG, its board as given to the reader, and the truth."""


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
    return cv2.imencode(".jpg", coded, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(78, 97))])[1]


def one_scene(boards: list[BoardFile], seed: int, *, in_play: bool = False) -> Scene:
    """A picture (as JPEG), its board and the truth of its holes.

    With `in_play` pawns stand as the rules allow, and light and hands are about as frequent as in the given stills.
    """
    rng = np.random.default_rng(seed)
    board = random_board(boards, rng)
    appearance = random_appearance(rng)
    if rng.random() < 0.35:
        appearance = replace(appearance, collar=None, paint=PAINTS[int(rng.choice(len(PAINTS)))])
    # The small frames of a quick look still have as many pixels from hole to hole as the stills.
    size_px = (800, 600) if appearance.size_px[1] == 960 else (900, 600)
    pose = pose_of(board, replace(appearance, fill=float(rng.uniform(0.75, 1.15)), size_px=size_px))
    drawn = Board(board, appearance, rng)
    if in_play:
        placing, exposure = partial(place_pawns, strictly=True), str(rng.choice(EXPOSURES, p=IN_PLAY_SHARES))
        truth = furnished(drawn, pose, rng, hands=0.25, things=0.45, placing=placing, exposure=exposure)
    else:
        truth = furnished(drawn, pose, rng, hands=0.35, things=0.45)
    origin, rows, bounds = truth["rows"]
    spots = beside(board, truth["loose"], origin, rows, bounds, np.random.default_rng(seed + 1_000_000))
    return truth["picture"], board, {"holes": truth["holes"], "view": truth["view"], "spots": spots}


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
        "picture": developed(light, rng, exposure),
        "holes": holes,
        "view": pose.params.tolist(),
        "loose": loose,
        "rows": (origin, rows, bounds),
    }


def beside(board: BoardFile, loose: Any, origin: Array, rows: Array, bounds: Array, rng: Any) -> list[Any]:
    """Places beside the holes, with and without a pawn that lies there."""
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


def write_scenes(folder: Path, seeds: Mapping[str, int], draw: Callable[[int], Scene]) -> None:
    """Draw the scenes with these names and numbers, and add a line for each to `stills.jsonl`."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "stills.jsonl").open("a") as log:
        for name, seed in seeds.items():
            data, board, truth = draw(seed)
            (folder / f"{name}.jpg").write_bytes(data.tobytes())
            (folder / f"{name}.json").write_text(to_text(board))
            log.write(json.dumps({"image": f"{name}.jpg", "board": f"{name}.json", **truth}) + "\n")
            log.flush()
            sys.stderr.write(f"{seed}\n")


def main() -> None:
    """Draw the scenes; those that are there already stay."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument(
        "--in-play",
        action="store_true",
        help="pawns by the rules, light and hands about as in the given stills",
    )
    parser.add_argument("--boards", type=Path, help="folder of board files whose layouts may be used too")
    args = parser.parse_args()
    boards = [load(path) for path in sorted(args.boards.glob("*.json"))] if args.boards else []
    numbers = range(args.first, args.first + args.count)
    write_scenes(
        args.out, {f"b{seed:05d}": seed for seed in numbers}, partial(one_scene, boards, in_play=args.in_play)
    )


if __name__ == "__main__":
    main()
