"""Trains the network that tells whether a board has a hole in its middle.

`python -m vision.training.middles OUT_FOLDER FOLDER… --boards D01 D02 …` learns from folders with `stills.jsonl`, as
`holeness` does; `--tested FOLDER…` says how well it does on others. Needs PyTorch.
"""

import argparse
import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tock_companion.boardfile import BoardFile, load
from tock_companion.rules import HoleKind
from tock_vision.arrays import Floats, Frame, Singles
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.flat import in_pitches
from tock_vision.discovery.middle import CHANNELS, MAX_INPUT, SIDE_PX, TRACK_SHOWN, TURNS, appearances
from vision.training.learning_rate import LearningRate
from vision.training.make_data import true_view
from vision.training.onnx_files import export
from vision.training.process_setup import set_up
from vision.training.trainer import Trainer

log = logging.getLogger(__name__)
BATCH, RATE, WARM_UP = 64, 2e-3, 0.05
WEIGHT_DECAY, MAX_GRADIENT_NORM = 2e-2, 5.0
AVERAGED_STEPS = 400
"""The weights are a mean of about this many of the last steps."""
MAX_PARTS = 16
"""Times that samples are added before they are joined, which copies them."""
OFF_PITCHES, SCALE_SIGMA = 0.05, 0.05
"""Error of the middle and the pitch of a found board, as one sigma."""
MIDDLE_SHARE = 0.6
"""Of each batch; other holes and places between holes teach the rest."""
CLEAR_PITCHES = 0.75
"""Distance from every hole at which a place counts as one without a hole."""
COVERED_SHARE = 0.05
"""Of all samples, in which a plain sheet is laid over the place."""
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
    middles: list[tuple[Singles, Singles]] = []
    others: list[tuple[Singles, Singles]] = []
    for line in (folder / "stills.jsonl").read_text().splitlines():
        entry: dict[str, Any] = json.loads(line)
        if boards and not entry.get("made") and Path(entry["board"]).stem not in boards:
            continue
        board = load(folder / entry["board"])
        frame = cv2.imread(str(folder / entry["image"]))
        if frame is None:
            raise SystemExit(f"{folder / entry['image']} is no picture")
        places = np.array([entry["holes"][hole.id]["px"] for hole in board.holes])
        pose = true_view(board, places, frame.shape[1::-1])
        mine, its = samples_of(np.asarray(frame), board, pose, entry["holes"], times, rng, covered_share)
        middles.append(mine)
        others.append(its)
    return _stacked(middles), _stacked(others)


def samples_of(
    frame: Frame,
    board: BoardFile,
    pose: CameraPose,
    holes: dict[str, Any],
    times: int,
    rng: np.random.Generator,
    covered_share: float,
) -> tuple[tuple[Singles, Singles], tuple[Singles, Singles]]:
    """The middle of one picture as samples, and other places, each with whether it is a hole."""  # fmt: skip
    points = hole_points_mm(board)
    track = points[[hole.kind is HoleKind.TRACK for hole in board.holes]]
    centre = track.mean(axis=0)
    points = (points - centre) / board.pitch_mm
    clear = [
        number
        for number, hole in enumerate(board.holes)
        if hole.kind is not HoleKind.CENTRE and not holes[hole.id]["hidden"]
    ]
    mine, its, truth = [], [], []
    for turn in rng.uniform(0, 2 * np.pi, times):
        scale = float(np.exp(rng.normal(0, SCALE_SIGMA)))
        shifted = in_pitches(
            pose, board.pitch_mm * scale, centre + rng.normal(0, OFF_PITCHES, 2) * board.pitch_mm
        )
        places = np.array([np.zeros(2), points[int(rng.choice(clear))], _beside(points, rng)])
        usual = (track - centre)[rng.permutation(len(track))[:TRACK_SHOWN]] / board.pitch_mm
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
    has_middle = np.full(times, float("C" in board.by_id))
    return (np.stack(mine), has_middle), (np.stack(its), np.array(truth))


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


def joined(parts: Sequence[Samples]) -> Samples:
    """The samples of several pictures as one."""
    return Samples(np.concatenate([one.shown for one in parts]), np.concatenate([one.holes for one in parts]))


