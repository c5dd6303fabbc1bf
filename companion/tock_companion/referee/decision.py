"""The decisions of the referee about one moment."""

from dataclasses import dataclass, field

from tock_companion.observation import LoosePawn
from tock_rules import Card, Hole, Move, Seat, Setup


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The table shows the accepted position."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """No decision yet, because these holes are occluded or not still; ask again at `until_ms` if nothing comes."""

    holes: tuple[Hole, ...] = ()
    until_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """Exactly one legal move explains the table."""

    card: Card
    move: Move
    confidence: float
    """Probability of this move against all other explanations that were compared."""
    still_since_ms: int
    """Since when the table has shown it."""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several legal moves explain the table and differ in effect, or the card is not known."""

    choices: tuple[tuple[Card, Move], ...]
    """Best first."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """No legal move explains the table."""

    seen: Setup
    """The board as it seems to stand."""
    differing: tuple[Hole, ...]
    """The visible holes in which that differs from the accepted position."""
    moves: tuple[Move, ...] = field(default=(), compare=False, repr=False)
    """The legal moves that were compared, so that the explanation need not list them again."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Pawns of these seats are neither in a hole nor under a hand."""

    seats: tuple[Seat, ...]
    seen: Setup
    loose: tuple[LoosePawn, ...] = ()
    """Those of them that are seen beside the holes."""
    near: tuple[Hole, ...] = ()
    """Holes that a camera lost sight of when the pawns left theirs: they may lie over the rims."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The changes so far belong to a legal move that is not complete: no rule is broken."""

    moves: tuple[Move, ...]
    """The moves that it may become, the one nearest to completion first."""
    seen: Setup
    differing: tuple[Hole, ...]
    short: tuple[Seat, ...] = ()
    """Seats whose pawns are in the air, or beside the holes."""
    loose: tuple[LoosePawn, ...] = ()
    """Those of them that are seen beside the holes."""

    def called_finished(self, moves: tuple[Move, ...]) -> "Rejected | Missing":
        """The decision once a player declares the move finished; `moves` are all that were legal."""
        if self.short:
            return Missing(self.short, self.seen, self.loose)
        return Rejected(self.seen, self.differing, moves)


@dataclass(frozen=True, slots=True)
class Hidden:
    """A change that cannot be read, because it depends on holes that have long been out of sight."""

    holes: tuple[Hole, ...]
    seats: tuple[Seat, ...] = ()
    """Seats whose pawns may stand there."""


Decision = Unchanged | Waiting | Accepted | Ambiguous | Rejected | Missing | Unfinished | Hidden


def sooner(wrong: Decision, earlier: Decision) -> Decision:
    """The decision about the wrong board, or of two waits the one that ends first."""
    if not (isinstance(wrong, Waiting) and isinstance(earlier, Waiting)) or earlier.until_ms is None:
        return wrong
    if wrong.until_ms is None or earlier.until_ms < wrong.until_ms:
        return earlier
    return wrong
