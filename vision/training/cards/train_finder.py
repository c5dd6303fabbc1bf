"""Trains the finder of card corners on scenes that worker processes draw meanwhile.

`python -m vision.training.cards.train_finder ART OUT.onnx --seconds 440 --workers 14`.

ART is the folder of art.py. Needs PyTorch, which the companion does not.
"""

import argparse
import logging
import time
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tock_vision.cards.finder import GREY_LEVEL
from vision.training.cards.finder_samples import SIDE, pieces, target
from vision.training.cards.networks import SPREAD, Finder, Folded
from vision.training.cards.scenes import Maker
from vision.training.learning_rate import LearningRate
from vision.training.onnx_files import export
from vision.training.process_setup import set_up, use_one_core
from vision.training.trainer import Trainer
from vision.training.workers import Stream

Array = Any
log = logging.getLogger(__name__)
Sample = tuple[Array, Array, Array]
"""A piece of a scene, the wanted maps, and where they count."""
BATCH, MAX_GRADIENT_NORM = 48, 5.0
PEAK_RATE, WARM_UP, MIN_RATE = 1.5e-3, 0.0025, 1e-5
"""The highest learning rate, the share of the training in which it rises, and its last value."""
HEIGHTS_PX, HARD = (44, 300), 0.3
"""Heights of cards, and the share of scenes seen very flat."""
WAITING = 480
"""Pieces that wait for the trainer at most."""


def loss(net: torch.nn.Module, data: torch.Tensor, maps: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """The loss of the heat (focal, as CornerNet has it), and of place, direction and height."""
    answer = net(data)
    heat = torch.sigmoid(answer[:, 0]).clamp(1e-4, 1 - 1e-4)
    wanted = maps[:, 0]
    middle = (wanted > 0.999).float()
    gain = -middle * (1 - heat) ** 2 * torch.log(heat)
    cost = -(1 - middle) * (1 - wanted) ** 4 * heat**2 * torch.log(1 - heat)
    number = middle.sum().clamp(min=1)
    found = ((gain + cost) * counts[:, 0]).sum() / number
    away = functional.smooth_l1_loss(answer[:, 1:], maps[:, 1:], reduction="none", beta=0.2).sum(1)
    placed = (away * counts[:, 1]).sum() / counts[:, 1].sum().clamp(min=1)
    total: torch.Tensor = found + placed
    return total


def drawn(art: Path, seed: int) -> Iterator[Sample]:
    """Draw scenes for ever, and cut pieces with the wanted maps from them."""
    use_one_core()
    maker = Maker(art, seed, heights=HEIGHTS_PX, hard=HARD)
    while True:
        for picture, rows in pieces(maker.scene(), maker.rng):
            yield picture, *target(rows)


def batches(samples: Iterator[Sample], device: torch.device) -> Iterator[list[torch.Tensor]]:
    """Inputs in the light of some lamp, maps and counts."""
    rng = np.random.default_rng(0)
    while len(some := list(islice(samples, BATCH))) == BATCH:
        pictures, maps, counts = (np.array(part, np.float32) for part in zip(*some, strict=True))
        pictures *= (
            rng.uniform(0.8, 1.2, (BATCH, 1, 1, 3)) * rng.uniform(0.75, 1.25, (BATCH, 1, 1, 1))
        ).astype(np.float32)
        inputs = torch.from_numpy(pictures).clamp_(max=255).sub_(GREY_LEVEL).div_(SPREAD).permute(0, 3, 1, 2)
        yield [part.to(device) for part in (inputs, torch.from_numpy(maps), torch.from_numpy(counts))]


def new_trainer(device: torch.device) -> Trainer:
    """The trainer of a new finder."""
    net = Finder()
    torch.nn.init.constant_(net.head[-1].bias[:1], -3.5)
    rate = LearningRate(PEAK_RATE, WARM_UP, floor=MIN_RATE)
    net = net.to(device, memory_format=torch.channels_last)
    return Trainer(net, rate, weight_decay=1e-4, max_gradient_norm=MAX_GRADIENT_NORM)


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("art", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=440)
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--seed", type=int, default=701)
    options = parser.parse_args()
    set_up(options.out.parent)
    stream = Stream(
        [partial(drawn, options.art, options.seed + number) for number in range(options.workers)],
        room=WAITING,
    )
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    trainer, began = new_trainer(device), time.monotonic()
    for batch in batches(iter(stream), device):
        done = (time.monotonic() - began) / options.seconds
        trainer.step(loss, batch, done)
        if trainer.steps % 50 == 0:
            log.info("%3.0f %%, %d steps: loss %.3f", 100 * done, trainer.steps, trainer.mean_loss())
        if done >= 1:
            break
    stream.stop()
    export(Folded(trainer.net), options.out, torch.zeros(1, 12, SIDE + 1, SIDE + 1), {0: "n", 2: "h", 3: "w"})


if __name__ == "__main__":
    main()
