"""The network of the hole in the middle of a board: form, batches and loss. Needs PyTorch."""

from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

from tock_vision.discovery.centre_network import CHANNELS, MAX_INPUT, SIDE_PX
from vision.training.discovery.middle_samples import SampleStore
from vision.training.layers import convolution
from vision.training.learning_rate import LearningRate
from vision.training.onnx_files import export
from vision.training.trainer import Trainer

RATE, WARM_UP = 2e-3, 0.05
WEIGHT_DECAY, MAX_GRADIENT_NORM = 2e-2, 5.0
AVERAGED_STEPS = 400
"""The weights are a mean of about this many of the last steps."""
SEEN_CHANNELS = 4


class MiddleNet(nn.Module):
    """Four steps of convolutions and a mean: the odds of a hole, as a logarithm."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            convolution(CHANNELS, 16), convolution(16, 16), nn.MaxPool2d(2),
            convolution(16, 32), convolution(32, 32), nn.MaxPool2d(2),
            convolution(32, 48), nn.MaxPool2d(2), convolution(48, 48),
        )  # fmt: skip
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.4), nn.Linear(48 * 25, 1))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """The odds for each look."""
        out: torch.Tensor = self.head(self.body(seen))
        return out[:, 0]


def new_trainer(device: torch.device) -> Trainer:
    """The trainer of a new network."""
    return Trainer(
        MiddleNet().to(device), LearningRate(RATE, WARM_UP), weight_decay=WEIGHT_DECAY,
        averaged_steps=AVERAGED_STEPS, max_gradient_norm=MAX_GRADIENT_NORM,
    )  # fmt: skip


def loss_of(net: nn.Module, *stores: tuple[SampleStore, int]) -> torch.Tensor:
    """Cross-entropy on some samples of each store; a sample that shows nothing comes out at even odds."""
    picked = [store.picked(count) for store, count in stores]
    shown = varied(torch.cat([shown for shown, _ in picked]))
    return functional.binary_cross_entropy_with_logits(net(shown), torch.cat([holes for _, holes in picked]))


def varied(shown: torch.Tensor) -> torch.Tensor:
    """The same mirrored, paler or stronger, in other colours, with grain."""
    count, device = len(shown), shown.device

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(count, *shape, device=device)

    mirrored = torch.rand(count, 1, 1, 1, device=device) < 0.5
    shown = torch.where(mirrored, shown.flip(3), shown)
    strength = torch.exp(0.25 * normal(1, 1, 1) + 0.1 * normal(SEEN_CHANNELS, 1, 1))
    grain = normal(SEEN_CHANNELS, SIDE_PX, SIDE_PX) * 0.3 * torch.rand(count, 1, 1, 1, device=device)
    off = shown[:, SEEN_CHANNELS:] * torch.exp(0.15 * normal(1, 1, 1))
    return torch.cat([shown[:, :SEEN_CHANNELS] * strength + grain, off], 1).clamp(-MAX_INPUT, MAX_INPUT)


def save(net: nn.Module, out: Path) -> None:
    """Write the network for OpenCV."""
    export(net, out / "middle.onnx", torch.zeros(1, CHANNELS, SIDE_PX, SIDE_PX), {0: "n"})
