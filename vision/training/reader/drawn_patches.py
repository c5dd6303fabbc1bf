"""Patches from pictures drawn as for the simulated table, in styles of all kinds: hands, cards, cups, shadows, blur."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, load
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.network import COLORS
from tock_vision.holes.patches import pawn_height_mm
from tock_vision.rendering.appearance import DrawnCard, DrawnPawn
from tock_vision.rendering.renderer import Renderer
from tock_vision.rendering.sprites import draw_hand
from vision.training.pictures.random_boards import random_appearance, random_board, random_color
from vision.training.reader.collected_patches import HIDDEN_SHARE, Collected
from vision.training.reader.cut_patches import shaken

Array = Any


def random_pawns(board: BoardFile, rng: np.random.Generator) -> tuple[list[DrawnPawn], dict[str, Array]]:
    """Pawns in holes and some beside them, with the truth of every hole."""
    count = len(board.holes)
    truth = {"Y": np.zeros(count, int), "C": np.full(count, -1), "V": np.ones(count)}
    pawns = []
    colors = {seat: random_color(board.colors[seat], rng) for seat in board.seats}
    share = {"camp": rng.uniform(0.2, 0.9), "home": rng.uniform(0.1, 0.6), "track": rng.uniform(0.05, 0.25)}
    for number, hole in enumerate(board.holes):
        if rng.random() >= share.get(hole.kind.value, 0.3):
            continue
        own = hole.seat if hole.seat is not None and rng.random() < 0.7 else None
        seat = own if own is not None else board.seats[rng.integers(board.zones)]
        truth["Y"][number], truth["C"][number] = 1, COLORS.index(board.colors[seat])
        pawns.append(DrawnPawn(hole.x_mm, hole.y_mm, colors[seat], int(rng.integers(200))))
    for _ in range(rng.integers(0, 5)):
        x_mm, y_mm = rng.uniform(0, 1, 2) * board.size_mm
        if board.nearest(x_mm, y_mm)[1] > 0.75 * board.pitch_mm:
            color = colors[board.seats[rng.integers(board.zones)]]
            pawns.append(DrawnPawn(x_mm, y_mm, color, int(rng.integers(200))))
    return pawns, truth


def cover(frame: Array, pose: CameraPose, board: BoardFile, rng: np.random.Generator) -> Array:
    """Lay a hand, cards or a cup over the board; returns the mask of what they cover."""
    mask = np.zeros(frame.shape[:2], np.uint8)
    scale = float(np.median(pose.scale(hole_points_mm(board))))
    if rng.random() < 0.5:
        tip = rng.uniform(0.1, 0.9, 2) * board.size_mm
        blank = np.full_like(frame, 200)
        for picture in (blank, frame):
            draw_hand(picture, pose, (float(tip[0]), float(tip[1])))
        tint = np.ptp(blank.astype(int), axis=2) > 12
        shift = rng.uniform(0.5, 1.25) * np.exp(rng.normal(0, 0.12, 3))
        frame[tint] = np.clip(frame[tint] * shift, 0, 255)
        mask[tint] = 255
    for _ in range(rng.integers(0, 4) if rng.random() < 0.5 else 0):
        middle = pose.project((rng.uniform(0.05, 0.95, 2) * board.size_mm)[None])[0]
        size = (63 * scale, 88 * scale) if rng.random() < 0.7 else (70 * scale, 70 * scale)
        part = np.zeros_like(mask)
        box = cv2.boxPoints((tuple(middle), size, float(rng.uniform(0, 180)))).astype(np.int32)
        if size[0] == size[1]:
            cv2.circle(part, tuple(int(v) for v in middle), round(size[0] / 2), 255, -1, cv2.LINE_AA)
        else:
            cv2.fillPoly(part, [box], 255, cv2.LINE_AA)
        color = rng.uniform(190, 245, 3) if rng.random() < 0.6 else rng.uniform(20, 230, 3)
        layer = np.full_like(frame, 0)
        layer[:] = color
        for _ in range(rng.integers(0, 9)):
            spot = middle + rng.normal(0, 0.3, 2) * size
            ink = (30, 30, 190) if rng.random() < 0.5 else (30, 30, 30)
            cv2.circle(layer, tuple(int(v) for v in spot), max(1, round(4 * scale)), ink, -1, cv2.LINE_AA)
        cv2.copyTo(layer, part, frame)
        mask = np.maximum(mask, part)
    return mask


def weathered(frame: Array, rng: np.random.Generator) -> Array:
    """The frame with a hard shadow, a highlight, shake, blur and JPEG blocks, by chance."""
    height, width = frame.shape[:2]
    out = frame.astype(np.float32)
    if rng.random() < 0.4:
        shade = np.zeros((height, width), np.uint8)
        points = rng.uniform(-0.2, 1.2, (int(rng.integers(3, 6)), 2)) * [width, height]
        cv2.fillPoly(shade, [points.astype(np.int32)], 255)
        shade = cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(1, 25)))
        out *= 1 - rng.uniform(0.2, 0.65) * shade[..., None] / 255
    if rng.random() < 0.25:
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        place = rng.uniform(0, 1, 2) * [width, height]
        near = np.exp(-((x - place[0]) ** 2 + (y - place[1]) ** 2) / rng.uniform(60, 260) ** 2)
        out += rng.uniform(60, 220) * near[..., None]
    out = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        length = int(rng.integers(3, 9))
        kernel = np.zeros((length, length), np.float32)
        ends = (0, int(rng.integers(length))), (length - 1, int(rng.integers(length)))
        cv2.line(kernel, *ends, 1.0)
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 97))])[1]
    return cv2.imdecode(coded, cv2.IMREAD_COLOR)


def covered_share(mask: Array, pose: CameraPose, board: BoardFile) -> Array:
    """The share of each hole, with the pawn that could stand there, that lies under the mask."""
    shape = board.usual_pawn
    points = hole_points_mm(board)
    height = pawn_height_mm(board, shape) * (1.0 if shape.is_marble else 0.4)
    radius = pose.scale(points) * (shape.radius_mm if shape.is_marble else 0.25 * board.pitch_mm)
    share = np.zeros(len(points))
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    spots = np.vstack([[0, 0], *(part * np.stack([np.cos(angle), np.sin(angle)], 1) for part in (0.5, 0.9))])
    for number, (place, size) in enumerate(zip(pose.project(points, height), radius, strict=True)):
        at = (place + spots * size).round().astype(int)
        at = np.clip(at, 0, [mask.shape[1] - 1, mask.shape[0] - 1])
        share[number] = (mask[at[:, 1], at[:, 0]] > 127).mean()
    return share


def from_renderer(count: int, seed: int, folder: Path | None) -> Collected:
    """Draw pictures of all kinds of boards and cut them."""
    rng = np.random.default_rng(seed)
    boards = [load(path) for path in sorted((folder / "boards").glob("*.json"))] if folder else []
    out = Collected()
    for _ in range(count):
        board = random_board(boards, rng)
        appearance = random_appearance(rng)
        renderer = Renderer(board, appearance)
        for _ in range(2):
            pawns, truth = random_pawns(board, rng)
            card = DrawnCard("8H", True) if rng.random() < 0.3 else None
            frame = renderer.frame(pawns, None, card)
            share = covered_share(cover(frame, renderer.pose, board, rng), renderer.pose, board)
            truth["V"] = 1 - share
            truth["Y"][share > HIDDEN_SHARE] = 2
            truth["C"][share > HIDDEN_SHARE] = -1
            out.add(weathered(frame, rng), shaken(renderer.pose, board, rng), board, truth, 0)
    return out
