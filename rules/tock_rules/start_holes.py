"""Start holes that bar the way: one's own, and those of pawns that are protected (open points A-02, A-05 to A-08).

One's own is crossed for another lap on foot, by a dotted line or with a jump; a pawn that goes back with a four or is
pushed with a five may always cross it. Which pawn is protected, one that has just come out or any own pawn, is
`Mechanics.protected_seats`.
"""

from tock_rules.geometry import BoardShape
from tock_rules.ruleset import Ruleset


def crosses_own_start(shape: BoardShape, seat: int, cell: int, steps: int) -> bool:
    """Whether a pawn that goes on from a track cell comes to its own start again, or past it."""
    return steps > 0 and shape.progress(seat, cell) + steps >= shape.track_length


def forbids_crossing_own_start(rules: Ruleset, pushed: bool) -> bool:
    """Whether a pawn may not begin another lap (R004-31); elsewhere it may always drive on."""
    return rules.own_start_crossing == "forbidden" and not pushed


def forbids_jumping_over_own_start(rules: Ruleset, pushed: bool) -> bool:
    """Whether a pawn may not jump from the summit before its own start to the one behind it (R001-28, R004-31)."""
    return not rules.jump_over_own_start and not pushed


def forbids_passing_protected_start(rules: Ruleset, sweeps: bool) -> bool:
    """Whether a pawn may not pass a protected start (R002-18, R004-29); cards that sweep have a rule of their own."""
    return rules.king_at_protected == "blocked" if sweeps else rules.start_blocks


def forbids_taking_protected_start(rules: Ruleset, sweeps: bool) -> bool:
    """Whether a pawn may not land on a protected start (R000-28): a sweeping one may at most (open point A-08)."""
    return not (sweeps and rules.king_at_protected == "takes")
