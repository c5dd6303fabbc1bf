"""Trains the two networks of the board reader on a GPU that many processor cores feed.

`python -m vision.training.reader.train_on_gpu OUT --stills FOLDER --seconds 480 --workers 14`.

To measure on given boards, train once more without their stills (`--without D01 D04`): a network is never measured on
a board that it learned from. Needs PyTorch and numba.
"""

import argparse
import logging
import time
from collections.abc import Iterator
from pathlib import Path

import torch

from tock_vision.holes.patches import CHANNELS, PATCH_PX
from vision.training.learning_rate import LearningRate
from vision.training.onnx_files import export
from vision.training.process_setup import set_up
from vision.training.reader.batch import Batch
from vision.training.reader.batch_workers import batches, cut_stills, together, traced_for
from vision.training.reader.networks import STACKED, ReaderNetworks
from vision.training.reader.patch_data import PatchData
from vision.training.trainer import Trainer

log = logging.getLogger(__name__)
AVERAGED_STEPS = 600
"""The weights are a mean of about this many of the last steps."""
PEAK_RATE, WARM_UP, FIRST_RATE = 3e-3, 0.04, 0.1
"""The highest learning rate, the share of the training in which it rises, and the share of the peak at its start."""
WEIGHT_DECAY, MAX_GRADIENT_NORM = 1e-2, 2.0
LOGGED_EVERY = 0.02
"""Share of the training between two lines of the log."""


def new_trainer(device: str) -> Trainer:
    """The trainer of new networks."""
    net = ReaderNetworks().to(device)
    net.patches.to(memory_format=torch.channels_last)
    return Trainer(
        net, LearningRate(PEAK_RATE, WARM_UP, FIRST_RATE), weight_decay=WEIGHT_DECAY,
        averaged_steps=AVERAGED_STEPS, max_gradient_norm=MAX_GRADIENT_NORM,
    )  # fmt: skip


def learn(trainer: Trainer, feed: Iterator[Batch], seconds: float, device: str) -> None:
    """Train until the time is over."""
    start, logged = time.monotonic(), 0.0
    while (done := (time.monotonic() - start) / seconds) < 1.0:
        trainer.step(ReaderNetworks.loss, [next(feed).to(device)], done)
        if done - logged > LOGGED_EVERY:
            log.info("%.0f %%: %d steps, loss %.4f", 100 * done, trainer.steps, trainer.mean_loss())
            logged = done


def export_both(net: torch.nn.Module, folder: Path) -> None:
    """Write both networks for OpenCV."""
    export(net.patches, folder / "patches.onnx", torch.zeros(8, CHANNELS, PATCH_PX, PATCH_PX), {0: "n"})
    export(net.context, folder / "context.onnx", torch.zeros(8, STACKED), {0: "n"})


def main() -> None:
    """Cut and trace pictures, train, and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--stills", type=Path, required=True)
    parser.add_argument("--without", nargs="+", default=[], help="boards whose stills are left out")
    parser.add_argument("--tracing", type=float, default=600, help="seconds in which pictures are traced")
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--device", default="cuda")
    args = parser.parse_args()
    set_up(args.out)
    pictures = list(cut_stills(args.stills, args.without, args.workers))
    pictures += traced_for(args.tracing, args.workers)
    patches = PatchData(together(pictures))
    log.info("%d pictures, %d patches", len(pictures), len(patches.row))
    stream = batches(patches, args.workers)
    # Not before the workers are forked: a process forked later could not use the GPU.
    trainer = new_trainer(args.device)
    learn(trainer, iter(stream), args.seconds, args.device)
    stream.stop()
    export_both(trainer.average.net, args.out)


if __name__ == "__main__":
    main()
