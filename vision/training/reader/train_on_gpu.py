"""Trains several networks of the reader at once, on a graphics processor that many processor cores feed.

`python -m vision.training.reader.train_on_gpu OUT --stills FOLDER --made FOLDER … --seconds 480 --workers 14`.

One network is for the package, and one for each group of boards never sees the stills of these. Changing patches by
chance costs more than learning from them, so that all learn from the same batches: a batch has the stills of one group
of boards alone, and is passed over by the network that may not see them. While pictures of made boards are cut, or
traced, a few workers already change stills.
"""

import argparse
import copy
import logging
import multiprocessing
import time
from collections.abc import Sequence
from pathlib import Path
from queue import Queue
from threading import Thread

import torch

from tock_vision.holes.patches import CHANNELS, PATCH_PX
from vision.training.learning_rate import LearningRate
from vision.training.onnx_files import export
from vision.training.process_setup import set_up
from vision.training.reader.batch import Batch
from vision.training.reader.batch_slots import BatchSlots, FilledSlot
from vision.training.reader.batch_workers import (
    BOARD_GROUPS,
    cut_stills,
    feeders,
    together,
    traced_for,
)
from vision.training.reader.networks import STACKED, ReaderNetworks
from vision.training.reader.patch_data import PatchData
from vision.training.trainer import Trainer, save

log = logging.getLogger(__name__)
AVERAGED_STEPS = 600
"""The weights are a mean of about this many of the last steps."""
WARM_UP, FIRST_RATE, WEIGHT_DECAY, MAX_GRADIENT_NORM = 0.04, 0.1, 1e-2, 2.0
"""Share of the training in which the learning rate rises, and the share of its peak at which it begins."""
MEASURED_BATCHES = 60
"""Batches on which the normalisation of the mean weights is measured."""


class GroupTrainer(Trainer):
    """Trains the network that never sees one group's boards, or that of the package, which sees all (-1)."""

    def __init__(self, group: int, rate: LearningRate, device: str) -> None:
        self.group = group
        self.name = "-".join(f"D{board:02d}" for board in BOARD_GROUPS[group]) if group >= 0 else "package"
        net = ReaderNetworks().to(device)
        net.patches.to(memory_format=torch.channels_last)
        super().__init__(
            net, rate, weight_decay=WEIGHT_DECAY, averaged_steps=AVERAGED_STEPS,
            max_gradient_norm=MAX_GRADIENT_NORM,
        )  # fmt: skip

    def may_see(self, ready: FilledSlot) -> bool:
        """Whether a batch has no boards that are kept from the network."""
        return ready.group != self.group

    def measured(self, batches: Sequence[tuple[Batch, FilledSlot]]) -> ReaderNetworks:
        """The network of the mean weights, its normalisation measured on those batches that it may see."""
        net: ReaderNetworks = copy.deepcopy(self.average.net)
        for norm in net.modules():
            if isinstance(norm, torch.nn.BatchNorm2d):
                norm.reset_running_stats()
                norm.momentum = None
        net.train()
        with torch.no_grad():
            for batch, ready in batches:
                if self.may_see(ready):
                    net.run(batch)
        net.cpu()
        return net


def load_slots(slots: BatchSlots, device: str, waiting: "Queue[tuple[Batch, FilledSlot]]") -> None:
    """Bring batches to the device ahead of the training (in a thread)."""
    if device == "cpu":
        while True:
            ready = slots.ready.get()
            batch = slots.get(ready, device)
            slots.free.put(ready.slot)
            waiting.put((batch, ready))
    for arrays, memory in zip(slots.arrays, slots.bytes, strict=True):
        torch.cuda.cudart().cudaHostRegister(arrays["seen"].ctypes.data, len(memory), 0)
    stream = torch.cuda.Stream()
    while True:
        ready = slots.ready.get()
        with torch.cuda.stream(stream):
            batch = slots.get(ready, device)
        stream.synchronize()
        for part in batch.tensors().values():
            part.record_stream(torch.cuda.default_stream())
        slots.free.put(ready.slot)
        waiting.put((batch, ready))


def recorded(trainers: Sequence[Trainer], batch: Batch) -> Batch | None:
    """Record the steps of all networks with a batch of their own, into which others are copied; None where it fails."""
    own = Batch(**{name: value.clone() for name, value in batch.tensors().items()}, pictures=batch.pictures)
    pool = torch.cuda.graph_pool_handle()
    try:
        for trainer in trainers:
            trainer.record(ReaderNetworks.loss, [own], pool)
    except RuntimeError as fault:
        log.warning("steps are not recorded, which takes twice as long: %s", fault)
        for trainer in trainers:
            trainer.forget_recording()
        return None
    return own


