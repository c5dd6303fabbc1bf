"""Boards, tables, lamps and cameras at random, for pictures that are drawn or traced."""

import colorsys
from dataclasses import replace

import numpy as np

from tock_companion.boardfile import BoardFile, PawnShape, generate
from tock_rules import Seat
from tock_vision.holes.network import COLORS
from tock_vision.rendering.appearance import Appearance, named_color

COMMON = np.array([0.35 if name in ("grey", "pink", "turquoise") else 1.0 for name in COLORS])
"""Frequency of the colours among sets of pawns."""
STYLES = ("opaque", "satin", "swirl", "cateye", "peg", "pion")


def random_color(name: str, rng: np.random.Generator) -> tuple[float, float, float]:
    """A colour that people would call by this name (BGR)."""
    blue, green, red = (value / 255 for value in named_color(name))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    hue = (hue + rng.normal(0, 0.012)) % 1.0
    saturation = float(np.clip(saturation * rng.uniform(0.8, 1.15), 0, 1))
    value = float(np.clip(value * rng.uniform(0.75, 1.2), 0.05, 1))
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return blue * 255, green * 255, red * 255


def random_board(rng: np.random.Generator) -> BoardFile:
    """A usual board with some colours, pawns and holes."""
    board = generate(int(rng.choice([4, 4, 6, 8])), float(rng.uniform(400, 620)))
    names = rng.choice(COLORS, board.zones, replace=False, p=COMMON / COMMON.sum())
    style = str(rng.choice(STYLES, p=[0.24, 0.14, 0.24, 0.14, 0.12, 0.12]))
    tall = style in ("peg", "pion")
    radius = 0.07 * board.pitch_mm if tall else rng.uniform(0.3, 0.41) * board.pitch_mm
    width = (rng.uniform(0.25, 0.42) if tall else rng.uniform(0.4, 0.56)) * board.pitch_mm
    holes = tuple(
        replace(
            hole,
            d_mm=width,
            x_mm=hole.x_mm + rng.normal(0, 0.012) * board.pitch_mm,
            y_mm=hole.y_mm + rng.normal(0, 0.012) * board.pitch_mm,
        )
        for hole in board.holes
    )
    colors = {Seat(zone): str(name) for zone, name in enumerate(names)}
    return replace(board, holes=holes, colors=colors, pawn=PawnShape(style, float(radius)))


def random_appearance(rng: np.random.Generator) -> Appearance:
    """A table, a board's paint, a lamp and a camera of some kind."""
    wood = [(118, 168, 206), (70, 110, 160), (45, 70, 110), (150, 195, 225), (60, 95, 165), (35, 50, 75)]
    paint = [(50, 40, 170), (110, 50, 35), (60, 110, 40), (225, 230, 232), (40, 40, 42), (160, 120, 60)]
    painted = rng.random() < 0.4
    board = np.array((paint if painted else wood)[rng.integers(6)]) * rng.uniform(0.8, 1.2)
    pale = tuple(np.array([215.0, 228.0, 236.0]) * rng.uniform(0.75, 1.05))
    dark = tuple(np.array([40.0, 48.0, 60.0]) * rng.uniform(0.5, 1.5))
    warm = rng.uniform(-0.1, 0.5)
    strength = np.exp(rng.normal(0, 0.3))
    wide = rng.random() < 0.3
    collar = pale if rng.random() < (0.6 if painted else 0.15) else dark if rng.random() < 0.1 else None
    return Appearance(
        size_px=(1280, 960) if rng.random() < 0.5 else (1280, 720),
        tilt_deg=float(rng.uniform(0, 38)),
        turn_deg=float(rng.uniform(-180, 180)),
        focal=float(rng.uniform(0.48, 0.7) if wide else rng.uniform(0.75, 1.1)),
        radial=float(rng.uniform(-0.17, -0.08) if wide else rng.normal(0, 0.01)),
        fill=float(rng.uniform(0.55, 0.95)),
        board=tuple(np.clip(board, 5, 240)),
        table=tuple(rng.uniform(20, 200, 3)),
        grain=float(rng.uniform(0.02, 0.14)),
        hole=tuple(board * rng.uniform(0.35, 0.8)) if rng.random() < 0.5 else dark,
        bowl=float(rng.uniform(0.7, 2.2)),
        collar=collar,
        collar_size=float(rng.uniform(1.2, 2.2)),
        lines=(pale if painted else dark) if rng.random() < 0.5 else None,
        paint=str(rng.choice(["none", "ring", "disc", "bowl"], p=[0.15, 0.25, 0.3, 0.3])),  # type: ignore[arg-type]
        starts=bool(rng.random() < 0.6),
        circles=bool(rng.random() < 0.4),
        ring_size=float(rng.uniform(1.05, 2.2)),
        light=tuple(np.array([1 - 0.5 * warm, 1 - 0.15 * warm, 1 + 0.3 * warm]) * strength),
        slope=tuple(rng.normal(0, 0.25, 2)),
        blur_px=float(rng.choice([0.0, 0.6, 1.0, 1.6, 2.6])),
        noise=float(rng.choice([0.0, 1.5, 3.0, 6.0, 11.0])),
        seed=int(rng.integers(2**31)),
    )
