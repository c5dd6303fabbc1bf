"""Pictures with the truth of their holes, kept on the device that trains, and parts of them cut there by the hundred.

Needs PyTorch.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from tock_vision.arrays import Floats, Gray
from tock_vision.holeness import PITCH_PX, STRIDE

MAX_HOLES = 256
"""Places for holes in each picture: more than the largest board has."""
NEAREST = 128
"""Holes of a picture that are looked at for one part of it."""
WINDOW = 6
"""Cells around a hole that its mark can reach."""
MARK_PITCHES, UNKNOWN_PITCHES = 0.11, 0.5
"""Width of the mark of a hole, as one sigma, and distance from a half-hidden one within which nothing is learned."""
COVERED_SHARE = 0.05
"""Visible share below which a hole counts as wholly covered."""
SCALE_RANGE, ACROSS_SIGMA = 0.3, 0.08
"""Largest deviation of the pitch from the usual one, and stretch along one direction as one sigma; logarithms."""
STRAIGHT_SHARE, HOLE_SHARE, STREAK_SHARE = 0.55, 0.75, 0.08
AWAY_PX = 40.0
"""Distance of the middle of a part from a hole, as one sigma."""
STREAK_PX = (2.0, 7.0)
NOWHERE = -1e6
SLOPES = (16.0, 2e4)
"""Least and greatest area of a square pitch in pixels; elsewhere the plane is seen from too far aside."""
SHRUNK = 1.3
"""Pixels of a photograph for each of the part from which all of them are averaged."""


@dataclass(frozen=True)
class Picture:
    """A photograph with the places of its holes."""

    gray: Gray
    places_px: Floats
    visible: Floats
    """Visible share of each hole; of those that are hidden less than half."""
    hidden: Floats
    plane: Floats
    """From pitches around the middle of the board to pixels (shape: [3, 3])."""


@dataclass(frozen=True)
class Crops:
    """Parts of photographs at about the usual pitch, and where their holes lie."""

    gray: Tensor
    """Shape: [n, side, side]."""
    places_px: Tensor
    """The nearest holes (shape: [n, some, 2])."""
    covered: Tensor
    """Whether a hole is wholly covered (shape: [n, some])."""
    unknown: Tensor
    """Whether too little of it is seen to learn from (shape: [n, some])."""
    pitch_px: Tensor
    """Shape: [n]."""


class PictureStore:
    """Pictures on a device, to which others can be added while it is used."""

    def __init__(self, device: torch.device, room_px: int = 1 << 26) -> None:
        self.device = device
        self.pixels = torch.zeros(room_px, dtype=torch.uint8, device=device)
        self.used = 0
        self.begin, self.size = (
            torch.zeros((0, *own), dtype=torch.long, device=device) for own in ((), (2,))
        )
        self.places = torch.zeros((0, MAX_HOLES, 2), device=device)
        self.covered, self.unknown = (
            torch.zeros((0, MAX_HOLES), dtype=torch.bool, device=device) for _ in range(2)
        )
        self.count = torch.zeros(0, dtype=torch.long, device=device)
        self.plane, self.inverse = (torch.zeros((0, 3, 3), device=device) for _ in range(2))

    def __len__(self) -> int:
        return len(self.begin)

    def add(self, pictures: Sequence[Picture]) -> None:
        """Take more pictures in."""
        if not pictures:
            return
        begins = []
        for picture in pictures:
            flat = torch.from_numpy(np.ascontiguousarray(picture.gray).ravel())
            while self.used + len(flat) > len(self.pixels):
                self.pixels = torch.cat([self.pixels, torch.zeros_like(self.pixels)])
            self.pixels[self.used : self.used + len(flat)] = flat.to(self.device)
            begins.append(self.used)
            self.used += len(flat)
        places = np.full((len(pictures), MAX_HOLES, 2), NOWHERE, np.float32)
        covered, unknown = np.zeros((2, len(pictures), MAX_HOLES), bool)
        for row, picture in enumerate(pictures):
            holes = len(picture.places_px)
            places[row, :holes] = picture.places_px
            covered[row, :holes] = picture.visible < COVERED_SHARE
            unknown[row, :holes] = picture.hidden & ~covered[row, :holes]
        planes = np.stack([picture.plane for picture in pictures])
        for name, values in (
            ("begin", np.array(begins)), ("size", np.array([picture.gray.shape for picture in pictures])),
            ("places", places), ("covered", covered), ("unknown", unknown), ("plane", planes.astype(np.float32)),
            ("count", np.array([len(picture.places_px) for picture in pictures])),
            ("inverse", np.linalg.inv(planes).astype(np.float32)),
        ):  # fmt: skip
            more = torch.from_numpy(values).to(self.device)
            setattr(self, name, torch.cat([getattr(self, name), more]))

    def crops(self, count: int, side_px: int) -> Crops:
        """Cut parts of pictures, turned and stretched at random, straightened or as the camera saw them."""
        rows = torch.randint(len(self), (count,), device=self.device)
        middle = self._middles(rows)
        matrix, scale = self._matrices(rows, middle)
        offset = middle - (matrix @ torch.full((2, 1), side_px / 2, device=self.device))[..., 0]
        gray = self._cut(rows, matrix, offset, side_px)
        places = (self.places[rows] - offset[:, None]) @ _inverse(matrix).transpose(1, 2)
        near = (places - side_px / 2).square().sum(2).topk(NEAREST, largest=False).indices
        return Crops(
            gray,
            places.gather(1, near[..., None].expand(-1, -1, 2)),
            self.covered[rows].gather(1, near),
            self.unknown[rows].gather(1, near),
            PITCH_PX * scale,
        )

    def _middles(self, rows: Tensor) -> Tensor:
        count, device = len(rows), self.device
        which = (torch.rand(count, device=device) * self.count[rows]).long()
        at_hole = self.places[rows, which] + AWAY_PX * torch.randn(count, 2, device=device)
        size = self.size[rows].flip(1)
        anywhere = torch.rand(count, 2, device=device) * size
        chosen = torch.where(_chance(count, HOLE_SHARE, device)[:, None], at_hole, anywhere)
        return torch.minimum(chosen.clamp(min=0), size - 1.0)

    def _matrices(self, rows: Tensor, middle: Tensor) -> tuple[Tensor, Tensor]:
        """From pixels of the parts to those of the pictures (shape: [n, 2, 2]), and how much wider the pitch is."""
        count, device = len(rows), self.device
        known = (torch.arange(MAX_HOLES, device=device) < self.count[rows, None])[..., None]
        centre = (self.places[rows] * known).sum(1) / self.count[rows, None]
        slope = _slopes(self.plane[rows], self.inverse[rows], middle)
        area = _area(slope)
        usual = _slopes(self.plane[rows], self.inverse[rows], centre)
        is_fair = (area > SLOPES[0]) & (area < SLOPES[1])
        slope = torch.where(is_fair[:, None, None], slope, usual)
        even = torch.eye(2, device=device) * _area(slope).sqrt()[:, None, None]
        slope = torch.where(_chance(count, STRAIGHT_SHARE, device)[:, None, None], slope, even)
        scale = torch.exp((2 * torch.rand(count, device=device) - 1) * SCALE_RANGE)
        across = torch.exp(ACROSS_SIGMA * torch.randn(count, device=device))
        mirror = 1.0 - 2.0 * _chance(count, 0.5, device)
        stretch = _turns(count, device) @ torch.diag_embed(torch.stack([across, 1 / across], 1))
        stretch = stretch @ _turns(count, device)
        stretch[:, :, 1] *= mirror[:, None]
        return slope / (PITCH_PX * scale)[:, None, None] @ stretch, scale

    def _cut(self, rows: Tensor, matrix: Tensor, offset: Tensor, side_px: int) -> Tensor:
        """The mean of four samples in each pixel; they lie apart where a photograph is finer, or along a streak."""
        count, device = len(rows), self.device
        steps = torch.arange(side_px, device=device).float()
        base = torch.stack(torch.meshgrid(steps, steps, indexing="xy"), -1).reshape(1, -1, 2)
        shrink = _area(matrix).sqrt()
        wide = torch.where(shrink > SHRUNK, torch.ones_like(shrink), torch.rand(count, device=device))
        angle = 2 * np.pi * torch.rand(count, device=device)
        long = STREAK_PX[0] + (STREAK_PX[1] - STREAK_PX[0]) * torch.rand(count, device=device)
        long = long * _chance(count, STREAK_SHARE, device)
        streak = torch.stack([torch.cos(angle), torch.sin(angle)], 1) * long[:, None]
        total = torch.zeros(count, side_px * side_px, device=device)
        for number, (right, down) in enumerate(((-1, -1), (1, 1), (-1, 1), (1, -1))):
            own = torch.tensor([right, down], device=device) * 0.25 * wide[:, None]
            own = own + (number - 1.5) / 4 * streak
            at = (base + own[:, None]) @ matrix.transpose(1, 2) + offset[:, None]
            total += self._sampled(rows, at)
        return (total / 4).reshape(count, side_px, side_px)

    def _sampled(self, rows: Tensor, at: Tensor) -> Tensor:
        """Brightness between pixels; beyond its edge a picture is repeated (shapes: [n, m, 2], [n, m])."""
        most = self.size[rows].flip(1)[:, None] - 1.001
        # A place that is no number would end a device for good.
        at = torch.minimum(torch.nan_to_num(at).clamp(min=0), most)
        whole = at.long()
        part = at - whole
        wide = self.size[rows, 1][:, None]
        first = self.begin[rows][:, None] + whole[..., 1] * wide + whole[..., 0]
        x, y = part[..., 0], part[..., 1]
        upper = self.pixels[first].float() * (1 - x) + self.pixels[first + 1].float() * x
        lower = self.pixels[first + wide].float() * (1 - x) + self.pixels[first + wide + 1].float() * x
        return upper * (1 - y) + lower * y


def marks(crops: Crops) -> tuple[Tensor, Tensor]:
    """The chance of a hole's middle at every second pixel, and whether it is known (shapes: [n, cells, cells])."""
    count, side = crops.gray.shape[:2]
    cells = side // STRIDE
    steps = torch.arange(-WINDOW, WINDOW + 1, device=crops.gray.device)
    near = (crops.places_px / STRIDE).clamp(-1e5, 1e5).round().long()
    x = near[:, :, 0, None, None] + steps[None, None, None, :]
    y = near[:, :, 1, None, None] + steps[None, None, :, None]
    gap = (
        torch.hypot(
            STRIDE * x - crops.places_px[:, :, 0, None, None],
            STRIDE * y - crops.places_px[:, :, 1, None, None],
        )
        / crops.pitch_px[:, None, None, None]
    )
    inside = (x >= 0) & (x < cells) & (y >= 0) & (y < cells)
    cell = torch.where(inside, y * cells + x, cells * cells).flatten(1)
    clear = ~(crops.covered | crops.unknown)[:, :, None, None]
    mark = torch.exp(-0.5 * (gap / MARK_PITCHES) ** 2) * clear
    unknown = (gap < UNKNOWN_PITCHES) & crops.unknown[:, :, None, None]

    def spread(values: Tensor) -> Tensor:
        flat = torch.zeros(count, cells * cells + 1, device=values.device)
        flat.scatter_reduce_(1, cell, values.float().flatten(1), "amax")
        return flat[:, :-1].reshape(count, cells, cells)

    return spread(mark), 1.0 - spread(unknown)


