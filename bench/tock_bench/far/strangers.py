"""Strangers at a relay, each with an address of its own: sign-ups, idle lines, floods and forged names.

Usage: `python -m tock_bench.far.strangers PORT CA TABLE SECONDS`; prints one JSON object with the counts.
"""

import asyncio
import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random
from typing import Any

from websockets.exceptions import WebSocketException

from tests.support.light_line import LightLine, RefusedError
from tests.support.relay_process import HERE, ask, context_of
from tock_companion.far.link import new_link, room_keys

ADDRESSES, IDLE_EACH = 24, 20
RETRY_S, TOO_MANY_S = 0.2, 1.0
ROOM_S = 6 * 3600
MESSAGE_BYTES = 330_000
WRONG = ("AAAAAAAAAAAAAAAAAAAAAA", "no password")
CUT = (OSError, WebSocketException, RefusedError, EOFError, TimeoutError)


class Stranger:
    """One address, and the accounts that it got."""

    def __init__(self, number: int, port: int, ca: str, table: str, done: Counter[str]) -> None:
        self.address, self.done = f"127.2.0.{number + 1}", done
        self._port, self._ca, self._table = port, ca, table
        self._trust, self._rng = context_of(ca), Random(number)
        self._accounts: list[tuple[str, str]] = []

    async def _ask(self, path: str, body: object, account: tuple[str, str] | None = None) -> tuple[int, Any]:
        url = f"https://{HERE}:{self._port}"
        return await asyncio.to_thread(ask, url, self._ca, "POST", path, body, account, self.address)

    async def sign_up(self) -> None:
        """Ask for tables, and for rooms of each."""
        status, answer = await self._ask("/relay/v1/tables", {"form": 1})
        self.done[f"tables {status}"] += 1
        if status == 201:
            self._accounts.append((answer["table"], answer["password"]))
        table = self._rng.choice(self._accounts or [WRONG])
        keys = room_keys(table[0], new_link("https://relay.example", table[0]).secret)
        wish = {"room": keys.room, "password": keys.broker_password, "until": int(time.time()) + ROOM_S}
        status, _ = await self._ask("/relay/v1/rooms", wish, table)
        self.done[f"rooms {status}"] += 1
        await asyncio.sleep(TOO_MANY_S if status == 429 else 0)

    async def idle(self) -> None:
        """Open a line and say nothing."""
        reader, _ = await asyncio.open_connection(
            HERE, self._port, ssl=self._trust, local_addr=(self.address, 0)
        )
        self.done["idle lines"] += 1
        await reader.read(1)

    async def flood(self) -> None:
        """Send large messages, retained ones too, to topics of an own account and of others."""
        line, account = await self._line()
        topics = (
            f"far/{account[0]}/home",
            f"far/{account[0]}/{secrets.token_hex(8)}/down",
            f"far/{self._table}/home",
        )
        try:
            while line.is_open:
                await line.publish(
                    self._rng.choice(topics), bytes(MESSAGE_BYTES), retain=self._rng.random() < 0.5
                )
                self.done["large messages"] += 1
        finally:
            await line.close()

    async def forge(self) -> None:
        """Connect under the name of somebody else's home."""
        line, _ = await self._line(f"home-{self._table}")
        self.done["forged names"] += 1
        await line.subscribe("/".join(["+"] * 100))
        await line.has_ended(TOO_MANY_S)
        await line.close()

    async def _line(self, name: str = "") -> tuple[LightLine, tuple[str, str]]:
        account = self._rng.choice(self._accounts or [WRONG])
        line = await LightLine.open(self._port, self._trust, account, lambda *_: None, self.address, name)
        return line, account


async def _again(act: Callable[[], Awaitable[None]]) -> None:
    while True:
        with suppress(*CUT):
            await act()
        await asyncio.sleep(RETRY_S)


async def attack(port: int, ca: str, table: str, seconds: float) -> Counter[str]:
    """Let all of them try for a while."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(ADDRESSES))
    done = Counter[str]()
    strangers = [Stranger(number, port, ca, table, done) for number in range(ADDRESSES)]
    acts = [act for one in strangers for act in (one.sign_up, one.flood, one.forge, *[one.idle] * IDLE_EACH)]
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(asyncio.gather(*map(_again, acts)), seconds)
    return done


if __name__ == "__main__":
    found = asyncio.run(attack(int(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4])))
    sys.stdout.write(json.dumps(dict(sorted(found.items()))) + "\n")
