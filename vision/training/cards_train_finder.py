"""Trains the finder of card corners.

`python -m vision.training.cards_train_finder SCENES OUT.onnx --steps 3000`.

SCENES is the folder of cards_scenes.py. Needs PyTorch, which the companion does not. Weights and state are kept
beside the ONNX file: the same command goes on where it was ended, and `--start` begins from the weights of another
training (`.pt`) or from a shipped file (`.onnx`). The same scenes, steps and workers, not ended between, give the same
weights.
"""

import argparse
import logging
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tock_vision.cards.finder import GREY_LEVEL
from vision.training.cards_distributed import descend, join, keep, meeting_of, resumed, set_rate
from vision.training.cards_nets import SPREAD, Finder, Folded, export, restored, set_training
from vision.training.cards_pieces import SIDE, Scenes, target

Array = Any
log = logging.getLogger(__name__)
BATCH = 48


def loss(answer: torch.Tensor, maps: torch.Tensor, counts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The losses of the heat (focal, as CornerNet has it) and of place, direction and height."""
    heat = torch.sigmoid(answer[:, 0]).clamp(1e-4, 1 - 1e-4)
    wanted = maps[:, 0]
    middle = (wanted > 0.999).float()
    gain = -middle * (1 - heat) ** 2 * torch.log(heat)
    cost = -(1 - middle) * (1 - wanted) ** 4 * heat**2 * torch.log(1 - heat)
    number = middle.sum().clamp(min=1)
    found = ((gain + cost) * counts[:, 0]).sum() / number
    away = functional.smooth_l1_loss(answer[:, 1:], maps[:, 1:], reduction="none", beta=0.2).sum(1)
    placed = (away * counts[:, 1]).sum() / counts[:, 1].sum().clamp(min=1)
    return found, placed


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
    parser.add_argument("--start", type=Path)
    parser.add_argument(
        "--workers", type=int, default=1, help="processes of one thread that share each batch"
    )
    options = parser.parse_args()
    options.meeting = meeting_of(options.out)
    torch.multiprocessing.spawn(train, (options,), options.workers)


def train(rank: int, options: argparse.Namespace) -> None:
    """Do the share of one process: gradients are averaged in every step, so all keep the same weights."""
    join(rank, options)
    net, shipped = begun(options.start)
    optimizer = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=1e-4)
    state = options.out.with_suffix(".state")
    done = resumed(state, net=net, optimizer=optimizer)
    scenes = Scenes(sorted(options.scenes.glob("*.npz")))
    feed = batches(scenes, np.random.default_rng((rank, done)), BATCH // options.workers)
    set_training(net, fixed=shipped)
    sums = np.zeros(2)
    for step in range(done + 1, options.steps + 1):
        data, maps, counts = next(feed)
        set_rate(optimizer, options.rate, step, options.steps)
        found, placed = loss(net(data), maps, counts)
        descend(net, optimizer, found + placed, options.workers)
        sums += found.item(), placed.item()
        if step % 50 == 0 and rank == 0:
            log.info("%5d of %d: heat %.3f place %.3f", step, options.steps, *(sums / 50))
            export_copy(net, options.out)
            set_training(net, fixed=shipped)
            keep(state, step, net=net, optimizer=optimizer)
        if step % 50 == 0:
            sums[:] = 0
    if rank == 0:
        export_copy(net, options.out)


def begun(start: Path | None) -> tuple[Finder, bool]:
    """The finder that training begins with, and whether it is one that was shipped."""
    shipped = start is not None and start.suffix == ".onnx"
    if start is not None and shipped:
        net = restored(start)
    else:
        net = Finder()
        if start is not None:
            net.load_state_dict(torch.load(start))
        else:
            torch.nn.init.constant_(net.head[-1].bias[:1], -3.5)
    # Channels last is a quarter quicker on processors.
    return net.to(memory_format=torch.channels_last), shipped


def export_copy(net: Finder, out: Path) -> None:
    """Write weights and ONNX."""
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    export(Folded(net), out, torch.zeros(1, 12, SIDE + 1, SIDE + 1))


if __name__ == "__main__":
    main()
