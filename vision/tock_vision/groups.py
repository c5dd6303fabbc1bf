"""Whether camps and homes are where a board file has them: the track of another board may lie alike, and its camps not.

A hand covers the camp of one seat or two; a board file that does not fit is wrong for all seats alike.
"""

from functools import lru_cache

import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind
from tock_vision.arrays import Bools, Floats, Ints

GROUPS = (HoleKind.CAMP, HoleKind.HOME)


@lru_cache(maxsize=64)
def _alike(board: BoardFile) -> dict[HoleKind, Ints]:
    """Return the numbers of the holes that are each other's image when the board turns (shape: [holes, zones])."""
    rows: dict[HoleKind, dict[int, list[int]]] = {}
    track = sum(hole.kind is HoleKind.TRACK for hole in board.holes) // board.zones
    for number, hole in enumerate(board.holes):
        place = hole.index % track if hole.kind is HoleKind.TRACK else hole.index
        rows.setdefault(hole.kind, {}).setdefault(place, []).append(number)
    return {
        kind: np.array(list(places.values()))
        for kind, places in rows.items()
        if kind in (*GROUPS, HoleKind.TRACK) and len({len(own) for own in places.values()}) == 1
    }


def weakest_group(values: Floats, inside: Bools, board: BoardFile) -> float:
    """Return how round the places of camps or of homes are, whichever are less, relative to those of the track.

    Of the holes that are each other's image the second roundest counts, so one seat or two may be covered; 1 where too
    little is in the picture. `values` and `inside` are of all holes (shape: [n] each).
    """
    seen = np.where(inside, values, np.nan)
    means = {}
    for kind, numbers in _alike(board).items():
        some = seen[numbers]
        usable = (~np.isnan(some)).sum(axis=1) >= 2
        if usable.any():
            means[kind] = float(np.sort(np.nan_to_num(some[usable], nan=-1.0), axis=1)[:, -2].mean())
    track = means.get(HoleKind.TRACK, 0.0)
    if track <= 0:
        return 1.0
    return min((means[kind] / track for kind in GROUPS if kind in means), default=1.0)
