"""Trains the networks of the reader on files of make_patches.py.

`python -m vision.training.reader.train OUT_FOLDER DATA.npz … --minutes 60`.

Needs PyTorch, which the companion itself does not. `--hold-out 1 4 7` leaves the stills of these boards out and
measures on them. The weights are written beside the ONNX files, so that `--start` can go on from them;
`--start-package` goes on from ONNX files alone.
"""

import argparse
import logging
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tock_vision.holes.network import STATES
from tock_vision.holes.patches import CHANNELS, PATCH_PX
from vision.training.learning_rate import LearningRate
from vision.training.onnx_files import export, restore, stored
from vision.training.process_setup import set_up
from vision.training.reader.augmentation import batch_of, changed_batch
from vision.training.reader.batch import HIDDEN
from vision.training.reader.hard_examples import HardPictures, dwell_on
from vision.training.reader.networks import STACKED, ReaderNetworks
from vision.training.reader.paint_over import KINDS_OF_PAINT
from vision.training.reader.patch_data import PatchData
from vision.training.trainer import Trainer, save

WARM_UP, FIRST_RATE, WEIGHT_DECAY = 0.04, 0.1, 2e-3
"""Share of the training in which the learning rate rises, and the share of its peak at which it begins."""
MAX_GRADIENT_NORM = 5.0
PICTURES = 5
"""Pictures in a batch, with all holes that are kept of them."""
Array = Any
log = logging.getLogger(__name__)


def predict(net: ReaderNetworks, patches: PatchData, pictures: Array) -> tuple[Array, Array]:
    """The logits of all holes of some pictures, and which holes they are."""
    net.eval()
    parts, every = [], []
    with torch.no_grad():
        for picture in pictures:
            numbers = patches.members[picture]
            parts.append(net.run(batch_of(patches, numbers))[1])
            every.append(numbers)
    return torch.cat(parts).numpy(), np.concatenate(every)


def measure(net: ReaderNetworks, patches: PatchData, pictures: Array) -> str:
    """Rates on pictures left out, in one line."""
    outputs, test = predict(net, patches, pictures)
    predicted, truth = outputs[:, :STATES].argmax(1), patches.data["Y"][test]
    seen, known = truth != HIDDEN, (truth != HIDDEN) & (predicted != HIDDEN)
    pawn = known & (truth == 1) & (predicted == 1)
    right = outputs[pawn][:, STATES:].argmax(1) == patches.data["C"][test][pawn]
    return (
        f"state right {(predicted[known] == truth[known]).mean():.5f} unknown {(predicted[seen] == HIDDEN).mean():.4f} "
        f"hidden called {(predicted[~seen] != HIDDEN).mean():.3f} colour {right.mean():.4f}"
    )


def fit(
    trainer: Trainer,
    patches: PatchData,
    train: Array,
    test: Array,
    args: argparse.Namespace,
    hard: HardPictures | None,
) -> None:
    """Train until the minutes of processor time are over."""
    start, batches, logged = time.process_time(), 0, 0.0
    while (done := (time.process_time() - start) / (60 * args.minutes)) < 1.0:
        if hard is None:
            chosen = patches.rng.choice(train, PICTURES, replace=False)
        else:
            chosen = hard.drawn(patches.rng, train, PICTURES)
        numbers = np.concatenate([patches.thinned(picture) for picture in chosen])
        batch = changed_batch(patches, numbers, args.kinds_of_paint)
        trainer.step(ReaderNetworks.loss, [batch.in_short_floats() if args.short_floats else batch], done)
        batches += 1
        if done - logged > args.tell:
            rates = measure(trainer.average.net, patches, test) if len(test) else ""
            log.info("%.0f %% %d batches loss %.4f %s", 100 * done, batches, trainer.mean_loss(), rates)
            logged, batches = done, 0
            save(trainer.average.net.state_dict(), args.out / "weights.pt")


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument(
        "--dwell-on", type=Path, nargs="*", default=[], help="more files, for what is hard in them"
    )
    parser.add_argument(
        "--mean-of", type=int, default=1, metavar="N", help="write the mean of the last N weights"
    )
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--start-package", type=Path, help="folder of ONNX files to go on from")
    parser.add_argument(
        "--short-floats", action="store_true", help="a third faster on processors that multiply short floats"
    )
    parser.add_argument("--hold-out", type=int, nargs="*", default=[], help="numbers of boards to measure on")
    parser.add_argument("--tell", type=float, default=0.08, help="share of the time after which to measure")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--without-paint", nargs="*", default=[], metavar="KIND", help="kinds of paint that are never laid on"
    )
    args = parser.parse_args()
    set_up(args.out, args.seed)
    args.kinds_of_paint = tuple(kind for kind in KINDS_OF_PAINT if kind not in args.without_paint)
    files = [np.load(path) for path in [*args.data, *args.dwell_on]]
    patches = PatchData(files, args.seed)
    held = np.isin(patches.board, args.hold_out)
    train, test = np.nonzero(~held)[0], np.nonzero(held)[0][::4]
    patches.may_lend(train)
    net = ReaderNetworks()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    elif args.start_package:
        restore(net.patches, stored(args.start_package / "patches.onnx"))
        restore(net.context, stored(args.start_package / "context.onnx"))
    net.patches.to(memory_format=torch.channels_last)
    hard = None
    if args.dwell_on:
        first = sum(len(file["E"]) for file in files[: len(args.data)])
        hard, train = dwell_on(net, patches, train[train >= first]), train[train < first]
    rate = LearningRate(args.rate, WARM_UP, FIRST_RATE)
    fixed = args.start_package is not None
    trainer = Trainer(
        net,
        rate,
        weight_decay=WEIGHT_DECAY,
        averaged_steps=args.mean_of,
        fixed_normalisation=fixed,
        max_gradient_norm=MAX_GRADIENT_NORM,
    )
    fit(trainer, patches, train, test, args, hard)
    mean = trainer.average.net
    save(mean.state_dict(), args.out / "weights.pt")
    export_both(mean, args.out)
    log.info("done %s", measure(mean, patches, test) if len(test) else "")


def export_both(net: ReaderNetworks, folder: Path) -> None:
    """Write both networks for OpenCV."""
    export(net.patches, folder / "patches.onnx", torch.zeros(8, CHANNELS, PATCH_PX, PATCH_PX), {0: "n"})
    export(net.context, folder / "context.onnx", torch.zeros(8, STACKED), {0: "n"})


if __name__ == "__main__":
    main()
