"""A table that has joined a club: the desk sends it players and rules, and it reports the result.

A result stays at the table until the club's desk has counted it, so that a table that was out of reach hands
its result in later. Hands are never told: the log of a game says how many cards a seat has, and not which.
"""

import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, cast

from tock_companion.background import Follower
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role
from tock_companion.errors import TockError
from tock_companion.language import TERMINAL
from tock_companion.mqtt.club_notes import (
    DESK,
    DeskNote,
    GameNote,
    JoinNote,
    ProgressNote,
    ResultNote,
    ScoreNote,
    game_topic,
    join_topic,
    progress_topic,
    read,
    result_topic,
    written,
)
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.reply_words import reply_words
from tock_companion.views.schema import View
from tock_rules import CAMP, Position, Seat, seats_for

LOG = logging.getLogger(__name__)
CLUB_KEPT, GAME_KEPT, RESULTS_KEPT = "club", "club-game", "club-results"
POLL_S = 0.5
MAX_LINES = 5_000


@dataclass(frozen=True, slots=True)
class Playing:
    """The club's game on this table: its name there, and the table's own game."""

    game: str
    number: int
    sides: tuple[tuple[Seat, ...], ...]


def seats_of(sides: Sequence[Sequence[str]], zones: int) -> tuple[tuple[Seat, ...], ...]:
    """The seat of each side: singles evenly round the board, partners opposite each other."""
    people = max(map(len, sides))
    seats = seats_for(people * len(sides), zones)
    return tuple(seats[index :: len(sides)] for index in range(len(sides)))


def score_of(position: Position, seats: Sequence[Seat]) -> ScoreNote:
    """Pawns at home, and the holes that the others still have to go: a whole lap from the camp."""
    shape = position.board.shape
    lap = shape.track_length
    home, away = 0, 0
    places = [(seat, cell) for seat in seats for cell in position.board.cells_of(seat)]
    for seat, cell in places:
        if cell == CAMP:
            away += lap
        elif cell == shape.centre:
            away += lap // 2
        elif shape.home_of(cell) is not None:
            home += 1
        else:
            away += lap - shape.progress(seat, cell)
    return ScoreNote(home, away)


