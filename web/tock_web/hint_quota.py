"""How much advice the host allows, and how much each seat has had."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Literal, get_args

from pydantic import Field, ValidationError

from tock_companion.rules import Seat
from tock_companion.schema import Schema
from tock_web.choices import Choices

Level = Literal["nudge", "hint", "teacher"]
"""Which card; which move; and after the turn what would have been best."""
LEVELS: tuple[Level, ...] = get_args(Level)
MAX_HINTS_PER_SEAT = 999
KEPT_AS = "hints"


class HintAllowance(Schema):
    """The highest level of advice, and how many hints each seat gets; null for any number."""

    most: Literal["off", Level]
    per_seat: Annotated[int, Field(ge=0, le=MAX_HINTS_PER_SEAT)] | None = None


class HintQuota:
    """What the host allows, and what each seat has taken since the host last said so or since a restart."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        self.allowance = _kept(choices.get(KEPT_AS))
        self.taken: Counter[Seat] = Counter()
        self._one_at_a_time = threading.Lock()
        """Two questions at the same time would make each other late."""
        self._noting = threading.Lock()
        self._asking: set[Seat] = set()

    def allow(self, allowance: HintAllowance) -> None:
        """Take the host's decision; every seat starts again from none. Raises TockError when it cannot be kept."""
        self._choices.keep(KEPT_AS, allowance.model_dump())
        self.allowance = allowance
        self.taken.clear()

    @contextmanager
    def turn(self, seat: Seat) -> Iterator[bool]:
        """Wait until no other seat is being advised; False when this seat's last question is not answered yet.

        A seat that asks and asks keeps one thread of the server at most, and the other seats get theirs in between.
        """
        with self._noting:
            is_asking = seat in self._asking
            self._asking.add(seat)
        if is_asking:
            yield False
            return
        try:
            with self._one_at_a_time:
                yield True
        finally:
            self._asking.discard(seat)

    def refusal(self, level: Level, seat: Seat) -> str | None:
        """Why a seat gets no advice of a level; None when it does."""
        most, per_seat = self.allowance.most, self.allowance.per_seat
        if most == "off" or LEVELS.index(level) > LEVELS.index(most):
            return "hint/off"
        return "hint/spent" if per_seat is not None and self.taken[seat] >= per_seat else None


def _kept(choice: object) -> HintAllowance:
    """What was chosen before the start; everything is allowed where nothing was, or nothing that can be read."""
    try:
        return HintAllowance.model_validate(choice)
    except ValidationError:
        return HintAllowance(most="teacher")
