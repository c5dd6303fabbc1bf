"""A relay and its broker beside strangers: new tables and calls of honest homes, memory, and bytes written."""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.watching import Watch
from tock_bench.far.load import CALL, CALL_BYTES, FarTable, prepared
from tock_bench.far.relays import BrokerProcess, RelayProcess
from tock_bench.results import Measured, Say, spread

EVERY_S, LAST_S = 1.0, 5.0
MAX_WRITTEN_MB, MAX_MEMORY_MB = 100.0, 200.0


def run(say: Say, seconds: int = 1200, calm_seconds: int = 20) -> Measured:
    """Open a table with a room every second, and call another one, before strangers come and while they are there."""
    with tempfile.TemporaryDirectory(prefix="tock-relay-") as name:
        broker = BrokerProcess(Path(name))
        relay = RelayProcess(Path(name), broker.port)
        try:
            relay.wait()
            return asyncio.run(_measured(relay, broker, seconds, calm_seconds, say))
        finally:
            relay.stop()
            broker.stop()


async def _measured(
    relay: RelayProcess, broker: BrokerProcess, seconds: int, calm_seconds: int, say: Say
) -> Measured:
    honest = prepared(relay, 0)
    await honest.open(relay.port, relay.port, relay.ca)
    pids = (relay.process.pid, broker.pid)
    calm_ms = await _home_life(relay, honest, 1, calm_seconds, say)
    honest.calls_ms.clear()
    written = sum(map(_written_mb, pids))
    place = (str(relay.port), relay.ca, honest.account[0], str(seconds))
    with Watch(pids[0]) as of_relay, Watch(pids[1]) as of_broker:
        strangers = subprocess.Popen(
            [sys.executable, "-m", "tock_bench.far.strangers", *place], stdout=subprocess.PIPE, text=True
        )
        tables_ms = await _home_life(relay, honest, calm_seconds + 1, seconds, say)
        attacks = json.loads(strangers.communicate()[0])
    await asyncio.sleep(LAST_S)
    lost = honest.sent - honest.answered
    figures = {
        "seconds": seconds,
        "tables_asked": seconds, "tables_made": len(tables_ms),
        **spread("calm_table_ms", calm_ms), **spread("table_ms", tables_ms),
        "calls": honest.sent, "calls_lost": lost, **spread("call_ms", honest.calls_ms),
        "lines_lost": honest.lines_lost,
        "relay_mb": of_relay.most_mb, "broker_mb": of_broker.most_mb,
        "written_mb": round(sum(map(_written_mb, pids)) - written, 1),
        "attacks": attacks,
    }  # fmt: skip
    await honest.close()
    passed = (
        len(tables_ms) == seconds
        and not lost
        and max(of_relay.most_mb, of_broker.most_mb) <= MAX_MEMORY_MB
        and figures["written_mb"] <= MAX_WRITTEN_MB
    )
    return Measured(figures, passed=passed)


async def _home_life(
    relay: RelayProcess, honest: FarTable, first: int, seconds: int, say: Say
) -> list[float]:
    """How long each new table with a room takes, while a guest calls its home."""
    took_ms: list[float] = []
    for number in range(seconds):
        began_s = time.monotonic()
        await honest.ask(CALL, CALL_BYTES)
        try:
            await asyncio.to_thread(prepared, relay, first + number)
            took_ms.append(1000 * (time.monotonic() - began_s))
        except Exception as error:
            say(f"no table: {error!r}")
        if number % 60 == 59:
            say(f"{number + 1} s")
        await asyncio.sleep(max(0.0, EVERY_S - (time.monotonic() - began_s)))
    return took_ms


def _written_mb(pid: int) -> float:
    fields = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
    return int(fields["write_bytes"]) / 1e6
