"""Drawn frames for the tests of the reader, and how a reading compares with the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from tock_companion.observation import HoleReading, HoleState
from tock_rules import Hole, Seat
from tock_vision.rendering.appearance import Appearance

Placed = Mapping[str, Seat]
START: Placed = {f"P{seat}-C{number}": Seat(seat) for seat in range(4) for number in (1, 2, 3, 4)}
SMALL = Appearance(size_px=(800, 600), fill=0.9, noise=2.0)


def wrong_holes(holes: Mapping[Hole, HoleReading], placed: Placed) -> dict[Hole, HoleReading]:
    """Holes read as empty or as a pawn that are not."""
    wrong = {}
    for hole_id, reading in holes.items():
        seat = placed.get(hole_id)
        state = HoleState.EMPTY if seat is None else HoleState.PAWN
        if reading.state is not HoleState.UNKNOWN and (reading.state, reading.seat) != (state, seat):
            wrong[hole_id] = reading
    return wrong


def unknown_holes(holes: Mapping[Hole, HoleReading]) -> set[Hole]:
    """Holes of unknown state."""
    return {hole_id for hole_id, reading in holes.items() if reading.state is HoleState.UNKNOWN}


def moved(placed: Placed, start: str, end: str) -> dict[str, Seat]:
    """The pawns after one of them went from hole to hole."""
    after = dict(placed)
    after[end] = after.pop(start)
    return after


def shifted(appearance: Appearance, **changes: Any) -> Appearance:
    """A look with some values changed."""
    return replace(appearance, **changes)


STRIPES = 3
"""Each pixel of a screen is a red, a green and a blue stripe, with a dark line below."""


def on_a_screen(frame: Any, corners: Sequence[tuple[float, float]], size_px: tuple[int, int]) -> Any:
    """A picture of a screen, or of a phone, that shows a frame: its corners from the top left clockwise, with moiré."""
    height, width = (STRIPES * side for side in frame.shape[:2])
    shown = cv2.resize(frame, (width, height), interpolation=cv2.INTER_NEAREST).astype(np.float32)
    across = (np.arange(width)[:, None] + np.arange(3)) % STRIPES == STRIPES - 1
    down = np.where(np.arange(height) % STRIPES == STRIPES - 1, 0.6, 1.15)
    shown *= np.where(across, 1.7, 0.45)[None] * down[:, None, None]
    rim = width // 20
    shown = cv2.copyMakeBorder(shown, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(18, 18, 18))
    own = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * shown.shape[1::-1]
    matrix = cv2.getPerspectiveTransform(own.astype(np.float32), np.array(corners, np.float32))
    seen = cv2.warpPerspective(shown, matrix, size_px, borderValue=(96, 85, 70))
    return np.clip(cv2.GaussianBlur(seen, (0, 0), 0.6), 0, 255).astype(np.uint8)