class Member:
    """Keeps a table and the club's desk in step; in a thread of its own."""

    def __init__(self, table: Table, address: BrokerAddress, name: str, *, joins_first: bool = False) -> None:
        """Prepare to take part under `name`; `joins_first` joins the first club that is met, unasked."""
        self._table, self._name, self._joins_first = table, name, joins_first
        self._received: SimpleQueue[tuple[str, bytes] | None] = SimpleQueue()
        kept = table.choices.get(CLUB_KEPT)
        self._club = kept if isinstance(kept, str) else ""
        self._has_chosen = isinstance(kept, str)
        self._desk: DeskNote | None = None
        """The desk that is on the broker now."""
        self._playing = _kept_game(table.choices.get(GAME_KEPT))
        results = table.choices.get(RESULTS_KEPT)
        self._results: dict[str, str] = dict(results) if isinstance(results, dict) else {}
        self._shown = ""
        self._connection = BrokerConnection(
            address,
            # Of two machines with one name the broker would end one connection for the other, again and again.
            f"tock-member-{name}-{secrets.token_hex(8)}",
            self._came_up,
            lambda topic, data: self._received.put((topic, data)),
        )
        self._loop = Follower[View](
            "club-member",
            "keeps a table that has joined a club and the club's desk in step",
            lambda: table.subscribe(Role.TABLE),
            self._take,
            POLL_S,
        )

    def start(self) -> None:
        """Begin; returns at once, even while no broker is there."""
        self._connection.start()
        self._loop.start()

    def stop(self) -> None:
        """Take part no longer in this run; the club is not left."""
        self._loop.stop()
        self._connection.stop()

    # Requests of the host.

    @property
    def broker_up(self) -> bool:
        return self._connection.up

    @property
    def club_met(self) -> str | None:
        """The name of the club whose desk is on the broker."""
        desk = self._desk
        return desk.name if desk is not None and self.broker_up else None

    @property
    def is_member(self) -> bool:
        desk = self._desk
        return desk is not None and self._club == desk.club

    @property
    def is_elsewhere(self) -> bool:
        return self._club != "" and not self.is_member

    def join(self) -> bool:
        """Join the club whose desk is on the broker; False where none is. Raises TockError when it cannot be kept."""
        desk = self._desk
        if desk is None or not self.broker_up:
            return False
        self._belong_to(desk.club)
        # The broker repeats its retained messages: among them the game that waits here.
        self._came_up()
        return True

    def leave(self) -> None:
        """Belong to no club; raises TockError when it cannot be kept."""
        self._belong_to("")
        self._connection.publish(join_topic(self._name), "")

    def _belong_to(self, club: str) -> None:
        self._table.choices.keep(CLUB_KEPT, club)
        self._club, self._has_chosen = club, True

    # On the broker's thread.

    def _came_up(self) -> None:
        self._connection.subscribe(DESK, game_topic(self._name))
        self._received.put(None)

    # On the thread of our own.

    def _take(self, _view: View | None) -> float:
        try:
            try:
                self._take_in()
            finally:
                self._follow()
        except Exception:
            # The failed message comes again: the broker retains it.
            self._came_up()
            raise
        return 0.0

    def _take_in(self) -> None:
        """All that came from the broker since; a note that fails holds up no other, and is raised at the end."""
        failed: Exception | None = None
        for _ in range(self._received.qsize()):
            try:
                self._hear(self._received.get_nowait())
            except Exception as error:
                failed = error
        if failed is not None:
            raise failed

    def _hear(self, received: tuple[str, bytes] | None) -> None:
        if received is None:
            self._tell_again()
            return
        topic, payload = received
        if not payload:
            return
        try:
            if topic == DESK:
                self._meet(read(DeskNote, payload))
            else:
                self._take_game(read(GameNote, payload))
        except ValueError as error:
            LOG.warning("what came on %s cannot be read; it is ignored (%.200r)", topic, str(error))

    def _meet(self, desk: DeskNote) -> None:
        self._desk = desk if desk.online else None
        if desk.online and self._joins_first and not self._has_chosen:
            self._belong_to(desk.club)
            LOG.info("the table has joined the club '%s'", desk.name)
        if not self._club:
            return
        if desk.club != self._club:
            LOG.warning(
                "the club's desk of '%s' is not that of the club which this table has joined", desk.name
            )
        elif desk.online:
            self._tell_again()

    def _tell_again(self) -> None:
        if not self._club:
            return
        zones = self._table.board_file.zones
        self._connection.publish(join_topic(self._name), written(JoinNote(self._club, zones)))
        for game, result in self._results.items():
            self._connection.publish(result_topic(self._name, game), result)
        self._shown = ""

    def _take_game(self, note: GameNote) -> None:
        if note.club != self._club:
            return
        if note.result is not None:
            self._counted(note.game)
        elif note.game in self._results:
            return
        elif self._playing is None or self._playing.game != note.game:
            self._begin(note)
        elif note.time_is_up:
            self._tell(self._playing, None)

    def _begin(self, note: GameNote) -> None:
        zones = self._table.board_file.zones
        sides = seats_of(note.sides, zones)
        seats = sorted(seat for side in sides for seat in side)
        names = {seat: name for side, people in zip(sides, note.sides, strict=True)
                 for seat, name in zip(side, people, strict=True)}  # fmt: skip
        teams = [list(side) for side in sides] if len(sides[0]) > 1 else []
        reply = self._table.begin_for(GameSetup(note.ruleset, dict(note.options), seats, teams), names)
        if not reply.ok:
            words = reply_words(reply, self._table.names)
            why = reply.code if words is None else words[TERMINAL]
            raise TockError(f"the club's game {note.game} cannot begin on this table: {why}")
        self._keep_game(Playing(note.game, self._table.number, sides))
        LOG.info("round %d of '%s' begins", note.round, note.tournament)

    def _follow(self) -> None:
        """Tell how the game stands, and that it has ended."""
        playing = self._playing
        if not self._club or playing is None or playing.game in self._results:
            return
        game = self._table.game
        if self._table.number != playing.number:
            if [seat.name for seat in sorted(seat for side in playing.sides for seat in side)] != list(
                game.started.seats
            ):
                return
            # The host has begun the same game again.
            playing = Playing(playing.game, self._table.number, playing.sides)
            self._keep_game(playing)
        if game.ended is not None and game.ended.winner:
            won = {Seat.parse(name) for name in game.ended.winner}
            self._tell(playing, next(index for index, side in enumerate(playing.sides) if won & set(side)))
            return
        home = tuple(score_of(game.position, side).home for side in playing.sides)
        progress = written(ProgressNote(self._club, playing.game, home))
        if progress != self._shown:
            self._shown = progress
            self._connection.publish(progress_topic(self._name), progress)

    def _tell(self, playing: Playing, winner: int | None) -> None:
        scores = tuple(score_of(self._table.position, side) for side in playing.sides)
        record = tuple(self._table.archive.log(playing.number).splitlines())
        if winner is None:
            self._table.end_game("time is up")
        name = f"{self._name}-{playing.game}-{playing.number}"
        note = ResultNote(
            self._club, playing.game, name, scores, winner, record if len(record) <= MAX_LINES else ()
        )
        self._results = {**self._results, playing.game: written(note)}
        self._table.choices.keep(RESULTS_KEPT, self._results)
        self._connection.publish(result_topic(self._name, playing.game), self._results[playing.game])

    def _counted(self, game: str) -> None:
        if game in self._results:
            self._results = {other: result for other, result in self._results.items() if other != game}
            self._table.choices.keep(RESULTS_KEPT, self._results)
            self._connection.publish(result_topic(self._name, game), "")
        if self._playing is not None and self._playing.game == game:
            # Until the next round it is a table like any other.
            self._playing = None
            self._table.choices.keep(GAME_KEPT, None)

    def _keep_game(self, playing: Playing) -> None:
        self._playing = playing
        sides = [[seat.name for seat in side] for side in playing.sides]
        self._table.choices.keep(GAME_KEPT, [playing.game, playing.number, sides])


def _kept_game(kept: object) -> Playing | None:
    """The game that was being played before a start; None for what cannot be read."""
    try:
        game, number, sides = cast(list[Any], kept)
        return Playing(str(game), int(number), tuple(tuple(map(Seat.parse, side)) for side in sides))
    except (TockError, TypeError, ValueError):
        return None
