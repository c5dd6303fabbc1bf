"""The cost of `[far]` in a companion at rest: beside one without it, all started again for each round."""

import time
from pathlib import Path
from statistics import median

from tock_bench.clients import PageClient
from tock_bench.companion import BLIND, Companion
from tock_bench.far.relays import BrokerProcess, RelayProcess
from tock_bench.far.seat import HOST, SETTINGS
from tock_bench.results import Say
from tock_bench.watching import Held, cpu_s

PLAIN = 'ruleset = "mjc"\nhost = "127.0.0.1"\n'
SETTLED_S, WATCHED_S = 15.0, 40.0
PERCENT = 100.0
KINDS = ("without", "set", "invited")
"""No `[far]`; `[far]` and nobody invited; somebody invited who has not come. At each somebody sits at home."""


def idle_cost(folder: Path, say: Say, pairs: int) -> dict[str, object]:
    """Memory and processor of each kind, in that many rounds of all three at a time."""
    broker = BrokerProcess(folder)
    relay = RelayProcess(folder, broker.port)
    found: dict[str, list[tuple[float, int, float]]] = {kind: [] for kind in KINDS}
    try:
        relay.wait()
        for number in range(pairs):
            # None of them is always the first to start.
            order = KINDS[number % 3 :] + KINDS[: number % 3]
            running = {kind: _started(folder / f"{kind}-{number}", kind, relay) for kind in order}
            try:
                time.sleep(SETTLED_S)
                before = {kind: cpu_s(one.process.pid) for kind, one in running.items()}
                time.sleep(WATCHED_S)
                for kind, one in running.items():
                    held, used = Held.by(one.process.pid), cpu_s(one.process.pid) - before[kind]
                    found[kind].append((held.memory_mb, held.threads, PERCENT * used / WATCHED_S))
            finally:
                for one in running.values():
                    one.stop()
            say(f"{number + 1} of {pairs}: {[found[kind][-1] for kind in KINDS]}")
    finally:
        relay.stop()
        broker.stop()
    return {kind: _figures(each) for kind, each in found.items()}


def _started(folder: Path, kind: str, relay: RelayProcess) -> Companion:
    folder.mkdir()
    settings = PLAIN if kind == "without" else SETTINGS.format(port=relay.port, ca=relay.ca)
    (folder / "tock.toml").write_text(settings + BLIND, encoding="utf-8")
    companion = Companion(folder)
    companion.wait_until_up(300)
    host = PageClient(companion.url)
    host.post("/api/v1/join", name="Home", seat=HOST)
    if kind == "invited":
        assert host.post("/api/v1/far/invite", seat="P0", name="Far")["seats"]
    return companion


def _figures(each: list[tuple[float, int, float]]) -> dict[str, object]:
    memory_mb, threads, percent = zip(*each, strict=True)
    return {
        "memory_mb": [median(memory_mb), min(memory_mb), max(memory_mb)],
        "threads": median(threads),
        "cpu_percent": [round(value, 2) for value in (median(percent), min(percent), max(percent))],
        "n": len(each),
    }
