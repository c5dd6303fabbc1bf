"""Trains the classifier of card corners.

`python -m vision.training.cards_train_classifier OUT.onnx PATCHES.npz … --steps 5000`.

The files are those of cards_patches.py. Needs PyTorch, which the companion does not; weights are kept beside the
ONNX file, so that `--start` goes on from them.
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
from vision.training.cards_distributed import average, join, meeting_of, set_rate
from vision.training.cards_nets import Classifier, export, restored_classifier, set_training
from vision.training.cards_patches import SIDE_PX

Array = Any
log = logging.getLogger(__name__)
BATCH = 128
NONE_SHARE = 0.42
JOKERS_KEPT = 0.4
"""Scenes have more jokers than hands do: of their patches only this share is used."""
HELD_OUT = 0.04
NARROWED = 0.12
"""Spread of the log of how much wider or narrower cuts are made than their places say."""
FIRST_JOKER = len(LABELS) - len(JOKERS)


class Patches:
    """Patches in memory, and batches of them, re-cut at random."""

    def __init__(self, files: list[Path], seed: int, askew: float = 1.0) -> None:
        self.askew = askew
        """How far cuts lie off, as a multiple of what the finder usually errs."""
        data = [np.load(file) for file in files]
        self.patches = np.concatenate([one["patches"] for one in data])
        self.labels = np.concatenate([one["labels"] for one in data]).astype(np.int64)
        self.rng = np.random.default_rng(seed)
        kept = self.rng.random(len(self.labels)) > HELD_OUT
        self.held = np.nonzero(~kept)[0]
        rare = (self.labels >= FIRST_JOKER) & (self.rng.random(len(self.labels)) > JOKERS_KEPT)
        self.cards = np.nonzero(kept & (self.labels >= 0) & ~rare)[0]
        self.nones = np.nonzero(kept & (self.labels < 0))[0]
        self.noise = self.rng.normal(0, 1, 2 * BATCH * 3 * PATCH_HEIGHT * PATCH_WIDTH).astype(np.float32)

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
        wider = np.exp(self.rng.normal(0, NARROWED, count)) if change and self.askew > 1 else np.ones(count)
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
            cuts = [self.blurred(self.covered(cut)) for cut in cuts]
        cut = torch.from_numpy(np.array(cuts).transpose(0, 3, 1, 2).astype(np.float32))
        if change:
            cut = self.lit(cut)
        shift[0] /= wider
        back = -np.stack([shift[0] * cos + shift[1] * sin, shift[1] * cos - shift[0] * sin]) / size
        better = torch.from_numpy(np.stack([*back, -turn, -grow], axis=1).astype(np.float32))
        spread, mean = torch.std_mean(cut.flatten(1), 1, correction=0)
        normal = (cut - mean[:, None, None, None]) / (spread[:, None, None, None] + 8)
        return normal, torch.from_numpy(self.labels[numbers]), better

    def uniform(self, shape: tuple[int, ...], low: float, high: float) -> torch.Tensor:
        """Random numbers, shaped to be spread over patches."""
        values = self.rng.uniform(low, high, shape).astype(np.float32)
        return torch.from_numpy(values)[(..., *[None] * (4 - len(shape)))]

    def covered(self, cut: Array) -> Array:
        """Cover a side of a patch now and then."""
        if self.rng.random() < 0.1:
            width = int(self.rng.integers(2, 9))
            narrow = max(1, width // 2)
            sides = (np.s_[:width], np.s_[-width:], np.s_[:, :narrow], np.s_[:, -narrow:])
            cut[sides[self.rng.integers(4)]] = self.rng.integers(0, 256, 3)
        return cut

    def blurred(self, cut: Array) -> Array:
        """Blur a patch more or less, or halve its pixels now and then."""
        share = self.rng.uniform(-1.2, 1.0)
        if share > 0:
            cut = cv2.addWeighted(cut, 1 - share, cv2.blur(cut, (3, 3)), share, 0)
        if self.rng.random() < 0.12:
            size_px = (PATCH_WIDTH // 2, PATCH_HEIGHT // 2)
            cut = cv2.resize(cv2.resize(cut, size_px, interpolation=cv2.INTER_AREA), cut.shape[1::-1])
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


def measured(net: Classifier, patches: Patches) -> str:
    """How well the network does on the patches held out."""
    net.eval()
    right, cards, kept, nones = 0, 0, 0, 0
    with torch.no_grad():
        for start in range(0, len(patches.held), 512):
            data, labels, _ = patches.batch(patches.held[start : start + 512], change=False)
            answer = net(data)
            real = labels >= 0
            rank, suit = answer[:, :13].argmax(1), answer[:, SUIT_AT : SUIT_AT + 4].argmax(1)
            joker = answer[:, :SUIT_AT].argmax(1) == 13
            told = torch.where(
                joker, FIRST_JOKER + answer[:, SUIT_AT + 4 : VALID_AT].argmax(1), suit * 13 + rank
            )
            right += int((told == labels)[real].sum())
            cards += int(real.sum())
            kept += int((answer[~real, VALID_AT] > 0).sum())
            nones += int((~real).sum())
    return f"cards right {right / max(cards, 1):.4f} of {cards}, others taken {kept / max(nones, 1):.4f} of {nones}"


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
    parser.add_argument("--workers", type=int, default=1, help="processes of one thread, each with a batch")
    options = parser.parse_args()
    options.meeting = meeting_of(options.out)
    torch.multiprocessing.spawn(train, (options,), options.workers)


def train(rank: int, options: argparse.Namespace) -> None:
    """Do the share of one process: gradients are averaged in every step, so all keep the same weights."""
    join(rank, options)
    patches = Patches(options.patches, rank, options.askew)
    shipped = options.start is not None and options.start.suffix == ".onnx"
    net = restored_classifier(options.start) if shipped else Classifier()
    if options.start and not shipped:
        net.load_state_dict(torch.load(options.start))
    net = net.to(memory_format=torch.channels_last)
    set_training(net, fixed=shipped)
    optimizer = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=1e-3)
    total = 0.0
    for step in range(1, options.steps + 1):
        data, labels, better = patches.batch(patches.chosen(), change=True)
        set_rate(optimizer, options.rate, step, options.steps)
        cost = loss(net(data), labels, better)
        optimizer.zero_grad()
        cost.backward()
        average([weight.grad for weight in net.parameters()], options.workers)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        total += cost.item()
        if step % 200 == 0 or step == options.steps:
            if rank == 0:
                log.info("%5d of %d: loss %.4f; %s", step, options.steps, total / 200, measured(net, patches))
                save(net, options.out)
                set_training(net, fixed=shipped)
            total = 0.0


def save(net: Classifier, out: Path) -> None:
    """Write weights and ONNX."""
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    export(net, out, torch.zeros(1, 3, PATCH_HEIGHT, PATCH_WIDTH))


if __name__ == "__main__":
    main()
