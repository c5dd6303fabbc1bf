"""Measures `tock board discover` on pictures with ground truth.

`python -m vision.training.discovery_report FOLDER` prints the table of docs/measurements/board-discovery.md.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from types import MappingProxyType
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, DrilledHole, camp_hole, load, parse, to_json
from tock_companion.rules import ZONE_LENGTH, HoleKind, Seat
from tock_vision.arrays import Floats
from tock_vision.discovery import holeness
from tock_vision.discovery.centre import Centre
from tock_vision.discovery.discovering import Found, asks_of, discover
from tock_vision.discovery.holeness import network_of
from tock_vision.discovery.touched import Starts
from tock_vision.images import load_image
from tock_vision.reader import BoardReader
from tock_vision.registration.registrar import SearchPlan
from vision.training.other_games import other_pictures
from vision.training.report import rough_touches
from vision.training.tally import HEAD as READ_HEAD
from vision.training.tally import Tally
from vision.training.tally import compare as tally_of

SAME_PITCHES = 0.25
HEAD = (
    "| photographs | n | whole and right | but for the middle, asked | refused | wrong | touches, mean / most "
    "| place, p95 (pitches) | CPU s, median / most |\n"
    "|---|---|---|---|---|---|---|---|---|\n"
)
ROWS = ("three", "one", "touched", "others")
TOUCH_SIGMA_PITCHES = 0.2
"""How far a finger misses a start hole in each direction, as one sigma."""


@dataclass(frozen=True)
class Trial:
    """One try: which board, from which pictures, and how it went."""

    board: str
    images: tuple[str, ...]
    found: bool
    right: bool
    only_asked: bool
    """Whether nothing is wrong but the middle, and the middle was asked about."""
    touches: int
    """Touches that mend what is wrong, one for the same hole of all zones."""
    wrong: tuple[str, ...]
    """The true names of holes that lie elsewhere or have another name, and a middle too many."""
    off_pitches: tuple[float, ...]
    seconds: float
    claims: tuple[tuple[float, bool], ...] = ()
    """What was said of each hole of the track and the homes, as a chance, and whether it is right."""
    asks: tuple[str, ...] = ()
    file: BoardFile | None = None
    """The board that was found, its zones numbered as those of the true one; None where it is wrong."""


@dataclass(frozen=True)
class Comparison:
    """A board that was found beside the true one, after a turn and the best homography."""

    turn: int
    """By how many zones the one is numbered further than the other."""
    off_pitches: Floats
    """How far each true hole is off (infinite where it is missing)."""
    wrong: tuple[str, ...]


def compare(found: BoardFile, true: BoardFile, turn: int) -> Comparison:
    """Which holes are wrong, and how far each is off; which hole of a camp is the first does not matter."""
    track = [f"T{number}" for number in range(ZONE_LENGTH * true.zones)]
    names = [_turned(name, turn, true.zones) for name in track]
    plane = None
    if found.zones == true.zones:
        plane, _ = cv2.findHomography(_places(found, names), _places(true, track), cv2.RANSAC, 4.0)
    if plane is None:
        return Comparison(0, np.full(len(true.holes), np.inf), tuple(hole.id for hole in true.holes))
    off = _offsets(found, true, plane, turn)
    wrong = [hole.id for hole, away in zip(true.holes, off, strict=True) if away > SAME_PITCHES]
    return Comparison(turn, off, (*wrong, *sorted(set(found.by_id) - set(true.by_id))))


def _turn_seen(found: Found, entry: dict[str, Any]) -> int:
    """By how many zones the board that was found is numbered further than the true one in its first photograph."""
    holes = {hole.id: hole.place for hole in found.holes}
    names = [f"T{ZONE_LENGTH * zone}" for zone in range(found.board.zones)]
    seen = found.joined.poses[0].project(np.array([holes[name] for name in names]))
    return int(np.linalg.norm(seen - entry["holes"]["T0"]["px"], axis=1).argmin())


def _offsets(found: BoardFile, true: BoardFile, plane: Floats, turn: int) -> Floats:
    off = []
    for hole in true.holes:
        name = _turned(hole.id, turn, true.zones)
        group = [f"{name[:-1]}{number}" for number in range(1, 5)] if "-C" in name else [name]
        known = [one for one in group if one in found.by_id]
        if not known:
            off.append(np.inf)
            continue
        moved = cv2.perspectiveTransform(_places(found, known)[None], plane)[0]
        off.append(float(np.linalg.norm(moved - [hole.x_mm, hole.y_mm], axis=1).min()) / true.pitch_mm)
    return np.array(off)


def renumbered(found: BoardFile, true: BoardFile, turn: int) -> BoardFile:
    """The board that was found with the zones numbered as those of the true one."""
    back = (true.zones - turn) % true.zones
    seats = {seat: Seat((int(seat) + back) % true.zones) for seat in found.seats}
    holes = tuple(
        replace(
            hole,
            id=_turned(hole.id, back, true.zones),
            seat=None if hole.seat is None else seats[hole.seat],
            index=(hole.index + ZONE_LENGTH * back) % (ZONE_LENGTH * true.zones)
            if hole.id.startswith("T")
            else hole.index,
        )
        for hole in found.holes
    )
    holes = _with_camps_as(true, holes)
    colors = MappingProxyType({seats[seat]: color for seat, color in found.colors.items()})
    return parse(to_json(replace(found, holes=holes, colors=colors)))


def _with_camps_as(true: BoardFile, holes: Sequence[DrilledHole]) -> tuple[DrilledHole, ...]:
    """Number the holes of camps as another board does: each takes the number of the one it lies nearest to."""
    track = [f"T{number}" for number in range(ZONE_LENGTH * true.zones)]
    places = {hole.id: (hole.x_mm, hole.y_mm) for hole in holes}
    plane, _ = cv2.findHomography(np.array([places[name] for name in track]), _places(true, track))
    moved = cv2.perspectiveTransform(np.array([list(places.values())]), plane)[0]
    at = dict(zip(places, moved, strict=True))
    numbered = []
    for hole in holes:
        if hole.kind is HoleKind.CAMP and hole.seat is not None:
            camp = [camp_hole(hole.seat, index) for index in range(4)]
            index = int(np.argmin(np.linalg.norm(_places(true, camp) - at[hole.id], axis=1)))
            numbered.append(replace(hole, id=camp[index], index=index))
        else:
            numbered.append(hole)
    return tuple(numbered)


def _turned(name: str, turn: int, zones: int) -> str:
    """The id that a hole has on a board whose zones are numbered from another one."""
    if name.startswith("T"):
        return f"T{(int(name[1:]) + ZONE_LENGTH * turn) % (ZONE_LENGTH * zones)}"
    return f"P{(int(name[1]) + turn) % zones}{name[2:]}" if name.startswith("P") else name


def _places(board: BoardFile, names: Sequence[str]) -> Floats:
    return np.array([(board.hole(name).x_mm, board.hole(name).y_mm) for name in names])


def attempt(folder: Path, entries: Sequence[dict[str, Any]], *, touched: bool, seed: int) -> Trial:
    """Discover a board from some of its pictures and compare it with the true one."""
    true = load(folder / entries[0]["board"])
    frames = [load_image(folder / entry["image"]) for entry in entries]
    starts = _touch(entries[0], true, np.random.default_rng(seed)) if touched else None
    began = process_time()
    found = discover(frames, "found", starts=starts)
    seconds = process_time() - began
    names = tuple(Path(entry["image"]).stem for entry in entries)
    if not isinstance(found, Found):
        return Trial(true.name, names, False, False, False, 0, tuple(true.by_id), (), seconds)
    seen = compare(found.board, true, _turn_seen(found, entries[found.joined.used[0]]))
    asked = seen.wrong == ("C",) and found.middle is Centre.UNKNOWN
    chances = {hole.id: hole.chance for hole in found.holes}
    claims = [
        (chances.get(_turned(hole, seen.turn, true.zones), 0.0), hole not in seen.wrong)
        for hole in true.by_id
        if "-C" not in hole and hole != "C" and found.board.zones == true.zones
    ]
    asks = tuple(str(ask["code"]).partition("/")[2] for ask in asks_of(found, touched=touched))
    file = None if seen.wrong else renumbered(found.board, true, seen.turn)
    return Trial(
        true.name, names, True, not seen.wrong, asked, len({_of_all_zones(hole) for hole in seen.wrong}),
        seen.wrong, tuple(seen.off_pitches), seconds, tuple(claims), asks, file,
    )  # fmt: skip


def _of_all_zones(name: str) -> str:
    return f"T{int(name[1:]) % ZONE_LENGTH}" if name.startswith("T") else name.partition("-")[2] or name


def _touch(entry: dict[str, Any], board: BoardFile, rng: np.random.Generator) -> Starts:
    holes = entry["holes"]
    pitch_px = float(np.linalg.norm(np.subtract(holes["T0"]["px"], holes["T1"]["px"])))
    starts = np.array([holes[f"T{ZONE_LENGTH * zone}"]["px"] for zone in range(board.zones)])
    return Starts(starts + rng.normal(0, TOUCH_SIGMA_PITCHES * pitch_px, starts.shape))


def trials(folder: Path, boards: Sequence[str], photos: int, each: int, *, touched: bool) -> Iterator[Trial]:
    """So many tries for each board; three photographs are always without a hand."""
    entries = [json.loads(line) for line in (folder / "stills.jsonl").read_text().splitlines()]
    for name in boards:
        own = [
            entry
            for entry in entries
            if Path(entry["board"]).stem == name and not (photos > 1 and entry["hand"])
        ]
        rng = np.random.default_rng(photos)
        for number in range(each):
            chosen = rng.choice(len(own), min(photos, len(own)), replace=False)
            yield attempt(folder, [own[place] for place in chosen], touched=touched, seed=number)


def row(label: str, done: Sequence[Trial]) -> str:
    """A line of the table."""
    off = [value for trial in done if trial.right for value in trial.off_pitches]
    refused = sum(not trial.found for trial in done)
    place = f"{np.quantile(off, 0.95):.3f}" if off else "–"
    right = sum(trial.right for trial in done)
    asked = sum(trial.only_asked for trial in done)
    seconds = [trial.seconds for trial in done]
    mending = [trial.touches for trial in done if trial.found]
    touched = f"{np.mean(mending):.1f} / {max(mending)}" if mending else "–"
    return (
        f"| {label} | {len(done)} | {right} ({100 * right / len(done):.0f} %) | {asked} | {refused} | "
        f"{len(done) - right - asked - refused} | {touched} | {place} | "
        f"{np.median(seconds):.1f} / {max(seconds):.1f} |"
    )


def reading(folder: Path, done: Sequence[Trial], stills: int) -> str:
    """So many stills of each board that was found whole, read with its own file and with the one discovered."""
    entries = [json.loads(line) for line in (folder / "stills.jsonl").read_text().splitlines()]
    tallies = {"its own file": Tally(), "the file discovered": Tally()}
    for name, trial in {trial.board: trial for trial in done if trial.right and trial.file}.items():
        own = [entry for entry in entries if load(folder / entry["board"]).name == name]
        rng = np.random.default_rng(1)
        for place in rng.choice(len(own), min(stills, len(own)), replace=False):
            entry = own[place]
            true = load(folder / entry["board"])
            plan = SearchPlan(touches=rough_touches(entry, true, rng))
            frame = load_image(folder / entry["image"])
            for board, tally in zip((true, trial.file), tallies.values(), strict=True):
                assert board is not None
                tally.add(tally_of(BoardReader(board, plan=plan).read_frame(frame), entry, board))
    rows = [tally.row(name) for name, tally in tallies.items()]
    return "\n" + "\n".join([READ_HEAD, *rows]) + "\n"


def others() -> str:
    """How many pictures of other things are refused, and what is said of each."""
    lines = []
    for name, picture in other_pictures():
        answer = discover([picture], "other")
        reason = "**found**" if isinstance(answer, Found) else answer.reason.partition("/")[2]
        lines.append(f"| {name} | {reason} |")
    return "\n| other things photographed | answer |\n|---|---|\n" + "\n".join(lines) + "\n"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--boards", nargs="+", required=True)
    parser.add_argument("--each", type=int, default=2, help="tries for each board and row")
    parser.add_argument("--stills", type=int, default=4, help="stills of each board read with the file found")
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=ROWS)
    parser.add_argument("--network", type=Path, help="ONNX file of a network that never saw these boards")
    args = parser.parse_args()
    if args.network:
        if not args.network.is_file():
            raise SystemExit(f"{args.network} is no file")
        other = network_of(args.network.read_bytes())
        patch.object(holeness, "network", lambda: other).start()
    sys.stdout.write(HEAD)
    for name in args.rows:
        if name == "others":
            sys.stdout.write(others())
            continue
        done = []
        for trial in trials(
            args.folder, args.boards, 3 if name == "three" else 1, args.each, touched=name == "touched"
        ):
            sys.stderr.write(
                f"{name} {trial.board} {' '.join(trial.images)}: found {trial.found}, wrong "
                f"{len(trial.wrong)}: {' '.join(trial.wrong[:6])}; asked {trial.asks}; {trial.seconds:.1f} s\n"
            )
            done.append(trial)
        sys.stdout.write(row(name, done) + "\n")
        told = Tally(claims=[claim for trial in done for claim in trial.claims])
        sys.stdout.write(f"\n{told.bins()}\ncalibration error {told.calibration_error():.3f}\n")
        if name == "three":
            sys.stdout.write(reading(args.folder, done, args.stills))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
