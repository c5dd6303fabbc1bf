"""Hostile clients, each with another address in 127.0.0.0/8.

Usage: `python -m tock_bench.figures.hostile_clients PORT SECONDS [COOKIES…]`, with the cookies of seats that
attack too; prints one JSON object with the number of attacks of each kind.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from random import Random

HEAD = "Host: 127.0.0.1\r\nX-Tock: 1\r\nContent-Type: application/json\r\n"
DESCRIPTION = "/api/v1/openapi.json"
"""The largest answer."""
LARGE = f"GET {DESCRIPTION} HTTP/1.1\r\n{HEAD}\r\n".encode()
PATHS = (
    "/", "/api/v1/view", "/api/v1/session", "/api/v1/replay", "/api/v1/board", "/api/v1/health", "/watch", "/nowhere"
)  # fmt: skip
JSON = "application/json"
SEAT_REQUESTS = (
    ("hint", JSON, b'{"level": "hint"}'),
    ("hand/photo", "image/jpeg", b"\xff\xd8" + bytes(200_000)),
    ("join/ask", JSON, b'{"name": "Eve", "seat": "P0"}'),
    ("request", JSON, b'{"kind": "move", "data": {"text": "P0:T1>T2"}}'),
    ("request", JSON, b'{"kind": "hand_check", "data": {"readings": [{"likely": ["AS"], "confidence": 0.9}]}}'),
)  # fmt: skip
SEED = 19
PATIENCE_S = 5.0
UNREAD_S = 5.0
LEAVE_S = 0.05
RETRY_S = 0.2
"""Between being cut and trying again."""

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Attack = Callable[["Attacker"], Awaitable[None]]


class Attacker:
    """One client: its address and its counts."""

    def __init__(self, number: int, port: int, done: "Counter[str]", cookies: str = "") -> None:
        self.number, self.done, self.cookies = number, done, cookies
        self.rng = Random(SEED + number)
        self._port, self._address = port, f"127.0.3.{number + 1}"

    async def connect(self, limit: int = 2**16) -> Connection:
        """Open a connection; a small limit keeps asyncio from reading ahead."""
        opening = asyncio.open_connection("127.0.0.1", self._port, local_addr=(self._address, 0), limit=limit)
        return await asyncio.wait_for(opening, PATIENCE_S)


def post(path: str, kind: str, cookies: str, body: bytes) -> bytes:
    """Give the bytes of one request of the API."""
    head = (
        f"POST /api/v1/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Tock: 1\r\nContent-Type: {kind}\r\n"
        f"Cookie: {cookies}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def status(reader: asyncio.StreamReader) -> str:
    """Read one answer whole and give its status."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")
    )
    await reader.readexactly(length)
    return head[9:12].decode()


async def flood(attacker: Attacker) -> None:
    """Ask for page after page, as fast as the answers come."""
    reader, writer = await attacker.connect()
    while True:
        path = attacker.rng.choice(PATHS)
        writer.write(f"GET {path} HTTP/1.1\r\n{HEAD}\r\n".encode())
        attacker.done[f"answered {await status(reader)}"] += 1


async def slow_body(attacker: Attacker) -> None:
    """Announce a body and send a byte of it now and then."""
    reader, writer = await attacker.connect()
    writer.write(f"POST /api/v1/join HTTP/1.1\r\n{HEAD}Content-Length: 5000\r\n\r\n".encode())
    while not reader.at_eof():
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(1)


async def never_read(attacker: Attacker) -> None:
    """Ask for the largest answers and never read them."""
    _, writer = await attacker.connect(limit=1024)
    writer.write(LARGE * 2)
    # A client that never reads does not notice that it is cut.
    await asyncio.sleep(UNREAD_S)
    writer.transport.abort()


async def idle(attacker: Attacker) -> None:
    """Connect, say nothing."""
    reader, _ = await attacker.connect()
    await reader.read(1)


async def wild(attacker: Attacker) -> None:
    """Send requests that no browser would."""
    reader, writer = await attacker.connect()
    junk = attacker.rng.randbytes(attacker.rng.randrange(1, 3000))
    requests = (
        junk,
        b"GET /" + junk.hex().encode() + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        post("request", JSON, "", b"[" * 30000),
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 9000,
        LARGE * 150,
    )
    writer.write(attacker.rng.choice(requests))
    writer.write_eof()
    await asyncio.wait_for(reader.read(), PATIENCE_S)
    attacker.done["wild requests"] += 1


