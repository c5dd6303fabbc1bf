"""Makes pictures of hand-painted boards to measure on: each board empty, and again in play under another light.

`python -m vision.training.pictures.painted_scenes OUT_FOLDER --count 60` writes what `scenes.py` writes. A line's
`paint` names the kind of paint, and `empty` the picture of the same board without a pawn. Needs numba. A scene
depends on its number alone; nothing of these is ever trained on.
"""

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.holes.network import COLORS
from tock_vision.rendering.appearance import pose_of
from vision.training.pictures.hand_painted_boards import HAND_PAINTS, HandPaintedBoard
from vision.training.pictures.hard_scenes import NO_SHAPE, SIZES_PX
from vision.training.pictures.made_layouts import SHAPES, made_layout
from vision.training.pictures.pawns import Placing, place_in_camps, place_pawns
from vision.training.pictures.random_boards import COMMON, random_appearance
from vision.training.pictures.ray_tracer import COVER_ID
from vision.training.pictures.scenes import Scene, write_scenes
from vision.training.pictures.things import Paint, Things
from vision.training.pictures.traced_pictures import furnished

Array = Any
NUMBERED_FROM = 7_000_000
EXPOSURES = (0.7, 0.15, 0.15)
"""Shares of pictures that are exposed fairly, bright and dim."""
MOVED = 0.3
"""Share of the boards at which the camera was moved between the two pictures."""


def nobody(things: Things, board: BoardFile, _: Any) -> tuple[dict[int, str], list[tuple[Array, str]]]:
    """Leave the board empty; a crumb on the table is there because the tracer wants something to light."""
    away = 1.6 * max(board.size_mm)
    things.ball((away, away, 0.5), 0.5, Paint(np.full(3, 0.5)), COVER_ID)
    return {}, []


def _placing(pair: int, *, in_play: bool, camps: bool) -> Placing:
    if not camps:
        return place_pawns if in_play else nobody
    pawn_rng = np.random.default_rng([NUMBERED_FROM, pair, 1])
    return partial(place_pawns, pawn_rng=pawn_rng) if in_play else partial(place_in_camps, pawn_rng=pawn_rng)


def painted_scene(paints: tuple[str, ...], number: int, *, camps: bool = False) -> Scene:
    """The picture with this number: an even one shows the board empty, the next one the same board in play.

    With `camps` the even one shows all pawns in their camps, and in play they look the same.
    """
    pair, in_play = divmod(number, 2)
    rng = np.random.default_rng(NUMBERED_FROM + pair)
    zones = int(rng.choice([4, 6], p=[0.8, 0.2]))
    names = rng.choice(COLORS, zones, replace=False, p=COMMON / COMMON.sum())
    board = made_layout(zones, str(rng.choice(SHAPES)), rng, off=0.015, names=names)
    shape = board.usual_pawn
    if shape.is_marble:
        board = replace(board, pawn=replace(shape, radius_mm=max(shape.radius_mm, 0.26 * board.pitch_mm)))
    paint = paints[pair % len(paints)]
    appearance = replace(
        random_appearance(rng), paint="none", collar=None, starts=False, size_px=SIZES_PX[zones],
        fill=float(rng.uniform(0.75, 1.05)),
    )  # fmt: skip
    drawn = HandPaintedBoard(board, appearance, paint, rng)
    described = replace(board, pawn=None) if rng.random() < NO_SHAPE else board
    moved = rng.random() < MOVED
    steps, own = rng.normal(0, 1, 2), np.random.default_rng([NUMBERED_FROM, number])
    if in_play and moved:
        appearance = replace(
            appearance,
            tilt_deg=max(0.0, appearance.tilt_deg + 4 * steps[0]),
            turn_deg=appearance.turn_deg + 6 * steps[1],
        )
    truth = furnished(
        drawn, pose_of(board, appearance), own, hands=0.05 * in_play, things=0.1 * in_play,
        placing=_placing(pair, in_play=bool(in_play), camps=camps),
        exposure=str(own.choice(["fair", "light", "dim"], p=EXPOSURES)),
    )  # fmt: skip
    row = {"holes": truth["holes"], "view": truth["view"], "paint": paint, "traits": [paint]}
    row["traits"].append("in play" if in_play else "camps" if camps else "empty")
    if in_play:
        row["camps" if camps else "empty"] = name_of(number - 1)
    return truth["picture"], described, row


def name_of(number: int) -> str:
    """The name of the picture with this number."""
    return f"p{number:05d}"


def main() -> None:
    """Draw the scenes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=60, help="boards, two pictures each")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--paints", nargs="+", default=HAND_PAINTS, choices=HAND_PAINTS)
    parser.add_argument(
        "--camps", action="store_true", help="all pawns in their camps instead of the empty board"
    )
    args = parser.parse_args()
    numbers = range(2 * args.first, 2 * (args.first + args.count))
    draw = partial(painted_scene, tuple(args.paints), camps=args.camps)
    write_scenes(args.out, {name_of(number): number for number in numbers}, draw)


if __name__ == "__main__":
    main()
