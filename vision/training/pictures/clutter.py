"""Lays hands, cards and cups over the boards of training pictures."""

from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile
from vision.training.pictures.pawns import pawn_of, pawn_paint
from vision.training.pictures.random_boards import random_color
from vision.training.pictures.ray_tracer import COVER_ID
from vision.training.pictures.shapes import GLOSSY, MATT
from vision.training.pictures.things import Paint, Things
from vision.training.pictures.wooden_boards import linear

Array = Any


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
        bent = 30 if not flat and finger > 1 and rng.random() < 0.6 else 0
        knuckle = spot(78, side * 0.9, 30 if not flat else 10)
        middle = spot(40 + (long + bent) / 2, side * spread, 30 if not flat else 8)
        things.rod(spot(long + bent, side * spread * (1.0 if flat else 0.6), 0), middle, 7.0, skin, COVER_ID)
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
    if not flat and rng.random() < 0.6:
        _hold(things, board, spot(4, 0, 0), rng)


def _hold(things: Things, board: BoardFile, at: Array, rng: Any) -> None:
    """Let fingertips hold a pawn above the board: it hides the holes behind it and stands in none."""
    color = linear(random_color(board.colors[board.seats[rng.integers(board.zones)]], rng))
    paint = pawn_paint(board, color, rng)
    shape = pawn_of(board)
    if shape.is_marble:
        things.ball((at[0], at[1], max(at[2], shape.radius_mm + 2)), shape.radius_mm, paint, COVER_ID)
        return
    lean, tall = rng.normal(0, 0.3, 2), 1.0 * board.pitch_mm
    foot = np.array([at[0], at[1], max(at[2] - 0.6 * tall, 3.0)])
    top = foot + tall * np.array([*lean, 1.0])
    things.rod(tuple(foot), tuple(top), 0.22 * board.holes[0].d_mm + 0.05 * board.pitch_mm, paint, COVER_ID)


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
