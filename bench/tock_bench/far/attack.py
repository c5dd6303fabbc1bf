"""Attacks a relay's doors for some minutes while three honest tables play: hangs, internal errors and growth.

Requests of every wrong kind, half handshakes and heads, WebSockets with other frames than MQTT's, MQTT packets cut and
changed, guests who publish where they may not, floods of new connections and of messages that nobody reads.
"""

import asyncio
import random
import ssl
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from websockets.exceptions import WebSocketException

from tock_bench.far.light_line import LightLine, RefusedError
from tock_bench.far.load import CALL, CALL_BYTES, FarTable, open_all, prepared
from tock_bench.far.relays import BrokerProcess, RelayProcess
from tock_bench.meeting_place import ask, context_of
from tock_bench.results import percentile
from tock_bench.watching import Held

Say = Callable[[str], None]
HONEST, ATTACKERS = 3, 12
CALL_S = 1.0
LOOK_S = 30.0
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


@dataclass
class Attack:
    """What was tried, and what came of it."""

    relay: RelayProcess
    rng: random.Random
    until_s: float
    tried: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    internal_errors: list[bytes] = field(default_factory=list)

    def local(self) -> str:
        """One of a thousand addresses."""
        return f"127.2.{self.rng.randrange(4)}.{self.rng.randrange(1, 251)}"


def attacked(folder: Path, say: Say, minutes: float, seed: int = 1) -> dict[str, object]:
    """Attack, and say what was found."""
    broker = BrokerProcess(folder)
    relay = RelayProcess(folder, broker.port)
    try:
        relay.wait()
        honest = [prepared(relay, number) for number in range(HONEST)]
        attack = Attack(relay, random.Random(seed), time.monotonic() + 60 * minutes)
        before = {"relay": Held.by(relay.process.pid), "broker": Held.by(broker.pid)}
        memory = asyncio.run(_attack(attack, broker, honest, say))
        calls = sorted(ms for table in honest for ms in table.calls_ms)
        after = {"relay": Held.by(relay.process.pid), "broker": Held.by(broker.pid)}
        answers, _ = ask(relay.url, relay.ca, "GET", "/relay/v1/about")
        log = relay.process.log
        return {
            "minutes": minutes,
            "tried": dict(sorted(attack.tried.items())),
            "statuses": {str(status): count for status, count in sorted(attack.statuses.items())},
            "answers_5xx_but_503": len(attack.internal_errors),
            "tracebacks": log.count("Traceback"),
            "answers_afterwards": answers == 200,
            "honest_calls": sum(table.sent for table in honest),
            "honest_lost": sum(table.sent - table.answered for table in honest),
            "honest_ms_median": round(percentile(calls, 0.5), 1),
            "honest_ms_p95": round(percentile(calls, 0.95), 1),
            "honest_ms_max": round(calls[-1], 1),
            "relay_mb": [before["relay"].memory_mb, *memory["relay"], after["relay"].memory_mb],
            "broker_mb": [before["broker"].memory_mb, *memory["broker"], after["broker"].memory_mb],
            "relay_files_afterwards": after["relay"].files,
            "log_kb": round(len(log) / 1000, 1),
        }
    finally:
        relay.stop()
        broker.stop()


async def _attack(
    attack: Attack, broker: BrokerProcess, honest: list[FarTable], say: Say
) -> dict[str, list[float]]:
    relay = attack.relay
    await open_all(honest, lambda _table: (relay.port, relay.port), relay.ca)
    kinds = (_request, _half, _web_socket, _mqtt, _guest, _flood)
    attackers = [
        asyncio.create_task(_keep(attack, kinds[number % len(kinds)], honest)) for number in range(ATTACKERS)
    ]
    players = [asyncio.create_task(_play(table, attack)) for table in honest]
    memory: dict[str, list[float]] = {"relay": [], "broker": []}
    while time.monotonic() < attack.until_s:
        await asyncio.sleep(min(LOOK_S, max(0.1, attack.until_s - time.monotonic())))
        memory["relay"].append(Held.by(relay.process.pid).memory_mb)
        memory["broker"].append(Held.by(broker.pid).memory_mb)
        say(
            f"{sum(attack.tried.values())} attacks, {attack.statuses.most_common(4)}, relay {memory['relay'][-1]} MB"
        )
    await asyncio.gather(*attackers, *players)
    await asyncio.sleep(2)
    await asyncio.gather(*(table.close() for table in honest), return_exceptions=True)
    return memory


