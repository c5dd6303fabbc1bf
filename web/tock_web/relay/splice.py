"""A WebSocket joined to the broker: what its account may send passes, at the pace of the account and of its address."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from tock_web.relay.accounts import Account
from tock_web.relay.door import Door
from tock_web.relay.packets import ForbiddenError, Hail, Packets, composed, first_packet, refusal
from tock_web.serving.guard import Connection
from tock_web.serving.http_connection import HTTP
from tock_web.serving.wsgi import Message, Receive, Send

LOG = logging.getLogger(__name__)
SUBPROTOCOL = "mqtt"
CONNECT_S = 5.0
READ_BYTES = 64 * 1024
GOING_AWAY, NOT_ALLOWED, TRY_AGAIN = 1001, 1008, 1013
Next = Callable[[], Awaitable[bytes]]


async def splice(scope: Message, receive: Receive, send: Send, door: Door) -> None:
    """Serve one WebSocket until either side ends it."""
    await receive()
    if SUBPROTOCOL not in scope["subprotocols"]:
        await send({"type": "websocket.close"})
        return
    line: Connection = scope["state"][HTTP].line
    line.is_idle = lambda: True
    code = GOING_AWAY
    try:
        await send({"type": "websocket.accept", "subprotocol": SUBPROTOCOL})
        hail, more = await asyncio.wait_for(_first(receive), door.limits.broker_s)
        account = door.admit(hail.user, hail.password)
        if account is None:
            await send({"type": "websocket.send", "bytes": refusal(hail.level)})
        else:
            line.is_idle = lambda: not door.has_home(account)
            code = await _served(door, account, hail, more, receive, send, line.address)
    except (ForbiddenError, TimeoutError):
        # No client of ours: nothing of it is written into the log.
        code = NOT_ALLOWED
    except OSError:
        return
    with suppress(OSError):
        await send({"type": "websocket.close", "code": code})


async def _served(
    door: Door, account: Account, hail: Hail, more: bytes, receive: Receive, send: Send, address: str
) -> int:
    """Join a line to the broker; the code that ends it."""
    try:
        reader, writer = await asyncio.wait_for(door.connect(), CONNECT_S)
    except (OSError, TimeoutError):
        # Phones try again by themselves; the rights' own connection writes the line for the log.
        return TRY_AGAIN
    with door.joined(account, writer):
        writer.write(composed(hail, account, *door.user))
        await _first_of(
            asyncio.create_task(
                _to_broker(receive, writer, Packets(account, hail.level), more, door, address)
            ),
            asyncio.create_task(_from_broker(reader, send)),
        )
    return GOING_AWAY


async def _first_of(*tasks: asyncio.Task[None]) -> None:
    """Wait until one of them ends, and end the others."""
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception) and not isinstance(ended, OSError | ForbiddenError):
                LOG.error("a line to the broker has failed", exc_info=ended)


async def _first(receive: Receive) -> tuple[Hail, bytes]:
    """The first packet, and the bytes behind it; raises ForbiddenError for anything else."""
    received = b""
    while True:
        received += await _next(receive)
        found = first_packet(received)
        if found is not None:
            return found[0], received[found[1] :]


async def _next(receive: Receive) -> bytes:
    """Raises ConnectionError at the end of the line."""
    try:
        message = await receive()
    except AttributeError:
        # asyncio's TLS transport has ended, and has let go of its protocol.
        raise ConnectionError("has ended") from None
    data = message.get("bytes")
    if message["type"] != "websocket.receive" or data is None:
        raise ConnectionError("has ended")
    return bytes(data)


async def _to_broker(
    receive: Receive, writer: asyncio.StreamWriter, packets: Packets, data: bytes, door: Door, address: str
) -> None:
    while True:
        passed, cost = packets.take(data)
        await door.wait(packets.account, address, cost, len(passed))
        writer.write(passed)
        await writer.drain()
        data = await _next(receive)


async def _from_broker(reader: asyncio.StreamReader, send: Send) -> None:
    while data := await reader.read(READ_BYTES):
        await send({"type": "websocket.send", "bytes": data})
