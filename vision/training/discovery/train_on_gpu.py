"""Trains the networks of discovery on a GPU, on pictures of boards that worker processes make meanwhile.

`python -m vision.training.discovery.train_on_gpu OUT --stills FOLDER --seconds 440 --workers 5`.

To measure on given boards, train once more without their stills (`--without D01 D02`). Needs PyTorch and numba.
"""

import argparse
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from vision.training.discovery import holeness, middles
from vision.training.discovery.middle_samples import SampleStore, joined
from vision.training.discovery.picture_store import PictureStore
from vision.training.discovery.training_pictures import TrainingPicture, given_stream, made_stream
from vision.training.process_setup import set_up
from vision.training.trainer import Trainer
from vision.training.workers import Stream

log = logging.getLogger(__name__)
STILLS_SHARE = 0.12
"""Share of given stills in a batch; the others are made."""
HOLE_BATCH = 256
"""Parts of pictures in a batch."""
MIDDLE_BATCH, MIDDLE_EVERY = 256, 3
"""Samples of middles in a batch, and the number of batches of holes for each."""
MIN_PICTURES = 30
"""Pictures with which training begins."""
TAKEN_EVERY_S, LOGGED_EVERY_S = 3.0, 15.0


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
    """The pictures so far: made ones, and stills."""

    def __init__(self, streams: Sequence[Stream[TrainingPicture]], device: torch.device) -> None:
        self.streams = streams
        self.made, self.stills = (PictureSet(PictureStore(device), SampleStore(device)) for _ in range(2))

    def take(self) -> None:
        """Take the pictures in that have become ready."""
        new = [one for stream in self.streams for one in stream.ready()]
        self.stills.add([one for one in new if one.is_still])
        self.made.add([one for one in new if not one.is_still])

    @property
    def is_enough(self) -> bool:
        """Whether training can begin."""
        return len(self.made.pictures) >= MIN_PICTURES and len(self.stills.pictures) > 0


def train(holes: Trainer, middle: Trainer, data: TrainingData, seconds: float) -> None:
    """Learn until the time is over."""
    start = taken_at = logged_at = time.monotonic()
    while (done := (time.monotonic() - start) / seconds) < 1.0:
        step(holes, middle, data, done)
        if time.monotonic() - taken_at > TAKEN_EVERY_S:
            data.take()
            taken_at = time.monotonic()
        if time.monotonic() - logged_at > LOGGED_EVERY_S:
            log.info(
                "%.0f %%, %d batches, %d pictures: holes %.4f, middle %.4f", 100 * done, holes.steps,
                len(data.made.pictures), holes.mean_loss(), middle.mean_loss(),
            )  # fmt: skip
            logged_at = time.monotonic()


def step(holes: Trainer, middle: Trainer, data: TrainingData, done: float) -> None:
    """One batch for the network of holes, and one for that of the middle now and then."""
    given = round(STILLS_SHARE * HOLE_BATCH)
    stores = [(data.made.pictures, HOLE_BATCH - given), (data.stills.pictures, given)]
    holes.step(holeness.loss_of, holeness.batch(stores), done)
    if holes.steps % MIDDLE_EVERY == 0:
        samples = [
            (data.made.samples, MIDDLE_BATCH),
            (data.stills.samples, round(STILLS_SHARE * MIDDLE_BATCH)),
        ]
        middle.step(middles.loss_of, samples, done)


def main() -> None:
    """Make pictures, train on them, and write the networks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--stills", type=Path, required=True, help="folder with the given stills")
    parser.add_argument("--without", nargs="+", default=[], help="boards whose stills are left out")
    parser.add_argument("--seconds", type=float, default=440.0)
    parser.add_argument("--workers", type=int, default=5, help="processes that make pictures")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    set_up(args.out)
    # Before the device is touched: a process forked later could not use it.
    streams = [given_stream(args.stills, args.without, args.workers), made_stream(args.workers)]
    device = torch.device(args.device)
    torch.backends.cudnn.benchmark = True
    holes, middle = holeness.new_trainer(device), middles.new_trainer(device)
    data = TrainingData(streams, device)
    while not data.is_enough:
        time.sleep(0.5)
        data.take()
    train(holes, middle, data, args.seconds)
    for stream in streams:
        stream.stop()
    holeness.save(holes.average.net, args.out)
    middles.save(middle.average.net, args.out)


if __name__ == "__main__":
    main()
