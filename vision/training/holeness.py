"""Trains the network that says where holes are in a photograph.

`python -m vision.training.holeness OUT_FOLDER FOLDER… --boards D01 D02 …` learns from folders with `stills.jsonl`:
those of `discovery_scenes`, and of given stills those of the boards named. Needs PyTorch; the same seed and steps give
the same network on the same machine.
"""

import argparse
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from tock_companion.boardfile import load
from tock_vision.arrays import Bools, Floats, Gray
from tock_vision.board_points import hole_points_mm
from tock_vision.holeness import PITCH_PX, STRIDE, relative
from vision.training.beginning import begin
from vision.training.exported import go_on_from

log = logging.getLogger(__name__)
SIDE_PX = 128
BATCH = 12
AVERAGED_STEPS = 400
"""The weights are a mean of about this many of the last steps."""
MARK_PITCHES, UNKNOWN_PITCHES = 0.11, 0.5
"""Width of the mark of a hole, as one sigma, and distance from a hidden one within which nothing is learned."""
MARK_WEIGHT = 12.0
WEIGHT_DECAY = 1e-2
SCALE_RANGE = 0.3
"""Largest deviation of the pitch from the usual one, as a logarithm."""
MEASURED_BATCHES = 60
"""Batches on which the normalisation of an exported network is measured."""
STRAIGHT_SHARE, HOLE_SHARE = 0.55, 0.75


