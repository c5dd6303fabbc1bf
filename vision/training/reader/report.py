"""Measures the reader on pictures with ground truth.

`python -m vision.training.reader.report FOLDER` prints the tables of docs/measurements/board-reading.md. The packaged
networks learned from all given stills: measure those of a training `--without` some boards on these, with `--network`
and `--boards`.

The rates leave out the holes that the truth marks as hidden; these are counted separately.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_bench.results import origin
from tock_companion.boardfile import BoardFile, generate, load
from tock_companion.observation import UNSEEN, HoleState
from tock_rules import Hole
from tock_vision.board_points import hole_points_mm
from tock_vision.holes.network import PatchNetwork
from tock_vision.images import load_image
from tock_vision.learning import calibration_from_recording
from tock_vision.reader import BoardReader
from tock_vision.registration.registrar import SearchPlan
from tock_vision.registration.touches import Touches
from vision.training.pictures.stills import board_name, entries_of
from vision.training.pictures.without_board import pictures_without_board
from vision.training.reader.tally import HEAD, SURE_CONFIDENCE, HoleTally, compare

PATTERN_EVERY = 5
"""One picture in this many is also read by the pattern of holes alone, which takes seconds."""
SAME_PITCHES = 0.25
"""Two boards are of one pattern when their holes lie no further apart than this."""
PARTS = ("stills", "recordings", "refusals")


def rough_touches(entry: dict[str, Any], board: BoardFile, rng: np.random.Generator) -> Touches:
    """Places touched on four start holes, each off by up to half a pitch."""
    truth = entry["holes"]
    pitch_px = float(np.linalg.norm(np.subtract(truth["T0"]["px"], truth["T1"]["px"])))
    names = [Hole.track(18 * (board.zones * part // 4)) for part in range(4)]
    touches = {}
    for name in names:
        angle, far = rng.uniform(0, 2 * np.pi), 0.5 * pitch_px * np.sqrt(rng.uniform())
        x, y = truth[name]["px"]
        touches[name] = (x + far * np.cos(angle), y + far * np.sin(angle))
    return touches


def measure(
    folder: Path, chosen: list[dict[str, Any]], mode: str, network: PatchNetwork
) -> Iterable[tuple[dict[str, Any], HoleTally]]:
    """Yield each entry with its tally."""
    boards: dict[str, BoardFile] = {}
    rng = np.random.default_rng(1)
    for entry in chosen:
        name = entry["board"]
        board = boards.setdefault(name, load(folder / name))
        frame = load_image(folder / entry["image"])
        plan = SearchPlan()
        if mode == "touch":
            plan = SearchPlan(touches=rough_touches(entry, board, rng))
        elif mode == "pattern":
            # As if the board had no markers.
            plan = SearchPlan(markers=False)
        reader = BoardReader(board, network=network, plan=plan)
        yield entry, compare(reader.read_frame(frame), entry, board)


def stills(folder: Path, boards: Sequence[str], network: PatchNetwork, every: int) -> Iterable[str]:
    """Yield the tables of stills."""
    entries = [entry for entry in entries_of(folder) if not boards or board_name(entry) in boards]
    totals: dict[str, HoleTally] = {}
    parts: dict[str, HoleTally] = {}
    for mode in ("markers", "touch", "pattern"):
        chosen = [entry for entry in entries if mode != "markers" or entry["markers"]]
        chosen = chosen[:: every * (PATTERN_EVERY if mode == "pattern" else 1)]
        for entry, tally in measure(folder, chosen, mode, network):
            totals.setdefault(mode, HoleTally()).add(tally)
            sys.stderr.write(f"\r{mode}: {totals[mode].pictures} pictures ")
            for name in _sorts(entry) if mode != "pattern" else []:
                parts.setdefault(name, HoleTally()).add(tally)
    often = f" in {every}" if every > 1 else ""
    yield f"Every picture{often}, without calibration; by the pattern alone every"
    yield f"{every * PATTERN_EVERY}th.\n"
    yield "\n".join([HEAD, *(tally.row(mode) for mode, tally in totals.items())])
    yield "\nWith markers and with touches together:\n"
    yield "\n".join([HEAD, *(parts[name].row(name) for name in sorted(parts))])
    everything = HoleTally()
    for tally in totals.values():
        everything.add(tally)
    yield f"\nConfidence against hit rate, {len(everything.claims)} holes:\n"
    yield everything.bins()
    for mode, tally in totals.items():
        yield f"\n{mode}: calibration error {tally.calibration_error():.4f}; {tally.misplaced} of "
        yield f"{tally.registered} registered more than a quarter of the pitch off; {tally.loose_found} of"
        yield f"{tally.loose} pawns beside the holes found, {tally.loose_wrong} said where none lies."


def _sorts(entry: dict[str, Any]) -> list[str]:
    """The names of the rows that a picture belongs to."""
    return [
        f"board {board_name(entry)}",
        f"light {entry['light']}",
        f"camera {'wide' if 'wide' in entry['camera'] else 'standard'}",
        "with a hand" if entry["hand"] else "without a hand",
    ]


def recordings(folder: Path, network: PatchNetwork) -> Iterable[str]:
    """Yield the table of recordings: after calibration, without, and where each sequence ends."""
    yield "| recording | calibrated | right | wrong | unknown | occluded | occluded, reported over 0.8 | end right |"
    yield "|---|---|---|---|---|---|---|---|"
    for path in sorted(folder.iterdir()):
        recording = json.loads((path / "recording.json").read_text())
        truth = json.loads((path / "truth.json").read_text())
        log = [json.loads(line) for line in (path / "frames.jsonl").read_text().splitlines()]
        board = load(path / recording["board"])
        for calibrated in (True, False):
            learned = (
                calibration_from_recording(board, recording["calibration"], path) if calibrated else None
            )
            counts = _sequence(BoardReader(board, learned, network), path, log, truth["frames"])
            cells = [path.name, "yes" if calibrated else "no", *(str(value) for value in counts)]
            yield "| " + " | ".join(cells) + " |"


def _sequence(reader: BoardReader, path: Path, log: list[Any], truth: list[Any]) -> list[object]:
    board = reader.board
    right = wrong = unknown = hidden = called = 0
    settled = True
    for entry, true in zip(log, truth, strict=True):
        reading = reader.read_frame(load_image(path / entry["file"]), entry["t_ms"])
        misses = 0
        for hole in board.holes:
            found = reading.holes.get(hole.id, UNSEEN)
            color = board.colors[found.seat] if found.seat is not None else None
            known = found.state is not HoleState.UNKNOWN
            fits = known and color == true["pawns"].get(hole.id)
            if hole.id in true["hidden"]:
                hidden += 1
                called += int(known and found.confidence > SURE_CONFIDENCE and not fits)
            elif not true["hand"]:
                right, wrong, unknown = right + fits, wrong + (known and not fits), unknown + (not known)
                misses += int(not fits)
        settled = misses == 0
    return [right, wrong, unknown, hidden, called, "yes" if settled else "no"]


def refusals(folder: Path, network: PatchNetwork) -> Iterable[str]:
    """Yield how many pictures without the board are refused."""
    board = generate(4, 400)
    is_taken = {
        name: BoardReader(board, network=network).read_frame(picture).registered
        for name, picture in pictures_without_board()
    }
    taken, count = [name for name, is_one in is_taken.items() if is_one], len(is_taken)
    yield f"Drawn pictures without the board: {count - len(taken)} of {count} refused {taken or ''}"
    entries = entries_of(folder)[::9]
    files = {path.stem: load(path) for path in sorted((folder / "boards").glob("*.json"))}
    tried: dict[bool, int] = {False: 0, True: 0}
    taken_of: dict[bool, list[str]] = {False: [], True: []}
    for number, entry in enumerate(entries):
        own = files[board_name(entry)]
        others = [name for name, other in files.items() if other.holes != own.holes]
        name = others[number % len(others)]
        reading = BoardReader(files[name], network=network).read_frame(load_image(folder / entry["image"]))
        same = _same_pattern(own, files[name])
        tried[same] += 1
        if reading.registered:
            taken_of[same].append(f"{entry['image']} as {name}")
    for same, kind in ((False, "another pattern"), (True, "the same pattern, perhaps in another size")):
        refused = tried[same] - len(taken_of[same])
        yield f"Stills with the file of a board of {kind}: {refused} of {tried[same]} refused {taken_of[same] or ''}"


def _same_pattern(first: BoardFile, second: BoardFile) -> bool:
    """Whether the holes of two boards lie alike when their sizes are left out of account."""
    if len(first.holes) != len(second.holes):
        return False
    points = [hole_points_mm(board) / board.pitch_mm for board in (first, second)]
    one, other = (some - some.mean(axis=0) for some in points)
    scale = np.sqrt((one**2).sum() / (other**2).sum())
    return float(np.abs(one - scale * other).max()) < SAME_PITCHES


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--network", type=Path, help="folder of other ONNX files")
    parser.add_argument("--boards", nargs="*", default=[], help="all by default")
    parser.add_argument("--every", type=int, default=1, help="measure every n-th picture only")
    parser.add_argument("--parts", nargs="*", default=PARTS, choices=PARTS)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    network = PatchNetwork(args.network)
    sections: dict[str, Callable[[], Iterable[str]]] = {
        "stills": lambda: stills(args.folder, args.boards, network, args.every),
        "recordings": lambda: recordings(args.folder / "recordings", network),
        "refusals": lambda: refusals(args.folder, network),
    }
    sys.stdout.write(f"{origin('make vision-report')}\n")
    for part in args.parts:
        sys.stdout.write(f"\n## {part}\n\n")
        for line in sections[part]():
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
