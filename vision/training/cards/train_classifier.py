"""Trains the classifier of card corners.

`python -m vision.training.cards.train_classifier OUT.onnx PATCHES … --steps 5000`.

The files are those of patches.py and closeups.py, or folders of them, which may grow while it trains.
Needs PyTorch, which the companion does not. Weights and state are kept beside the ONNX file: the same command goes on
where it was ended, and `--start` begins from the weights of another training. What is written is the moving average
of the weights.
"""

import argparse
import logging
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tock_vision.cards.corners import PATCH_HEIGHT, PATCH_WIDTH, PLACE_AT, SUIT_AT, VALID_AT
from vision.training.cards.augmentation import Amounts
from vision.training.cards.networks import (
    LARGE,
    MIN_RATE,
    SMALL,
    WARM_UP_STEPS,
    Classifier,
    restored_classifier,
)
from vision.training.cards.patch_batches import PatchBatches
from vision.training.cards.patches import FIRST_JOKER
from vision.training.learning_rate import LearningRate
from vision.training.onnx_files import export
from vision.training.process_setup import set_up
from vision.training.trainer import Trainer

Array = Any
log = logging.getLogger(__name__)
AVERAGED_STEPS, WEIGHT_DECAY, MAX_GRADIENT_NORM = 1000, 1e-3, 5.0
READ_EVERY, WRITTEN_EVERY = 1000, 200
"""Steps after which new files of patches are read, and after which everything is written."""


def loss(answer: torch.Tensor, labels: torch.Tensor, better: torch.Tensor) -> torch.Tensor:
    """The loss of answers (shape: [n, 25]): rank, suit and place of cards, and whether it is one (label -1: none)."""
    cards = labels >= 0
    known = labels[cards]
    joker = known >= FIRST_JOKER
    rank = torch.where(joker, torch.full_like(known, 13), known % 13)
    suit = torch.where(joker, known - FIRST_JOKER + 4, known // 13)
    seen = answer[cards]
    total = functional.cross_entropy(seen[:, :SUIT_AT], rank, label_smoothing=0.01)
    total = total + functional.cross_entropy(seen[:, SUIT_AT:VALID_AT], suit, label_smoothing=0.01)
    total = total + functional.binary_cross_entropy_with_logits(answer[:, VALID_AT], cards.float())
    return total + 2 * functional.smooth_l1_loss(seen[:, PLACE_AT:], better[cards], beta=0.1)


def measured(net: torch.nn.Module, patches: PatchBatches, numbers: Array) -> str:
    """Measure a network on patches, in one line."""
    net.eval()
    right, cards, kept, nones, costs = 0, 0, 0, 0, []
    with torch.no_grad():
        for start in range(0, len(numbers), 512):
            data, labels, better = patches.batch(numbers[start : start + 512], change=False)
            answer = net(data)
            costs.append(loss(answer, labels, better).item())
            real = labels >= 0
            rank, suit = answer[:, :13].argmax(1), answer[:, SUIT_AT : SUIT_AT + 4].argmax(1)
            joker = answer[:, :SUIT_AT].argmax(1) == 13
            guessed = torch.where(
                joker, FIRST_JOKER + answer[:, SUIT_AT + 4 : VALID_AT].argmax(1), suit * 13 + rank
            )
            right += int((guessed == labels)[real].sum())
            cards += int(real.sum())
            kept += int((answer[~real, VALID_AT] > 0).sum())
            nones += int((~real).sum())
    return (
        f"loss {np.nanmean(costs):.4f}, cards right {right / max(cards, 1):.4f} of {cards}, "
        f"others taken {kept / max(nones, 1):.4f} of {nones}"
    )


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("patches", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument(
        "--start", type=Path, help="weights of another training (.pt), or a shipped file (.onnx)"
    )
    parser.add_argument(
        "--askew", type=float, default=1.0, help="how far cuts lie off, above 1 also narrowed"
    )
    parser.add_argument(
        "--aslant", type=float, default=1.0, help="how much such cuts are narrowed and slanted"
    )
    parser.add_argument("--defocused", type=float, default=0.0, help="share of patches far out of focus")
    parser.add_argument("--large", action="store_true", help="a network seven times as large")
    parser.add_argument("--bfloat", action="store_true", help="16 bits: twice as quick on some processors")
    parser.add_argument("--held", type=Path, help="a file of patches to measure on")
    train(parser.parse_args())


def train(options: argparse.Namespace) -> None:
    """Train and export; go on where it was ended."""
    set_up(options.out.parent, seed=0)
    net, shipped = begun(options.start, options.large)
    trainer = Trainer(
        net, LearningRate(options.rate, WARM_UP_STEPS / options.steps, floor=MIN_RATE),
        weight_decay=WEIGHT_DECAY, averaged_steps=AVERAGED_STEPS, max_gradient_norm=MAX_GRADIENT_NORM,
        fixed_normalisation=shipped,
    )  # fmt: skip
    average, state = trainer.average.net, options.out.with_suffix(".state")
    trainer.resume(state)
    done = trainer.steps
    amounts = Amounts(
        askew=options.askew,
        aslant=options.aslant if options.askew > 1 else 0.0,
        defocused=options.defocused,
    )
    patches = PatchBatches(options.patches, (0, done), amounts)
    held = PatchBatches([options.held], (0,)) if options.held else None
    for step in range(done + 1, options.steps + 1):
        if step % READ_EVERY == 0:
            patches.read_new()
        batch = patches.batch(patches.chosen(), change=True)
        trainer.step(loss_on, (options.bfloat, *batch), step / options.steps)
        if step % WRITTEN_EVERY == 0 or step == options.steps:
            mean = trainer.mean_loss()
            log.info("%5d of %d: loss %.4f on %d", step, options.steps, mean, len(patches.labels))
            export_copy(average, options.out)
            trainer.save(state)
        if step % READ_EVERY == 0 or step == options.steps:
            log.info("like these: %s", measured(average, patches, patches.held))
            if held is not None:
                log.info("held out: %s", measured(average, held, np.arange(len(held.labels))))


def loss_on(
    net: torch.nn.Module, bfloat: bool, data: torch.Tensor, labels: torch.Tensor, better: torch.Tensor
) -> torch.Tensor:
    """The loss of a network on a batch."""
    with torch.autocast(data.device.type, dtype=torch.bfloat16, enabled=bfloat):
        answer = net(data.contiguous(memory_format=torch.channels_last))
    return loss(answer.float(), labels, better)


def begun(start: Path | None, large: bool) -> tuple[Classifier, bool]:
    """The classifier that training begins with, and whether it is one that was shipped."""
    shipped = start is not None and start.suffix == ".onnx"
    if start is not None and shipped:
        net = restored_classifier(start, large=large)
    else:
        net = Classifier(LARGE if large else SMALL)
        if start is not None:
            net.load_state_dict(torch.load(start))
    return net.to(memory_format=torch.channels_last), shipped


def export_copy(net: torch.nn.Module, out: Path) -> None:
    """Write weights and ONNX."""
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    export(net, out, torch.zeros(1, 3, PATCH_HEIGHT, PATCH_WIDTH), {0: "n"})


if __name__ == "__main__":
    main()