class HoleNet(nn.Module):
    """A small U of three levels of coarseness; the coarsest has a view of four pitches around, so of rows of holes."""

    def __init__(self) -> None:
        super().__init__()

        def layer(into: int, out: int, wide: int = 3, stride: int = 1, far: int = 1) -> nn.Sequential:
            pad = far * (wide // 2)
            return nn.Sequential(
                nn.Conv2d(into, out, wide, stride, pad, dilation=far, bias=False),
                nn.BatchNorm2d(out),
                nn.ReLU(),
            )

        self.fine = layer(1, 16, 5, STRIDE)
        self.middle = nn.Sequential(layer(16, 32, 3, 2), layer(32, 32))
        self.coarse = nn.Sequential(
            layer(32, 48, 3, 2), layer(48, 48), layer(48, 48, far=2), layer(48, 48, far=4)
        )
        self.to_middle = nn.ConvTranspose2d(48, 32, 2, 2)
        self.joined = layer(64, 32)
        self.to_fine = nn.ConvTranspose2d(32, 16, 2, 2)
        self.head = nn.Sequential(layer(32, 16), nn.Conv2d(16, 1, 1))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """The logit of a hole's middle at every second pixel."""
        fine = self.fine(seen)
        middle = self.middle(fine)
        joined = self.joined(torch.cat([middle, self.to_middle(self.coarse(middle))], 1))
        out: torch.Tensor = self.head(torch.cat([fine, self.to_fine(joined)], 1))
        return out


@dataclass(frozen=True)
class Picture:
    """A photograph with the places of its holes."""

    gray: Gray
    places_px: Floats
    hidden: Bools
    plane: Floats
    """From pitches around the middle of the board to pixels (shape: [3, 3])."""

    def slope(self, place_px: Floats) -> Floats:
        """Pixels per pitch along both axes of the board around a pixel (shape: [2, 2])."""
        at = cv2.perspectiveTransform(place_px.reshape(1, 1, 2), np.linalg.inv(self.plane))[0, 0]
        around = at + np.array([[0.5, 0], [-0.5, 0], [0, 0.5], [0, -0.5]])
        seen = cv2.perspectiveTransform(around[None], self.plane)[0]
        return np.column_stack([seen[0] - seen[1], seen[2] - seen[3]])


def read(folder: Path, boards: Sequence[str]) -> list[Picture]:
    """The pictures of a folder, of the boards named alone where some are named and known."""
    pictures = []
    for line in (folder / "stills.jsonl").read_text().splitlines():
        entry: dict[str, Any] = json.loads(line)
        if boards and not entry.get("made") and Path(entry["board"]).stem not in boards:
            continue
        gray = cv2.imread(str(folder / entry["image"]), cv2.IMREAD_GRAYSCALE)
        if gray is None:
            raise SystemExit(f"{folder / entry['image']} is no picture")
        board = load(folder / entry["board"])
        places = (hole_points_mm(board) - np.array(board.size_mm) / 2) / board.pitch_mm
        seen = np.array([entry["holes"][hole.id]["px"] for hole in board.holes])
        hidden = np.array([entry["holes"][hole.id]["hidden"] for hole in board.holes])
        plane, _ = cv2.findHomography(places, seen, cv2.RANSAC, 6.0)
        if plane is not None:
            pictures.append(Picture(gray, seen, hidden, plane))
    return pictures


@dataclass(frozen=True)
class Crop:
    """A part of a photograph at about the usual pitch, where its holes lie, and where nothing is known."""

    seen: Any
    mark: Any
    weight: Any


def crop(picture: Picture, rng: np.random.Generator) -> Crop:
    """Cut a part, turned and stretched at random, straightened or as the camera saw it."""
    height, width = picture.gray.shape
    if rng.random() < HOLE_SHARE:
        middle = picture.places_px[rng.integers(len(picture.places_px))] + rng.normal(0, 40, 2)
    else:
        middle = rng.uniform(0, 1, 2) * [width, height]
    middle = np.clip(middle, 0, [width - 1, height - 1])
    slope = picture.slope(middle)
    if not 16 < abs(np.linalg.det(slope)) < 2e4:
        slope = picture.slope(picture.places_px.mean(axis=0))
    if rng.random() > STRAIGHT_SHARE:
        slope = np.eye(2) * np.sqrt(abs(np.linalg.det(slope)))
    scale = float(np.exp(rng.uniform(-SCALE_RANGE, SCALE_RANGE)))
    across = float(np.exp(rng.normal(0, 0.08)))
    stretch = (
        _turn(rng)
        @ np.diag([across, 1 / across])
        @ _turn(rng)
        * (1 if rng.random() < 0.5 else [[1, -1], [1, -1]])
    )
    matrix = slope / (PITCH_PX * scale) @ stretch
    offset = middle - matrix @ np.full(2, SIDE_PX / 2)
    full = np.column_stack([matrix, offset])
    source = picture.gray
    shrink = float(np.sqrt(abs(np.linalg.det(matrix))))
    if shrink > 1.5:
        source = cv2.GaussianBlur(source, (0, 0), 0.4 * shrink)
    part = cv2.warpAffine(
        source,
        full,
        (SIDE_PX, SIDE_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    places = (picture.places_px - offset) @ np.linalg.inv(matrix).T
    y, x = np.mgrid[0:SIDE_PX:STRIDE, 0:SIDE_PX:STRIDE]
    pitch = PITCH_PX * scale
    mark = np.zeros(x.shape, np.float32)
    weight = np.ones(x.shape, np.float32)
    for place, hidden in zip(places, picture.hidden, strict=True):
        if not (-16 < place[0] < SIDE_PX + 16 and -16 < place[1] < SIDE_PX + 16):
            continue
        gap = np.hypot(x - place[0], y - place[1]) / pitch
        if hidden:
            weight[gap < UNKNOWN_PITCHES] = 0
        else:
            mark = np.maximum(mark, np.exp(-0.5 * (gap / MARK_PITCHES) ** 2))
    return Crop(relative(varied(part.astype(np.float32), rng)), mark, weight * (1 + MARK_WEIGHT * mark))


def _turn(rng: np.random.Generator) -> Floats:
    angle = rng.uniform(0, 2 * np.pi)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def varied(gray: Any, rng: np.random.Generator) -> Any:
    """The same by another camera, in another light, or on a pale board with dark paint."""
    if rng.random() < 0.35:
        gray = cv2.GaussianBlur(
            gray, (0, 0), rng.uniform(0.5, 1.5) if rng.random() < 0.8 else rng.uniform(1.5, 2.6)
        )
    if rng.random() < 0.08:
        gray = cv2.filter2D(gray, -1, _streak(rng))
    if rng.random() < 0.6:
        gray = 255 * (gray / 255) ** rng.uniform(0.6, 1.6) * rng.uniform(0.5, 1.0)
    exposure = rng.random()
    if exposure < 0.12:
        # Too much light: what is pale drowns.
        gray = gray * rng.uniform(1.2, 1.2 + 255 / max(float(gray.mean()), 40.0))
    elif exposure < 0.24:
        # Too little: few steps of grey are left, and noise.
        gray = gray * rng.uniform(0.06, 0.4)
        gray = gray + rng.normal(0, rng.uniform(0.3, 2.0), gray.shape).astype(np.float32)
    elif exposure < 0.5:
        gray = gray + rng.normal(0, rng.uniform(1, 7), gray.shape).astype(np.float32)
    if rng.random() < 0.2:
        angle = rng.uniform(0, 2 * np.pi)
        y, x = np.mgrid[-1 : 1 : SIDE_PX * 1j, -1 : 1 : SIDE_PX * 1j]
        gray = gray * np.clip(1 + 0.5 * (x * np.cos(angle) + y * np.sin(angle)), 0.3, 1.8).astype(np.float32)
    if rng.random() < 0.15:
        # The edge of a shadow.
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(-0.6, 0.6)
        y, x = np.mgrid[-1 : 1 : SIDE_PX * 1j, -1 : 1 : SIDE_PX * 1j]
        side = np.clip((x * np.cos(angle) + y * np.sin(angle) - far) / rng.uniform(0.02, 0.3) + 0.5, 0, 1)
        gray = gray * (1 - rng.uniform(0.2, 0.7) * side).astype(np.float32)
    coded = np.clip(gray, 0, 255).round().astype(np.uint8)
    if rng.random() < 0.25:
        packed = cv2.imencode(".jpg", coded, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])[1]
        coded = np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE))
    gray = coded.astype(np.float32)
    return 255 - gray if rng.random() < 0.15 else gray


