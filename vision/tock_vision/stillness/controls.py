"""The automatics of a camera, and what any kind of camera must be able to do with them."""

from collections.abc import Mapping
from enum import Enum
from typing import Protocol


class Automatic(Enum):
    """A setting that a camera changes automatically."""

    EXPOSURE = "exposure"
    """With its gain: both make the picture brighter."""
    COLORS = "colors"
    """White balance."""
    FOCUS = "focus"


class Hold(Enum):
    """Outcome for an automatic that was to be held."""

    HELD = "held"
    FREE = "free"
    """The camera goes on changing it: it does not offer to stop, or it refuses."""
    FIXED = "fixed"
    """There is nothing to hold: a lens without a motor."""


Holds = Mapping[Automatic, Hold]


class Controls(Protocol):
    """The controls of one open camera; no call raises."""

    def follow(self) -> None:
        """Let the camera's automatics work."""

    def hold(self) -> Holds:
        """Hold every automatic where it stands now."""

    def is_held(self) -> bool:
        """Whether the camera still has the values that were held; False where it changed them."""

    def hold_again(self) -> None:
        """Set the values that were held once more."""

    def expose(self, factor: float) -> bool:
        """Hold an exposure that gives `factor` times the light; False where the camera does not do that."""


def free(holds: Holds) -> tuple[Automatic, ...]:
    """The automatics that the camera goes on changing."""
    return tuple(automatic for automatic in Automatic if holds.get(automatic) is Hold.FREE)
