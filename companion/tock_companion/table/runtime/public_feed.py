"""Hands the public events of a table to any number of readers, each with its place in them: none lost, none doubled.

The log is the only memory. The feed reads it when a reader asks, so it costs nothing while nobody does.
"""

import logging
from collections import deque
from collections.abc import Callable, Mapping
from itertools import dropwhile
from threading import Lock

from tock_companion.errors import BadInputError, TockError
from tock_companion.events.facts import Event
from tock_companion.table.runtime.ledger import Ledger
from tock_companion.views.public_events import Mark, PublicEvent, Translator, mark_of
from tock_rules import Seat

LOG = logging.getLogger(__name__)
MAX_KEPT = 1_000
"""Events kept for readers who are behind; for others the logs are read again."""
MAX_AT_ONCE = 500
START: Mark = (0, 0, 0)


class PublicFeed:
    """The public events of one table in the order of the logs; any thread may read."""

    def __init__(self, ledger: Ledger, names: Callable[[int], Mapping[Seat, str]]) -> None:
        self._ledger, self._names = ledger, names
        self._lock = Lock()
        self._translator: Translator | None = None
        self._kept: deque[PublicEvent] = deque(maxlen=MAX_KEPT)
        self._all_since: Mark = START
        """Every event behind this one is kept."""

    def newest(self) -> Mark:
        """The place behind all events so far."""
        with self._lock:
            self._take_in()
            return mark_of(self._kept[-1]["id"]) if self._kept else self._all_since

    def after(self, place: Mark) -> list[PublicEvent]:
        """The next events behind a place, `MAX_AT_ONCE` at most; empty where there are none yet."""
        with self._lock:
            self._take_in()
            if place >= self._all_since:
                later = dropwhile(lambda event: mark_of(event["id"]) <= place, self._kept)
                return [event for event, _ in zip(later, range(MAX_AT_ONCE), strict=False)]
        return self._from_the_logs(place)

    def _take_in(self) -> None:
        """Translate everything that is new in the logs; the first time only the place is noted."""
        numbers = self._ledger.numbers()
        if not numbers:
            return
        if self._translator is None:
            events = self._events(numbers[-1])
            self._translator = Translator(numbers[-1])
            self._keep(events)
            self._kept.clear()
            self._all_since = (numbers[-1], len(events), 99)
            return
        first = self._translator.number
        for number in (one for one in numbers if one >= first):
            if number != self._translator.number:
                self._translator = Translator(number)
            seen = self._translator.game.seq if self._translator.game is not None else 0
            self._keep(self._events(number, seen))

    def _keep(self, events: tuple[Event, ...]) -> None:
        assert self._translator is not None
        try:
            for event in self._translator.events_of(events, self._names(self._translator.number)):
                if len(self._kept) == MAX_KEPT:
                    self._all_since = mark_of(self._kept[0]["id"])
                self._kept.append(event)
        except BadInputError as error:
            LOG.error("public events of game %d end here: %s", self._translator.number, error)

    def _from_the_logs(self, place: Mark) -> list[PublicEvent]:
        found: list[PublicEvent] = []
        for number in (one for one in self._ledger.numbers() if one >= place[0]):
            try:
                events = Translator(number).events_of(self._events(number), self._names(number))
                found += [event for event in events if mark_of(event["id"]) > place]
            except BadInputError as error:
                LOG.error("public events of game %d are left out: %s", number, error)
            if len(found) >= MAX_AT_ONCE:
                break
        return found[:MAX_AT_ONCE]

    def _events(self, number: int, seen: int = 0) -> tuple[Event, ...]:
        """The events of a game behind those seen; none where the log cannot be read."""
        try:
            return self._ledger.events_after(number, seen)
        except TockError as error:
            LOG.error("%s", error)
            return ()
