"""The attackers, as a process of their own that gives way to whoever is attacked: `python -m … PLAN.json OUT.json`."""

import asyncio
import json
import os
import random
import ssl
import sys
import time
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import WebSocketException

from tock_bench.far.attacked import Attack, Victim
from tock_bench.far.door_attacks import DOORS
from tock_bench.far.home_attacks import AT_HOME
from tock_bench.far.light_line import RefusedError

AT_DOORS = 12
HANGS_S, LATE_S = 45.0, 60.0
BROKEN = (OSError, ssl.SSLError, WebSocketException, RefusedError, EOFError, asyncio.IncompleteReadError)
"""Ways in which a line ends whose other end does not like what it is sent."""


def main() -> None:
    """Attack for as long as the plan says, and write the counts."""
    plan = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    attack = Attack(plan["port"], plan["ca"], random.Random(plan["seed"]), time.monotonic() + plan["seconds"])
    asyncio.run(
        _attack(attack, [Victim(link) for link in plan["tables"]], [Victim(link) for link in plan["home"]])
    )
    Path(sys.argv[2]).write_text(json.dumps(attack.to_json()), encoding="utf-8")
    # A line whose other end is gone need not be closed in order.
    os._exit(0)


async def _attack(attack: Attack, tables: list[Victim], home: list[Victim]) -> None:
    at_doors = [_at_door(attack, number, tables) for number in range(AT_DOORS)]
    at_home = [one(attack, victim) for one, victim in zip(AT_HOME, home, strict=True)]
    working: list[asyncio.Task[None]] = [asyncio.create_task(one) for one in (*at_doors, *at_home)]
    done, late = await asyncio.wait(working, timeout=attack.until_s - time.monotonic() + LATE_S)
    for task in done:
        if task.exception() is not None:
            attack.internal_errors.append(f"attacker: {task.exception()!r}")
    attack.unanswered += len(late)


async def _at_door(attack: Attack, number: int, tables: list[Victim]) -> None:
    kind = DOORS[number % len(DOORS)]
    while attack.goes_on:
        attack.tried[kind.__name__.strip("_")] += 1
        try:
            with suppress(*BROKEN):
                await asyncio.wait_for(kind(attack, attack.rng.choice(tables)), HANGS_S)
        except TimeoutError:
            attack.tried[f"hung: {kind.__name__.strip('_')}"] += 1
        await asyncio.sleep(0)


if __name__ == "__main__":
    main()
