"""The one writer: takes steps, stores their events, and only then shows them.

Everything here runs on the writing thread, but for the constructor, which runs before that thread is started.
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from tock_companion.boardfile import BoardFile
from tock_companion.core.draft import Step
from tock_companion.core.following import KEPT_AS as FOLLOWING
from tock_companion.core.following import CopyReport, HomeFacts, standing_reports
from tock_companion.core.lobby import KEPT_AS, kept_lobby
from tock_companion.core.practising import end_practice
from tock_companion.core.requests import Reply, Request, refused
from tock_companion.core.state import Lobby
from tock_companion.core.step import Input, Tick, end_game, step
from tock_companion.errors import BadInputError, TockError, escaped
from tock_companion.observation import Observation, SourceMessage, SourceReport
from tock_companion.sources.base import Source
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.draw_secret import DrawSecret
from tock_companion.table.runtime.evidence import Evidence
from tock_companion.table.runtime.figures import Figures
from tock_companion.table.runtime.ledger import RETRY_S, Ledger
from tock_companion.table.runtime.presence import Kind, Presence
from tock_companion.table.runtime.publisher import Publisher
from tock_companion.table.runtime.recorder import Note, Recorder, Recording
from tock_companion.table.runtime.resuming import FirstGame, hands_after, taken_up_or_begun
from tock_companion.table.runtime.troubles import Troubles, source_notes
from tock_companion.table.seats.chairs import Places
from tock_companion.table.seats.hand_owners import Custody, PlayedGame
from tock_companion.table.seats.participants import Participants

LOOK_EVERY_S = 2.0
"""Time that a table at rest waits before it checks the things beside it."""
LOG = logging.getLogger(__name__)
Work = Callable[[], None]
T = TypeVar("T")


class Writer:
    """The running game, its number in the store, and the effects of every step."""

    def __init__(
        self,
        board_file: BoardFile,
        store: Store,
        sources: Sequence[Source],
        first: FirstGame,
        *,
        scene: Scene | None,
        view_failed: Callable[[], None],
        troubles: Troubles | None = None,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take up the game that was running, or begin the `first` one.

        `view_failed` is called when a view cannot be made, by any thread.
        """
        self._store, self.sources, self._scene = store, sources, scene
        self.ledger = Ledger(store)
        self.participants = Participants(store, board_file, self._played_game, self, clock_s)
        self.people = self.participants.people
        self.evidence = Evidence(self.ledger, sources, lambda: self.number)
        self.figures, self.troubles = Figures(), troubles or Troubles(has_lost=store.has_lost)
        self.recording = Recording(sources, self.troubles)
        self._refused: dict[str, Input] = {}
        """Messages that the disk refused, the newest of each sender: they are tried again."""
        self._retry_at_s = 0.0
        self._presence = Presence()
        roster, custody = self.participants.roster(), self.people.seating.custody
        taken_up = taken_up_or_begun(store, self.ledger, board_file, roster, custody, first)
        self._draw_secret = DrawSecret(store, self.ledger)
        self.number = taken_up.number
        self.state = replace(taken_up.state, secret=self._draw_secret.of_game(self.number))
        if taken_up.damaged is not None:
            self.troubles.game_damaged(taken_up.damaged, taken_up.missing)
        self._epoch_s = time.monotonic() - self.state.game.t_ms / 1000
        self.publisher = Publisher(self.state, board_file, view_failed)
        self.ledger.on_slow = self._disk_is_slow
        self.troubles.disk(self.ledger)
        self._set_up_scene()
        self._settle()
        self.publish(certain=False)

    def clock_ms(self) -> int:
        """The table's time: milliseconds of play, going on where the log ended; any thread may ask."""
        return round((time.monotonic() - self._epoch_s) * 1000)

    def catch_up(self) -> None:
        """Put the clock of the table forward where it has fallen behind the log."""
        self._epoch_s = min(self._epoch_s, time.monotonic() - self.state.game.t_ms / 1000)

    # Steps without a waiting caller.

    def hear(self, message: SourceMessage | CopyReport | HomeFacts) -> None:
        """Take in a message of a source, or of a table elsewhere."""
        if isinstance(message, SourceReport):
            LOG.info("%s: %s %s %s", message.source, message.condition.value, message.code, message.detail)
        elif isinstance(message, Observation):
            self.figures.observed(message.source, self.clock_ms() - message.t_ms)
        self._take(message)

    def idle_s(self) -> float:
        """For how many seconds there is nothing to do without news."""
        due_s = [] if self._refused else self._deadlines_s()
        if self._refused:
            due_s.append(self._retry_at_s - time.monotonic())
        others = (self.people.next_expiry_s(), self.ledger.due_s, self._presence.due_s)
        due_s += [due for due in others if due is not None]
        return max(0.0, min((*due_s, LOOK_EVERY_S)))

    def _deadlines_s(self) -> list[float]:
        deadline_ms = self.state.deadline_ms
        return [] if deadline_ms is None else [(deadline_ms + self.state.lag_ms - self.clock_ms()) / 1000]

    def idle(self) -> None:
        """Do the work that is due although nothing has come in."""
        if self.ledger.due_s == 0:
            self.ledger.offer()
            self.troubles.disk(self.ledger)
        if self._refused:
            if time.monotonic() >= self._retry_at_s:
                for message in list(self._refused.values()):
                    self._take(message)
        elif any(due_s <= 0 for due_s in self._deadlines_s()):
            self._take(Tick())
        self._show_presence()
        self._settle()
        self.publish(certain=False)

    def _take(self, message: Input) -> None:
        """Take a step; one that the disk refuses is tried again, unless the same sender says something newer."""
        sender = getattr(message, "source", type(message).__name__)
        self._refused.pop(sender, None)
        t_ms = self.clock_ms()
        note: Note | None = None
        # A table that follows another is not recorded.
        if not isinstance(message, HomeFacts):
            note = lambda recorder: recorder.message(message, t_ms)  # noqa: E731
        if self._taken(message, sender, t_ms, note):
            return
        if isinstance(message, Observation):
            # Keep the observation: a switch reports an edge only once. Its consequences can wait.
            if self._refused.pop(sender, None):
                self._refused[Tick.__name__] = Tick()
            self.after_the_fact(lambda: self._only_see(message))
            self.after_the_fact(lambda: self.recording.note(lambda recorder: recorder.message(message, t_ms)))

    def _taken(self, message: Input, sender: str, t_ms: int, note: Note | None = None) -> bool:
        """Take a step without a waiting caller; False, with the state as before, when it fails."""
        try:
            self.commit(step(self.state, message, t_ms), note)
            return True
        except Exception as error:
            if isinstance(error, TockError) and not isinstance(error, BadInputError):
                self._refused[sender] = message
                self._disk_refused(error)
            elif isinstance(message, HomeFacts):
                # Another program has written them.
                LOG.warning("facts of the other home fit no game here (%.200s)", escaped(repr(error)))
            else:
                LOG.exception("the table could not take in a message")
        return False

    def _only_see(self, observation: Observation) -> None:
        self.state = replace(self.state, fusion=self.state.fusion.update(observation))

    # Steps with a waiting caller.

    def take(self, request: Request) -> Step:
        """Take the step of a request about the game; raises TockError, and nothing has happened then."""
        t_ms = self.clock_ms()
        taken = step(self.state, request, t_ms)

        def note(recorder: Recorder) -> None:
            if taken.recorded is not None:
                recorder.request(taken.recorded, t_ms)

        self.commit(taken, note)
        if taken.needs_ruling:
            self._rule(t_ms)
        return taken

    def _rule(self, t_ms: int) -> None:
        """Let the referee judge the board again, after what people have seen already."""
        self._taken(Tick(), Tick.__name__, max(t_ms, self.state.watch.t_ms))

    def safely(self, work: Callable[[], Reply]) -> Reply:
        """Answer with a refusal whatever happens: a step that fails has changed nothing, on disk or in memory."""
        try:
            return work()
        except BadInputError:
            LOG.exception("an answer contradicts the rules")
        except TockError as error:
            self._disk_refused(error)
            return refused("disk", reason=str(error))
        except Exception:
            LOG.exception("a request could not be answered")
        return refused("fault")

    def change_game(self, begun: Step, why: str, places: Places | None = None) -> Reply:
        """End the running game, because of `why`, and go on with one that has begun: both are stored, or neither.

        Everybody gets a chair of that game; `places` says which.
        """
        ended = end_game(self.state, why, self.clock_ms())
        self.ledger.append(
            (self.number, ended.events, ended.secrets),
            (self.number + 1, begun.events, begun.secrets),
        )
        self.troubles.disk(self.ledger)
        self.number += 1
        self.state = replace(begun.state, secret=self._draw_secret.renewed(self.number))
        self._keep_lobby(begun.state.lobby)
        self._settle(places)
        self.recording.stop()
        self.after_the_fact(self._set_up_scene)
        self.after_the_fact(lambda: self._announce(ended))
        self.after_the_fact(lambda: self._announce(begun))
        # A source whose picture stands still says nothing more: its last observation is judged against the new game.
        self._rule(self.clock_ms())
        return Reply(True)

    def _settle(self, places: Places | None = None) -> None:
        """Give everybody a chair of the present game; where the disk refuses, `idle` tries again."""
        version = self.participants.version
        if self.people.settle(places).ok and self.participants.version != version:
            self.state = replace(self.state, roster=self.participants.roster())
            self.publisher.forget_seats()

    def change_practice(self, taken: Step) -> Reply:
        """Put a lesson on the table, or the game that has waited for it; raises TockError, and nothing has happened."""
        self.commit(taken)
        self.recording.stop()
        self.after_the_fact(self._set_up_scene)
        self.publish(certain=True)
        self._rule(self.clock_ms())
        return Reply(True)

    def end_practice(self) -> Reply:
        """Go on with the game that has waited for a practice, if there is one; raises TockError."""
        if self.state.practice is None:
            return Reply(True)
        return self.change_practice(end_practice(self.state, self.clock_ms(), sets_up=self.sets_up))

    @property
    def sets_up(self) -> bool:
        """Whether people put pawns where another game has them; on the simulated table they go by themselves."""
        return self._scene is None

    def set_lobby(self, lobby: Lobby | None) -> Reply:
        """Change the lobby's choices, or leave it; the prepared game stays."""
        self._keep_lobby(lobby)
        self.state = replace(self.state, lobby=lobby)
        self.publish(certain=True)
        return Reply(True)

    # What every step has in common.

    def commit(self, taken: Step, note: Note | None = None) -> None:
        """Store a step's events, make its state the present one, show it; on TockError everything stays as before.

        `note` writes what led to the step into a recording, before anybody can see the step and end the recording.
        """
        # A practice leaves nothing behind: neither in the store, nor in scores and the list of games.
        kept, waiting = taken.state.kept, self.state.kept
        if taken.events and kept is taken.state:
            self.ledger.append((self.number, taken.events, taken.secrets))
            self.troubles.disk(self.ledger)
        before, self.state = self.state, taken.state
        if waiting.game.ended is not kept.game.ended:
            self.participants.results.follow(self.number, kept.game, kept.roster.players)
        if waiting.lobby is not None and kept.lobby is None:
            self._keep_lobby(None)
        if note is not None:
            self.after_the_fact(lambda: self.recording.note(note))
        self.after_the_fact(lambda: self._announce(taken))
        if taken.events and kept is taken.state:
            self.after_the_fact(lambda: self.evidence.keep(before.position.board, taken.events))

    def _keep_lobby(self, lobby: Lobby | None) -> None:
        """Keep it for a restart, where the disk takes it: without it a game that is prepared counts as begun."""
        kept = kept_lobby(lobby, self.number)
        self.write_if_idle(lambda: self._store.choices.keep(KEPT_AS, kept))

    def keep_following(self, kept: object) -> None:
        """Keep which game is followed; raises TockError."""
        self.keep(lambda: self._store.choices.keep(FOLLOWING, kept))

    def keep(self, write: Work) -> None:
        """Have something written that people hear of only when it is on the disk; raises TockError."""
        try:
            self.ledger.do(write)
        except TockError as error:
            if self.ledger.busy_s is None:
                self._disk_refused(error)
            raise
        self.troubles.disk(self.ledger)

    def write_if_idle(self, write: Work) -> None:
        self.ledger.write_if_idle(write)

    def _disk_is_slow(self) -> None:
        """Tell everybody that the table waits for the disk."""
        self.troubles.disk(self.ledger)
        self.publish(certain=False)

    def _disk_refused(self, error: TockError) -> None:
        LOG.error("%s", error)
        self._retry_at_s = time.monotonic() + RETRY_S
        if not self.ledger.waiting:
            self.troubles.disk_refused(str(error))
        self.publish(certain=False)

    def after_the_fact(self, work: Callable[[], object]) -> None:
        """Work on events that are on the disk already: a fault here takes nothing back and refuses nothing."""
        try:
            work()
        except Exception:
            LOG.exception("what the table has recorded could not be shown or noted everywhere")

    def _announce(self, taken: Step) -> None:
        for event in taken.events:
            LOG.info("%s %s", event.seq, event.fact.KIND)
            self.figures.happened(event.fact.KIND, self.clock_ms() - event.t_ms)
        self.publish(certain=bool(taken.events))

    def publish(self, *, certain: bool) -> None:
        """Show the table as it is now; unless `certain`, only where it looks different."""
        self.troubles.check()
        self.troubles.views_made(all_made=not self.publisher.is_failing)
        troubles = (*self.troubles.notes, *source_notes(self.sources, self.state.roster))
        around = self.participants.surroundings(
            troubles, photos_kept=self.recording.keeps_photos, is_recording=self.recording.is_running
        )
        self.participants.follow(self.number, self.state.kept.game)
        self.publisher.publish(self.state, around, certain=certain)

    # The people at the table, and a recording of it.

    def seat(self, work: Callable[[], T]) -> T:
        """Do some work that may change the seats; show the change before it returns."""
        version, custody = self.participants.version, self.people.seating.custody
        try:
            return work()
        finally:
            if self.participants.version != version:
                self._people_changed(custody)

    def _people_changed(self, before: Custody) -> None:
        """Show the present players, without the cards of former ones."""
        known = self.state.kept.hands
        hands = hands_after(self.ledger, self.number, known, before, self.people.seating.custody)
        self.state = self.state.with_roster(self.participants.roster()).with_kept_hands(hands)
        # A far player cannot look after the table.
        here = [seat for seat in self.people.sitting() if seat not in self.state.roster.far]
        self.after_the_fact(lambda: self.people.host_seat.follow(here))
        self.publish(certain=True)
        self.publisher.forget_seats()
        practice = self.state.practice
        if practice is not None and practice.learner not in self.state.roster.players:
            self.after_the_fact(self.end_practice)

    def show(self, kind: Kind, change: Work) -> None:
        """Show a change of those who are here or elsewhere, soon."""
        self._presence.put(kind, change)
        self._show_presence()

    def _show_presence(self) -> None:
        changes = self._presence.take()
        for change in changes:
            self.seat(change)
        if changes:
            self.publish(certain=False)

    def _played_game(self) -> PlayedGame:
        kept = self.state.kept
        return PlayedGame(self.number, kept.position.seats, kept.hands)

    def record_to(self, recorder: Recorder) -> None:
        if self.state.practice is not None:
            raise TockError("a practice is not recorded; end it first")
        if self.state.following is not None:
            raise TockError("this table follows another home; record the game there")
        self.recording.begin(recorder, self.ledger.game(self.number).events, self.state.position)
        for report in standing_reports(self.state.copies):
            recorder.message(report, self.clock_ms())
        self.state = self.state.untracked()
        self.publish(certain=False)

    def _set_up_scene(self) -> None:
        if self._scene is not None:
            self._scene.set_up(self.state.position.board.to_pawns())
