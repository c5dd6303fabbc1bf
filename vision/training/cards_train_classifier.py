"""Trains the classifier of card corners: `cards_train_classifier.py OUT.onnx PATCHES.npz … --steps 5000`.

The files are those of cards_patches.py. Needs PyTorch, which the companion does not; weights are kept beside the
ONNX file, so that `--start` goes on from them.
"""

import argparse
import logging
from pathlib import Path
from typing import Any

import numpy as np
import torch
from cards_nets import Classifier, export
from cards_patches import SIDE_PX
from cards_together import average, join, meeting_of, set_rate
from torch.nn import functional

from tock_companion.rules.cards import JOKERS
from tock_vision.cards.corners import INDEX_PX, LABELS, PATCH_HEIGHT, PATCH_WIDTH, PLACE_AT, SUIT_AT, VALID_AT

Array = Any
log = logging.getLogger(__name__)
BATCH = 128
NONE_SHARE = 0.42
JOKERS_KEPT = 0.4
"""Scenes have more jokers than hands do: of their patches only this share is used."""
HELD_OUT = 0.04
FIRST_JOKER = len(LABELS) - len(JOKERS)


class Patches:
    """Patches in memory, and batches of them, cut anew by chance."""

    def __init__(self, files: list[Path], seed: int) -> None:
        data = [np.load(file) for file in files]
        self.patches = torch.tensor(np.concatenate([one["patches"] for one in data])).permute(0, 3, 1, 2)
        labels = np.concatenate([one["labels"] for one in data]).astype(np.int64)
        self.labels = torch.tensor(labels)
        self.rng = np.random.default_rng(seed)
        self.torch_rng = torch.Generator().manual_seed(seed)
        kept = self.rng.random(len(labels)) > HELD_OUT
        self.held = np.nonzero(~kept)[0]
        rare = (labels >= FIRST_JOKER) & (self.rng.random(len(labels)) > JOKERS_KEPT)
        self.cards = np.nonzero(kept & (labels >= 0) & ~rare)[0]
        self.nones = np.nonzero(kept & (labels < 0))[0]
        y, x = np.mgrid[:PATCH_HEIGHT, :PATCH_WIDTH].astype(np.float32)
        grid = np.stack([x - (PATCH_WIDTH - 1) / 2, y - (PATCH_HEIGHT - 1) / 2], axis=-1)
        self.grid = torch.tensor(grid).reshape(1, -1, 2)

    def chosen(self) -> Array:
        """Choose the patches of a batch."""
        nones = int(BATCH * NONE_SHARE)
        return np.concatenate(
            [self.rng.choice(self.cards, BATCH - nones), self.rng.choice(self.nones, nones)]
        )

    def uniform(self, count: int, low: float, high: float) -> torch.Tensor:
        """Return numbers by chance."""
        return torch.rand(count, generator=self.torch_rng) * (high - low) + low

    def batch(self, numbers: Array, change: bool) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return inputs, labels and the better places."""
        count = len(numbers)
        patches = self.patches[numbers].float()
        wide = 0.5 + self.uniform(count, 0, 1) ** 2
        turn = self.uniform(count, -0.26, 0.26) * wide
        grow = self.uniform(count, -0.17, 0.17) * wide
        shift = torch.stack([self.uniform(count, -0.1, 0.1) * wide for _ in range(2)], 1)
        cos, sin = torch.cos(turn), torch.sin(turn)
        rotation = torch.stack([torch.stack([cos, -sin], 1), torch.stack([sin, cos], 1)], 1)
        size = torch.exp(grow)[:, None, None]
        places = self.grid @ rotation.transpose(1, 2) * size + shift[:, None] * INDEX_PX
        places = (places / (SIDE_PX / 2)).reshape(count, PATCH_HEIGHT, PATCH_WIDTH, 2)
        cut = functional.grid_sample(patches, places, align_corners=False, padding_mode="border")
        if change:
            cut = self.changed(cut)
        back = -(shift[:, None] @ rotation)[:, 0] / size[:, 0]
        better = torch.cat([back, -turn[:, None], -grow[:, None]], 1)
        mean = cut.mean((1, 2, 3), keepdim=True)
        spread = cut.std((1, 2, 3), keepdim=True, unbiased=False)
        return (cut - mean) / (spread + 8), self.labels[numbers], better

    def changed(self, cut: torch.Tensor) -> torch.Tensor:
        """Change light, sharpness and noise, and cover a side now and then."""
        count = len(cut)
        cut = cut * self.uniform(count * 3, 0.88, 1.12).reshape(count, 3, 1, 1)
        blurred = functional.avg_pool2d(functional.pad(cut, (1, 1, 1, 1), mode="replicate"), 3, 1)
        share = (self.uniform(count, -1.2, 1.0).clamp(min=0))[:, None, None, None]
        cut = cut * (1 - share) + blurred * share
        small = functional.interpolate(functional.avg_pool2d(cut, 2), scale_factor=2, mode="bilinear")
        coarse = (self.uniform(count, 0, 1) < 0.12)[:, None, None, None]
        cut = torch.where(coarse, small, cut)
        strength = self.uniform(count, -6, 12).clamp(min=0)[:, None, None, None]
        cut = cut + torch.randn(cut.shape, generator=self.torch_rng) * strength
        for place in np.nonzero(self.rng.random(count) < 0.1)[0]:
            width = int(self.rng.integers(2, 9))
            color = torch.tensor(self.rng.uniform(0, 255, (3, 1, 1)), dtype=torch.float32)
            side = self.rng.integers(4)
            spot = [
                np.s_[:, :width],
                np.s_[:, -width:],
                np.s_[:, :, : max(1, width // 2)],
                np.s_[:, :, -max(1, width // 2) :],
            ][side]
            cut[place][spot] = color
        return cut.clamp(0, 255)


def loss(answer: torch.Tensor, labels: torch.Tensor, better: torch.Tensor) -> torch.Tensor:
    """Return the loss of a batch."""
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
    """Return how good the network is on the patches held out."""
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
    net.train()
    return f"cards right {right / max(cards, 1):.4f} of {cards}, others taken {kept / max(nones, 1):.4f} of {nones}"


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("patches", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--workers", type=int, default=1, help="processes of one thread, each with a batch")
    options = parser.parse_args()
    options.meeting = meeting_of(options.out)
    torch.multiprocessing.spawn(train, (options,), options.workers)


def train(rank: int, options: argparse.Namespace) -> None:
    """Do the share of one process: gradients are averaged in every step, so all keep the same weights."""
    join(rank, options)
    patches = Patches(options.patches, rank)
    net = Classifier().to(memory_format=torch.channels_last)
    if options.start:
        net.load_state_dict(torch.load(options.start))
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
            total = 0.0


def save(net: Classifier, out: Path) -> None:
    """Write weights and ONNX, and go on training."""
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    export(net, out, torch.zeros(1, 3, PATCH_HEIGHT, PATCH_WIDTH))
    net.train()


if __name__ == "__main__":
    main()
