"""Crossing one's own start hole for another lap, on foot, by a dotted line or with a jump (open point A-02).

A pawn that goes back with a four or is pushed with a five may always cross it.
"""

from tock_companion.rules.geometry import BoardShape
from tock_companion.rules.ruleset import Ruleset


def crosses_own_start(shape: BoardShape, seat: int, cell: int, steps: int) -> bool:
    """Whether a pawn that goes on from a track cell comes to its own start again, or past it."""
    return steps > 0 and shape.progress(seat, cell) + steps >= shape.track_length


def forbids_crossing_own_start(rules: Ruleset, pushed: bool) -> bool:
    """Whether a pawn may not begin another lap (R004-31); elsewhere it may always drive on."""
    return rules.own_start_crossing == "forbidden" and not pushed


def forbids_jumping_over_own_start(rules: Ruleset, pushed: bool) -> bool:
    """Whether a pawn may not jump from the summit before its own start to the one behind it (R001-28, R004-31)."""
    return not rules.jump_over_own_start and not pushed