async def stream(attacker: Attacker) -> None:
    """Open a stream and read it."""
    reader, writer = await attacker.connect()
    tab = f"greedy-{attacker.rng.randrange(10**9)}"
    writer.write(f"GET /api/v1/events?tab={tab} HTTP/1.1\r\n{HEAD}\r\n".encode())
    while await reader.read(65536):
        pass


async def open_and_leave(attacker: Attacker) -> None:
    """Open a watching page and leave it at its first view, again and again."""
    while True:
        reader, writer = await attacker.connect()
        tab = f"passing-{attacker.rng.randrange(10**9)}"
        writer.write(f"GET /api/v1/events?role=watch&tab={tab} HTTP/1.1\r\n{HEAD}\r\n".encode())
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_S)
        attacker.done[f"watching {head[9:12].decode()}"] += 1
        if head[9:12] == b"200":
            await asyncio.wait_for(reader.readuntil(b"event: view"), PATIENCE_S)
        writer.transport.abort()
        await asyncio.sleep(LEAVE_S)


async def beg(attacker: Attacker) -> None:
    """Ask for taken seats, with made-up cookies."""
    reader, writer = await attacker.connect()
    body = b'{"name": "Eve", "seat": "P0"}'
    while True:
        cookie = attacker.rng.randbytes(16).hex()
        writer.write(post("join/ask", JSON, f"tock_seat={cookie}", body))
        attacker.done[f"seat requests {await status(reader)}"] += 1
        await asyncio.sleep(0.05)


async def ask_as_seat(attacker: Attacker) -> None:
    """Send costly requests of a seat as fast as the answers come."""
    reader, writer = await attacker.connect()
    while True:
        path, kind, body = attacker.rng.choice(SEAT_REQUESTS)
        writer.write(post(path, kind, attacker.cookies, body))
        attacker.done[f"{path} {await status(reader)}"] += 1


async def stream_as_seat(attacker: Attacker) -> None:
    """Open a stream of a seat and never read it."""
    _, writer = await attacker.connect(limit=1024)
    tab = f"seated-{attacker.rng.randrange(10**9)}"
    head = f"{HEAD}Cookie: {attacker.cookies}\r\n"
    writer.write(f"GET /api/v1/events?role=seat&tab={tab} HTTP/1.1\r\n{head}\r\n".encode())
    await asyncio.sleep(UNREAD_S)
    writer.transport.abort()


SEATED: tuple[tuple[Attack, int], ...] = ((ask_as_seat, 8), (stream_as_seat, 12))
"""Attacks of the client of a seat, each with its number of connections."""
CLIENTS: tuple[tuple[Attack, int, int], ...] = (
    (flood, 4, 8),
    (open_and_leave, 2, 5),
    (slow_body, 3, 20),
    (never_read, 4, 10),
    (idle, 2, 250),
    (wild, 3, 3),
    (stream, 1, 60),
    (beg, 1, 2),
)
"""Attacks, each with the number of clients and of connections of each."""


async def again_and_again(attack: Attack, attacker: Attacker) -> None:
    """Attack until cancelled; come back after a cut."""
    while True:
        attacker.done[f"{attack.__name__} begun"] += 1
        with suppress(OSError, EOFError, asyncio.TimeoutError, asyncio.LimitOverrunError, StopIteration):
            await attack(attacker)
        await asyncio.sleep(RETRY_S)


def attacks(port: int, done: "Counter[str]", seats: Sequence[str]) -> Iterator[Awaitable[None]]:
    """All connections of all clients."""
    clients = [((attack, each),) for attack, number, each in CLIENTS for _ in range(number)]
    for number, (acts, cookies) in enumerate(
        [*((acts, "") for acts in clients), *((SEATED, cookies) for cookies in seats)]
    ):
        attacker = Attacker(number, port, done, cookies)
        for attack, connections in acts:
            yield from (again_and_again(attack, attacker) for _ in range(connections))


async def attack_all(port: int, seconds: float, seats: Sequence[str]) -> "Counter[str]":
    """Let all attack for a while."""
    done: Counter[str] = Counter()
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(asyncio.gather(*attacks(port, done, seats)), seconds)
    return done


if __name__ == "__main__":
    counts = asyncio.run(attack_all(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]))
    sys.stdout.write(json.dumps(dict(sorted(counts.items()))) + "\n")
