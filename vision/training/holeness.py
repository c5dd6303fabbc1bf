"""Trains the network that says where holes are likely on a straightened photograph.

`python -m vision.training.holeness FOLDER OUT.npz --boards D01 D02 …` learns from the stills of these boards; NumPy
alone, a few minutes on one core. Without `--boards` it learns from all of them.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, load
from tock_vision.arrays import Floats, Singles, sample
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose, fit, from_points
from tock_vision.discovery.flat import PITCH_PX, in_pitches
from tock_vision.discovery.holeness import REDUCED, features
from tock_vision.images import load_image

LENSES = ((1.0, 0.0), (0.78, 0.0), (0.6, -0.12))
MARGIN_PITCHES = 3.0
HIT_PITCHES, MISS_PITCHES, UNKNOWN_PITCHES = 0.11, 0.3, 0.5
"""Pixels this near to a hole are its middle, those this far from all are none; near hidden ones nothing is said."""
HITS, MISSES = 500, 1800
SIZES = (32, 16, 1)
BATCH, LEARNING_RATE, DECAY, JITTER = 2048, 3e-3, 1e-5, 0.05


def true_pose(entry: dict[str, Any], board: BoardFile, size_px: tuple[int, int]) -> tuple[CameraPose, Floats]:
    """Pose and places of the holes in pitches around the middle of the board."""
    places = (hole_points_mm(board) - np.array(board.size_mm) / 2) / board.pitch_mm
    seen = np.array([entry["holes"][hole.id]["px"] for hole in board.holes])
    fits: list[tuple[float, int, CameraPose]] = []
    for focal, radial in LENSES:
        for start in from_points(places, seen, size_px, focal * size_px[0], radial):
            pose = fit(start, places, seen, 1.0)
            fits.append((float(np.abs(pose.project(places) - seen).mean()), len(fits), pose))
    return min(fits)[2], places


def varied(gray: Singles, rng: np.random.Generator) -> Singles:
    """The same photograph by another camera: blurred, darker, or of a pale board with dark paint."""
    if rng.random() < 0.3:
        gray = cv2.GaussianBlur(gray, (0, 0), rng.uniform(0.5, 1.3))
    if rng.random() < 0.5:
        gray = 255 * (gray / 255) ** rng.uniform(0.6, 1.6) * rng.uniform(0.6, 1.0)
    return 255 - gray if rng.random() < 0.2 else gray


def samples(
    gray: Singles, entry: dict[str, Any], board: BoardFile, rng: np.random.Generator
) -> tuple[Singles, Floats]:
    """Features of pixels on and beside holes, and which are which."""
    pose, places = true_pose(entry, board, (gray.shape[1], gray.shape[0]))
    # The pitch is known to some percent only when a board is discovered.
    unit = float(np.exp(rng.normal(0, 0.05)))
    pose, places = in_pitches(pose, unit, np.zeros(2)), places / unit
    extent = float(np.abs(places).max()) + MARGIN_PITCHES
    side = int(2 * extent * PITCH_PX)
    x, y = np.meshgrid(np.arange(side), np.arange(side))
    grid = np.stack([x, y], -1).reshape(-1, 2) / PITCH_PX - extent
    at = pose.project(grid).astype(np.float32).reshape(side, side, 2)
    inside = ((at > 1) & (at < np.array(gray.shape[::-1]) - 2)).all(axis=2)
    rows = features(sample(varied(gray, rng), at).astype(np.float32), PITCH_PX)
    height, width = rows.shape[:2]
    inside = cv2.resize(np.asarray(inside, dtype=np.uint8), (width, height)) > 0
    hidden = np.array([entry["holes"][hole.id]["hidden"] for hole in board.holes])
    middle = (places + extent) * PITCH_PX / REDUCED - 0.25
    near, unknown = (_gap(middle[some], (height, width)) for some in (~hidden, hidden))
    hits = np.flatnonzero((near < HIT_PITCHES) & inside)
    misses = np.flatnonzero((near > MISS_PITCHES) & (unknown > UNKNOWN_PITCHES) & inside)
    rows = rows.reshape(-1, rows.shape[2])
    # What looks round, and what lies near holes, is learned from more often.
    weight = 0.02 + np.clip(rows[misses].max(axis=1), 0, 1) ** 2 * np.where(near.ravel()[misses] < 1.2, 2, 1)
    hits = rng.choice(hits, min(HITS, len(hits)), replace=False)
    misses = rng.choice(misses, MISSES, replace=False, p=weight / weight.sum())
    return np.vstack([rows[hits], rows[misses]]), np.concatenate([np.ones(len(hits)), np.zeros(len(misses))])


def _gap(places: Floats, shape: tuple[int, int]) -> Floats:
    """How far each pixel is from the nearest place, in pitches."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    gap = np.full(shape, np.inf)
    for place in places:
        gap = np.minimum(gap, np.hypot(x - place[0], y - place[1]) * REDUCED / PITCH_PX)
    return gap


