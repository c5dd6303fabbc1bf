"""Measures `tock board discover` on pictures with ground truth.

`python -m vision.training.discovery.report FOLDER` prints the table of docs/measurements/board-discovery.md. The
packaged networks learned from D01 to D06: never measure them on those (`--boards D07 …`).
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from PIL import Image

from tock_companion.boardfile import BoardFile, load
from tock_rules import ZONE_LENGTH, Hole, HoleKind
from tock_vision.discovery.centre import Centre
from tock_vision.discovery.command import asks_of
from tock_vision.discovery.photo import MAX_OUTSIDE_SHARE
from tock_vision.discovery.pipeline import Found, discover
from tock_vision.discovery.touch_hints import Starts
from tock_vision.images import load_image
from tock_vision.mending.sketch import CENTRE
from vision.training.discovery.board_comparison import compare
from vision.training.pictures.refused_boards import refused_pictures
from vision.training.pictures.stills import board_name, entries_of
from vision.training.reader.tally import HoleTally

HEAD = (
    "| photographs | n | whole and right | but for the middle, asked | refused | wrong (not asked) "
    "| place, p95 (pitches) | CPU s, median / most |\n"
    "|---|---|---|---|---|---|---|---|\n"
)


class Touched(Enum):
    """A person's touches in the first photograph."""

    NOTHING = 0
    STARTS = 1
    MIDDLE = 2
    """The starts, and an answer to whether there is a hole in the middle, as the board maker's page asks."""


ROWS = {
    "three": (3, Touched.NOTHING),
    "one": (1, Touched.NOTHING),
    "touched": (1, Touched.STARTS),
    "middle": (1, Touched.MIDDLE),
}
"""The number of photographs, and the touched holes."""
OTHERS = "others"
"""The row of things that are no Tock board."""
TOUCH_SIGMA_PITCHES = 0.2
"""Error of a finger on a start hole in each direction, as one sigma."""


@dataclass(frozen=True)
class Attempt:
    """One attempt to discover a board: which one, from which pictures, and how it went."""

    board: str
    images: tuple[str, ...]
    found: bool
    right: bool
    only_asked: bool
    """Whether nothing is wrong but the middle, and the middle was asked about."""
    wrong: tuple[str, ...]
    """The true names of holes that lie elsewhere or have another name, and a middle too many."""
    off_pitches: tuple[float, ...]
    seconds: float
    claims: tuple[tuple[float, bool], ...] = ()
    """The reported probability of each hole of the track and the homes, and whether it is right."""
    asks: tuple[str, ...] = ()

    @property
    def is_silent(self) -> bool:
        """Whether something is wrong and no question was asked about it."""
        about: dict[str, str] = {str(CENTRE): "ask_centre"}
        return self.found and any(about.get(hole, "ask_holes") not in self._asked for hole in self.wrong)

    @property
    def _asked(self) -> set[str]:
        """The questions, those about starts and camps being about holes too."""
        return {"ask_holes" if ask in ("ask_start", "ask_camp") else ask for ask in self.asks}


def _turn_seen(found: Found, entry: dict[str, Any]) -> int:
    """By how many zones the board that was found is numbered further than the true one in its first photograph."""
    holes = {hole.id: hole.place for hole in found.holes}
    seen = found.joined.poses[0].project(
        np.array([holes[Hole.track(ZONE_LENGTH * zone)] for zone in range(found.board.zones)])
    )
    return int(np.linalg.norm(seen - entry["holes"]["T0"]["px"], axis=1).argmin())


def attempt(folder: Path, entries: Sequence[dict[str, Any]], touched: Touched, seed: int) -> Attempt:
    """Discover a board from some of its pictures and compare it with the true one."""
    true = load(folder / entries[0]["board"])
    frames = [load_image(folder / entry["image"]) for entry in entries]
    starts = None if touched is Touched.NOTHING else _touch(entries[0], true, np.random.default_rng(seed))
    has_middle = "C" in true.by_id if touched is Touched.MIDDLE else None
    began = process_time()
    found = discover(frames, "found", starts=starts, has_middle=has_middle)
    seconds = process_time() - began
    names = tuple(Path(entry["image"]).stem for entry in entries)
    if not isinstance(found, Found):
        return Attempt(true.name, names, False, False, False, tuple(true.by_id), (), seconds)
    seen = compare(found.board, true, _turn_seen(found, entries[found.joined.used[0]]))
    asked = seen.wrong == ("C",) and found.middle is Centre.UNKNOWN
    chances = {hole.id: hole.chance for hole in found.holes}
    claims = [
        (chances.get(true.turned(hole, seen.turn), 0.0), hole not in seen.wrong)
        for hole in true.by_id
        if hole.kind in (HoleKind.TRACK, HoleKind.HOME) and found.board.zones == true.zones
    ]
    asks = tuple(str(ask["code"]).partition("/")[2] for ask in asks_of(found, touched=starts is not None))
    return Attempt(
        true.name, names, True, not seen.wrong, asked,
        seen.wrong, tuple(seen.off_pitches), seconds, tuple(claims), asks,
    )  # fmt: skip


