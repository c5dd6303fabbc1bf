"""Batches of patches for training, changed by chance so that few pictures teach much.

Pawns of one picture stand in empty holes of another, things lie over holes, shadows fall, whole pictures get other
colours, light, blur and noise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tock_vision.holes.context import KINDS
from tock_vision.holes.patches import PATCH_PX
from vision.training import covers, lighting, marbles, paint_over
from vision.training.batch import BESIDE, HIDDEN, Batch
from vision.training.make_data import NO_OUTLINE

FULL = 0.4
"""Share covered from which a patch is hidden, as in the truth; from SLIGHT to it its label is left out."""
SLIGHT = 0.2
HALF = 0.5
"""The same for what lies over the inner part of a hole only, of which a narrow thing covers much."""
PLAIN_KEPT = 0.28
"""Share of the plain empty holes of a picture that a batch has."""
RARE = np.array([1.0, 1.4, 1.4])
"""Weights of empty, pawn and hidden."""
MAX_DONORS = 6000
PAINTED = 0.3
"""Share of the pictures whose camps, homes and starts are painted over."""
CLEARED = 0.5
"""Share of these of which the camps are emptied, as on a board that lies ready or whose pawns are all under way."""
CENTRE = 4
"""Place of a centre hole among the kinds of `context.places`."""
Array = Any


@dataclass(frozen=True)
class Lent:
    """Pawns of other pictures, as they would look in some patches."""

    chosen: Array
    """Numbers of the patches (shape: [n])."""
    donor: Array
    texture: torch.Tensor
    mask: torch.Tensor


class Patches:
    """All patches of some files, and batches of them with changes by chance."""

    def __init__(
        self,
        files: Sequence[Mapping[str, Array]],
        seed: int,
        kinds_of_paint: tuple[str, ...] = paint_over.KINDS_OF_PAINT,
    ) -> None:
        self.kinds_of_paint = kinds_of_paint
        rows = np.cumsum([0] + [len(file["E"]) for file in files])
        self.data = {key: np.concatenate([file[key] for file in files]) for key in "XSYCVBPO"}
        self.data["X"] = np.ascontiguousarray(self.data["X"].transpose(0, 3, 1, 2))
        self.row = np.concatenate([file["R"] + start for file, start in zip(files, rows, strict=False)])
        self.empty = torch.tensor(np.concatenate([file["E"] for file in files]))
        self.light = torch.tensor(np.concatenate([file["LC"] for file in files]))
        self.rng = np.random.default_rng(seed)
        unclear = (self.data["Y"] != HIDDEN) & (self.data["V"] < 0.7)
        self.weight = np.where(unclear, 0.3, 1.0) * RARE[self.data["Y"]]
        order = np.argsort(self.row, kind="stable")
        edges = np.searchsorted(self.row[order], np.arange(len(self.empty) + 1))
        self.members = [order[edges[n] : edges[n + 1]] for n in range(len(self.empty))]
        clear = (self.data["Y"] == 0) & (self.data["V"] > 0.9) & (self.data["O"] > BESIDE)
        self.clear = [own[clear[own]] for own in self.members]
        self.board = np.array([self.data["B"][own[0]] for own in self.members])
        self.grain = [self._grain(own) for own in self.clear]
        self.hidden = self.donors = np.zeros(0, int)
        self.outlines = np.zeros((0, 2))

    def may_lend(self, pictures: Array) -> None:
        """Let pawns and covered patches of these pictures be laid over others."""
        own = np.isin(self.row, pictures)
        self.hidden = np.nonzero(own & (self.data["Y"] == HIDDEN) & (self.data["V"] < 0.1))[0]
        known = own & (self.data["B"] != NO_OUTLINE)
        pawns = np.nonzero(known & (self.data["Y"] == 1) & (self.data["V"] > 0.95))[0]
        self.donors = self.rng.permutation(pawns)[:MAX_DONORS]
        self.outlines = self._outline(self.donors)

    def _outline(self, numbers: Array) -> Array:
        """Size and middle of the outlines that pawns have (shape: [n, 2], in pixels)."""
        shape = self.data["S"][numbers].astype(np.float32) / 255
        size = shape.sum((1, 2))
        middle = (shape.sum(2) * np.arange(PATCH_PX)).sum(1) / np.maximum(size, 1)
        return np.stack([np.sqrt(size), middle], 1)

    def _grain(self, numbers: Array) -> float:
        """Roughness of the picture from pixel to pixel: its noise."""
        if not len(numbers):
            return 0.0
        some = self.data["X"][numbers[::8]].astype(np.float32) / 64
        fine = some[:, :, 1:-1] - (some[:, :, :-2] + some[:, :, 2:]) / 2
        return float(np.median(np.abs(fine)) * 1.2)

    def pixels(self, numbers: Array) -> torch.Tensor:
        """Patches relative to the light (shape: [n, 3, PATCH_PX, PATCH_PX])."""
        return torch.tensor(self.data["X"][numbers]).float() / 64

    def _wood(self, row: int) -> Array:
        """Colour of a picture's board beside its holes (shape: [3])."""
        return self.empty[row][[0, 0, -1, -1], [0, -1, 0, -1]].mean(0).numpy()

    def normal(self, sigma: float, *shape: int) -> torch.Tensor:
        """Log-normal factors around 1."""
        return torch.tensor(np.exp(self.rng.normal(0, sigma, shape))).float()

    def thinned(self, picture: int) -> Array:
        """The patches of a picture without most of its plain empty holes."""
        own = self.members[picture]
        plain = (self.data["Y"][own] == 0) & (self.data["O"][own] == -1)
        return own[~plain | (self.rng.random(len(own)) < PLAIN_KEPT)]

    def batch(self, numbers: Array, *, changed: bool) -> Batch:
        """The patches of some pictures."""
        patch = self.pixels(numbers)
        shape = torch.tensor(self.data["S"][numbers]).float() / 255
        state = torch.tensor(self.data["Y"][numbers]).long()
        color = torch.tensor(self.data["C"][numbers]).long()
        weight = torch.tensor(self.weight[numbers]).float()
        place = torch.tensor(self.data["P"][numbers]).float()
        names, picture = np.unique(self.row[numbers], return_inverse=True)
        empty = self.empty[names].permute(0, 3, 1, 2).contiguous()
        light = self.light[names]
        which, per_hole = picture, np.zeros(0, int)
        if changed:
            self._paint_seats(numbers, picture, patch, shape, state, color, place, weight)
            self._lose_pawns(numbers, patch, shape, state, weight)
            self._lend_pawns(numbers, patch, shape, state, color, weight)
            self._make_pawns(numbers, picture, patch, shape, state, color)
            self._cover(numbers, picture, patch, shape, state, weight)
            lighting.shade_some(self.rng, picture, patch)
            lighting.light_parts(self.rng, picture, patch, empty, weight)
            lighting.shade_seats(self.rng, picture, patch, place)
            self._paint_centres(patch, state, place, weight)
            plain = self._swap_colors(picture, patch, empty, color)
            place[torch.tensor(plain[picture]), KINDS:] = 0
            empty, which, per_hole = self._other_empty(numbers, picture, empty, plain)
            of_empty = np.concatenate([np.arange(len(names)), picture[per_hole]])
            light = self._relight(picture, patch, empty, of_empty, light)
            self._move(picture, patch, shape, empty, of_empty)
            light = light[of_empty]
        spread = light[:, :, None, None].expand(-1, -1, PATCH_PX, PATCH_PX)
        known = torch.cat([empty, spread], 1)
        bare = torch.tensor(self.data["O"][numbers] == BESIDE) & (state == 0)
        seen = torch.cat([patch, shape[:, None]], 1)
        owner = torch.tensor(self.data["O"][numbers]).long()
        return Batch(
            seen,
            known,
            torch.tensor(which),
            place,
            state,
            color,
            weight,
            bare,
            torch.tensor(picture),
            owner,
            len(names),
        )

    def _paint_seats(
        self, numbers: Array, picture: Array, patch: Array, shape: Array, state: Array, color: Array, place: Array,
        weight: Array,
    ) -> None:  # fmt: skip
        """Paint the owned holes of some pictures, and empty the camps of half of these first."""
        for own in np.nonzero(self.rng.random(int(picture.max()) + 1) < PAINTED)[0]:
            rows = np.nonzero((picture == own) & (self.data["V"][numbers] >= paint_over.MIN_VISIBLE))[0]
            rows = rows[(state.numpy()[rows] != HIDDEN) & (self.data["O"][numbers[rows]] >= 0)]
            if not len(rows):
                continue
            row = self.row[numbers[rows[0]]]
            if self.rng.random() < CLEARED:
                self._clear(rows[place.numpy()[rows, paint_over.CAMP] == 1], row, patch, state, color, weight)
            some = patch[rows]
            brush = paint_over.some_brush(self.rng, self.kinds_of_paint)
            pawn = (state[rows] == 1).float()
            paint_over.paint_over(
                self.rng, some, shape[rows], place[rows], pawn, self.light[row].numpy(), brush
            )
            patch[rows] = some

    def _clear(self, camps: Array, row: int, patch: Array, state: Array, color: Array, weight: Array) -> None:
        """Put empty holes of the same picture in place of the pawns in camps."""
        standing = camps[state.numpy()[camps] == 1]
        choice = self.clear[row]
        if len(standing) and len(choice):
            patch[standing] = self.pixels(self.rng.choice(choice, len(standing)))
            state[standing], color[standing], weight[standing] = 0, -1, float(RARE[0])

    def _lent(self, numbers: Array, shape: Array, share: float) -> Lent:
        """Pawns of other pictures for some empty holes, where they have about the same outline."""
        fit = (self.data["Y"][numbers] == 0) & (self.data["O"][numbers] > BESIDE)
        chosen = np.nonzero(fit & (self.rng.random(len(numbers)) < share))[0]
        far = np.abs(self._outline(numbers[chosen])[:, None] - self.outlines[None]).sum(2)
        far += self.rng.uniform(0, 1.5, far.shape)
        near = far.min(1, initial=np.inf) < 2.2
        chosen, donor = chosen[near], self.donors[far[near].argmin(1)] if near.any() else chosen[near]
        tint = self.light[self.row[numbers[chosen]]] / self.light[self.row[donor]]
        mask = functional.avg_pool2d(functional.pad(shape[chosen][:, None], (1,) * 4), 3, 1)
        return Lent(chosen, donor, self.pixels(donor) * tint[:, :, None, None], mask)

    def _lose_pawns(self, numbers: Array, patch: Array, shape: Array, state: Array, weight: Array) -> None:
        """Let pawns of other pictures lie beside some empty holes, be held just above them, or lie across as rods."""
        lent = self._lent(numbers, shape, 0.055)
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
            patch[row] = patch[row] * (1 - cover.mask) + cover.texture[0] * cover.mask
            share = float(cover.share(covers.HOLE[None]))
            if share > HALF:
                state[row], weight[row] = HIDDEN, float(RARE[HIDDEN])
            elif share > SLIGHT:
                weight[row] = 0.0

    def _lend_pawns(
        self, numbers: Array, patch: Array, shape: Array, state: Array, color: Array, weight: Array
    ) -> None:
        """Let pawns of other pictures stand in some empty holes."""
        lent = self._lent(numbers, shape, 0.07)
        chosen, donor = lent.chosen, lent.donor
        patch[chosen] = patch[chosen] * (1 - lent.mask) + lent.texture * lent.mask
        state[chosen] = 1
        color[chosen] = torch.tensor(self.data["C"][donor]).long()
        weight[chosen] = 0.8

    def _make_pawns(
        self, numbers: Array, picture: Array, patch: Array, shape: Array, state: Array, color: Array
    ) -> None:
        """Give pawns of known outline ribbons in some pictures, make them of glass, or colour them like the board."""
        chances = marbles.RIBBONED, marbles.GLASS, marbles.WOODEN
        known = self.data["B"][numbers] != NO_OUTLINE
        for own in range(int(picture.max()) + 1):
            rows = np.nonzero((picture == own) & (state == 1).numpy() & known)[0]
            row = self.row[numbers[np.nonzero(picture == own)[0][0]]]
            ribboned, of_glass, of_wood = self.rng.random(3) < chances
            if not len(rows):
                continue
            if of_glass and len(self.clear[row]):
                below = self.pixels(self.rng.choice(self.clear[row], len(rows)))
                patch[rows] = marbles.of_glass(self.rng, patch[rows], shape[rows], below)
            if ribboned:
                patch[rows] = marbles.ribboned(self.rng, patch[rows], shape[rows])
            if of_wood:
                some = rows[self.rng.random(len(rows)) < 0.5]
                board = self._wood(row)
                patch[some] = marbles.of_wood(self.rng, patch[some], shape[some], board)
                color[some] = -1

    def _cover(
        self, numbers: Array, picture: Array, patch: Array, shape: Array, state: Array, weight: Array
    ) -> None:
        """Lay one to three things over neighbouring holes of each picture, and parts of real covered patches."""
        for own in range(int(picture.max()) + 1):
            members = np.nonzero((picture == own) & (state.numpy() != HIDDEN))[0]
            row = self.row[numbers[members[0]]]
            board = self._wood(row)
            for _ in range(int(self.rng.integers(1, 4))):
                count = int(self.rng.integers(2, 9))
                first = int(self.rng.integers(len(members)))
                chosen = members[first : first + count]
                whole = float(self.rng.choice([0.2, 0.8]))
                cover = covers.lay(self.rng, len(chosen), board, self.grain[row], whole)
                if len(self.hidden) and self.rng.random() < 0.3:
                    real = self.pixels(self.rng.choice(self.hidden, len(chosen)))
                    cover = covers.Cover(real * self.normal(0.2, len(chosen), 3, 1, 1), cover.mask)
                self._lay(cover, chosen, patch, shape, state, weight)

    def _lay(
        self, cover: covers.Cover, chosen: Array, patch: Array, shape: Array, state: Array, weight: Array
    ) -> None:
        mask = cover.mask[:, None]
        patch[chosen] = patch[chosen] * (1 - mask) + cover.texture * mask
        pawn = state[chosen] == 1
        share = torch.where(pawn, cover.share(shape[chosen]), cover.share(covers.INNER[None]))
        state[chosen] = torch.where(share > FULL, HIDDEN, state[chosen])
        weight[chosen] = torch.where(share > FULL, float(RARE[HIDDEN]), weight[chosen])
        weight[chosen] = torch.where((share > SLIGHT) & (share <= FULL), 0.0, weight[chosen])

    def _paint_centres(self, patch: Array, state: Array, place: Array, weight: Array) -> None:
        """Paint some empty centres: a board has one, so nothing else in its picture tells what colour it has."""
        able = (place[:, CENTRE] == 1) & (state == 0) & (weight > 0)
        chosen = np.nonzero(able.numpy() & (self.rng.random(len(patch)) < 0.6))[0]
        if len(chosen):
            mask = covers.INNER[None, None] * torch.tensor(self.rng.uniform(0.6, 1.0, (len(chosen), 1, 1, 1)))
            paint = torch.tensor(np.exp(self.rng.uniform(-1.6, 0.5, (len(chosen), 3, 1, 1)))).float()
            grey = patch[chosen].mean(1, keepdim=True)
            patch[chosen] = patch[chosen] * (1 - mask.float()) + grey * paint * mask.float()

    def _swap_colors(self, picture: Array, patch: Array, empty: Array, color: Array) -> Array:
        """Mix the colours of some pictures so that states are learned on paint of all kinds; returns which."""
        swapped = self.rng.random(len(empty)) < 0.3
        for own in np.nonzero(swapped)[0]:
            mix = np.eye(3)[self.rng.permutation(3)] * 0.85 + self.rng.dirichlet([1, 1, 1], 3) * 0.15
            turn = torch.tensor(mix).float()
            rows = np.nonzero(picture == own)[0]
            patch[rows] = torch.einsum("ij,njyx->niyx", turn, patch[rows])
            empty[own] = torch.einsum("ij,jyx->iyx", turn, empty[own])
            color[rows] = -1
        return swapped

    def _other_empty(
        self, numbers: Array, picture: Array, empty: Array, swapped: Array
    ) -> tuple[torch.Tensor, Array, Array]:
        """In a sixth of the pictures compare with single empty holes, as after calibration.

        Returns all looks of empty holes, which of them each patch is compared with, and the patches that have their
        own, in the order in which these follow those of the pictures.
        """
        which, empties, per_hole = picture.copy(), [empty], [np.zeros(0, int)]
        count = len(empty)
        for own in np.nonzero((self.rng.random(len(empty)) < 0.17) & ~swapped)[0]:
            rows = np.nonzero(picture == own)[0]
            choice = self.clear[self.row[numbers[rows[0]]]]
            if not len(choice):
                continue
            owner, offered = self.data["O"][numbers[rows]], self.data["O"][choice]
            score = self.rng.random((len(rows), len(choice))) + (owner[:, None] == offered[None])
            empties.append(self.pixels(choice[score.argmax(1)]) * self.normal(0.06, len(rows), 1, 1, 1))
            which[rows] = count + np.arange(len(rows))
            per_hole.append(rows)
            count += len(rows)
        return torch.cat(empties), which, np.concatenate(per_hole)

    def _relight(
        self, picture: Array, patch: Array, empty: Array, of_empty: Array, light: Array
    ) -> torch.Tensor:
        """Change light, contrast, sharpness and noise of whole pictures; returns the colours of the light."""
        pictures = len(light)
        tint = self.normal(0.13, pictures, 3, 1, 1) * lighting.warmth(self.rng, pictures)
        patch *= tint[picture] * self.normal(0.08, len(patch), 1, 1, 1)
        lighting.slope(self.rng, picture, patch)
        empty *= tint[of_empty]
        for own in range(pictures):
            rows, empties = np.nonzero(picture == own)[0], np.nonzero(of_empty == own)[0]
            some = patch[int(rows[0]) : int(rows[-1]) + 1]
            if self.rng.random() < lighting.GLARING:
                glare = lighting.glare(self.rng)
                some[:], empty[empties], light[own] = glare(some), glare(empty[empties]), glare(light[own])
            if self.rng.random() < 0.5:
                bend = float(np.exp(self.rng.normal(0, 0.17)))
                some.clamp_(min=1e-3).pow_(bend)
                empty[empties] = empty[empties].clamp(min=1e-3).pow(bend)
            lighting.blur_and_noise(self.rng, some)
        light = light * tint[:, :, 0, 0]
        out: torch.Tensor = light / light.mean(1, keepdim=True)
        return out

    def _move(self, picture: Array, patch: Array, shape: Array, empty: Array, of_empty: Array) -> None:
        """Mirror pictures and shift patches."""
        for own in np.nonzero(self.rng.random(int(picture.max()) + 1) < 0.5)[0]:
            rows = np.nonzero(picture == own)[0]
            some = slice(int(rows[0]), int(rows[-1]) + 1)
            patch[some], shape[some] = patch[some].flip(3), shape[some].flip(2)
            empties = np.nonzero(of_empty == own)[0]
            empty[empties] = empty[empties].flip(3)
        count = len(patch)
        for part in range(4):
            some = slice(part * count // 4, (part + 1) * count // 4)
            down, right = (int(value) for value in self.rng.integers(-2, 3, 2))
            patch[some] = torch.roll(patch[some], (down, right), (2, 3))
