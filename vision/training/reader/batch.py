"""A batch of patches with their truth, and several batches as one."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import torch

HIDDEN = 2
BESIDE = -2
"""Owner of places beside the holes: there bare wood is neither an empty hole nor a pawn."""
PIXELS = ("seen", "known")
"""The parts of a batch that are pixels."""


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
    """Places without a hole; of them only the absence of a pawn is known (shape: [n])."""
    picture: torch.Tensor
    """Number of the picture of each patch within the batch (shape: [n])."""
    owner: torch.Tensor
    """Number of the seat of each hole, -1 for none, BESIDE beside the holes (shape: [n])."""
    pictures: int

    def tensors(self) -> dict[str, torch.Tensor]:
        """All of its parts but the number of pictures."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name != "pictures"}

    def halved(self) -> "Batch":
        """The batch with short pixels, for its way from a worker."""
        return replace(self, seen=self.seen.half(), known=self.known.half())

    def to(self, device: str) -> "Batch":
        """The batch on a device; on a GPU the pixels stay short."""
        parts = {name: values.to(device) for name, values in self.tensors().items()}
        short = torch.float32 if device == "cpu" else torch.bfloat16
        pixels = {
            name: parts[name].to(short).contiguous(memory_format=torch.channels_last) for name in PIXELS
        }
        return Batch(**parts | pixels, pictures=self.pictures)


def joined(batches: Sequence[Batch]) -> Batch:
    """Several batches as one."""
    parts = [one.tensors() for one in batches]
    pictures = empties = 0
    for part, one in zip(parts, batches, strict=True):
        part["picture"], part["which"] = part["picture"] + pictures, part["which"] + empties
        pictures, empties = pictures + one.pictures, empties + len(one.known)
    return Batch(**{name: torch.cat([part[name] for part in parts]) for name in parts[0]}, pictures=pictures)
