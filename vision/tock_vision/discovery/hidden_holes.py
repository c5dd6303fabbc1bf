"""Infers holes hidden in every zone, by cards for example, from two rows of holes that lead to the same place.

Pure geometry on complex places in pitches.

Constants set in `88d4c84f`; MEETING_PITCHES in `4c76c3e3`.
"""

from collections.abc import Iterator

import numpy as np

from tock_vision.arrays import Floats

STEP = (0.8, 1.25)
MAX_GAP = 2
"""Consecutive holes that one row may lack."""
MEETING_PITCHES = 0.35
TAKEN_PITCHES = 0.55
"""Distance from a hole within which there is no other."""
MIN_CENTRE_PITCHES = 0.8


def find_gaps(holes: Floats, zones: int) -> Floats:
    """Find places in the first zone where two interrupted rows would meet (holes: of all zones, shape: [n])."""
    ends = list(_ends(holes))
    heads = np.array([steps[-1] for steps in ends])
    found: list[complex] = []
    for number, steps in enumerate(ends):
        near = np.flatnonzero(np.abs(heads - steps[-1]) < MEETING_PITCHES)
        for other in near[near > number]:
            meeting = (steps[-1] + ends[int(other)][-1]) / 2
            for place in (*steps[:-1], *ends[int(other)][:-1], meeting):
                if _is_new(place, found, zones):
                    found.append(complex(place))
    places: Floats = np.array(found, dtype=complex)
    return places


def _ends(holes: Floats) -> Iterator[tuple[complex, ...]]:
    """Continuations of rows that break off, by one step and by two."""
    gap = np.abs(holes[:, None] - holes[None])
    for last, before in np.argwhere((gap > STEP[0]) & (gap < STEP[1])):
        step = holes[last] - holes[before]
        steps: tuple[complex, ...] = ()
        for count in range(1, MAX_GAP + 1):
            place = complex(holes[last] + count * step / abs(step))
            if np.abs(holes - place).min() < TAKEN_PITCHES:
                break
            steps = (*steps, place)
            yield steps


def _is_new(place: complex, found: list[complex], zones: int) -> bool:
    """Whether a place lies in the first zone and apart from the places found so far."""
    if not 0 <= np.angle(place) % (2 * np.pi) < 2 * np.pi / zones or abs(place) < MIN_CENTRE_PITCHES:
        return False
    turns = np.exp(2j * np.pi * np.arange(zones) / zones)
    return all(np.abs(other * turns - place).min() > TAKEN_PITCHES for other in found)
