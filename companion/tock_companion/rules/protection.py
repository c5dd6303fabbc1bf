"""The protection of a pawn on its own start hole (open points A-05 to A-08).

Which pawn is protected, one that has just come out or any own pawn, is `Mechanics.protected_seats`.
"""

from tock_companion.rules.ruleset import Ruleset


def forbids_passing_protected_start(rules: Ruleset, sweeps: bool) -> bool:
    """Whether a pawn may not pass a protected start (R002-18, R004-29); cards that sweep have a rule of their own."""
    return rules.king_at_protected == "blocked" if sweeps else rules.start_blocks


def forbids_taking_protected_start(rules: Ruleset, sweeps: bool) -> bool:
    """Whether a pawn may not land on a protected start (R000-28): a sweeping one may at most (open point A-08)."""
    return not (sweeps and rules.king_at_protected == "takes")
