"""Many tables on one relay and one broker: memory, processor, and how long a call takes there and back.

Each table is a home and a guest with sealed frames of the usual sizes. Every guest asks every five seconds whether its
home is there; at a busy table the guest also sends a call every two seconds and gets an answer and a view.
"""

import asyncio
import secrets
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.light_line import LightLine
from tests.support.relay_process import ask, context_of
from tests.support.watching import Held, cpu_s
from tock_bench.far.relays import BrokerProcess, RelayProcess, address_of, new_table
from tock_bench.results import Say, percentile, spread
from tock_companion.far.link import FarLink, RoomKeys, new_link, room_keys

PING_S, CALL_S = 5.0, 2.0
HEAD = struct.Struct("!cdH")
CALL_BYTES, PING_BYTES, ANSWER_BYTES, VIEW_BYTES = 1_058, 1_058, 1_058, 9_250
"""Data frames of one kilobyte, and of a whole view."""
PING, CALL, VIEW = b"p", b"c", b"v"
AT_ONCE = 8
"""Lines that are opened at a time: a thousand handshakes of TLS at once is another study."""
ROOM_S = 6 * 3600


@dataclass
class FarTable:
    """A home and its guest."""

    number: int
    account: tuple[str, str]
    link: FarLink
    keys: RoomKeys
    home: LightLine | None = None
    guest: LightLine | None = None
    calls_ms: list[float] = field(default_factory=list)
    pings_ms: list[float] = field(default_factory=list)
    sent: int = 0
    answered: int = 0
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def lines_lost(self) -> int:
        """Of its home and its guest."""
        return sum(line is not None and not line.is_open for line in (self.home, self.guest))

    @property
    def below(self) -> str:
        """The topics of the guest's room."""
        return f"far/{self.account[0]}/{self.keys.room}"

    async def open(self, home_port: int, guest_port: int, ca: str) -> None:
        """Connect both ends."""
        trust, local = context_of(ca), address_of(self.number)
        self.home = await LightLine.open(home_port, trust, self.account, self._at_home, local)
        await self.home.subscribe(f"far/{self.account[0]}/+/up", f"far/{self.account[0]}/+/gone")
        own = (self.keys.room, self.keys.broker_password)
        self.guest = await LightLine.open(guest_port, trust, own, self._at_guest, local)
        await self.guest.subscribe(f"{self.below}/down", f"far/{self.account[0]}/home")

    async def close(self) -> None:
        """End both."""
        for line in (self.home, self.guest):
            if line is not None:
                await line.close()

    async def ask(self, kind: bytes, size: int) -> None:
        """Send a frame whose answer is timed."""
        assert self.guest is not None
        self.sent += 1
        await self.guest.publish(f"{self.below}/up", frame(kind, time.monotonic(), size))

    def _at_home(self, topic: str, payload: bytes) -> None:
        if not topic.endswith("/up"):
            return
        kind, began_s, _ = HEAD.unpack_from(payload)
        answers = [frame(kind, began_s, ANSWER_BYTES)]
        if kind == CALL:
            answers.append(frame(VIEW, began_s, VIEW_BYTES))
        task = asyncio.get_running_loop().create_task(self._answer(answers))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _answer(self, answers: list[bytes]) -> None:
        assert self.home is not None
        for answer in answers:
            await self.home.publish(f"{self.below}/down", answer)

    def _at_guest(self, _topic: str, payload: bytes) -> None:
        kind, began_s, _ = HEAD.unpack_from(payload)
        if kind == VIEW:
            return
        self.answered += 1
        (self.calls_ms if kind == CALL else self.pings_ms).append(1000 * (time.monotonic() - began_s))


def frame(kind: bytes, began_s: float, size: int) -> bytes:
    """Bytes of the size of a sealed frame, with its kind and its time."""
    return HEAD.pack(kind, began_s, size) + secrets.token_bytes(size - HEAD.size)


def prepared(relay: RelayProcess, number: int) -> FarTable:
    """A table with a room, not yet connected."""
    account = new_table(relay, number)
    link = new_link(relay.url, account[0])
    keys = room_keys(link.table, link.secret)
    wish = {"room": keys.room, "password": keys.broker_password, "until": int(time.time()) + ROOM_S}
    status, answer = ask(relay.url, relay.ca, "POST", "/relay/v1/rooms", wish, account, address_of(number))
    assert status == 201, answer
    return FarTable(number, account, link, keys)


