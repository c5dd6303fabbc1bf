"""Strangers at a relay: sign-ups, idle lines, floods and forged names, while an honest home opens tables and plays."""

import asyncio
import multiprocessing
import os
import ssl
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import WebSocketException

from tests.support.light_line import LightLine, RefusedError
from tests.support.relay_process import ask, context_of
from tests.support.watching import Watch
from tock_bench.far.load import CALL, CALL_BYTES, ROOM_S, FarTable, prepared
from tock_bench.far.relays import BrokerProcess, RelayProcess
from tock_bench.results import Say, spread
from tock_companion.far.link import new_link, room_keys

ADDRESSES, LINES_EACH = 24, 20
ROOMS_EACH = 17
EVERY_S = 1.0
FAULTS = (OSError, WebSocketException, RefusedError, EOFError, TimeoutError, ssl.SSLError)


def relay_under_crowd(folder: Path, say: Say, seconds: int) -> dict[str, object]:
    """The figures of one relay and one broker while strangers do their worst from 24 addresses."""
    broker = BrokerProcess(folder)
    relay = RelayProcess(folder, broker.port)
    try:
        relay.wait()
        table = prepared(relay, 0)
        attack = multiprocessing.get_context("spawn").Process(
            target=_attack, args=(relay.url, relay.ca, relay.port, table.account[0], seconds)
        )
        pids = {"relay": relay.process.pid, "broker": broker.pid}
        before = {name: _written_bytes(pid) for name, pid in pids.items()}
        attack.start()
        with Watch(pids["relay"]) as at_relay, Watch(pids["broker"]) as at_broker:
            opened_ms, failed, cuts = asyncio.run(_honest(relay, table, seconds))
            say(f"{len(opened_ms)} tables with a room were opened during the attack")
        attack.join(30)
        attack.kill()
        written = sum(_written_bytes(pid) - before[name] for name, pid in pids.items())
        return {
            "crowd_seconds": seconds,
            "crowd_tables": len(opened_ms),
            "crowd_tables_failed": failed,
            **spread("crowd_table_ms", sorted(opened_ms)),
            "crowd_calls": table.answered,
            "crowd_calls_lost": table.sent - table.answered,
            **spread("crowd_call_ms", sorted(table.calls_ms)),
            "crowd_home_cuts": cuts,
            "crowd_relay_mb": at_relay.most_mb,
            "crowd_broker_mb": at_broker.most_mb,
            "crowd_written_mb_an_hour": round(written / 1e6 * 3600 / seconds, 1),
        }
    finally:
        relay.stop()
        broker.stop()


def _written_bytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/io").read_text(encoding="ascii").splitlines()
    return int(dict(line.split(": ") for line in lines)["write_bytes"])


async def _honest(relay: RelayProcess, table: FarTable, seconds: int) -> tuple[list[float], int, int]:
    """Play at one table, and open another with a room every second, as families from many addresses would."""
    await table.open(relay.port, relay.port, relay.ca)
    end_s, opened_ms, failed, number = time.monotonic() + seconds, list[float](), 0, 1
    while time.monotonic() < end_s:
        began_s = time.monotonic()
        try:
            await asyncio.to_thread(prepared, relay, 10 * number)
            opened_ms.append(1000 * (time.monotonic() - began_s))
        except (AssertionError, *FAULTS):
            failed += 1
        number += 1
        with suppress(*FAULTS):
            await table.ask(CALL, CALL_BYTES)
        await asyncio.sleep(max(0.0, EVERY_S - (time.monotonic() - began_s)))
    await asyncio.sleep(2.0)
    cuts = table.lines_lost
    await table.close()
    return opened_ms, failed, cuts


def _attack(url: str, ca: str, port: int, victim: str, seconds: int) -> None:
    os.nice(5)
    asyncio.run(_attackers(url, ca, port, victim, seconds))


async def _attackers(url: str, ca: str, port: int, victim: str, seconds: int) -> None:
    trust, end_s = context_of(ca), time.monotonic() + seconds
    accounts: list[tuple[str, str]] = []
    rooms: list[tuple[str, str]] = []

    def sign_up(local: str) -> None:
        status, answer = ask(url, ca, "POST", "/relay/v1/tables", {"form": 1}, local=local)
        if status != 201:
            return
        account = answer["table"], answer["password"]
        accounts.append(account)
        for _ in range(ROOMS_EACH):
            keys = room_keys(account[0], new_link(url, account[0]).secret)
            wish = {"room": keys.room, "password": keys.broker_password, "until": int(time.time()) + ROOM_S}
            if ask(url, ca, "POST", "/relay/v1/rooms", wish, account, local)[0] == 201:
                rooms.append((keys.room, keys.broker_password))

    async def again(do: Callable[[], Awaitable[None]], pause_s: float) -> None:
        while time.monotonic() < end_s:
            with suppress(*FAULTS, LookupError, ZeroDivisionError):
                await do()
            await asyncio.sleep(pause_s)

    def signing_up(local: str) -> Callable[[], Awaitable[None]]:
        return lambda: asyncio.to_thread(sign_up, local)

    def holding(number: int, local: str) -> Callable[[], Awaitable[None]]:
        async def hold() -> None:
            line = await LightLine.open(port, trust, rooms[number % len(rooms)], _ignore, local, f"{number}")
            await line.has_ended(end_s - time.monotonic())
            await line.close()

        return hold

    def flooding(number: int, local: str) -> Callable[[], Awaitable[None]]:
        async def flood() -> None:
            account = accounts[number % len(accounts)]
            line = await LightLine.open(port, trust, account, _ignore, local)
            try:
                for size in (300_000, 10) * 20:
                    await line.publish(f"far/{account[0]}/{'r' * 22}/down", b"x" * size)
                await line.publish(f"far/{account[0]}/more", b"x" * 300_000, retain=True)
            finally:
                await line.close()

        return flood

    def forging(local: str) -> Callable[[], Awaitable[None]]:
        async def forge() -> None:
            line = await LightLine.open(port, trust, accounts[0], _ignore, local, victim)
            await line.close()

        return forge

    tasks = []
    for number in range(ADDRESSES):
        local = f"127.2.0.{1 + number}"
        tasks.append(again(signing_up(local), 0.5))
        tasks += [again(holding(number + ADDRESSES * line, local), 2.0) for line in range(LINES_EACH)]
        tasks.append(again(flooding(number, local), 0.2))
    tasks.append(again(forging("127.2.1.1"), 0.25))
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*tasks), seconds + 5)


def _ignore(_topic: str, _payload: bytes) -> None: ...
