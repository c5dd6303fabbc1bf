"""Draws photos of some cards, for measuring and for tests; the faces are public domain (openclipart.org)."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from tock_vision.arrays import Floats, Frame

FACES = ("AS", "2H", "5D", "6C", "7S", "9H", "10S", "JD", "QC", "KH", "JOK_B", "JOK_C")
"""The cards that can be drawn."""
FACE_PX = (184, 256)
COLUMNS = 6
ROUND_PX = 12
SHADE_PX = 9


@cache
def face(name: str) -> Frame:
    """Picture of one of `FACES` (BGR, FACE_PX)."""
    data = np.frombuffer(Path(__file__).with_name("card_faces.webp").read_bytes(), np.uint8)
    sheet = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    row, column = divmod(FACES.index(name), COLUMNS)
    width, height = FACE_PX
    return sheet[row * height : (row + 1) * height, column * width : (column + 1) * width]


def table(size_px: tuple[int, int], seed: int = 1) -> Frame:
    """Draw an empty wooden table (width, height)."""
    rng = np.random.default_rng(seed)
    width, height = size_px
    grain = cv2.resize(rng.normal(0, 1, (height // 2, 9)).astype(np.float32), (width, height))
    wood = np.array([62.0, 98.0, 140.0]) + grain[..., None] * 9 + rng.normal(0, 3, (height, width, 1))
    return np.asarray(wood.clip(0, 255), dtype=np.uint8)


def lay(picture: Frame, name: str, middle: tuple[float, float], height_px: float, turn: float = 0.0) -> None:
    """Lay a card onto a picture; `turn` in radians, clockwise."""
    draw(picture, face(name), middle, height_px, turn)


def draw(picture: Frame, card: Frame, middle: tuple[float, float], height_px: float, turn: float) -> None:
    """Draw any picture of a card, with round corners and a soft shade around it."""
    height, width = card.shape[:2]
    scale = height_px / height
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    matrix: Floats = np.array([[cos, -sin, 0.0], [sin, cos, 0.0]])
    matrix[:, 2] = np.array(middle) - matrix[:, :2] @ np.array([width / 2, height / 2])
    reach = np.abs(matrix[:, :2]) @ np.array([width / 2, height / 2]) + 2 * SHADE_PX
    left, top = (int(v) for v in np.maximum(np.array(middle) - reach, 0))
    part = picture[top : int(middle[1] + reach[1]), left : int(middle[0] + reach[0])]
    if not part.size:
        return
    matrix[:, 2] -= (left, top)
    size = part.shape[1::-1]
    shape = np.zeros((height, width), np.uint8)
    cv2.rectangle(shape, (ROUND_PX, ROUND_PX), (width - ROUND_PX, height - ROUND_PX), 255, 2 * ROUND_PX)
    cv2.rectangle(shape, (ROUND_PX, ROUND_PX), (width - ROUND_PX, height - ROUND_PX), 255, -1)
    cover = cv2.warpAffine(shape, matrix, size, flags=cv2.INTER_AREA)[..., None].astype(np.float32) / 255
    seen = cv2.warpAffine(card, matrix, size, flags=cv2.INTER_AREA).astype(np.float32)
    shade = cv2.GaussianBlur(cover, (0, 0), SHADE_PX / 3)[..., None]
    below = part.astype(np.float32) * (1 - 0.35 * shade)
    part[:] = (below * (1 - cover) + seen * cover).clip(0, 255).astype(np.uint8)


def hand(names: list[str], size_px: tuple[int, int] = (1280, 960), spread: float = 0.0) -> Frame:
    """Draw a hand: side by side, or fanned where `spread` (radians from card to card) is not 0."""
    picture = table(size_px)
    width, height = size_px
    count = len(names)
    if spread:
        arm, high = height * 0.8, height * 0.42
        for number, name in enumerate(names):
            turn = (number - (count - 1) / 2) * spread
            middle = (width / 2 + arm * np.sin(turn), height * 0.5 + arm * (1 - np.cos(turn)))
            lay(picture, name, (float(middle[0]), float(middle[1])), high, turn)
        return picture
    high = min(height * 0.42, 0.9 * width / count * FACE_PX[1] / FACE_PX[0])
    for number, name in enumerate(names):
        lay(picture, name, (width * (number + 0.5) / count, height * 0.5), high, 0.08 * (number % 3 - 1))
    return picture
