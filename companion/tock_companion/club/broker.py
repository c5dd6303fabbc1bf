"""The desk on its broker: hears what tables tell, and tells each what to play."""

import logging
import secrets
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic

from tock_companion.background import Background
from tock_companion.club.desk import Desk, DeskState
from tock_companion.club.inbox import Inbox
from tock_companion.club.notes import notes_of, public_notes
from tock_companion.errors import TockError
from tock_companion.mqtt.club_notes import DESK, DeskNote, game_topic, read, written
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.mqtt.topics import ROOT
from tock_companion.tournament.decisions import Refused

LOG = logging.getLogger(__name__)
GRACE_S = 1.0
"""The time that another desk gets to answer before this one speaks."""
PAUSE_S = 0.1
"""Results come in bursts at the end of a round: tables get the consequences ten times a second at most."""
MAX_BATCH = 500
"""Messages taken in before their results are saved."""
STOP_S = 2.0
PUBLIC_PAUSE_S = 3.0
"""Standings of 800 people are long; who reads them from the broker gets them so often at most."""


class BrokerLink:
    """Keeps the desk and its broker in step; runs in a thread of its own."""

    def __init__(self, desk: Desk, address: BrokerAddress) -> None:
        self._desk = desk
        self._own = DeskNote(desk.club, desk.name, secrets.token_hex(4))
        gone = DeskNote(desk.club, desk.name, self._own.run, online=False)
        self._last = (DESK, written(gone))
        self._connection = BrokerConnection(
            address,
            f"tock-desk-{self._own.run}",
            self._came_up,
            lambda topic, payload: self._received.put((topic, payload)),
            self._last,
        )
        self._received: SimpleQueue[tuple[str, bytes] | None] = SimpleQueue()
        """Everything the broker delivered, in its order; None where the connection is new."""
        self._inbox = Inbox(desk)
        self._sent: dict[str, str] = {}
        self._sent_state, self._time_was_up, self._sent_state_s = DeskState(), False, 0.0
        """The last message to each table, and its time."""
        self._up_since_s: float | None = None
        self._announced = False
        self._public_state, self._public_s = DeskState(), 0.0
        self._other: DeskNote | None = None
        self._was_up = False
        self._ready = threading.Event()
        self._loop = Background("club-desk", "hears tables and tells each its game", self._step)

    @property
    def other(self) -> DeskNote | None:
        """The desk of another club that is on this broker."""
        return self._other

    def start(self) -> None:
        self._connection.start()
        self._loop.start()

    def wait(self, timeout_s: float) -> None:
        """Wait until tables have their messages, or for the timeout; raises TockError for a second desk on it."""
        self._ready.wait(timeout_s)
        if self._other is not None:
            raise TockError(
                f"the desk of '{self._other.name}' is on this broker already; stop it, or start a broker of your own"
            )

    def stop(self) -> None:
        """Say that the desk is gone, and disconnect."""
        self._loop.stop(STOP_S)
        self._connection.stop(self._last if self._announced else None)

    # On the broker's thread, which waits for nothing.

    def _came_up(self) -> None:
        self._connection.subscribe(DESK)
        self._received.put(None)

    # On the thread of our own.

    def _step(self) -> float | None:
        if self._desk.closed:
            return None
        try:
            self._do()
        except Exception:
            # Tables may have received half of it: all of them get all of it again.
            self._announced = False
            raise
        return 0.0

    def _do(self) -> None:
        self._listen()
        up = self._connection.up
        if up != self._was_up:
            self._desk.broker_is(up=up)
            self._was_up = up
        if up and self._may_speak():
            self._send_games(self._desk.state)
            self._publish_standings(self._desk.state)

    def _listen(self) -> None:
        """Take in all messages that have come, and wait a moment where there are none."""
        with suppress(Empty):
            self._take(self._received.get(timeout=PAUSE_S))
            for _ in range(MAX_BATCH):
                self._take(self._received.get_nowait())
        self._inbox.flush()

    def _take(self, message: tuple[str, bytes] | None) -> None:
        if message is None:
            self._announced = False
            self._up_since_s = monotonic()
            return
        topic, payload = message
        try:
            if topic == DESK:
                self._take_desk(payload)
            else:
                self._inbox.take(topic, payload)
        except ValueError as error:
            LOG.warning("what came on %s cannot be read; it is ignored (%.200r)", topic, str(error))
            if topic == DESK:
                # It took the place of our own note, which tables are looking for.
                self._announced = False
        except TockError as error:
            LOG.error("%s", error)
            self._desk.warn(Refused("club/disk", {"reason": str(error)}))

    def _take_desk(self, payload: bytes) -> None:
        if not payload:
            return
        note = read(DeskNote, payload)
        if note.run == self._own.run:
            return
        if note.club == self._own.club:
            # We hold the lock on its database: it was this desk, before this start.
            if self._announced and not note.online:
                self._announced = False
            return
        self._other = note if note.online else None
        if note.online and self._announced:
            LOG.warning("the desk of '%s' came onto this broker; it has to go to another", note.name)
            self._other = None
            self._announced = False
        self._ready.set()

    def _may_speak(self) -> bool:
        """Announce the desk, once no other one has answered."""
        if self._announced:
            return True
        if self._other is not None or self._up_since_s is None or monotonic() < self._up_since_s + GRACE_S:
            return False
        # The broker may have lost everything, so it gets all of it again.
        self._sent.clear()
        self._sent_state = self._public_state = DeskState()
        self._publish(DESK, written(self._own))
        self._connection.subscribe(
            f"{ROOT}/+/club/join", f"{ROOT}/+/status", f"{ROOT}/+/club/progress", f"{ROOT}/+/club/result/+"
        )
        self._announced = True
        self._ready.set()
        return True

    def _send_games(self, state: DeskState) -> None:
        """Tell each table its game; how the others stand is no news to it."""
        time_is_up = self._desk.time_is_up
        is_new = (
            state.tournament is not self._sent_state.tournament
            or state.tables is not self._sent_state.tables
            or time_is_up != self._time_was_up
        )
        if not is_new or monotonic() < self._sent_state_s + PAUSE_S:
            return
        self._sent_state, self._time_was_up, self._sent_state_s = state, time_is_up, monotonic()
        notes = notes_of(self._own.club, state, time_is_up=time_is_up)
        for table in state.tables:
            note = notes.get(table)
            self._publish(game_topic(table), "" if note is None else written(note))

    def _publish_standings(self, state: DeskState) -> None:
        """Publish round and standings."""
        if state.tournament is self._public_state.tournament or monotonic() < self._public_s + PUBLIC_PAUSE_S:
            return
        self._public_state, self._public_s = state, monotonic()
        for topic, payload in public_notes(state).items():
            self._publish(topic, payload)

    def _publish(self, topic: str, payload: str) -> None:
        if self._sent.get(topic) != payload:
            self._sent[topic] = payload
            self._connection.publish(topic, payload)
