"""Trains the networks of discovery on pictures that are made meanwhile: those of the package and their held-out twins.

`python -m vision.training.discovery.train_on_gpu OUT_FOLDER --stills FOLDER --seconds 440 --workers 5` takes as long
as it is given. Processes make pictures and the device learns from those that are there; the rate of learning follows
the clock. The twins share what is made; of the given stills each has the boards that the other has not, on which it
is checked. Needs PyTorch and numba.
"""

import argparse
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from vision.training.discovery import holeness, middles
from vision.training.discovery.middle_samples import SampleStore, joined
from vision.training.discovery.picture_store import PictureStore
from vision.training.discovery.training_pictures import TrainingPicture, given_stream, made_stream
from vision.training.process_setup import set_up
from vision.training.trainer import Trainer, save
from vision.training.workers import Stream

log = logging.getLogger(__name__)
TWINS = {
    "package": tuple(f"D{number:02d}" for number in range(1, 7)),
    "held_out": tuple(f"D{number:02d}" for number in range(7, 13)),
}
"""Names of the twins and of the boards on whose stills they learn."""
STILLS_SHARE = 0.12
"""Share of given stills in a batch; the others are made."""
HOLE_RATE = 3e-3
MIDDLE_BATCH, MIDDLE_EVERY = 256, 3
"""Samples of middles in a batch, and the number of batches of holes for each."""
MIN_PICTURES = 30
"""Pictures with which training begins."""
TAKEN_EVERY_S, LOGGED_EVERY_S, LAST_S = 3.0, 15.0, 12.0
"""Time between taking new pictures in and between lines of the log, and what is left for the end."""
CHECKED_BATCHES, KEPT_AT = 8, (0.5, 0.75)
"""Batches that are checked, and shares of the time after which weights are kept, should the end never come."""


@dataclass
class Twin:
    """The two networks that learn from the same stills."""

    name: str
    holes: Trainer
    middle: Trainer

    def save(self, out: Path) -> None:
        """Write the weights as they are."""
        folder = out / self.name
        folder.mkdir(parents=True, exist_ok=True)
        save(self.holes.average.net.state_dict(), folder / "holeness.pt")
        save(self.middle.average.net.state_dict(), folder / "middle.pt")

    def export(self, out: Path) -> None:
        """Write the networks for OpenCV."""
        holeness.save(self.holes.average.net, out / self.name)
        middles.save(self.middle.average.net, out / self.name)


@dataclass
class PictureSet:
    """The pictures of one kind, for both networks."""

    pictures: PictureStore
    samples: SampleStore

    def add(self, some: Sequence[TrainingPicture]) -> None:
        """Take more pictures in."""
        if some:
            self.pictures.add([one.picture for one in some])
            self.samples.add(joined([one.middles for one in some]), joined([one.others for one in some]))


class TrainingData:
    """What is there so far: pictures that were made, some of them to check on, and the stills of each twin."""

    def __init__(self, streams: Sequence[Stream[TrainingPicture]], device: torch.device) -> None:
        self.streams = streams
        self.made, self.checks, *stills = (
            PictureSet(PictureStore(device), SampleStore(device)) for _ in range(2 + len(TWINS))
        )
        self.stills = dict(zip(TWINS, stills, strict=True))

    def take(self) -> None:
        """Take in what has become ready since."""
        new = [one for stream in self.streams for one in stream.ready()]
        made = [one for one in new if not one.board]
        self.made.add([one for one in made if not one.is_for_checks])
        self.checks.add([one for one in made if one.is_for_checks])
        for name, boards in TWINS.items():
            self.stills[name].add([one for one in new if one.board in boards])

    @property
    def is_enough(self) -> bool:
        """Whether training can begin."""
        return len(self.made.pictures) >= MIN_PICTURES and all(
            len(one.pictures) for one in (self.checks, *self.stills.values())
        )


def train(twins: list[Twin], data: TrainingData, args: argparse.Namespace, began: float) -> None:
    """Learn until the time is over."""
    learning = time.monotonic()
    last = began + args.seconds - LAST_S
    taken_at = logged_at = learning
    steps, kept = 0, 0
    while (now := time.monotonic()) < last:
        done = (now - learning) / (last - learning)
        step(twins, data, args, done, steps)
        steps += 1
        if now - taken_at > TAKEN_EVERY_S:
            data.take()
            taken_at = now
        if now - logged_at > LOGGED_EVERY_S:
            seen = f"{100 * done:.0f} %, {steps} batches, {len(data.made.pictures)} pictures"
            log.info("%s: %s", seen, losses(twins))
            logged_at = now
        if kept < len(KEPT_AT) and done > KEPT_AT[kept]:
            kept += 1
            for twin in twins:
                twin.save(args.out)
            check(twins, data, args)


