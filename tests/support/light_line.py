"""A light MQTT 3.1.1 client over WebSockets: a thousand of them in one process, on one thread."""

import asyncio
import ssl
import struct
from collections.abc import Callable
from itertools import count
from ssl import SSLContext

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, SUBACK = 0x10, 0x20, 0x30, 0x40, 0x82, 0x90
ACCOUNT_AND_CLEAN_START, WILL_ONCE_AT_LEAST = 0xC2, 0x0C
KEEP_ALIVE_S = 600
OPEN_S = 60.0


class RefusedError(Exception):
    """The broker takes this client not in."""


class LightLine:
    """One line through a relay to its broker."""

    def __init__(self, socket: ClientConnection, on_message: Callable[[str, bytes], None], qos: int) -> None:
        self._socket, self._on_message, self._qos = socket, on_message, qos
        self._buffer = bytearray()
        self._numbers = count(1)
        self._subscribed = asyncio.Event()
        self._reader: asyncio.Task[None] | None = None
        self.is_open = True

    @classmethod
    async def open(
        cls,
        port: int,
        trust: SSLContext,
        account: tuple[str, str],
        on_message: Callable[[str, bytes], None],
        local: str = "127.0.0.1",
        name: str = "",
        will: str = "",
        qos: int = 1,
    ) -> "LightLine":
        """Connect; raises RefusedError, OSError or ConnectionClosed. `will` is a topic of an empty last message.

        With QoS 0 no end confirms a message, as a far phone has it.
        """
        socket = await connect(
            f"wss://127.0.0.1:{port}/mqtt",
            subprotocols=[Subprotocol("mqtt")],
            ssl=trust,
            local_addr=(local, 0),
            compression=None,
            ping_interval=None,
            open_timeout=OPEN_S,
            proxy=None,
        )
        line = cls(socket, on_message, qos)
        flags = ACCOUNT_AND_CLEAN_START | (WILL_ONCE_AT_LEAST if will else 0)
        fields = _text("MQTT") + bytes((4, flags)) + struct.pack("!H", KEEP_ALIVE_S) + _text(name)
        fields += _text(will) + _text("") if will else b""
        await socket.send(_packet(CONNECT, fields + _text(account[0]) + _text(account[1])))
        kind, body = await line._next()
        if kind & 0xF0 != CONNACK or body[1] != 0:
            await socket.close()
            raise RefusedError(f"code {body[1]}")
        line._reader = asyncio.create_task(line._read())
        return line

    async def subscribe(self, *topics: str) -> None:
        """Subscribe, and wait for the answer."""
        self._subscribed.clear()
        fields = b"".join(_text(topic) + bytes((self._qos,)) for topic in topics)
        await self._socket.send(_packet(SUBSCRIBE, struct.pack("!H", self._number()) + fields))
        await asyncio.wait_for(self._subscribed.wait(), OPEN_S)

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Send a message."""
        head = _text(topic) + (struct.pack("!H", self._number()) if self._qos else b"")
        await self._socket.send(_packet(PUBLISH | self._qos << 1 | retain, head + payload))

    async def has_ended(self, within_s: float) -> bool:
        """Whether the other end hangs up within that time."""
        if self._reader is None:
            return True
        ended, _ = await asyncio.wait({self._reader}, timeout=within_s)
        return bool(ended)

    async def close(self) -> None:
        """End it."""
        if self._reader is not None:
            self._reader.cancel()
        await self._socket.close()

    def _number(self) -> int:
        return 1 + next(self._numbers) % 65_000

    async def _read(self) -> None:
        try:
            while True:
                kind, body = await self._next()
                if kind & 0xF0 == PUBLISH:
                    await self._take(kind, body)
                elif kind == SUBACK:
                    self._subscribed.set()
        except (ConnectionClosed, OSError, ssl.SSLError):
            self.is_open = False

    async def _take(self, kind: int, body: bytes) -> None:
        (length,) = struct.unpack("!H", body[:2])
        at = 2 + length
        topic = body[2:at].decode()
        if kind & 0x06:
            await self._socket.send(_packet(PUBACK, body[at : at + 2]))
            at += 2
        self._on_message(topic, body[at:])

    async def _next(self) -> tuple[int, bytes]:
        """The next packet of MQTT: frames of WebSockets end anywhere."""
        while True:
            found = _first(self._buffer)
            if found is not None:
                kind, body, size = found
                del self._buffer[:size]
                return kind, body
            data = await self._socket.recv()
            assert isinstance(data, bytes)
            self._buffer += data


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("!H", len(data)) + data


def _packet(kind: int, body: bytes) -> bytes:
    length, size = bytearray(), len(body)
    while True:
        size, low = divmod(size, 128)
        length.append(low | (128 if size else 0))
        if not size:
            return bytes((kind,)) + bytes(length) + body


def _first(buffer: bytearray) -> tuple[int, bytes, int] | None:
    length, at = 0, 1
    while at < len(buffer):
        byte = buffer[at]
        length |= (byte & 127) << (7 * (at - 1))
        at += 1
        if not byte & 128:
            if len(buffer) < at + length:
                return None
            return buffer[0], bytes(buffer[at : at + length]), at + length
    return None
