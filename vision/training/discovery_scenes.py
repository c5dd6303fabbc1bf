"""Makes pictures of boards of many shapes for the network of discovery, with the truth of every hole.

`python -m vision.training.discovery_scenes OUT_FOLDER --count 600` writes `stills.jsonl` in the form of the given
stills, with a board file for each picture; `--hard` makes boards and pictures of the kinds that are hard to find.
Needs numba. A scene depends on its number and kind alone.
"""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile, parse, to_json, to_text
from tock_companion.errors import FaultyDocumentError
from tock_vision.holes.network import COLORS
from tock_vision.rendering.renderer import pose_of
from vision.training.hard_boards import KEPT_BACK, TRAINED, HardBoard
from vision.training.made_layouts import SHAPES, made_layout
from vision.training.make_data import COMMON, random_appearance
from vision.training.scenes import furnished
from vision.training.worn import WornBoard

Array = Any
SIZES_PX = {4: (960, 720), 6: (1120, 840), 8: (1280, 960)}
SHAPE_SHARES = (0.35, 0.15, 0.08, 0.17, 0.12, 0.13)
OFF_PITCHES = (0.0, 0.015, 0.04, 0.1)
HARD_TRAITS = ("rings", "fields", "painted", "jigsaw", "dark", KEPT_BACK[1])
TRAIT_SHARE = 0.22
EXPOSURES, EXPOSURE_SHARES = ("fair", "dim", "bright"), (0.4, 0.3, 0.3)


class BusyBoard(HardBoard):
    """A board with several hard traits, written all over beside the track."""

    def _letters(self) -> None:
        for _ in range(int(self.rng.integers(1, 4))):
            super()._letters()


def some_board(rng: np.random.Generator) -> BoardFile:
    """A board of some shape with some colours, drilled well or badly."""
    zones = int(rng.choice([4, 6, 8], p=[0.6, 0.25, 0.15]))
    names = rng.choice(COLORS, zones, replace=False, p=COMMON / COMMON.sum())
    off = float(rng.choice(OFF_PITCHES, p=[0.3, 0.4, 0.2, 0.1]))
    return made_layout(zones, str(rng.choice(SHAPES, p=SHAPE_SHARES)), rng, off=off, names=names)


def some_views(
    seed: int, photos: int = 1, *, hands: float = 0.3, things: float = 0.4, hard: bool = False
) -> tuple[BoardFile, list[dict[str, Any]]]:
    """One board and some pictures of it, each with its truth."""
    rng = np.random.default_rng(seed)
    board = some_board(rng)
    appearance = random_appearance(rng)
    if rng.random() < 0.35:
        appearance = replace(appearance, collar=None, paint=str(rng.choice(["ring", "bowl", "disc"])))  # type: ignore[arg-type]
    if hard:
        traits = frozenset(trait for trait in HARD_TRAITS if rng.random() < TRAIT_SHARE)
        drawn: WornBoard = BusyBoard(board, appearance, traits, TRAINED, rng)
    else:
        drawn = WornBoard(board, appearance, rng)
    views = []
    for _ in range(photos):
        other = random_appearance(rng)
        seen = replace(
            appearance,
            size_px=SIZES_PX[board.zones],
            fill=float(rng.uniform(0.7, 1.0)),
            tilt_deg=float(abs(rng.normal(0, 22)) % 52),
            turn_deg=other.turn_deg,
            focal=other.focal,
            radial=other.radial,
        )
        exposure = str(rng.choice(EXPOSURES, p=EXPOSURE_SHARES)) if hard else None
        views.append(
            furnished(drawn, pose_of(board, seen), rng, hands=hands, things=things, exposure=exposure)
        )
    return board, views


def write(folder: Path, seed: int, photos: int, *, hands: float, things: float, hard: bool) -> None:
    """Write the pictures of one seed, the board and a line for each; FaultyDocumentError where holes overlap."""
    board, views = some_views(seed, photos, hands=hands, things=things, hard=hard)
    parse(to_json(board))
    name = f"m{seed:05d}"
    (folder / f"{name}.json").write_text(to_text(board))
    with (folder / "stills.jsonl").open("a") as log:
        for number, view in enumerate(views):
            image = f"{name}-{number}.jpg"
            (folder / image).write_bytes(view["picture"].tobytes())
            row = {"image": image, "board": f"{name}.json", "made": True, "hand": hands > 0}
            log.write(json.dumps(row | {key: view[key] for key in ("holes", "view")}) + "\n")


def main() -> None:
    """Draw the scenes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--photos", type=int, default=1, help="pictures of each board")
    parser.add_argument("--hands", type=float, default=0.3, help="share of pictures with a hand")
    parser.add_argument("--things", type=float, default=0.4, help="share of pictures with cards or a cup")
    parser.add_argument(
        "--hard", action="store_true", help="dark and bright pictures of boards that are hard to find"
    )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for seed in range(args.first, args.first + args.count):
        try:
            write(args.out, seed, args.photos, hands=args.hands, things=args.things, hard=args.hard)
        except FaultyDocumentError as fault:
            # Drilled off so far that two holes overlap: nobody would call it a board.
            sys.stderr.write(f"{seed} is no board: {fault}\n")
        sys.stderr.write(f"{seed}\n")


if __name__ == "__main__":
    main()
