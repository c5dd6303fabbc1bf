"""The one writer: takes steps, stores what they recorded, and only then shows it.

Everything here runs on the writing thread, but for the constructor, which runs before that thread is started.
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError, TockError
from tock_companion.events.facts import GameStarted
from tock_companion.events.game import NEW_GAME
from tock_companion.observation import Observation, SourceMessage, SourceReport
from tock_companion.referee.decision import Timing
from tock_companion.rules import Seat
from tock_companion.sources.base import Source
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.core import bodies
from tock_companion.table.core.handlers import means_the_same, refusal_of
from tock_companion.table.core.lobby import KEPT_AS, kept_lobby, opening_of, plays_on, why_over
from tock_companion.table.core.requests import Reply, Request, Role, bad_request, refused
from tock_companion.table.core.setup import GameSetup, again, game_started
from tock_companion.table.core.state import CoreState, Lobby
from tock_companion.table.core.step import Input, Step, Tick, begin_game, end_game, resume_game, step
from tock_companion.table.runtime.evidence import Evidence
from tock_companion.table.runtime.figures import Figures
from tock_companion.table.runtime.ledger import RETRY_S, Ledger
from tock_companion.table.runtime.publisher import Publisher
from tock_companion.table.runtime.recorder import Note, Recorder, Recording
from tock_companion.table.runtime.resuming import hands_after, resumed, state_of_lines
from tock_companion.table.runtime.troubles import LOOK_EVERY_S, Troubles, source_notes
from tock_companion.table.seats.custody import HandMark
from tock_companion.table.seats.participants import Participants

LOG = logging.getLogger(__name__)
OPENING = bodies.NewGame | bodies.Prepare | bodies.Begin | bodies.Rematch
BEYOND_THE_GAME = OPENING | bodies.AboutTheTable


class Writer:
    """The running game, its number in the store, and what has to happen with every step."""

    def __init__(
        self,
        board_file: BoardFile,
        store: Store,
        sources: Sequence[Source],
        scene: Scene | None,
        in_turn: Callable[[Callable[[], Any]], Any],
        view_failed: Callable[[], None],
        setup: GameSetup,
        timing: Timing | None,
        lobby: Lobby | None,
        troubles: Troubles | None = None,
    ) -> None:
        """Take up the game that was running, or begin the one of `setup`, in a lobby if one is given.

        `in_turn` runs something on this thread; `view_failed` is called when a view cannot be made, by any thread.
        """
        self._board_file, self._store, self._scene = board_file, store, scene
        self.ledger = Ledger(store)
        self.sources, self._custody = sources, store.withheld()
        self._participants = Participants(
            store, board_file, lambda: self.state.position.seats, self._people_changed,
            in_turn=in_turn, mark_of=self._mark_of, keep=self._keep,
            write_if_idle=self.ledger.write_if_idle,
        )  # fmt: skip
        self.people, self.host_seat = self._participants.people, self._participants.host_seat
        self.expect, self.see_letters = self._participants.expect, self._participants.see_letters
        self.results = self._participants.results
        self.evidence = Evidence(self.ledger, sources, lambda: self.number)
        self.recording = Recording(sources)
        self.figures, self._troubles = Figures(), troubles or Troubles(has_lost=store.has_lost)
        self._refused: dict[str, Input] = {}
        """What the disk refused, the newest of each sender: it is tried again."""
        self._retry_at_s = 0.0
        self.number, self.state = self._first(setup, timing, lobby)
        self._epoch_s = time.monotonic() - self.state.game.t_ms / 1000
        self.publisher = Publisher(self.state, board_file, view_failed)
        self.ledger.dawdles = self._disk_dawdles
        self._troubles.disk(self.ledger)
        self._set_up_scene()
        self._publish(certain=False)

    def _first(self, setup: GameSetup, timing: Timing | None, lobby: Lobby | None) -> tuple[int, CoreState]:
        names = self._participants.names()
        found = resumed(self._store, self._board_file, names, timing, self._custody)
        if found.state is not None:
            return found.number, found.state
        if found.damaged:
            self._troubles.game_damaged(found.number)
        begun = begin_game(names, self._started(setup), 0, timing=timing)
        number = found.number + 1
        self.ledger.append((number, begun.events, begun.secrets))
        self._keep_lobby(lobby, number)
        return number, replace(begun.state, lobby=lobby)

    def clock_ms(self) -> int:
        """The table's time: milliseconds of play, going on where the log ended; any thread may ask."""
        return round((time.monotonic() - self._epoch_s) * 1000)

    # Steps that nobody waits for.

    def hear(self, message: SourceMessage) -> None:
        """Take in what a source says."""
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
        due_s += [due for due in (self.people.next_expiry_s(), self.ledger.due_s) if due is not None]
        return max(0.0, min((*due_s, LOOK_EVERY_S)))

    def _deadlines_s(self) -> list[float]:
        deadline_ms = self.state.deadline_ms
        return [] if deadline_ms is None else [(deadline_ms + self.state.lag_ms - self.clock_ms()) / 1000]

    def idle(self) -> None:
        """Do what is due although nothing has come in."""
        if self.ledger.due_s == 0:
            self.ledger.offer()
            self._troubles.disk(self.ledger)
        if self._refused:
            if time.monotonic() >= self._retry_at_s:
                for message in list(self._refused.values()):
                    self._take(message)
        elif any(due_s <= 0 for due_s in self._deadlines_s()):
            self._take(Tick())
        self._publish(certain=False)

    def _take(self, message: Input) -> None:
        """Take a step; what the disk refuses is tried again, unless the same sender says something newer."""
        sender = getattr(message, "source", type(message).__name__)
        self._refused.pop(sender, None)
        t_ms = self.clock_ms()
        if self._taken(message, sender, t_ms, lambda recorder: recorder.message(message, t_ms)):
            return
        if isinstance(message, Observation):
            # What was seen is not forgotten: an edge is told only once. What follows from it can wait.
            if self._refused.pop(sender, None):
                self._refused[Tick.__name__] = Tick()
            self._after_the_fact(lambda: self._only_see(message))
            self._after_the_fact(lambda: self._record(lambda recorder: recorder.message(message, t_ms)))

    def _taken(self, message: Input, sender: str, t_ms: int, note: Note | None = None) -> bool:
        """Take a step that nobody waits for; False, with the state as before, when it fails."""
        try:
            self._commit(step(self.state, message, t_ms), note)
            return True
        except BadInputError:
            LOG.exception("the referee contradicts the rules")
        except TockError as error:
            self._refused[sender] = message
            self._disk_refused(error)
        except Exception:
            LOG.exception("the table could not take in what it was told")
        return False

    def _only_see(self, observation: Observation) -> None:
        self.state = replace(self.state, fusion=self.state.fusion.update(observation))

    # Steps that somebody waits for.

    def answer(self, request: Request, may_ask: Callable[[], bool]) -> Reply:
        """Judge a request, if whoever sent it still may make it now that its turn has come."""
        if not may_ask():
            return refused("seat_lost")
        if self.publisher.outdated(request.revision) and not means_the_same(self.state, request):
            return refused("stale")
        if isinstance(request.body, BEYOND_THE_GAME) or plays_on(request.body):
            return refusal_of(self.state, request) or self._answer_beyond(request)
        t_ms = self.clock_ms()
        taken = step(self.state, request, t_ms)

        def note(recorder: Recorder) -> None:
            if taken.recorded is not None:
                recorder.request(taken.recorded, t_ms)

        self._commit(taken, note)
        if taken.needs_ruling:
            self._rule(t_ms)
        if taken.reply.data.get(NEW_GAME):
            return self.begin(again(self.state.game.started))
        return taken.reply

    def _answer_beyond(self, request: Request) -> Reply:
        """Answer what is about people, or about another game."""
        match request.body:
            case bodies.NewGame() | bodies.Prepare() | bodies.Begin() | bodies.Rematch() as body:
                return self._open(body)
            case bodies.AnswerAbsent(seat=seat):
                # A computer plays on: the other answers are about the game alone.
                if self.state.absent is not seat:
                    return refused("no_question")
                return self.people.answer(Request(bodies.SetComputer(seat, "medium"), Role.HOST))
            case bodies.HandHost(seat=seat):
                return self.hand_host(seat) if seat in self.state.names.players else refused("seat_free")
            case bodies.SetComputer(seat=seat, strength=str()) if self.state.lobby_waits_for(seat):
                # A computer that is set on the seat that begins is told to play.
                reply: Reply = self.people.answer(request)
                return self._set_lobby(None) if reply.ok else reply
        return self._participants.answer(request)

    def hand_host(self, seat: Seat | None, *, only_first: bool = False) -> Reply:
        """Give a seat the host's rights, or take them from all seats; with `only_first` only where none has them."""
        if not (only_first and self.host_seat.seat is not None):
            self.host_seat.hand_to(seat)
            self._publish(certain=True)
        return Reply(True)

    def _rule(self, t_ms: int) -> None:
        """Let the referee judge the board in the light of what people have heard already."""
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

    def _open(self, body: OPENING) -> Reply:
        opening = opening_of(body, self.state, self._board_file)
        if isinstance(opening, Reply):
            return opening
        for seat, strength in opening.computers.items():
            self.people.answer(Request(bodies.SetComputer(seat, strength), Role.HOST))
        if opening.setup is None:
            return self._set_lobby(opening.lobby)
        begun = self.begin(opening.setup, opening.lobby)
        return self._participants.rotate(self.state.game) if opening.rotates and begun.ok else begun

    def _set_lobby(self, lobby: Lobby | None) -> Reply:
        """Change what the lobby says, or leave it; the prepared game stays."""
        self._keep_lobby(lobby, self.number)
        self.state = replace(self.state, lobby=lobby)
        self._publish(certain=True)
        return Reply(True)

    def begin(self, setup: GameSetup, lobby: Lobby | None = None) -> Reply:
        """End the running game and begin another, both or neither."""
        begun = begin_game(self.state.names, self._started(setup), self.clock_ms(), before=self.state)
        begun = replace(begun, state=replace(begun.state, lobby=lobby))
        return self._change_game(begun, why_over(self.state.lobby, "new game"))

    def take_up(self, lines: Sequence[str]) -> Reply:
        """End the present game and go on with the one of a log."""
        try:
            found, events = state_of_lines(lines, self._board_file, self.state.names)
        except BadInputError as error:
            return bad_request(error)
        if found.game.ended is not None:
            return refused("finished")
        reply = self._change_game(resume_game(self.state, found, events, self.clock_ms()), "another game")
        # The clock of the table never falls behind the log.
        self._epoch_s = min(self._epoch_s, time.monotonic() - self.state.game.t_ms / 1000)
        return reply

    def end(self, why: str) -> Reply:
        """End the present game, and begin no other: the table is about to be laid with another board."""
        self._commit(end_game(self.state, why_over(self.state.lobby, why), self.clock_ms()))
        return Reply(True)

    def _change_game(self, begun: Step, why: str) -> Reply:
        ended = end_game(self.state, why, self.clock_ms())
        self.ledger.append(
            (self.number, ended.events, ended.secrets),
            (self.number + 1, begun.events, begun.secrets),
        )
        self._troubles.disk(self.ledger)
        self.number += 1
        self.state = begun.state
        self._keep_lobby(begun.state.lobby, self.number)
        self.recording.stop()
        self._after_the_fact(self._set_up_scene)
        self._after_the_fact(lambda: self._tell(ended))
        self._after_the_fact(lambda: self._tell(begun))
        # A source whose picture stands still says nothing more: what it showed last is judged against the new game.
        self._rule(self.clock_ms())
        return Reply(True)

    # What every step has in common.

    def _commit(self, taken: Step, note: Note | None = None) -> None:
        """Store what a step recorded, take its state for the present one, show it; raises TockError, then as before.

        `note` writes what led to the step into a recording, before anybody can see the step and end the recording.
        """
        if taken.events:
            self.ledger.append((self.number, taken.events, taken.secrets))
            self._troubles.disk(self.ledger)
        before, self.state = self.state, taken.state
        if before.game.ended is not taken.state.game.ended:
            self.results.follow(self.number, taken.state.game, taken.state.names.players)
        if before.lobby is not taken.state.lobby:
            self._keep_lobby(None, self.number)
        if note is not None:
            self._after_the_fact(lambda: self._record(note))
        self._after_the_fact(lambda: self._tell(taken))
        if taken.events:
            self._after_the_fact(lambda: self.evidence.keep(before.position.board, taken.events))

    def _keep_lobby(self, lobby: Lobby | None, number: int) -> None:
        """Keep it for a restart, where the disk takes it: without it a game that is prepared counts as begun."""
        self.ledger.write_if_idle(lambda: self._store.choices.keep(KEPT_AS, kept_lobby(lobby, number)))

    def _keep(self, write: Callable[[], None]) -> None:
        """Have something written that is told only when it is on the disk; raises TockError."""
        try:
            self.ledger.do(write)
        except TockError as error:
            if self.ledger.busy_s is None:
                self._disk_refused(error)
            raise
        self._troubles.disk(self.ledger)

    def _disk_dawdles(self) -> None:
        """Tell everybody that the table waits for the disk."""
        self._troubles.disk(self.ledger)
        self._publish(certain=False)

    def _after_the_fact(self, work: Callable[[], None]) -> None:
        """Do something with what is on the disk already: a fault here takes nothing back and refuses nobody."""
        try:
            work()
        except Exception:
            LOG.exception("what the table has recorded could not be shown or noted everywhere")

    def _tell(self, taken: Step) -> None:
        for event in taken.events:
            LOG.info("%s %s", event.seq, event.fact.KIND)
            self.figures.happened(event.fact.KIND, self.clock_ms() - event.t_ms)
        self._publish(certain=bool(taken.events))

    def _publish(self, *, certain: bool) -> None:
        self._troubles.look()
        self._troubles.views_made(all_made=not self.publisher.is_failing)
        troubles = (*self._troubles.notes, *source_notes(self.sources, self.state.names))
        around = self._participants.surroundings(
            troubles, photos_kept=self.recording.keeps_photos, is_recording=self.recording.is_running
        )
        self.publisher.publish(self.state, around, certain=certain)

    def _disk_refused(self, error: TockError) -> None:
        LOG.error("%s", error)
        self._retry_at_s = time.monotonic() + RETRY_S
        if not self.ledger.waiting:
            self._troubles.disk_refused(str(error))
        self._publish(certain=False)

    def _people_changed(self) -> None:
        """Show who sits where now, and to nobody the cards of somebody who sat there before."""
        before, now = self._custody, self.people.custody
        hands, self._custody = hands_after(self.ledger, self.number, self.state.hands, before, now), now
        self.state = replace(self.state.with_names(self._participants.names()), hands=hands)
        self._after_the_fact(lambda: self.host_seat.follow(self.people.sitting()))
        self._publish(certain=True)
        self.publisher.forget_seats()

    def _mark_of(self, seat: Seat) -> HandMark | None:
        """Which hand a seat holds."""
        hand = self.state.hands.of(seat)
        return HandMark(self.number, hand.entered_at, len(hand.cards)) if hand is not None else None

    def record_to(self, recorder: Recorder) -> None:
        """Record from now on, so that a replay gives the same events; raises TockError when it cannot begin."""
        self.recording.begin(recorder, self.ledger.game(self.number).events, self.state.position)
        self.state = self.state.untracked()
        self._troubles.recording_begun()
        self._publish(certain=False)

    def _record(self, note: Note) -> None:
        """Note an input in the recording; one that cannot go on ends, and the game does not notice."""
        failure = self.recording.note(note)
        if failure:
            self._troubles.recording_failed(failure)

    def _started(self, setup: GameSetup) -> GameStarted:
        return game_started(setup, self._board_file, datetime.now(UTC).isoformat(timespec="seconds"))

    def _set_up_scene(self) -> None:
        if self._scene is not None:
            self._scene.set_up(self.state.position.board.to_pawns())
