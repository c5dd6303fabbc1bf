"""A photograph in grey and by its brightest and darkest colour: holes show in one where paint hides them in another.

A dark hole in blue paint is as dark as the paint in grey, which hardly counts blue, and lies in light by the brightest
colour; a white ring in a red board stands out most by the darkest:

                        grey    brightest    darkest
    hole / blue paint   20/40   25/200       18/30
    ring / red wood     200/90  210/180      190/40
"""

from typing import TypeAlias

import numpy as np

from tock_vision.arrays import Frame, Gray, Singles
from tock_vision.holeness import holeness

Shades: TypeAlias = Frame
"""A picture in one grey or several, the usual first (shape: [height, width] or [height, width, n])."""


def other_greys(frame: Frame) -> tuple[Gray, Gray]:
    """The brightest and the darkest of a photograph's colours at each pixel."""
    return frame.max(axis=2), frame.min(axis=2)


def usual_gray(shades: Shades) -> Gray:
    """The usual grey of a picture."""
    return shades if shades.ndim == 2 else np.ascontiguousarray(shades[..., 0])


def holes_in(shades: Singles) -> Singles:
    """Chance of a hole's middle at each pixel, by the grey that shows one best; scaled as for `holeness`."""
    if shades.ndim == 2:
        return holeness(shades)
    chances = [holeness(np.ascontiguousarray(shades[..., number])) for number in range(shades.shape[2])]
    best: Singles = np.max(chances, axis=0)
    return best
