"""Attacks on a relay's doors: requests, half handshakes and heads, WebSockets, MQTT, guests' accounts, floods."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from tock_bench.far.attacked import Attack, Victim
from tock_bench.far.light_line import LightLine
from tock_bench.meeting_place import context_of

SILENT_S = 3.0
FLOOD_FRAMES = 200
METHODS = (b"GET", b"POST", b"DELETE", b"PUT", b"OPTIONS", b"HEAD", b"CONNECT", b"\xff", b"get", b"")
PATHS = (
    b"/relay/v1/tables", b"/relay/v1/rooms", b"/relay/v1/rooms/AAAAAAAAAAAAAAAAAAAAAA", b"/relay/v1/about", b"/far",
    b"/", b"/mqtt", b"/static/../../etc/passwd", b"/%00", b"/%ff", b"//", b"/relay/v1/rooms/" + b"%2e" * 40,
    b"http://other/far", b"*", b"/" + b"a" * 9_000,
)  # fmt: skip
BODIES = (
    b"", b"{}", b"[]", b"{\"form\":1}", b"{\"form\":1e400}", b"{\"form\":NaN}", b"[" * 1_500, b"\xff\xfe",
    b"{\"form\":1,\"form\":2}", b"{\"room\":\"\\ud800\",\"password\":\"x\",\"until\":1}", b"x" * 5_000,
)  # fmt: skip
HEADS = (
    b"Host: relay", b"Host: a\r\nHost: b", b"Host: [", b"Content-Length: -1", b"Content-Length: 1\r\nContent-Length: 2",
    b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked\r\nContent-Length: 5", b"Authorization: Basic ////",
    b"Authorization: Basic " + b"QUFB" * 500, b"Authorization: Bearer \xff", b"Content-Type: text/plain",
    b"Upgrade: websocket\r\nConnection: Upgrade", b"Expect: 100-continue", b"X: " + b"y" * 20_000, b"Cookie: \x00",
    b"Accept-Encoding: gzip", b"Range: bytes=0-1", b"Accept-Language: \xe9",
)  # fmt: skip
UPGRADE = (
    b"GET /mqtt HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n"
)


async def _line(attack: Attack, *, tls: bool = True) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    trust = context_of(attack.ca) if tls else None
    return await asyncio.open_connection("127.0.0.1", attack.port, ssl=trust, local_addr=(attack.local(), 0))


async def _request(attack: Attack, _victim: Victim) -> None:
    """A request with wrong parts, and its answer's status."""
    rng = attack.rng
    reader, writer = await _line(attack)
    try:
        heads = b"".join(head + b"\r\n" for head in rng.sample(HEADS, rng.randrange(1, 4)))
        body = rng.choice(BODIES)
        if rng.random() < 0.6:
            heads += b"Host: relay\r\nContent-Length: %d\r\n" % len(body)
        data = rng.choice(METHODS) + b" " + rng.choice(PATHS) + b" HTTP/1.1\r\n" + heads + b"\r\n" + body
        if rng.random() < 0.2:
            data = bytes(byte ^ (rng.random() < 0.01) for byte in data)
        writer.write(data)
        answer = b""
        with suppress(TimeoutError):
            answer = await asyncio.wait_for(reader.read(2_000), SILENT_S)
        if answer.startswith(b"HTTP/1.1 "):
            attack.came(int(answer[9:12]), data)
    finally:
        writer.transport.abort()


async def _half(attack: Attack, _victim: Victim) -> None:
    """A handshake or a head that does not end."""
    rng = attack.rng
    _, writer = await _line(attack, tls=rng.random() < 0.5)
    writer.write(
        rng.choice(
            (b"", b"\x16\x03\x01\x02", rng.randbytes(100), b"GET /far HTTP/1.1\r\nHost: ", UPGRADE[:-2])
        )
    )
    await asyncio.sleep(rng.random() * 0.2)
    writer.transport.abort()


async def _web_socket(attack: Attack, _victim: Victim) -> None:
    """A WebSocket with broken frames, or with other content than MQTT."""
    rng = attack.rng
    reader, writer = await _line(attack)
    try:
        writer.write(UPGRADE)
        await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), SILENT_S)
        for _ in range(rng.randrange(1, 5)):
            size = rng.choice((0, 1, 125, 126, 127, 400))
            head = bytes(
                (rng.randrange(256), rng.randrange(256) if rng.random() < 0.5 else 0x80 | min(size, 125))
            )
            writer.write(head + rng.randbytes(4 + size))
        if rng.random() < 0.1:
            writer.write(b"\x82\xff" + (2**40).to_bytes(8, "big") + rng.randbytes(40))
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.read(2_000), 0.3)
    except TimeoutError:
        pass
    finally:
        writer.transport.abort()


async def _mqtt(attack: Attack, victim: Victim) -> None:
    """Packets of MQTT that are cut or changed, without an account or with a wrong password."""
    rng = attack.rng
    account = rng.choice(
        ((victim.table, "wrong"), (victim.keys.room, "wrong"), ("relay", ""), ("bridge", "x"))
    )
    line = await LightLine.open(attack.port, context_of(attack.ca), account, _ignore, attack.local())
    await line.close()


async def _guest(attack: Attack, victim: Victim) -> None:
    """The right account of a guest, and wishes that are not a guest's."""
    rng = attack.rng
    own = (victim.keys.room, victim.keys.broker_password)
    line = await LightLine.open(attack.port, context_of(attack.ca), own, _ignore, attack.local())
    try:
        table = victim.table
        topic = rng.choice(
            (f"far/{table}/home", f"far/{table}/x/up", "relay/tables/x", "$CONTROL/dynamic-security/v1")
        )
        await line.publish(topic, rng.randbytes(rng.randrange(2_000)))
        await line.raw(rng.randbytes(rng.randrange(1, 60)))
        await asyncio.sleep(0.05)
    finally:
        await line.close()


async def _flood(attack: Attack, victim: Victim) -> None:
    """Messages to a topic that nobody reads, as many as the relay takes, and none of its answers read."""
    own = (victim.keys.room, victim.keys.broker_password)
    line = await LightLine.open(attack.port, context_of(attack.ca), own, _ignore, attack.local())
    try:
        for _ in range(FLOOD_FRAMES):
            await asyncio.wait_for(
                line.publish(f"far/{victim.table}/{victim.keys.room}/gone", b"x" * 5_000), 2
            )
    except TimeoutError:
        pass
    finally:
        await line.close()


def _ignore(_topic: str, _payload: bytes) -> None:
    """Let a message be."""


DOORS: tuple[Callable[[Attack, Victim], Coroutine[Any, Any, None]], ...] = (
    _request, _half, _web_socket, _mqtt, _guest, _flood,
)  # fmt: skip