def relay_under_load(folder: Path, say: Say, tables: int, busy: int, seconds: int) -> dict[str, object]:
    """The figures of one relay and one broker."""
    broker = BrokerProcess(folder)
    relay = RelayProcess(folder, broker.port)
    try:
        relay.wait()
        bare = {"relay": Held.by(relay.process.pid), "broker": Held.by(broker.pid)}
        began_s = time.monotonic()
        made = []
        for number in range(tables):
            made.append(prepared(relay, number))
            if number % 100 == 99:
                say(f"{number + 1} tables have their rights")
        rights_ms = 1000 * (time.monotonic() - began_s) / tables
        found = asyncio.run(_load(relay, broker, made, busy, seconds, say))
        return {
            "tables": tables,
            "busy": busy,
            "seconds": seconds,
            "rights_ms_mean": round(rights_ms, 1),
            "relay_empty_mb": bare["relay"].memory_mb,
            "broker_empty_mb": bare["broker"].memory_mb,
            **found,
        }
    finally:
        relay.stop()
        broker.stop()


async def open_all(tables: list[FarTable], ports: Callable[[FarTable], tuple[int, int]], ca: str) -> None:
    """Connect all tables, some at a time."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def opened(table: FarTable) -> None:
        async with gate:
            await table.open(*ports(table), ca)

    await asyncio.gather(*(opened(table) for table in tables))


async def _load(
    relay: RelayProcess, broker: BrokerProcess, tables: list[FarTable], busy: int, seconds: int, say: Say
) -> dict[str, object]:
    began_s = time.monotonic()
    await open_all(tables, lambda _table: (relay.port, relay.port), relay.ca)
    opened_s = time.monotonic() - began_s
    say(f"{2 * len(tables)} lines are open after {opened_s:.0f} s")
    pids = {"relay": relay.process.pid, "broker": broker.pid}
    used_s = {name: cpu_s(pid) for name, pid in pids.items()}
    began_s = time.monotonic()
    tasks = [asyncio.create_task(_regularly(table, PING, PING_BYTES, PING_S, seconds)) for table in tables]
    tasks += [
        asyncio.create_task(_regularly(table, CALL, CALL_BYTES, CALL_S, seconds)) for table in tables[:busy]
    ]
    await asyncio.gather(*tasks)
    lasted_s = time.monotonic() - began_s
    shares = {name: 100 * (cpu_s(pid) - used_s[name]) / lasted_s for name, pid in pids.items()}
    held = {name: Held.by(pid) for name, pid in pids.items()}
    await asyncio.sleep(2.0)
    calls = sorted(ms for table in tables for ms in table.calls_ms)
    pings = sorted(ms for table in tables for ms in table.pings_ms)
    sent, answered = sum(table.sent for table in tables), sum(table.answered for table in tables)
    await asyncio.gather(*(table.close() for table in tables), return_exceptions=True)
    return {
        "lines": 2 * len(tables),
        "opened_s": round(opened_s, 1),
        "relay_mb": held["relay"].memory_mb,
        "broker_mb": held["broker"].memory_mb,
        "relay_threads": held["relay"].threads,
        "relay_files": held["relay"].files,
        "relay_cpu_percent": round(shares["relay"], 1),
        "broker_cpu_percent": round(shares["broker"], 1),
        "calls": len(calls),
        **spread("call_ms", calls),
        "call_ms_max": round(calls[-1], 1),
        "pings": len(pings),
        "ping_ms_p95": round(percentile(pings, 0.95), 1),
        "frames_lost": sent - answered,
    }


async def _regularly(table: FarTable, kind: bytes, size: int, every_s: float, for_s: int) -> None:
    """Ask at regular times, from one of its own on: clients that all speak at once are another study."""
    started_s = time.monotonic()
    await asyncio.sleep(every_s * (table.number * 0.618 % 1))
    while time.monotonic() < started_s + for_s:
        await table.ask(kind, size)
        await asyncio.sleep(every_s)
