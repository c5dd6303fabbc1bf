"""Cuts, traces and changes pictures on many processor cores, for trainings on a graphics processor."""

import argparse
import json
import multiprocessing
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import load
from vision.training.batch import Batch, joined
from vision.training.batches import Patches
from vision.training.beginning import on_one_core
from vision.training.collected import Collected
from vision.training.hard_boards import TRAINED
from vision.training.hard_scenes import hard_scene
from vision.training.make_data import cut_picture
from vision.training.scenes import one_scene
from vision.training.slots import BATCHES, PICTURES, Slots, cut_to_size

Array = Any
BOARD_GROUPS = ((1, 4, 7), (2, 9, 10, 11, 12), (3, 5, 6, 8))
FIRST_SEED = 6_000_000
"""Number of the first picture traced here; those to measure on have smaller ones."""
HARD_SHARE, STILLS_SHARE = 0.65, 0.4


class Feed:
    """Batches of one group's stills and traced pictures."""

    def __init__(self, patches: Patches, groups: Sequence[Sequence[int]], seed: int) -> None:
        self.patches = patches
        patches.rng = np.random.default_rng(seed)
        self.made = np.nonzero(patches.board <= 0)[0]
        self.stills = [np.nonzero(np.isin(patches.board, group))[0] for group in groups]
        self.lenders: list[Any] = [None] * len(groups)

    def _lend(self, boards: int, allowed: Array) -> None:
        """Let pawns of these pictures stand in others; which, changes now and then."""
        own = self.patches
        if self.lenders[boards] is None or own.rng.random() < 0.1:
            own.may_lend(allowed)
            self.lenders[boards] = own.hidden, own.donors, own.outlines
        own.hidden, own.donors, own.outlines = self.lenders[boards]

    def batch(self) -> tuple[Batch, int]:
        """A batch with the number of its group of boards."""
        rng = self.patches.rng
        boards = int(rng.integers(len(self.stills)))
        own = self.stills[boards]
        allowed = np.concatenate([self.made, own])
        self._lend(boards, allowed)
        parts = []
        for _ in range(BATCHES):
            still = rng.random(PICTURES) < (STILLS_SHARE if len(self.made) else 1.0)
            count = min(int(still.sum()), len(own))
            chosen = [rng.choice(own, count, replace=False)]
            if count < PICTURES and len(self.made):
                chosen.append(rng.choice(self.made, PICTURES - count, replace=False))
            numbers = np.concatenate([self.patches.thinned(picture) for picture in np.concatenate(chosen)])
            parts.append(self.patches.batch(numbers, changed=True))
        return cut_to_size(joined(parts), rng), boards


def feed(slots: Slots, patches: Patches, seed: int, enough: Any) -> None:
    """Make batches until there are enough."""
    on_one_core()
    own = Feed(patches, BOARD_GROUPS, seed)
    while not enough.is_set():
        slots.put(*own.batch())


def traced(seed: int) -> Collected:
    """A traced picture of a made board, cut twice."""
    rng = np.random.default_rng(seed)
    picture, board, row = (
        hard_scene(TRAINED, seed) if rng.random() < HARD_SHARE else one_scene([], seed, in_play=True)
    )
    out = Collected()
    cut_picture(
        out, cv2.imdecode(picture, cv2.IMREAD_COLOR), board, {"hand": False, "tags": [], **row}, rng, 2
    )
    return out


def cut_file(job: tuple[str, str, int]) -> Collected:
    """A picture of a folder, cut several times."""
    folder, line, times = job
    entry = json.loads(line)
    out = Collected()
    frame = cv2.imread(str(Path(folder) / entry["image"]))
    cut_picture(
        out, frame, load(Path(folder) / entry["board"]), entry, np.random.default_rng(len(line)), times
    )
    return out


def together(parts: Sequence[Collected]) -> dict[str, Array]:
    """The arrays of several pictures as one file of `make_data` has them."""
    whole = Collected()
    for part in parts:
        start = len(whole.empty)
        for key, values in part.rows.items():
            whole.rows[key].extend(value + start if key == "R" else value for value in values)
        whole.empty.extend(part.empty)
        whole.light.extend(part.light)
    return whole.arrays()


def jobs_of(folder: Path, args: argparse.Namespace) -> list[tuple[str, str, int]]:
    """The pictures of a folder, to be cut."""
    lines = (folder / "stills.jsonl").read_text().splitlines()[:: args.every]
    return [(str(folder), line, args.times) for line in lines]


def traced_for(seconds: float, workers: int) -> list[Collected]:
    """Pictures traced by all workers until the time is over; the tracer is compiled once."""
    traced(FIRST_SEED - 1)
    end = time.monotonic() + seconds
    made = []
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        for one in pool.imap_unordered(traced, range(FIRST_SEED, FIRST_SEED + 1_000_000)):
            made.append(one)
            if time.monotonic() > end:
                break
        pool.terminate()
    return made


def start_feeding(fork: Any, slots: Slots, patches: Patches, workers: int, seed: int) -> Any:
    """Start workers that change patches until the event is set that is answered."""
    enough = fork.Event()
    for number in range(workers):
        fork.Process(target=feed, args=(slots, patches, seed + number, enough), daemon=True).start()
    return enough
