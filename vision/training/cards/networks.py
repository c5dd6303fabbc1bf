"""The two card networks in PyTorch, and how they become ONNX files that OpenCV runs."""

import itertools
from collections.abc import Sequence
from functools import partial

import torch
from torch import nn

from tock_vision.cards.finder import GREY_LEVEL
from vision.training.layers import convolution

SPREAD = 64
"""Divisor of the finder's input: pixels less `GREY_LEVEL`, divided by this."""
CELLS = ((0, 1), (1, 0), (1, 1))
"""Each of three rows (or columns) of a convolution: in which of two cells, and where in it."""


layer = partial(convolution, inplace=True)


def separable(into: int, out: int) -> nn.Sequential:
    """A convolution in two cheap steps: by channel, then across channels."""
    return nn.Sequential(layer(into, into, groups=into), layer(into, out, size=1))


class Finder(nn.Module):
    """Says for every 4 x 4 pixels: is the middle of an index here, where exactly, which way is up, how high."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(layer(3, 8, stride=2), layer(8, 16, stride=2), layer(16, 16))
        self.wide = nn.Sequential(layer(16, 32, stride=2), layer(32, 32), layer(32, 32), layer(32, 32))
        self.back = nn.Sequential(nn.Conv2d(32, 16, 1), nn.Upsample(scale_factor=2, mode="nearest"))
        self.head = nn.Sequential(nn.ReLU(inplace=True), separable(16, 32), nn.Conv2d(32, 6, 1))

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        fine = self.fine(pictures)
        answer: torch.Tensor = self.head(fine + self.back(self.wide(fine)))
        return answer


class Folded(nn.Module):
    """The same finder for `tock_vision.cards.finder.folded` pixels (0 to 255), which OpenCV runs a fifth quicker.

    A convolution of 3 x 3 in steps of two is one of 2 x 2 over cells of four pixels.
    """

    def __init__(self, net: Finder) -> None:
        super().__init__()
        first = net.fine[0][0]
        cells = torch.zeros(first.out_channels, 2, 2, 3, 2, 2)
        for y, (cell_y, in_y) in enumerate(CELLS):
            for x, (cell_x, in_x) in enumerate(CELLS):
                cells[:, in_y, in_x, :, cell_y, cell_x] = first.weight.data[:, :, y, x] / SPREAD
        self.cells = nn.Conv2d(12, first.out_channels, 2)
        self.cells.weight.data = cells.reshape(-1, 12, 2, 2)
        self.cells.bias.data = -GREY_LEVEL * self.cells.weight.data.sum((1, 2, 3))
        self.fine = nn.Sequential(self.cells, *net.fine[0][1:], *net.fine[1:])
        self.rest = net

    def forward(self, cells: torch.Tensor) -> torch.Tensor:
        fine = self.fine(cells)
        answer: torch.Tensor = self.rest.head(fine + self.rest.back(self.rest.wide(fine)))
        return answer


SMALL, LARGE = (12, 24, 32, 48, 64, 96), (24, 48, 96, 96, 144, 192, 192)
"""Widths of the layers of a classifier; every other convolution halves the patch."""


class Classifier(nn.Module):
    """Says of an upright patch: rank, suit, whether it is an index at all, and how it should be cut better."""

    def __init__(self, widths: Sequence[int] = SMALL) -> None:
        super().__init__()
        *channels, full = widths
        layers = [
            layer(into, out, stride=1 + (number % 2 == 0))
            for number, (into, out) in enumerate(itertools.pairwise((3, *channels)))
        ]
        self.body = nn.Sequential(
            *layers,
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(channels[-1] * 24, full),
            nn.ReLU(inplace=True),
            nn.Linear(full, 25),
        )

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        answer: torch.Tensor = self.body(patches)
        return answer
