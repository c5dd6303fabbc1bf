"""Cuts, traces and changes pictures on many processor cores."""

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from tock_companion.boardfile import load
from vision.training.pictures.hard_scenes import hard_scene
from vision.training.pictures.scenes import one_scene
from vision.training.pictures.stills import Entry, entries_to_learn, frame_of
from vision.training.process_setup import use_one_core
from vision.training.reader.augmentation import changed_batch
from vision.training.reader.batch import Batch, joined
from vision.training.reader.collected_patches import Collected
from vision.training.reader.cut_patches import cut_picture
from vision.training.reader.patch_data import PatchData
from vision.training.workers import Stream

Array = Any
PICTURES, PARTS = 5, 8
"""Pictures that are changed together, and such parts in a batch."""
FIRST_SEED = 6_000_000
"""Number of the first traced picture; measurements use smaller numbers."""
HARD_SHARE, STILLS_SHARE = 0.65, 0.4
STILL_CUTS, TRACED_CUTS = 4, 2
"""Poses, one of them true, with which each picture is cut."""
WAITING = 24
"""Batches that wait for the trainer at most."""


def batches(patches: PatchData, workers: int) -> Stream[Batch]:
    """Batches of stills and traced pictures, without end."""
    sources = [partial(_changed, patches, 1000 + number) for number in range(workers)]
    return Stream(sources, room=WAITING)


def _changed(patches: PatchData, seed: int) -> Iterator[Batch]:
    use_one_core()
    rng = patches.rng = np.random.default_rng(seed)
    made, stills = (np.nonzero(patches.is_made == kind)[0] for kind in (True, False))
    while True:
        if rng.random() < 0.1 or not len(patches.donors):
            patches.choose_donors()
        parts = []
        for _ in range(PARTS):
            is_still = rng.random(PICTURES) < (STILLS_SHARE if len(made) else 1.0)
            given = min(int(is_still.sum()), len(stills))
            chosen = [rng.choice(stills, given, replace=False)]
            if given < PICTURES and len(made):
                chosen.append(rng.choice(made, PICTURES - given))
            numbers = np.concatenate([patches.thinned(picture) for picture in np.concatenate(chosen)])
            parts.append(changed_batch(patches, numbers))
        yield joined(parts).halved()


def cut_stills(folder: Path, without: Sequence[str], workers: int) -> Stream[Collected]:
    """The stills of a folder, each cut several times; none of the boards named."""
    stills = list(enumerate(entries_to_learn(folder, without)))
    return Stream([partial(_cut, folder, stills[number::workers]) for number in range(workers)])


def _cut(folder: Path, stills: Sequence[tuple[int, Entry]]) -> Iterator[Collected]:
    use_one_core()
    for number, entry in stills:
        out, board = Collected(), load(folder / entry["board"])
        cut_picture(out, frame_of(folder, entry), board, entry, np.random.default_rng(number), STILL_CUTS)
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
    use_one_core()
    for seed in count(first, step):
        rng = np.random.default_rng(seed)
        scene = hard_scene(seed) if rng.random() < HARD_SHARE else one_scene(seed)
        out = Collected()
        cut_picture(out, scene.frame, scene.board, scene.entry, rng, TRACED_CUTS)
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
