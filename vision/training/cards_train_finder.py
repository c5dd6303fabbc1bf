"""Trains the finder of card corners: `cards_train_finder.py SCENES OUT.onnx --steps 3000`.

SCENES is the folder of cards_scenes.py. Needs PyTorch, which the companion does not. Weights are kept beside the
ONNX file, so that `--start` goes on from them. The same scenes, steps and workers give the same weights.
"""

import argparse
import logging
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from cards_nets import Finder, export
from cards_together import average, join, meeting_of, set_rate
from torch.nn import functional

from tock_vision.cards.finder import STRIDE, USUAL_PX

Array = Any
log = logging.getLogger(__name__)
SIDE = 208
SMALLEST_PX, LARGEST_PX = 10.0, 38.0
"""Heights of indices that count; others are neither asked for nor forbidden."""
SHOWN, HIDDEN = 0.85, 0.3
"""From this visible share an index is to be found; below the other it must not be."""
BATCH = 32


class Scenes:
    """All scenes of a folder, small enough to keep as JPEG."""

    def __init__(self, files: list[Path]) -> None:
        self.jpeg: list[Array] = []
        self.rows: list[Array] = []
        for file in files:
            data = np.load(file)
            ends, rows, jpeg = data["ends"], data["rows"], data["jpeg"]
            starts = np.searchsorted(rows[:, 0], np.arange(len(ends)))
            for number in range(len(ends) - 1):
                self.jpeg.append(jpeg[ends[number] : ends[number + 1]])
                self.rows.append(rows[starts[number] : starts[number + 1], 1:])
        heights = [float(np.median(rows[:, 3])) if len(rows) else 0.0 for rows in self.rows]
        self.large = np.array([height > 30 for height in heights])

    def picture(self, number: int) -> Array:
        """Return the pixels of a scene."""
        return cv2.imdecode(self.jpeg[number], cv2.IMREAD_COLOR)

    def item(self, number: int, rng: Any) -> tuple[Array, Array]:
        """Return a piece of a scene, SIDE x SIDE, and its rows: halved where indices are large, else near a card."""
        picture, rows = self.picture(number), self.rows[number].copy()
        if self.large[number]:
            rows[:, :4] = rows[:, :4] * (0.5, 0.5, 1, 0.5)
            return cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA), rows
        room = picture.shape[0] - SIDE
        corner = rng.integers(0, room + 1, 2)
        shown = rows[rows[:, 4] > SHOWN]
        if len(shown) and rng.random() < 0.9:
            near = shown[int(rng.integers(len(shown))), :2]
            corner = (near - rng.uniform(0.15, 0.85, 2) * SIDE).clip(0, room).astype(int)
        x, y = (int(value) for value in corner)
        rows[:, :2] -= (x, y)
        inside = (rows[:, :2] > 2).all(axis=1) & (rows[:, :2] < SIDE - 2).all(axis=1)
        return picture[y : y + SIDE, x : x + SIDE], rows[inside]


def target(rows: Array) -> tuple[Array, Array]:
    """Return the wanted maps (shape: [6, 52, 52]) and where they count (heat, then the others; [2, …])."""
    cells = SIDE // STRIDE
    maps = np.zeros((6, cells, cells), np.float32)
    counts = np.zeros((2, cells, cells), np.float32)
    counts[0] = 1
    steps = np.arange(cells) + 0.5
    for x, y, up, height, share, *_ in rows:
        if share < HIDDEN:
            continue
        cx, cy = x / STRIDE, y / STRIDE
        distance = np.hypot(steps[None, :] - cx, steps[:, None] - cy)
        if share < SHOWN or not SMALLEST_PX <= height <= LARGEST_PX:
            counts[0][distance < max(1.5, height * 0.5 / STRIDE)] = 0
            continue
        sigma = max(0.55, 0.09 * height / STRIDE)
        heat = np.exp(-(distance**2) / (2 * sigma**2))
        row, column = min(int(cy), cells - 1), min(int(cx), cells - 1)
        heat[row, column] = 1
        maps[0] = np.maximum(maps[0], heat)
        near = distance < max(1.3, 0.16 * height / STRIDE)
        counts[1][near] = 1
        counts[0][(distance < max(1.5, 0.4 * height / STRIDE)) & (counts[0] == 0)] = 1
        maps[1][near] = (cx - np.broadcast_to(steps[None, :], near.shape))[near]
        maps[2][near] = (cy - np.broadcast_to(steps[:, None], near.shape))[near]
        maps[3][near], maps[4][near], maps[5][near] = np.sin(up), np.cos(up), np.log(height / USUAL_PX)
    return maps, counts


def loss(answer: torch.Tensor, maps: torch.Tensor, counts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the losses of the heat (focal, as CornerNet has it) and of place, direction and height."""
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
    while True:
        order = rng.permutation(len(scenes.jpeg))
        for start in range(0, len(order) - count + 1, count):
            pictures, maps, counts = [], [], []
            for number in order[start : start + count]:
                picture, rows = scenes.item(number, rng)
                one_map, one_count = target(rows)
                gain = rng.uniform(0.8, 1.2, 3) * rng.uniform(0.75, 1.25)
                pictures.append((picture * gain).clip(0, 255))
                maps.append(one_map)
                counts.append(one_count)
            data = (torch.tensor(np.array(pictures, np.float32)).permute(0, 3, 1, 2) - 128) / 64
            yield data.contiguous(), torch.tensor(np.array(maps)), torch.tensor(np.array(counts))


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--rate", type=float, default=5e-3)
    parser.add_argument("--start", type=Path)
    parser.add_argument(
        "--workers", type=int, default=2, help="processes of one thread that share each batch"
    )
    options = parser.parse_args()
    options.meeting = meeting_of(options.out)
    torch.multiprocessing.spawn(train, (options,), options.workers)


def train(rank: int, options: argparse.Namespace) -> None:
    """Do the share of one process: gradients are averaged in every step, so all keep the same weights."""
    join(rank, options)
    net = Finder()
    if options.start:
        net.load_state_dict(torch.load(options.start))
    else:
        torch.nn.init.constant_(net.head[-1].bias[:1], -3.5)
    optimizer = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=1e-4)
    scenes = Scenes(sorted(options.scenes.glob("*.npz")))
    feed = batches(scenes, np.random.default_rng(rank), BATCH // options.workers)
    net.train()
    sums = np.zeros(2)
    for step in range(1, options.steps + 1):
        data, maps, counts = next(feed)
        set_rate(optimizer, options.rate, step, options.steps)
        found, placed = loss(net(data), maps, counts)
        optimizer.zero_grad()
        (found + placed).backward()
        average([weight.grad for weight in net.parameters()], options.workers)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        sums += found.item(), placed.item()
        if step % 50 == 0 and rank == 0:
            log.info("%5d of %d: heat %.3f place %.3f", step, options.steps, *(sums / 50))
            export_copy(net, options.out)
        if step % 50 == 0:
            sums[:] = 0
    if rank == 0:
        export_copy(net, options.out)


def export_copy(net: Finder, out: Path) -> None:
    """Write weights and ONNX, and go on training."""
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    export(net, out, torch.zeros(1, 3, SIDE, SIDE))
    net.train()


if __name__ == "__main__":
    main()
