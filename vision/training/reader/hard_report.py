"""Measures the reader on kept-back pictures of boards that are hard to read.

`python -m vision.training.reader.hard_report FOLDER` reads a folder that `hard_scenes --kept-back` made. The view is
given, so that only what is said of the holes counts; where more than four pawns of a colour stand, nothing is made of
that rule. `--learned` reads only pictures whose empty board was seen in another one (`painted_scenes`), and learns
that first.
"""

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_bench.results import add_counts, origin
from tock_companion.boardfile import BoardFile, load
from tock_companion.observation import HoleReading, HoleState
from tock_companion.rules import PAWNS_PER_SEAT, Hole
from tock_vision.arrays import Frame
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.calibration import Calibration
from tock_vision.holes.context import painted_owners
from tock_vision.holes.hole_reader import HoleClassifier, HoleReader
from tock_vision.holes.network import PatchNetwork
from tock_vision.holes.patches import cut, patch_grid, small_frame
from tock_vision.images import load_image
from tock_vision.registration.results import Registration
from vision.training.pictures.hard_boards import KEPT_BACK
from vision.training.pictures.stills import entries_of

HEAD = """\
| | pictures | holes | right of said | unknown | of these clearly a pawn | painted and empty, called pawn \
| plain and empty, called pawn | pawn called empty | wrong colour | 0.8 to 0.9 right | 0.9 to 1.0 right |
|---|---|---|---|---|---|---|---|---|---|---|---|"""
EMPTY, PAWN = "empty", "pawn"
BINS = ((0.8, 0.9), (0.9, 1.01))


@dataclass
class Count:
    """Counts over some pictures; holes that cannot be seen are left out."""

    pictures: int = 0
    holes: int = 0
    unknown: int = 0
    colorless: int = 0
    painted: int = 0
    painted_called: int = 0
    plain: int = 0
    plain_called: int = 0
    pawns: int = 0
    pawns_missed: int = 0
    wrong_color: int = 0
    claims: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, other: "Count") -> None:
        """Add the counts of another."""
        add_counts(self, other)

    def row(self, name: str) -> str:
        """A row of the table."""
        right = sum(fits for _, fits in self.claims)
        bins = []
        for low, high in BINS:
            own = [fits for sure, fits in self.claims if low <= sure < high]
            bins.append(f"{_share(sum(own), len(own))} of {len(own)}")
        cells = [
            name, self.pictures, self.holes, _share(right, len(self.claims)), _share(self.unknown, self.holes),
            self.colorless, f"{self.painted_called} of {self.painted}", f"{self.plain_called} of {self.plain}",
            f"{self.pawns_missed} of {self.pawns}", self.wrong_color, *bins,
        ]  # fmt: skip
        return "| " + " | ".join(str(cell) for cell in cells) + " |"


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "–"


def count(board: BoardFile, readings: dict[Hole, HoleReading], truth: dict[str, Any]) -> Count:
    """Compare what was said of the holes of one picture with the truth; a pawn without colour counts as unknown."""
    out = Count(pictures=1)
    for hole, owner in zip(board.holes, painted_owners(board), strict=True):
        true, seen = truth[hole.id], readings[hole.id]
        if true["hidden"]:
            continue
        out.holes += 1
        pawn = true["state"] == PAWN
        called = seen.state is HoleState.PAWN
        out.pawns += pawn
        out.pawns_missed += pawn and seen.state is HoleState.EMPTY
        if not pawn:
            out.painted, out.plain = out.painted + (owner is not None), out.plain + (owner is None)
            out.painted_called += called and owner is not None
            out.plain_called += called and owner is None
        if seen.state is HoleState.UNKNOWN or (called and pawn and seen.seat is None):
            out.unknown += 1
            out.colorless += called
            continue
        color = board.colors[seen.seat] if seen.seat is not None else None
        out.wrong_color += called and pawn and color != true["color"]
        out.claims.append((seen.confidence, called == pawn and color == true["color"]))
    return out


def seen(folder: Path, entry: dict[str, Any]) -> tuple[Frame, CameraPose]:
    """A picture and its true view."""
    frame = load_image(folder / entry["image"])
    return frame, CameraPose(np.array(entry["view"]), (frame.shape[1], frame.shape[0]))


def read(
    folder: Path, entry: dict[str, Any], network: PatchNetwork, empty: dict[str, Any] | None = None
) -> Count:
    """Read one picture from its true view, once the picture of the `empty` board was learned where there is one."""
    board = load(folder / entry["board"])
    frame, pose = seen(folder, entry)
    learned = None
    if empty is not None:
        bare, view = seen(folder, empty)
        known = Registration(view, 0.0, 1.0, "stored", "sure")
        learned = Calibration(known, cut(bare, patch_grid(view, board)), {})
    standing = [hole["color"] for hole in entry["holes"].values() if hole["color"]]
    four = all(standing.count(color) <= PAWNS_PER_SEAT for color in standing)
    reader = HoleReader(pose, HoleClassifier(board, network), learned, four_pawns=four)
    return count(board, reader.read_holes(frame, small_frame(frame)), entry["holes"])


def table(folder: Path, network: PatchNetwork, *, learned: bool = False) -> Iterable[str]:
    """Yield a row for each trait, for those that were never trained on, and for all pictures."""
    rows: dict[str, Count] = {}
    entries = entries_of(folder)
    by_name = {Path(entry["image"]).stem: entry for entry in entries}
    for entry in entries:
        empty = by_name.get(entry.get("empty", "")) if learned else None
        if learned and empty is None:
            continue
        one = read(folder, entry, network, empty)
        names = [*entry.get("traits", []), "all"]
        names += ["not full"] if "full" not in entry.get("traits", []) else []
        names += ["traits never trained" if set(KEPT_BACK) & set(entry.get("traits", [])) else "other traits"]
        for name in names:
            rows.setdefault(name, Count()).add(one)
    yield HEAD
    for name in sorted(rows):
        yield rows[name].row(name)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--network", type=Path, help="folder of other ONNX files")
    parser.add_argument(
        "--learned", action="store_true", help="learn the empty board first, where it was seen"
    )
    args = parser.parse_args()
    cv2.setNumThreads(1)
    sys.stdout.write(f"{origin('python -m vision.training.reader.hard_report')}\n\n")
    for line in table(args.folder, PatchNetwork(args.network), learned=args.learned):
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
