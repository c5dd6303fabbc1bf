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

from tock_vision.holes.network import STATES
from tock_vision.holes.patches import CHANNELS, PATCH_PX
from vision.training.batch import HIDDEN
from vision.training.batches import Patches
from vision.training.beginning import begin
from vision.training.paint_over import KINDS_OF_PAINT
from vision.training.reader_nets import LAYERS, STACKED, Both

RISE = 0.04
"""Share of the training in which the learning rate rises."""
PICTURES = 5
"""Pictures in a batch, with all holes that are kept of them."""
Array = Any
log = logging.getLogger(__name__)


def predict(net: Both, patches: Patches, pictures: Array) -> tuple[Array, Array]:
    """The logits of all holes of some pictures, and which holes they are."""
    net.eval()
    parts, every = [], []
    with torch.no_grad():
        for picture in pictures:
            numbers = patches.members[picture]
            parts.append(net.run(patches.batch(numbers, changed=False))[1])
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
        for part in net.patches.body[: len(LAYERS)]:
            part[0].weight.copy_(next(convolutions))
            part[1].bias.copy_(next(convolutions))
            part[1].running_var.fill_(1.0 - part[1].eps)
        last = len(LAYERS) + 2
        net.patches.body[last].weight.copy_(stored["patches"][f"body.{last}.weight"])
        net.patches.body[last].bias.copy_(stored["patches"][f"body.{last}.bias"])
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
            for layer in net.patches.body[: len(LAYERS)]:
                layer[1].eval()
        for group in optimizer.param_groups:
            group["lr"] = rate_at(done, args.rate)
        chosen = patches.rng.choice(train, PICTURES, replace=False)
        numbers = np.concatenate([patches.thinned(picture) for picture in chosen])
        batch = patches.batch(numbers, changed=True)
        loss = net.loss(batch.in_short_floats() if args.short_floats else batch)
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
    begin(args.out)
    torch.manual_seed(args.seed)
    kinds = tuple(kind for kind in KINDS_OF_PAINT if kind not in args.without_paint)
    patches = Patches([np.load(path) for path in args.data], args.seed, kinds)
    held = np.isin(patches.board, args.hold_out)
    train, test = np.nonzero(~held)[0], np.nonzero(held)[0][::4]
    patches.may_lend(train)
    net = Both()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    elif args.start_package:
        net = of_package(args.start_package)
    net.patches.to(memory_format=torch.channels_last)
    fit(net, patches, train, test, args)
    torch.save(net.state_dict(), args.out / "weights.pt")
    export(net, args.out)
    log.info("done %s", measure(net, patches, test) if len(test) else "")


def export(net: Both, folder: Path) -> None:
    """Write both networks for cv2.dnn."""
    net.eval().to(memory_format=torch.contiguous_format)
    parts: tuple[tuple[str, nn.Module, torch.Tensor], ...] = (
        ("patches", net.patches, torch.zeros(8, CHANNELS, PATCH_PX, PATCH_PX)),
        ("context", net.context, torch.zeros(8, STACKED)),
    )
    for name, part, example in parts:
        axes = {"in": {0: "n"}, "out": {0: "n"}}
        torch.onnx.export(
            part, (example,), str(folder / f"{name}.onnx"), dynamic_axes=axes, dynamo=False,
            input_names=["in"], output_names=["out"],
        )  # fmt: skip


if __name__ == "__main__":
    main()
