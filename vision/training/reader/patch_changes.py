"""Patches of some pictures while a batch of them is changed: paint, pawns and things on their holes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tock_vision.holes.patches import PATCH_PX
from vision.training.reader import covers, marbles, paint_over
from vision.training.reader.batch import BESIDE, HIDDEN, Batch
from vision.training.reader.cut_patches import NO_OUTLINE
from vision.training.reader.patch_data import RARE, PatchData

FULL = 0.4
"""Share covered from which a patch is hidden, as in the truth; from SLIGHT to it its label is left out."""
SLIGHT = 0.2
HALF = 0.5
"""The same for covers of the inner part of a hole, of which a narrow thing covers much."""
PAINTED = 0.3
"""Share of the pictures whose camps, homes and starts are painted over."""
CLEARED = 0.5
"""Share of these of which the camps are emptied, as on a board that lies ready or whose pawns are all under way."""
Array = Any


@dataclass(frozen=True)
class Lent:
    """Pawns of other pictures, as they would look in some patches."""

    chosen: Array
    """Numbers of the patches (shape: [n])."""
    donor: Array
    texture: torch.Tensor
    mask: torch.Tensor


class PatchChanges:
    """The patches of some pictures and their truth while they are changed: tensors with a row for each patch."""

    def __init__(self, data: PatchData, numbers: Array) -> None:
        self.data, self.numbers, self.rng = data, numbers, data.rng
        rows = data.data
        self.patch = data.pixels(numbers)
        self.shape = torch.tensor(rows["S"][numbers]).float() / 255
        """Outlines that pawns have or would have (shape: [n, PATCH_PX, PATCH_PX])."""
        self.state, self.color, self.owner = (torch.tensor(rows[key][numbers]).long() for key in "YCO")
        self.weight = torch.tensor(data.weight[numbers]).float()
        self.place = torch.tensor(rows["P"][numbers]).float()
        names, self.picture = np.unique(data.row[numbers], return_inverse=True)
        """Number of the picture of each patch within the batch."""
        self.names: Array = names
        """Number of each picture of the batch among all pictures."""
        self.empty = data.empty[names].permute(0, 3, 1, 2).contiguous()
        """Empty holes that patches are compared with; at first one of each picture (shape: [empties, 3, …])."""
        self.which: Array = self.picture
        """Which of them each patch is compared with."""
        self.of_empty = np.arange(len(names))
        """Picture of each of them."""
        self.light = data.light[names]
        """Colour of the light of each picture."""

    def batch(self) -> Batch:
        """All of it as the network learns from it."""
        light = self.light[self.of_empty]
        spread = light[:, :, None, None].expand(-1, -1, PATCH_PX, PATCH_PX)
        return Batch(
            seen=torch.cat([self.patch, self.shape[:, None]], 1),
            known=torch.cat([self.empty, spread], 1),
            which=torch.tensor(self.which),
            place=self.place,
            state=self.state,
            color=self.color,
            weight=self.weight,
            bare=(self.owner == BESIDE) & (self.state == 0),
            picture=torch.tensor(self.picture),
            owner=self.owner,
            pictures=len(self.names),
        )

    def rows(self, own: Any) -> Array:
        """The patches of a picture of the batch."""
        return np.nonzero(self.picture == own)[0]

    def normal(self, sigma: float, *shape: int) -> torch.Tensor:
        """Log-normal factors around 1."""
        return torch.tensor(np.exp(self.rng.normal(0, sigma, shape))).float()

    def paint_seats(self) -> None:
        """Paint the owned holes of some pictures, and empty the camps of half of these first."""
        visible, owner = self.data.data["V"][self.numbers], self.owner.numpy()
        for own in np.nonzero(self.rng.random(len(self.names)) < PAINTED)[0]:
            rows = np.nonzero((self.picture == own) & (visible >= paint_over.MIN_VISIBLE))[0]
            rows = rows[(self.state.numpy()[rows] != HIDDEN) & (owner[rows] >= 0)]
            if not len(rows):
                continue
            if self.rng.random() < CLEARED:
                self._clear(rows[self.place.numpy()[rows, paint_over.CAMP] == 1], self.names[own])
            some = self.patch[rows]
            brush = paint_over.some_brush(self.rng)
            pawn = (self.state[rows] == 1).float()
            light = self.light[own].numpy()
            paint_over.paint_over(self.rng, some, self.shape[rows], self.place[rows], pawn, light, brush)
            self.patch[rows] = some

    def _clear(self, camps: Array, name: int) -> None:
        """Put empty holes of the same picture in place of the pawns in camps."""
        standing = camps[self.state.numpy()[camps] == 1]
        choice = self.data.clear[name]
        if len(standing) and len(choice):
            self.patch[standing] = self.data.pixels(self.rng.choice(choice, len(standing)))
            self.state[standing], self.color[standing] = 0, -1
            self.weight[standing] = float(RARE[0])

    def _lent(self, share: float) -> Lent:
        """Pawns of other pictures for some empty holes, where they have about the same outline."""
        data = self.data
        fit = (data.data["Y"][self.numbers] == 0) & (data.data["O"][self.numbers] > BESIDE)
        chosen = np.nonzero(fit & (self.rng.random(len(self.numbers)) < share))[0]
        far = np.abs(data.outline(self.numbers[chosen])[:, None] - data.outlines[None]).sum(2)
        far += self.rng.uniform(0, 1.5, far.shape)
        near = far.min(1, initial=np.inf) < 2.2
        chosen, donor = chosen[near], data.donors[far[near].argmin(1)] if near.any() else chosen[near]
        tint = data.light[data.row[self.numbers[chosen]]] / data.light[data.row[donor]]
        mask = functional.avg_pool2d(functional.pad(self.shape[chosen][:, None], (1,) * 4), 3, 1)
        return Lent(chosen, donor, data.pixels(donor) * tint[:, :, None, None], mask)

    def lose_pawns(self) -> None:
        """Let pawns of other pictures lie beside some empty holes, be held just above them, or lie across as rods."""
        lent = self._lent(0.055)
        for row, lying, outline in zip(lent.chosen, lent.texture, lent.mask, strict=True):
            kind = self.rng.choice(3, p=[0.45, 0.25, 0.3])
            if kind == 0:
                turn, far = self.rng.uniform(0, 2 * np.pi), self.rng.uniform(0.3, 0.85) * PATCH_PX / 2
                down, right = round(far * np.sin(turn)), round(far * np.cos(turn))
                cover = covers.moved(lying, outline, down, right)
            elif kind == 1:
                up, aside = self.rng.uniform(0.15, 0.65) * PATCH_PX / 2, self.rng.normal(0, 0.06) * PATCH_PX
                cover = covers.held(self.rng, covers.moved(lying, outline, -round(up), round(aside)))
            else:
                paint = (lying * outline).sum((1, 2)) / outline.sum().clamp(min=1.0)
                cover = covers.rod(self.rng, paint)
            self.patch[row] = self.patch[row] * (1 - cover.mask) + cover.texture[0] * cover.mask
            share = float(cover.share(covers.HOLE[None]))
            if share > HALF:
                self.state[row], self.weight[row] = HIDDEN, float(RARE[HIDDEN])
            elif share > SLIGHT:
                self.weight[row] = 0.0

    def lend_pawns(self) -> None:
        """Let pawns of other pictures stand in some empty holes."""
        lent = self._lent(0.07)
        chosen = lent.chosen
        self.patch[chosen] = self.patch[chosen] * (1 - lent.mask) + lent.texture * lent.mask
        self.state[chosen] = 1
        self.color[chosen] = torch.tensor(self.data.data["C"][lent.donor]).long()
        self.weight[chosen] = 0.8

    def make_pawns(self) -> None:
        """Give pawns of known outline ribbons in some pictures, make them of glass, or colour them like the board."""
        chances = marbles.RIBBONED, marbles.GLASS, marbles.WOODEN
        known = self.data.data["B"][self.numbers] != NO_OUTLINE
        for own, name in enumerate(self.names):
            rows = np.nonzero((self.picture == own) & (self.state == 1).numpy() & known)[0]
            ribboned, of_glass, of_wood = self.rng.random(3) < chances
            if not len(rows):
                continue
            clear = self.data.clear[name]
            if of_glass and len(clear):
                below = self.data.pixels(self.rng.choice(clear, len(rows)))
                self.patch[rows] = marbles.of_glass(self.rng, self.patch[rows], self.shape[rows], below)
            if ribboned:
                self.patch[rows] = marbles.ribboned(self.rng, self.patch[rows], self.shape[rows])
            if of_wood:
                some = rows[self.rng.random(len(rows)) < 0.5]
                board = self.data.wood(name)
                self.patch[some] = marbles.of_wood(self.rng, self.patch[some], self.shape[some], board)
                self.color[some] = -1

    def cover(self) -> None:
        """Lay one to three things over neighbouring holes of each picture, and parts of real covered patches."""
        data = self.data
        for own, name in enumerate(self.names):
            members = np.nonzero((self.picture == own) & (self.state.numpy() != HIDDEN))[0]
            board = data.wood(name)
            for _ in range(int(self.rng.integers(1, 4))):
                count = int(self.rng.integers(2, 9))
                first = int(self.rng.integers(len(members)))
                chosen = members[first : first + count]
                whole = float(self.rng.choice([0.2, 0.8]))
                cover = covers.lay(self.rng, len(chosen), board, data.grain[name], whole)
                if len(data.hidden) and self.rng.random() < 0.3:
                    real = data.pixels(self.rng.choice(data.hidden, len(chosen)))
                    cover = covers.Cover(real * self.normal(0.2, len(chosen), 3, 1, 1), cover.mask)
                self._lay(cover, chosen)

    def _lay(self, cover: covers.Cover, chosen: Array) -> None:
        mask = cover.mask[:, None]
        self.patch[chosen] = self.patch[chosen] * (1 - mask) + cover.texture * mask
        pawn = self.state[chosen] == 1
        share = torch.where(pawn, cover.share(self.shape[chosen]), cover.share(covers.INNER[None]))
        self.state[chosen] = torch.where(share > FULL, HIDDEN, self.state[chosen])
        weight = torch.where(share > FULL, float(RARE[HIDDEN]), self.weight[chosen])
        self.weight[chosen] = torch.where((share > SLIGHT) & (share <= FULL), 0.0, weight)
