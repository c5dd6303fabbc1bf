"""Things that stand on or reach over the board, drawn into a frame: pawns, a hand with its arm, a card."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, PawnShape
from tock_vision.arrays import Floats, Frame, Singles
from tock_vision.camera_pose import CameraPose, rotation_matrix
from tock_vision.holes.patches import pawn_height_mm

Color = tuple[float, ...]
TEXTURE_PX = 64
EDGE = 1.1
"""The texture reaches from minus this to plus this many radii."""
PALE = (232.0, 236.0, 236.0)
CLEAR = (96.0, 104.0, 104.0)
LAMP = np.array([-0.38, -0.52, 0.76])
"""Direction of the light in the frame: from the left, from above, from the camera's side."""
SKIN: Color = (118.0, 150.0, 198.0)
CARD_MM = (63.0, 88.0)
MAX_PAWN_SHARE = 0.25
"""Radius of a pawn in the shorter side of the frame, however near the camera a board would have it."""


@dataclass(frozen=True)
class Paint:
    """Colour of a pawn (BGR, 0 to 255), the light on it, and the seed of its pattern."""

    color: tuple[float, float, float]
    light: Sequence[float]
    seed: int


@lru_cache(maxsize=1)
def _ball() -> tuple[Singles, Singles, Singles]:
    """Shade, highlight and coverage of a ball (shape: [TEXTURE_PX, TEXTURE_PX] each)."""
    steps = ((np.arange(TEXTURE_PX) + 0.5) / TEXTURE_PX * 2 - 1) * EDGE
    x, y = np.meshgrid(steps, steps)
    r2 = x * x + y * y
    z = np.sqrt(np.maximum(1.0 - r2, 0.0))
    facing = np.maximum(x * LAMP[0] + y * LAMP[1] + z * LAMP[2], 0.0)
    shade = 0.42 + 0.68 * facing
    # The mirror direction of the lamp, seen from straight above.
    shine = np.maximum(2 * facing * z - LAMP[2], 0.0) ** 24
    cover = np.clip((1.0 - np.sqrt(r2)) * TEXTURE_PX / 2.2 + 0.5, 0.0, 1.0)
    return shade.astype(np.float32), shine.astype(np.float32), cover.astype(np.float32)


def _blend(picture: Frame, layer: Singles, cover: Singles, left: int, top: int) -> None:
    """Lay colours over the picture where they cover it; parts outside the frame fall away."""
    height, width = picture.shape[:2]
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + cover.shape[1], width), min(top + cover.shape[0], height)
    if x0 >= x1 or y0 >= y1:
        return
    own = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    area = picture[y0:y1, x0:x1]
    weight = cover[own][..., None]
    area[...] = (area * (1.0 - weight) + layer[own] * weight).astype(np.uint8)


def _shadow(picture: Frame, center: Floats, radius: float, depth: float) -> None:
    side = int(np.ceil(radius * 3)) | 1
    left, top = (int(v) for v in np.floor(center - side / 2))
    steps = np.arange(side) + 0.5
    x, y = steps[None, :] + left - center[0], steps[:, None] + top - center[1]
    cover = depth * np.exp(-(((x * x + y * y) / (radius * radius)) ** 2))
    _blend(picture, np.zeros((side, side, 3), np.float32), cover.astype(np.float32), left, top)


def _draw_ball(picture: Frame, center: Floats, radius: float, color: Singles, gloss: float) -> None:
    """Draw a lit ball; `color` is one BGR colour or a texture of them."""
    shade, shine, cover = _ball()
    colored = shade[..., None] * color + 235.0 * gloss * shine[..., None]
    side = int(np.ceil(radius * 2.2)) + 2
    left, top = (int(v) for v in np.floor(center - side / 2))
    zoom = 2.2 * radius / TEXTURE_PX
    matrix = np.array(
        [
            [zoom, 0.0, center[0] - left - zoom * (TEXTURE_PX - 1) / 2 - 0.5],
            [0.0, zoom, center[1] - top - zoom * (TEXTURE_PX - 1) / 2 - 0.5],
        ]
    )
    flags = cv2.INTER_AREA if zoom < 0.5 else cv2.INTER_LINEAR
    stack = cv2.warpAffine(np.dstack([colored, cover]), matrix, (side, side), flags=flags)
    _blend(picture, np.minimum(stack[..., :3], 255.0), stack[..., 3], left, top)


