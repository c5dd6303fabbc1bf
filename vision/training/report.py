"""Measures the reader on stills with ground truth: `report.py FOLDER` prints tables for docs/vision.md.

Holes that the truth marks as hidden are left out of the rates; they are counted on their own.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, load
from tock_companion.observation import HoleState
from tock_vision.images import load_image
from tock_vision.network import PatchNetwork
from tock_vision.pattern import hole_points_mm
from tock_vision.reader import BoardReader, Reading
from tock_vision.search import register_by_touches

BINS = 10
SURE = 0.8


@dataclass
class Tally:
    """What was counted over some pictures."""

    pictures: int = 0
    registered: int = 0
    misplaced: int = 0
    holes: int = 0
    unknown: int = 0
    right: int = 0
    clean: int = 0
    hidden: int = 0
    hidden_called: int = 0
    off_pitches: list[float] = field(default_factory=list)
    claims: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Add the counts of another tally."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def row(self, name: str) -> str:
        """Return a row of a table."""
        said = self.holes - self.unknown
        cells = [
            name,
            str(self.pictures),
            _percent(self.registered, self.pictures),
            f"{np.median(self.off_pitches):.3f}" if self.off_pitches else "-",
            _percent(self.right, said),
            _percent(self.unknown, self.holes),
            _percent(self.clean, self.registered),
            _percent(self.hidden_called, self.hidden),
        ]
        return "| " + " | ".join(cells) + " |"

    def calibration_error(self) -> float:
        """Return the expected calibration error over ten bins of confidence."""
        if not self.claims:
            return 0.0
        confidence, right = (np.array(column, dtype=float) for column in zip(*self.claims, strict=True))
        place = np.minimum((confidence * BINS).astype(int), BINS - 1)
        gaps = [
            abs(confidence[place == n].mean() - right[place == n].mean()) * (place == n).mean()
            for n in range(BINS)
            if (place == n).any()
        ]
        return float(sum(gaps))


HEAD = """\
| | pictures | registered | off, pitches | right of said | unknown | no wrong hole | hidden called |
|---|---|---|---|---|---|---|---|"""


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "-"


def compare(reading: Reading, entry: dict[str, Any], board: BoardFile) -> Tally:
    """Count one picture."""
    tally = Tally(pictures=1)
    if not reading.registered or reading.view is None:
        return tally
    tally.registered = 1
    truth = entry["holes"]
    true_px = np.array([truth[hole.id]["px"] for hole in board.holes])
    off = np.linalg.norm(reading.view.project(hole_points_mm(board)) - true_px, axis=1)
    pitch_px = board.pitch_mm * float(np.median(reading.view.scale(hole_points_mm(board))))
    tally.off_pitches = [float(np.sqrt((off**2).mean())) / pitch_px]
    tally.misplaced = int(tally.off_pitches[0] > 0.25)
    wrong = 0
    for hole in board.holes:
        said, true = reading.holes[hole.id], truth[hole.id]
        if true["hidden"]:
            tally.hidden += 1
            tally.hidden_called += int(said.state is not HoleState.UNKNOWN and said.confidence > SURE)
            continue
        tally.holes += 1
        if said.state is HoleState.UNKNOWN:
            tally.unknown += 1
            continue
        color = board.colors[said.seat] if said.seat is not None else None
        right = said.state.value == true["state"] and color == true["color"]
        tally.right += int(right)
        tally.claims.append((said.confidence, right))
        wrong += int(not right)
    tally.clean = int(wrong == 0)
    return tally


def rough_touches(entry: dict[str, Any], board: BoardFile, rng: np.random.Generator) -> dict[str, Any]:
    """Return places touched on four start holes, each off by up to half a pitch."""
    truth = entry["holes"]
    pitch_px = float(np.linalg.norm(np.subtract(truth["T0"]["px"], truth["T1"]["px"])))
    names = [f"T{18 * (board.zones * part // 4)}" for part in range(4)]
    touches = {}
    for name in names:
        angle, far = rng.uniform(0, 2 * np.pi), 0.5 * pitch_px * np.sqrt(rng.uniform())
        x, y = truth[name]["px"]
        touches[name] = (x + far * np.cos(angle), y + far * np.sin(angle))
    return touches


def measure(folder: Path, chosen: list[dict[str, Any]], mode: str, network: PatchNetwork) -> Iterable[Any]:
    """Yield each entry with its tally."""
    boards: dict[str, BoardFile] = {}
    rng = np.random.default_rng(1)
    for entry in chosen:
        name = entry["board"]
        board = boards.setdefault(name, load(folder / name))
        frame = load_image(folder / entry["image"])
        reader = BoardReader(board, network=network)
        if mode == "touch":
            touches = rough_touches(entry, board, rng)
            reader.registrar.find = _by_touches(board, touches)
        elif mode == "pattern":
            # A scan at once, as if the board had no markers.
            reader.registrar.find = reader.registrar.scan or reader.registrar.find
        yield entry, compare(reader.read(frame), entry, board)


def _by_touches(board: BoardFile, touches: dict[str, Any]) -> Callable[[Any], Any]:
    return lambda gray: register_by_touches(gray, board, touches)


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mode", choices=("markers", "touch", "pattern"), default="markers")
    parser.add_argument("--network", type=Path, help="another ONNX file, trained without some boards")
    parser.add_argument("--boards", nargs="*", help="names of boards to measure on, all when none are named")
    parser.add_argument("--every", type=int, default=1, help="measure every n-th picture only")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    entries = [json.loads(line) for line in (args.folder / "stills.jsonl").read_text().splitlines()]
    entries = [
        entry
        for entry in entries
        if (args.mode != "markers" or entry["markers"])
        and (not args.boards or Path(entry["board"]).stem in args.boards)
    ][:: args.every]
    network = PatchNetwork(args.network)
    groups: dict[str, Tally] = {}
    for entry, tally in measure(args.folder, entries, args.mode, network):
        for group in ("all", Path(entry["board"]).stem, entry["light"], entry["camera"]):
            groups.setdefault(group, Tally()).add(tally)
    lines = [HEAD, *(groups[name].row(name) for name in sorted(groups))]
    total = groups["all"]
    lines.append(f"\nCalibration error {total.calibration_error():.4f} over {len(total.claims)} holes; ")
    lines.append(f"{total.misplaced} of {total.registered} registered more than a quarter of the pitch off.")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
