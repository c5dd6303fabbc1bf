"""Whether a board has a hole in the middle: letters are printed there as well, fields meet, and cards lie there."""

from collections.abc import Sequence
from enum import Enum

import numpy as np

from tock_companion.rules import HoleKind
from tock_vision.discovery.drafting import FoundHole

SURE_ODDS = 3.0
"""As a logarithm: what is less likely is asked about."""
MAX_ODDS = 4.0
"""What one photograph counts for at most: in another the same thing may lie there."""
LIKELY_ODDS = 1.5
"""How much likelier a hole is where homes come nearest to the middle, and less likely where the track does.

So it is on ten of the twelve boards D01 to D12.
"""


class Centre(Enum):
    """What the middle of a board shows."""

    HOLE = "hole"
    BARE = "bare"
    UNKNOWN = "unknown"


def combined_odds(odds: Sequence[float]) -> float:
    """What several photographs say together of a hole in the middle, as the logarithm of its odds."""
    return float(np.clip(odds, -MAX_ODDS, MAX_ODDS).sum())


def centre_of(odds: float) -> Centre:
    """What is known of the middle."""
    if abs(odds) < SURE_ODDS:
        return Centre.UNKNOWN
    return Centre.HOLE if odds > 0 else Centre.BARE


def is_likely(holes: Sequence[FoundHole], odds: float) -> bool:
    """Whether a middle of which little is seen is likelier a hole; whoever has the board is asked in any case."""
    nearest = min(holes, key=lambda hole: float(np.linalg.norm(hole.place))).kind
    return odds + (LIKELY_ODDS if nearest is HoleKind.HOME else -LIKELY_ODDS) > 0
