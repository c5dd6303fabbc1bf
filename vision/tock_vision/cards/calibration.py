"""Turns what the networks say into a chance that holds: fitted on synthetic scenes that no training saw."""

import json
from functools import cache
from importlib.resources import files

import numpy as np

from tock_vision.cards.physical import Seen

FEATURES = 4


def features(card: Seen) -> list[float]:
    """Return what the confidence is made of: all as log odds or counts (length: FEATURES)."""
    return [
        _log_odds(card.chance()),
        _log_odds(card.best.corner.score),
        float(min(len(card.looks), 2) - 1),
        float(np.log(np.clip(card.best.corner.height_px, 6, 60) / 20)),
    ]


def calibrated(card: Seen) -> float:
    """Return the chance that a card is right."""
    weights = _weights()
    values = np.array([1.0, *features(card)])
    return float(1 / (1 + np.exp(-np.clip(values @ weights, -12, 12))))


@cache
def _weights() -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    data = json.loads(files("tock_vision").joinpath("data", "card_calibration.json").read_text("utf-8"))
    return np.array(data["weights"], dtype=np.float64)


def _log_odds(chance: float) -> float:
    chance = min(max(chance, 1e-5), 1 - 1e-5)
    return float(np.log(chance / (1 - chance)))
