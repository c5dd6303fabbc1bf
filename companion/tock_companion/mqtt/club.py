"""All tables of a club, as their broker reports them; nothing else is asked."""

import logging
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from tock_companion import strict_json
from tock_companion.background import News
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.mqtt.topics import ONLINE, ROOT
from tock_companion.views.schema import ClubView

LOG = logging.getLogger(__name__)
TABLE_NAME = re.compile("[A-Za-z0-9-]{1,40}")
MAX_TABLES = 100
MAX_STATE_BYTES = 250_000
"""A view of eight players with its history has a fifth of this."""


@dataclass(frozen=True, slots=True)
class ClubTable:
    """One table as last reported."""

    name: str
    online: bool = False
    view: ClubView | None = None
    """Its last view; None before the first."""


class Club:
    def __init__(self, address: BrokerAddress) -> None:
        """Prepare to listen; nothing is connected before `start`."""
        self.news = News()
        self._tables: dict[str, ClubTable] = {}
        self._revision = 0
        self._closed = False
        self._connection = BrokerConnection(address, "", self._came_up, self._received)

    @property
    def up(self) -> bool:
        return self._connection.up

    @property
    def closed(self) -> bool:
        return self._closed

    def start(self) -> None:
        self._connection.start()

    def stop(self) -> None:
        """End listening, and every wait."""
        with self.news:
            self._closed = True
            self.news.notify_all()
        self._connection.stop()

    def tables(self) -> tuple[int, tuple[ClubTable, ...]]:
        """The revision and all tables, by name."""
        with self.news:
            return self._revision, tuple(self._tables[name] for name in sorted(self._tables))

    def _came_up(self) -> None:
        self._connection.subscribe(f"{ROOT}/+/status", f"{ROOT}/+/state")

    def _received(self, topic: str, payload: bytes) -> None:
        _, name, what = topic.split("/", 2)
        if not TABLE_NAME.fullmatch(name):
            return
        if what == "status":
            self._change(name, online=payload.decode(errors="replace") == ONLINE)
            return
        try:
            self._change(name, view=view_of(payload))
        except ValueError as error:
            LOG.warning(
                "what table %s sent is not the view of a table; it is ignored (%.200r)", name, str(error)
            )

    def _change(self, name: str, **changes: Any) -> None:
        with self.news:
            if name not in self._tables and len(self._tables) >= MAX_TABLES:
                return
            known = self._tables.get(name, ClubTable(name))
            self._tables[name] = replace(known, **changes)
            self._revision += 1
            self.news.notify_all()


def view_of(payload: bytes) -> ClubView:
    """Read a table's message; raises ValueError, because clients may publish anything on a broker.

    Unknown keys are dropped, so that newer tables are shown too.
    """
    if len(payload) > MAX_STATE_BYTES:
        raise ValueError(f"it has more than {MAX_STATE_BYTES} bytes")
    view = _shape().validate_python(strict_json.decode(payload))
    if view["board"]["zones"] not in (4, 6, 8):
        raise ValueError("no board has this number of zones")
    return view


@cache
def _shape() -> TypeAdapter[ClubView]:
    return TypeAdapter(ClubView)
