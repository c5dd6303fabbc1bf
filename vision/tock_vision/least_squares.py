"""Robust nonlinear least squares: one loop that fits camera poses, alone or with the holes that they show.

Levenberg-Marquardt steps (Levenberg 1944, Marquardt 1963) on iteratively reweighted residuals: in each round a
residual counts with the weight that its loss gives it at the present size, so that a few wrong ones hardly pull.
A round takes O(m p² + p³) for m residuals and p parameters.

Fitting one number to four measurements of which the last is wrong, with a loss that hardly counts it:

>>> seen = np.array([1.0, 1.1, 0.9, 9.0])
>>> problem = (lambda p: p - seen, lambda p: np.ones((4, 1)))
>>> round(float(least_squares(*problem, np.array([3.0]), Cauchy(0.2)).params[0]), 2)
1.0
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tock_vision.arrays import Floats

START_DAMPING, MAX_DAMPING = 1e-3, 1e6
EASED, STIFFENED = 0.2, 8.0
"""Factors of the damping after a step that lowered the cost, and after one that did not."""
DONE_SHARE = 1e-4
"""The fit ends when a step lowers the cost by a smaller share of it."""


class Loss(Protocol):
    """The cost of a residual, by its size in sigmas."""

    def weights(self, sizes: Floats) -> Floats:
        """The weights with which squares have the slope of the loss: its derivative by the square of the size."""

    def total(self, sizes: Floats) -> float:
        """The sum of what all residuals cost."""


@dataclass(frozen=True)
class Huber:
    """Squares up to `bend` sigmas, straight beyond: a residual farther off pulls with constant force (Huber 1964)."""

    bend: float

    def weights(self, sizes: Floats) -> Floats:
        """1 up to the bend, falling with the size beyond."""
        weights: Floats = np.minimum(1.0, self.bend / np.maximum(sizes, 1e-9))
        return weights

    def total(self, sizes: Floats) -> float:
        """The sum of squares, straightened beyond the bend."""
        return float(np.where(sizes < self.bend, sizes**2, self.bend * (2 * sizes - self.bend)).sum())


@dataclass(frozen=True)
class Cauchy:
    """Grows as a logarithm: a residual beyond `scale` sigmas pulls less the farther off it is."""

    scale: float

    def weights(self, sizes: Floats) -> Floats:
        """1 for small residuals, a half at the scale, near 0 far beyond."""
        weights: Floats = 1 / (1 + (sizes / self.scale) ** 2)
        return weights

    def total(self, sizes: Floats) -> float:
        """The sum of what an error with Cauchy's distribution of that scale would make of the sizes."""
        return float(np.log1p((sizes / self.scale) ** 2).sum()) * self.scale**2


@dataclass(frozen=True)
class Prior:
    """Values at which parameters are held without regard to any residual, and how firmly."""

    params: Floats
    precision: Floats
    """Inverse of their covariance; 0 where a parameter moves freely (shape: [p, p])."""


@dataclass(frozen=True)
class Solution:
    """Parameters that explain the residuals best, with the numbers of the last step."""

    params: Floats
    normal: Floats
    """The normal matrix, about the inverse of the covariance of the parameters (shape: [p, p])."""


def least_squares(
    residuals: Callable[[Floats], Floats],
    jacobian: Callable[[Floats], Floats],
    start: Floats,
    loss: Loss,
    *,
    rounds: int = 12,
    prior: Prior | None = None,
    ridge: float = 0.0,
) -> Solution:
    """Minimise the total loss of the residuals, which are in sigmas.

    `residuals` has the shape [n], or [n, k] where the k of a row are weighed together by their length; `jacobian` then
    has [n, p], or [n, k, p]. `ridge` keeps the equations solvable where nothing says how large a parameter is.
    """
    count = len(start)
    held = prior or Prior(start, np.zeros((count, count)))

    def cost(off: Floats, params: Floats) -> float:
        away = params - held.params
        return loss.total(_sizes(off)) + float(away @ held.precision @ away)

    # Damping is small where steps succeed (Gauss and Newton's step) and large where they fail (a short one downhill).
    params, damping, normal = start.copy(), START_DAMPING, np.eye(count)
    off, gradient = residuals(params), np.zeros(count)
    best, is_new = cost(off, params), True
    for _ in range(rounds):
        # After a step that failed only the damping has changed, so the equations stay.
        if is_new:
            pull = np.sqrt(loss.weights(_sizes(off)))
            rows: Floats = _scaled(jacobian(params), pull).reshape(-1, count)
            normal = rows.T @ rows + held.precision
            gradient = rows.T @ _scaled(off, pull).ravel() + held.precision @ (params - held.params)
        eased = normal + damping * np.diag(np.diag(normal)) + ridge * np.eye(count)
        trial = params + np.linalg.solve(eased, -gradient)
        off_there = residuals(trial)
        value = cost(off_there, trial)
        is_new = value < best
        if is_new:
            is_done = best - value < DONE_SHARE * best
            params, off, best, damping = trial, off_there, value, damping * EASED
            if is_done:
                break
        else:
            damping *= STIFFENED
            if damping > MAX_DAMPING:
                break
    return Solution(params, normal)


def _sizes(off: Floats) -> Floats:
    sizes: Floats = np.abs(off) if off.ndim == 1 else np.linalg.norm(off, axis=1)
    return sizes


def _scaled(rows: Floats, factors: Floats) -> Floats:
    """Each row times its factor."""
    scaled: Floats = rows * factors.reshape(-1, *[1] * (rows.ndim - 1))
    return scaled
