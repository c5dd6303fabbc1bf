"""Traces pictures of boards of many shapes for the networks of discovery, with the truth of every hole.

A scene depends on its number and kind alone. Needs numba.
"""

from dataclasses import replace
from enum import Enum
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile, PawnShape
from tock_vision.holes.network import COLORS
from tock_vision.rendering.appearance import Appearance, pose_of
from vision.training.pictures.faint_boards import FILL, FaintBoard, faint_appearance, faint_board
from vision.training.pictures.hard_boards import BusyBoard
from vision.training.pictures.joined_boards import JoinedBoard
from vision.training.pictures.made_layouts import SHAPES, made_layout
from vision.training.pictures.random_boards import COMMON, random_appearance
from vision.training.pictures.traced_pictures import furnished
from vision.training.pictures.worn_boards import WornBoard

Array = Any
SIZES_PX = {4: (960, 720), 6: (1120, 840), 8: (1280, 960)}
SHAPE_SHARES = (0.35, 0.15, 0.08, 0.17, 0.12, 0.13)
OFF_PITCHES = (0.0, 0.015, 0.04, 0.1)
HARD_TRAITS = ("rings", "fields", "painted", "jigsaw", "dark", "eyelets")
TRAIT_SHARE = 0.22
EXPOSURES, EXPOSURE_SHARES = ("fair", "dim", "bright"), (0.4, 0.3, 0.3)
OFF_SHARES, OFF_SHARES_OFTEN = (0.3, 0.4, 0.2, 0.1), (0.15, 0.15, 0.25, 0.45)
HANDS, THINGS = 0.2, 0.5
"""Shares of pictures with a hand, and with cards or a cup."""
FAINT_EXPOSURE_SHARES = (0.5, 0.35, 0.15)
JOINED_TRAIT_SHARE, PEG_SHARE = 0.1, 0.3


class Kind(Enum):
    """A kind of made boards and pictures."""

    USUAL = "usual"
    HARD = "hard"
    """Dark and bright pictures of boards that are hard to find."""
    JOINED = "joined"
    """Boards drilled off, some with pegs, with marks between their holes."""
    FAINT = "faint"
    """Boards whose holes are small or have the colour of the board."""


OFTEN_OFF = (Kind.JOINED, Kind.FAINT)


def some_board(rng: np.random.Generator, kind: Kind = Kind.USUAL) -> BoardFile:
    """A board of some shape with some colours, drilled well or badly."""
    zones = int(rng.choice([4, 6, 8], p=[0.6, 0.25, 0.15]))
    names = rng.choice(COLORS, zones, replace=False, p=COMMON / COMMON.sum())
    off = float(rng.choice(OFF_PITCHES, p=OFF_SHARES_OFTEN if kind in OFTEN_OFF else OFF_SHARES))
    board = made_layout(zones, str(rng.choice(SHAPES, p=SHAPE_SHARES)), rng, off=off, names=names)
    if kind is Kind.FAINT:
        return faint_board(board, rng)
    return _with_pegs(board, rng) if kind is Kind.JOINED and rng.random() < PEG_SHARE else board


def _with_pegs(board: BoardFile, rng: np.random.Generator) -> BoardFile:
    """The same board drilled for pegs, which lean over the holes behind them."""
    width = float(rng.uniform(0.2, 0.42)) * board.pitch_mm
    holes = tuple(replace(hole, d_mm=width) for hole in board.holes)
    return replace(board, holes=holes, pawn=PawnShape("peg", 0.07 * board.pitch_mm))


def some_views(seed: int, photos: int = 1, kind: Kind = Kind.USUAL) -> tuple[BoardFile, list[dict[str, Any]]]:
    """A board and some pictures of it, each with its truth."""
    rng = np.random.default_rng(seed)
    board = some_board(rng, kind)
    appearance = random_appearance(rng)
    if rng.random() < 0.35:
        appearance = replace(appearance, collar=None, paint=str(rng.choice(["ring", "bowl", "disc"])))  # type: ignore[arg-type]
    if kind is Kind.FAINT:
        appearance = faint_appearance(appearance, rng)
    drawn = _drawn(board, appearance, kind, rng)
    views = []
    for _ in range(photos):
        other = random_appearance(rng)
        seen = replace(
            appearance,
            size_px=SIZES_PX[board.zones],
            fill=float(rng.uniform(*(FILL if kind is Kind.FAINT else (0.7, 1.0)))),
            tilt_deg=float(abs(rng.normal(0, 22)) % 52),
            turn_deg=other.turn_deg,
            focal=other.focal,
            radial=other.radial,
        )
        shares = {Kind.HARD: EXPOSURE_SHARES, Kind.FAINT: FAINT_EXPOSURE_SHARES}.get(kind)
        exposure = str(rng.choice(EXPOSURES, p=shares)) if shares else None
        views.append(
            furnished(drawn, pose_of(board, seen), rng, hands=HANDS, things=THINGS, exposure=exposure)
        )
    return board, views


def _drawn(board: BoardFile, appearance: Appearance, kind: Kind, rng: np.random.Generator) -> WornBoard:
    if kind in (Kind.USUAL, Kind.FAINT):
        return (WornBoard if kind is Kind.USUAL else FaintBoard)(board, appearance, rng)
    share = TRAIT_SHARE if kind is Kind.HARD else JOINED_TRAIT_SHARE
    traits = frozenset(trait for trait in HARD_TRAITS if rng.random() < share)
    drawn = BusyBoard if kind is Kind.HARD else JoinedBoard
    return drawn(board, appearance, traits, rng)
