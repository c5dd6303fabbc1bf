"""Trains the network that tells whether a board has a hole in its middle.

`python -m vision.training.middles OUT_FOLDER FOLDER… --boards D01 D02 …` learns from folders with `stills.jsonl`, as
`holeness` does; `--tested FOLDER…` says how well it does on others. Needs PyTorch.
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

from tock_companion.boardfile import load
from tock_companion.rules import HoleKind
from tock_vision.arrays import Floats, Frame, Singles
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.flat import in_pitches
from tock_vision.discovery.middle import CHANNELS, MAX_INPUT, SIDE_PX, TRACK_SHOWN, TURNS, appearances
from vision.training.beginning import begin
from vision.training.make_data import true_view

log = logging.getLogger(__name__)
BATCH, RATE, WEIGHT_DECAY = 64, 2e-3, 2e-2
OFF_PITCHES, SCALE_SIGMA = 0.05, 0.05
"""Error of the middle and the pitch of a found board, as one sigma."""
MIDDLE_SHARE = 0.6
"""Of each batch; other holes and places between holes teach the rest."""
CLEAR_PITCHES = 0.75
"""Distance from every hole at which a place counts as one without a hole."""
COVERED_SHARE = 0.05
"""Of all looks, in which a plain sheet is laid over the place."""
SHEET_PITCHES = (0.8, 2.4)
PALE_SHARE = 0.7
SEEN_CHANNELS = 4


class MiddleNet(nn.Module):
    """Four steps of convolutions and a mean: the odds of a hole, as a logarithm."""

    def __init__(self) -> None:
        super().__init__()

        def layer(into: int, out: int) -> nn.Sequential:
            return nn.Sequential(
                nn.Conv2d(into, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU()
            )

        self.body = nn.Sequential(
            layer(CHANNELS, 16), layer(16, 16), nn.MaxPool2d(2), layer(16, 32), layer(32, 32), nn.MaxPool2d(2),
            layer(32, 48), nn.MaxPool2d(2), layer(48, 48),
        )  # fmt: skip
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.4), nn.Linear(48 * 25, 1))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """The odds for each look."""
        out: torch.Tensor = self.head(self.body(seen))
        return out[:, 0]


@dataclass(frozen=True)
class Samples:
    """The network's samples, and whether each is a hole."""

    shown: Singles
    """Shape: [pictures, views, CHANNELS, SIDE_PX, SIDE_PX], half precision."""
    holes: Singles
    """Shape: [pictures, views]."""


def read(
    folder: Path, boards: Sequence[str], times: int, rng: np.random.Generator, covered_share: float = 0.0
) -> tuple[Samples, Samples]:
    """The middles of a folder's pictures, each `times` times; and as many other holes and places without one."""
    middles: list[Any] = []
    others: list[Any] = []
    for line in (folder / "stills.jsonl").read_text().splitlines():
        entry: dict[str, Any] = json.loads(line)
        if boards and not entry.get("made") and Path(entry["board"]).stem not in boards:
            continue
        board = load(folder / entry["board"])
        frame = cv2.imread(str(folder / entry["image"]))
        if frame is None:
            raise SystemExit(f"{folder / entry['image']} is no picture")
        pose = true_view(
            board, np.array([entry["holes"][hole.id]["px"] for hole in board.holes]), frame.shape[1::-1]
        )
        points = hole_points_mm(board)
        track = points[[hole.kind is HoleKind.TRACK for hole in board.holes]]
        points = (points - track.mean(axis=0)) / board.pitch_mm
        clear = [
            number
            for number, hole in enumerate(board.holes)
            if hole.kind is not HoleKind.CENTRE and not entry["holes"][hole.id]["hidden"]
        ]
        mine, its, truth = [], [], []
        for turn in rng.uniform(0, 2 * np.pi, times):
            scale = float(np.exp(rng.normal(0, SCALE_SIGMA)))
            shifted = in_pitches(
                pose,
                board.pitch_mm * scale,
                track.mean(axis=0) + rng.normal(0, OFF_PITCHES, 2) * board.pitch_mm,
            )
            places = np.array([np.zeros(2), points[int(rng.choice(clear))], _beside(points, rng)])
            usual = (track - track.mean(axis=0))[rng.permutation(len(track))[:TRACK_SHOWN]] / board.pitch_mm
            shown = np.concatenate(
                [
                    appearances(
                        with_sheet(frame, shifted, place, rng) if rng.random() < covered_share else frame,
                        shifted, place[None], usual / scale, float(turn),
                    )
                    for place in places / scale
                ]
            ).astype(np.float16)  # fmt: skip
            mine.append(shown[0])
            its += [shown[1], shown[2]]
            truth += [1.0, 0.0]
        middles.append((np.stack(mine), np.full(times, float("C" in board.by_id))))
        others.append((np.stack(its), np.array(truth)))
    return _stacked(middles), _stacked(others)


