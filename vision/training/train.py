"""Trains the networks of the reader on files of make_data.py.

`python -m vision.training.train OUT_FOLDER DATA.npz … --minutes 60`.

Needs PyTorch, which the companion itself does not. `--hold-out 1 4 7` leaves the stills of these boards out and
measures on them. The weights are written beside the ONNX files, so that `--start` can go on from them;
`--start-package` goes on from ONNX files alone.
"""

import argparse
import logging
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.numpy_helper
import torch
from torch import nn
from torch.nn import functional

from tock_vision.holes.context import KINDS
from tock_vision.holes.network import COLORS, FEATURES, STATES
from tock_vision.holes.patches import CHANNELS, PATCH_PX
from vision.training.batches import BESIDE, HIDDEN, Batch, Patches
from vision.training.paint_over import KINDS_OF_PAINT

SMOOTH = 0.004
RISE = 0.04
"""Share of the training in which the learning rate rises."""
PICTURES = 5
"""Pictures in a batch, with all holes that are kept of them."""
SEEN, KNOWN = [0, 1, 2, 6], [3, 4, 5, 7, 8, 9]
"""Channels of `patches.network_input` that each patch has for itself, and those that a picture shares."""
PLACES = KINDS + len(COLORS)
FIRST = 0.3
"""Weight of the loss of the first pass, in which nothing is known of the pawns of the picture."""
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
            nn.Linear(64 * (PATCH_PX // 8) ** 2, FEATURES),
            nn.ReLU(),
        )

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.body(patches)
        return out

    def features(self, batch: Batch) -> torch.Tensor:
        """The same for a batch; what its patches share goes through the first layer once."""
        first, weight = self.body[0], self.body[0][0].weight
        own = functional.conv2d(batch.seen, weight[:, SEEN], stride=2, padding=1)
        shared = functional.conv2d(batch.known, weight[:, KNOWN], stride=2, padding=1)
        out: torch.Tensor = self.body[1:](first[2](first[1](own + shared[batch.which])))
        return out


class ContextNet(nn.Module):
    """From features in their context to the logits of the states, then of the colours."""

    def __init__(self) -> None:
        super().__init__()
        self.alone = nn.Linear(FEATURES, STATES + len(COLORS))
        self.among = nn.Sequential(
            nn.Linear(5 * FEATURES + PLACES, 64), nn.ReLU(), nn.Linear(64, STATES + len(COLORS))
        )

    def forward(self, stacked: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.alone(stacked[:, :FEATURES]) + self.among(stacked)
        return out


def in_context(features: torch.Tensor, picture: Array, owner: Array, place: torch.Tensor) -> torch.Tensor:
    """Stack features as `context.Context` does at first, for holes of several pictures."""
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
    return torch.cat([features, plain, owned, own, place, torch.zeros_like(features)], 1)


def with_pawns(stacked: torch.Tensor, logits: torch.Tensor, picture: Array, owner: Array) -> torch.Tensor:
    """Put in how the likely pawns of each picture look, as `context.Context` does before the second pass."""
    numbers = torch.tensor(np.unique(picture, return_inverse=True)[1])
    chance = logits.detach()[:, :STATES].softmax(1)[:, 1] * torch.tensor(owner != BESIDE)
    count = int(numbers.max()) + 1
    sums = torch.zeros(count, FEATURES).index_add(0, numbers, stacked[:, :FEATURES] * chance[:, None])
    total = torch.zeros(count).index_add(0, numbers, chance).clamp(min=1.0)
    return torch.cat([stacked[:, :-FEATURES], (sums / total[:, None])[numbers]], 1)


def loss_of(outputs: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Cross entropy of the states, and of the colours where there is a pawn."""
    logs = functional.log_softmax(outputs[:, :STATES], 1)
    states = functional.nll_loss(logs, batch.state, reduction="none") * (1 - SMOOTH) - logs.mean(1) * SMOOTH
    no_pawn = -torch.logsumexp(logs[:, [0, HIDDEN]], 1)
    total = (torch.where(batch.bare, no_pawn, states) * batch.weight).mean()
    pawn = (batch.state == 1) & (batch.color >= 0)
    if pawn.any():
        hue = functional.cross_entropy(outputs[pawn][:, STATES:], batch.color[pawn], label_smoothing=SMOOTH)
        total = total + hue * pawn.float().mean()
    return total


class Both(nn.Module):
    """The two networks together, as they are trained."""

    def __init__(self) -> None:
        super().__init__()
        self.patches, self.context = PatchNet(), ContextNet()

    def run(self, patches: Patches, numbers: Array, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """The logits of a batch after the first and after the second pass."""
        picture, owner = patches.row[numbers], patches.data["O"][numbers]
        stacked = in_context(self.patches.features(batch), picture, owner, batch.place)
        first = self.context(stacked)
        return first, self.context(with_pawns(stacked, first, picture, owner))


def predict(net: Both, patches: Patches, pictures: Array) -> tuple[Array, Array]:
    """The logits of all holes of some pictures, and which holes they are."""
    net.eval()
    parts, every = [], []
    with torch.no_grad():
        for picture in pictures:
            numbers = patches.members[picture]
            parts.append(net.run(patches, numbers, patches.batch(numbers, changed=False))[1])
            every.append(numbers)
    return torch.cat(parts).numpy(), np.concatenate(every)


def measure(net: Both, patches: Patches, pictures: Array) -> str:
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


def rate_at(done: float, highest: float) -> float:
    """The learning rate when a part of the training is done: a short rise, then half a cosine to nothing."""
    return highest * min(1.0, 0.1 + done / RISE) * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))


def of_package(folder: Path) -> Both:
    """The networks that are in ONNX files: their normalisation has become part of the convolutions, and stays so."""
    net = Both()
    stored = {name: _initial(folder / f"{name}.onnx") for name in ("patches", "context")}
    convolutions = iter(value for name, value in stored["patches"].items() if not name.startswith("body"))
    with torch.no_grad():
        for part in net.patches.body[:4]:
            part[0].weight.copy_(next(convolutions))
            part[1].bias.copy_(next(convolutions))
            part[1].running_var.fill_(1.0 - part[1].eps)
        last = net.patches.body[6]
        last.weight.copy_(stored["patches"]["body.6.weight"])
        last.bias.copy_(stored["patches"]["body.6.bias"])
    net.context.load_state_dict(stored["context"])
    return net


def _initial(path: Path) -> dict[str, torch.Tensor]:
    """The weights in an ONNX file, in the order of the layers."""
    stored = onnx.load(path).graph.initializer
    return {one.name: torch.tensor(onnx.numpy_helper.to_array(one)) for one in stored}


def fit(net: Both, patches: Patches, train: Array, test: Array, args: argparse.Namespace) -> None:
    """Train until the minutes of processor time are over."""
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=2e-3)
    start, batches, logged_s, total = time.process_time(), 0, 0.0, 0.0
    while (done := (time.process_time() - start) / (60 * args.minutes)) < 1.0:
        net.train()
        if args.start_package:
            for layer in net.patches.body[:4]:
                layer[1].eval()
        for group in optimizer.param_groups:
            group["lr"] = rate_at(done, args.rate)
        chosen = patches.rng.choice(train, PICTURES, replace=False)
        numbers = np.concatenate([patches.thinned(picture) for picture in chosen])
        batch = patches.batch(numbers, changed=True)
        first, second = net.run(patches, numbers, batch)
        loss = loss_of(second, batch) + FIRST * loss_of(first, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total, batches = total + float(loss.detach()), batches + 1
        if done - logged_s > args.tell:
            rates = measure(net, patches, test) if len(test) else ""
            log.info("%.0f %% %d batches loss %.4f %s", 100 * done, batches, total / batches, rates)
            logged_s, total, batches = done, 0.0, 0
            torch.save(net.state_dict(), args.out / "weights.pt")


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--start-package", type=Path, help="folder of ONNX files to go on from")
    parser.add_argument("--hold-out", type=int, nargs="*", default=[], help="numbers of boards to measure on")
    parser.add_argument("--tell", type=float, default=0.08, help="share of the time after which to measure")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--without-paint", nargs="*", default=[], metavar="KIND", help="kinds of paint that are never laid on"
    )
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    kinds = tuple(kind for kind in KINDS_OF_PAINT if kind not in args.without_paint)
    patches = Patches(args.data, args.seed, kinds)
    held = np.isin(patches.board, args.hold_out)
    train, test = np.nonzero(~held)[0], np.nonzero(held)[0][::4]
    patches.may_lend(train)
    net = Both()
    if args.start:
        net.load_state_dict(started(torch.load(args.start)))
    elif args.start_package:
        net = of_package(args.start_package)
    net.patches.to(memory_format=torch.channels_last)
    fit(net, patches, train, test, args)
    torch.save(net.state_dict(), args.out / "weights.pt")
    export(net, args.out)
    log.info("done %s", measure(net, patches, test) if len(test) else "")


def started(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Weights of a network from before the pawns' appearance was an input, with zeros for that input."""
    name = "context.among.0.weight"
    missing = 5 * FEATURES + PLACES - weights[name].shape[1]
    return weights | {name: functional.pad(weights[name], (0, missing))}


def export(net: Both, folder: Path) -> None:
    """Write both networks for cv2.dnn."""
    net.eval().to(memory_format=torch.contiguous_format)
    parts: tuple[tuple[str, nn.Module, torch.Tensor], ...] = (
        ("patches", net.patches, torch.zeros(8, CHANNELS, PATCH_PX, PATCH_PX)),
        ("context", net.context, torch.zeros(8, 5 * FEATURES + PLACES)),
    )
    for name, part, example in parts:
        axes = {"in": {0: "n"}, "out": {0: "n"}}
        torch.onnx.export(
            part, (example,), str(folder / f"{name}.onnx"), dynamic_axes=axes, dynamo=False,
            input_names=["in"], output_names=["out"],
        )  # fmt: skip


if __name__ == "__main__":
    main()
