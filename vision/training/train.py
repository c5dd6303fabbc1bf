"""Trains the networks of the reader on files of make_data.py: `train.py OUT_FOLDER DATA.npz … --epochs 10`.

Needs PyTorch, which the companion itself does not. `--hold-out 1 4 7` leaves the stills of these boards out and
measures on them. The weights are written beside the ONNX files, so that `--start` can go on from them.
"""

import argparse
import logging
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tock_vision.context import KINDS
from tock_vision.network import COLORS, FEATURES, STATES
from tock_vision.patches import CHANNELS, SIZE

HIDDEN = 2
FULL = 0.45
"""Share of the middle covered from which a patch is hidden; less than SLIGHT leaves its label."""
SLIGHT = 0.25
PICTURES = 5
"""Pictures in a batch, with all holes that are kept of them."""
PLAIN_KEPT = 0.4
"""Share of the plain empty holes of a picture that a batch has."""
PLACES = KINDS + len(COLORS)
Array = Any
log = logging.getLogger(__name__)


class PatchNet(nn.Module):
    """Four small convolutions: what is seen in a patch."""

    def __init__(self) -> None:
        super().__init__()

        def layer(into: int, out: int, stride: int) -> nn.Sequential:
            return nn.Sequential(
                nn.Conv2d(into, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU()
            )

        self.body = nn.Sequential(
            layer(CHANNELS, 16, 2),
            layer(16, 32, 2),
            layer(32, 48, 1),
            layer(48, 64, 2),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(64 * (SIZE // 8) ** 2, FEATURES),
            nn.ReLU(),
        )

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.body(patches)
        return out


class ContextNet(nn.Module):
    """From features in their context to the logits of the states, then of the colours."""

    def __init__(self) -> None:
        super().__init__()
        self.alone = nn.Linear(FEATURES, STATES + len(COLORS))
        self.among = nn.Sequential(
            nn.Linear(4 * FEATURES + PLACES, 64), nn.ReLU(), nn.Linear(64, STATES + len(COLORS))
        )

    def forward(self, stacked: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.alone(stacked[:, :FEATURES]) + self.among(stacked)
        return out


def in_context(features: torch.Tensor, picture: Array, owner: Array, place: torch.Tensor) -> torch.Tensor:
    """Stack features as `context.Context` does, for holes of several pictures."""
    keys = np.stack([picture * 100 + 99, picture * 100 + 98, picture * 100 + owner])
    keys[0, owner != -1], keys[1, owner < 0] = -1, -1
    keys[2, owner < 0] = -1
    names, numbers = np.unique(keys, return_inverse=True)
    numbers = torch.tensor(numbers.reshape(keys.shape))
    sums = torch.zeros(len(names), features.shape[1])
    counts = torch.zeros(len(names), 1)
    for row in numbers:
        sums = sums.index_add(0, row, features)
        counts = counts.index_add(0, row, torch.ones(len(features), 1))
    means = sums / counts.clamp(min=1)
    where = {int(name): place for place, name in enumerate(names)}

    def mean_of(wanted: Array) -> torch.Tensor:
        rows = np.array([where.get(int(key), -1) for key in wanted])
        out = means[torch.tensor(np.maximum(rows, 0))]
        return out * torch.tensor(rows >= 0).float()[:, None]

    plain, owned = mean_of(picture * 100 + 99), mean_of(picture * 100 + 98)
    own = mean_of(np.where(owner >= 0, picture * 100 + owner, picture * 100 + 99))
    return torch.cat([features, plain, owned, own, place], 1)


class Patches:
    """All patches of some files, and batches of them with changes by chance."""

    def __init__(self, paths: list[Path], seed: int) -> None:
        files = [np.load(path) for path in paths]
        rows = np.cumsum([0] + [len(file["E"]) for file in files])
        self.data = {key: np.concatenate([file[key] for file in files]) for key in "XSYCVBPO"}
        self.row = np.concatenate([file["R"] + start for file, start in zip(files, rows, strict=False)])
        self.empty = torch.tensor(np.concatenate([file["E"] for file in files]))
        self.light = torch.tensor(np.concatenate([file["LC"] for file in files]))
        self.rng = np.random.default_rng(seed)
        self.weight = np.where((self.data["Y"] != HIDDEN) & (self.data["V"] < 0.7), 0.3, 1.0)
        order = np.argsort(self.row, kind="stable")
        edges = np.searchsorted(self.row[order], np.arange(len(self.empty) + 1))
        self.members = [order[edges[n] : edges[n + 1]] for n in range(len(self.empty))]
        clear = (self.data["Y"] == 0) & (self.data["V"] > 0.9) & (self.data["O"] > -2)
        self.clear = [own[clear[own]] for own in self.members]
        self.board = np.array([self.data["B"][own[0]] for own in self.members])
        steps = torch.arange(SIZE).float() - (SIZE - 1) / 2
        self.y, self.x = torch.meshgrid(steps, steps, indexing="ij")
        self.middle = (self.x**2 + self.y**2 < (0.235 * SIZE) ** 2).float()

    def pixels(self, numbers: Array) -> torch.Tensor:
        """Return patches relative to the light (shape: [n, 3, SIZE, SIZE])."""
        return torch.tensor(self.data["X"][numbers]).permute(0, 3, 1, 2).float() / 64

    def normal(self, sigma: float, *shape: int) -> torch.Tensor:
        """Return log-normal factors around 1."""
        return torch.tensor(np.exp(self.rng.normal(0, sigma, shape))).float()

    def thinned(self, picture: int) -> Array:
        """Return the patches of a picture without most of its plain empty holes."""
        own = self.members[picture]
        plain = (self.data["Y"][own] == 0) & (self.data["O"][own] == -1)
        return own[~plain | (self.rng.random(len(own)) < PLAIN_KEPT)]

    def batch(self, numbers: Array, hidden: Array | None) -> tuple[torch.Tensor, ...]:
        """Return inputs, places, states, colours and weights; with `hidden` (covered patches) changed by chance."""
        patch = self.pixels(numbers)
        shape = torch.tensor(self.data["S"][numbers]).float() / 255
        state = torch.tensor(self.data["Y"][numbers]).long()
        color = torch.tensor(self.data["C"][numbers]).long()
        weight = torch.tensor(self.weight[numbers]).float()
        place = torch.tensor(self.data["P"][numbers]).float()
        empty = self.empty[self.row[numbers]].permute(0, 3, 1, 2).clone()
        light = self.light[self.row[numbers]].clone()
        if hidden is not None:
            self.other_empty(numbers, empty)
            self.cover(patch, state, weight, hidden)
            patch, empty, shape, light = self.change(numbers, patch, empty, shape, light)
            if self.rng.random() < 0.15:
                place[:, KINDS:] = 0
        spread = light[:, :, None, None].expand(-1, -1, SIZE, SIZE)
        return torch.cat([patch, empty, shape[:, None], spread], 1), place, state, color, weight

    def other_empty(self, numbers: Array, empty: torch.Tensor) -> None:
        """In a quarter of the pictures compare with single empty holes, as after calibration."""
        pictures = np.unique(self.row[numbers])
        chosen = pictures[self.rng.random(len(pictures)) < 0.25]
        for place in np.nonzero(np.isin(self.row[numbers], chosen))[0]:
            choice = self.clear[self.row[numbers[place]]]
            if len(choice):
                same = choice[self.data["O"][choice] == self.data["O"][numbers[place]]]
                pick = self.rng.choice(same if len(same) else choice, 1)
                empty[place] = self.pixels(pick)[0] * self.normal(0.06, 1)

    def cover(self, patch: torch.Tensor, state: torch.Tensor, weight: torch.Tensor, hidden: Array) -> None:
        """Lay parts of covered patches over some of the others."""
        chosen = np.nonzero((self.rng.random(len(patch)) < 0.08) & (state.numpy() != HIDDEN))[0]
        if not len(chosen) or not len(hidden):
            return
        count = len(chosen)
        over = self.pixels(self.rng.choice(hidden, count)) * self.normal(0.25, count, 3, 1, 1)
        angle = torch.tensor(self.rng.uniform(0, 6.28, (count, 1, 1))).float()
        edge = torch.tensor(self.rng.uniform(-0.44, 0.44, (count, 1, 1)) * SIZE).float()
        away = self.x * torch.cos(angle) + self.y * torch.sin(angle) - edge
        width = torch.tensor(self.rng.uniform(0.12, 0.44, (count, 1, 1)) * SIZE).float()
        strip = torch.tensor(self.rng.random((count, 1, 1)) < 0.35)
        mask = torch.where(strip, (away.abs() < width).float(), (away > 0).float())
        patch[chosen] = patch[chosen] * (1 - mask[:, None]) + over * mask[:, None]
        share = (mask * self.middle).sum((1, 2)) / self.middle.sum()
        state[chosen] = torch.where(share > FULL, HIDDEN, state[chosen])
        unclear = (share > SLIGHT) & (share <= FULL)
        weight[chosen] = torch.where(unclear, 0.0, weight[chosen])

    def change(
        self, numbers: Array, patch: Array, empty: Array, shape: Array, light: Array
    ) -> tuple[Array, ...]:
        """Mirror and shift patches; recolour, blur and roughen whole pictures."""
        count = len(patch)
        flip = torch.tensor(self.rng.random(count) < 0.5)
        patch[flip], empty[flip], shape[flip] = patch[flip].flip(3), empty[flip].flip(3), shape[flip].flip(2)
        for part in range(4):
            some = slice(part * count // 4, (part + 1) * count // 4)
            shift = tuple(int(value) for value in self.rng.integers(-2, 3, 2))
            patch[some] = torch.roll(patch[some], shift, (2, 3))
        _, picture = np.unique(self.row[numbers], return_inverse=True)
        pictures = int(picture.max()) + 1
        tint = self.normal(0.13, pictures, 3, 1, 1)[picture]
        light = light * tint[:, :, 0, 0]
        patch, empty = patch * tint * self.normal(0.08, count, 1, 1, 1), empty * tint
        bend = self.normal(0.12, pictures, 1, 1, 1)[picture]
        patch, empty = patch.clamp(min=1e-3) ** bend, empty.clamp(min=1e-3) ** bend
        soft = torch.tensor(self.rng.random(pictures) < 0.15)[picture]
        patch[soft] = functional.avg_pool2d(functional.pad(patch[soft], (1,) * 4, mode="replicate"), 3, 1)
        rough = self.rng.uniform(0, 0.08, (pictures, 1, 1, 1)) * (self.rng.random((pictures, 1, 1, 1)) < 0.5)
        patch = patch + torch.randn_like(patch) * torch.tensor(rough).float()[picture]
        return patch, empty, shape, light / light.mean(1, keepdim=True)


def loss_of(outputs: torch.Tensor, state: Array, color: Array, weight: Array) -> torch.Tensor:
    """Return cross entropy of the states, and of the colours where there is a pawn."""
    states = functional.cross_entropy(outputs[:, :STATES], state, reduction="none", label_smoothing=0.004)
    total = (states * weight).mean()
    pawn = (state == 1) & (color >= 0)
    if pawn.any():
        hue = functional.cross_entropy(outputs[pawn][:, STATES:], color[pawn], label_smoothing=0.004)
        total = total + 1.2 * hue * pawn.float().mean()
    return total


class Both(nn.Module):
    """The two networks together, as they are trained."""

    def __init__(self) -> None:
        super().__init__()
        self.patches, self.context = PatchNet(), ContextNet()

    def run(
        self, patches: Patches, numbers: Array, inputs: torch.Tensor, place: torch.Tensor
    ) -> torch.Tensor:
        """Return the logits of a batch."""
        features = self.patches(inputs)
        stacked = in_context(features, patches.row[numbers], patches.data["O"][numbers], place)
        out: torch.Tensor = self.context(stacked)
        return out


def predict(net: Both, patches: Patches, pictures: Array) -> tuple[Array, Array]:
    """Return the logits of all holes of some pictures, and which holes they are."""
    net.eval()
    parts, every = [], []
    with torch.no_grad():
        for picture in pictures:
            numbers = patches.members[picture]
            inputs, place, *_ = patches.batch(numbers, None)
            parts.append(net.run(patches, numbers, inputs, place))
            every.append(numbers)
    return torch.cat(parts).numpy(), np.concatenate(every)


def measure(net: Both, patches: Patches, pictures: Array) -> str:
    """Return rates on pictures left out, in one line."""
    outputs, test = predict(net, patches, pictures)
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
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--pictures", type=int, default=500, help="pictures in an epoch")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--hold-out", type=int, nargs="*", default=[], help="numbers of boards to measure on")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    patches = Patches(args.data, args.seed)
    held = np.isin(patches.board, args.hold_out)
    train, test = np.nonzero(~held)[0], np.nonzero(held)[0][::4]
    covered = (patches.data["Y"] == HIDDEN) & (patches.data["V"] < 0.1) & ~held[patches.row]
    hidden = np.nonzero(covered)[0]
    net = Both()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    steps = args.pictures // PICTURES
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, total_steps=steps * args.epochs + 1)
    for epoch in range(args.epochs):
        net.train()
        total = 0.0
        for _ in range(steps):
            chosen = patches.rng.choice(train, PICTURES, replace=False)
            numbers = np.concatenate([patches.thinned(picture) for picture in chosen])
            inputs, place, *truth = patches.batch(numbers, hidden)
            loss = loss_of(net.run(patches, numbers, inputs, place), *truth)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += float(loss.detach())
        log.info(
            "epoch %d loss %.4f %s", epoch, total / steps, measure(net, patches, test) if len(test) else ""
        )
        torch.save(net.state_dict(), args.out / "weights.pt")
        export(net, args.out)


def export(net: Both, folder: Path) -> None:
    """Write both networks for cv2.dnn."""
    net.eval()
    parts: tuple[tuple[str, nn.Module, torch.Tensor], ...] = (
        ("patches", net.patches, torch.zeros(8, CHANNELS, SIZE, SIZE)),
        ("context", net.context, torch.zeros(8, 4 * FEATURES + PLACES)),
    )
    for name, part, example in parts:
        axes = {"in": {0: "n"}, "out": {0: "n"}}
        torch.onnx.export(
            part, (example,), str(folder / f"{name}.onnx"), dynamic_axes=axes, dynamo=False,
            input_names=["in"], output_names=["out"],
        )  # fmt: skip


if __name__ == "__main__":
    main()
