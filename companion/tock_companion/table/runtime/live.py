"""The table of a running companion: what other threads may ask of it and see of it."""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Literal, overload

from tock_companion.boardfile import BoardFile
from tock_companion.core.bodies import Give
from tock_companion.core.following import FORWARDED, CopyReport, HomeFacts, gifts_of, home_facts
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.handlers import answer
from tock_companion.core.requests import Reply, Request, Role, refused
from tock_companion.core.state import Following, Lobby
from tock_companion.events.facts import Fact, GameStarted
from tock_companion.events.game import Game
from tock_companion.referee.matching.settle import Timing
from tock_companion.sources.base import Source
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.advising import Moment, moment_before, moment_now, moment_to_give
from tock_companion.table.runtime.answers import Answers
from tock_companion.table.runtime.archive import Archive
from tock_companion.table.runtime.forgetting import Forgetting
from tock_companion.table.runtime.games import Games
from tock_companion.table.runtime.people_in_turn import PeopleInTurn
from tock_companion.table.runtime.presence import Kind
from tock_companion.table.runtime.public_feed import PublicFeed
from tock_companion.table.runtime.publisher import Subscription
from tock_companion.table.runtime.recorder import Recorder
from tock_companion.table.runtime.resuming import FirstGame, KeptGame, kept_game
from tock_companion.table.runtime.troubles import Troubles
from tock_companion.table.runtime.work_queue import WorkQueue
from tock_companion.table.runtime.writer import Writer
from tock_companion.table.seats.participants import Participants
from tock_companion.views.names import Names
from tock_companion.views.schema import ReplayView, SeatView, View
from tock_companion.views.state import FarHome, FarPeople, SignGiven
from tock_rules import Card, Position, Seat