def learn(slots: BatchSlots, out: Path, seconds: float, rate: float, device: str) -> None:
    """Train all networks until the time is over (in a process of its own)."""
    set_up(out)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    start = time.monotonic()
    rates = LearningRate(rate, WARM_UP, FIRST_RATE)
    trainers = [GroupTrainer(group, rates, device) for group in range(-1, len(BOARD_GROUPS))]
    waiting: Queue[tuple[Batch, FilledSlot]] = Queue(maxsize=4)
    Thread(target=load_slots, args=(slots, device, waiting), daemon=True).start()
    shown, waited, saved = 0.0, 0.0, False
    recent: list[tuple[Batch, FilledSlot]] = []
    own, tried = None, device == "cpu"
    while (done := (time.monotonic() - start) / seconds) < 1.0:
        begun = time.monotonic()
        batch, ready = waiting.get()
        waited += time.monotonic() - begun
        if not tried:
            own, tried = recorded(trainers, batch), True
            log.info("%.0f s: steps are recorded", time.monotonic() - start)
        if own is not None:
            for name, value in own.tensors().items():
                value.copy_(getattr(batch, name))
        for trainer in trainers:
            if trainer.may_see(ready):
                trainer.step(ReaderNetworks.loss, [batch], done)
        recent = [*recent, (batch, ready)][-MEASURED_BATCHES:]
        if done - shown > 0.02:
            log.info("%.0f %% waited %.0f s %s", 100 * done, waited, losses(trainers))
            shown = done
        if done > 0.7 and not saved:
            save_all(trainers, recent, out)
            saved = True
    save_all(trainers, recent, out)
    for trainer in trainers:
        (out / trainer.name).mkdir(exist_ok=True)
        export_both(trainer.measured(recent), out / trainer.name)
    log.info("done %s", losses(trainers))


def losses(trainers: Sequence[GroupTrainer]) -> str:
    """The steps of all networks, and their losses since they were asked for last."""
    return " ".join(f"{one.name} {one.steps} {one.mean_loss():.4f}" for one in trainers)


def save_all(trainers: Sequence[GroupTrainer], recent: Sequence[tuple[Batch, FilledSlot]], out: Path) -> None:
    """Write the mean weights of all networks, should the end never come."""
    save({one.name: one.measured(recent).state_dict() for one in trainers}, out / "reader.pt")


def export_both(net: ReaderNetworks, folder: Path) -> None:
    """Write both networks for OpenCV."""
    export(net.patches, folder / "patches.onnx", torch.zeros(8, CHANNELS, PATCH_PX, PATCH_PX), {0: "n"})
    export(net.context, folder / "context.onnx", torch.zeros(8, STACKED), {0: "n"})


def main() -> None:
    """Trace pictures, feed them and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--stills", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument(
        "--made", type=Path, nargs="*", default=[], help="folders that scenes and hard_scenes wrote"
    )
    parser.add_argument("--tracing", type=float, default=0, help="seconds in which more pictures are traced")
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--times", type=int, default=4)
    parser.add_argument("--every", type=int, default=1, help="take every n-th picture alone")
    parser.add_argument("--device", default="cuda")
    args = parser.parse_args()
    start = time.monotonic()
    set_up(args.out)
    slots = BatchSlots()
    trainer = multiprocessing.get_context("fork").Process(
        target=learn, args=(slots, args.out, args.seconds, args.rate, args.device)
    )
    trainer.start()
    pictures = list(cut_stills([args.stills], args.times, args.every, args.workers))
    few = feeders(slots, PatchData([together(pictures)], 0), max(1, args.workers // 3), 100)
    pictures += cut_stills(args.made, args.times, args.every, args.workers)
    log.info("%.0f s: %d pictures are cut", time.monotonic() - start, len(pictures))
    if args.tracing:
        pictures += traced_for(args.tracing, args.workers)
        log.info("%.0f s: %d pictures with those traced", time.monotonic() - start, len(pictures))
    patches = PatchData([together(pictures)], 0)
    log.info("%.0f s: %d patches", time.monotonic() - start, len(patches.row))
    few.stop()
    feeders(slots, patches, args.workers, 1000)
    trainer.join()


if __name__ == "__main__":
    main()
