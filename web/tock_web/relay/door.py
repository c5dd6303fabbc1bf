"""Admission of lines to the broker behind a relay, and their pace."""

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tock_companion.allowance import TokenBuckets
from tock_companion.errors import BadInputError
from tock_companion.mqtt.connection import BrokerAddress
from tock_web.relay.accounts import Account
from tock_web.relay.keys import RelayKey
from tock_web.relay.limits import MAX_REMEMBERED, Limits, sources_of
from tock_web.relay.rights import Rights

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]
MAX_WAIT_S = 5.0
"""A line that is further ahead of its pace is cut: no phone and no home comes near."""
MAX_HELD_BYTES = 32_000_000
"""Of all lines that wait for their turn."""


class Door:
    """The way from the relay's port to its broker; on the server's loop alone, but for `admit`."""

    def __init__(self, rights: Rights, key: RelayKey, broker: BrokerAddress, limits: Limits) -> None:
        """Raises BadInputError where the broker's certificate cannot be used."""
        self._rights, self._key, self._broker, self.limits = rights, key, broker, limits
        self.user = (broker.user, broker.password)
        self._context = _context(broker)
        self._bytes_of = TokenBuckets(limits.bytes_at_once, limits.bytes_per_s, MAX_REMEMBERED)
        self._held_bytes = 0
        self._guests: dict[asyncio.StreamWriter, str] = {}
        """The rooms of the lines of guests."""

    def begin(self) -> None:
        """Begin on the loop that is running now."""
        loop = asyncio.get_running_loop()

        def look() -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._cut_ended)

        self._rights.on_end = look

    def admit(self, user: str, password: str) -> Account | None:
        """The account of a name and a password; None where they do not fit."""
        return Account(user) if self._key.is_table(user, password) else self._rights.guest(user, password)

    def has_home(self, account: Account) -> bool:
        return account.table in self._rights.homes

    async def connect(self) -> Line:
        """A connection to the broker; raises OSError."""
        return await asyncio.open_connection(
            self._broker.host,
            self._broker.port,
            ssl=self._context,
            server_hostname=self._broker.host if self._context is not None else None,
        )

    @contextmanager
    def joined(self, account: Account, writer: asyncio.StreamWriter) -> Iterator[None]:
        """Keep a line until its end, or that of its room."""
        if account.room:
            self._guests[writer] = account.room
        try:
            yield
        finally:
            self._guests.pop(writer, None)
            writer.transport.abort()

    async def wait(self, account: Account, address: str, cost: int, size: int) -> None:
        """Wait until a table and an address may send these bytes; raises ConnectionError for a flood."""
        shares = {account.table: 1.0} | {
            source: self.limits.source_share * (1 << level)
            for level, source in enumerate(sources_of(address))
        }
        wait_s = max(self._bytes_of.overdraw(name, cost / share) for name, share in shares.items())
        if wait_s <= 0:
            return
        if wait_s > MAX_WAIT_S or self._held_bytes + size > MAX_HELD_BYTES:
            raise ConnectionError("sends more than it may")
        self._held_bytes += size
        try:
            await asyncio.sleep(wait_s)
        finally:
            self._held_bytes -= size

    def _cut_ended(self) -> None:
        for writer, room in list(self._guests.items()):
            if not self._rights.is_open(room):
                writer.transport.abort()


def _context(broker: BrokerAddress) -> ssl.SSLContext | None:
    if not broker.ca:
        return None
    try:
        return ssl.create_default_context(cafile=broker.ca)
    except (OSError, ssl.SSLError) as error:
        raise BadInputError(f"{broker.ca} holds no certificate ({error})") from None
