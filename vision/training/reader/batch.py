"""A batch of patches with their truth, and several batches as one."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import torch

HIDDEN = 2
BESIDE = -2
"""Owner of places beside the holes: there bare wood is neither an empty hole nor a pawn."""


@dataclass(frozen=True)
class Batch:
    """Patches of some pictures with their truth."""

    seen: torch.Tensor
    """Patches and outlines (shape: [n, 4, PATCH_PX, PATCH_PX])."""
    known: torch.Tensor
    """Looks of empty holes and colours of the light (shape: [empties, 6, PATCH_PX, PATCH_PX])."""
    which: torch.Tensor
    """Number of the look that each patch is compared with (shape: [n])."""
    place: torch.Tensor
    state: torch.Tensor
    color: torch.Tensor
    weight: torch.Tensor
    bare: torch.Tensor
    """Places without a hole, of which only is known that no pawn lies there (shape: [n])."""
    picture: torch.Tensor
    """Number of the picture of each patch within the batch (shape: [n])."""
    owner: torch.Tensor
    """Number of the seat of each hole, -1 for none, BESIDE beside the holes (shape: [n])."""
    pictures: int

    def tensors(self) -> dict[str, torch.Tensor]:
        """All of its parts but the number of pictures."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name != "pictures"}

    def in_short_floats(self) -> "Batch":
        """The batch with pixels for which networks multiply in short floats."""
        return replace(self, seen=self.seen.bfloat16(), known=self.known.bfloat16())


def joined(batches: Sequence[Batch]) -> Batch:
    """Several batches as one."""
    parts = [one.tensors() for one in batches]
    pictures = empties = 0
    for part, one in zip(parts, batches, strict=True):
        part["picture"], part["which"] = part["picture"] + pictures, part["which"] + empties
        pictures, empties = pictures + one.pictures, empties + len(one.known)
    return Batch(**{name: torch.cat([part[name] for part in parts]) for name in parts[0]}, pictures=pictures)
