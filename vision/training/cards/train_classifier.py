"""Trains the classifier of card corners.

`python -m vision.training.cards.train_classifier OUT.onnx PATCHES … --steps 5000`.

The files are those of patches.py and closeups.py, or folders of them, which may grow while it trains.
Needs PyTorch, which the companion does not. Weights and state are kept beside the ONNX file: the same command goes on
where it was ended, and `--start` begins from the weights of another training. What is written is the running average
of the weights.
"""

import argparse
import logging
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch.nn import functional

from tock_companion.rules import JOKERS
from tock_vision.cards.corners import INDEX_PX, LABELS, PATCH_HEIGHT, PATCH_WIDTH, PLACE_AT, SUIT_AT, VALID_AT
from vision.training.cards.networks import (
    LARGE,
    MIN_RATE,
    SMALL,
    WARM_UP_STEPS,
    Classifier,
    restored_classifier,
)
from vision.training.cards.patches import SIDE_PX
from vision.training.learning_rate import LearningRate
from vision.training.onnx_files import export
from vision.training.process_setup import set_up
from vision.training.trainer import Trainer

Array = Any
log = logging.getLogger(__name__)
BATCH = 128
NONE_SHARE = 0.42
JOKERS_KEPT = 0.4
"""Scenes have more jokers than hands do: of their patches only this share is used."""
HELD_OUT = 0.04
NARROWED, SHEARED = 0.14, 0.12
"""Spread of the log of how much wider or narrower cuts are made than their places say, and of how much slanted."""
COVERED, COARSE = 0.22, 0.2
"""Shares of patches of which a side is covered, and that are made of few pixels."""
DEFOCUS_PX = 0.5, 2.4
"""Blur of patches that are far out of focus, as phones take what is nearest."""
AVERAGED_STEPS, WEIGHT_DECAY, MAX_GRADIENT_NORM = 1000, 1e-3, 5.0
"""The weights are a mean of about the last steps, that many."""
CHAPTER, OFTEN = 1000, 200
"""Steps after which new files of patches are looked for, and after which everything is written."""
SMOOTH = (cv2.INTER_LINEAR, cv2.INTER_CUBIC)
FIRST_JOKER = len(LABELS) - len(JOKERS)


