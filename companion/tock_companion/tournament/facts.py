"""Facts of a tournament, one for each happening; everything else follows from them in their order."""

from dataclasses import dataclass
from enum import Enum

from tock_companion.tournament.plan import Plan

Side = tuple[int, ...]
"""The entrants that win together, by number."""


@dataclass(frozen=True, slots=True, order=True)
class GameKey:
    """A game of a tournament: its round, and the number of its table."""

    round: int
    table: int


@dataclass(frozen=True, slots=True)
class Game:
    """The players at one table in one round; the order of the sides is that of their seats."""

    key: GameKey
    sides: tuple[Side, ...]

    @property
    def entrants(self) -> tuple[int, ...]:
        return tuple(entrant for side in self.sides for entrant in side)


class Reporter(Enum):
    """The source of a result."""

    TABLE = "table"
    PHONE = "phone"
    DIRECTOR = "director"


@dataclass(frozen=True, slots=True)
class SideScore:
    """The score of a side: pawns at home, and how many holes the others still had to go (None: not measured)."""

    home: int
    distance: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game; `winner` is the index of a side, None when time was up first."""

    id: str
    """Sent again, the same result has the same id."""
    scores: tuple[SideScore, ...]
    winner: int | None
    by: Reporter


@dataclass(frozen=True, slots=True)
class Opened:
    plan: Plan


@dataclass(frozen=True, slots=True)
class Entered:
    """A new entrant: one name, or the two of a fixed pair."""

    entrant: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Withdrew:
    """An entrant plays no further round; played games count."""

    entrant: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Returned:
    entrant: int


@dataclass(frozen=True, slots=True)
class GroupsDrawn:
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """The games of a round, and who sits out."""

    round: int
    games: tuple[Game, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundDropped:
    """A round that had not begun is paired again."""

    round: int


@dataclass(frozen=True, slots=True)
class RoundBegan:
    round: int


@dataclass(frozen=True, slots=True)
class Proposed:
    """One side has entered a result on a phone; another one has to confirm it."""

    key: GameKey
    result: Result
    side: int | None = None
    """None in tournaments of versions whose cards were the table's."""


@dataclass(frozen=True, slots=True)
class Rejected:
    key: GameKey


@dataclass(frozen=True, slots=True)
class Reported:
    key: GameKey
    result: Result


@dataclass(frozen=True, slots=True)
class Corrected:
    """The director sets a result right, with a reason that all can read."""

    key: GameKey
    result: Result
    why: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The tournament is over."""


Fact = (
    Opened | Entered | Withdrew | Returned | GroupsDrawn | RoundPaired | RoundDropped | RoundBegan
    | Proposed | Rejected | Reported | Corrected | Closed
)  # fmt: skip
