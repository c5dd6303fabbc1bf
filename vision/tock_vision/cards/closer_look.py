"""Looks once more at indices of which several views give no clear reading, where those views agree that they are."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tock_vision.arrays import Singles
from tock_vision.cards.classifier import Classifier, IndexReading, Pyramid
from tock_vision.cards.corners import LABELS, Corner, is_joker
from tock_vision.cards.physical import likeliest, overlap, standing, sureness
from tock_vision.cards.views import joined

UNCLEAR = 0.1, 0.9
"""Sureness of the readings that are looked at again."""
AGREEING, MIN_SAY = 3, 0.05
"""Number of the surest views that place the index; each counts by its sureness, and by this at least."""
JITTER = ((0.0, 0.0), (0.1, -0.12), (-0.1, 0.12))
"""Turns and growths of the cuts: the middle of the views is not exact either."""
SHARPENED = 1.5
"""What cuts of one place agree on is surer than each: the power to which their mean chance is raised."""
CONFIRMED_LITTLE = 0.5
"""Further views below which a reading that lies upon a clear one is taken for a part of it."""
FLOOR, MIXED_FLOOR = 1e-4, 1e-3
"""Chances below these are raised to them: networks exclude cards too surely."""


def looked_again(
    classifier: Classifier, pyramid: Pyramid, groups: Sequence[list[IndexReading]]
) -> list[IndexReading]:
    """One reading of each group of readings of one index; those that are not clear are cut where the views agree.

    Only where another index is clear: on cards of other games nothing is clear, and much is nearly an index.
    """
    readings = [joined(group) for group in groups]
    clear = [reading for reading in readings if standing(reading) >= UNCLEAR[1]]
    unclear = [
        n
        for n, reading in enumerate(readings)
        if UNCLEAR[0] < sureness(reading) < UNCLEAR[1] and not _is_fragment(reading, clear)
    ]
    if not unclear or not any(_is_clear(reading) for reading in readings):
        return readings
    agreed = [agreed_place(groups[n]).on_grid() for n in unclear]
    places = [place.on_grid() for place in classifier.centred(pyramid, agreed)]
    for n, place, (seen, valid) in zip(unclear, places, in_cuts(classifier, pyramid, places), strict=True):
        readings[n] = _with(readings[n], groups[n], place, seen, valid)
    return readings


def in_cuts(
    classifier: Classifier, pyramid: Pyramid, places: Sequence[Corner]
) -> list[tuple[Singles, float]]:
    """The chances of the cards at each place, and of an index being there, by several cuts for the larger network."""
    cuts = [place.moved(0.0, 0.0, turn, growth) for place in places for turn, growth in JITTER]
    chances, valid = classifier.large_readings(pyramid, cuts)
    by_place = chances.reshape(len(places), len(JITTER), -1), valid.reshape(len(places), len(JITTER))
    return [(_pooled(seen, sure), float(sure.mean())) for seen, sure in zip(*by_place, strict=True)]


def _is_fragment(reading: IndexReading, clear: Sequence[IndexReading]) -> bool:
    """Whether a clear index takes the place of what hardly a second view reads: a closer look decides nothing there."""
    return reading.agreed < CONFIRMED_LITTLE and any(
        overlap(reading, other) for other in clear if standing(other) > standing(reading)
    )


def _is_clear(reading: IndexReading) -> bool:
    return sureness(reading) >= UNCLEAR[1] and not is_joker(LABELS[likeliest(reading)])


def agreed_place(group: Sequence[IndexReading]) -> Corner:
    """The place, direction and height of an index on which the surest views of it agree."""
    surest = group[:AGREEING]
    says = np.array([sureness(reading) + MIN_SAY for reading in surest])
    rows = np.array(
        [
            (c.x, c.y, np.sin(c.up), np.cos(c.up), np.log(c.height_px))
            for c in (reading.corner for reading in surest)
        ]
    )
    x, y, sine, cosine, height = (float(value) for value in says @ rows / says.sum())
    return Corner(x, y, float(np.arctan2(sine, cosine)), float(np.exp(height)), group[0].corner.score)


def _pooled(chances: Singles, valid: Singles) -> Singles:
    """The chances of the cards by several cuts of one index (shape: [n, 54] to [54])."""
    logs = valid @ np.log(chances + FLOOR) / max(float(valid.sum()), 1e-6) * SHARPENED
    return _normal(logs)


def _normal(logs: Singles) -> Singles:
    chances = np.exp(logs - logs.max())
    return np.asarray(chances / chances.sum(), np.float32)


def _with(
    reading: IndexReading, group: Sequence[IndexReading], place: Corner, seen: Singles, valid: float
) -> IndexReading:
    """A reading that counts by half, the closer look by the other half."""
    mixed = _normal((np.log(reading.chances + MIXED_FLOOR) + np.log(seen + MIXED_FLOOR)) / 2)
    label = int(mixed.argmax())
    agreed = sum(sureness(other, label) for other in group) - sureness(group[0], label)
    return replace(
        reading, corner=place, chances=mixed, valid=(reading.valid + valid) / 2, agreed=float(agreed)
    )
