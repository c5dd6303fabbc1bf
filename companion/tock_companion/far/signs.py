"""Signs that people of both homes give each other: each is shown for some seconds, at a limited rate."""

from collections.abc import Callable

from tock_companion.far.board_messages import SIGN_S
from tock_companion.views.state import Sign, SignGiven
from tock_rules import Seat

EVERY_S = 1.0


class Signs:
    """The sign that is shown now, and who gave one a moment ago."""

    def __init__(self, clock_s: Callable[[], float]) -> None:
        self._clock_s = clock_s
        self._last: SignGiven | None = None
        self._until_s = 0.0
        self._given_at_s: dict[Seat | str, float] = {}

    @property
    def shown(self) -> SignGiven | None:
        return self._last if self._clock_s() < self._until_s else None

    def give(self, seat: Seat | None, sign: Sign, name: str = "") -> SignGiven | None:
        """Show a sign of a seat, or of a spectator of that name; None when they come too fast."""
        now_s, giver = self._clock_s(), name if seat is None else seat
        recent = {one: at_s for one, at_s in self._given_at_s.items() if now_s - at_s < EVERY_S}
        if giver in recent:
            return None
        self._given_at_s = {**recent, giver: now_s}
        number = 1 if self._last is None else self._last.number + 1
        self._last, self._until_s = SignGiven(number, seat, sign, name), now_s + SIGN_S
        return self._last
