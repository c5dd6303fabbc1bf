"""Accounts at a relay and their topics: a home's and its guests', each known by its password.

far/<table>/home         here or away, retained
far/<table>/<room>/up    from the guest of a room, also `gone`
far/<table>/<room>/down  to that guest
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property

from tock_companion.far.line import AWAY
from tock_companion.far.link import NAME, base64url

FAR = "far"
ID_BYTES = 16


@dataclass(frozen=True, slots=True)
class Will:
    """The message that the broker publishes when a line ends."""

    topic: str
    payload: bytes
    is_retained: bool


@dataclass(frozen=True)
class Account:
    """A home; with a room, the guest of that room."""

    table: str
    room: str = ""

    @cached_property
    def filters(self) -> frozenset[str]:
        """The topics that it may subscribe to."""
        if self.room:
            return frozenset((f"{self._below}/down", f"{FAR}/{self.table}/home"))
        return frozenset((f"{self._below}/+/up", f"{self._below}/+/gone"))

    @property
    def will(self) -> Will:
        if self.room:
            return Will(f"{self._below}/gone", b"", is_retained=False)
        return Will(f"{self._below}/home", AWAY.encode(), is_retained=True)

    def may_publish(self, topic: str, *, is_retained: bool) -> bool:
        if self.room:
            return topic in (f"{self._below}/up", f"{self._below}/gone") and not is_retained
        if topic == f"{self._below}/home":
            return True
        below, _, name = topic.removeprefix(f"{self._below}/").partition("/")
        is_own = topic.startswith(f"{self._below}/") and NAME.fullmatch(below) is not None
        return is_own and name == "down" and not is_retained

    def client_id(self, given: bytes) -> str:
        """Its id at the broker: one home a table, and for a guest a part that only its phone knows."""
        known = base64url(hashlib.sha256(given).digest()[:ID_BYTES])
        return f"{self.room}-{known}" if self.room else f"home-{self.table}"

    @property
    def _below(self) -> str:
        return f"{FAR}/{self.table}/{self.room}" if self.room else f"{FAR}/{self.table}"