def with_sheet(frame: Frame, pose: CameraPose, place: Floats, rng: np.random.Generator) -> Frame:
    """The photograph with a plain sheet laid over a place, or over a part of it: nothing tells what is below."""
    half = rng.uniform(*SHEET_PITCHES, 2)
    angle = rng.uniform(0, np.pi)
    spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ spin
    middle = place + rng.uniform(-0.9, 0.9, 2) * half @ spin
    at = pose.project(middle + corners)
    color = rng.uniform(205, 255) * np.ones(3) if rng.random() < PALE_SHARE else rng.uniform(20, 255, 3)
    light = np.clip(float(np.median(frame)) / 120, 0.2, 1.1)
    covered = frame.copy()
    cv2.fillPoly(
        covered, [np.clip(at, -4000, 8000).round().astype(np.int32)], (color * light).tolist(), cv2.LINE_AA
    )
    return covered


def _stacked(rows: Sequence[tuple[Singles, Singles]]) -> Samples:
    if not rows:
        return Samples(np.zeros((0, 1, CHANNELS, SIDE_PX, SIDE_PX), np.float16), np.zeros((0, 1)))
    return Samples(np.stack([shown for shown, _ in rows]), np.stack([holes for _, holes in rows]))


def _beside(points: Floats, rng: np.random.Generator) -> Floats:
    """A place on the board on which no hole lies."""
    while True:
        place = rng.uniform(points.min(axis=0), points.max(axis=0))
        if np.linalg.norm(points - place, axis=1).min() > CLEAR_PITCHES:
            return np.asarray(place)


def fit(net: MiddleNet, middles: Samples, others: Samples, steps: int, rng: np.random.Generator) -> MiddleNet:
    """Train by Adam on cross-entropy: what shows nothing comes out at even odds."""
    optimizer = torch.optim.AdamW(net.parameters(), RATE, weight_decay=WEIGHT_DECAY)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.1)
    net.train()
    total = 0.0
    count = round(MIDDLE_SHARE * BATCH)
    for step in range(1, steps + 1):
        picked = [
            (samples.shown[place], samples.holes[place])
            for samples, number in ((middles, count), (others, BATCH - count))
            for place in zip(
                rng.integers(samples.holes.shape[0], size=number),
                rng.integers(samples.holes.shape[1], size=number),
                strict=True,
            )
        ]
        shown = varied(np.stack([one for one, _ in picked]).astype(np.float32), rng)
        truth = torch.tensor([hole for _, hole in picked], dtype=torch.float32)
        loss = functional.binary_cross_entropy_with_logits(net(torch.from_numpy(shown)), truth)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        plan.step()
        total += float(loss.detach())
        if step % 250 == 0:
            log.info("step %d of %d: loss %.4f", step, steps, total / 250)
            total = 0.0
    return net


def varied(shown: Singles, rng: np.random.Generator) -> Singles:
    """The same mirrored, paler or stronger, in other colours, with grain."""
    count = len(shown)
    if rng.random() < 0.5:
        shown = shown[..., ::-1]
    gain = np.exp(rng.normal(0, 0.25, (count, 1, 1, 1)))
    tint = np.exp(rng.normal(0, 0.1, (count, SEEN_CHANNELS, 1, 1)))
    grain = rng.normal(0, 1, (count, SEEN_CHANNELS, SIDE_PX, SIDE_PX)) * rng.uniform(0, 0.3, (count, 1, 1, 1))
    seen = shown[:, :SEEN_CHANNELS] * gain * tint + grain
    off = shown[:, SEEN_CHANNELS:] * np.exp(rng.normal(0, 0.15, (count, 1, 1, 1)))
    both: Singles = np.concatenate([seen, off], axis=1).astype(np.float32)
    return np.clip(both, -MAX_INPUT, MAX_INPUT)


def odds(net: MiddleNet, middles: Samples) -> Singles:
    """The mean odds of each picture (shape: [pictures])."""
    net.eval()
    with torch.no_grad():
        return np.array([net(torch.from_numpy(shown.astype(np.float32))).mean() for shown in middles.shown])


def export(net: MiddleNet, out: Path) -> None:
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
    parser.add_argument("--boards", nargs="+", default=[])
    parser.add_argument("--tested", type=Path, nargs="+", default=[])
    parser.add_argument("--steps", type=int, default=8000)
    args = parser.parse_args()
    begin(args.out)
    rng = np.random.default_rng(7)
    pairs = [read(folder, args.boards, TURNS, rng, COVERED_SHARE) for folder in args.folders]
    middles, others = (
        Samples(np.concatenate([one.shown for one in part]), np.concatenate([one.holes for one in part]))
        for part in zip(*[pair for pair in pairs if len(pair[0].holes)], strict=True)
    )
    log.info("%d pictures", len(middles.holes))
    net = fit(MiddleNet(), middles, others, args.steps, rng)
    torch.save(net.state_dict(), args.out / "middle.pt")
    export(net, args.out / "middle.onnx")
    for folder in args.tested:
        tested = read(folder, [], TURNS, rng)[0]
        predicted, true = odds(net, tested), tested.holes[:, 0]
        log.info("%s: %d, right %.3f", folder, len(true), float(((predicted > 0) == (true > 0)).mean()))


if __name__ == "__main__":
    main()
