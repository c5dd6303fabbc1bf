"""Makes pictures of boards on many processes while a network is trained on those that are there already.

Each is written to a folder as a file that appears when it is whole; whoever trains takes the files and removes them.
Kinds follow each other by number, so that each process makes some of all. Needs numba.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, load, parse, to_json
from tock_companion.errors import FaultyDocumentError
from tock_vision.arrays import Frame
from tock_vision.camera_pose import CameraPose
from vision.training.crop_pool import Picture
from vision.training.discovery_scenes import Kind, some_views
from vision.training.hard_boards import TRAINED
from vision.training.hard_scenes import hard_scene
from vision.training.holeness import picture_of
from vision.training.make_data import true_view
from vision.training.middles import COVERED_SHARE, Samples, samples_of
from vision.training.scenes import one_scene

FIRST_SEED = 4_000_000
"""Number of the first scene made here: none of those on which anything was measured has such a number."""
MIX = (
    Kind.USUAL, Kind.JOINED, Kind.FAINT, "hard", Kind.USUAL, Kind.HARD, Kind.JOINED, Kind.USUAL, Kind.FAINT, "plain",
    Kind.USUAL, Kind.JOINED, Kind.USUAL, Kind.FAINT, Kind.HARD, Kind.USUAL, Kind.JOINED, Kind.USUAL, Kind.FAINT, "hard",
)  # fmt: skip
"""Kinds of boards, one after the other; two are those made for the board reader."""
PHOTOS, MADE_TURNS, STILLS_TURNS = 2, 6, 8
"""Pictures of each board, and samples of the middle of each picture made and of each still."""
HANDS, THINGS = 0.2, 0.5
CHECKED_EVERY = 40
"""Of that many boards one is kept to check on."""


@dataclass(frozen=True)
class Ready:
    """A picture as both networks learn from it."""

    picture: Picture
    middles: Samples
    others: Samples
    board: str
    """Name of the board of a given still; empty for what was made."""
    is_for_checks: bool


def begin_preparing(folder: Path, given: Sequence[Path], workers: int) -> None:
    """Start processes that prepare the pictures of given folders."""
    _begin(_prepare, workers, folder, given)


def begin_making(folder: Path, workers: int, seconds: float) -> None:
    """Compile what draws, and start processes that make pictures for some time; they end with this one."""
    until = time.monotonic() + seconds
    some_views(FIRST_SEED - 1)
    _begin(_make, workers, folder, until)


def _begin(work: Callable[..., None], workers: int, folder: Path, *more: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(workers):
        arguments = (folder, number, workers, *more)
        get_context("fork").Process(target=work, args=arguments, daemon=True).start()


def taken(folder: Path) -> Iterator[Ready]:
    """The pictures that are there, each of them once."""
    for file in sorted(folder.glob("*.npz")):
        with np.load(file) as stored:
            row = {name: stored[name] for name in stored.files}
        file.unlink()
        picture = Picture(row["gray"], row["places"], row["visible"], row["hidden"], row["plane"])
        middles, others = (
            Samples(row[name][None], row[f"{name}_holes"][None]) for name in ("middles", "others")
        )
        yield Ready(picture, middles, others, str(row["board"]), bool(row["checks"]))


@dataclass(frozen=True)
class _Taken:
    """A photograph and what is known of it."""

    name: str
    frame: Frame
    board: BoardFile
    pose: CameraPose
    holes: dict[str, Any]
    still_of: str = ""
    is_for_checks: bool = False


def _prepare(folder: Path, first: int, step: int, given: Sequence[Path]) -> None:
    cv2.setNumThreads(1)
    lines = [
        (stills, line) for stills in given for line in (stills / "stills.jsonl").read_text().splitlines()
    ]
    for number in range(first, len(lines), step):
        stills, line = lines[number]
        view = _given(stills, json.loads(line))
        _write(folder, view, STILLS_TURNS if view.still_of else MADE_TURNS, number)


def _make(folder: Path, first: int, step: int, until: float) -> None:
    cv2.setNumThreads(1)
    seed = FIRST_SEED + first
    while time.monotonic() < until:
        try:
            for view in _views(seed):
                _write(folder, view, MADE_TURNS, seed)
        except (FaultyDocumentError, RuntimeError, ValueError):
            # Holes overlap, no board of the shape came out, or nothing of it is seen: nobody would miss it.
            pass
        seed += step


def _given(stills: Path, entry: dict[str, Any]) -> _Taken:
    """A picture of a folder; one that tells its view was made."""
    board, frame = load(stills / entry["board"]), cv2.imread(str(stills / entry["image"]))
    assert frame is not None, entry["image"]
    name = Path(entry["image"]).stem
    if "view" in entry:
        pose = CameraPose(np.array(entry["view"]), frame.shape[1::-1])
        return _Taken(name, np.asarray(frame), board, pose, entry["holes"])
    places = np.array([entry["holes"][hole.id]["px"] for hole in board.holes])
    pose = true_view(board, places, frame.shape[1::-1])
    return _Taken(name, np.asarray(frame), board, pose, entry["holes"], still_of=Path(entry["board"]).stem)


def _views(seed: int) -> Iterator[_Taken]:
    """Some pictures of one made board."""
    kind = MIX[seed % len(MIX)]
    if isinstance(kind, Kind):
        board, views = some_views(seed, PHOTOS, hands=HANDS, things=THINGS, kind=kind)
        parse(to_json(board))
    else:
        data, board, truth = hard_scene(TRAINED, seed) if kind == "hard" else one_scene([], seed)
        views = [truth | {"picture": data}]
    for number, view in enumerate(views):
        frame = np.asarray(cv2.imdecode(view["picture"], cv2.IMREAD_COLOR))
        pose = CameraPose(np.array(view["view"]), frame.shape[1::-1])
        is_for_checks = seed // len(MIX) % CHECKED_EVERY == 0
        yield _Taken(f"{seed}-{number}", frame, board, pose, view["holes"], is_for_checks=is_for_checks)


def _write(folder: Path, view: _Taken, turns: int, seed: int) -> None:
    picture = picture_of(np.asarray(cv2.cvtColor(view.frame, cv2.COLOR_BGR2GRAY)), view.board, view.holes)
    if picture is None:
        return
    rng = np.random.default_rng(seed)
    mine, its = samples_of(view.frame, view.board, view.pose, view.holes, turns, rng, COVERED_SHARE)
    arrays: dict[str, Any] = {
        "gray": picture.gray, "places": picture.places_px, "visible": picture.visible, "hidden": picture.hidden,
        "plane": picture.plane, "middles": mine[0], "middles_holes": mine[1], "others": its[0],
        "others_holes": its[1], "board": np.array(view.still_of), "checks": np.array(view.is_for_checks),
    }  # fmt: skip
    begun = folder / f"{view.name}.part"
    with begun.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    begun.replace(begun.with_suffix(".npz"))
