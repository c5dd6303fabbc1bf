"""A player's mistake as a value: its code, the statements it breaks, the numbers its sentence needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tock_rules.cards import Card
from tock_rules.holes import Hole
from tock_rules.seats import Seat

Param = int | str | bool


@dataclass(frozen=True)
class Violation:
    """One mistake; the views write the sentence."""

    code: str
    """Stable: `move/too_far`, `move/passed_protected`, …"""
    breaks: tuple[str, ...]
    """Statements such as `R004-19`, most specific first."""
    seat: Seat | None = None
    """The seat that made it."""
    card: Card | None = None
    holes: tuple[Hole, ...] = ()
    """The holes concerned, the most telling one first."""
    params: Mapping[str, Param] = field(default_factory=dict, hash=False)
    """Numbers and names for the sentence; JSON values."""
