"""Publishes a table's public view; a broker that was away gets everything again once it is back."""

import threading

from tock_companion.background import Follower
from tock_companion.core.requests import Role
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.mqtt.topics import OFFLINE, ONLINE, discovery, messages, status_topic
from tock_companion.table.runtime.live import Table
from tock_companion.views.schema import View

POLL_S = 1.0
PAUSE_S = 0.1
"""Views of hands in motion follow each other quickly; a display needs the newest ten times a second at most."""


class Publisher:
    def __init__(self, table: Table, address: BrokerAddress, name: str, version: str) -> None:
        self._table = table
        self._name, self._version = name, version
        self._sent: dict[str, str] = {}
        self._reconnected = threading.Event()
        self._unsent: View | None = None
        """The newest view, until it is published."""
        will = (status_topic(name), OFFLINE)
        self._connection = BrokerConnection(address, f"tock-table-{name}", self._reconnected.set, will=will)
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
        self._connection.stop((status_topic(self._name), OFFLINE))

    def _take(self, view: View | None) -> float:
        self._unsent = view or self._unsent
        if self._reconnected.is_set():
            # The broker may have lost everything, so it gets all of it again.
            self._sent.clear()
            self._unsent = self._table.view(Role.TABLE)
            self._publish(discovery(self._name, self._version))
            self._publish({status_topic(self._name): ONLINE})
            self._reconnected.clear()
        if self._unsent is not None and self._connection.up:
            self._publish(messages(self._name, self._unsent))
            self._unsent = None
        return PAUSE_S

    def _publish(self, new: dict[str, str]) -> None:
        for topic, payload in new.items():
            if self._sent.get(topic) != payload:
                self._connection.publish(topic, payload)
                self._sent[topic] = payload
