"""Boards of training pictures that readers take for full of pawns: black fields, thick rings, jigsaws, dark holes.

Traits can be combined.
"""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, PawnShape
from tock_vision.rendering.appearance import Appearance
from vision.training.pictures.wooden_boards import linear
from vision.training.pictures.worn_boards import INKS, WornBoard

Array = Any
TRAITS = ("fields", "rings", "painted", "jigsaw", "glass", "narrow", "wide", "full", "dark")
OTHER_TRAIT = 0.12
"""Probability of each trait besides a board's first."""
SHAPES = ("arms", "polygon", "star")
GROUNDS = (
    (118, 168, 206), (70, 110, 160), (45, 70, 110), (150, 195, 225), (50, 40, 170), (110, 50, 35), (60, 110, 40),
    (225, 230, 232), (40, 40, 42),
)  # fmt: skip
"""Colours of wood and of painted boards (BGR)."""


def some_traits(rng: Any) -> frozenset[str]:
    """One trait and perhaps others that go with it."""
    first = str(rng.choice(TRAITS))
    others = {trait for trait in TRAITS if rng.random() < OTHER_TRAIT}
    if first in ("narrow", "wide"):
        others -= {"narrow", "wide"}
    if {"narrow", "wide"} <= others:
        others -= {"wide"}
    return frozenset({first} | others)


def with_pawns_of(board: BoardFile, traits: frozenset[str], rng: Any) -> BoardFile:
    """The board with marbles as wide or narrow as its traits say, and holes that hold them."""
    shape = board.usual_pawn
    style, radius = shape.style, shape.radius_mm
    if "glass" in traits:
        style, radius = "clear" if rng.random() < 0.6 else "cateye", rng.uniform(0.26, 0.41) * board.pitch_mm
    if traits & {"narrow", "wide"}:
        low, high = (0.16, 0.25) if "narrow" in traits else (0.41, 0.49)
        style = (
            style if shape.is_marble or "glass" in traits else str(rng.choice(["opaque", "satin", "swirl"]))
        )
        radius = rng.uniform(low, high) * board.pitch_mm
    pawn = PawnShape(style, float(radius))
    if not pawn.is_marble:
        return replace(board, pawn=pawn)
    widest = 1.8 * pawn.radius_mm
    holes = tuple(replace(hole, d_mm=min(hole.d_mm, widest)) for hole in board.holes)
    return replace(board, pawn=pawn, holes=holes)


class HardBoard(WornBoard):
    """A board with some of the traits, worn as others are."""

    def __init__(self, board: BoardFile, appearance: Appearance, traits: frozenset[str], rng: Any) -> None:
        self.traits = traits
        super().__init__(board, appearance, rng)

    def _paint(self) -> None:
        if "painted" in self.traits:
            self._strips()
        if "fields" in self.traits:
            self._fields(0.2)
        super()._paint()
        if "rings" in self.traits:
            self._thick_rings()
        if "eyelets" in self.traits:
            self._eyelets()
        if "jigsaw" in self.traits:
            self._seams()

    def _bowls(self) -> None:
        super()._bowls()
        if "dark" in self.traits:
            # As dark as the darkest marbles, so that only gloss and shape tell.
            seat = self.board.seats[self.rng.integers(self.board.zones)]
            own = self.paints[seat] if self.rng.random() < 0.4 else self.rng.uniform(8, 40, 3)
            self.holes[:, 5:8] = linear(own) * self.rng.uniform(0.5, 0.9)
            self.holes[:, 8] = 0.0
        if "fields" in self.traits and self.rng.random() < 0.6:
            self.holes[:, 2] = 0.01

    def _thick_rings(self) -> None:
        """Thick rings around camps, homes and starts, and around every hole on some boards."""
        size = float(self.rng.uniform(0.24, 0.42)) * self.board.pitch_mm
        thick = round(float(self.rng.uniform(0.07, 0.22)) * self.pitch_px)
        everywhere, ink = self.rng.random() < 0.5, self._some_ink()
        for hole in self.board.holes:
            color = self.owner_color(hole)
            if color is not None or everywhere:
                self._disc(hole.x_mm, hole.y_mm, size, ink if color is None else color, thick)

    def _seams(self) -> None:
        """Pieces of a jigsaw: straight seams with knobs, dark with a pale edge."""
        size = np.array(self.drawing.shape[1::-1])
        for axis in (0, 1):
            count = int(self.rng.integers(1, 4))
            for number in range(count):
                at = size[axis] * (number + 1 + self.rng.uniform(-0.2, 0.2)) / (count + 1)
                self._seam(axis, float(at), float(size[1 - axis]))

    def _seam(self, axis: int, at: float, long: float) -> None:
        ink = INKS[self.rng.integers(4)]
        pale = tuple(float(v) for v in np.clip(np.array(self.appearance.board) * 1.3, 0, 255))
        thick = max(1, round(self.rng.uniform(0.02, 0.07) * self.pitch_px))
        knob = float(self.rng.uniform(0.25, 0.6)) * self.pitch_px
        middles = np.sort(self.rng.uniform(0.05, 0.95, int(self.rng.integers(1, 4)))) * long
        along = np.linspace(0, long, 600)
        aside = np.zeros(600)
        points = [np.stack([along, aside], 1)]
        for middle in middles:
            # A neck and a head that sticks out to one side.
            side = 1.0 if self.rng.random() < 0.5 else -1.0
            angle = np.linspace(0.15 * np.pi, 1.85 * np.pi, 40) - 0.5 * np.pi
            head = np.stack([middle + knob * np.cos(angle), side * knob * (1.0 + np.sin(angle))], 1)
            points.append(head)
        for part in points:
            places = part + np.array([0.0, at])
            line = (places[:, ::-1] if axis == 0 else places).round().astype(np.int32)
            cv2.polylines(self.drawing, [line + thick], False, pale, max(1, thick // 2), cv2.LINE_AA)
            cv2.polylines(self.drawing, [line], False, ink, thick, cv2.LINE_AA)

    def _eyelets(self) -> None:
        """Rings of metal around all holes: bright on one side, dark on the other."""
        for hole in self.board.holes:
            for step, level in ((0.16, 95.0), (0.1, 205.0), (0.05, 130.0)):
                radius = hole.d_mm / 2 + step * self.board.pitch_mm
                self._disc(hole.x_mm - step, hole.y_mm - step, radius, np.full(3, level), -1)
            self._disc(hole.x_mm, hole.y_mm, hole.d_mm / 2, np.full(3, 35.0))


class BusyBoard(HardBoard):
    """A board with several hard traits, written all over beside the track."""

    def _letters(self) -> None:
        for _ in range(int(self.rng.integers(1, 4))):
            super()._letters()
