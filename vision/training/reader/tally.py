"""Counts of the reader's results against the truth of pictures."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tock_bench.results import add_counts
from tock_companion.boardfile import BoardFile
from tock_companion.observation import HoleState
from tock_vision.board_points import hole_points_mm
from tock_vision.reader import Reading

BINS = 10
"""Classes of confidence in which the calibration error is measured."""
SURE_CONFIDENCE = 0.8
"""A wrong reading above this is counted as called with confidence."""
NEAR_PITCHES = 0.6
"""A pawn beside the holes is found when it is seen this close to its place."""

HEAD = """\
| | pictures | registered | off, pitches | right of reported | unknown | no wrong hole | occluded, reported |
|---|---|---|---|---|---|---|---|"""


@dataclass
class HoleTally:
    """Counts over some pictures."""

    pictures: int = 0
    registered: int = 0
    misplaced: int = 0
    holes: int = 0
    unknown: int = 0
    """Holes of which nothing is said, and pawns whose colour is not."""
    right: int = 0
    clean: int = 0
    hidden: int = 0
    hidden_called: int = 0
    loose: int = 0
    loose_found: int = 0
    loose_wrong: int = 0
    """Pawns said to lie beside the holes where none does, or in another colour."""
    off_pitches: list[float] = field(default_factory=list)
    claims: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, other: "HoleTally") -> None:
        """Add the counts of another tally."""
        add_counts(self, other)

    def row(self, name: str) -> str:
        """A row of a table."""
        found = self.holes - self.unknown
        cells = [
            name,
            str(self.pictures),
            _percent(self.registered, self.pictures),
            f"{np.median(self.off_pitches):.3f}" if self.off_pitches else "-",
            _percent(self.right, found),
            _percent(self.unknown, self.holes),
            _percent(self.clean, self.registered),
            f"{self.hidden_called} of {self.hidden}",
        ]
        return "| " + " | ".join(cells) + " |"

    def bins(self) -> str:
        """A table of confidence against hit rate in ten bins."""
        rows = ["| confidence | holes | mean | right |", "|---|---|---|---|"]
        for number in range(BINS):
            own = [claim for claim in self.claims if min(int(claim[0] * BINS), BINS - 1) == number]
            if own:
                mean, right = (float(np.mean(column)) for column in zip(*own, strict=True))
                low = number / BINS
                rows.append(f"| {low:.1f} to {low + 1 / BINS:.1f} | {len(own)} | {mean:.4f} | {right:.4f} |")
        return "\n".join(rows)

    def calibration_error(self) -> float:
        """The expected calibration error over ten bins of confidence."""
        return calibration_error(self.claims)


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "-"


def compare(reading: Reading, entry: dict[str, Any], board: BoardFile) -> HoleTally:
    """Count one picture."""
    tally = HoleTally(pictures=1)
    if not reading.registered or reading.pose is None:
        return tally
    tally.registered = 1
    truth = entry["holes"]
    true_px = np.array([truth[hole.id]["px"] for hole in board.holes])
    off = np.linalg.norm(reading.pose.project(hole_points_mm(board)) - true_px, axis=1)
    pitch_px = board.pitch_mm * float(np.median(reading.pose.scale(hole_points_mm(board))))
    tally.off_pitches = [float(np.sqrt((off**2).mean())) / pitch_px]
    tally.misplaced = int(tally.off_pitches[0] > 0.25)
    wrong = 0
    for hole in board.holes:
        found, true = reading.holes[hole.id], truth[hole.id]
        if true["hidden"]:
            tally.hidden += 1
            tally.hidden_called += int(
                found.state is not HoleState.UNKNOWN and found.confidence > SURE_CONFIDENCE
            )
            continue
        tally.holes += 1
        if found.state is HoleState.UNKNOWN or (
            found.seat is None and found.state.value == true["state"] == "pawn"
        ):
            tally.unknown += 1
            continue
        color = board.colors[found.seat] if found.seat is not None else None
        right = found.state.value == true["state"] and color == true["color"]
        tally.right += int(right)
        tally.claims.append((found.confidence, right))
        wrong += int(not right)
    tally.clean = int(wrong == 0)
    _compare_loose(tally, reading, entry, board, pitch_px)
    return tally


def _compare_loose(
    tally: HoleTally, reading: Reading, entry: dict[str, Any], board: BoardFile, pitch_px: float
) -> None:
    lying = [one for one in entry.get("loose", ()) if one["state"] == "off_hole"]
    if reading.pose is None or board.pawn is None:
        return
    radius = board.pawn.radius_mm if board.pawn.is_marble else 0.0
    tally.loose = len(lying)
    for pawn in reading.loose:
        at = reading.pose.project(np.array([[pawn.x_mm, pawn.y_mm]]), radius)[0]
        near = [one for one in lying if np.linalg.norm(at - one["px"]) < NEAR_PITCHES * pitch_px]
        right = bool(near) and pawn.seat is not None and board.colors[pawn.seat] == near[0]["colour"]
        tally.loose_found += int(right)
        tally.loose_wrong += int(not right)


def calibration_error(claims: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error of (confidence, right) over ten bins of equal width; 0 without claims."""
    if not claims:
        return 0.0
    confidence, right = (np.array(column, dtype=float) for column in zip(*claims, strict=True))
    place = np.minimum((confidence * BINS).astype(int), BINS - 1)
    gaps = [
        abs(confidence[place == n].mean() - right[place == n].mean()) * (place == n).mean()
        for n in range(BINS)
        if (place == n).any()
    ]
    return float(sum(gaps))
