"""Two relays of which one is killed, a broker that is killed, and two relays with bridged brokers."""

import asyncio
import os
import signal
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import WebSocketException

from tock_bench.far.light_line import RefusedError
from tock_bench.far.load import PING, PING_BYTES, FarTable, open_all, prepared
from tock_bench.far.relays import BrokerProcess, RelayProcess, copy_certificate, copy_key
from tock_bench.results import percentile

Say = Callable[[str], None]
RETRY_S = 0.25
PATIENCE_S = 60.0
BRIDGED_PINGS = 20


def two_relays(folder: Path, say: Say, tables: int) -> dict[str, object]:
    """One of two relays before one broker is killed: the time until each table's frames go there and back again."""
    broker = BrokerProcess(folder / "first")
    first = RelayProcess(folder / "first", broker.port)
    first.wait()
    copy_key(folder / "first", folder / "second")
    copy_certificate(folder / "first", folder / "second")
    second = RelayProcess(folder / "second", broker.port)
    try:
        second.wait()
        made = [prepared(first, number) for number in range(tables)]
        return asyncio.run(_killed(first, second, broker, made, say))
    finally:
        for each in (second, broker):
            each.stop()


async def _killed(
    first: RelayProcess, second: RelayProcess, broker: BrokerProcess, tables: list[FarTable], say: Say
) -> dict[str, object]:
    await open_all(tables, lambda _table: (first.port, first.port), first.ca)
    await asyncio.gather(*(_answered(table) for table in tables))
    killed_s = time.monotonic()
    first.process.kill()
    back = await asyncio.gather(*(_come_back(table, second, killed_s) for table in tables))
    relay_s = sorted(back)
    say(f"relay killed: {len(back)} tables are back after {relay_s[-1]:.1f} s at most")
    killed_s = time.monotonic()
    os.kill(broker.pid, signal.SIGKILL)
    back = await asyncio.gather(*(_come_back(table, second, killed_s) for table in tables))
    broker_s = sorted(back)
    say(f"broker killed: {len(back)} tables are back after {broker_s[-1]:.1f} s at most")
    await asyncio.gather(*(table.close() for table in tables), return_exceptions=True)
    return {
        "tables": len(tables),
        "relay_killed_back_s_median": round(percentile(relay_s, 0.5), 2),
        "relay_killed_back_s_max": round(relay_s[-1], 2),
        "broker_killed_back_s_median": round(percentile(broker_s, 0.5), 2),
        "broker_killed_back_s_max": round(broker_s[-1], 2),
    }


async def _come_back(table: FarTable, relay: RelayProcess, since_s: float) -> float:
    """The seconds until a table whose lines break has both again, and an answer."""
    while (table.home and table.home.is_open) and (table.guest and table.guest.is_open):
        await asyncio.sleep(0.02)
    await table.close()
    while time.monotonic() < since_s + PATIENCE_S:
        with suppress(OSError, ssl.SSLError, WebSocketException, RefusedError, TimeoutError):
            await asyncio.wait_for(table.open(relay.port, relay.port, relay.ca), 10)
            await _answered(table)
            return time.monotonic() - since_s
        await asyncio.sleep(RETRY_S)
    return PATIENCE_S


async def _answered(table: FarTable) -> float:
    """Send one frame and wait for its answer; its milliseconds."""
    before = len(table.pings_ms)
    await table.ask(PING, PING_BYTES)
    end_s = time.monotonic() + 10
    while len(table.pings_ms) == before:
        if time.monotonic() > end_s:
            raise TimeoutError
        await asyncio.sleep(0.005)
    return table.pings_ms[-1]


def bridged(folder: Path, say: Say, tables: int) -> dict[str, object]:
    """Homes at one relay, guests at another with a broker of its own; the brokers are bridged."""
    (folder / "first").mkdir(exist_ok=True)
    first_broker = BrokerProcess(folder / "first")
    copy_key(folder / "first", folder / "second")
    second_broker = BrokerProcess(folder / "second", first_broker.port)
    first = RelayProcess(folder / "first", first_broker.port)
    first.wait()
    copy_certificate(folder / "first", folder / "second")
    second = RelayProcess(folder / "second", second_broker.port)
    try:
        second.wait()
        made = [prepared(first, number) for number in range(tables)]
        crossed = asyncio.run(_crossing((first, second), made))
        say(f"bridged: {len(crossed)} frames there and back")
        return {
            "tables": tables,
            "frames": len(crossed),
            "there_and_back_ms_median": round(percentile(crossed, 0.5), 1),
            "there_and_back_ms_p95": round(percentile(crossed, 0.95), 1),
        }
    finally:
        for each in (first, second, first_broker, second_broker):
            each.stop()


async def _crossing(relays: Sequence[RelayProcess], tables: list[FarTable]) -> list[float]:
    home, guest = relays
    await open_all(tables, lambda _table: (home.port, guest.port), home.ca)
    crossed = [await _answered(table) for table in tables for _ in range(BRIDGED_PINGS)]
    await asyncio.gather(*(table.close() for table in tables), return_exceptions=True)
    return sorted(crossed)
