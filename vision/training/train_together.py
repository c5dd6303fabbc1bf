"""Trains several networks of the reader at once, on a graphics processor that many processor cores feed.

`python -m vision.training.train_together OUT --stills FOLDER --made FOLDER … --seconds 480 --workers 14`.

One network is for the package, and one for each group of boards never sees the stills of these. Changing patches by
chance costs more than learning from them, so that all learn from the same batches: a batch has the stills of one group
of boards alone, and is passed over by the network that may not see them. While pictures of made boards are cut, or
traced, a few workers already change stills.
"""

import argparse
import logging
import multiprocessing
import time
from collections.abc import Sequence
from pathlib import Path
from queue import Queue
from threading import Thread

import torch

from vision.training.batch import Batch
from vision.training.batches import Patches
from vision.training.beginning import begin
from vision.training.feeding import (
    BOARD_GROUPS,
    cut_file,
    jobs_of,
    start_feeding,
    together,
    traced_for,
)
from vision.training.pupil import Pupil
from vision.training.slots import Ready, Slots
from vision.training.train import rate_at

log = logging.getLogger(__name__)
MEASURED_BATCHES = 60
"""Batches on which the normalisation of the mean weights is measured."""


def pupils() -> list[Pupil]:
    """The networks: that of the package, and one without each group of boards."""
    return [Pupil("package"), *(Pupil(f"boards{n}", n) for n in range(len(BOARD_GROUPS)))]


def load_slots(slots: Slots, device: str, waiting: "Queue[tuple[Batch, Ready]]") -> None:
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


def recorded(every: Sequence[Pupil], batch: Batch) -> Batch | None:
    """Record the steps of all networks with a batch of their own, into which others are copied; None where it fails."""
    own = Batch(**{name: value.clone() for name, value in batch.tensors().items()}, pictures=batch.pictures)
    pool = torch.cuda.graph_pool_handle()
    try:
        for pupil in every:
            pupil.record(own, pool)
    except RuntimeError as fault:
        log.warning("steps are not recorded, which takes twice as long: %s", fault)
        for pupil in every:
            pupil.graph = None
        return None
    return own


def learn(slots: Slots, out: Path, seconds: float, rate: float, device: str) -> None:
    """Train all networks until the time is over (in a process of its own)."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", force=True)
    torch.manual_seed(7)
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    start = time.monotonic()
    every = pupils()
    for pupil in every:
        pupil.begin(device)
    waiting: Queue[tuple[Batch, Ready]] = Queue(maxsize=4)
    Thread(target=load_slots, args=(slots, device, waiting), daemon=True).start()
    shown, waited, saved = 0.0, 0.0, False
    recent: list[tuple[Batch, Ready]] = []
    own, tried = None, device == "cpu"
    while (done := (time.monotonic() - start) / seconds) < 1.0:
        begun = time.monotonic()
        batch, ready = waiting.get()
        waited += time.monotonic() - begun
        if not tried:
            own, tried = recorded(every, batch), True
            log.info("%.0f s: steps are recorded", time.monotonic() - start)
        if own is not None:
            for name, value in own.tensors().items():
                value.copy_(getattr(batch, name))
        for pupil in every:
            if pupil.may_see(ready):
                pupil.learn(batch, rate_at(done, rate))
        recent = [*recent, (batch, ready)][-MEASURED_BATCHES:]
        if done - shown > 0.02:
            log.info("%.0f %% waited %.0f s %s", 100 * done, waited, rates(every))
            shown = done
        if done > 0.7 and not saved:
            save(every, recent, out / "half.pt")
            saved = True
    save(every, recent, out / "reader.pt")
    log.info("done %s", rates(every))


def rates(every: Sequence[Pupil]) -> str:
    """The steps and losses of all networks."""
    return " ".join(f"{pupil.name} {pupil.steps} {float(pupil.loss):.4f}" for pupil in every)


def save(every: Sequence[Pupil], recent: Sequence[tuple[Batch, Ready]], path: Path) -> None:
    """Write the mean weights of all networks."""
    torch.save({pupil.name: pupil.state(recent) for pupil in every}, path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)


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
    begin(args.out)
    fork = multiprocessing.get_context("fork")
    slots = Slots()
    trainer = fork.Process(target=learn, args=(slots, args.out, args.seconds, args.rate, args.device))
    trainer.start()
    stills = jobs_of(args.stills, args)
    made = [job for folder in args.made for job in jobs_of(folder, args)]
    with fork.Pool(args.workers) as pool:
        cut = pool.imap(cut_file, stills + made, chunksize=1)
        pictures = [next(cut) for _ in stills]
        few = start_feeding(fork, slots, Patches([together(pictures)], 0), max(1, args.workers // 3), 100)
        pictures += cut
    log.info("%.0f s: %d pictures are cut", time.monotonic() - start, len(pictures))
    if args.tracing:
        pictures += traced_for(args.tracing, args.workers)
        log.info("%.0f s: %d pictures with those traced", time.monotonic() - start, len(pictures))
    patches = Patches([together(pictures)], 0)
    log.info("%.0f s: %d patches", time.monotonic() - start, len(patches.row))
    few.set()
    start_feeding(fork, slots, patches, args.workers, 1000)
    trainer.join()


if __name__ == "__main__":
    main()
