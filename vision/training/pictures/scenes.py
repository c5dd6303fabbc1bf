"""Makes pictures of boards that nobody owns, with the truth of every hole.

`python -m vision.training.pictures.scenes OUT_FOLDER --count 400`.

Writes `stills.jsonl` in the form of the given stills, with a board file for each picture. Needs numba.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tock_companion.boardfile import BoardFile, load, to_text
from tock_vision.rendering.appearance import pose_of
from vision.training.pictures.pawns import place_pawns
from vision.training.pictures.random_boards import random_appearance, random_board
from vision.training.pictures.ray_tracer import COVER_ID
from vision.training.pictures.shapes import covered
from vision.training.pictures.traced_pictures import furnished
from vision.training.pictures.wooden_boards import Board

Array = Any
PAINTS: tuple[Literal["ring", "bowl", "disc"], ...] = ("ring", "bowl", "disc")
EXPOSURES, IN_PLAY_SHARES = ("fair", "light", "dim"), (0.76, 0.12, 0.12)

Scene = tuple[Array, BoardFile, dict[str, Any]]
"""A picture as JPEG, its board as given to the reader, and the truth."""


def one_scene(boards: list[BoardFile], seed: int, *, in_play: bool = False) -> Scene:
    """A picture (as JPEG), its board and the truth of its holes.

    With `in_play` pawns stand as the rules allow, and light and hands are about as frequent as in the given stills.
    """
    rng = np.random.default_rng(seed)
    board = random_board(boards, rng)
    appearance = random_appearance(rng)
    if rng.random() < 0.35:
        appearance = replace(appearance, collar=None, paint=PAINTS[int(rng.choice(len(PAINTS)))])
    # The small frames of a quick look still have as many pixels from hole to hole as the stills.
    size_px = (800, 600) if appearance.size_px[1] == 960 else (900, 600)
    pose = pose_of(board, replace(appearance, fill=float(rng.uniform(0.75, 1.15)), size_px=size_px))
    drawn = Board(board, appearance, rng)
    if in_play:
        placing, exposure = partial(place_pawns, strictly=True), str(rng.choice(EXPOSURES, p=IN_PLAY_SHARES))
        truth = furnished(drawn, pose, rng, hands=0.25, things=0.45, placing=placing, exposure=exposure)
    else:
        truth = furnished(drawn, pose, rng, hands=0.35, things=0.45)
    origin, rows, bounds = truth["rows"]
    spots = beside(board, truth["loose"], origin, rows, bounds, np.random.default_rng(seed + 1_000_000))
    return truth["picture"], board, {"holes": truth["holes"], "view": truth["view"], "spots": spots}


def beside(board: BoardFile, loose: Any, origin: Array, rows: Array, bounds: Array, rng: Any) -> list[Any]:
    """Places beside the holes, with and without a pawn that lies there."""
    spots = []
    lying = np.array([place for place, _ in loose]).reshape(-1, 2)
    pitch = board.pitch_mm
    tries = [(place + rng.normal(0, 0.08, 2) * pitch, color) for place, color in loose for _ in range(2)]
    tries += [(rng.uniform(0.02, 0.98, 2) * board.size_mm, None) for _ in range(14)]
    for place, color in tries:
        gap = np.linalg.norm(lying - place, axis=1).min() if len(lying) else 1e9
        if color is None and (gap < 1.1 * pitch or board.nearest(*place)[1] < 0.6 * pitch):
            continue
        foot = np.array([*place, 0.0])
        points = foot + np.column_stack([rng.normal(0, 0.15, (24, 2)) * pitch, np.full(24, 0.3)])
        hidden = covered(origin, points, COVER_ID + 1, rows, bounds)
        spots.append({"mm": place.tolist(), "color": color, "visible": round(1 - hidden, 3)})
    return spots


def write_scenes(folder: Path, seeds: Mapping[str, int], draw: Callable[[int], Scene]) -> None:
    """Draw the scenes with these names and numbers, and add a line for each to `stills.jsonl`."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "stills.jsonl").open("a") as log:
        for name, seed in seeds.items():
            data, board, truth = draw(seed)
            (folder / f"{name}.jpg").write_bytes(data.tobytes())
            (folder / f"{name}.json").write_text(to_text(board))
            log.write(json.dumps({"image": f"{name}.jpg", "board": f"{name}.json", **truth}) + "\n")
            log.flush()
            sys.stderr.write(f"{seed}\n")


def main() -> None:
    """Draw the scenes; those that are there already stay."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument(
        "--in-play",
        action="store_true",
        help="pawns by the rules, light and hands about as in the given stills",
    )
    parser.add_argument("--boards", type=Path, help="folder of board files whose layouts may be used too")
    args = parser.parse_args()
    boards = [load(path) for path in sorted(args.boards.glob("*.json"))] if args.boards else []
    numbers = range(args.first, args.first + args.count)
    write_scenes(
        args.out, {f"b{seed:05d}": seed for seed in numbers}, partial(one_scene, boards, in_play=args.in_play)
    )


if __name__ == "__main__":
    main()
