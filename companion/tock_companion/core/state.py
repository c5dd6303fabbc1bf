"""The whole table at one moment, as a value: a step makes a new one and leaves the old one as it was."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Literal

from tock_companion.core.guiding import Guidance
from tock_companion.core.lessons import Lesson, lessons, lessons_on_table
from tock_companion.core.roster import Roster
from tock_companion.events.game import Game
from tock_companion.events.hands import Hands
from tock_companion.observation import SourceCondition
from tock_companion.referee.decision import Decision
from tock_companion.referee.matching.candidates import Options, one_of_each_kind
from tock_companion.referee.matching.settle import Timing
from tock_companion.referee.tracking.fusion import SensorFusion
from tock_companion.referee.tracking.watch import Watch
from tock_rules import Card, Move, Position, Seat

FRAME_LAG_MS, SWITCH_LAG_MS = 300, 20
"""Time after a deadline at which the table looks again by itself: frames already under way come first, edges are
there."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal to take back the turn of event `to` and all later ones."""

    number: int
    by: Seat
    to: int
    last: int
    """The newest turn at that time; the proposal lapses with the next."""
    voters: frozenset[Seat]
    yes: frozenset[Seat] = frozenset()
    asked: Seat | None = None
    """The player of the last move, where only that one is asked."""

    @property
    def waits_for(self) -> frozenset[Seat]:
        """The seats that have not answered yet."""
        return self.voters - self.yes


@dataclass(frozen=True, slots=True)
class SourceStatus:
    condition: SourceCondition
    code: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Ballot:
    """The proposal to go back that was made last."""

    proposal: Proposal | None = None
    number: int = 0
    """Number of proposals in this run."""


@dataclass(frozen=True, slots=True)
class Lookahead:
    """A memo: the search over two turns is long, and the same wrong board is looked at ten times a second."""

    key: object
    found: Decision | None


@dataclass(frozen=True, slots=True)
class Lobby:
    """Before a game: the host's choices beside the prepared game."""

    players: int | None = None
    """None for as many as sit."""
    computers: Literal["easy", "medium", "strong"] | None = None
    """The players of seats that are free when the game begins; None for a person without a phone."""
    team_size: int | None = None
    """None for the usual teams of the ruleset; 1 for none."""


@dataclass(frozen=True, slots=True)
class Practice:
    """One lesson of a practice; its game is on the table and in no store."""

    learner: Seat
    other: Seat
    """The opponent, who loses a pawn."""
    at: int
    """Index of the lesson."""
    shown: Move
    """The move that is shown."""
    waiting: "CoreState"
    """The table's own game, which goes on afterwards as it was."""

    @property
    def lesson(self) -> Lesson:
        return lessons()[self.at]

    @property
    def is_last(self) -> bool:
        return self.at == len(lessons_on_table()) - 1


@dataclass(frozen=True, slots=True)
class Made:
    """A legal move that this board shows and the home table has not recorded yet."""

    card: Card
    move: Move


@dataclass(frozen=True, slots=True)
class Following:
    """Knowledge of a table that follows the game of another, the home table: only that one records moves."""

    seats: frozenset[Seat]
    """The seats whose people sit at this board."""
    numbers: tuple[int, ...] = ()
    """The numbers in the own log of the facts that came from home, in order."""
    shows: bool = False
    """Whether this board has shown the position since it last changed."""
    made: Made | None = None


class Copying(Enum):
    """Progress of people elsewhere with the last move."""

    BEHIND = "behind"
    """The turn waits for them."""
    SHOWN = "shown"
    LATER = "later"
    """They do it later, or cannot be reached: the turn does not wait until they show the position once."""
    GONE = "gone"
    """The board has left the game."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Boards elsewhere on which people copy this game."""

    boards: Mapping[str, Copying] = field(default_factory=dict)
    """By the board's code."""
    changed_at: int = 0
    """The last event that changed where pawns stand."""

    @property
    def waits(self) -> bool:
        return Copying.BEHIND in self.boards.values()

    def changed(self, seq: int) -> "Copies":
        """After an event that moved pawns."""
        behind = {
            board: Copying.BEHIND if copying is Copying.SHOWN else copying
            for board, copying in self.boards.items()
        }
        return Copies(behind, seq)


