"""Makes pictures of boards of many shapes for the network of discovery, with the truth of every hole.

`python -m vision.training.pictures.discovery_scenes OUT_FOLDER --count 600` writes `stills.jsonl` in the form of the
given stills, with a board file for each picture; `--hard` makes boards and pictures of the kinds that are hard to
find, `--joined` boards drilled off, with pegs, and with marks between their holes, `--faint` boards whose holes can
hardly be seen. Needs numba. A scene depends on its number and kind alone.
"""

import argparse
import json
import sys
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile, PawnShape, parse, to_json, to_text
from tock_companion.errors import FaultyDocumentError
from tock_vision.holes.network import COLORS
from tock_vision.rendering.appearance import Appearance, pose_of
from vision.training.pictures.faint_boards import FILL, FaintBoard, faint_appearance, faint_board
from vision.training.pictures.hard_boards import KEPT_BACK, TRAINED, HardBoard
from vision.training.pictures.joined_boards import JoinedBoard
from vision.training.pictures.made_layouts import SHAPES, made_layout
from vision.training.pictures.random_boards import COMMON, random_appearance
from vision.training.pictures.traced_pictures import furnished
from vision.training.pictures.worn_boards import WornBoard

Array = Any
SIZES_PX = {4: (960, 720), 6: (1120, 840), 8: (1280, 960)}
SHAPE_SHARES = (0.35, 0.15, 0.08, 0.17, 0.12, 0.13)
OFF_PITCHES = (0.0, 0.015, 0.04, 0.1)
HARD_TRAITS = ("rings", "fields", "painted", "jigsaw", "dark", KEPT_BACK[1])
TRAIT_SHARE = 0.22
EXPOSURES, EXPOSURE_SHARES = ("fair", "dim", "bright"), (0.4, 0.3, 0.3)
OFF_SHARES, OFF_SHARES_OFTEN = (0.3, 0.4, 0.2, 0.1), (0.15, 0.15, 0.25, 0.45)
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


class BusyBoard(HardBoard):
    """A board with several hard traits, written all over beside the track."""

    def _letters(self) -> None:
        for _ in range(int(self.rng.integers(1, 4))):
            super()._letters()


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


def some_views(
    seed: int, photos: int = 1, *, hands: float = 0.3, things: float = 0.4, kind: Kind = Kind.USUAL
) -> tuple[BoardFile, list[dict[str, Any]]]:
    """One board and some pictures of it, each with its truth."""
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
            furnished(drawn, pose_of(board, seen), rng, hands=hands, things=things, exposure=exposure)
        )
    return board, views


def _drawn(board: BoardFile, appearance: Appearance, kind: Kind, rng: np.random.Generator) -> WornBoard:
    if kind in (Kind.USUAL, Kind.FAINT):
        return (WornBoard if kind is Kind.USUAL else FaintBoard)(board, appearance, rng)
    share = TRAIT_SHARE if kind is Kind.HARD else JOINED_TRAIT_SHARE
    traits = frozenset(trait for trait in HARD_TRAITS if rng.random() < share)
    drawn = BusyBoard if kind is Kind.HARD else JoinedBoard
    return drawn(board, appearance, traits, TRAINED, rng)


def write(folder: Path, seed: int, photos: int, *, hands: float, things: float, kind: Kind) -> None:
    """Write the pictures of one seed, the board and a line for each; FaultyDocumentError where holes overlap."""
    board, views = some_views(seed, photos, hands=hands, things=things, kind=kind)
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
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument(
        "--hard", dest="kind", action="store_const", const=Kind.HARD, default=Kind.USUAL,
        help="dark and bright pictures of boards that are hard to find",
    )  # fmt: skip
    kinds.add_argument(
        "--joined", dest="kind", action="store_const", const=Kind.JOINED,
        help="boards drilled off, some with pegs, with marks between their holes",
    )  # fmt: skip
    kinds.add_argument(
        "--faint", dest="kind", action="store_const", const=Kind.FAINT,
        help="boards whose holes are small or have the colour of the board",
    )  # fmt: skip
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for seed in range(args.first, args.first + args.count):
        try:
            write(args.out, seed, args.photos, hands=args.hands, things=args.things, kind=args.kind)
        except FaultyDocumentError as fault:
            # Drilled off so far that two holes overlap: nobody would call it a board.
            sys.stderr.write(f"{seed} is no board: {fault}\n")
        sys.stderr.write(f"{seed}\n")


if __name__ == "__main__":
    main()