class Table:
    """A board, a store, sources and a running game: one thread writes, all others read the published state."""

    def __init__(
        self,
        board_file: BoardFile,
        store: Store,
        sources: Sequence[Source] = (),
        *,
        scene: Scene | None = None,
        setup: GameSetup | None = None,
        timing: Timing | None = None,
        lobby: Lobby | None = None,
        troubles: Troubles | None = None,
        clock_s: Callable[[], float] = monotonic,
    ) -> None:
        """Take up the game that was running, or begin the one of `setup`; nothing moves before `start`.

        With `lobby` the first game waits in it until somebody begins. `clock_s` tells how long people wait.
        """
        self.board_file = board_file
        self.scene = scene
        self.sources = tuple(sources)
        self._store = store
        self._writer = Writer(
            board_file, store, self.sources, FirstGame(setup or GameSetup(), lobby, timing),
            scene=scene, view_failed=self._look_again, troubles=troubles, clock_s=clock_s,
        )  # fmt: skip
        self._games = Games(self._writer, board_file)
        self._forgetting = Forgetting(self._writer, store)
        self._answers = Answers(self._writer, self._games)
        self._queue = WorkQueue(self._writer.hear, self._writer.idle_s, self._writer.idle)
        self.people = PeopleInTurn(self._writer, self._queue)
        self.archive = Archive(self._writer.ledger, self._writer.participants.games.of)
        self.public_feed = PublicFeed(self._writer.ledger, self._writer.participants.games.of)
        self.choices = store.choices
        """The host's choices for this table."""
        self.results = self._writer.participants.results
        """The winners of games that were played to their end."""
        self.evidence, self.figures = self._writer.evidence, self._writer.figures
        self.note_network = self._writer.troubles.note_network
        self.network_troubles = self._writer.troubles.network
        self.delete_old_pictures = store.delete_old_pictures
        self.clock_ms = self._writer.clock_ms
        self.forward: Callable[[Request], Reply] | None = None
        """Sends what people here ask of the game to the home table, where this one follows another."""

    def start(self) -> None:
        self._queue.start()
        for source in self.sources:
            source.start(self._queue.put, self.clock_ms)

    def stop(self) -> None:
        self._writer.publisher.close()
        for source in self.sources:
            source.stop()
        self._queue.stop()
        self._writer.recording.stop()
        self._writer.ledger.close()
        self._store.close()

    @overload
    def view(self, role: Literal[Role.SEAT], seat: Seat) -> SeatView: ...

    @overload
    def view(self, role: Role, seat: Seat | None = None) -> View: ...

    def view(self, role: Role, seat: Seat | None = None) -> View:
        """The present view of a role; raises BadInputError for the view of a seat that does not play."""
        return self._writer.publisher.view(role, seat)

    def subscribe(self, role: Role, seat: Seat | None = None) -> Subscription:
        return self._writer.publisher.subscribe(role, seat)

    @property
    def position(self) -> Position:
        return self._writer.publisher.state.position

    @property
    def game(self) -> Game:
        return self._writer.publisher.state.game

    @property
    def names(self) -> Names:
        return self._writer.publisher.state.names

    @property
    def number(self) -> int:
        return self._writer.number

    def moment(self, seat: Seat, before: bool = False) -> Moment | None:
        """The decision that a seat takes now, or took last, for advice to that seat alone."""
        return (moment_before if before else moment_now)(self._writer.publisher.state, seat)

    def moment_to_give(self, seat: Seat) -> Moment | None:
        """The card for its mate that a seat must choose, for a computer on that seat."""
        return moment_to_give(self._writer.publisher.state, seat)

    def preview(self) -> bytes | None:
        """The newest picture of the first source that has one, as JPEG."""
        pictures = (source.preview() for source in self.sources)
        return next((picture for picture in pictures if picture is not None), None)

    def replay(self, number: int | None = None) -> ReplayView:
        """A game, the present one if none is named, to step through; raises BadInputError."""
        return self.archive.replay(number or self._writer.number, Names.of(self._writer.state.roster))

    def record(self, number: int | None = None) -> str:
        return self.archive.record(number or self._writer.number)

    def journal(self) -> list[dict[str, object]]:
        """The decisions of the present game, newest first, with the evidence."""
        return self.archive.journal(self._writer.number)

    def position_text(self) -> str:
        """The accepted position of the present game as `Position.parse` reads it."""
        return self._writer.state.kept.game.position.text

    def request(self, request: Request, may_ask: Callable[[], bool] = lambda: True) -> Reply:
        """Have a request judged on the writing thread; raises TimeoutError when the table is too busy.

        `may_ask` is asked there again: a seat may have changed its holder while the request waited.
        """
        forward = self.forward
        if forward is None and self.following is not None:
            forward = _home_is_away
        if forward is not None and isinstance(request.body, FORWARDED):
            # Only the home table records play; its answer comes over the line, so no other thread waits for it.
            allowed = self._queue.ask(lambda: self._allowed(request, may_ask))
            return forward(request) if allowed.ok else allowed
        return self._ask(lambda: self._answers.answer(request, may_ask))

    def _allowed(self, request: Request, may_ask: Callable[[], bool]) -> Reply:
        """Whether a request may go to the home table, which does not know the hands here."""
        if not may_ask():
            return refused("seat_lost")
        return answer(self._writer.state, request).reply if isinstance(request.body, Give) else Reply(True)

    def _ask(self, work: Callable[[], Reply]) -> Reply:
        return self._queue.ask(lambda: self._writer.safely(work))

    def follow(self, home: GameStarted, seats: frozenset[Seat]) -> Reply:
        """Follow the game of another table; `seats` are those of the people here."""
        return self._ask(lambda: self._games.follow(home, seats))

    def unfollow(self) -> Reply:
        return self._ask(self._games.unfollow)

    def hear(self, message: CopyReport | HomeFacts) -> None:
        """Take in a message of a table elsewhere; raises TimeoutError when the table is too busy."""
        self._queue.ask(lambda: self._writer.hear(message))

    @property
    def following(self) -> Following | None:
        """State of following another table; None for an own game."""
        return self._writer.state.following

    def expect(self, names: Mapping[Seat, str]) -> None:
        """Say who sits where at the home table."""
        self._queue.ask(lambda: self._writer.seat(lambda: self._writer.participants.expect(names)))

    def facts(self) -> tuple[GameStarted, list[tuple[int, Fact]]]:
        """The game as another table follows it: its beginning, and its facts with their numbers here."""
        first, *events = self._writer.ledger.game(self._writer.number).events
        assert isinstance(first.fact, GameStarted)
        return first.fact, home_facts(events)

    def gifts(self) -> Mapping[int, tuple[Seat, Seat, Card]]:
        """Giver, receiver and card of every gift that the table knows, by the number of its fact here."""
        ledger, number = self._writer.ledger, self._writer.number
        return gifts_of(ledger.game(number).events, ledger.hands(number))

    @property
    def host_seat(self) -> Seat | None:
        return self._writer.people.host_seat.seat

    def hand_host(self, seat: Seat | None, *, only_first: bool = False) -> Reply:
        """Give a seat the host's rights, or take them from all; with `only_first` only where no seat has them."""
        return self._queue.in_turn(
            lambda: self._writer.safely(lambda: self._answers.hand_host(seat, only_first=only_first))
        )

    def let_inherit(self, may_inherit: Callable[[], bool]) -> None:
        """Say when the player who has sat longest becomes host after a host who stands up; otherwise no seat does."""
        self._writer.people.host_seat.may_inherit = may_inherit

    def look_at(self, lines: Sequence[str], number: int | None = None) -> KeptGame:
        """Examine a game brought along, or kept here by that number; raises BadInputError if it is not a game."""
        known = self._writer.participants.games.of(number or 0)
        return kept_game(lines, self.board_file, known, self.people.places_on)

    @property
    def is_prepared(self) -> bool:
        """Whether the game waits in the lobby."""
        return self._writer.state.kept.lobby is not None

    @property
    def opening(self) -> tuple[GameSetup, Lobby]:
        """The lobby for the same rules on another board."""
        state = self._writer.state.kept
        started = state.game.started
        return GameSetup(started.ruleset, started.options), state.lobby or Lobby()

    def begin_for(self, setup: GameSetup, names: Mapping[Seat, str]) -> Reply:
        """Begin the game that a club has paired, in place of the present one: if it can begin, everybody stands up."""
        return self._ask(lambda: self._games.begin_for(setup, names))

    def end_game(self, why: str) -> Reply:
        return self._ask(lambda: self._games.end(why))

    def take_up(
        self, lines: Sequence[str], number: int | None = None, chosen: Mapping[Seat, Seat] | None = None
    ) -> Reply:
        known = self._writer.participants.games.of(number or 0)
        return self._ask(lambda: self._games.take_up(lines, known, chosen))

    def forget_game(self, number: int) -> Reply:
        """Delete a kept game for ever, from copies too."""
        return self._ask(lambda: self._forgetting.game(number))

    def forget_pictures(self, number: int | None, seq: int) -> Reply:
        """Delete the pictures of a move for ever, by default of the present game."""
        return self._ask(lambda: self._forgetting.pictures(number or self._writer.number, seq))

    def forget_name(self, name: str) -> Reply:
        """Delete a name for ever from all that is kept."""
        return self._ask(lambda: self._forgetting.name(name))

    @property
    def kept_names(self) -> list[str]:
        """All names in kept games and results."""
        return self._writer.participants.kept_names()

    def run_soon(self, work: Callable[[], None]) -> None:
        """Run something on the writing thread, after everything that has come in before."""
        self._queue.run_soon(work)

    def record_to(self, recorder: Recorder) -> None:
        """Record from now on, so that a replay gives the same events; raises TockError when it cannot begin."""
        self._queue.ask(lambda: self._writer.record_to(recorder))

    @property
    def is_recording(self) -> bool:
        """Whether everything that comes in is being written down, pictures too."""
        return self._writer.recording.is_running

    def stop_recording(self) -> None:
        """End the recording, if any; its files are complete then."""
        self._writer.recording.stop()
        self._look_again()

    def keep_photo(self, seat: Seat, kind: str, picture: bytes) -> None:
        """Keep a photo of a hand with the recording, if the host records photos; otherwise it is forgotten."""
        self._writer.recording.photo(self.clock_ms(), seat, kind, picture)

    def see_letters(self, letters: Mapping[Card, str]) -> None:
        """Learn the letters in the corners of the deck from some cards of a photo."""
        writer = self._writer
        self._queue.run_soon(lambda: writer.seat(lambda: writer.participants.see_letters(letters)))

    def show_far(self, far: FarPeople) -> None:
        """Show how things stand with those who play from far away, from any thread."""
        self._show("far", lambda people: people.show_far(far))

    def show_home(self, home: FarHome | None, sign: SignGiven | None = None) -> None:
        """Show how things stand with the home whose game this table follows, from any thread."""
        self._show("home", lambda people: people.show_home(home, sign))

    def show_watching(self, pages: int) -> None:
        """Show how many pages at home only look on, from any thread."""
        self._show("watching", lambda people: people.show_watching(pages))

    def note_name(self, name: str, *, is_doubled: bool) -> None:
        """Show whether another machine uses the table's name on the broker, from any thread."""
        troubles = self._writer.troubles
        self._queue.run_soon(lambda: troubles.name_doubled(name, is_doubled=is_doubled))
        self._look_again()

    def _show(self, kind: Kind, change: Callable[[Participants], None]) -> None:
        writer = self._writer
        self._queue.run_soon(lambda: writer.show(kind, lambda: change(writer.participants)))

    def _look_again(self) -> None:
        """Show changes beside the game, from any thread."""
        self._queue.run_soon(self._writer.idle)


def _home_is_away(_request: Request) -> Reply:
    return refused("home_away")
