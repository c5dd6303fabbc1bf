"""Changes batches of patches by chance, so that few pictures teach much.

Pawns of one picture stand in empty holes of another, things lie over holes, shadows fall, whole pictures get other
colours, light, blur and noise.
"""

from typing import Any

import numpy as np
import torch

from tock_vision.holes.context import KINDS
from vision.training.reader import covers, lighting
from vision.training.reader.batch import Batch
from vision.training.reader.patch_changes import PatchChanges
from vision.training.reader.patch_data import PatchData

CENTRE = 4
"""Place of a centre hole among the kinds of `context.places`."""
Array = Any


def changed_batch(data: PatchData, numbers: Array) -> Batch:
    """The patches with these numbers, changed by chance (`data.rng`)."""
    changes = PatchChanges(data, numbers)
    changes.paint_seats()
    changes.lose_pawns()
    changes.lend_pawns()
    changes.make_pawns()
    changes.cover()
    lighting.shade_some(data.rng, changes.picture, changes.patch)
    lighting.light_parts(data.rng, changes.picture, changes.patch, changes.empty, changes.weight)
    lighting.shade_seats(data.rng, changes.picture, changes.patch, changes.place)
    paint_centres(changes)
    recolored = swap_colors(changes)
    compare_with_single_empties(changes, recolored)
    relight(changes)
    move(changes)
    return changes.batch()


def paint_centres(changes: PatchChanges) -> None:
    """Paint some empty centres: a board has one, so nothing else in its picture tells its colour."""
    able = (changes.place[:, CENTRE] == 1) & (changes.state == 0) & (changes.weight > 0)
    chosen = np.nonzero(able.numpy() & (changes.rng.random(len(changes.patch)) < 0.6))[0]
    if len(chosen):
        mask = covers.INNER[None, None] * torch.tensor(changes.rng.uniform(0.6, 1.0, (len(chosen), 1, 1, 1)))
        paint = torch.tensor(np.exp(changes.rng.uniform(-1.6, 0.5, (len(chosen), 3, 1, 1)))).float()
        grey = changes.patch[chosen].mean(1, keepdim=True)
        changes.patch[chosen] = changes.patch[chosen] * (1 - mask.float()) + grey * paint * mask.float()


def swap_colors(changes: PatchChanges) -> Array:
    """Mix the colours of some pictures so that states are learned on paint of all kinds; returns which."""
    swapped = changes.rng.random(len(changes.names)) < 0.3
    for own in np.nonzero(swapped)[0]:
        mix = np.eye(3)[changes.rng.permutation(3)] * 0.85 + changes.rng.dirichlet([1, 1, 1], 3) * 0.15
        turn = torch.tensor(mix).float()
        rows = changes.rows(own)
        changes.patch[rows] = torch.einsum("ij,njyx->niyx", turn, changes.patch[rows])
        changes.empty[own] = torch.einsum("ij,jyx->iyx", turn, changes.empty[own])
        changes.color[rows] = -1
    changes.place[torch.tensor(swapped[changes.picture]), KINDS:] = 0
    return swapped


def compare_with_single_empties(changes: PatchChanges, swapped: Array) -> None:
    """In a sixth of the pictures compare with single empty holes, as after calibration."""
    data, which, of_empty, empties = changes.data, changes.picture.copy(), [changes.of_empty], [changes.empty]
    count = len(changes.names)
    for own in np.nonzero((changes.rng.random(len(changes.names)) < 0.17) & ~swapped)[0]:
        rows = changes.rows(own)
        choice = data.clear[changes.names[own]]
        if not len(choice):
            continue
        owner, offered = data.data["O"][changes.numbers[rows]], data.data["O"][choice]
        score = changes.rng.random((len(rows), len(choice))) + (owner[:, None] == offered[None])
        empties.append(data.pixels(choice[score.argmax(1)]) * changes.normal(0.06, len(rows), 1, 1, 1))
        which[rows] = count + np.arange(len(rows))
        of_empty.append(changes.picture[rows])
        count += len(rows)
    changes.empty, changes.which, changes.of_empty = torch.cat(empties), which, np.concatenate(of_empty)


def relight(changes: PatchChanges) -> None:
    """Change light, contrast, sharpness and noise of whole pictures."""
    pictures = len(changes.names)
    tint = changes.normal(0.13, pictures, 3, 1, 1) * lighting.warmth(changes.rng, pictures)
    changes.patch *= tint[changes.picture] * changes.normal(0.08, len(changes.patch), 1, 1, 1)
    lighting.slope(changes.rng, changes.picture, changes.patch)
    changes.empty *= tint[changes.of_empty]
    for own in range(pictures):
        rows, empties = changes.rows(own), np.nonzero(changes.of_empty == own)[0]
        some = changes.patch[int(rows[0]) : int(rows[-1]) + 1]
        if changes.rng.random() < lighting.GLARING:
            glare = lighting.glare(changes.rng)
            some[:], changes.empty[empties] = glare(some), glare(changes.empty[empties])
            changes.light[own] = glare(changes.light[own])
        if changes.rng.random() < 0.5:
            bend = float(np.exp(changes.rng.normal(0, 0.17)))
            some.clamp_(min=1e-3).pow_(bend)
            changes.empty[empties] = changes.empty[empties].clamp(min=1e-3).pow(bend)
        lighting.blur_and_noise(changes.rng, some)
    light = changes.light * tint[:, :, 0, 0]
    changes.light = light / light.mean(1, keepdim=True)


def move(changes: PatchChanges) -> None:
    """Mirror pictures and shift patches."""
    for own in np.nonzero(changes.rng.random(len(changes.names)) < 0.5)[0]:
        rows = changes.rows(own)
        some = slice(int(rows[0]), int(rows[-1]) + 1)
        changes.patch[some], changes.shape[some] = changes.patch[some].flip(3), changes.shape[some].flip(2)
        empties = np.nonzero(changes.of_empty == own)[0]
        changes.empty[empties] = changes.empty[empties].flip(3)
    count = len(changes.patch)
    for part in range(4):
        some = slice(part * count // 4, (part + 1) * count // 4)
        down, right = (int(value) for value in changes.rng.integers(-2, 3, 2))
        changes.patch[some] = torch.roll(changes.patch[some], (down, right), (2, 3))