def draw_pawn(
    picture: Frame, pose: CameraPose, board: BoardFile, shape: PawnShape, place_mm: Floats, paint: Paint
) -> None:
    """Draw a marble, or a peg or pion as a stack of balls, with the shadow that it throws."""
    scale = float(pose.scale(place_mm)[0])
    height = pawn_height_mm(board, shape)
    foot = pose.project(place_mm)[0]
    most = MAX_PAWN_SHARE * min(picture.shape[:2])
    gloss = 0.35 if shape.style == "satin" else 1.0
    light = np.array(paint.light, dtype=np.float32)
    if shape.is_marble:
        radius = min(shape.radius_mm * scale, most)
        _shadow(picture, foot + np.array([0.5, 0.6]) * radius, radius * 1.05, 0.45)
        texture = marble_texture(shape.style, paint.color, paint.seed) * light
        _draw_ball(picture, pose.project(place_mm, height)[0], radius, texture, gloss)
        return
    color = np.array(paint.color, dtype=np.float32) * light
    radius = min(0.2 * board.pitch_mm * scale, most)
    for step in np.linspace(0.0, 1.0, 6):
        away = foot + np.array([0.4, 0.5]) * step * height * scale * 0.6
        _shadow(picture, away, radius * 1.1, 0.16)
    steps = np.linspace(0.0, 1.0, 9)
    centers = pose.project(np.repeat(place_mm, len(steps), axis=0), steps * height)
    for step, center in zip(steps, centers, strict=True):
        _draw_ball(picture, center, max(radius * _profile(shape.style, float(step)), 1.0), color, 0.3 * gloss)


def _profile(style: str, step: float) -> float:
    """Thickness of a tall pawn from foot (0) to top (1), in radii of its foot."""
    if style == "pion":
        # A cone with a round head.
        return 1.15 - 0.75 * step if step < 0.8 else 0.85
    return 0.85 if step < 0.8 else 1.05