def _streak(rng: np.random.Generator) -> Any:
    """The smear of each point by a camera that moves."""
    length = int(rng.integers(3, 8))
    kernel = np.zeros((length, length), np.float32)
    cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
    return kernel / kernel.sum()


def batch(
    pictures: Sequence[Picture], rng: np.random.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Parts of some pictures, their marks and weights."""
    crops = [crop(pictures[int(rng.integers(len(pictures)))], rng) for _ in range(BATCH)]
    seen, mark, weight = (
        torch.from_numpy(np.stack([getattr(one, name) for one in crops])[:, None]).float()
        for name in ("seen", "mark", "weight")
    )
    return seen.to(memory_format=torch.channels_last), mark, weight


def fit(
    net: HoleNet, pictures: Sequence[Picture], steps: int, rng: np.random.Generator, rate: float
) -> HoleNet:
    """Train by Adam on weighted cross-entropy; the answer has the mean of the last steps' weights."""
    optimizer = torch.optim.AdamW(net.parameters(), rate, weight_decay=WEIGHT_DECAY)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.1)
    kept = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(1 - 1 / AVERAGED_STEPS), use_buffers=True)
    net.train()
    total = 0.0
    for step in range(1, steps + 1):
        seen, mark, weight = batch(pictures, rng)
        with torch.autocast("cpu", torch.bfloat16):
            answer = net(seen)
        loss = functional.binary_cross_entropy_with_logits(answer.float(), mark, weight)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        plan.step()
        kept.update_parameters(net)
        total += float(loss.detach())
        if step % 50 == 0:
            log.info("step %d of %d: loss %.4f", step, steps, total / 50)
            total = 0.0
    averaged: HoleNet = kept.module
    return averaged


def export(net: HoleNet, out: Path) -> None:
    """Write the network for cv2.dnn."""
    net.eval()
    axes = {"in": {2: "h", 3: "w"}, "out": {2: "h", 3: "w"}}
    example = torch.zeros(1, 1, SIDE_PX, SIDE_PX)
    torch.onnx.export(
        nn.Sequential(net, nn.Sigmoid()), (example,), str(out), dynamic_axes=axes, dynamo=False,
        input_names=["in"], output_names=["out"],
    )  # fmt: skip


def main() -> None:
    """Read pictures, train, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--boards", nargs="+", default=[])
    parser.add_argument("--steps", type=int, default=7000)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--start", type=Path, help="weights to go on from: holeness.pt or holeness.onnx")
    args = parser.parse_args()
    begin(args.out)
    pictures = [one for folder in args.folders for one in read(folder, args.boards)]
    log.info("%d pictures", len(pictures))
    # So laid out in memory, a processor takes two thirds of the time.
    net = HoleNet().to(memory_format=torch.channels_last)
    rng = np.random.default_rng(7)
    if args.start:
        go_on_from(net, args.start, (batch(pictures, rng)[0] for _ in range(MEASURED_BATCHES)))
    net = fit(net, pictures, args.steps, rng, args.rate)
    torch.save(net.state_dict(), args.out / "holeness.pt")
    export(net, args.out / "holeness.onnx")


if __name__ == "__main__":
    main()
