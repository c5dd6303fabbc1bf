"""Samples of the middle of boards, and of other places, for the network that tells whether a hole is there.

Needs PyTorch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import torch

from tock_companion.boardfile import BoardFile
from tock_rules import HoleKind
from tock_vision.arrays import Floats, Frame, Singles
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.centre_network import TRACK_SHOWN, appearances
from tock_vision.discovery.straightened import in_pitches

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


@dataclass(frozen=True)
class Samples:
    """The network's samples, and whether each is a hole."""

    shown: Singles
    """Shape: [pictures, views, CHANNELS, SIDE_PX, SIDE_PX], half precision."""
    holes: Singles
    """Shape: [pictures, views]."""


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
    """The photograph with a plain sheet over a place or a part of it."""
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


def joined(parts: Sequence[Samples]) -> Samples:
    """The samples of several pictures as one."""
    return Samples(np.concatenate([one.shown for one in parts]), np.concatenate([one.holes for one in parts]))


def _beside(points: Floats, rng: np.random.Generator) -> Floats:
    """A place on the board without a hole."""
    while True:
        place = rng.uniform(points.min(axis=0), points.max(axis=0))
        if np.linalg.norm(points - place, axis=1).min() > CLEAR_PITCHES:
            return np.asarray(place)


class SampleStore:
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
