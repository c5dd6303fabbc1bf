"""Reads the cards of a hand that lie between two clear ones: there the finder takes two close indices for one."""

from collections.abc import Iterator, Sequence
from math import hypot, pi

import numpy as np

from tock_vision.cards.classifier import Classifier, IndexReading, Pyramid
from tock_vision.cards.closer_look import in_cuts
from tock_vision.cards.corners import LABELS, Corner, is_joker
from tock_vision.cards.physical import TWIN_CHANCE, likeliest, standing, sureness

ALIKE_SIZES, ALIKE_TURN = 1.4, 0.6
"""Neighbours in a hand differ in height by less than this factor, and in direction by less than this (radians)."""
GAPS_HEIGHTS = 0.6, 2.6
"""Distance of two neighbours between which another index may lie, in heights."""
STEP_HEIGHTS = 0.65
"""Distance of an index from its neighbour from which two more may lie between."""
FREE_HEIGHTS = 0.25
"""An index is at least this far from any that is clear already."""
TWIN_HEIGHTS = 1.0
"""Nearer than this, no second index of the same name is believed."""
SURE, VALID = 0.9, 0.9
"""Least chance of the card, and of being an index at all, by all cuts together: nothing but this look has found it."""
AGREED = 2.0
"""Views for which the cuts of one place count, which agree more often."""


def with_those_between(
    classifier: Classifier, pyramid: Pyramid, readings: Sequence[IndexReading]
) -> list[IndexReading]:
    """The readings of a picture and those of indices between two that are clear."""
    clear = [one for one in readings if standing(one) >= TWIN_CHANCE and not is_joker(LABELS[likeliest(one)])]
    probes = list(_probes(clear))
    if not probes:
        return list(readings)
    places = [place.on_grid() for place in classifier.centred(pyramid, classifier.centred(pyramid, probes))]
    kept = [
        place
        for place, probe in zip(places, probes, strict=True)
        if _is_free(place, clear) and _is_alike(place, probe)
    ]
    if not kept:
        return list(readings)
    found = [
        IndexReading(place, *seen, AGREED)
        for place, seen in zip(kept, in_cuts(classifier, pyramid, kept), strict=True)
    ]
    believed = [
        one for one in found if one.valid >= VALID and sureness(one) >= SURE and not _is_twin(one, clear)
    ]
    return _joined_to(list(readings), believed)


def _probes(clear: Sequence[IndexReading]) -> Iterator[Corner]:
    """Places between neighbours."""
    corners = [one.corner for one in clear]
    for number, first in enumerate(corners):
        for second in corners[number + 1 :]:
            gap = _gap(first, second)
            if gap is None or any(_is_between(other, first, second) for other in corners):
                continue
            shares = (0.5,) if gap < 2 * STEP_HEIGHTS else (0.33, 0.5, 0.67)
            yield from (_part_way(first, second, share) for share in shares)


def _gap(first: Corner, second: Corner) -> float | None:
    """Distance of two indices of a hand in their heights; None where they are no neighbours."""
    right, down, turn = second.seen_from(first)
    size = second.height_px / first.height_px
    if abs(turn) > ALIKE_TURN or not 1 / ALIKE_SIZES < size < ALIKE_SIZES:
        return None
    gap = hypot(right, down) / ((1 + size) / 2)
    return gap if GAPS_HEIGHTS[0] < gap < GAPS_HEIGHTS[1] and abs(right) > abs(down) else None


def _is_between(other: Corner, first: Corner, second: Corner) -> bool:
    if other is first or other is second:
        return False
    return max(other.distance_px(first), other.distance_px(second)) < first.distance_px(second)


def _part_way(first: Corner, second: Corner, share: float) -> Corner:
    turn = (second.up - first.up + pi) % (2 * pi) - pi
    return Corner(
        first.x + share * (second.x - first.x),
        first.y + share * (second.y - first.y),
        first.up + share * turn,
        first.height_px * (second.height_px / first.height_px) ** share,
        0.5,
    )


def _is_free(place: Corner, clear: Sequence[IndexReading]) -> bool:
    return all(
        place.distance_px(one.corner) >= FREE_HEIGHTS * max(place.height_px, one.corner.height_px)
        for one in clear
    )


def _is_twin(one: IndexReading, clear: Sequence[IndexReading]) -> bool:
    """Whether it names the card next to it: more likely that is seen twice than that two equal cards lie there."""
    return any(
        likeliest(one) == likeliest(other)
        and one.corner.distance_px(other.corner)
        < TWIN_HEIGHTS * max(one.corner.height_px, other.corner.height_px)
        for other in clear
    )


def _is_alike(place: Corner, probe: Corner) -> bool:
    return (
        abs(place.seen_from(probe)[2]) < ALIKE_TURN / 2
        and abs(np.log(place.height_px / probe.height_px)) < 0.3
    )


def _joined_to(readings: list[IndexReading], found: list[IndexReading]) -> list[IndexReading]:
    """All readings, those found now in the place of weaker ones of the same index."""
    for one in sorted(found, key=sureness, reverse=True):
        near = [
            n
            for n, other in enumerate(readings)
            if other.corner.distance_px(one.corner) < FREE_HEIGHTS * one.corner.height_px
        ]
        if any(standing(readings[n]) >= TWIN_CHANCE for n in near):
            continue
        readings = [other for n, other in enumerate(readings) if n not in near] + [one]
    return readings
