"""Cuts, traces and changes pictures on many processor cores, for trainings on a graphics processor."""

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import load
from vision.training.pictures.hard_boards import TRAINED
from vision.training.pictures.hard_scenes import hard_scene
from vision.training.pictures.scenes import one_scene
from vision.training.pictures.stills import Entry, entries_of, frame_of
from vision.training.process_setup import use_one_core
from vision.training.reader.augmentation import changed_batch
from vision.training.reader.batch import Batch, joined
from vision.training.reader.batch_slots import BATCHES, PICTURES, BatchSlots, cut_to_size
from vision.training.reader.collected_patches import Collected
from vision.training.reader.cut_patches import cut_picture
from vision.training.reader.patch_data import PatchData
from vision.training.workers import Stream, Workers

Array = Any
BOARD_GROUPS = ((1, 4, 7), (2, 9, 10, 11, 12), (3, 5, 6, 8))
FIRST_SEED = 6_000_000
"""Number of the first picture traced here; those to measure on have smaller ones."""
HARD_SHARE, STILLS_SHARE = 0.65, 0.4


class BatchMaker:
    """Batches of one group's stills and traced pictures."""

    def __init__(self, patches: PatchData, groups: Sequence[Sequence[int]], seed: int) -> None:
        self.patches = patches
        patches.rng = np.random.default_rng(seed)
        self.made = np.nonzero(patches.board <= 0)[0]
        self.stills = [np.nonzero(np.isin(patches.board, group))[0] for group in groups]
        self.lenders: list[Any] = [None] * len(groups)

    def _lend(self, group: int, allowed: Array) -> None:
        """Let pawns of these pictures stand in others; which, changes now and then."""
        own = self.patches
        if self.lenders[group] is None or own.rng.random() < 0.1:
            own.may_lend(allowed)
            self.lenders[group] = own.hidden, own.donors, own.outlines
        own.hidden, own.donors, own.outlines = self.lenders[group]

    def batch(self) -> tuple[Batch, int]:
        """A batch with the number of its group of boards."""
        rng = self.patches.rng
        group = int(rng.integers(len(self.stills)))
        own = self.stills[group]
        allowed = np.concatenate([self.made, own])
        self._lend(group, allowed)
        parts = []
        for _ in range(BATCHES):
            still = rng.random(PICTURES) < (STILLS_SHARE if len(self.made) else 1.0)
            given = min(int(still.sum()), len(own))
            chosen = [rng.choice(own, given, replace=False)]
            if given < PICTURES and len(self.made):
                chosen.append(rng.choice(self.made, PICTURES - given, replace=False))
            numbers = np.concatenate([self.patches.thinned(picture) for picture in np.concatenate(chosen)])
            parts.append(changed_batch(self.patches, numbers))
        return cut_to_size(joined(parts), rng), group


def changed_batches(patches: PatchData, seed: int) -> Iterator[tuple[Batch, int]]:
    """Make batches for ever, each with the number of its group of boards."""
    use_one_core()
    own = BatchMaker(patches, BOARD_GROUPS, seed)
    while True:
        yield own.batch()


def feeders(slots: BatchSlots, patches: PatchData, workers: int, seed: int) -> Workers[tuple[Batch, int]]:
    """Let processes change patches and put them into slots, until they are stopped."""
    sources = [partial(changed_batches, patches, seed + number) for number in range(workers)]
    return Workers(sources, lambda made: slots.put(*made))


def cut_stills(folders: Sequence[Path], times: int, every: int, workers: int) -> Stream[Collected]:
    """Let processes cut every n-th picture of some folders, each several times."""
    entries = [(folder, entry) for folder in folders for entry in entries_of(folder)[::every]]
    stills = list(enumerate(entries))
    return Stream([partial(_cut, stills[number::workers], times) for number in range(workers)])


def _cut(stills: Sequence[tuple[int, tuple[Path, Entry]]], times: int) -> Iterator[Collected]:
    use_one_core()
    for number, (folder, entry) in stills:
        out, board = Collected(), load(folder / entry["board"])
        cut_picture(out, frame_of(folder, entry), board, entry, np.random.default_rng(number), times)
        yield out


def traced_for(seconds: float, workers: int) -> list[Collected]:
    """Pictures traced by all workers until the time is over; the tracer is compiled once."""
    next(_traced(FIRST_SEED - 1, 1))
    end = time.monotonic() + seconds
    stream = Stream([partial(_traced, FIRST_SEED + number, workers) for number in range(workers)])
    made = []
    for one in stream:
        made.append(one)
        if time.monotonic() > end:
            stream.stop()
    return made


def _traced(first: int, step: int) -> Iterator[Collected]:
    """Trace pictures of made boards for ever, each cut twice."""
    use_one_core()
    for seed in count(first, step):
        rng = np.random.default_rng(seed)
        hard = rng.random() < HARD_SHARE
        picture, board, row = hard_scene(TRAINED, seed) if hard else one_scene([], seed, in_play=True)
        out = Collected()
        frame = cv2.imdecode(picture, cv2.IMREAD_COLOR)
        cut_picture(out, frame, board, {"hand": False, "tags": [], **row}, rng, 2)
        yield out


def together(parts: Iterable[Collected]) -> dict[str, Array]:
    """The arrays of several pictures joined."""
    whole = Collected()
    for part in parts:
        start = len(whole.empty)
        for key, values in part.rows.items():
            whole.rows[key].extend(value + start if key == "R" else value for value in values)
        whole.empty.extend(part.empty)
        whole.light.extend(part.light)
    return whole.arrays()
