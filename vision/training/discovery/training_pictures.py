"""Prepares pictures of boards for the networks of discovery on many processes: given ones, and ones that are made.

Kinds of boards follow each other by number, so that each process makes some of all. Needs PyTorch and numba.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, load, parse, to_json
from tock_companion.errors import FaultyDocumentError
from tock_vision.arrays import Frame
from tock_vision.camera_pose import CameraPose
from vision.training.discovery.holeness import picture_of
from vision.training.discovery.middle_samples import COVERED_SHARE, Samples, samples_of
from vision.training.discovery.picture_store import Picture
from vision.training.pictures.discovery_scenes import Kind, some_views
from vision.training.pictures.hard_scenes import hard_scene
from vision.training.pictures.scenes import one_scene
from vision.training.pictures.stills import Entry, entries_to_learn, frame_of, pose_of
from vision.training.process_setup import use_one_core
from vision.training.workers import Stream

FIRST_SEED = 4_000_000
"""Number of the first scene made here: none of those on which anything was measured has such a number."""
MIX = (
    Kind.USUAL, Kind.JOINED, Kind.FAINT, "hard", Kind.USUAL, Kind.HARD, Kind.JOINED, Kind.USUAL, Kind.FAINT, "plain",
    Kind.USUAL, Kind.JOINED, Kind.USUAL, Kind.FAINT, Kind.HARD, Kind.USUAL, Kind.JOINED, Kind.USUAL, Kind.FAINT, "hard",
)  # fmt: skip
"""Kinds of boards, one after the other; two are those made for the board reader."""
PHOTOS, MADE_TURNS, STILLS_TURNS = 2, 6, 8
"""Pictures of each board, and samples of the middle of each picture made and of each still."""


@dataclass(frozen=True)
class TrainingPicture:
    """A picture as both networks learn from it."""

    picture: Picture
    middles: Samples
    others: Samples
    is_still: bool


def given_pictures(folder: Path, stills: Sequence[tuple[int, Entry]]) -> Iterator[TrainingPicture]:
    """Prepare given stills: their numbers and entries."""
    use_one_core()
    for number, entry in stills:
        yield from _prepared(_given(folder, entry), STILLS_TURNS, number)


def made_pictures(seeds: Iterable[int]) -> Iterator[TrainingPicture]:
    """Make pictures: some of one board for each seed."""
    use_one_core()
    for seed in seeds:
        try:
            for view in _views(seed):
                yield from _prepared(view, MADE_TURNS, seed)
        except (FaultyDocumentError, RuntimeError, ValueError):
            # Holes overlap, no board of the shape came out, or none of it is in the picture.
            continue


def given_stream(folder: Path, without: Sequence[str], workers: int) -> Stream[TrainingPicture]:
    """Let processes prepare the stills of a folder, but for those of the boards named."""
    stills = list(enumerate(entries_to_learn(folder, without)))
    return Stream([partial(given_pictures, folder, stills[number::workers]) for number in range(workers)])


def made_stream(workers: int) -> Stream[TrainingPicture]:
    """Compile what draws, then let processes make pictures until they are stopped."""
    some_views(FIRST_SEED - 1)
    return Stream([partial(made_pictures, count(FIRST_SEED + n, workers)) for n in range(workers)])


@dataclass(frozen=True)
class _View:
    """A photograph and its truth."""

    frame: Frame
    board: BoardFile
    pose: CameraPose
    holes: dict[str, Any]
    is_still: bool = False


def _given(folder: Path, entry: Entry) -> _View:
    board, frame = load(folder / entry["board"]), frame_of(folder, entry)
    return _View(frame, board, pose_of(entry, board, frame.shape[1::-1]), entry["holes"], is_still=True)


def _views(seed: int) -> Iterator[_View]:
    """Some pictures of one made board."""
    kind = MIX[seed % len(MIX)]
    if isinstance(kind, Kind):
        board, views = some_views(seed, PHOTOS, kind)
        parse(to_json(board))
    else:
        scene = hard_scene(seed) if kind == "hard" else one_scene(seed)
        board, views = scene.board, [scene.entry | {"frame": scene.frame}]
    for view in views:
        frame = np.asarray(view["frame"])
        pose = CameraPose(np.array(view["view"]), frame.shape[1::-1])
        yield _View(frame, board, pose, view["holes"])


def _prepared(view: _View, turns: int, seed: int) -> Iterator[TrainingPicture]:
    """The picture as networks learn from it; none where no plane fits its holes."""
    picture = picture_of(np.asarray(cv2.cvtColor(view.frame, cv2.COLOR_BGR2GRAY)), view.board, view.holes)
    if picture is not None:
        rng = np.random.default_rng(seed)
        parts = samples_of(view.frame, view.board, view.pose, view.holes, turns, rng, COVERED_SHARE)
        middles, others = (Samples(shown[None], holes[None]) for shown, holes in parts)
        yield TrainingPicture(picture, middles, others, view.is_still)