async def _play(table: FarTable, attack: Attack) -> None:
    while time.monotonic() < attack.until_s:
        await table.ask(CALL, CALL_BYTES)
        await asyncio.sleep(CALL_S)


Kind = Callable[[Attack, FarTable], Awaitable[None]]


async def _keep(attack: Attack, kind: Kind, honest: list[FarTable]) -> None:
    while time.monotonic() < attack.until_s:
        attack.tried[kind.__name__.strip("_")] += 1
        with suppress(
            OSError, ssl.SSLError, WebSocketException, RefusedError, EOFError, asyncio.IncompleteReadError
        ):
            await kind(attack, attack.rng.choice(honest))
        await asyncio.sleep(0)


async def _line(attack: Attack, *, tls: bool = True) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    trust = context_of(attack.relay.ca) if tls else None
    return await asyncio.open_connection(
        "127.0.0.1", attack.relay.port, ssl=trust, local_addr=(attack.local(), 0)
    )


async def _request(attack: Attack, _victim: FarTable) -> None:
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
            status = int(answer[9:12])
            attack.statuses[status] += 1
            if status >= 500 and status != 503:
                attack.internal_errors.append(data[:200])
    finally:
        writer.transport.abort()


async def _half(attack: Attack, _victim: FarTable) -> None:
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


async def _web_socket(attack: Attack, _victim: FarTable) -> None:
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


async def _mqtt(attack: Attack, victim: FarTable) -> None:
    """Packets of MQTT that are cut or changed, without an account or with a wrong password."""
    rng = attack.rng
    account = rng.choice(
        ((victim.account[0], "wrong"), (victim.keys.room, "wrong"), ("relay", ""), ("bridge", "x"))
    )
    line = await LightLine.open(
        attack.relay.port, context_of(attack.relay.ca), account, _ignore, attack.local()
    )
    await line.close()


async def _guest(attack: Attack, victim: FarTable) -> None:
    """The right account of a guest, and wishes that are not a guest's."""
    rng = attack.rng
    own = (victim.keys.room, victim.keys.broker_password)
    line = await LightLine.open(attack.relay.port, context_of(attack.relay.ca), own, _ignore, attack.local())
    try:
        table = victim.account[0]
        topic = rng.choice(
            (f"far/{table}/home", f"far/{table}/x/up", "relay/tables/x", "$CONTROL/dynamic-security/v1")
        )
        await line.publish(topic, rng.randbytes(rng.randrange(2_000)))
        await line.raw(rng.randbytes(rng.randrange(1, 60)))
        await asyncio.sleep(0.05)
    finally:
        await line.close()


async def _flood(attack: Attack, victim: FarTable) -> None:
    """Messages to a topic that nobody reads, as many as the relay takes, and none of its answers read."""
    own = (victim.keys.room, victim.keys.broker_password)
    line = await LightLine.open(attack.relay.port, context_of(attack.relay.ca), own, _ignore, attack.local())
    try:
        for _ in range(FLOOD_FRAMES):
            await asyncio.wait_for(
                line.publish(f"far/{victim.account[0]}/{victim.keys.room}/gone", b"x" * 5_000), 2
            )
    except TimeoutError:
        pass
    finally:
        await line.close()


def _ignore(_topic: str, _payload: bytes) -> None:
    """Let a message be."""
