"""The host's limits on advice, and the advice that each seat has had."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Literal, get_args

from pydantic import Field, ValidationError

from tock_companion.schema import Schema
from tock_rules import Seat
from tock_web.services import Choices

Level = Literal["nudge", "hint", "teacher"]
"""The card to play; the move to make; and after the turn, the best alternative."""
LEVELS: tuple[Level, ...] = get_args(Level)
MAX_HINTS_PER_SEAT = 999
KEPT_AS = "hints"


class HintAllowance(Schema):
    """The highest level of advice, and the number of hints for each seat; null for any number."""

    most: Literal["off", Level]
    per_seat: Annotated[int, Field(ge=0, le=MAX_HINTS_PER_SEAT)] | None = None


class HintQuota:
    """The host's limits, and each seat's hints since they were last set or since a restart."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        self.allowance = _kept(choices.get(KEPT_AS))
        self.taken: Counter[Seat] = Counter()
        self._one_at_a_time = threading.Lock()
        """Two questions at the same time would delay each other."""
        self._noting = threading.Lock()
        self._asking: set[Seat] = set()

    def allow(self, allowance: HintAllowance) -> None:
        """Take the host's decision; every count starts again. Raises TockError when it cannot be saved."""
        self._choices.keep(KEPT_AS, allowance.model_dump())
        self.allowance = allowance
        self.taken.clear()

    @contextmanager
    def turn(self, seat: Seat) -> Iterator[bool]:
        """Wait until no other seat is being advised; False when this seat's last question is not answered yet.

        A seat that keeps asking occupies one thread of the server at most, and the other seats get theirs in between.
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
        """The reason why a seat gets no advice of a level; None when it does."""
        most, per_seat = self.allowance.most, self.allowance.per_seat
        if most == "off" or LEVELS.index(level) > LEVELS.index(most):
            return "hint/off"
        return "hint/spent" if per_seat is not None and self.taken[seat] >= per_seat else None


def _kept(choice: object) -> HintAllowance:
    """The choice from before the start; everything is allowed where there is none, or none that can be read."""
    try:
        return HintAllowance.model_validate(choice)
    except ValidationError:
        return HintAllowance(most="teacher")
