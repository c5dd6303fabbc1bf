"""The table of a running companion: one queue, one thread that writes; everyone else reads snapshots."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError, TockError
from tock_companion.events.facts import Event, GameEnded, GameStarted
from tock_companion.events.game import NEW_GAME, fold
from tock_companion.events.hands import fold_hands
from tock_companion.observation import Observation, SourceMessage, SourceReport
from tock_companion.referee.decision import Timing
from tock_companion.rules import BoardShape, Seat
from tock_companion.sources.base import Source
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.advising import Moment, moment_before, moment_now
from tock_companion.table.archive import Archive, log_for
from tock_companion.table.audience import Subscription
from tock_companion.table.core import TableCore
from tock_companion.table.desk import Desk
from tock_companion.table.figures import Figures
from tock_companion.table.reception import Reception
from tock_companion.table.recorder import Recorder
from tock_companion.table.requests import Reply, Request, Role, Undo, refused
from tock_companion.table.seating import SEAT_REQUESTS, Seating, answer_seat_request
from tock_companion.table.setup import GameSetup, again, game_started, setup_from_request
from tock_companion.table.troubles import Troubles, source_notes
from tock_companion.table.voting import VOTE_REQUESTS, Votes
from tock_companion.table.window import Window
from tock_companion.table.witness import Witness
from tock_companion.views.names import Names
from tock_companion.views.schema import ReplayView, View

LOG = logging.getLogger(__name__)


class Table(Reception):
    """A board, a store, sources and a running game."""

    def __init__(
        self,
        board_file: BoardFile,
        store: Store,
        sources: Sequence[Source] = (),
        *,
        scene: Scene | None = None,
        setup: GameSetup | None = None,
        timing: Timing | None = None,
    ) -> None:
        """Take up the game that was running, or begin the one of `setup`; nothing moves before `start`."""
        self.board_file = board_file
        self.scene = scene
        self.sources = tuple(sources)
        self.figures = Figures()
        self._store = store
        self._setup = setup if setup is not None else GameSetup()
        super().__init__(Seating(store))
        self._votes = Votes()
        self._troubles = Troubles()
        self.witness = Witness(store, self.sources, lambda: self._game_number)
        self.archive = Archive(store)
        self._desk = Desk(self._hear, self._idle_s, self._tick)
        self._recorder: Recorder | None = None
        self._core = TableCore(self._names(), timing=timing)
        self._game_number = self._resume()
        self._epoch_s = time.monotonic() - self._core.game.t_ms / 1000
        self._window = Window(self._core, board_file.name, self._votes)

    def _resume(self) -> int:
        newest = self._store.newest_game()
        if newest is not None and newest.running and self._fits(newest.events[0].fact):
            try:
                hands = fold_hands(newest.events, self._store.hands(newest.number))
                self._core.take_up(fold(newest.events), hands)
            except BadInputError as error:
                raise self._store.set_aside(newest.number, str(error)) from None
            if self.scene is not None:
                self.scene.set_up(self._core.position.board.to_pawns())
            return newest.number
        if newest is not None and newest.running:
            LOG.warning(
                "game %d was played on a board of other zones; it is kept, and a new one begins",
                newest.number,
            )
        number = 1 if newest is None else newest.number + 1
        self._begin(number, self._setup, 0)
        return number

    def _fits(self, fact: object) -> bool:
        return isinstance(fact, GameStarted) and fact.zones == self.board_file.zones

    def _begin(self, number: int, setup: GameSetup, t_ms: int) -> None:
        started_at = datetime.now(UTC).isoformat(timespec="seconds")
        fact = game_started(setup, self.board_file, started_at)
        before = self._core.saved()
        try:
            self._store.append(number, self._core.start(fact, t_ms))
        except TockError:
            self._core.restore(before)
            raise
        if self.scene is not None:
            self.scene.set_up(fact.position)

    def start(self) -> None:
        """Begin to write and to sense."""
        self._desk.start()
        for source in self.sources:
            source.start(self._desk.put, self.clock_ms)

    def stop(self) -> None:
        """End sensing, writing and all streams."""
        self._window.close()
        for source in self.sources:
            source.stop()
        self._desk.stop()
        self.stop_recording()
        self._store.close()

    def clock_ms(self) -> int:
        """Return the table's time: milliseconds of play, going on where the log ended."""
        return round((time.monotonic() - self._epoch_s) * 1000)

    def view(self, role: Role, seat: Seat | None = None) -> View:
        """Return what a role may see now; raises BadInputError for the view of a seat that does not play."""
        return self._window.view(role, seat)

    def moment(self, seat: Seat, before: bool = False) -> Moment | None:
        """Return the decision that a seat takes now, or took last, for advice to that seat alone."""
        return (moment_before if before else moment_now)(self._window.state, seat)

    def subscribe(self, role: Role, seat: Seat | None = None) -> Subscription:
        """Open a stream of a role's views."""
        return self._window.subscribe(role, seat)

    def preview(self) -> bytes | None:
        """Return the newest picture of the first source that has one, as JPEG."""
        for source in self.sources:
            picture = source.preview()
            if picture is not None:
                return picture
        return None

    def request(self, request: Request) -> Reply:
        """Have a request judged on the writing thread and return the reply."""
        return self._desk.ask(lambda: self._answer(request))

    def run_soon(self, work: Callable[[], None]) -> None:
        """Run something on the writing thread, after everything that has come in before."""
        self._desk.run_soon(work)

    def _idle_s(self) -> float | None:
        """Return for how long there is nothing to look at without news."""
        deadline_ms = self._core.deadline_ms
        if deadline_ms is None:
            return None
        return max(0.0, (deadline_ms + self._core.lag_ms - self.clock_ms()) / 1000)

    def _hear(self, message: SourceMessage) -> None:
        if isinstance(message, SourceReport):
            LOG.info("%s: %s %s %s", message.source, message.condition.value, message.code, message.detail)
        elif isinstance(message, Observation):
            self.figures.observed(message.source, self.clock_ms() - message.t_ms)
        if self._recorder is not None:
            self._recorder.message(message)
        self._try(lambda: self._core.take(message))

    def _answer(self, request: Request) -> Reply:
        if request.revision is not None and self._window.outdated(request.revision):
            return refused("stale")
        t_ms = self.clock_ms()
        if request.kind == "new_game":
            return self._new_game(request, t_ms)
        if request.kind in VOTE_REQUESTS:
            return self._vote(request)
        if request.kind in SEAT_REQUESTS:
            reply = answer_seat_request(self._seating, request)
            self._people_changed()
            return reply
        answers: list[tuple[Reply, list[Event]]] = []

        def answer() -> list[Event]:
            answers.append(self._core.answer(request, t_ms))
            return answers[0][1]

        try:
            self._write(answer)
        except TockError as error:
            return refused("disk", reason=str(error))
        reply, events = answers[0]
        # What was refused changed nothing; the reason may lie in a hand, which a recording does not know.
        if self._recorder is not None and reply.ok:
            self._recorder.request(request, t_ms)
        self._try(lambda: self._core.rule_after(request, events, t_ms))
        if reply.data.get(NEW_GAME):
            assert self._core.game.started is not None
            return self._begin_next(again(self._core.game.started), t_ms)
        return reply

    def _write(self, work: Callable[[], list[Event]]) -> None:
        """Run a step of the core; its events are on the disk before anyone hears of them, or did not happen."""
        before = self._core.saved()
        events = work()
        try:
            if events:
                self._store.append(self._game_number, events, self._core.secrets)
                self._troubles.disk_wrote()
        except TockError as error:
            self._core.restore(before)
            self._troubles.disk_refused(str(error))
            self._publish(certain=False)
            raise
        finally:
            self._core.secrets = {}
        for event in events:
            LOG.info("%s %s", event.seq, event.fact.KIND)
            self.figures.happened(event.fact.KIND, self.clock_ms() - event.t_ms)
        self._publish(certain=bool(events))
        if events and before[0].position is not None:
            self.witness.saw(before[0].position.board, events)

    def _try(self, work: Callable[[], list[Event]]) -> None:
        """Run a step that nobody waits for: what the disk refuses is tried again with the next look."""
        try:
            self._write(work)
        except TockError as error:
            LOG.error("%s", error)

    def _publish(self, *, certain: bool) -> None:
        self._troubles.look_at_clock()
        self._window.troubles = (*self._troubles.notes, *source_notes(self.sources, self._core.names))
        self._window.photos_kept = self._recorder is not None and self._recorder.keeps_photos
        self._window.publish(self._core, certain=certain)

    def _vote(self, request: Request) -> Reply:
        reply, back_to = self._votes.answer(request, self._core.game, frozenset(self._seating.names()))
        if back_to is not None:
            reply = self._answer(Request(Undo(back_to), Role.HOST))
        self._publish_people()
        return reply

    def _new_game(self, request: Request, t_ms: int) -> Reply:
        if request.role is not Role.HOST:
            return refused("not_allowed")
        try:
            setup = setup_from_request(request.data, self.board_file)
            if request.data.get("position") == "seen":
                setup = replace(setup, position=self._core.seen_board().to_pawns())
            game_started(setup, self.board_file)
        except BadInputError as error:
            return refused("bad_request", reason=str(error))
        return self._begin_next(setup, t_ms)

    def _begin_next(self, setup: GameSetup, t_ms: int) -> Reply:
        """End the running game and begin another."""
        try:
            if self._core.game.ended is None:
                self._write(lambda: self._core.end_game(GameEnded(None, "new game"), t_ms))
            self._begin(self._game_number + 1, setup, t_ms)
        except TockError as error:
            return refused("disk", reason=str(error))
        self._game_number += 1
        self.stop_recording()
        self._window.publish(self._core, certain=True)
        return Reply(True)

    def _tick(self) -> None:
        t_ms = self.clock_ms()
        if self._recorder is not None:
            self._recorder.tick(t_ms)
        self._try(lambda: self._core.tick(t_ms))

    def _people_changed(self) -> None:
        self._core.names = self._names()
        self._publish_people()

    def _seats(self) -> tuple[Seat, ...]:
        return self._window.state.position.seats

    def _publish_people(self) -> None:
        self._window.wishes = tuple((wish.number, wish.seat, wish.name) for wish in self._seating.wishes())
        self._window.publish(self._core, certain=True)

    def replay(self, number: int | None = None) -> ReplayView:
        """Return a game, the present one if none is named, to step through; raises BadInputError."""
        return self.archive.replay(number or self._game_number, self._core.names)

    def record(self, number: int | None = None) -> str:
        """Return a game as text for people."""
        return self.archive.record(number or self._game_number)

    def journal(self) -> list[dict[str, object]]:
        """Return what was decided in the present game, newest first, with the evidence."""
        return self.archive.journal(self._game_number)

    def take_up(self, lines: Sequence[str]) -> Reply:
        """End the present game and go on with the one of a log."""
        return self._desk.ask(lambda: self._take_up(lines))

    def _take_up(self, lines: Sequence[str]) -> Reply:
        try:
            events = log_for(lines, self.board_file.zones)
            if self._core.game.ended is None:
                self._write(lambda: self._core.end_game(GameEnded(None, "another game"), self.clock_ms()))
            self._store.append(self._game_number + 1, events)
        except BadInputError as error:
            return refused("bad_request", reason=str(error))
        except TockError as error:
            return refused("disk", reason=str(error))
        self._game_number += 1
        self.stop_recording()
        self._core.take_up(fold(events), fold_hands(events, {}))
        # The clock of the table never falls behind the log.
        self._epoch_s = min(self._epoch_s, time.monotonic() - self._core.game.t_ms / 1000)
        if self.scene is not None:
            self.scene.set_up(self._core.position.board.to_pawns())
        self._window.publish(self._core, certain=True)
        return Reply(True)

    def record_to(self, recorder: Recorder) -> None:
        """Record from now on, so that a replay gives the same events."""

        def begin() -> None:
            self._core.look_afresh()
            names = [source.name for source in self.sources]
            recorder.begin(self._store.game(self._game_number).events, self._core.position, names)
            for source in self.sources:
                source.record_to = recorder.frame
            self._recorder = recorder
            self._publish(certain=False)

        self.run_soon(begin)

    def stop_recording(self) -> None:
        """End the recording, if any; its files are complete then."""
        recorder, self._recorder = self._recorder, None
        for source in self.sources:
            source.record_to = None
        if recorder is not None:
            recorder.close()
            self._desk.run_soon(lambda: self._publish(certain=False))

    def keep_photo(self, seat: Seat, kind: str, picture: bytes) -> None:
        """Keep a photo of a hand with the recording, if the host records photos; otherwise it is forgotten."""
        recorder = self._recorder
        if recorder is None or not recorder.keeps_photos:
            return
        try:
            recorder.photo(self.clock_ms(), seat, kind, picture)
        except OSError as error:
            LOG.error("a photo could not be kept in %s: %s", recorder.folder, error)

    def _names(self) -> Names:
        shape = BoardShape(self.board_file.zones)
        return Names(shape, self.board_file.colors, self._seating.names(), self._seating.computers())
