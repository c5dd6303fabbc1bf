"""A second, closer look at single places: a small network says where a hole lies there, or that none is seen.

Each place is cut from the photograph in colour and turned so that what stands on the board leans upwards. So the
network learns that the foot of a pawn lies below its head, and that a spot on a card is no hole. Its answers share a
probability of 1:

    20 by 20 cells around the place   a hole is seen here, empty or with a pawn
    hidden                            something lies or stands on it
    bare                              ground without a hole
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from threading import Lock

import cv2
import numpy as np

from tock_vision.arrays import Floats, Frame, Singles, sample, softmax
from tock_vision.camera_pose import CameraPose, rotation_matrix
from tock_vision.holeness import network_of

SIDE_PX, HALF_PITCHES = 40, 0.85
CELLS = 20
CELL_PITCHES = 2 * HALF_PITCHES / CELLS
CHANNELS = 8
"""Blue, green and red; brightness of the usual hole; how far the ground's colour is from that of the board; lean."""
TRACK_SHOWN = 40
"""Holes of the track from which the appearance of a hole of this board is taken."""
FAINTEST, OFF_SCALE, MAX_INPUT = 0.02, 4.0, 4.0
MAX_LEAN = 2.0
_running = Lock()
"""Two threads may search at once, and OpenCV crashes when both run one network."""


@dataclass(frozen=True)
class Inspected:
    """What a photograph shows at some places."""

    cells: Singles
    """Chance of a hole in each cell (shape: [n, CELLS, CELLS])."""
    hidden: Floats
    """Chance that something covers it (shape: [n])."""
    bare: Floats
    """Chance of ground without a hole (shape: [n])."""
    offsets: Floats
    """From the place to each cell, in pitches on the board (shape: [n, CELLS * CELLS, 2])."""


@cache
def network() -> cv2.dnn.Net:
    """The network of the package."""
    return network_of(files("tock_vision").joinpath("data", "inspection.onnx").read_bytes())


def inspect(frame: Frame, pose: CameraPose, places: Floats, track: Floats) -> Inspected:
    """Look closely at places on the plane of a pose; `track` are holes of the track (pitches, shape: [n, 2])."""
    turns, leans = leaning(pose, places)
    shown = appearances(frame, pose, places, track[:: max(1, len(track) // TRACK_SHOWN)], turns, leans)
    with _running:
        net = network()
        net.setInput(shown)
        chances = softmax(np.array(net.forward()))
    steps = (np.arange(CELLS) + 0.5) * CELL_PITCHES - HALF_PITCHES
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2)
    cells = chances[:, : CELLS * CELLS].reshape(-1, CELLS, CELLS)
    return Inspected(cells, chances[:, -2], chances[:, -1], grid @ _spins(turns))


def leaning(pose: CameraPose, places: Floats) -> tuple[Floats, Floats]:
    """The turn by which what stands at each place leans upwards, and how far it leans for its height."""
    camera = -rotation_matrix(pose.params[:3]).T @ pose.params[3:6]
    lean = (places - camera[:2]) / max(abs(float(camera[2])), 1e-6)
    return np.arctan2(lean[:, 0], -lean[:, 1]), np.linalg.norm(lean, axis=1)


def appearances(
    frame: Frame, pose: CameraPose, places: Floats, track: Floats, turns: Floats, leans: Floats
) -> Singles:
    """Places as input of the network (shape: [n, CHANNELS, SIDE_PX, SIDE_PX])."""
    usual = _cut(frame, pose, track, leaning(pose, track)[0])
    board = np.median(usual, axis=(0, 1, 2))
    usual = usual.mean(axis=3)
    contrast = max(float(np.median(usual.std(axis=(1, 2)))), FAINTEST)
    own = _cut(frame, pose, places, turns)
    ground = np.median(own, axis=(1, 2), keepdims=True)
    shown = np.empty((len(own), CHANNELS, SIDE_PX, SIDE_PX), dtype=np.float32)
    shown[:, :3] = (own - ground).transpose(0, 3, 1, 2) / contrast
    shown[:, 3] = np.median(usual - np.median(usual, axis=(1, 2), keepdims=True), axis=0) / contrast
    shown[:, 4:7] = OFF_SCALE * (ground - board).transpose(0, 3, 1, 2)
    shown[:, 7] = np.minimum(leans, MAX_LEAN)[:, None, None]
    return np.clip(shown, -MAX_INPUT, MAX_INPUT)


def _cut(frame: Frame, pose: CameraPose, places: Floats, turns: Floats) -> Singles:
    """Straightened parts of a photograph around some places, from 0 to 1 (shape: [n, SIDE_PX, SIDE_PX, 3])."""
    steps = (np.arange(SIDE_PX) + 0.5) * (2 * HALF_PITCHES / SIDE_PX) - HALF_PITCHES
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2) @ _spins(turns)
    at = pose.project((places[:, None] + grid).reshape(-1, 2)).astype(np.float32)
    # One row for each place, since OpenCV remaps no more than 32,767 rows.
    seen = sample(frame, at.reshape(len(places), SIDE_PX * SIDE_PX, 2))
    return seen.reshape(len(places), SIDE_PX, SIDE_PX, 3).astype(np.float32) / 255


def _spins(turns: Floats) -> Floats:
    """Matrices that turn row vectors of a patch onto the board (shape: [n, 2, 2])."""
    cos, sin = np.cos(turns), np.sin(turns)
    return np.stack([np.stack([cos, sin], axis=-1), np.stack([-sin, cos], axis=-1)], axis=-2)
