"""All tables of a club, as their broker reports them; nothing else is asked."""

import json
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.mqtt.topics import ONLINE, ROOT

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ClubTable:
    """One table as it was last reported."""

    name: str
    online: bool = False
    view: Mapping[str, Any] = field(default_factory=dict)
    """The public view of the table; empty until one was received."""


class Club:
    """Follows every table on a broker."""

    def __init__(self, address: BrokerAddress) -> None:
        """Prepare to listen; nothing is connected before `start`."""
        self._news = threading.Condition()
        self._tables: dict[str, ClubTable] = {}
        self._revision = 0
        self._closed = False
        self._connection = BrokerConnection(address, "", self._came_up, self._heard)

    @property
    def up(self) -> bool:
        """Whether the broker can be reached now."""
        return self._connection.up

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""
        return self._closed

    def start(self) -> None:
        """Begin to listen; returns at once."""
        self._connection.start()

    def stop(self) -> None:
        """End listening, and every wait."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        self._connection.stop()

    def tables(self) -> tuple[int, tuple[ClubTable, ...]]:
        """The revision and all tables, by name."""
        with self._news:
            return self._revision, tuple(self._tables[name] for name in sorted(self._tables))

    def wait(self, revision: int, timeout_s: float) -> bool:
        """Wait until something is newer than `revision`; False when nothing came in time."""
        with self._news:
            return self._news.wait_for(lambda: self._closed or self._revision > revision, timeout_s)

    def _came_up(self) -> None:
        self._connection.subscribe(f"{ROOT}/+/status", f"{ROOT}/+/state")

    def _heard(self, topic: str, payload: bytes) -> None:
        _, name, what = topic.split("/", 2)
        if what == "status":
            self._change(name, online=payload.decode(errors="replace") == ONLINE)
            return
        try:
            view = json.loads(payload)
        except ValueError:
            LOG.warning("what table %s sent is not JSON; it is ignored", name)
            return
        if isinstance(view, dict) and "seats" in view:
            self._change(name, view=view)
        else:
            LOG.warning("what table %s sent is not the view of a table; it is ignored", name)

    def _change(self, name: str, **changes: Any) -> None:
        with self._news:
            known = self._tables.get(name, ClubTable(name))
            self._tables[name] = replace(known, **changes)
            self._revision += 1
            self._news.notify_all()
