"""Logistic regressions: of two classes by Newton's method, of several by descent; and the arguments of a fit."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np

Array = Any
NEWTON_STEPS, MAX_ODDS = 40, 20
STEPS, RATE, MOMENTUM, DECAY = 400, 0.5, 0.9, 1e-3


def art_and_out(about: str | None) -> tuple[Path, Path]:
    """The arguments of a fit: the folder of art.py, and the file to write."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("art", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    return options.art, options.out


def two_classes(
    rows: Array, right: Array, *, pull: float, towards: Array | float = 0.0, counts: Array | float = 1.0
) -> Array:
    """Weights that tell the right rows from the others, pulled towards known ones; each row may count more or less."""
    weights = np.zeros(rows.shape[1], rows.dtype)
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -MAX_ODDS, MAX_ODDS)))
        slope = rows.T @ (counts * (chance - right)) / len(right) + pull * (weights - towards)
        bend = (rows * (counts * chance * (1 - chance))[:, None]).T @ rows / len(right)
        weights -= np.linalg.solve(bend + pull * np.eye(len(weights), dtype=rows.dtype), slope)
    return weights


def with_ones(rows: Array) -> Array:
    """Rows with a last column of ones, for the constant."""
    return np.hstack([rows, np.ones((len(rows), 1), np.float32)])


def several_classes(seen: Array, truth: Array, count: int) -> Array:
    """Weights of each class (shape: [count, features + 1])."""
    rows = with_ones(seen)
    wanted = np.eye(count, dtype=np.float32)[truth]
    weights = np.zeros((count, rows.shape[1]), np.float32)
    speed = np.zeros_like(weights)
    for _ in range(STEPS):
        values = rows @ weights.T
        chances = np.exp(values - values.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        slope = (chances - wanted).T @ rows / len(rows) + DECAY * weights
        speed = MOMENTUM * speed - RATE * slope
        weights += speed
    return weights


def classes(weights: Array, seen: Array) -> Array:
    """The likeliest class of each row."""
    return (seen @ weights[:, :-1].T + weights[:, -1]).argmax(axis=1)