def _beside(points: Floats, rng: np.random.Generator) -> Floats:
    """A place on the board on which no hole lies."""
    while True:
        place = rng.uniform(points.min(axis=0), points.max(axis=0))
        if np.linalg.norm(points - place, axis=1).min() > CLEAR_PITCHES:
            return np.asarray(place)


class Store:
    """Samples on the device that trains, to which others can be added."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self._parts: dict[bool, list[tuple[torch.Tensor, torch.Tensor]]] = {True: [], False: []}

    def add(self, middles: Samples, others: Samples) -> None:
        """Take more samples in."""
        for is_middle, some in ((True, middles), (False, others)):
            shown, holes = (
                torch.from_numpy(one).flatten(0, 1) for one in (some.shown, some.holes.astype(np.float32))
            )
            parts = self._parts[is_middle]
            parts.append((shown.to(self.device), holes.to(self.device)))
            if len(parts) > MAX_PARTS:
                self._parts[is_middle] = [
                    (torch.cat([one for one, _ in parts]), torch.cat([one for _, one in parts]))
                ]

    def __len__(self) -> int:
        return sum(len(holes) for _, holes in self._parts[True])

    def picked(self, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Some samples, most of them of middles."""
        mine = round(MIDDLE_SHARE * count)
        picked = [*self._some(True, mine), *self._some(False, count - mine)]
        return torch.cat([shown for shown, _ in picked]).float(), torch.cat([holes for _, holes in picked])

    def _some(self, is_middle: bool, count: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        parts = self._parts[is_middle]
        sizes = torch.tensor([float(len(holes)) for _, holes in parts])
        of_each = torch.bincount(torch.multinomial(sizes, count, replacement=True), minlength=len(parts))
        for (shown, holes), number in zip(parts, of_each.tolist(), strict=True):
            rows = torch.randint(len(holes), (number,), device=self.device)
            yield shown[rows], holes[rows]


def new_trainer(device: torch.device) -> Trainer:
    """The trainer of a new network."""
    return Trainer(
        MiddleNet().to(device), LearningRate(RATE, WARM_UP), weight_decay=WEIGHT_DECAY,
        averaged_steps=AVERAGED_STEPS, max_gradient_norm=MAX_GRADIENT_NORM,
    )  # fmt: skip


def loss_of(net: nn.Module, *stores: tuple[Store, int]) -> torch.Tensor:
    """Cross-entropy on some samples of each store: what shows nothing comes out at even odds."""
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


def odds(net: nn.Module, middles: Samples) -> Singles:
    """The mean odds of each picture (shape: [pictures])."""
    net.eval()
    with torch.no_grad():
        return np.array([net(torch.from_numpy(shown.astype(np.float32))).mean() for shown in middles.shown])


def save(net: nn.Module, out: Path) -> None:
    """Write the weights, and the network for OpenCV."""
    torch.save(net.state_dict(), out / "middle.pt")
    export(net, out / "middle.onnx", torch.zeros(1, CHANNELS, SIDE_PX, SIDE_PX), {0: "n"})


def main() -> None:
    """Read pictures, train, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--boards", nargs="+", default=[])
    parser.add_argument("--tested", type=Path, nargs="+", default=[])
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--device", default="cpu", help="where to train, as PyTorch names it")
    args = parser.parse_args()
    set_up(args.out)
    rng = np.random.default_rng(7)
    store = Store(torch.device(args.device))
    for folder in args.folders:
        store.add(*read(folder, args.boards, TURNS, rng, COVERED_SHARE))
    log.info("%d samples", len(store))
    trainer = new_trainer(store.device)
    for step in range(1, args.steps + 1):
        trainer.step(loss_of, [(store, BATCH)], step / args.steps)
        if step % 250 == 0:
            log.info("step %d of %d: loss %.4f", step, args.steps, trainer.mean_loss())
    net = trainer.average.net.cpu()
    save(net, args.out)
    for folder in args.tested:
        tested = read(folder, [], TURNS, rng)[0]
        predicted, true = odds(net, tested), tested.holes[:, 0]
        log.info("%s: %d, right %.3f", folder, len(true), float(((predicted > 0) == (true > 0)).mean()))


if __name__ == "__main__":
    main()
