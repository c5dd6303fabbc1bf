"""What a view is built from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tock_companion.events.facts import PawnStep
from tock_companion.events.game import Game
from tock_companion.events.hands import Hands
from tock_companion.language import Text
from tock_companion.observation import HoleReading, SourceCondition
from tock_companion.rules import Hole, Move, Position, Seat
from tock_companion.views.names import Names
from tock_companion.views.parts import BoardInfo


@dataclass(frozen=True, slots=True)
class SourceState:
    """How a source is doing; `code` picks the sentence for people."""

    name: str
    condition: SourceCondition
    code: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal to take back the turn of event `to` and all later ones."""

    number: int
    by: Seat
    to: int
    last: int
    """The newest turn when it was made; once there is another, the proposal lapses."""
    voters: frozenset[Seat]
    yes: frozenset[Seat] = frozenset()
    asked: Seat | None = None
    """Whose own last move it is, where nobody else is asked."""

    @property
    def waits_for(self) -> frozenset[Seat]:
        """Whose answer is still missing."""
        return self.voters - self.yes


@dataclass(frozen=True, slots=True)
class HealthNote:
    """Something about the machine that people should know while they play; `hole` if it concerns one."""

    code: str
    sentence: Text
    hole: Hole | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the board beside the holes, in the coordinates of the board file."""

    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Guidance:
    """What is to be done although nothing is wrong, with a stable code: `unfinished/…`, `loose/…`, `hidden/…`."""

    code: str
    sentence: Text
    breaks: tuple[str, ...] = ()
    """The statements of the rules behind it."""
    steps: tuple[PawnStep, ...] = ()
    places: tuple[Hole, ...] = ()
    """The holes that it is about."""
    spots: tuple[Spot, ...] = ()
    """Where pawns lie beside the holes."""


@dataclass(frozen=True, slots=True)
class WithheldCards:
    """Whose cards the present holder of a seat may not see."""

    name: str
    """Empty where nobody knows, or where a computer drew them."""
    computer: bool = False
    refused: bool = False
    """Their owner does not want to show them."""


@dataclass(frozen=True, slots=True)
class LobbyState:
    """What the host has chosen for a game that has not begun."""

    players: int
    """How many play if it begins now."""
    counts: tuple[int, ...]
    """How many may play."""
    chosen: int | None
    """How many the host wants; None for as many as sit."""
    computers: str | None
    """Who plays for free seats."""


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything that views may draw from; each view takes only what its role may see."""

    revision: int
    game: Game
    position: Position
    hands: Hands
    """Secret: a view may show its own seat's cards, and only how many the others hold."""
    names: Names
    board: BoardInfo
    camps: Mapping[Hole, Seat]
    """The camp holes in which to draw the pawns in camp."""
    seen: Mapping[Hole, HoleReading]
    """Holes that look different from the accepted position, or are occluded."""
    sources: tuple[SourceState, ...]
    sees: bool
    """Whether any source sees the board now."""
    sees_colors: bool
    """Whether a source that sees colours does: switches cannot tell when two pawns have changed places."""
    seat_requests: tuple[tuple[int, Seat, str], ...]
    """Who asks for which taken seat: number of the request, seat, name."""
    photos_kept: bool
    """Whether the host records photos of hands for a report; players are told."""
    proposal: Proposal | None
    health: tuple[HealthNote, ...]
    """What is wrong with the machine, not with the game."""
    held_seats: frozenset[str]
    withheld: Mapping[Seat, WithheldCards]
    """The seats that hold cards of somebody who sat there before."""
    host: Seat | None = None
    """The seat that has the host's rights."""
    lobby: LobbyState | None = None
    """None once somebody has begun to play."""
    absent: Seat | None = None
    """The seat to move, if whoever sat there has left and nobody has said what happens."""
    left: Mapping[Seat, str] = field(default_factory=dict)
    """Who has left during this game, by name."""
    planned: Move | None = None
    """The move that was announced with the last card; events may have overtaken it."""
    guidance: Guidance | None = None
    """What is to be done although nothing is wrong."""
    recording: bool = False
    """Whether the host records what is seen; everybody is told."""

    @property
    def announced(self) -> Move | None:
        """The move that a computer has announced and that a person should make now."""
        move, position = self.planned, self.position
        waits = move is not None and self.game.card == move.card and move.before == position.board
        return move if waits and position.to_move in self.names.computers else None
