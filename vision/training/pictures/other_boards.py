"""Boards of other games, made and drawn in many looks: rings of 5 to 24 holes a zone in 3 to 8 zones, grids, stars.

None is Tock, whose rings have 18 holes in each of 4, 6 or 8 zones. A board depends on its seed alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.boardfile.model import ZONES
from tock_rules import ZONE_LENGTH
from tock_vision.any_board.board import any_board
from tock_vision.any_board.document import HoleList, Kind, ListedHole
from tock_vision.arrays import Floats, Frame
from tock_vision.holes.network import COLORS
from tock_vision.rendering.appearance import DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer
from vision.training.pictures.made_layouts import SHAPES, all_zones, made_layout, other_layout
from vision.training.pictures.random_boards import COMMON, random_appearance
from vision.training.pictures.refused_boards import chinese_checkers, colander, grid, solitaire

PITCH_MM = 20.0
LENGTHS = tuple(range(5, 25))
OTHER_ZONES = (3, 4, 5, 6, 7, 8)
RING_SHARE = 0.75
GAMES = ("grid", "hexagons", "star", "solitaire", "cribbage", "morris", "sieve")
MAX_HOLES_SMALL = 150
SIZES_PX = ((1280, 960), (1600, 1200))
"""Of photographs of small and of large boards, which are shown from as far away."""


@dataclass(frozen=True)
class OtherBoard:
    """A board of another game, and what is true of it."""

    board: BoardFile
    game: str
    """`ring`, or one of `GAMES`."""
    zones: int = 0
    length: int = 0
    """Holes of the ring in a zone; 0 where there is no ring."""


def other_board(seed: int) -> OtherBoard:
    """A board that is not Tock."""
    rng = np.random.default_rng(seed)
    if rng.random() > RING_SHARE:
        game = str(rng.choice(GAMES))
        places = _places_of(game, rng)
        return OtherBoard(_drawn_board(places, ["track"] * len(places), [None] * len(places), rng), game)
    while True:
        zones, length = int(rng.choice(OTHER_ZONES)), int(rng.choice(LENGTHS))
        if length == ZONE_LENGTH and zones in ZONES:
            continue
        zone = other_layout(zones, length, str(rng.choice(SHAPES)), rng)
        if zone is not None:
            return OtherBoard(_ring_board(zone, zones, length, rng), "ring", zones, length)


def true_board(seed: int) -> BoardFile:
    """A board of Tock, for the same looks."""
    rng = np.random.default_rng(seed)
    zones = int(rng.choice(ZONES, p=[0.6, 0.25, 0.15]))
    names = rng.choice(COLORS, zones, replace=False, p=COMMON / COMMON.sum())
    off = float(rng.choice([0.0, 0.015, 0.04]))
    return made_layout(zones, str(rng.choice(SHAPES)), rng, off=off, names=names)


def _ring_board(zone: Floats, zones: int, length: int, rng: Any) -> BoardFile:
    names = [str(name) for name in rng.choice(COLORS, zones, replace=False, p=COMMON / COMMON.sum())]
    kinds: list[Kind] = ["start", *["track"] * (length - 1), *["home"] * 4, *["camp"] * 4]  # type: ignore[list-item]
    colors = [names[number] if kind != "track" else None for number in range(zones) for kind in kinds]
    return _drawn_board(all_zones(zone, zones), kinds * zones, colors, rng)


def _drawn_board(places: Floats, kinds: Sequence[Any], colors: Sequence[str | None], rng: Any) -> BoardFile:
    """The board of some places (complex, in pitches), drilled well or badly, with a margin around it."""
    off = float(rng.choice([0.0, 0.015, 0.04]))
    flat = places * np.exp(1j * rng.uniform(0, 2 * np.pi) * (rng.random() < 0.3))
    flat = flat + off * (rng.normal(size=len(flat)) + 1j * rng.normal(size=len(flat)))
    points = np.column_stack([flat.real, flat.imag])
    margin = float(rng.uniform(1.3, 2.6))
    points = (points - points.min(axis=0) + margin) * PITCH_MM
    wide = float(rng.uniform(0.3, 0.6)) * PITCH_MM
    holes = tuple(
        ListedHole(str(number), float(x), float(y), wide, kind, color)
        for number, ((x, y), kind, color) in enumerate(zip(points, kinds, colors, strict=True))
    )
    names = tuple(dict.fromkeys(color for color in colors if color)) or ("white", "black")
    listed = HoleList("mm", holes, names, None, PITCH_MM)
    return any_board(listed, points, np.full(len(points), wide))


def _places_of(game: str, rng: Any) -> Floats:
    if game == "grid":
        return np.asarray(grid(int(rng.integers(7, 20))))
    if game == "hexagons":
        return _hexagons(int(rng.integers(4, 8)))
    if game == "star":
        return np.asarray(chinese_checkers())
    if game == "solitaire":
        return np.asarray(solitaire()) if rng.random() < 0.5 else _french_solitaire()
    if game == "cribbage":
        return _cribbage(int(rng.integers(2, 5)))
    return _morris() if game == "morris" else np.asarray(colander(int(rng.integers(120, 301))))


def _hexagons(side: int) -> Floats:
    """A hexagon of holes in a grid of triangles."""
    steps = np.arange(-side, side + 1)
    first, second = np.meshgrid(steps, steps)
    kept = np.abs(first + second) <= side
    places: Floats = (first + second * np.exp(1j * np.pi / 3))[kept]
    return places


def _french_solitaire() -> Floats:
    steps = np.arange(-3, 4)
    x, y = np.meshgrid(steps, steps)
    places: Floats = (x + 1j * y)[np.abs(x) + np.abs(y) <= 4] * 1.3
    return places


def _cribbage(lanes: int) -> Floats:
    """Lanes of 30 holes in fives, two ways, with holes for the end."""
    along = np.arange(30) + 0.6 * (np.arange(30) // 5)
    rows = np.concatenate([along + 1j * (lane + (lane // 2) * 0.8) for lane in range(2 * lanes)])
    ends = np.array([-1.6 + 1j * lane for lane in range(lanes)])
    places: Floats = np.concatenate([rows, ends])
    places -= places.mean()
    return places


def _morris() -> Floats:
    """Three squares in each other, three holes on each side, and those where counters wait."""
    square = np.array([1 + 1j, 1j, -1 + 1j, -1, -1 - 1j, -1j, 1 - 1j, 1])
    waiting = np.arange(9) - 4 + 8j
    return np.concatenate([2 * square, 4 * square, 6 * square, waiting, -waiting])


def photograph(board: BoardFile, seed: int) -> Frame:
    """A picture of a board in some look, some holes with pawns."""
    rng = np.random.default_rng(seed)
    camps = any(hole.kind.value == "camp" for hole in board.holes)
    appearance = random_appearance(rng)
    size_px = SIZES_PX[int(len(board.holes) > MAX_HOLES_SMALL)]
    appearance = replace(
        appearance,
        size_px=size_px,
        markers=False,
        fill=float(rng.uniform(0.72, 0.98)),
        blur_px=min(appearance.blur_px, 1.6),
        circles=appearance.circles and camps,
        lines=appearance.lines if camps else None,
    )
    share = float(rng.choice([0.0, 0.1, 0.25], p=[0.5, 0.3, 0.2]))
    pawns = [
        DrawnPawn(
            hole.x_mm, hole.y_mm, named_color(board.colors[_of(board, hole, rng)]), int(rng.integers(200))
        )
        for hole in board.holes
        if rng.random() < share
    ]
    return Renderer(board, appearance).frame(pawns)


def _of(board: BoardFile, hole: Any, rng: Any) -> Any:
    own = hole.seat if hole.seat is not None and rng.random() < 0.7 else None
    return board.seats[rng.integers(len(board.seats))] if own is None else own