def draw_hand(picture: Frame, pose: CameraPose, tip_mm: tuple[float, float]) -> None:
    """Draw a hand that points at a place, with its arm to the nearest edge of the frame and its shadow."""
    height, width = picture.shape[:2]
    scale = float(pose.scale(np.array([tip_mm]))[0])
    tip = pose.project(np.array([tip_mm]), 20.0)[0]
    middle = np.array([width / 2, height / 2])
    away = tip - middle
    direction = (
        np.array([np.sign(away[0]) or 1.0, 0.25]) if abs(away[0]) > abs(away[1]) else np.array([0.2, 1.0])
    )
    if abs(away[1]) >= abs(away[0]) and away[1] < 0:
        direction[1] = -1.0
    direction = direction / np.linalg.norm(direction)
    across = np.array([-direction[1], direction[0]])

    def outline(points: list[tuple[float, float]]) -> Floats:
        mm = [tip + (along * direction + side * across) * scale for along, side in points]
        return (np.array(mm) * 16).round().astype(np.int32)

    finger = [(0.0, -5.0), (0.0, 5.0), (45.0, 9.0), (45.0, -9.0)]
    thumb = [(8.0, 20.0), (2.0, 27.0), (50.0, 42.0), (60.0, 25.0)]
    palm = [(35.0, -32.0), (35.0, 34.0), (110.0, 36.0), (125.0, 28.0), (125.0, -28.0), (105.0, -38.0)]
    arm = [(115.0, -28.0), (115.0, 28.0), (1200.0, 45.0), (1200.0, -45.0)]
    mask = np.zeros((height, width), np.uint8)
    sleeve = np.zeros_like(mask)
    for part in (finger, thumb, palm, arm):
        cv2.fillPoly(mask, [outline(part)], 255, cv2.LINE_AA, 4)
    cv2.circle(mask, tuple(int(v) for v in tip.round()), max(2, round(5 * scale)), 255, -1, cv2.LINE_AA)
    cv2.fillPoly(sleeve, [outline([(150.0, -40.0), (150.0, 40.0), (1200.0, 55.0), (1200.0, -55.0)])], 255)
    offset = round(14 * scale)
    shadow = cv2.blur(np.roll(mask, (offset, offset), (0, 1)), (2 * offset + 1, 2 * offset + 1))
    dim = cv2.cvtColor(255 - shadow // 2, cv2.COLOR_GRAY2BGR)
    cv2.multiply(picture, dim, dst=picture, scale=1 / 255.0)
    rounded = cv2.blur(mask, (2 * offset + 1, 2 * offset + 1))
    skin = cv2.merge(
        [cv2.convertScaleAbs(rounded, alpha=value * 0.65 / 255, beta=value * 0.35) for value in SKIN]
    )
    cv2.copyTo(skin, mask, picture)
    cv2.copyTo(np.full_like(picture, (92, 60, 44)), sleeve, picture)


def draw_card(picture: Frame, pose: CameraPose, board: BoardFile, text: str, red: bool) -> None:
    """Draw a card on the table, right of the board."""
    scale = 4.0
    size = (round(CARD_MM[0] * scale), round(CARD_MM[1] * scale))
    card: Frame = np.full((size[1], size[0], 3), 236, np.uint8)
    cv2.rectangle(card, (2, 2), (size[0] - 3, size[1] - 3), (170, 170, 170), 2)
    ink = (40, 30, 190) if red else (30, 30, 30)
    for _ in range(2):
        cv2.putText(card, text, (14, 60), cv2.FONT_HERSHEY_DUPLEX, 1.8, ink, 4, cv2.LINE_AA)
        card = cv2.rotate(card, cv2.ROTATE_180)
    left, top = board.size_mm[0] + 12.0, board.size_mm[1] / 2 - CARD_MM[1] / 2
    corners_mm = np.array([[0, 0], [CARD_MM[0], 0], list(CARD_MM), [0, CARD_MM[1]]]) + np.array([left, top])
    seen = pose.project(corners_mm).astype(np.float32)
    flat = np.array([[0, 0], [size[0], 0], list(size), [0, size[1]]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(flat, seen)
    frame_size = (picture.shape[1], picture.shape[0])
    cover = cv2.warpPerspective(np.full(card.shape[:2], 255, np.uint8), matrix, frame_size)
    laid = cv2.warpPerspective(card, matrix, frame_size, flags=cv2.INTER_AREA)
    cv2.copyTo(laid, cover, picture)


@lru_cache(maxsize=256)
def marble_texture(style: str, color: tuple[float, float, float], seed: int) -> Singles:
    """Colours of a marble seen from above (BGR, 0 to 255, shape: [TEXTURE_PX, TEXTURE_PX, 3])."""
    rng = np.random.default_rng(seed)
    base = np.array(color)
    steps = ((np.arange(TEXTURE_PX) + 0.5) / TEXTURE_PX * 2 - 1) * EDGE
    x, y = np.meshgrid(steps, steps)
    z = np.sqrt(np.maximum(1.0 - x * x - y * y, 0.0))
    turned = np.stack([x, y, z], axis=-1) @ rotation_matrix(rng.uniform(-2, 2, 3))
    if style == "swirl":
        # Ribbons that wind around the ball.
        angle = np.arctan2(turned[..., 1], turned[..., 0])
        wave = np.sin(
            rng.integers(1, 4) * angle + rng.uniform(1.5, 5.0) * turned[..., 2] + rng.uniform(0, 6.3)
        )
        share = _soft(wave - rng.uniform(0.1, 0.75), 0.12)
        other = np.array(PALE) if base.mean() < 190 else base * 0.45
        mixed = base + share[..., None] * (other - base)
    elif style == "cateye":
        # Clear glass, and a flat vane of colour through its middle.
        vane = _soft(
            rng.uniform(0.35, 0.6) - np.abs(turned[..., 0] + 0.25 * np.sin(3 * turned[..., 1])), 0.15
        )
        glass = 0.45 * np.array(CLEAR) + 0.55 * base
        mixed = glass + vane[..., None] * (base - glass)
    else:
        mixed = np.broadcast_to(base, (TEXTURE_PX, TEXTURE_PX, 3))
    return np.ascontiguousarray(mixed, dtype=np.float32)


def _soft(value: Singles, width: float) -> Singles:
    """A soft step from 0 below zero to 1 above."""
    share: Singles = np.clip(value / width * 0.5 + 0.5, 0.0, 1.0)
    return share
