"""Trains the finder of card corners.

`python -m vision.training.cards.train_finder SCENES OUT.onnx --steps 3000`.

SCENES is the folder of scenes.py. Needs PyTorch, which the companion does not. The state is kept beside the ONNX file:
the same command goes on where it was ended. The same scenes and steps, not ended between, give the same weights.
"""

import argparse
import logging
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tock_vision.cards.finder import GREY_LEVEL
from vision.training.cards.finder_samples import SIDE, Scenes, target
from vision.training.cards.networks import MIN_RATE, SPREAD, WARM_UP_STEPS, Finder, Folded
from vision.training.learning_rate import LearningRate
from vision.training.onnx_files import export
from vision.training.process_setup import set_up
from vision.training.trainer import Trainer

Array = Any
log = logging.getLogger(__name__)
BATCH, MAX_GRADIENT_NORM = 48, 5.0


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


def batches(scenes: Scenes, rng: Any, count: int) -> Any:
    """Yield inputs, maps and counts without end."""
    pieces: list[tuple[Array, Array]] = []
    while True:
        for number in rng.permutation(len(scenes.jpeg)):
            pieces += scenes.items(int(number), rng)
            if len(pieces) < count:
                continue
            data = np.empty((count, SIDE, SIDE, 3), np.float32)
            maps, counts = [], []
            for place, (picture, rows) in enumerate(pieces[:count]):
                one_map, one_count = target(rows)
                gain = rng.uniform(0.8, 1.2, 3) * rng.uniform(0.75, 1.25)
                np.multiply(picture, gain.astype(np.float32), out=data[place])
                maps.append(one_map)
                counts.append(one_count)
            del pieces[:count]
            inputs = torch.from_numpy(data).clamp_(max=255).sub_(GREY_LEVEL).div_(SPREAD).permute(0, 3, 1, 2)
            yield inputs, torch.tensor(np.array(maps)), torch.tensor(np.array(counts))


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--rate", type=float, default=5e-3)
    train(parser.parse_args())


def train(options: argparse.Namespace) -> None:
    """Train and export; go on where it was ended."""
    set_up(options.out.parent, seed=0)
    net = Finder()
    torch.nn.init.constant_(net.head[-1].bias[:1], -3.5)
    # Channels last is a quarter quicker on processors.
    net = net.to(memory_format=torch.channels_last)
    rate = LearningRate(options.rate, WARM_UP_STEPS / options.steps, floor=MIN_RATE)
    trainer = Trainer(net, rate, weight_decay=1e-4, max_gradient_norm=MAX_GRADIENT_NORM)
    state = options.out.with_suffix(".state")
    trainer.resume(state)
    scenes = Scenes(sorted(options.scenes.glob("*.npz")))
    feed = batches(scenes, np.random.default_rng((0, trainer.steps)), BATCH)
    for step in range(trainer.steps + 1, options.steps + 1):
        trainer.step(loss, next(feed), step / options.steps)
        if step % 50 == 0:
            log.info("%5d of %d: loss %.3f", step, options.steps, trainer.mean_loss())
            export_copy(net, options.out)
            trainer.save(state)
    export_copy(net, options.out)


def export_copy(net: Finder, out: Path) -> None:
    """Write the network for OpenCV."""
    export(Folded(net), out, torch.zeros(1, 12, SIDE + 1, SIDE + 1), {0: "n", 2: "h", 3: "w"})


if __name__ == "__main__":
    main()
