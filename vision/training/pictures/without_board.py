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


def rings(rng: Any) -> Array:
    """Discs of all sizes at random, as of coins and plates."""
    picture = plain(150)
    for _ in range(140):
        place = tuple(int(value) for value in rng.uniform(0, 1, 2) * SIZE_PX)
        color = tuple(int(value) for value in rng.integers(0, 255, 3))
        thick = -1 if rng.random() < 0.6 else 2
        cv2.circle(picture, place, int(rng.integers(4, 40)), color, thick, cv2.LINE_AA)
    return picture


def sunflower(count: int) -> Array:
    """Holes in a spiral, as of a colander or a lamp."""
    picture = plain(170)
    for number in range(count):
        angle, far = 2.4 * number, 330 * np.sqrt(number / count)
        place = (round(WIDTH / 2 + far * np.cos(angle)), round(HEIGHT / 2 + far * np.sin(angle)))
        cv2.circle(picture, place, 6, (30, 30, 30), -1, cv2.LINE_AA)
    return picture


def text(rng: Any) -> Array:
    """A printed page."""
    picture = plain(232)
    for y in range(40, HEIGHT, 26):
        line = "".join(chr(int(code)) for code in rng.integers(97, 122, 70))
        cv2.putText(picture, line, (30, y), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 1, cv2.LINE_AA)
    return picture


def cards(rng: Any) -> Array:
    """Playing cards on a table."""
    picture = plain(80)
    for _ in range(12):
        middle = rng.uniform(0.1, 0.9, 2) * SIZE_PX
        turn = rng.uniform(0, 180)
        box = cv2.boxPoints((middle.tolist(), (130.0, 190.0), float(turn))).astype(np.int32)
        cv2.fillPoly(picture, [box], (240, 240, 240), cv2.LINE_AA)
        for _ in range(8):
            spot = (middle + rng.normal(0, 35, 2)).astype(int).tolist()
            cv2.circle(
                picture, spot, 11, (30, 30, 200) if rng.random() < 0.5 else (30, 30, 30), -1, cv2.LINE_AA
            )
    return picture


def face() -> Array:
    """Something like a face."""
    picture = cv2.GaussianBlur(noise(np.random.default_rng(3), 60), (0, 0), 9)
    cv2.ellipse(picture, (480, 370), (190, 260), 0, 0, 360, (130, 160, 205), -1, cv2.LINE_AA)
    for x in (405, 555):
        cv2.ellipse(picture, (x, 310), (36, 18), 0, 0, 360, (240, 240, 240), -1, cv2.LINE_AA)
        cv2.circle(picture, (x, 310), 14, (70, 50, 30), -1, cv2.LINE_AA)
    cv2.ellipse(picture, (480, 480), (70, 26), 0, 0, 180, (80, 70, 170), -1, cv2.LINE_AA)
    return cv2.GaussianBlur(picture, (0, 0), 1.5)


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
    for level in (0, 120, 255):
        yield f"plain {level}", plain(level)
    for coarse in (1, 4, 12, 40, 120):
        yield f"noise {coarse}", noise(rng, coarse)
    for side in (12, 30, 80):
        yield f"checks {side}", checks(side)
    for step, radius in ((24, 5), (30, 8), (45, 12)):
        yield f"dots {step}", dots(step, radius, shifted=False)
        yield f"shifted dots {step}", dots(step, radius, shifted=True)
    for number in range(3):
        yield f"rings {number}", rings(rng)
        yield f"text {number}", text(rng)
        yield f"cards {number}", cards(rng)
        yield f"stones {number}", stones(rng)
    for count in (120, 300):
        yield f"sunflower {count}", sunflower(count)
    yield "face", face()
    for zones, size_mm in ((6, 480.0), (8, 520.0)):
        for markers in (False, True):
            yield (
                f"board of {zones}, markers {markers}",
                other_board(generate(zones, size_mm), markers=markers, turn_deg=11.0),
            )
