"""Pictures that do not show the board, which the reader must refuse: drawn, seeded, of all kinds."""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, generate
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer

Array = Any
SIZE_PX = (960, 720)
WIDTH, HEIGHT = SIZE_PX


def plain(level: float) -> Array:
    """A picture of one colour."""
    return np.full((HEIGHT, WIDTH, 3), level, np.uint8)


def noise(rng: Any, coarse: int) -> Array:
    """Noise of some coarseness."""
    small = rng.integers(0, 255, (HEIGHT // coarse, WIDTH // coarse, 3), dtype=np.uint8)
    return cv2.resize(small, SIZE_PX, interpolation=cv2.INTER_CUBIC)


def checks(side: int) -> Array:
    """A checkered cloth."""
    y, x = np.mgrid[:HEIGHT, :WIDTH] // side
    return cv2.cvtColor((((x + y) % 2) * 180 + 40).astype(np.uint8), cv2.COLOR_GRAY2BGR)


def dots(step: int, radius: int, *, shifted: bool) -> Array:
    """A cloth of dots in rows, every other row shifted or not."""
    picture = plain(205)
    for row, y in enumerate(range(step // 2, HEIGHT, step)):
        for x in range(step // 2 + (step // 2 if shifted and row % 2 else 0), WIDTH, step):
            cv2.circle(picture, (x, y), radius, (60, 50, 70), -1, cv2.LINE_AA)
    return picture


def text(rng: Any) -> Array:
    """A printed page."""
    picture = plain(232)
    for y in range(40, HEIGHT, 26):
        line = "".join(chr(int(code)) for code in rng.integers(97, 122, 70))
        cv2.putText(picture, line, (30, y), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 1, cv2.LINE_AA)
    return picture


def stones(rng: Any) -> Array:
    """A go board with stones."""
    picture = plain(0)
    picture[:] = (120, 175, 215)
    for line in range(19):
        at = 60 + 33 * line
        cv2.line(picture, (180, at), (180 + 33 * 18, at), (40, 40, 40), 1, cv2.LINE_AA)
        cv2.line(picture, (120 + at, 60), (120 + at, 60 + 33 * 18), (40, 40, 40), 1, cv2.LINE_AA)
    for _ in range(120):
        x, y = rng.integers(0, 19, 2)
        level = 30 if rng.random() < 0.5 else 235
        cv2.circle(picture, (int(180 + 33 * x), int(60 + 33 * y)), 14, (level,) * 3, -1, cv2.LINE_AA)
    return picture


def other_board(board: BoardFile, *, markers: bool, turn_deg: float) -> Array:
    """Another board with its pawns in their camps."""
    pawns = [
        DrawnPawn(hole.x_mm, hole.y_mm, named_color(board.colors[hole.seat]))
        for hole in board.holes
        if hole.seat is not None and hole.kind.value == "camp"
    ]
    return Renderer(board, Appearance(size_px=SIZE_PX, markers=markers, turn_deg=turn_deg)).frame(pawns)


def pictures_without_board(seed: int = 1) -> Iterator[tuple[str, Array]]:
    """Yield pictures with no board of four zones in them, each with a name."""
    rng = np.random.default_rng(seed)
    yield "plain", plain(120)
    for coarse in (1, 12, 120):
        yield f"noise {coarse}", noise(rng, coarse)
    for side in (12, 80):
        yield f"checks {side}", checks(side)
    for step, radius in ((24, 5), (45, 12)):
        yield f"dots {step}", dots(step, radius, shifted=False)
        yield f"shifted dots {step}", dots(step, radius, shifted=True)
    yield "text", text(rng)
    yield "stones", stones(rng)
    for markers in (False, True):
        other = other_board(generate(6, 480.0), markers=markers, turn_deg=11.0)
        yield f"board of six zones, markers {markers}", other
