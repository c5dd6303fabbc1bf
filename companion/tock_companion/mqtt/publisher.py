"""Publishes a table's public view and events; a broker that was away gets all it has missed once it is back."""

import logging
import time
from queue import Empty, SimpleQueue

from tock_companion.background import Follower
from tock_companion.core.requests import Role
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.mqtt.home_assistant import discovery
from tock_companion.mqtt.name_claim import NameClaim
from tock_companion.mqtt.topics import (
    OFFLINE,
    ONLINE,
    event_topic,
    machine_topic,
    messages,
    status_topic,
)
from tock_companion.strict_json import encode
from tock_companion.table.runtime.live import Table
from tock_companion.views.public_events import Mark, mark_of
from tock_companion.views.schema import View

LOG = logging.getLogger(__name__)
POLL_S = 1.0
CAME_UP = ""
PAUSE_S = 0.1
"""Views of hands in motion follow each other quickly; a display needs the newest ten times a second at most."""


class Publisher:
    def __init__(self, table: Table, address: BrokerAddress, name: str, version: str) -> None:
        self._table = table
        self._name, self._version = name, version
        self._sent: dict[str, str] = {}
        self._claim = NameClaim(lambda word: self._connection.command(machine_topic(name), word))
        self._came: SimpleQueue[tuple[str, str]] = SimpleQueue()
        """Topic and payload of each message, and `CAME_UP` where the connection is up again."""
        self._place: Mark | None = None
        """Behind the last event that is published; None until the first view."""
        self._is_doubled = False
        self._unsent: View | None = None
        """The newest view, until it is published."""
        will = (status_topic(name), OFFLINE)
        self._connection = BrokerConnection(
            address,
            f"tock-table-{name}-{self._claim.number}",
            lambda: self._came.put((CAME_UP, "")),
            lambda topic, data: self._came.put((topic, data.decode("ascii", "replace"))),
            will,
        )
        self._loop = Follower[View](
            "mqtt-publisher",
            "publishes the public view, where a broker is configured",
            lambda: table.subscribe(Role.TABLE),
            self._take,
            POLL_S,
        )

    def start(self) -> None:
        self._connection.start()
        self._loop.start()

    def stop(self) -> None:
        """Announce that the table is gone, and disconnect."""
        self._loop.stop()
        self._connection.stop((status_topic(self._name), OFFLINE) if self._claim.speaks else None)

    def _take(self, view: View | None) -> float:
        self._unsent = view or self._unsent
        if self._place is None:
            self._place = self._table.public_feed.newest()
        now_s = time.monotonic()
        self._hear(now_s)
        if self._claim.look(now_s):
            # The broker may have lost everything, so it gets all of it again.
            self._sent.clear()
            self._unsent = self._table.view(Role.TABLE)
            self._publish(discovery(self._name, self._version))
            self._publish({status_topic(self._name): ONLINE})
        if self._unsent is not None and self._claim.speaks and self._connection.up:
            self._publish(messages(self._name, self._unsent))
            self._unsent = None
        if self._claim.speaks and self._connection.up:
            self._publish_events(self._place)
        self._note(is_doubled=self._claim.is_doubled(now_s))
        return PAUSE_S

    def _publish_events(self, place: Mark) -> None:
        while news := self._table.public_feed.after(place):
            for event in news:
                text = encode(event)
                if self._connection.send(event_topic(self._name), text.encode()) is None:
                    return
                self._place = place = mark_of(event["id"])

    def _hear(self, now_s: float) -> None:
        """Take in the messages of the broker."""
        while True:
            try:
                topic, payload = self._came.get_nowait()
            except Empty:
                return
            if topic == CAME_UP:
                self._connection.subscribe(machine_topic(self._name), status_topic(self._name))
                self._claim.came_up(now_s)
            elif topic == machine_topic(self._name):
                self._claim.hear(payload, now_s)
            elif payload == OFFLINE and self._claim.speaks:
                # The last will of another machine of this name.
                self._connection.publish(topic, ONLINE)

    def _note(self, *, is_doubled: bool) -> None:
        if is_doubled is not self._is_doubled:
            self._is_doubled = is_doubled
            self._table.note_name(self._name, is_doubled=is_doubled)
            if is_doubled:
                LOG.warning(
                    "another machine is called '%s' on the broker; [mqtt] table names this one", self._name
                )

    def _publish(self, new: dict[str, str]) -> None:
        for topic, payload in new.items():
            if self._sent.get(topic) != payload:
                self._connection.publish(topic, payload)
                self._sent[topic] = payload