def _chance(count: int, share: float, device: torch.device) -> Tensor:
    return torch.rand(count, device=device) < share


def _turns(count: int, device: torch.device) -> Tensor:
    angle = 2 * np.pi * torch.rand(count, device=device)
    cos, sin = torch.cos(angle), torch.sin(angle)
    return torch.stack([torch.stack([cos, -sin], 1), torch.stack([sin, cos], 1)], 1)


def _area(matrix: Tensor) -> Tensor:
    """How many times larger matrices make areas (shapes: [n, 2, 2], [n]); in plain sums, which need no waiting."""
    return (matrix[:, 0, 0] * matrix[:, 1, 1] - matrix[:, 0, 1] * matrix[:, 1, 0]).abs()


def _inverse(matrix: Tensor) -> Tensor:
    a, b, c, d = matrix[:, 0, 0], matrix[:, 0, 1], matrix[:, 1, 0], matrix[:, 1, 1]
    turned = torch.stack([torch.stack([d, -b], 1), torch.stack([-c, a], 1)], 1)
    return turned / (a * d - b * c)[:, None, None]


def _slopes(plane: Tensor, inverse: Tensor, at_px: Tensor) -> Tensor:
    """Pixels per pitch along both axes of the board around a pixel of each picture (shape: [n, 2, 2])."""
    steps = torch.tensor([[0.5, 0.0], [-0.5, 0.0], [0.0, 0.5], [0.0, -0.5]], device=at_px.device)
    seen = _mapped(plane, _mapped(inverse, at_px[:, None]) + steps)
    return torch.stack([seen[:, 0] - seen[:, 1], seen[:, 2] - seen[:, 3]], 2)


def _mapped(plane: Tensor, places: Tensor) -> Tensor:
    one = torch.cat([places, torch.ones_like(places[..., :1])], -1) @ plane.transpose(1, 2)
    return one[..., :2] / one[..., 2:]
