"""Measures that the makers of boards keep even: steps of the track, steps within homes, and squares or rows of camps.

A wrong lens stretches distant places along the radius only, so a square camp beyond a round track shows the lens
where the track alone does not. Each rule is a sum of logarithms of lengths that is 0 on an evenly made board:

    step of the track     log |b - a|                       one pitch
    home                  log |c - b| - log |b - a|         even steps
    camp in a square      log of one diagonal or side - log of the other
    camp in a row         even steps

Constants set in `dd40f1a2`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tock_vision.arrays import Floats, Ints
from tock_vision.discovery.structure import Layout

STEP_SIGMA, GROUP_SIGMA = 0.03, 0.015
"""Spread of the steps of a track, and of lengths alike in homes and camps, as logarithms, were they drilled exactly."""
ROW_SHARE = 2.0
"""A camp whose ends lie that many steps apart is a row."""

_Rule = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Regularity:
    """Rules about the lengths between holes of one zone."""

    ends: Ints
    """The holes at both ends of each length (shape: [n, 2])."""
    spins: Floats
    """How each end is turned from the first zone (shape: [n, 2, 2, 2])."""
    rules: Floats
    """Each rule as weights of the logarithms of lengths, in sigmas (shape: [m, n])."""

    def residuals(self, places: Floats) -> Floats:
        """By how many sigmas each rule is broken (places: of all holes of the zone, shape: [26, 2])."""
        off: Floats = self.rules @ (np.log(_squared(self._steps(places))) / 2)
        return off

    def slopes(self, places: Floats) -> Floats:
        """The derivatives of the residuals by both coordinates of each hole (shape: [m, 2 * 26])."""
        steps = self._steps(places)
        slope = np.zeros((len(steps), places.size))
        rows = np.arange(len(steps))
        # d log|b - a| = (b - a) · (db - da) / |b - a|²: the far end pulls forwards, the near one backwards.
        for end, sign in ((1, 1.0), (0, -1.0)):
            change = sign * np.einsum("ni,nij->nj", steps / _squared(steps)[:, None], self.spins[:, end])
            for axis in range(2):
                slope[rows, 2 * self.ends[:, end] + axis] += change[:, axis]
        slopes: Floats = self.rules @ slope
        return slopes

    def _steps(self, places: Floats) -> Floats:
        """From one end of each length to the other (shape: [n, 2])."""
        at = np.einsum("neij,nej->nei", self.spins, places[self.ends])
        steps: Floats = at[:, 1] - at[:, 0]
        return steps


def regularity_of(layout: Layout, places: Floats, spread: float) -> Regularity:
    """The rules of a layout, by the order of its nodes; `places` are those of its holes, about right.

    `spread` is how far single holes are drilled off, as one sigma in pitches.
    """
    # Both ends of a length are off by its rest in the mean of all zones.
    drilled = spread * np.sqrt(2 / layout.zones)
    step_sigma, group_sigma = float(np.hypot(STEP_SIGMA, drilled)), float(np.hypot(GROUP_SIGMA, drilled))
    turns = [turn for _, turn in layout.nodes()]
    # The track ends at its own start, one zone further.
    ring, row = len(layout.track), len(layout.home)
    ends = [(number, (number + 1) % ring) for number in range(ring)]
    turned = [(turns[one], turns[other] + (other == 0)) for one, other in ends]
    first, camp = ring, ring + row
    groups = [(first + step, first + step + 1) for step in range(3)]
    groups += [(camp + one, camp + other) for one, other in ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3))]
    rules = [((1, 0), (-1, 1)), ((1, 1), (-1, 2)), *_camp_rules(_lengths(layout, places, camp))]
    weights = np.zeros((ring + len(rules), len(ends) + len(groups)))
    weights[np.arange(ring), np.arange(ring)] = 1 / step_sigma
    for number, rule in enumerate(rules, ring):
        for sign, length in rule:
            weights[number, ring + length] = sign / group_sigma
    angles = (
        2 * np.pi * np.array([*turned, *((turns[one], turns[other]) for one, other in groups)]) / layout.zones
    )
    cos, sin = np.cos(angles), np.sin(angles)
    spins = np.stack([np.stack([cos, -sin], axis=-1), np.stack([sin, cos], axis=-1)], axis=-2)
    return Regularity(np.array([*ends, *groups]), spins, weights)


def _lengths(layout: Layout, places: Floats, camp: int) -> Sequence[float]:
    """The sides of a camp, the last from its fourth hole to its first."""
    turns = np.exp(2j * np.pi * np.array([turn for _, turn in layout.camp]) / layout.zones)
    at = (places[camp:, 0] + 1j * places[camp:, 1]) * turns
    sides: list[float] = np.abs(np.roll(at, -1) - at).tolist()
    return sides


def _camp_rules(sides: Sequence[float]) -> list[_Rule]:
    if sides[3] > ROW_SHARE * sides[0]:
        return [((1, 3), (-1, 4)), ((1, 4), (-1, 5))]
    return [((1, 3), (-1, 4)), ((1, 4), (-1, 5)), ((1, 5), (-1, 6)), ((1, 7), (-1, 8))]


def _squared(step: Floats) -> Floats:
    """Squares of lengths, never quite 0 (shape: [n])."""
    squared: Floats = np.maximum((step**2).sum(axis=1), 1e-6)
    return squared
