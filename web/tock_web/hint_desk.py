"""How much advice the host allows."""

import threading
from collections import Counter
from dataclasses import dataclass, field

from tock_companion.rules.geometry import Seat

LEVELS = ("off", "nudge", "hint", "teacher")
"""How much advice there is: none, which card, which move, and after the turn what would have been best."""


@dataclass(slots=True)
class HintDesk:
    """What the host allows, and how much of it each seat has had since the host last said so."""

    most: str = "teacher"
    per_seat: int | None = None
    taken: Counter[Seat] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)
    """One question at a time: two would make each other late."""

    def refusal(self, level: str, seat: Seat) -> str | None:
        """Return why a seat gets no advice of a level, None when it does."""
        if level not in LEVELS[1 : LEVELS.index(self.most) + 1]:
            return "hint/off"
        spent = self.per_seat is not None and self.taken[seat] >= self.per_seat
        return "hint/spent" if spent else None

    def to_json(self) -> dict[str, object]:
        """Return what is allowed."""
        return {"most": self.most, "per_seat": self.per_seat}
