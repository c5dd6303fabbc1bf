"""Makes pictures of boards that are hard to read, with the truth of every hole.

`python -m vision.training.pictures.hard_scenes OUT_FOLDER --count 240` for training, `--kept-back` for those to
measure on. Writes what `scenes.py` writes. Needs numba. A scene depends on its number alone; kept-back ones are
numbered apart.
"""

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from tock_vision.holes.network import COLORS
from tock_vision.rendering.appearance import pose_of
from vision.training.pictures.hard_boards import KEPT, TRAINED, HardBoard, Range, some_traits, with_pawns_of
from vision.training.pictures.made_layouts import made_layout
from vision.training.pictures.pawns import place_crowd, place_pawns
from vision.training.pictures.random_boards import COMMON, random_appearance
from vision.training.pictures.scenes import Scene, beside, write_scenes
from vision.training.pictures.traced_pictures import furnished

KEPT_FROM = 1_000_000
"""Kept-back pictures have other numbers than those of training."""
SIZES_PX = {4: (800, 600), 6: (960, 720), 8: (1120, 840)}
EXPOSURES, GLASS_EXPOSURES = (0.7, 0.2, 0.1), (0.35, 0.6, 0.05)
"""Shares of pictures that are exposed fairly, bright and dim."""
NO_SHAPE = 0.5
"""Share of the boards whose file does not say how wide the pawns are, as of a board that was photographed."""


def hard_scene(drawn: Range, seed: int) -> Scene:
    """A picture (as JPEG), its board as given to the reader, and the truth of its holes."""
    rng = np.random.default_rng(seed)
    traits = some_traits(drawn, rng)
    zones = int(rng.choice([4, 6, 8], p=[0.65, 0.25, 0.1]))
    names = rng.choice(COLORS, zones, replace=False, p=COMMON / COMMON.sum())
    board = made_layout(zones, str(rng.choice(drawn.shapes)), rng, off=0.015, names=names)
    board = with_pawns_of(board, traits, rng)
    appearance = replace(
        random_appearance(rng),
        board=tuple(np.clip(np.array(drawn.boards[rng.integers(len(drawn.boards))]) * rng.uniform(0.8, 1.2), 5, 240)),
        size_px=SIZES_PX[zones], fill=float(rng.uniform(0.75, 1.1)), starts=bool(rng.random() < 0.75),
    )  # fmt: skip
    pose = pose_of(board, appearance)
    drawn_board = HardBoard(board, appearance, traits, drawn, rng)
    truth = furnished(
        drawn_board, pose, rng, hands=0.1, things=0.2,
        placing=place_crowd if "full" in traits else place_pawns,
        exposure=str(rng.choice(["fair", "light", "dim"], p=GLASS_EXPOSURES if "glass" in traits else EXPOSURES)),
    )  # fmt: skip
    origin, rows, bounds = truth["rows"]
    spots = beside(board, truth["loose"], origin, rows, bounds, np.random.default_rng(seed + 7))
    described = replace(board, pawn=None) if rng.random() < NO_SHAPE else board
    row = {"holes": truth["holes"], "view": truth["view"], "spots": spots, "traits": sorted(traits)}
    return truth["picture"], described, row


def main() -> None:
    """Draw the scenes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument(
        "--kept-back", action="store_true", help="make pictures to measure on, never to train on"
    )
    parser.add_argument("--without", nargs="+", default=[], metavar="TRAIT", help="traits that no board has")
    args = parser.parse_args()
    drawn = KEPT if args.kept_back else TRAINED
    drawn = replace(drawn, traits=tuple(trait for trait in drawn.traits if trait not in args.without))
    start = args.first + (KEPT_FROM if args.kept_back else 0)
    seeds = {f"h{seed:07d}": seed for seed in range(start, start + args.count)}
    write_scenes(args.out, seeds, partial(hard_scene, drawn))


if __name__ == "__main__":
    main()