def step(twins: list[Twin], data: TrainingData, args: argparse.Namespace, done: float, number: int) -> None:
    """One batch for each network; the made part is the same for both twins."""
    own = round(STILLS_SHARE * args.batch)
    shared = holeness.batch([(data.made.pictures, args.batch - own)], args.side)
    for twin in twins:
        stills = data.stills[twin.name]
        parts = [
            torch.cat(pair)
            for pair in zip(shared, holeness.batch([(stills.pictures, own)], args.side), strict=True)
        ]
        twin.holes.step(holeness.loss_of, parts, done)
        if number % MIDDLE_EVERY == 0:
            stores = [
                (data.made.samples, MIDDLE_BATCH),
                (stills.samples, round(STILLS_SHARE * MIDDLE_BATCH)),
            ]
            twin.middle.step(middles.loss_of, stores, done)


def losses(twins: list[Twin]) -> str:
    """The losses since they were asked for last."""
    return "; ".join(
        f"{one.name} holes {one.holes.mean_loss():.4f}, middle {one.middle.mean_loss():.4f}" for one in twins
    )


def check(twins: list[Twin], data: TrainingData, args: argparse.Namespace) -> None:
    """Write how the means of the weights do on pictures that are not learned from."""
    for twin, other in zip(twins, reversed(twins), strict=True):
        for name, shown in (("made", data.checks), ("stills of the other", data.stills[other.name])):
            with torch.no_grad():
                nets = [one.average.net for one in (twin.holes, twin.middle)]
                hole, middle = (
                    float(np.mean([float(one) for one in some]))
                    for some in (
                        [holeness.loss_of(nets[0], *holeness.batch([(shown.pictures, args.batch)], args.side))
                         for _ in range(CHECKED_BATCHES)],
                        [middles.loss_of(nets[1], (shown.samples, MIDDLE_BATCH)) for _ in range(CHECKED_BATCHES)],
                    )
                )  # fmt: skip
            log.info("%s on %s: holes %.4f, middle %.4f", twin.name, name, hole, middle)


def main() -> None:
    """Make pictures, train on them, and write the networks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--stills", type=Path, required=True, help="folder with the given stills")
    parser.add_argument("--made", type=Path, nargs="*", default=[], help="folders with pictures made before")
    parser.add_argument("--seconds", type=float, default=440.0)
    parser.add_argument("--workers", type=int, default=5, help="processes that make pictures")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--batch", type=int, default=256, help="parts of pictures in each batch")
    parser.add_argument("--side", type=int, default=192, help="their width in pixels")
    args = parser.parse_args()
    began = time.monotonic()
    set_up(args.out)
    written = logging.FileHandler(args.out / "log.txt")
    written.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logging.getLogger().addHandler(written)
    # Before the device is touched: a process that was forked afterwards could not use it.
    streams = [given_stream([args.stills, *args.made], args.workers)]
    streams.append(made_stream(args.workers))
    log.info("compiled after %.0f s", time.monotonic() - began)
    device = torch.device(args.device)
    torch.backends.cudnn.benchmark = True
    twins = [
        Twin(name, holeness.new_trainer(device, HOLE_RATE), middles.new_trainer(device)) for name in TWINS
    ]
    data = TrainingData(streams, device)
    while not data.is_enough:
        if time.monotonic() - began > args.seconds:
            raise SystemExit(f"{len(data.made.pictures)} pictures were made in all of the time")
        time.sleep(0.5)
        data.take()
    log.info("begins after %.0f s with %d pictures", time.monotonic() - began, len(data.made.pictures))
    train(twins, data, args, began)
    for stream in streams:
        stream.stop()
    for twin in twins:
        twin.save(args.out)
    check(twins, data, args)
    for twin in twins:
        twin.export(args.out)
    log.info("done after %.0f s", time.monotonic() - began)


if __name__ == "__main__":
    main()
