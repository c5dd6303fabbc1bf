"""Turns the outputs of the networks into calibrated chances, fitted on synthetic pictures that no training saw."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from tock_vision.arrays import Singles
from tock_vision.cards.corners import is_joker
from tock_vision.cards.physical import PhysicalCard

FEATURES = 9
SECOND_AT, ALONE_AT = 2, 6
"""Columns of the features: a second corner was read; no other card of the picture is clear."""
MAX_AGREED = 6.0
MAX_JOKER_CONFIDENCE = 0.85
"""The marks of jokers differ from pack to pack: unless enrolled, a player should check."""
MAX_LONE_JOKER_CONFIDENCE = 0.45
"""A joker read by one corner only, by many looks, or alone in a picture, stays unnamed: words and letters look like its
mark."""
CLEAR_CHANCE = 0.8
"""Cards with at least this chance define how tall an index is in this picture."""


def features(cards: Sequence[PhysicalCard]) -> Singles:
    """Features of the confidence of each card: log odds, counts, sizes (shape: [n, FEATURES])."""
    heights = np.log([max(card.best.corner.height_px, 1.0) for card in cards])
    chances = [card.chance() for card in cards]
    rows = []
    for number, card in enumerate(cards):
        others = [h for n, h in enumerate(heights) if n != number and chances[n] >= CLEAR_CHANCE]
        rows.append(
            [
                _log_odds(chances[number]),
                _log_odds(card.best.corner.score),
                min(len(card.indices), 2) - 1,
                np.clip(heights[number], np.log(6), np.log(60)) - np.log(20),
                is_joker(card.card),
                min(abs(heights[number] - np.median(others)), 1.0) if others else 0.0,
                # Something like a card in a picture without any other is more often none.
                not others,
                # Both say nothing after a single look, which seeks no outlines either.
                np.log1p(min(sum(index.agreed for index in card.indices[:2]), MAX_AGREED)),
                card.outline is not None,
            ]
        )
    return np.array(rows, dtype=np.float32).reshape(-1, FEATURES)


def calibrated(cards: Sequence[PhysicalCard], thorough: bool = False) -> list[float]:
    """Chance that each card of a picture is right; one corner alone never makes a joker certain."""
    weights, rows = _weights("thorough" if thorough else "quick"), features(cards)
    chances = 1 / (1 + np.exp(-np.clip(weights[0] + rows @ weights[1:], -12, 12)))
    # Many looks find two marks of a joker on any card with letters: there only the word, or one's own joker, names it.
    left_open = thorough | (rows[:, SECOND_AT] == 0) | (rows[:, ALONE_AT] > 0)
    limits = np.where(left_open, MAX_LONE_JOKER_CONFIDENCE, MAX_JOKER_CONFIDENCE)
    return [
        min(float(chance), float(limit)) if is_joker(card.card) else float(chance)
        for chance, limit, card in zip(chances, limits, cards, strict=True)
    ]


@cache
def _weights(reading: str) -> Singles:
    """The weights for a quick or a thorough reading (shape: [FEATURES + 1], the first stands alone)."""
    data = json.loads(files("tock_vision").joinpath("data", "card_calibration.json").read_text("utf-8"))
    return np.array(data[reading], dtype=np.float32)


def _log_odds(chance: float) -> float:
    chance = min(max(chance, 1e-5), 1 - 1e-5)
    return float(np.log(chance / (1 - chance)))
