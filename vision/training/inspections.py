"""Trains the network that looks closely at single places of a board that was found.

`python -m vision.training.inspections OUT_FOLDER FOLDER…` learns from folders with `stills.jsonl`, as `holeness` does.
Needs PyTorch.
"""

import argparse
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tock_companion.boardfile import load
from tock_companion.rules import HoleKind
from tock_vision.arrays import Bools, Floats, Frame, Singles
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.flat import flatten, in_pitches
from tock_vision.discovery.inspection import (
    CELL_PITCHES,
    CELLS,
    CHANNELS,
    HALF_PITCHES,
    MAX_INPUT,
    SIDE_PX,
    TRACK_SHOWN,
    appearances,
    leaning,
)
from vision.training.beginning import begin
from vision.training.make_data import true_view

log = logging.getLogger(__name__)
BATCH, RATE, WEIGHT_DECAY = 64, 2e-3, 1e-2
PLACE_SIGMA, WIDE_SIGMA, WIDE_SHARE = 0.12, 0.3, 0.3
"""Error of the place at which a hole is expected, as one sigma in pitches; and a wider one for some."""
MAX_OFF = 0.6
BARE_SHARE, NEAR_SHARE = 0.35, 0.5
"""Places without a hole, for each hole; and how many of them are near to a hole, not anywhere."""
CLEAR_PITCHES = 0.62
"""Distance from every hole at which a place counts as bare."""
EMPTY_SHARE = 0.5
"""Of the empty holes in sight, which are most of all."""
SCALE_SIGMA = 0.03
MARK_CELLS = 0.7
"""How far the mark of a hole reaches, as one sigma in cells."""
HIDDEN, BARE = -10.0, -20.0
"""In place of a hole's offset."""
SPOT_SHARE = 0.2
"""Of each batch, spots that the network of holes takes for some."""
SPOT_PITCHES, SPOT_SIGMA, MIN_SPOT_CHANCE, MAX_SPOTS, MARGIN_PITCHES = 0.35, 0.08, 0.3, 40, 1.5


class InspectionNet(nn.Module):
    """Convolutions of which the last see most of the patch: cells, hidden, bare, as logarithms."""

    def __init__(self) -> None:
        super().__init__()

        def layer(into: int, out: int, wide: int = 1) -> nn.Sequential:
            return nn.Sequential(
                nn.Conv2d(into, out, 3, padding=wide, dilation=wide, bias=False),
                nn.BatchNorm2d(out),
                nn.ReLU(),
            )

        self.fine = nn.Sequential(
            layer(CHANNELS, 16), layer(16, 16), nn.MaxPool2d(2), layer(16, 32), layer(32, 32)
        )
        self.coarse = nn.Sequential(
            nn.MaxPool2d(2), layer(32, 48), layer(48, 48), nn.MaxPool2d(2), layer(48, 64)
        )
        # A convolution as wide as what is left, since OpenCV does not spread the answer of a linear layer.
        self.whole = nn.Sequential(nn.Dropout(0.3), nn.Conv2d(64, 34, 5))
        self.joined = nn.Sequential(layer(32, 32, 2), nn.Conv2d(32, 32, 1))
        self.cells = nn.Sequential(nn.ReLU(), nn.Conv2d(32, 1, 1))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """The logarithms for each look, cells first (shape: [n, CELLS * CELLS + 2])."""
        fine = self.fine(seen)
        whole = self.whole(self.coarse(fine))
        cells = self.cells(self.joined(fine) + whole[:, 2:])
        return torch.cat([cells.flatten(1), whole[:, :2].flatten(1)], 1)


@dataclass(frozen=True)
class Samples:
    """What the network is shown, and where a hole is seen in it."""

    shown: Singles
    """Shape: [n, CHANNELS, SIDE_PX, SIDE_PX], half precision."""
    at: Singles
    """From the middle to the hole, in pitches along the patch (shape: [n, 2]); HIDDEN or BARE twice."""


@dataclass(frozen=True)
class Photo:
    """A photograph of a board with the places of its holes, in pitches around the middle."""

    frame: Frame
    plane: CameraPose
    holes: Floats
    marks: Sequence[Mapping[str, Any]]
    """The truth of each hole."""
    kinds: Sequence[HoleKind]

    def samples(self, places: Floats, at: Floats, rng: np.random.Generator) -> Samples:
        """Places as the network sees them; `at` is from each place to its hole, on the board."""
        turns, leans = leaning(self.plane, places)
        track = self.holes[[kind is HoleKind.TRACK for kind in self.kinds]]
        usual = track[rng.permutation(len(track))[:TRACK_SHOWN]]
        shown = appearances(self.frame, self.plane, places, usual, turns, leans).astype(np.float16)
        cos, sin = np.cos(turns), np.sin(turns)
        along = np.column_stack([cos * at[:, 0] + sin * at[:, 1], -sin * at[:, 0] + cos * at[:, 1]])
        along = np.where(at < BARE / 2, at, along)
        return Samples(shown, along.astype(np.float32))

    @property
    def hidden(self) -> Bools:
        """Which holes are covered."""
        return np.array([bool(mark["hidden"]) for mark in self.marks])


