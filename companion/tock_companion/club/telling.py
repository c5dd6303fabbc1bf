"""The desk on its broker: hears what tables tell, and tells each what to play."""

import logging
import secrets
import threading
from time import monotonic

from tock_companion.club.desk import Desk, Evening
from tock_companion.club.notes import key_of, notes_of, public_notes, result_of
from tock_companion.errors import TockError
from tock_companion.mqtt.club import TABLE_NAME
from tock_companion.mqtt.club_notes import (
    DESK,
    DeskNote,
    JoinNote,
    ProgressNote,
    ResultNote,
    game_topic,
    read,
    written,
)
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.mqtt.topics import ONLINE, ROOT
from tock_companion.tournament.deciding import Refused

LOG = logging.getLogger(__name__)
GRACE_S = 1.0
"""So long another desk may take to say that it is there."""
POLL_S = 0.25
PAUSE_S = 0.1
"""Results come in bursts at the end of a round: what follows from them is told ten times a second at most."""
PUBLIC_PAUSE_S = 1.0
"""Standings of 800 people are long; who reads them from the broker gets them so often at most."""


class Telling:
    """Keeps the desk and its broker in step; runs in a thread of its own."""

    def __init__(self, desk: Desk, address: BrokerAddress) -> None:
        """Prepare to connect."""
        self._desk = desk
        self._own = DeskNote(desk.club, desk.name, secrets.token_hex(4))
        gone = DeskNote(desk.club, desk.name, self._own.run, online=False)
        self._last = (DESK, written(gone))
        self._connection = BrokerConnection(
            address, f"tock-desk-{self._own.run}", self._came_up, self._heard, self._last
        )
        self._sent: dict[str, str] = {}
        self._up_since_s: float | None = None
        self._announced = False
        self._public_s = 0.0
        self._other: DeskNote | None = None
        self._stopped = threading.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="club-desk", daemon=True)

    @property
    def other(self) -> DeskNote | None:
        """The desk of another club that is on this broker."""
        return self._other

    def start(self) -> None:
        """Begin; returns at once."""
        self._connection.start()
        self._thread.start()

    def wait(self, timeout_s: float) -> None:
        """Wait until tables are told, or for so long; raises TockError when another desk is on the broker."""
        self._ready.wait(timeout_s)
        if self._other is not None:
            raise TockError(
                f"the desk of '{self._other.name}' is on this broker already; stop it, or start a broker of your own"
            )

    def stop(self) -> None:
        """Say that the desk is gone, and disconnect."""
        self._stopped.set()
        self._thread.join(timeout=2 * POLL_S)
        self._connection.stop(self._last if self._announced else None)

    # On the broker's thread.

    def _came_up(self) -> None:
        self._connection.subscribe(DESK)
        self._announced = False
        self._up_since_s = monotonic()

    def _heard(self, topic: str, payload: bytes) -> None:
        try:
            if topic == DESK:
                self._heard_desk(payload)
            else:
                _, table, *what = topic.split("/")
                if TABLE_NAME.fullmatch(table):
                    self._heard_table(table, what, payload)
        except ValueError as error:
            LOG.warning("what came on %s cannot be read; it is ignored (%.200r)", topic, str(error))
            if topic == DESK:
                # It took the place of our own note, which tables are looking for.
                self._announced = False
        except TockError as error:
            # Not counted, and not forgotten: it stays on the broker, and is heard again after the next start.
            LOG.error("%s", error)
            self._desk.warn(Refused("club/disk", {"reason": str(error)}))

    def _heard_desk(self, payload: bytes) -> None:
        if not payload:
            return
        note = read(DeskNote, payload)
        if note.run == self._own.run:
            return
        if note.club == self._own.club:
            # We hold the lock on what it kept: it was ourselves, before this start.
            if self._announced and not note.online:
                self._announced = False
            return
        self._other = note if note.online else None
        if note.online and self._announced:
            LOG.warning("the desk of '%s' came onto this broker; it has to go to another", note.name)
            self._other = None
            self._announced = False
        self._ready.set()

    def _heard_table(self, table: str, what: list[str], payload: bytes) -> None:
        match what:
            case ["status"]:
                self._desk.table_online(table, online=payload.decode(errors="replace") == ONLINE)
            case ["club", "join"]:
                self._heard_join(table, payload)
            case ["club", "progress"] if payload:
                note = read(ProgressNote, payload)
                found = key_of(note.game)
                if note.club == self._own.club and found is not None and self._plays(table, found[1].table):
                    self._desk.take_progress(*found, note.home)
            case ["club", "result", _] if payload:
                self._heard_result(table, read(ResultNote, payload))

    def _heard_join(self, table: str, payload: bytes) -> None:
        if not payload:
            self._desk.leave(table)
            return
        note = read(JoinNote, payload)
        if note.club != self._own.club:
            LOG.warning("table %s belongs to another club; it is left out", table)
            self._desk.warn(Refused("club/other-club", {"table": table}))
            return
        self._desk.join(table, note.zones)
        self._desk.table_online(table, online=True)

    def _heard_result(self, table: str, note: ResultNote) -> None:
        if note.club != self._own.club:
            self._desk.warn(Refused("club/other-club", {"table": table}))
            return
        found = key_of(note.game)
        if found is None or not self._plays(table, found[1].table):
            LOG.warning("table %s tells a result of game %s, which it does not play", table, note.game)
            self._desk.warn(Refused("club/not-its-game", {"name": table}))
            return
        if found[0] < self._desk.evening.number:
            # Told in an earlier tournament; it is counted there, and stays on the broker until the table takes it away.
            return
        refused = self._desk.take_result(*found, result_of(note), "\n".join(note.record))
        if refused is not None:
            LOG.warning("the result of table %s does not count: %s", table, refused.code)
            self._desk.warn(refused)

    def _plays(self, table: str, place: int) -> bool:
        joined = self._desk.evening.tables.get(table)
        return joined is not None and joined.place == place

    # On the thread of our own.

    def _run(self) -> None:
        revision = -1
        was_up = False
        while not (self._stopped.is_set() or self._desk.closed):
            self._desk.wait(revision, POLL_S)
            up = self._connection.up
            if up != was_up:
                self._desk.broker_is(up=up)
                was_up = up
            if not up or not self._may_speak():
                self._stopped.wait(PAUSE_S)
                continue
            evening = self._desk.evening
            revision = evening.revision
            self._tell(evening)
            self._stopped.wait(PAUSE_S)

    def _may_speak(self) -> bool:
        """Announce the desk, once no other one has answered."""
        if self._announced:
            return True
        if self._other is not None or self._up_since_s is None or monotonic() < self._up_since_s + GRACE_S:
            return False
        # The broker may have lost everything, so it gets all of it again.
        self._sent.clear()
        self._publish(DESK, written(self._own))
        self._connection.subscribe(
            f"{ROOT}/+/club/join", f"{ROOT}/+/status", f"{ROOT}/+/club/progress", f"{ROOT}/+/club/result/+"
        )
        self._announced = True
        self._ready.set()
        return True

    def _tell(self, evening: Evening) -> None:
        notes = notes_of(self._own.club, evening, time_is_up=self._desk.time_is_up)
        for table in evening.tables:
            note = notes.get(table)
            self._publish(game_topic(table), "" if note is None else written(note))
        if monotonic() >= self._public_s + PUBLIC_PAUSE_S:
            self._public_s = monotonic()
            for topic, payload in public_notes(evening).items():
                self._publish(topic, payload)

    def _publish(self, topic: str, payload: str) -> None:
        if self._sent.get(topic) != payload:
            self._sent[topic] = payload
            self._connection.publish(topic, payload)
