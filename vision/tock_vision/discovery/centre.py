"""Whether a board has a hole in the middle, where letters may be printed, fields may meet and cards may lie.

Constants set in `6d611e10`; LIKELY_ODDS in `4169eeb3`.
"""

from collections.abc import Sequence
from enum import Enum

import numpy as np

from tock_rules import HoleKind
from tock_vision.discovery.drafting import FoundHole

SURE_ODDS = 3.0
"""Log odds below which the player is asked."""
MAX_ODDS = 4.0
"""Cap on the log odds of one photograph: in another the same thing may lie there."""
LIKELY_ODDS = 1.5
"""Log odds added where homes come nearest to the middle and taken off where the track does.

This guess is right for ten of the twelve boards D01 to D12.
"""


class Centre(Enum):
    """The middle of a board, as photographs show it."""

    HOLE = "hole"
    BARE = "bare"
    UNKNOWN = "unknown"


def combined_odds(odds: Sequence[float]) -> float:
    """Log odds of a hole in the middle from several photographs together."""
    return float(np.clip(odds, -MAX_ODDS, MAX_ODDS).sum())


def centre_of(odds: float) -> Centre:
    """Decide, or leave it open."""
    if abs(odds) < SURE_ODDS:
        return Centre.UNKNOWN
    return Centre.HOLE if odds > 0 else Centre.BARE


def is_likely(holes: Sequence[FoundHole], odds: float) -> bool:
    """Whether a doubtful middle is likelier a hole; the player is asked in any case."""
    nearest = min(holes, key=lambda hole: float(np.linalg.norm(hole.place))).kind
    return odds + (LIKELY_ODDS if nearest is HoleKind.HOME else -LIKELY_ODDS) > 0