@dataclass(frozen=True, slots=True)
class CoreState:
    """One running game, its observed board, and the people who sit there."""

    roster: Roster
    game: Game
    hands: Hands
    fusion: SensorFusion
    options: Options
    """Everything that may legally happen next; belongs to `game`."""
    timing: Timing = field(default_factory=Timing)
    sources: Mapping[str, SourceStatus] = field(default_factory=dict)
    deadline_ms: int | None = None
    """The time at which the referee has to look again although nothing new is seen."""
    planned: Move | None = None
    """The move that a computer has announced with the card it laid."""
    guidance: Guidance | None = None
    """The next thing for players to do, although nothing is wrong."""
    ballot: Ballot = field(default_factory=Ballot)
    lookahead: Lookahead | None = None
    lobby: Lobby | None = None
    """Play has not begun."""
    left: Mapping[Seat, str] = field(default_factory=dict)
    """Players who stood up during this game, by name, until the seat is taken or the others decide to wait."""
    sat_down: Mapping[Seat, int] = field(default_factory=dict)
    """The last event of this game before each newcomer sat down: earlier moves are not theirs."""
    practice: Practice | None = None
    """The practice to which the game belongs; None for one that counts."""
    following: Following | None = None
    """The game is another table's; None for an own one."""
    copies: Copies = field(default_factory=Copies)
    secret: bytes = field(default=b"", repr=False)
    """Secret of the table's game, from which the order of drawn cards follows; in no log, recording or view."""

    @classmethod
    def of(cls, roster: Roster, game: Game, hands: Hands, timing: Timing | None = None) -> "CoreState":
        """A table of which nothing has been seen yet."""
        options = Options(game.position, (), card_known=False)
        fusion = SensorFusion(options.before)
        return cls(roster, game, hands, fusion, options, timing or Timing()).with_candidates()

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def kept(self) -> "CoreState":
        """The table with the game that the store has: during a practice the one that waits."""
        return self if self.practice is None else self.practice.waiting

    @property
    def watch(self) -> Watch:
        """The board as all sources together show it."""
        return self.fusion.fused

    @property
    def sees(self) -> bool:
        return any(status.condition is SourceCondition.OK for status in self.sources.values())

    @property
    def sees_colors(self) -> bool:
        ok = [name for name, status in self.sources.items() if status.condition is SourceCondition.OK]
        return not self.fusion.switch_sources.issuperset(ok)

    def lobby_waits_for(self, seat: Seat) -> bool:
        """Whether play has not begun, and this seat is to begin it."""
        return self.lobby is not None and seat is self.position.to_move

    @property
    def absent(self) -> Seat | None:
        """The seat to move, if its player has left and the others have not decided what happens."""
        seat, names = self.position.to_move, self.roster
        is_gone = seat in self.left and seat not in names.players and seat not in names.computers
        return seat if is_gone and self.lobby is None and self.game.ended is None else None

    @property
    def newcomers(self) -> frozenset[Seat]:
        """The seats of people who have sat down since the last turn."""
        last = self.game.turns[-1].seq if self.game.turns else 0
        return frozenset(seat for seat, seq in self.sat_down.items() if seq >= last > 0)

    @property
    def givers(self) -> frozenset[Seat]:
        """The seats that have still to give their mate a card before anybody plays, and can say that they have."""
        asks = self.lobby is None and self.game.ended is None and self.practice is None
        return self.must_give | (self._phones & set(self.hands.exchange.givers)) if asks else frozenset()

    @property
    def must_give(self) -> frozenset[Seat]:
        """Those for whom everybody waits: people with unknown cards may also have exchanged them when they play."""
        if self.lobby is not None or self.practice is not None:
            return frozenset()
        roster, exchange = self.roster, self.hands.exchange
        asked = set() if self.following is not None else roster.computers.keys() | roster.far.keys()
        two_boards = bool(self.copies.boards) or self.following is not None
        if two_boards and any(gift.named for gift in exchange.gifts):
            # A card for somebody at another board cannot go from hand to hand.
            asked |= self._phones
        held = {seat for seat in exchange.givers if (hand := self.hands.of(seat)) is not None and hand.cards}
        return frozenset(held | (asked & set(exchange.givers)))

    @property
    def _phones(self) -> frozenset[Seat]:
        """The seats of people who are here with a phone."""
        return frozenset(self.roster.players.keys() - self.roster.expected)

    @property
    def lag_ms(self) -> int:
        """Time after a deadline at which the table looks again without news."""
        return SWITCH_LAG_MS if self.sees and not self.sees_colors else FRAME_LAG_MS

    @property
    def open_proposal(self) -> Proposal | None:
        """The proposal to go back, while no turn has been played or taken back since it was made."""
        turns, proposal = self.game.turns, self.ballot.proposal
        return proposal if proposal is not None and turns and turns[-1].seq == proposal.last else None

    def with_game(self, game: Game, hands: Hands) -> "CoreState":
        """The same table with another game on it, seen from now on against that game's board."""
        begun = CoreState.of(self.roster, game, hands, self.timing)
        return replace(
            begun,
            fusion=self.fusion.rebase(begun.options.before, self.watch.t_ms),
            sources=self.sources,
            ballot=Ballot(None, self.ballot.number),
            secret=self.secret,
            copies=self.copies.changed(game.seq),
        )

    def with_candidates(self) -> "CoreState":
        """The same table with everything that may legally happen next.

        In a lesson those are the moves of its card; of a player far away, the move that they have chosen; none while
        pawns are put back.
        """
        game, position, following, planned = self.game, self.position, self.following, self.planned
        laid = game.card if self.practice is None else self.practice.lesson.card
        cards = one_of_each_kind(position) if laid is None else (laid,)
        # With a card laid, a board that shows its own people's move has copied the one before.
        may_play = following is None or (
            position.to_move in following.seats and (following.shows or laid is not None)
        )
        is_chosen = planned is not None and (game.card, position.board) == (planned.card, planned.before)
        return replace(
            self,
            options=Options(
                position,
                cards if may_play and not game.restores and not self.must_give else (),
                card_known=laid is not None,
                only=planned if is_chosen and position.to_move in self.roster.far else None,
            ),
        )

    def with_kept_hands(self, hands: Hands) -> "CoreState":
        """The same table with other hands in the game that the store has."""
        if self.practice is None:
            return replace(self, hands=hands)
        return replace(self, practice=replace(self.practice, waiting=replace(self.kept, hands=hands)))

    def with_roster(self, roster: Roster) -> "CoreState":
        """The same table with other people at it; who stood up during a game is remembered."""
        gone = {
            seat: name
            for seat, name in {**self.left, **self.roster.players}.items()
            if seat not in roster.players and seat not in roster.computers
        }
        sat = {seat: self.game.seq for seat, name in roster.players.items() if self._played(seat) != name}
        here = {seat: seq for seat, seq in {**self.sat_down, **sat}.items() if seat in roster.players}
        # Who left before, and whom the others decided to wait for, is not in `left` any more and stays out of it.
        return replace(self, roster=roster, left=gone if self.lobby is None else {}, sat_down=here)

    def _played(self, seat: Seat) -> str | None:
        return self.roster.players.get(seat) or self.left.get(seat)

    def untracked(self) -> "CoreState":
        """The same table with nothing seen yet, so that what follows depends on what comes from now on alone."""
        return replace(self, fusion=SensorFusion(self.options.before), lookahead=None)
