"""Who is in the air and who was put down where, worked out from lifts and puts by a source that sees no colours.

A lifted pawn is known by the hole it left. With two pawns of different seats in the air a put may be either: every way
in which it may have gone is kept as a guess, the plainer the cheaper, and the rules choose among the guesses.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tock_companion.observation import HoleState, Touch
from tock_companion.referee.expectation import Expectation
from tock_companion.rules.geometry import Seat

BOUNCE_MS = 40
"""A contact that opens and closes again within so little has bounced; no hand is so quick."""
NOT_BACK = 1.0
"""Cost of a pawn put down where another one came from that is in the air too."""
STRANGER = 5.0
"""Cost of a pawn in a camp or home of another seat, and of a hole whose pawn is another than believed."""
MOST_GUESSES = 48
MOST_TOUCHES = 200


@dataclass(frozen=True, slots=True)
class Guess:
    """One way in which the pawns may have gone; seat None where nobody knows."""

    placed: Mapping[str, Seat | None] = field(default_factory=dict)
    air: tuple[tuple[Seat | None, str], ...] = ()
    """Pawns in the air, each with the hole it left, in the order lifted."""
    cost: float = 0.0

    def key(self) -> tuple[object, ...]:
        """Return what makes two guesses the same."""
        return frozenset(self.placed.items()), self.air


@dataclass(frozen=True, slots=True)
class Carrying:
    """All guesses since the position was last certain."""

    base: Expectation
    guesses: tuple[Guess, ...] = (Guess(),)
    emptied: frozenset[str] = frozenset()
    """Holes of the base from which the pawn was lifted and into which none has come since."""
    together: frozenset[frozenset[str]] = frozenset()
    """Pairs of holes whose own pawns were in the air at the same time."""
    touches: tuple[Touch, ...] = ()
    before_last: "Carrying | None" = None

    @classmethod
    def elsewhere(cls, base: Expectation, stands: Expectation) -> "Carrying":
        """Return the one guess that the pawns of `base` stand for now as in another position."""
        changed = base.changes(stands)
        placed = {hole: stands.holes[hole] for hole in changed if hole in stands.holes}
        return cls(base, (Guess(placed),), frozenset(hole for hole in changed if hole not in stands.holes))

    def bounces(self, touch: Touch, within_ms: int = BOUNCE_MS) -> bool:
        """Whether a touch only takes back the one before, so soon that it was no hand."""
        last = self.touches[-1] if self.touches else None
        if last is None or self.before_last is None or last.hole != touch.hole:
            return False
        return last.state is not touch.state and touch.t_ms - last.t_ms <= within_ms

    def after(self, touch: Touch, bounce_ms: int = BOUNCE_MS) -> "Carrying":
        """Return the guesses after one more lift or put; a bounce takes the touch before back."""
        if self.before_last is not None and self.bounces(touch, bounce_ms):
            return self.before_last
        if self.touches and (self.touches[-1].hole, self.touches[-1].state) == (touch.hole, touch.state):
            return self
        if touch.state is HoleState.EMPTY:
            carrying = self._lifted(touch.hole)
        elif self._stands(touch.hole):
            # Its own pawn was there unfelt: it has been moved a little, or lifted for the one that comes.
            carrying = self._lifted(touch.hole)._put(touch.hole)
        else:
            carrying = self._put(touch.hole)
        earlier = replace(self, before_last=None)
        touches = (*self.touches[-MOST_TOUCHES:], touch)
        return replace(carrying, touches=touches, before_last=earlier)

    def who(self, hole: str) -> Seat | None:
        """Return whose pawn stands in an occupied hole by the cheapest guess, None when nobody knows."""
        placed = self.guesses[0].placed
        return placed[hole] if hole in placed else self._owner(hole)

    def placed(self) -> list[str]:
        """Return the holes outside the camps into which pawns were put, by the cheapest guess."""
        return [hole for hole in self.guesses[0].placed if "-C" not in hole]

    def unexplained(self, hole: str) -> bool:
        """Whether a hole was filled while no pawn was in the air: a lift was missed, or a switch sticks."""
        guess = self.guesses[0]
        return not guess.air and guess.placed.get(hole, self.base) is None

    def cost(self, look: Expectation) -> float:
        """Return the cost of believing that pawns put down, and pawns never lifted, are those of `look`."""
        cheapest = self.guesses[0].cost
        other = [hole for hole in self.base.changes(look) if hole in self.base.holes and hole in look.holes]
        stayed = [hole for hole in other if hole not in self.emptied]
        return min(
            guess.cost
            - cheapest
            + STRANGER * (_strangers(guess, look) + sum(hole not in guess.placed for hole in stayed))
            for guess in self.guesses
        )

    def in_air_from(self, hole: str) -> frozenset[Seat | None]:
        """Return whose pawn may be in the air that was last lifted from a hole."""
        return frozenset(seat for guess in self.guesses for seat, origin in guess.air if origin == hole)

    def exchanged(self, holes: frozenset[str]) -> bool:
        """Whether these two holes' own pawns were in the air together."""
        return holes in self.together

    def _owner(self, hole: str) -> Seat | None:
        return Seat[hole[:2]] if "-C" in hole else self.base.holes.get(hole)

    def _own_pawn_in(self, hole: str) -> bool:
        """Whether a pawn of the base's seat is there, by the cheapest guess."""
        owner = self.base.holes.get(hole)
        return owner is not None and self.guesses[0].placed.get(hole, owner) is owner

    def _stands(self, hole: str) -> bool:
        """Whether the pawn of the base is believed to be there still: nothing was felt of it until now."""
        return (
            hole in self.base.holes
            and hole not in self.emptied
            and not any(hole in guess.placed for guess in self.guesses)
        )

    def _lifted(self, hole: str) -> "Carrying":
        own = self._owner(hole) if hole not in self.emptied else None
        guesses = []
        for guess in self.guesses:
            placed = dict(guess.placed)
            seat = placed.pop(hole) if hole in placed else own
            guesses.append(Guess(placed, (*guess.air, (seat, hole)), guess.cost))
        if not self._own_pawn_in(hole):
            return replace(self, guesses=_fewest(guesses))
        pairs = {frozenset({hole, other}) for other in self.emptied}
        return replace(
            self,
            guesses=_fewest(guesses),
            emptied=self.emptied | {hole},
            together=self.together | pairs,
        )

    def _put(self, hole: str) -> "Carrying":
        guesses: list[Guess] = []
        for guess in self.guesses:
            guesses.extend(_puts(guess, hole, self._owner(hole)))
        return replace(self, guesses=_fewest(guesses), emptied=self.emptied - {hole})


