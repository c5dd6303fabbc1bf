"""Receives the reports of tables; results that arrive together are stored together."""

import logging
from time import monotonic

from tock_companion.club.desk import Desk, GameReport
from tock_companion.club.notes import key_of, result_of
from tock_companion.errors import TockError
from tock_companion.mqtt.club import TABLE_NAME
from tock_companion.mqtt.club_notes import JoinNote, ProgressNote, ResultNote, read
from tock_companion.mqtt.topics import ONLINE
from tock_companion.tournament.decisions import Refused

LOG = logging.getLogger(__name__)
AGAIN_S = 5.0
"""The pause after the disk refused."""


class Inbox:
    """Takes in what tables tell; called by one thread."""

    def __init__(self, desk: Desk, again_s: float = AGAIN_S) -> None:
        self._desk, self._again_s = desk, again_s
        self._waiting: list[tuple[str, GameReport]] = []
        """Results that are not kept yet, with the names of their tables."""
        self._not_before_s = 0.0

    def take(self, topic: str, payload: bytes) -> None:
        """Take in one message; raises ValueError for what no table writes."""
        _, table, *what = topic.split("/")
        if not TABLE_NAME.fullmatch(table):
            return
        match what:
            case ["status"]:
                self._desk.table_online(table, online=payload.decode(errors="replace") == ONLINE)
            case ["club", "join"]:
                self._take_join(table, payload)
            case ["club", "progress"] if payload:
                note = read(ProgressNote, payload)
                found = key_of(note.game)
                if note.club == self._desk.club and found is not None and self._plays(table, found[1].table):
                    self._desk.take_progress(*found, note.home)
            case ["club", "result", _] if payload:
                self._take_result(table, read(ResultNote, payload))

    def flush(self) -> None:
        """Have the results received since then counted; those that the disk refuses wait for the next time."""
        if not self._waiting or monotonic() < self._not_before_s:
            return
        try:
            refused = self._desk.take_results([report for _, report in self._waiting])
        except TockError as error:
            # None counts yet, and none is forgotten: they wait here, and at their tables.
            LOG.error("%s", error)
            self._desk.warn(Refused("club/disk", {"reason": str(error)}))
            self._not_before_s = monotonic() + self._again_s
            return
        for (table, _), why in zip(self._waiting, refused, strict=True):
            if why is not None:
                LOG.warning("the result of table %s does not count: %s", table, why.code)
                self._desk.warn(why)
        self._waiting.clear()

    def _take_join(self, table: str, payload: bytes) -> None:
        if not payload:
            self._desk.leave(table)
            return
        note = read(JoinNote, payload)
        if note.club != self._desk.club:
            LOG.warning("table %s belongs to another club; it is left out", table)
            self._desk.warn(Refused("club/other-club", {"table": table}))
            return
        self._desk.join(table, note.zones)

    def _take_result(self, table: str, note: ResultNote) -> None:
        if note.club != self._desk.club:
            self._desk.warn(Refused("club/other-club", {"table": table}))
            return
        found = key_of(note.game)
        if found is None or not self._plays(table, found[1].table):
            LOG.warning("table %s tells a result of game %s, which it does not play", table, note.game)
            self._desk.warn(Refused("club/not-its-game", {"name": table}))
            return
        if found[0] < self._desk.state.number:
            # A result of an earlier tournament was counted there; its note stays until the table takes it away.
            return
        self._waiting.append((table, GameReport(*found, result_of(note), "\n".join(note.record))))

    def _plays(self, table: str, place: int) -> bool:
        joined = self._desk.state.tables.get(table)
        return joined is not None and joined.place == place
