"""Trains the network of the reader on files of make_data.py: `train.py OUT.onnx DATA.npz … --epochs 12`.

Needs PyTorch, which the companion itself does not. `--hold-out 1 4 7` leaves the stills of these boards out and
measures on them. The weights are written beside the ONNX file too, so that `--start` can go on from them.
"""

import argparse
import logging
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tock_vision.network import COLORS, STATES
from tock_vision.patches import CHANNELS, SIZE

HIDDEN = 2
FULL = 0.45
"""Share of the middle covered from which a patch is hidden; less than SLIGHT leaves its label."""
SLIGHT = 0.25
Array = Any
log = logging.getLogger(__name__)


class PatchNet(nn.Module):
    """Five small convolutions; the outputs are the logits of the states, then of the colours."""

    def __init__(self) -> None:
        super().__init__()

        def layer(into: int, out: int, stride: int) -> nn.Sequential:
            return nn.Sequential(
                nn.Conv2d(into, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU()
            )

        self.body = nn.Sequential(
            layer(CHANNELS, 16, 2),
            layer(16, 24, 1),
            layer(24, 40, 2),
            layer(40, 48, 1),
            layer(48, 64, 2),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(64 * (SIZE // 8) ** 2, 64),
            nn.ReLU(),
        )
        self.state = nn.Linear(64, STATES)
        self.color = nn.Linear(64, len(COLORS))

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        seen = self.body(patches)
        return torch.cat([self.state(seen), self.color(seen)], 1)


class Patches:
    """All patches of some files, and batches of them with changes by chance."""

    def __init__(self, paths: list[Path], seed: int) -> None:
        files = [np.load(path) for path in paths]
        rows = np.cumsum([0] + [len(file["E"]) for file in files])
        self.data = {key: np.concatenate([file[key] for file in files]) for key in "XSYCVB"}
        self.row = np.concatenate([file["R"] + start for file, start in zip(files, rows, strict=False)])
        self.empty = torch.tensor(np.concatenate([file["E"] for file in files]))
        self.light = torch.tensor(np.concatenate([file["LC"] for file in files]))
        self.rng = np.random.default_rng(seed)
        self.weight = np.where((self.data["Y"] != HIDDEN) & (self.data["V"] < 0.7), 0.3, 1.0)
        clear = np.nonzero((self.data["Y"] == 0) & (self.data["V"] > 0.9))[0]
        order = clear[np.argsort(self.row[clear], kind="stable")]
        edges = np.searchsorted(self.row[order], np.arange(len(self.empty) + 1))
        self.clear = [order[edges[n] : edges[n + 1]] for n in range(len(self.empty))]
        steps = torch.arange(SIZE).float() - (SIZE - 1) / 2
        self.y, self.x = torch.meshgrid(steps, steps, indexing="ij")
        self.middle = (self.x**2 + self.y**2 < 7.5**2).float()

    def pixels(self, numbers: Array) -> torch.Tensor:
        """Return patches relative to the light (shape: [n, 3, SIZE, SIZE])."""
        return torch.tensor(self.data["X"][numbers]).permute(0, 3, 1, 2).float() / 64

    def normal(self, sigma: float, *shape: int) -> torch.Tensor:
        """Return log-normal factors around 1."""
        return torch.tensor(np.exp(self.rng.normal(0, sigma, shape))).float()

    def batch(self, numbers: Array, hidden: Array | None) -> tuple[torch.Tensor, ...]:
        """Return inputs, states, colours and weights; with `hidden` (numbers of covered patches) changed."""
        patch = self.pixels(numbers)
        shape = torch.tensor(self.data["S"][numbers]).float() / 255
        state = torch.tensor(self.data["Y"][numbers]).long()
        color = torch.tensor(self.data["C"][numbers]).long()
        weight = torch.tensor(self.weight[numbers]).float()
        empty = self.empty[self.row[numbers]].permute(0, 3, 1, 2).clone()
        light = self.light[self.row[numbers]].clone()
        if hidden is not None:
            self.other_empty(numbers, empty)
            self.cover(patch, state, weight, hidden)
            patch, empty, shape, light = self.change(patch, empty, shape, light)
        spread = light[:, :, None, None].expand(-1, -1, SIZE, SIZE)
        return torch.cat([patch, empty, shape[:, None], spread], 1), state, color, weight

    def other_empty(self, numbers: Array, empty: torch.Tensor) -> None:
        """Now and then compare with one empty hole, as after calibration, instead of the usual look."""
        for place in np.nonzero(self.rng.random(len(numbers)) < 0.35)[0]:
            choice = self.clear[self.row[numbers[place]]]
            if len(choice):
                empty[place] = self.pixels(self.rng.choice(choice, 1))[0] * self.normal(0.1, 1)

    def cover(self, patch: torch.Tensor, state: torch.Tensor, weight: torch.Tensor, hidden: Array) -> None:
        """Lay parts of covered patches over some of the others."""
        chosen = np.nonzero((self.rng.random(len(patch)) < 0.12) & (state.numpy() != HIDDEN))[0]
        if not len(chosen) or not len(hidden):
            return
        count = len(chosen)
        over = self.pixels(self.rng.choice(hidden, count)) * self.normal(0.25, count, 3, 1, 1)
        angle = torch.tensor(self.rng.uniform(0, 6.28, (count, 1, 1))).float()
        edge = torch.tensor(self.rng.uniform(-14, 14, (count, 1, 1))).float()
        away = self.x * torch.cos(angle) + self.y * torch.sin(angle) - edge
        width = torch.tensor(self.rng.uniform(4, 14, (count, 1, 1))).float()
        strip = torch.tensor(self.rng.random((count, 1, 1)) < 0.35)
        mask = torch.where(strip, (away.abs() < width).float(), (away > 0).float())
        patch[chosen] = patch[chosen] * (1 - mask[:, None]) + over * mask[:, None]
        share = (mask * self.middle).sum((1, 2)) / self.middle.sum()
        state[chosen] = torch.where(share > FULL, HIDDEN, state[chosen])
        unclear = (share > SLIGHT) & (share <= FULL)
        weight[chosen] = torch.where(unclear, 0.0, weight[chosen])

    def change(self, patch: Array, empty: Array, shape: Array, light: Array) -> tuple[torch.Tensor, ...]:
        """Mirror, shift, recolour, blur and roughen."""
        count = len(patch)
        flip = torch.tensor(self.rng.random(count) < 0.5)
        patch[flip], empty[flip], shape[flip] = patch[flip].flip(3), empty[flip].flip(3), shape[flip].flip(2)
        for part in range(4):
            some = slice(part * count // 4, (part + 1) * count // 4)
            shift = tuple(int(value) for value in self.rng.integers(-2, 3, 2))
            patch[some] = torch.roll(patch[some], shift, (2, 3))
        tint = self.normal(0.13, count, 3, 1, 1)
        light = light * tint[:, :, 0, 0]
        patch, empty = patch * tint * self.normal(0.1, count, 1, 1, 1), empty * tint
        bend = self.normal(0.12, count, 1, 1, 1)
        patch, empty = patch.clamp(min=1e-3) ** bend, empty.clamp(min=1e-3) ** bend
        soft = torch.tensor(self.rng.random(count) < 0.15)
        patch[soft] = functional.avg_pool2d(functional.pad(patch[soft], (1,) * 4, mode="replicate"), 3, 1)
        rough = self.rng.uniform(0, 0.08, (count, 1, 1, 1)) * (self.rng.random((count, 1, 1, 1)) < 0.5)
        patch = patch + torch.randn_like(patch) * torch.tensor(rough).float()
        return patch, empty, shape, light / light.mean(1, keepdim=True)


def choose(patches: Patches, train: Array, count: int) -> Array:
    """Return the numbers of one epoch: half stills, half drawn, less empty holes than there are."""
    rng, data = patches.rng, patches.data
    parts = []
    for drawn in (False, True):
        own = train[(data["B"][train] == 0) == drawn]
        for empty, share in ((True, 0.27), (False, 0.23)):
            kind = own[(data["Y"][own] == 0) == empty]
            parts.append(rng.choice(kind, min(len(kind), round(share * count)), replace=False))
    numbers = np.concatenate(parts)
    rng.shuffle(numbers)
    return numbers


def loss_of(outputs: torch.Tensor, state: Array, color: Array, weight: Array) -> torch.Tensor:
    """Return cross entropy of the states, and of the colours where there is a pawn."""
    states = functional.cross_entropy(outputs[:, :STATES], state, reduction="none", label_smoothing=0.01)
    total = (states * weight).mean()
    pawn = (state == 1) & (color >= 0)
    if pawn.any():
        hue = functional.cross_entropy(outputs[pawn][:, STATES:], color[pawn], label_smoothing=0.01)
        total = total + 1.2 * hue * pawn.float().mean()
    return total


def measure(net: PatchNet, patches: Patches, test: Array) -> str:
    """Return rates on patches left out, in one line."""
    net.eval()
    with torch.no_grad():
        parts = [net(patches.batch(test[n : n + 1024], None)[0]) for n in range(0, len(test), 1024)]
    outputs = torch.cat(parts).numpy()
    said, truth = outputs[:, :STATES].argmax(1), patches.data["Y"][test]
    seen, known = truth != HIDDEN, (truth != HIDDEN) & (said != HIDDEN)
    pawn = known & (truth == 1) & (said == 1)
    right = outputs[pawn][:, STATES:].argmax(1) == patches.data["C"][test][pawn]
    return (
        f"state right {(said[known] == truth[known]).mean():.5f} unknown {(said[seen] == HIDDEN).mean():.4f} "
        f"hidden called {(said[~seen] != HIDDEN).mean():.3f} colour {right.mean():.4f}"
    )


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--samples", type=int, default=36_000, help="patches in an epoch")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--hold-out", type=int, nargs="*", default=[], help="numbers of boards to measure on")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    patches = Patches(args.data, args.seed)
    held = np.isin(patches.data["B"], args.hold_out)
    train, test = np.nonzero(~held)[0], np.nonzero(held)[0]
    hidden = train[(patches.data["Y"][train] == HIDDEN) & (patches.data["V"][train] < 0.1)]
    net = PatchNet()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    size = 256
    steps = args.samples // size
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, total_steps=steps * args.epochs + 1)
    for epoch in range(args.epochs):
        net.train()
        numbers, total = choose(patches, train, args.samples), 0.0
        for step in range(len(numbers) // size):
            inputs, *truth = patches.batch(numbers[step * size : (step + 1) * size], hidden)
            loss = loss_of(net(inputs), *truth)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += float(loss.detach())
        result = measure(net, patches, test) if len(test) else ""
        log.info("epoch %d loss %.4f %s", epoch, total / max(1, steps), result)
        torch.save(net.state_dict(), args.out.with_suffix(".pt"))
        export(net, args.out)


def export(net: PatchNet, path: Path) -> None:
    """Write the network for cv2.dnn."""
    net.eval()
    names: dict[str, Any] = {"input_names": ["patches"], "output_names": ["logits"]}
    axes = {"patches": {0: "n"}, "logits": {0: "n"}}
    example = torch.zeros(8, CHANNELS, SIZE, SIZE)
    torch.onnx.export(net, (example,), str(path), dynamic_axes=axes, dynamo=False, **names)


if __name__ == "__main__":
    main()
