"""How much advice the host allows."""

import threading
from collections import Counter

from tock_companion.rules import Seat
from tock_web.door import ChoicesDoor

LEVELS = ("off", "nudge", "hint", "teacher")
"""How much advice there is: none, which card, which move, and after the turn what would have been best."""
MOST_PER_SEAT = 999
KEPT = "hints"


class HintDesk:
    """What the host allows, and how much of it each seat has had since the host last said so or a restart."""

    def __init__(self, choices: ChoicesDoor) -> None:
        self._choices = choices
        kept = choices.get(KEPT)
        self.most, self.per_seat = _read(kept if isinstance(kept, dict) else {})
        self.taken: Counter[Seat] = Counter()
        self.lock = threading.Lock()
        """One question at a time: two would make each other late."""

    def allow(self, most: object, per_seat: object) -> bool:
        """Take what the host says, False when there is no such thing."""
        if (most, per_seat) != _read({"most": most, "per_seat": per_seat}):
            return False
        self.most, self.per_seat = _read({"most": most, "per_seat": per_seat})
        self._choices.keep(KEPT, self.to_json())
        self.taken.clear()
        return True

    def refusal(self, level: str, seat: Seat) -> str | None:
        """Return why a seat gets no advice of a level, None when it does."""
        if level not in LEVELS[1 : LEVELS.index(self.most) + 1]:
            return "hint/off"
        spent = self.per_seat is not None and self.taken[seat] >= self.per_seat
        return "hint/spent" if spent else None

    def to_json(self) -> dict[str, object]:
        """Return what is allowed."""
        return {"most": self.most, "per_seat": self.per_seat}


def _read(data: dict[str, object]) -> tuple[str, int | None]:
    """Return what data allow; what is no such thing allows everything."""
    most, per_seat = data.get("most"), data.get("per_seat")
    is_number = type(per_seat) is int and 0 <= per_seat <= MOST_PER_SEAT
    return str(most) if most in LEVELS else LEVELS[-1], per_seat if is_number else None  # type: ignore[return-value]