def photos(folder: Path, rng: np.random.Generator) -> Iterator[Photo]:
    """The photographs of a folder, their scale a little wrong as that of a board that was found."""
    for line in (folder / "stills.jsonl").read_text().splitlines():
        entry: dict[str, Any] = json.loads(line)
        board = load(folder / entry["board"])
        frame = cv2.imread(str(folder / entry["image"]))
        if frame is None:
            raise SystemExit(f"{folder / entry['image']} is no picture")
        marks = [entry["holes"][hole.id] for hole in board.holes]
        size_px = frame.shape[1::-1]
        pose = (
            CameraPose(np.array(entry["view"]), size_px)
            if "view" in entry
            else true_view(board, np.array([mark["px"] for mark in marks]), size_px)
        )
        points = hole_points_mm(board)
        pitch = board.pitch_mm * float(np.exp(rng.normal(0, SCALE_SIGMA)))
        plane, holes = in_pitches(pose, pitch, points.mean(axis=0)), (points - points.mean(axis=0)) / pitch
        yield Photo(frame, plane, holes, marks, [hole.kind for hole in board.holes])


def holes_of(photo: Photo, rng: np.random.Generator) -> Samples:
    """Holes of a photograph, from places beside them, and bare places."""
    holes, size_px = photo.holes, np.array(photo.frame.shape[1::-1])
    at_px = photo.plane.project(holes)
    inside = ((at_px > 0) & (at_px < size_px - 1)).all(axis=1)
    rare = photo.hidden | np.array([mark["state"] != "empty" for mark in photo.marks])
    some = inside & (rng.random(len(holes)) < np.where(rare, 1.0, EMPTY_SHARE))
    sigma = np.where(rng.random(len(holes)) < WIDE_SHARE, WIDE_SIGMA, PLACE_SIGMA)[:, None]
    off = np.clip(rng.normal(0, 1, holes.shape) * sigma, -MAX_OFF, MAX_OFF)
    bare = bare_places(holes, rng)
    if HoleKind.CENTRE not in photo.kinds:
        bare = np.concatenate([bare, rng.normal(0, PLACE_SIGMA / 2, (1, 2))])
    to_hole = np.where(photo.hidden[:, None], HIDDEN, -off)[some]
    places = np.concatenate([(holes + off)[some], bare])
    return photo.samples(places, np.concatenate([to_hole, np.full(bare.shape, BARE)]), rng)


def spots_of(photo: Photo, rng: np.random.Generator) -> Samples:
    """Spots that the network of holes takes for holes where none is seen."""
    low, high = photo.holes.min(axis=0) - MARGIN_PITCHES, photo.holes.max(axis=0) + MARGIN_PITCHES
    places, chances = flatten(cv2.cvtColor(photo.frame, cv2.COLOR_BGR2GRAY), photo.plane, low, high).spots()
    away = np.linalg.norm(places[:, None] - photo.holes[None], axis=2)
    none_seen = np.where(photo.hidden, np.inf, away).min(axis=1) > SPOT_PITCHES
    covers_one = np.where(photo.hidden, away, np.inf).min(axis=1) < SPOT_PITCHES
    some = np.flatnonzero(none_seen & (chances > MIN_SPOT_CHANCE))
    some = rng.permutation(some)[:MAX_SPOTS]
    at = np.where(covers_one[some, None], HIDDEN, BARE) * np.ones((1, 2))
    return photo.samples(places[some] + rng.normal(0, SPOT_SIGMA, (len(some), 2)), at, rng)


def bare_places(holes: Floats, rng: np.random.Generator) -> Floats:
    """Places on the board without a hole, some of them beside holes."""
    count = round(BARE_SHARE * len(holes))
    anywhere = rng.uniform(holes.min(axis=0) - 1, holes.max(axis=0) + 1, (4 * count, 2))
    angle = rng.uniform(0, 2 * np.pi, 4 * count)
    away = rng.uniform(0.65, 1.1, 4 * count)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    beside = holes[rng.integers(len(holes), size=4 * count)] + away
    places = np.where(rng.random((4 * count, 1)) < NEAR_SHARE, beside, anywhere)
    clear = np.linalg.norm(places[:, None] - holes[None], axis=2).min(axis=1) > CLEAR_PITCHES
    return np.asarray(places[clear][:count])


