"""Notices by the pawns that board or camera was turned by some zones: holes lie on holes then, as before.

Two things speak for a turn. Pawns stay where they are on the board: if hardly any stands where it stood, and after a
turn nearly all do, the board was turned. And a seat's pawns alone stand in its camp and its home.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tock_companion.boardfile import BoardFile
from tock_companion.observation import HoleReading, HoleState
from tock_rules import Hole, HoleKind, Seat

Standing = Mapping[Hole, Seat]
SURE_PAWN_CONFIDENCE = 0.9
MIN_PAWNS, MIN_SEATS = 4, 2
"""Fewer pawns, or those of fewer seats, say nothing."""
MOVED_AT_ONCE = 3
"""The most pawns that may stand elsewhere after a move."""
ELSEWHERE = 1
"""The most that may seem to stand elsewhere after a turn: one is moved, or misread."""
CLEARLY_MORE = 2
"""Times as many pawns at home after one turn as after another speak against the other."""
FORGOTTEN_AFTER_MS = 2000
"""Pawns set up for another game, so that no turn explains them, are where they belong after so long."""


@dataclass
class WayRound:
    """Remembers where the pawns stood, reading by reading."""

    board: BoardFile
    _known: Standing = field(default_factory=dict)
    _seen: Standing = field(default_factory=dict)
    _strange_since_ms: int | None = None
    _owners_count: bool = True
    is_by_owners: bool = False
    """Whether the last answer goes by whose camps and homes the pawns are in, that is by their colours alone."""

    pawns: int = 0
    """The number of pawns of the last reading, of whatever colour."""

    def turns(self, holes: Mapping[Hole, HoleReading], t_ms: int, *, is_touched: bool = False) -> int:
        """By how many zones the names of the holes are to be turned; 0 where they are right, or nothing tells.

        Touches are only doubted where pawns stood elsewhere before. Where the answer is another than 0,
        `turn` or `stay` says whether the holes fit it.
        """
        self._seen = seen = _surely_seen(holes)
        self.is_by_owners = False
        self.pawns = sum(reading.state is HoleState.PAWN for reading in holes.values())
        says_something = len(seen) >= MIN_PAWNS and len(set(seen.values())) >= MIN_SEATS
        if says_something and self._elsewhere(seen, 0) > MOVED_AT_ONCE:
            found = self._by_memory(seen)
            if found:
                return found
            if self._strange_since_ms is None:
                self._strange_since_ms = t_ms
            if 0 <= t_ms - self._strange_since_ms < FORGOTTEN_AFTER_MS:
                return 0
        if says_something and not is_touched and self._owners_count:
            found = self._by_owners(seen)
            if found:
                self.is_by_owners = True
                return found
        self._remember(seen, holes)
        return 0

    def turn(self, turns: int) -> None:
        """Take over that the board was turned."""
        self._remember(
            {self.board.turned(hole, turns): seat for hole, seat in self._seen.items()},
            {},
        )

    def stay(self) -> None:
        """Take over that the holes fit no other way round: pawns stand in camps that are not theirs."""
        self._owners_count = False
        self._remember(self._seen, {})

    def _remember(self, seen: Standing, holes: Mapping[Hole, HoleReading]) -> None:
        """Take over the places of the pawns; hidden holes stay unchanged."""
        self._strange_since_ms = None
        hidden = {hole for hole, reading in holes.items() if reading.state is HoleState.UNKNOWN}
        kept = {hole: seat for hole, seat in self._known.items() if hole in hidden}
        self._known = {**kept, **seen}

    def _elsewhere(self, seen: Standing, turns: int) -> int:
        """Count the pawns that stand where none of their colour stood, of those whose colour was seen before."""
        known = set(self._known.values())
        return sum(
            seat in known and self._known.get(self.board.turned(hole, turns)) is not seat
            for hole, seat in seen.items()
        )

    def _by_memory(self, seen: Standing) -> int:
        away = {turns: self._elsewhere(seen, turns) for turns in range(1, self.board.zones)}
        best = min(away, key=lambda turns: away[turns])
        return best if away[best] <= ELSEWHERE else 0

    def _by_owners(self, seen: Standing) -> int:
        """The turn by which pawns in camps and homes are their owners', where as they are named hardly any is."""
        waiting = _waiting(seen)
        if len(waiting) < MIN_PAWNS or len(set(waiting.values())) < MIN_SEATS:
            return 0
        best = max(range(self.board.zones), key=self._owned)
        is_clear = self._owned(best) >= len(waiting) - ELSEWHERE and self._owned(0) <= ELSEWHERE
        return best if is_clear else 0

    def contradicts(self, turns: int) -> bool:
        """Whether the last reading's pawns are clearly in their owners' camps and homes after another turn."""
        best = max(map(self._owned, range(self.board.zones)))
        return best >= MIN_PAWNS and best > CLEARLY_MORE * self._owned(turns)

    def _owned(self, turns: int) -> int:
        """The number of pawns of the last reading that stand in their owners' camps and homes after a turn."""
        return sum(self.board.turned(hole, turns).seat is seat for hole, seat in _waiting(self._seen).items())


def _waiting(seen: Standing) -> Standing:
    """The pawns in camps and homes."""
    return {
        hole: seat
        for hole, seat in seen.items()
        if hole.kind in (HoleKind.CAMP, HoleKind.HOME) and hole.seat is not None
    }


def _surely_seen(holes: Mapping[Hole, HoleReading]) -> dict[Hole, Seat]:
    return {
        hole: reading.seat
        for hole, reading in holes.items()
        if reading.state is HoleState.PAWN
        and reading.seat is not None
        and reading.confidence >= SURE_PAWN_CONFIDENCE
    }
