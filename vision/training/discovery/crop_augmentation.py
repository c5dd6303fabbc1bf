"""Varies parts of photographs on the device that trains: other cameras and lights, and sheets laid over the holes.

Needs PyTorch. All functions take and give brightness from 0 to 255 (shape: [n, side, side]).
"""

from dataclasses import replace
from functools import cache

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tock_vision.holeness import FAINTEST, LIGHT_PX
from vision.training.discovery.picture_store import Crops

SHEET_SHARE, ROUND_SHARE, PALE_SHARE = 0.18, 0.25, 0.6
SHEET_PITCHES = ((0.7, 1.8), (1.0, 2.6))
"""Half the width and half the height of a sheet."""
COVERED_WITHIN, UNKNOWN_WITHIN = -0.12, 0.2
"""Distance from the edge of a sheet, in pitches, within which a hole is covered, and within which nothing is known."""
BLUR_SHARE, TONE_SHARE, FLAT_SHARE, SMALL_SHARE, CODED_SHARE = 0.35, 0.6, 0.12, 0.15, 0.25
BRIGHT_SHARE, DIM_SHARE, NOISY_SHARE = 0.12, 0.12, 0.26
SLOPE_SHARE, EDGE_SHARE, NEGATIVE_SHARE = 0.2, 0.15, 0.15
WHITEST = 200.0
"""Brightness of a usual pixel, beyond a fifth more, up to which a picture is overexposed."""
TAPS = 7
"""Pixels to each side that a blur reaches."""
BLOCK = 8
LUMINANCE = np.array([
    [16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55], [14, 13, 16, 24, 40, 57, 69, 56],
    [14, 17, 22, 29, 51, 87, 80, 62], [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99],
])  # fmt: skip
"""Steps in which JPEG of quality 50 stores brightness."""


