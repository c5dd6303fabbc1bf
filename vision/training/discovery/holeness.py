"""The network that finds holes in a photograph: its form, its batches and its loss. Needs PyTorch."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Gray
from tock_vision.board_points import hole_points_mm
from tock_vision.holeness import STRIDE
from vision.training.discovery.crop_augmentation import relative, varied, with_sheets
from vision.training.discovery.picture_store import Picture, PictureStore, marks
from vision.training.layers import convolution
from vision.training.learning_rate import LearningRate
from vision.training.onnx_files import export
from vision.training.trainer import Trainer

SIDE_PX, TRAINED_PX = 128, 192
"""Sides of an example picture, and of the parts of pictures in training."""
AVERAGED_STEPS = 400
"""The weights are a mean of about this many of the last steps."""
MARK_WEIGHT = 12.0
RATE, WARM_UP, WEIGHT_DECAY, MAX_GRADIENT_NORM = 3e-3, 0.05, 1e-2, 5.0
ROWS = (1, 2, 4, 8, 1)
"""How far apart the taps of the coarsest level are: together it sees eight pitches to each side."""


class HoleNet(nn.Module):
    """A small U of three levels of coarseness; the coarsest has a view of rows of holes."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = convolution(1, 16, 5, STRIDE)
        self.middle = nn.Sequential(convolution(16, 32, 3, 2), convolution(32, 32))
        self.coarse = nn.Sequential(
            convolution(32, 64, 3, 2), *(convolution(64, 64, dilation=far) for far in ROWS)
        )
        self.to_middle = nn.ConvTranspose2d(64, 32, 2, 2)
        self.joined = convolution(64, 32)
        self.to_fine = nn.ConvTranspose2d(32, 16, 2, 2)
        self.head = nn.Sequential(convolution(32, 16), nn.Conv2d(16, 1, 1))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """The logit of a hole's middle at every second pixel."""
        fine = self.fine(seen)
        middle = self.middle(fine)
        joined = self.joined(torch.cat([middle, self.to_middle(self.coarse(middle))], 1))
        out: torch.Tensor = self.head(torch.cat([fine, self.to_fine(joined)], 1))
        return out


def picture_of(gray: Gray, board: BoardFile, holes: dict[str, Any]) -> Picture | None:
    """A photograph with the places of its holes; None where no plane fits them."""
    places = (hole_points_mm(board) - np.array(board.size_mm) / 2) / board.pitch_mm
    seen = np.array([holes[hole.id]["px"] for hole in board.holes])
    hidden, visible = (
        np.array([holes[hole.id][key] for hole in board.holes]) for key in ("hidden", "visible")
    )
    plane, _ = cv2.findHomography(places, seen, cv2.RANSAC, 6.0)
    return None if plane is None else Picture(np.asarray(gray), seen, visible, hidden, plane)


def batch(
    stores: Sequence[tuple[PictureStore, int]],
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Parts of some pictures of each store, their marks and weights."""
    seen, mark, weight = [], [], []
    for store, count in stores:
        crops = with_sheets(store.crops(count, TRAINED_PX))
        chance, known = marks(crops)
        seen.append(relative(varied(crops.gray)))
        mark.append(chance)
        weight.append(known * (1 + MARK_WEIGHT * chance))
    one, other, third = (torch.nan_to_num(torch.cat(parts))[:, None] for parts in (seen, mark, weight))
    return one.contiguous(memory_format=torch.channels_last), other, third


def loss_of(net: nn.Module, seen: torch.Tensor, mark: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Weighted cross-entropy of the network's answers."""
    with torch.autocast(seen.device.type, torch.bfloat16):
        answer = net(seen)
    return functional.binary_cross_entropy_with_logits(answer.float(), mark, weight)


def new_trainer(device: torch.device) -> Trainer:
    """The trainer of a new network."""
    # This memory layout takes two thirds of the time.
    net = HoleNet().to(device, memory_format=torch.channels_last)
    return Trainer(
        net, LearningRate(RATE, WARM_UP), weight_decay=WEIGHT_DECAY, averaged_steps=AVERAGED_STEPS,
        max_gradient_norm=MAX_GRADIENT_NORM,
    )  # fmt: skip


def save(net: nn.Module, out: Path) -> None:
    """Write the network for OpenCV."""
    example = torch.zeros(1, 1, SIDE_PX, SIDE_PX)
    export(nn.Sequential(net, nn.Sigmoid()), out / "holeness.onnx", example, {2: "h", 3: "w"})