def _touch(entry: dict[str, Any], board: BoardFile, rng: np.random.Generator) -> Starts:
    holes = entry["holes"]
    pitch_px = float(np.linalg.norm(np.subtract(holes["T0"]["px"], holes["T1"]["px"])))
    starts = np.array([holes[Hole.track(ZONE_LENGTH * zone)]["px"] for zone in range(board.zones)])
    return Starts(starts + rng.normal(0, TOUCH_SIGMA_PITCHES * pitch_px, starts.shape))


def shows_all(folder: Path, entry: dict[str, Any]) -> bool:
    """Whether the whole board is in the picture; one that is cut off must be refused."""
    with Image.open(folder / entry["image"]) as picture:
        size = np.array(picture.size)
    places = np.array([hole["px"] for hole in entry["holes"].values()])
    return float(((places < 0) | (places > size - 1)).any(axis=1).mean()) <= MAX_OUTSIDE_SHARE


def boards_of(folder: Path) -> list[str]:
    """All boards of which a folder has pictures."""
    return sorted({board_name(entry) for entry in entries_of(folder)})


def attempts(
    folder: Path, boards: Sequence[str], photos: int, touched: Touched, each: int
) -> Iterator[Attempt]:
    """This many tries for each board; three photographs are always without a hand."""
    entries = entries_of(folder)
    for name in boards:
        own = [
            entry
            for entry in entries
            if board_name(entry) == name and not (photos > 1 and entry["hand"]) and shows_all(folder, entry)
        ]
        if not own:
            sys.stderr.write(f"{name}: every picture is cut off\n")
            continue
        rng = np.random.default_rng(photos)
        for number in range(each):
            chosen = rng.choice(len(own), min(photos, len(own)), replace=False)
            yield attempt(folder, [own[place] for place in chosen], touched, number)


def row(label: str, done: Sequence[Attempt]) -> str:
    """A line of the table."""
    off = [value for tried in done if tried.right for value in tried.off_pitches]
    refused = sum(not tried.found for tried in done)
    place = f"{np.quantile(off, 0.95):.3f}" if off else "–"
    right = sum(tried.right for tried in done)
    asked = sum(tried.only_asked for tried in done)
    seconds = [tried.seconds for tried in done]
    return (
        f"| {label} | {len(done)} | {right} ({100 * right / len(done):.0f} %) | {asked} | {refused} | "
        f"{len(done) - right - asked - refused} ({sum(tried.is_silent for tried in done)}) | {place} | "
        f"{np.median(seconds):.1f} / {max(seconds):.1f} |"
    )


def others() -> str:
    """Count the refused pictures of other things, and the reasons given."""
    lines = []
    for name, picture in refused_pictures():
        answer = discover([picture], "other")
        reason = "**found**" if isinstance(answer, Found) else answer.reason.partition("/")[2]
        lines.append(f"| {name} | {reason} |")
    return "\n| other things photographed | answer |\n|---|---|\n" + "\n".join(lines) + "\n"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--boards", nargs="+", help="all by default")
    parser.add_argument("--each", type=int, default=2, help="tries for each board and row")
    parser.add_argument("--rows", nargs="+", choices=(*ROWS, OTHERS), default=(*ROWS, OTHERS))
    args = parser.parse_args()
    boards = args.boards or boards_of(args.folder)
    sys.stdout.write(HEAD)
    for name in args.rows:
        if name == OTHERS:
            sys.stdout.write(others())
            continue
        done = []
        for tried in attempts(args.folder, boards, *ROWS[name], args.each):
            sys.stderr.write(
                f"{name} {tried.board} {' '.join(tried.images)}: found {tried.found}, wrong "
                f"{len(tried.wrong)}: {' '.join(tried.wrong[:6])}; asked {tried.asks}; {tried.seconds:.1f} s\n"
            )
            done.append(tried)
        sys.stdout.write(row(name, done) + "\n")
        whole = HoleTally(claims=[claim for tried in done for claim in tried.claims])
        sys.stdout.write(f"\n{whole.bins()}\ncalibration error {whole.calibration_error():.3f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