def with_sheets(crops: Crops) -> Crops:
    """Lay a card or a round thing over parts of some: plain, with spots like holes, or patterned."""
    count, side = crops.gray.shape[:2]
    device = crops.gray.device
    pitch = crops.pitch_px[:, None, None]
    middle = _between(count, 0.0, 1.0, device), _between(count, 0.0, 1.0, device)
    half = [_between(count, *bounds, device) * pitch for bounds in SHEET_PITCHES]
    angle = _between(count, 0.0, 2 * np.pi, device)
    cos, sin, is_round = torch.cos(angle), torch.sin(angle), _some(count, ROUND_SHARE, device)

    def beyond(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Places in the frame of the sheet and how far outside of it they lie."""
        right, down = x - middle[0] * side, y - middle[1] * side
        u, v = right * cos + down * sin, down * cos - right * sin
        gap = torch.maximum(u.abs() - half[0], v.abs() - half[1])
        return u, v, torch.where(is_round, torch.hypot(u, v) - half[0], gap)

    laid = _some(count, SHEET_SHARE, device)
    u, v, gap = beyond(*_grid(side, device))
    mask = (0.5 - gap).clamp(0, 1) * laid
    gray = crops.gray * (1 - mask) + _sheet(crops, u, v) * mask
    places = crops.places_px
    gap = beyond(places[:, None, :, 0], places[:, None, :, 1])[2][:, 0] / crops.pitch_px[:, None]
    laid = laid[:, 0]
    covered = crops.covered | (laid & (gap < COVERED_WITHIN))
    unknown = (crops.unknown | (laid & (gap < UNKNOWN_WITHIN))) & ~covered
    return replace(crops, gray=gray, covered=covered, unknown=unknown)


def _sheet(crops: Crops, u: Tensor, v: Tensor) -> Tensor:
    """The brightness of sheets at places in their own frame."""
    count, device = len(crops.gray), crops.gray.device
    pitch = crops.pitch_px[:, None, None]
    usual = crops.gray.mean((1, 2), keepdim=True)
    pale = usual * _between(count, 1.0, 2.6, device)
    base = torch.where(_some(count, PALE_SHARE, device), pale, _between(count, 3.0, 250.0, device))
    ink = base * _between(count, 0.1, 0.75, device)
    kind = torch.rand(count, 1, 1, device=device)
    step = _between(count, 0.35, 1.2, device) * pitch
    size = _between(count, 0.1, 0.42, device) * step
    spots = torch.hypot((u + step / 2) % step - step / 2, (v + step / 2) % step - step / 2)
    waves = torch.sin(2 * np.pi * u / step) * torch.sin(2 * np.pi * v / step) > 0.5
    print_ = torch.where(kind < 0.4, (size - spots + 0.5).clamp(0, 1), waves * (kind < 0.7).float())
    shade = 1 + _between(count, -0.1, 0.1, device) * u / (2 * pitch)
    return (base + (ink - base) * print_) * shade


def varied(gray: Tensor) -> Tensor:
    """The same by other cameras, in other lights, or on pale boards with dark paint."""
    count, side = gray.shape[:2]
    device = gray.device
    gray = _where(BLUR_SHARE, _blurred(gray), gray)
    toned = 255 * (gray.clamp(0, 255) / 255) ** _between(count, 0.6, 1.6, device)
    gray = _where(TONE_SHARE, toned * _between(count, 0.5, 1.0, device), gray)
    usual = gray.mean((1, 2), keepdim=True)
    gray = _where(FLAT_SHARE, usual + (gray - usual) * _between(count, 0.2, 0.8, device), gray)
    gray = _exposed(gray)
    x, y = (2 * steps / side - 1 for steps in _grid(side, device))
    angle = _between(count, 0.0, 2 * np.pi, device)
    slope = (1 + 0.5 * (x * torch.cos(angle) + y * torch.sin(angle))).clamp(0.3, 1.8)
    gray = _where(SLOPE_SHARE, gray * slope, gray)
    angle, far = _between(count, 0.0, 2 * np.pi, device), _between(count, -0.6, 0.6, device)
    soft = _between(count, 0.02, 0.3, device)
    shadow = ((x * torch.cos(angle) + y * torch.sin(angle) - far) / soft + 0.5).clamp(0, 1)
    gray = _where(EDGE_SHARE, gray * (1 - _between(count, 0.2, 0.7, device) * shadow), gray)
    gray = _where(SMALL_SHARE, _enlarged(gray), gray)
    gray = gray.clamp(0, 255).round()
    gray = _where(CODED_SHARE, _coded(gray), gray)
    return _where(NEGATIVE_SHARE, 255 - gray, gray)


def relative(gray: Tensor) -> Tensor:
    """Brightness relative to the surroundings, in units of their contrast, as `holeness.relative`."""
    smooth = _smoothing(gray.shape[1], gray.device)
    local = smooth @ gray @ smooth.T
    spread = smooth @ (gray - local).square() @ smooth.T
    return ((gray - local) / spread.clamp(min=FAINTEST**2).sqrt()).clamp(-4, 4)


def _exposed(gray: Tensor) -> Tensor:
    """Too much light, in which pale things drown; too little, in which steps of grey and noise are left; noise."""
    count, device = len(gray), gray.device
    usual = gray.mean((1, 2), keepdim=True).clamp(min=40.0)
    bright = gray * (1.2 + _between(count, 0.0, WHITEST, device) / usual)
    noise = torch.randn_like(gray)
    dim = gray * _between(count, 0.06, 0.4, device) + noise * _between(count, 0.3, 2.0, device)
    kind = torch.rand(count, 1, 1, device=device)
    noisy = gray + noise * _between(count, 1.0, 7.0, device)
    out = torch.where(kind < BRIGHT_SHARE + DIM_SHARE + NOISY_SHARE, noisy, gray)
    out = torch.where(kind < BRIGHT_SHARE + DIM_SHARE, dim, out)
    return torch.where(kind < BRIGHT_SHARE, bright, out)


def _blurred(gray: Tensor) -> Tensor:
    count, device = len(gray), gray.device
    strong = _some(count, 0.2, device)
    sigma = torch.where(strong, _between(count, 1.5, 2.6, device), _between(count, 0.5, 1.5, device))
    steps = torch.arange(-TAPS, TAPS + 1, device=device)
    weights = torch.exp(-0.5 * (steps / sigma) ** 2)
    weights = weights / weights.sum(2, keepdim=True)
    side = gray.shape[1]
    for turned in (False, True):
        now = gray.transpose(1, 2) if turned else gray
        padded = functional.pad(now[:, None], (TAPS, TAPS, 0, 0), mode="replicate")[:, 0]
        total = torch.zeros_like(now)
        for tap in range(2 * TAPS + 1):
            total = total + weights[:, :, tap : tap + 1] * padded[:, :, tap : tap + side]
        gray = total.transpose(1, 2) if turned else total
    return gray


def _enlarged(gray: Tensor) -> Tensor:
    """As from a picture with fewer pixels."""
    side = gray.shape[1]
    small = round(side / (1.25 + 1.05 * float(torch.rand(()))))
    shrunk = functional.interpolate(gray[:, None], (small, small), mode="area")
    return functional.interpolate(shrunk, (side, side), mode="bilinear")[:, 0]


def _coded(gray: Tensor) -> Tensor:
    """As JPEG of a quality from 25 to 90 leaves it."""
    count, side = gray.shape[:2]
    device = gray.device
    quality = _between(count, 25.0, 90.0, device)
    factor = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality) / 100
    table = torch.from_numpy(LUMINANCE).float().to(device)
    steps = (table * factor).round().clamp(min=1.0)[:, None, None]
    wave = _cosines(device)
    parts = side // BLOCK
    blocks = (gray - 128).reshape(count, parts, BLOCK, parts, BLOCK).transpose(2, 3)
    kept = ((wave @ blocks @ wave.T) / steps).round() * steps
    return ((wave.T @ kept @ wave).transpose(2, 3).reshape(count, side, side) + 128).clamp(0, 255)


@cache
def _cosines(device: torch.device) -> Tensor:
    row, column = np.mgrid[:BLOCK, :BLOCK]
    waves = np.cos(np.pi * (2 * column + 1) * row / (2 * BLOCK)) * np.sqrt(2 / BLOCK)
    waves[0] /= np.sqrt(2)
    return torch.from_numpy(waves).float().to(device)


@cache
def _smoothing(side: int, device: torch.device) -> Tensor:
    """A Gaussian blur along one axis as a matrix; beyond the edge the picture is mirrored."""
    radius = round(LIGHT_PX * 4)
    steps = np.arange(-radius, radius + 1)
    weights = np.exp(-0.5 * (steps / LIGHT_PX) ** 2)
    weights /= weights.sum()
    matrix = np.zeros((side, side))
    period = 2 * (side - 1)
    for row in range(side):
        at = np.abs(row + steps) % period
        np.add.at(matrix[row], np.minimum(at, period - at), weights)
    return torch.from_numpy(matrix).float().to(device)


def _grid(side: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Columns and rows of pixels (shapes: [1, 1, side], [1, side, 1])."""
    steps = torch.arange(side, device=device).float()
    return steps[None, None, :], steps[None, :, None]


def _between(count: int, low: float, high: float, device: torch.device) -> Tensor:
    return low + (high - low) * torch.rand(count, 1, 1, device=device)


def _some(count: int, share: float, device: torch.device) -> Tensor:
    return torch.rand(count, 1, 1, device=device) < share


def _where(share: float, changed: Tensor, gray: Tensor) -> Tensor:
    return torch.where(_some(len(gray), share, gray.device), changed, gray)