class PatchBatches:
    """Patches in memory, and batches of them, re-cut at random."""

    def __init__(
        self,
        paths: list[Path],
        seed: tuple[int, ...],
        askew: float = 1.0,
        aslant: float = 1.0,
        defocused: float = 0.0,
    ) -> None:
        self.paths = paths
        """Files, or folders of them."""
        self.askew = askew
        """Error of the cuts, as a multiple of the finder's usual one."""
        self.aslant = aslant
        """How much cuts are narrowed and slanted, as a multiple of what is usual."""
        self.defocused = defocused
        """Share of patches that are far out of focus."""
        self.rng = np.random.default_rng(seed)
        self.read: set[Path] = set()
        self.patches: list[Array] = []
        self.labels = np.zeros(0, np.int64)
        self.held = self.cards = self.nones = np.zeros(0, np.int64)
        self.noise = self.rng.normal(0, 1, 2 * BATCH * 3 * PATCH_HEIGHT * PATCH_WIDTH).astype(np.float32)
        self.read_new()

    def read_new(self) -> None:
        """Read the files that are there now and were not read yet."""
        files = [
            file
            for path in self.paths
            for file in (sorted(path.glob("*.npz")) if path.is_dir() else [path])
            if file not in self.read
        ]
        for file in files:
            data = np.load(file)
            labels, first = data["labels"].astype(np.int64), len(self.labels)
            kept = self.rng.random(len(labels)) > HELD_OUT
            rare = (labels >= FIRST_JOKER) & (self.rng.random(len(labels)) > JOKERS_KEPT)
            self.patches += list(data["patches"])
            self.labels = np.concatenate([self.labels, labels])
            self.held = np.concatenate([self.held, first + np.nonzero(~kept)[0]])
            self.cards = np.concatenate([self.cards, first + np.nonzero(kept & (labels >= 0) & ~rare)[0]])
            self.nones = np.concatenate([self.nones, first + np.nonzero(kept & (labels < 0))[0]])
        self.read |= set(files)

    def chosen(self) -> Array:
        """Choose the patches of a batch."""
        nones = int(BATCH * NONE_SHARE)
        return np.concatenate(
            [self.rng.choice(self.cards, BATCH - nones), self.rng.choice(self.nones, nones)]
        )

    def batch(self, numbers: Array, change: bool) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Inputs, labels and the better places."""
        count = len(numbers)
        wide = self.askew * (0.5 + self.rng.random((4, count)) ** 2)
        turn = self.rng.uniform(-0.26, 0.26, count) * wide[0]
        grow = self.rng.uniform(-0.17, 0.17, count) * wide[1]
        shift = self.rng.uniform(-0.1, 0.1, (2, count)) * wide[2:]
        cos, sin = np.cos(turn), np.sin(turn)
        size = np.exp(grow)
        # From pixels of the patch to those of the larger one that was kept.
        matrix = np.array([[cos, -sin], [sin, cos]]) * size
        # Wider or narrower, as seen from a side: neither the direction nor the height of an index changes.
        wider = (
            np.exp(self.rng.normal(0, NARROWED * self.aslant, count))
            if change and self.askew > 1
            else np.ones(count)
        )
        slant = (
            self.rng.normal(0, SHEARED * self.aslant, count) if change and self.askew > 1 else np.zeros(count)
        )
        matrix[1] += slant * matrix[0]
        matrix[0] *= wider
        middle = np.array([(PATCH_WIDTH - 1) / 2, (PATCH_HEIGHT - 1) / 2])
        places = (SIDE_PX - 1) / 2 + shift * INDEX_PX - np.einsum("ijn,j->in", matrix, middle)
        affine = np.concatenate([matrix, places[:, None]], axis=1).transpose(2, 0, 1)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size_px = (PATCH_WIDTH, PATCH_HEIGHT)
        cuts = [
            cv2.warpAffine(self.patches[n], one, size_px, flags=flags, borderMode=cv2.BORDER_REPLICATE)
            for n, one in zip(numbers, affine, strict=True)
        ]
        if change:
            cuts = [self.blurred(self.covered(cut, cuts)) for cut in cuts]
        cut = torch.from_numpy(np.array(cuts).transpose(0, 3, 1, 2).astype(np.float32))
        if change:
            cut = self.lit(cut)
        shift[0] /= wider
        shift[1] -= slant * shift[0]
        back = -np.stack([shift[0] * cos + shift[1] * sin, shift[1] * cos - shift[0] * sin]) / size
        better = torch.from_numpy(np.stack([*back, -turn, -grow], axis=1).astype(np.float32))
        spread, mean = torch.std_mean(cut.flatten(1), 1, correction=0)
        normal = (cut - mean[:, None, None, None]) / (spread[:, None, None, None] + 8)
        return normal, torch.from_numpy(self.labels[numbers]), better

    def uniform(self, shape: tuple[int, ...], low: float, high: float) -> torch.Tensor:
        """Random numbers, shaped to be spread over patches."""
        values = self.rng.uniform(low, high, shape).astype(np.float32)
        return torch.from_numpy(values)[(..., *[None] * (4 - len(shape)))]

    def covered(self, cut: Array, others: list[Array]) -> Array:
        """Cover a side of a patch now and then, with a colour or a part of another patch."""
        if self.rng.random() < COVERED:
            low, wide = int(self.rng.integers(2, 9)), int(self.rng.integers(2, 14))
            side = (np.s_[:low], np.s_[-low:], np.s_[:, :wide], np.s_[:, -wide:])[self.rng.integers(4)]
            other = others[self.rng.integers(len(others))]
            cut = cut.copy()
            cut[side] = other[side] if self.rng.random() < 0.6 else self.rng.integers(0, 256, 3)
        return cut

    def blurred(self, cut: Array) -> Array:
        """Blur a patch more or less, or make it of few pixels now and then."""
        share = self.rng.uniform(-1.2, 1.0)
        if share > 0:
            cut = cv2.addWeighted(cut, 1 - share, cv2.blur(cut, (3, 3)), share, 0)
        if self.rng.random() < self.defocused:
            cut = cv2.GaussianBlur(cut, (0, 0), self.rng.uniform(*DEFOCUS_PX))
        if self.rng.random() < COARSE:
            share = self.rng.uniform(0.27, 0.6)
            few = cv2.resize(cut, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
            cut = cv2.resize(few, cut.shape[1::-1], interpolation=int(self.rng.choice(SMOOTH)))
        return cut

    def lit(self, cut: torch.Tensor) -> torch.Tensor:
        """Change light and noise."""
        count = len(cut)
        start = int(self.rng.integers(len(self.noise) - cut.numel()))
        noise = torch.from_numpy(self.noise[start : start + cut.numel()]).reshape(cut.shape)
        cut = cut * self.uniform((count, 3), 0.88, 1.12)
        return (cut + noise * self.uniform((count,), -6, 12).clamp(min=0)).clamp(0, 255)


def loss(answer: torch.Tensor, labels: torch.Tensor, better: torch.Tensor) -> torch.Tensor:
    """The loss of a batch."""
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
    patches = PatchBatches(options.patches, (0, done), options.askew, options.aslant, options.defocused)
    held = PatchBatches([options.held], (0,)) if options.held else None
    for step in range(done + 1, options.steps + 1):
        if step % CHAPTER == 0:
            patches.read_new()
        batch = patches.batch(patches.chosen(), change=True)
        trainer.step(loss_on, (options.bfloat, *batch), step / options.steps)
        if step % OFTEN == 0 or step == options.steps:
            mean = trainer.mean_loss()
            log.info("%5d of %d: loss %.4f on %d", step, options.steps, mean, len(patches.labels))
            export_copy(average, options.out)
            trainer.save(state)
        if step % CHAPTER == 0 or step == options.steps:
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
