"""The two networks of the reader in PyTorch, and their loss."""

import torch
from torch import nn
from torch.nn import functional

from tock_vision.holes.context import KINDS
from tock_vision.holes.network import COLORS, FEATURES, STATES
from tock_vision.holes.patches import CHANNELS, PATCH_PX
from vision.training.layers import convolution
from vision.training.reader.batch import BESIDE, HIDDEN, Batch

SMOOTH = 0.004
SEEN, KNOWN = (0, 1, 2, 6), (3, 4, 5, 7, 8, 9)
"""Channels of `patches.network_input` of each patch, and those that a picture shares."""
PLACES = KINDS + len(COLORS)
STACKED = 5 * FEATURES + PLACES
FIRST = 0.3
"""Weight of the loss of the first pass, in which nothing is known of the pawns of the picture."""
LAYERS = ((16, 2), (32, 2), (48, 1), (64, 2))
"""Channels and stride of the convolutions; together 0.13 ms for a hole on one x86 core."""
GROUPS = 16
"""Groups of the holes of a picture: without an owner, with one, by owner from SEATS on, and places beside them."""
UNOWNED, OWNED, SEATS, OUTSIDE = 0, 1, 2, 15


class PatchNet(nn.Module):
    """A few small convolutions: the features of a patch."""

    def __init__(self) -> None:
        super().__init__()
        widths = (CHANNELS, *(width for width, _ in LAYERS))
        layers = [
            convolution(into, out, stride=stride) for into, (out, stride) in zip(widths, LAYERS, strict=False)
        ]
        self.body = nn.Sequential(
            *layers,
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(widths[-1] * (PATCH_PX // 8) ** 2, FEATURES),
            nn.ReLU(),
        )

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.body(patches)
        return out

    def features(self, batch: Batch) -> torch.Tensor:
        """The same for a batch; what its patches share goes through the first layer once."""
        first = self.body[0]
        weight = first[0].weight
        own = functional.conv2d(batch.seen, weight[:, SEEN], stride=2, padding=1)
        shared = functional.conv2d(batch.known, weight[:, KNOWN], stride=2, padding=1)
        out: torch.Tensor = self.body[1:](first[2](first[1](own + shared.index_select(0, batch.which))))
        return out


class ContextNet(nn.Module):
    """From features in their context to the logits of the states, then of the colours."""

    def __init__(self) -> None:
        super().__init__()
        out = STATES + len(COLORS)
        self.alone = nn.Linear(FEATURES, out)
        self.among = nn.Sequential(nn.Linear(STACKED, 64), nn.ReLU(), nn.Linear(64, out))

    def forward(self, stacked: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.alone(stacked[:, :FEATURES]) + self.among(stacked)
        return out


def in_context(features: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Stack features as `context.Context` does at first, for holes of several pictures."""
    owner, start = batch.owner, batch.picture * GROUPS
    kind = torch.where(owner >= 0, OWNED, torch.where(owner == BESIDE, OUTSIDE, UNOWNED))
    own = torch.where(owner >= 0, owner + SEATS, OUTSIDE)
    groups = batch.pictures * GROUPS
    sums = features.new_zeros(groups, features.shape[1])
    counts = features.new_zeros(groups, 1)
    one = torch.ones_like(features[:, :1])
    for group in (kind, own):
        sums = sums.index_add(0, start + group, features)
        counts = counts.index_add(0, start + group, one)
    means = sums / counts.clamp(min=1)
    mine = torch.where(owner >= 0, own, UNOWNED)
    around = [means.index_select(0, start + group) for group in (UNOWNED, OWNED, mine)]
    return torch.cat([features, *around, batch.place, torch.zeros_like(features)], 1)


def with_pawns(stacked: torch.Tensor, logits: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Add the mean features of the likely pawns of each picture, as `context.Context` does before the second pass."""
    chance = logits.detach()[:, :STATES].softmax(1)[:, 1] * (batch.owner != BESIDE)
    sums = stacked.new_zeros(batch.pictures, FEATURES)
    sums = sums.index_add(0, batch.picture, stacked[:, :FEATURES] * chance[:, None])
    total = stacked.new_zeros(batch.pictures).index_add(0, batch.picture, chance).clamp(min=1.0)
    return torch.cat([stacked[:, :-FEATURES], (sums / total[:, None]).index_select(0, batch.picture)], 1)


def loss_of(outputs: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Cross entropy of the states, and of the colours where there is a pawn."""
    logs = functional.log_softmax(outputs[:, :STATES], 1)
    states = functional.nll_loss(logs, batch.state, reduction="none") * (1 - SMOOTH) - logs.mean(1) * SMOOTH
    no_pawn = -torch.logsumexp(logs[:, [0, HIDDEN]], 1)
    total = (torch.where(batch.bare, no_pawn, states) * batch.weight).mean()
    pawn = ((batch.state == 1) & (batch.color >= 0)).float()
    hues = functional.cross_entropy(
        outputs[:, STATES:], batch.color.clamp(min=0), reduction="none", label_smoothing=SMOOTH
    )
    return total + (hues * pawn).mean()


class ReaderNetworks(nn.Module):
    """The two networks together, for training."""

    def __init__(self) -> None:
        super().__init__()
        self.patches, self.context = PatchNet(), ContextNet()

    def run(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """The logits of a batch after the first and after the second pass; quickly where it has short floats."""
        seen = batch.seen
        short = seen.dtype == torch.bfloat16
        with torch.autocast(seen.device.type, torch.bfloat16, enabled=short, cache_enabled=False):
            features = self.patches.features(batch)
        stacked = in_context(features.float(), batch)
        first: torch.Tensor = self.context(stacked)
        second: torch.Tensor = self.context(with_pawns(stacked, first, batch))
        return first, second

    def loss(self, batch: Batch) -> torch.Tensor:
        """The loss of the second pass, and some of the first."""
        first, second = self.run(batch)
        return loss_of(second, batch) + FIRST * loss_of(first, batch)
