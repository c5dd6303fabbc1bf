"""A WebSocket joined to the broker: what one sends the other gets, unread and at its own pace."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from tock_companion.allowance import TokenBucket
from tock_web.relay.limits import Limits
from tock_web.serving.wsgi import Message, Receive, Send

LOG = logging.getLogger(__name__)
SUBPROTOCOL = "mqtt"
CONNECT_S = 5.0
READ_BYTES = 64 * 1024
GOING_AWAY, TRY_AGAIN = 1001, 1013

Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Line]]


async def splice(scope: Message, receive: Receive, send: Send, connect: Connect, limits: Limits) -> None:
    """Serve one WebSocket until either side ends it."""
    await receive()
    if SUBPROTOCOL not in scope["subprotocols"]:
        await send({"type": "websocket.close"})
        return
    try:
        reader, writer = await asyncio.wait_for(connect(), CONNECT_S)
    except (OSError, TimeoutError):
        # Phones try again by themselves; the rights' own connection writes the line for the log.
        await send({"type": "websocket.accept", "subprotocol": SUBPROTOCOL})
        await send({"type": "websocket.close", "code": TRY_AGAIN})
        return
    try:
        await send({"type": "websocket.accept", "subprotocol": SUBPROTOCOL})
        tasks = {
            asyncio.create_task(_to_broker(receive, writer, limits)),
            asyncio.create_task(_from_broker(reader, send, limits)),
        }
        await _first_of(tasks)
        with suppress(OSError):
            await send({"type": "websocket.close", "code": GOING_AWAY})
    except OSError:
        pass
    finally:
        writer.transport.abort()


async def _first_of(tasks: set[asyncio.Task[None]]) -> None:
    """Wait until one of them ends, and end the other."""
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception) and not isinstance(ended, OSError | TimeoutError):
                LOG.error("a line to the broker has failed", exc_info=ended)


async def _to_broker(receive: Receive, writer: asyncio.StreamWriter, limits: Limits) -> None:
    clock = asyncio.get_running_loop()
    allowance = TokenBucket(limits.bytes_at_once, limits.bytes_per_s, clock.time())
    while True:
        message = await receive()
        data = message.get("bytes")
        if message["type"] != "websocket.receive" or data is None:
            return
        writer.write(data)
        await writer.drain()
        wait_s = allowance.overdraw(clock.time(), len(data))
        if wait_s > 0:
            await asyncio.sleep(wait_s)


async def _from_broker(reader: asyncio.StreamReader, send: Send, limits: Limits) -> None:
    data = await asyncio.wait_for(reader.read(READ_BYTES), limits.broker_s)
    while data:
        await send({"type": "websocket.send", "bytes": data})
        data = await reader.read(READ_BYTES)