def _puts(guess: Guess, hole: str, owner: Seat | None) -> list[Guess]:
    """Return the ways in which one of the pawns in the air may have come into this hole.

    A pawn of which nobody knows whose it is, is the `owner` of the hole: what is missing there has come back.
    """
    if not guess.air:
        return [Guess({**guess.placed, hole: owner}, (), guess.cost)]
    own = {seat for seat, origin in guess.air if origin == hole}
    home = Seat[hole[:2]] if "-" in hole else None
    found: list[Guess] = []
    for seat in dict.fromkeys(seat for seat, _ in guess.air):
        index = max(
            (i for i, (flying, _) in enumerate(guess.air) if flying is seat),
            key=lambda i: (guess.air[i][1] == hole, i),
        )
        cost = guess.cost + (NOT_BACK if own and seat not in own else 0.0)
        if home is not None and seat is not None and seat is not home:
            cost += STRANGER
        air = guess.air[:index] + guess.air[index + 1 :]
        found.append(Guess({**guess.placed, hole: owner if seat is None else seat}, air, cost))
    return found


def _fewest(guesses: list[Guess]) -> tuple[Guess, ...]:
    """Return the cheapest guesses, each once, the cheapest first."""
    kept: dict[tuple[object, ...], Guess] = {}
    for guess in sorted(guesses, key=lambda guess: guess.cost):
        kept.setdefault(guess.key(), guess)
    return tuple(kept.values())[:MOST_GUESSES]


def _strangers(guess: Guess, look: Expectation) -> int:
    return sum(
        seat is not None and look.holes.get(hole) not in (seat, None)
        for hole, seat in guess.placed.items()
        if "-C" not in hole
    )