def train(rows: Singles, hits: Floats, rounds: int, rng: np.random.Generator) -> dict[str, Singles]:
    """Train by Adam on cross-entropy; gives the arrays that `holeness.Network` reads."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    inputs = ((rows - mean) / spread).astype(np.float32)
    sizes = (rows.shape[1], *SIZES)
    pairs = list(pairwise(sizes))
    weights = [rng.normal(0, np.sqrt(2 / wide), (wide, thin)).astype(np.float32) for wide, thin in pairs]
    arrays = [*weights, *(np.zeros(thin, np.float32) for _, thin in pairs)]
    first, second = ([np.zeros_like(array) for array in arrays] for _ in range(2))
    steps = 0
    for number in range(rounds):
        order = rng.permutation(len(inputs))
        rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * number / rounds)) + 1e-5
        for at in range(0, len(inputs) - BATCH, BATCH):
            batch = order[at : at + BATCH]
            noise = rng.normal(0, JITTER, (BATCH, inputs.shape[1])).astype(np.float32)
            slopes = _slopes(arrays, inputs[batch] + noise, hits[batch])
            steps += 1
            for place, slope in enumerate(slopes):
                first[place] = 0.9 * first[place] + 0.1 * slope
                second[place] = 0.999 * second[place] + 0.001 * slope**2
                size = np.sqrt(second[place] / (1 - 0.999**steps)) + 1e-8
                arrays[place] -= rate * (first[place] / (1 - 0.9**steps)) / size
        sys.stderr.write(f"round {number + 1} of {rounds}\n")
    count = len(SIZES)
    arrays[count] = arrays[count] - (mean / spread) @ arrays[0]
    arrays[0] = arrays[0] / spread[:, None]
    names = [*(f"weight{layer}" for layer in range(count)), *(f"offset{layer}" for layer in range(count))]
    return {name: array.astype(np.float32) for name, array in zip(names, arrays, strict=True)}


def _slopes(arrays: Sequence[Singles], inputs: Singles, hits: Floats) -> list[Singles]:
    count = len(SIZES)
    layers = [inputs]
    for layer in range(count):
        value = layers[-1] @ arrays[layer] + arrays[count + layer]
        layers.append(np.maximum(value, 0) if layer + 1 < count else value)
    back = ((1 / (1 + np.exp(-layers[-1][:, 0])) - hits) / len(hits))[:, None].astype(np.float32)
    slopes: list[Singles] = [np.zeros(0)] * (2 * count)
    for layer in reversed(range(count)):
        slopes[layer] = layers[layer].T @ back + DECAY * arrays[layer]
        slopes[count + layer] = back.sum(axis=0)
        back = (back @ arrays[layer].T) * (layers[layer] > 0)
    return slopes


def main() -> None:
    """Read the stills, train, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--boards", nargs="+")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=14)
    args = parser.parse_args()
    rng = np.random.default_rng(1)
    entries = [json.loads(line) for line in (args.folder / "stills.jsonl").read_text().splitlines()]
    chosen = [entry for entry in entries if not args.boards or Path(entry["board"]).stem in args.boards]
    found = []
    for entry in chosen[:: args.every]:
        gray = cv2.cvtColor(load_image(args.folder / entry["image"]), cv2.COLOR_BGR2GRAY)
        found.append(samples(gray.astype(np.float32), entry, load(args.folder / entry["board"]), rng))
        sys.stderr.write(f"{entry['image']}\n")
    rows = np.vstack([row for row, _ in found])
    arrays: dict[str, Any] = train(rows, np.concatenate([hit for _, hit in found]), args.rounds, rng)
    np.savez_compressed(args.out, **arrays)


if __name__ == "__main__":
    main()
