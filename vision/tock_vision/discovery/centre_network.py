"""A small network that compares the middle of a board with its holes.

Constants set in `6d611e10`; MAX_ODDS_OFF, MIN_SPREAD, OTHER_SPREADS in `a61b3cdd`.
"""

from functools import cache
from importlib.resources import files

import cv2
import numpy as np

from tock_vision.arrays import Floats, Frame, Singles, sample
from tock_vision.camera_pose import CameraPose
from tock_vision.holeness import network_of

SIDE_PX, HALF_PITCHES = 40, 0.85
CHANNELS = 7
"""Blue, green and red, brightness of the usual hole, and how far the colour of the middle is from that of the board."""
OFF_SCALE = 4.0
TURNS = 8
"""Directions from which the network sees the middle, their answers averaged: a hole looks alike from all."""
TRACK_SHOWN = 40
"""Holes of the track from which the appearance of a hole of this board is taken."""
FAINTEST = 0.02
"""Lower bound of the contrast of holes, as a share of the full range, so that noise does not pass for it."""
MAX_INPUT = 4.0
OTHER_SPREADS, MIN_SPREAD = 3.0, 0.025
"""Spreads of the ground around the track by which another colour differs, and the least spread, of the full range."""
MAX_ODDS_OFF = 2.5
"""Cap on the log odds when the middle has another colour: it may be a card, or paint."""


@cache
def network() -> cv2.dnn.Net:
    """The network of the package."""
    return network_of(files("tock_vision").joinpath("data", "middle.onnx").read_bytes())


def appearances(
    frame: Frame, pose: CameraPose, places: Floats, track: Floats, turn_rad: float = 0.0
) -> Singles:
    """Places as input of the network, turned (shape: [n, CHANNELS, SIDE_PX, SIDE_PX]); lengths in pitches."""
    usual = cut(frame, pose, track, turn_rad)
    board = np.median(usual, axis=(0, 1, 2))
    usual = usual.mean(axis=3)
    contrast = max(float(np.median(usual.std(axis=(1, 2)))), FAINTEST)
    own = cut(frame, pose, places, turn_rad)
    ground = np.median(own, axis=(1, 2), keepdims=True)
    shown = np.empty((len(own), CHANNELS, SIDE_PX, SIDE_PX), dtype=np.float32)
    shown[:, :3] = (own - ground).transpose(0, 3, 1, 2) / contrast
    shown[:, 3] = np.median(usual - np.median(usual, axis=(1, 2), keepdims=True), axis=0) / contrast
    # A card is as plain as the board, but of another colour.
    shown[:, 4:] = OFF_SCALE * (ground - board).transpose(0, 3, 1, 2)
    return np.clip(shown, -MAX_INPUT, MAX_INPUT)


def cut(frame: Frame, pose: CameraPose, places: Floats, turn_rad: float) -> Singles:
    """Straightened parts of a photograph around some places, from 0 to 1 (shape: [n, SIDE_PX, SIDE_PX, 3])."""
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    steps = np.linspace(-HALF_PITCHES, HALF_PITCHES, SIDE_PX)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2) @ np.array(
        [[cos, sin], [-sin, cos]]
    )
    at = pose.project((places[:, None] + grid).reshape(-1, 2)).astype(np.float32)
    seen = sample(frame, at.reshape(len(places) * SIDE_PX, SIDE_PX, 2))
    return seen.reshape(len(places), SIDE_PX, SIDE_PX, 3).astype(np.float32) / 255


def odds_of_hole(frame: Frame, pose: CameraPose, track: Floats) -> float:
    """Log odds of a hole at the origin, near 0 where cards hide it.

    `track` has the places of the holes of the track, in pitches (shape: [n, 2]).
    """
    turns = 2 * np.pi * np.arange(TURNS) / TURNS
    some = track[:: max(1, len(track) // TRACK_SHOWN)]
    shown = [appearances(frame, pose, np.zeros((1, 2)), some, turn) for turn in turns]
    net = network()
    net.setInput(np.concatenate(shown))
    odds = float(np.asarray(net.forward()).mean())
    # The back of a card is as plain as a board without a hole, so neither answer is trusted far.
    return float(np.clip(odds, -MAX_ODDS_OFF, MAX_ODDS_OFF)) if is_of_other_color(frame, pose, some) else odds


def is_of_other_color(frame: Frame, pose: CameraPose, track: Floats) -> bool:
    """Whether the ground at the origin has another colour than the ground around the track, lit or shaded."""
    ground = np.median(cut(frame, pose, np.vstack([np.zeros((1, 2)), track]), 0.0), axis=(1, 2))
    own, board = ground[0], ground[1:]
    usual = np.median(board, axis=0)
    spread = np.maximum(1.4826 * np.median(np.abs(board - usual), axis=0), MIN_SPREAD)
    return bool((np.abs(own - usual) > OTHER_SPREADS * spread).any())
