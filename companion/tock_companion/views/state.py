"""The input of a view."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tock_companion.core.guiding import Guidance
from tock_companion.core.lessons import Lesson
from tock_companion.core.roster import FarCards
from tock_companion.core.state import Proposal
from tock_companion.events.game import Game
from tock_companion.events.hands import Hands
from tock_companion.language import Text
from tock_companion.observation import HoleReading, SourceCondition
from tock_companion.views.names import Names
from tock_companion.views.parts import BoardInfo
from tock_rules import Hole, Move, Position, Seat


@dataclass(frozen=True, slots=True)
class SourceState:
    """The state of a source; `code` picks the sentence for people."""

    name: str
    condition: SourceCondition
    code: str = ""


@dataclass(frozen=True, slots=True)
class HealthNote:
    """A fault of the machine that people should know while they play; `hole` if it concerns one."""

    code: str
    sentence: Text
    hole: Hole | None = None


@dataclass(frozen=True, slots=True)
class WithheldCards:
    """The owner of cards that the present holder of a seat may not see."""

    name: str
    """Empty where nobody knows, or where a computer drew them."""
    computer: bool = False
    refused: bool = False
    """Whether their owner refuses to show them."""


@dataclass(frozen=True, slots=True)
class LobbyState:
    """The host's choices for a game that has not begun."""

    players: int
    """The number of players if it begins now."""
    counts: tuple[int, ...]
    """The numbers of players allowed."""
    chosen: int | None
    """The host's number of players; None for as many as sit."""
    computers: str | None
    """The players of free seats."""
    team_sizes: tuple[int, ...] = (1,)
    """The sizes of teams that the rules have for this number of players; 1 is everybody alone."""
    team_size: int = 1
    """The size of the teams if it begins now."""
    team_chosen: int | None = None
    """The host's choice; None for the usual teams."""


@dataclass(frozen=True, slots=True)
class PracticeState:
    """The lesson of a practice that is on the table."""

    learner: Seat
    other: Seat
    """The opponent, who loses a pawn."""
    number: int
    """Of the lesson, from 1."""
    lesson: Lesson
    shown: Move
    """The move that is shown."""
    shown_as: tuple[int, int] = (0, 0)
    """Number and count of the lessons on a phone alone, where any legal move may be tried; zeros at the table."""


FarState = Literal["waiting", "here", "away", "gone"]
"""The link has not been opened yet; the phone is connected; the line is cut; the player has left."""
Sign = Literal["clap", "laugh", "wow", "heart", "ouch", "think", "hurry", "tea", "knock"]
"""Eight drawings, and a knock for the player to move."""


@dataclass(frozen=True, slots=True)
class FarSeat:
    """State of a seat that plays from far away."""

    state: FarState
    seconds: int = 0
    """Time in that state, in steps that people care about."""
    cards: FarCards = "drawn"
    name: str = ""
    """Of whoever came, or was invited, also while a computer plays for them."""


@dataclass(frozen=True, slots=True)
class SignGiven:
    """A sign that somebody gave a moment ago."""

    number: int
    seat: Seat | None
    sign: Sign
    name: str = ""
    """Of somebody who looks on, and has no seat."""


@dataclass(frozen=True, slots=True)
class FarHome:
    """State of the home whose game this board follows."""

    state: Literal["here", "prepares", "away", "ended"]
    seconds: int = 0
    """Time without a line, in steps that people care about."""


@dataclass(frozen=True, slots=True)
class FarPeople:
    """The seats that play from far away, and the last sign between the homes."""

    seats: Mapping[Seat, FarSeat] = field(default_factory=dict)
    sign: SignGiven | None = None
    home: FarHome | None = None
    """Where this table follows another."""
    watching: tuple[str, ...] = ()
    """The names of those who look on from far away."""
    watching_here: int = 0
    """The pages at home that only look on."""

    @property
    def invited(self) -> Mapping[Seat, str]:
        """The names of those who are invited, as far as the host has given one, by their seats."""
        return {seat: far.name for seat, far in self.seats.items() if far.name and far.state != "gone"}

    @property
    def playing(self) -> Mapping[Seat, FarCards]:
        """The seats whose players have come, with where their cards come from."""
        return {seat: far.cards for seat, far in self.seats.items() if far.state in ("here", "away")}


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything that views may draw from; each view takes only what its role may see."""

    revision: int
    game: Game
    position: Position
    hands: Hands
    """Secret: a view may show its own seat's cards, and only counts of the others'."""
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
    """Whether any of them sees colours: switches cannot tell when two pawns have changed places."""
    seat_requests: tuple[tuple[int, Seat, str], ...]
    """Requests for taken seats: number of the request, seat, name."""
    photos_kept: bool
    """Whether the host records photos of hands for a report; the page says so."""
    proposal: Proposal | None
    health: tuple[HealthNote, ...]
    """Faults of the machine, not of the game."""
    held_seats: frozenset[str]
    withheld: Mapping[Seat, WithheldCards]
    """The seats that hold cards of a former player."""
    host: Seat | None = None
    """The seat that has the host's rights."""
    lobby: LobbyState | None = None
    """None once somebody has begun to play."""
    givers: frozenset[Seat] = frozenset()
    """Those who have still to give their mate a card before anybody plays."""
    must_give: bool = False
    """Nobody plays before that."""
    absent: Seat | None = None
    """The seat to move, if its player has left and nobody has decided what happens."""
    left: Mapping[Seat, str] = field(default_factory=dict)
    """Players who have left during this game, by name."""
    newcomers: frozenset[Seat] = frozenset()
    """The seats of people who have sat down since the last turn."""
    last: tuple[tuple[Seat, str, str], ...] = ()
    """Players of the last game who have no seat now: seat, name, language."""
    planned: Move | None = None
    """The move that was announced with the last card; events may have overtaken it."""
    guidance: Guidance | None = None
    """Instructions although nothing is wrong."""
    recording: bool = False
    """Whether the host records pictures; every page says so."""
    practice: PracticeState | None = None
    """The practice to which the game belongs; None for one that counts."""
    far: FarPeople = field(default_factory=FarPeople)

    @property
    def announced(self) -> Move | None:
        """The move of a computer, of somebody far away or of a lesson that a person should make now."""
        move, position, practice = self.planned, self.position, self.practice
        if practice is not None:
            move = practice.shown
        waits = move is not None and self.game.card == move.card and move.before == position.board
        names = self.names
        asks = position.to_move in names.computers or position.to_move in names.far
        return move if waits and (practice or asks) else None
