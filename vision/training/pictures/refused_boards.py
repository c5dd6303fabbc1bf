"""Drawn boards that discovery must refuse: boards of other games, and Tock boards that cannot be read."""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import generate
from tock_vision.rendering.appearance import Appearance
from tock_vision.rendering.renderer import Renderer

Array = Any
SIZE_PX = (1280, 960)
WOOD, DARK = (96, 150, 190), (40, 62, 82)


def chinese_checkers() -> Array:
    """A six-pointed star of 121 holes."""
    rows = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
    return np.array(
        [
            (column - (count - 1) / 2 + 0j) + 1j * (row - 8) * np.sqrt(3) / 2
            for row, count in enumerate(rows)
            for column in range(count)
        ]
    )


def solitaire() -> Array:
    """A cross of 33 holes in a square grid."""
    return (
        np.array([x + 1j * y for x in range(-3, 4) for y in range(-3, 4) if abs(x) < 2 or abs(y) < 2]) * 1.3
    )


def grid(side: int) -> Array:
    """A square grid of holes, as of a go board or a peg board."""
    steps = np.arange(side) - (side - 1) / 2
    return (steps[:, None] + 1j * steps[None]).ravel()


def dog(length: int, zones: int = 4) -> Array:
    """A ring of `length` holes a zone with homes and camps of four, as for Brändi Dog."""
    count = length * zones
    radius = count / (2 * np.pi)
    ring = radius * np.exp(2j * np.pi * np.arange(count) / count)
    turn = np.exp(2j * np.pi * np.arange(zones) / zones)
    home = np.array([radius - 1 - step for step in range(4)])
    camp = (radius + 2.2 + np.array([0, 1.1, 1.1j, 1.1 + 1.1j])) * np.exp(1j * np.pi / zones)
    return np.concatenate([ring, (home * turn[:, None]).ravel(), (camp * turn[:, None]).ravel()])


def ludo() -> Array:
    """A cross of 40 fields, ten a zone, with homes and camps of four."""
    zone = [-1 + 5j, -1 + 4j, -1 + 3j, -1 + 2j, -1 + 1j, -2 + 1j, -3 + 1j, -4 + 1j, -5 + 1j, -5 + 0j]
    home = [1j * step for step in (4, 3, 2, 1)]
    camp = [-4.5 + 4.5j, -3.5 + 4.5j, -4.5 + 3.5j, -3.5 + 3.5j]
    turn = np.array([1, 1j, -1, -1j])
    return (np.array(zone + home + camp)[None] * turn[:, None]).ravel() * 1.25


def colander(count: int = 300) -> Array:
    """Holes in a spiral."""
    number = np.arange(count)
    return 0.62 * np.sqrt(number) * np.exp(2.39996j * number)


def drilled(places: Array, rng: Any, *, tilt: float = 0.25) -> Array:
    """A board with holes at some places (complex, in pitches), seen at an angle."""
    side = 1400
    board = np.empty((side, side, 3), np.float32)
    board[:] = WOOD
    grain = cv2.resize(
        rng.normal(0, 6, (200, 8)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC
    )
    board += grain[..., None]
    pitch = 0.8 * side / (2 * float(np.abs(places).max()) + 2)
    for place in places:
        at = (round(side / 2 + place.real * pitch), round(side / 2 + place.imag * pitch))
        cv2.circle(board, at, round(0.28 * pitch), DARK, -1, cv2.LINE_AA)
        cv2.circle(board, (at[0] + 2, at[1] + 2), round(0.2 * pitch), (60, 92, 118), -1, cv2.LINE_AA)
    return _seen(board, rng, tilt)


def _seen(board: Array, rng: Any, tilt: float = 0.25) -> Array:
    """A flat thing on a table, seen at an angle."""
    tall, wide = board.shape[:2]
    corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], dtype=np.float32)
    width, height = SIZE_PX
    seen = np.array(
        [[200 + 300 * tilt, 60], [1080 - 300 * tilt, 70], [1150, height - 20], [130, height - 30]],
        dtype=np.float32,
    )
    matrix = cv2.getPerspectiveTransform(corners, seen)
    picture = cv2.warpPerspective(board, matrix, (width, height), borderValue=(70, 80, 84))
    picture = cv2.GaussianBlur(picture, (0, 0), 0.8) + rng.normal(0, 2.5, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def tock(fill: float = 0.85, turn_deg: float = 12.0) -> Array:
    """A Tock board as the simulated table draws it."""
    appearance = Appearance(size_px=SIZE_PX, markers=False, turn_deg=turn_deg, fill=fill, tilt_deg=15.0)
    return Renderer(generate(4, 460), appearance).frame([])


def half() -> Array:
    """Only a part of a Tock board."""
    return tock(fill=1.0)[:, : SIZE_PX[0] // 2]


def two(rng: Any) -> Array:
    """Two Tock boards on one table."""
    board = generate(4, 460)
    holes = np.array([complex(hole.x_mm, hole.y_mm) for hole in board.holes]) - complex(230, 230)
    one = holes / board.pitch_mm
    return drilled(np.concatenate([one - 10.5, one * np.exp(0.5j) + 10.5]), rng, tilt=0.0)


def glare() -> Array:
    """A Tock board of which a lamp's reflection hides a part."""
    picture = tock().astype(np.float32)
    light = np.zeros(picture.shape[:2], np.float32)
    cv2.ellipse(light, (700, 560), (330, 300), 20, 0, 360, 1.0, -1)
    light = cv2.GaussianBlur(light, (0, 0), 25)[..., None]
    return np.clip(picture + 260 * light, 0, 255).astype(np.uint8)


def refused_pictures(seed: int = 1) -> Iterator[tuple[str, Array]]:
    """Yield every picture with its name."""
    rng = np.random.default_rng(seed)
    for name, places in (
        ("chinese checkers", chinese_checkers()),
        ("solitaire", solitaire()),
        ("grid of 13", grid(13)),
        ("grid of 19", grid(19)),
        ("dog, 16 a zone", dog(16)),
        ("dog, six zones", dog(16, 6)),
        ("ludo", ludo()),
        ("colander", colander()),
    ):
        yield name, drilled(places, rng)
    yield "two boards", two(rng)
    yield "half", half()
    yield "glare", glare()
