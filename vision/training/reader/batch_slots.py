"""Memory that processes share for batches on their way from many processor cores to the trainer."""

import mmap
import multiprocessing
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from tock_vision.holes.context import KINDS
from tock_vision.holes.network import COLORS
from tock_vision.holes.patches import PATCH_PX
from vision.training.reader.batch import Batch

Array = Any
PICTURES, BATCHES = 5, 8
"""Pictures that are changed together, and how many of these are learned from at once."""
PATCHES, EMPTIES = 3328, 1024
"""Patches of a batch, and empties that they are compared with: always as many, so that steps can be replayed."""
SLOTS = 24
CHANNELS_FILLED = 8
FILLED = ("seen", "known")
FORMS: dict[str, tuple[int, tuple[int, ...], Any]] = {
    "seen": (PATCHES, (4, PATCH_PX, PATCH_PX), np.float16),
    "known": (EMPTIES, (6, PATCH_PX, PATCH_PX), np.float16),
    "which": (PATCHES, (), np.int64),
    "place": (PATCHES, (KINDS + len(COLORS),), np.float32),
    "state": (PATCHES, (), np.int64),
    "color": (PATCHES, (), np.int64),
    "weight": (PATCHES, (), np.float32),
    "bare": (PATCHES, (), np.bool_),
    "picture": (PATCHES, (), np.int64),
    "owner": (PATCHES, (), np.int64),
}
"""Rows, form of a row and numbers of each part of a batch."""


@dataclass(frozen=True)
class FilledSlot:
    """A slot that holds a batch, and what went into it."""

    slot: int
    group: int
    """Number of the group of boards whose stills it has."""


class BatchSlots:
    """Memory that all processes share, for batches on their way to the trainer."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("fork")
        self.free, self.ready = context.Queue(), context.Queue()
        sizes = {
            name: rows * int(np.prod(form, dtype=int)) * np.dtype(kind).itemsize
            for name, (rows, form, kind) in FORMS.items()
        }
        self.bytes = [mmap.mmap(-1, sum(sizes.values())) for _ in range(SLOTS)]
        self.arrays: list[dict[str, Array]] = []
        for memory in self.bytes:
            start = 0
            arrays: dict[str, Array] = {}
            for name, (rows, form, kind) in FORMS.items():
                count = rows * int(np.prod(form, dtype=int))
                arrays[name] = np.frombuffer(memory, kind, count, start).reshape(rows, *form)
                start += sizes[name]
            self.arrays.append(arrays)
        for slot in range(SLOTS):
            self.free.put(slot)

    def put(self, batch: Batch, group: int) -> None:
        """Hand over a batch as soon as a slot is free."""
        slot = self.free.get()
        # There may be fewer empty holes than room for them; nothing is compared with what is left there.
        for name, values in batch.tensors().items():
            self.arrays[slot][name][: len(values)] = values.numpy()
        self.ready.put(FilledSlot(slot, group))

    def get(self, ready: FilledSlot, device: str) -> Batch:
        """The batch of a slot, on the device."""
        parts = {
            name: torch.from_numpy(values).to(device, non_blocking=True)
            for name, values in self.arrays[ready.slot].items()
        }
        if device == "cpu":
            # The slot is used again.
            parts = {name: value.clone() for name, value in parts.items()}
        pixels = {name: parts[name].float() if device == "cpu" else filled(parts[name]) for name in FILLED}
        return Batch(**parts | pixels, pictures=PICTURES * BATCHES)


def filled(pixels: torch.Tensor) -> torch.Tensor:
    """Pixels as a graphics processor likes them best: short, eight channels, these innermost."""
    channels = CHANNELS_FILLED - pixels.shape[1]
    wide = torch.nn.functional.pad(pixels.to(torch.bfloat16), (0, 0, 0, 0, 0, channels))
    return wide.contiguous(memory_format=torch.channels_last)


def cut_to_size(batch: Batch, rng: Any) -> Batch:
    """The batch with as many patches and empties as a slot has; chance drops or repeats some."""
    fitting = np.nonzero((batch.which < EMPTIES).numpy())[0]
    if len(fitting) >= PATCHES:
        kept = np.sort(rng.choice(fitting, PATCHES, replace=False))
    else:
        kept = np.concatenate([fitting, rng.choice(fitting, PATCHES - len(fitting))])
    chosen = torch.from_numpy(kept)
    parts = {name: values[chosen] for name, values in batch.tensors().items() if name != "known"}
    return Batch(**parts, known=batch.known[:EMPTIES], pictures=batch.pictures)