def targets(at: Singles) -> torch.Tensor:
    """The chances that the network should answer (shape: [n, CELLS * CELLS + 2])."""
    cell = (at + HALF_PITCHES) / CELL_PITCHES - 0.5
    steps = np.arange(CELLS)
    x, y = (np.exp(-0.5 * ((steps[None] - cell[:, axis, None]) / MARK_CELLS) ** 2) for axis in range(2))
    mark = (y[:, :, None] * x[:, None, :]).reshape(len(at), -1)
    special = at[:, 0] < -5
    mark[special] = 0
    mark /= np.maximum(mark.sum(axis=1, keepdims=True), 1e-9)
    last = np.column_stack([at[:, 0] == HIDDEN, at[:, 0] == BARE]).astype(np.float32)
    mark[special] = 0
    return torch.from_numpy(np.concatenate([mark, last], axis=1).astype(np.float32))


def varied(shown: Singles, at: Singles, rng: np.random.Generator) -> tuple[Singles, Singles]:
    """The same mirrored, paler or stronger, in other colours, with grain."""
    at = at.copy()
    if rng.random() < 0.5:
        shown = shown[..., ::-1]
        seen = at[:, 0] > -5
        at[seen, 0] *= -1
    count = len(shown)
    gain = np.exp(rng.normal(0, 0.25, (count, 1, 1, 1)))
    tint = np.exp(rng.normal(0, 0.1, (count, 4, 1, 1)))
    grain = rng.normal(0, 1, (count, 4, SIDE_PX, SIDE_PX)).astype(np.float32) * rng.uniform(
        0, 0.3, (count, 1, 1, 1)
    )
    mixed = np.arange(3)
    if rng.random() < 0.5:
        mixed = rng.permutation(3)
    colors, off = shown[:, :3][:, mixed], shown[:, 4:7][:, mixed]
    seen_part = np.concatenate([colors, shown[:, 3:4]], axis=1) * gain * tint + grain
    both = np.concatenate(
        [seen_part, off * np.exp(rng.normal(0, 0.15, (count, 1, 1, 1))), shown[:, 7:]], axis=1
    )
    return np.clip(both, -MAX_INPUT, MAX_INPUT).astype(np.float32), at


def fit(
    net: InspectionNet, samples: Samples, spots: Samples, steps: int, rng: np.random.Generator
) -> InspectionNet:
    """Train by Adam on cross-entropy."""
    optimizer = torch.optim.AdamW(net.parameters(), RATE, weight_decay=WEIGHT_DECAY)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.1)
    net.train()
    total, count = 0.0, round(SPOT_SHARE * BATCH)
    for step in range(1, steps + 1):
        picked = [
            (part, np.sort(rng.integers(len(part.at), size=size)))
            for part, size in ((samples, BATCH - count), (spots, count))
        ]
        shown, at = varied(
            np.concatenate([part.shown[own].astype(np.float32) for part, own in picked]),
            np.concatenate([part.at[own] for part, own in picked]),
            rng,
        )
        seen = torch.from_numpy(shown).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            answer = net(seen)
        loss = functional.cross_entropy(answer.float(), targets(at))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        plan.step()
        total += float(loss.detach())
        if step % 100 == 0:
            log.info("step %d of %d: loss %.4f", step, steps, total / 100)
            total = 0.0
    return net


def _stacked(parts: Sequence[Samples]) -> Samples:
    return Samples(np.concatenate([one.shown for one in parts]), np.concatenate([one.at for one in parts]))


def export(net: InspectionNet, out: Path) -> None:
    """Write the network for cv2.dnn."""
    net.eval()
    torch.onnx.export(
        net, (torch.zeros(1, CHANNELS, SIDE_PX, SIDE_PX),), str(out), dynamic_axes={"in": {0: "n"}, "out": {0: "n"}},
        dynamo=False, input_names=["in"], output_names=["out"],
    )  # fmt: skip


def main() -> None:
    """Read pictures, train, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=3400)
    parser.add_argument("--start", type=Path, help="weights to go on from: inspection.pt")
    args = parser.parse_args()
    begin(args.out)
    rng = np.random.default_rng(7)
    read = [photo for folder in args.folders for photo in photos(folder, rng)]
    samples = _stacked([holes_of(photo, rng) for photo in read])
    spots = _stacked([spots_of(photo, rng) for photo in read])
    log.info("%d places, %d spots", len(samples.at), len(spots.at))
    net = InspectionNet().to(memory_format=torch.channels_last)
    if args.start:
        net.load_state_dict(torch.load(args.start))
    net = fit(net, samples, spots, args.steps, rng)
    torch.save(net.state_dict(), args.out / "inspection.pt")
    export(net, args.out / "inspection.onnx")


if __name__ == "__main__":
    main()
