"""Measures the cost of a companion at rest, with two pages open.

It has a camera whose picture stands still, or the simulated table, and runs as the service unit starts it, with HTTPS
for phones that are cameras. `--starts 10` starts and stops it ten times instead, with HTTPS and without.
"""

import json
import os
import socket
import statistics
import tempfile
import time
import urllib.request
from pathlib import Path
from threading import Thread
from typing import Annotated

from tests.support.pictures import BOARDS, pictures_of
from tests.support.service import PROGRAM, Companion, free_port
from tock_bench.places import ROOT
from tock_bench.results import Figures, Say
from tock_bench.watching import cpu_s
from tock_companion.errors import TockError

STILL = "s0000"
FPS = 10
SETTLE_S = 40.0
"""Registration, the first reading of all holes, and the seconds until the loop rests."""
SAMPLE_S = 5.0
PAGES = 2
PATIENCE_S = 300.0
"""On a crowded machine a start takes long."""
UNIT = ROOT / "packaging/tock-companion.service"
TUNABLES = "GLIBC_TUNABLES"


def furnish(folder: Path, minutes: float) -> None:
    """A table whose camera shows the same still as long as it takes."""
    boards, frames = pictures_of(BOARDS), folder / "frames"
    frames.mkdir()
    picture = (boards / "stills" / f"{STILL}.jpg").read_bytes()
    (frames / "0.jpg").write_bytes(picture)
    for number in range(1, int((minutes + 3) * 60 * FPS)):
        (frames / f"{number}.jpg").hardlink_to(frames / "0.jpg")
    stills = (json.loads(line) for line in (boards / "stills.jsonl").read_text().splitlines())
    board = next(boards / still["board"] for still in stills if STILL in still["image"])
    (folder / "tock.toml").write_text(
        f'board = "{board}"\n[sources.camera]\nframes = "{frames}"\nfps = {FPS}\n'
    )


def as_the_unit(*, with_tls: bool = True) -> dict[str, str]:
    """The environment in which systemd starts it, as far as it changes what it costs."""
    line = next(line for line in UNIT.read_text().splitlines() if line.startswith(f"Environment={TUNABLES}="))
    port = str(free_port()) if with_tls else "0"
    # What a container says to Python, such as not to keep compiled modules, the unit does not.
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**ours, TUNABLES: line.partition(f"{TUNABLES}=")[2], "TOCK_TLS_PORT": port}


def listens(port: int) -> bool:
    """Whether something takes connections there."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def started(times: int, *, with_tls: bool) -> dict[str, object]:
    """Start it several times on a folder of its own, with the simulated table, and stop it again."""
    clock_s, processor_s, all_s, resident_mb, stop_s = [], [], [], [], []
    with tempfile.TemporaryDirectory() as name:
        # The first one makes the database and the certificate.
        for _ in range(times + 1):
            environment, began_s = as_the_unit(with_tls=with_tls), time.monotonic()
            companion = Companion(Path(name), program=PROGRAM, environment=environment)
            clock_s.append(round(companion.wait_until_up(PATIENCE_S), 2))
            processor_s.append(round(cpu_s(companion.process.pid), 2))
            # HTTPS comes after the page; a stop in the middle of the start waits for the rest of it.
            while with_tls and not listens(int(environment["TOCK_TLS_PORT"])):
                time.sleep(0.05)
            all_s.append(round(time.monotonic() - began_s, 2))
            resident_mb.append(round(memory_mb(companion.process.pid)[0], 1))
            stop_s.append(round(companion.stop(), 2))
    lists = {
        "clock_s": clock_s,
        "processor_s": processor_s,
        "https_too_s": all_s,
        "rss_mb": resident_mb,
        "stop_s": stop_s,
    }
    later = {key: [statistics.median(values[1:]), max(values[1:])] for key, values in lists.items()}
    return {
        "tls": with_tls,
        "n": times,
        "first": {key: values[0] for key, values in lists.items()},
        "median_and_most": later,
    }


def watch(url: str, page: int) -> None:
    """Listen as an open page does."""
    with urllib.request.urlopen(f"{url}/api/v1/events?role=table&tab=page-{page:04}") as stream:
        while stream.read(1):
            pass


def memory_mb(pid: int) -> tuple[float, float]:
    """Resident memory, and its share where pages are shared with other processes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    kb = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    return kb["Rss"] / 1000, kb["Pss"] / 1000


def run(
    _say: Say,
    minutes: float = 10.0,
    simulated: Annotated[bool, "with the simulated table instead of a camera"] = False,
    starts: Annotated[int, "start it that many times instead"] = 0,
) -> Figures:
    """Watch a companion at rest, or start it again and again."""
    if starts:
        return {"https": started(starts, with_tls=True), "http": started(starts, with_tls=False)}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not simulated:
            furnish(folder, minutes)
        # The first start compiles modules that a package brings compiled, and keeps ten megabytes of that.
        first = Companion(folder, program=PROGRAM, environment=as_the_unit())
        first.wait_until_up(PATIENCE_S)
        first.stop()
        with Companion(folder, program=PROGRAM, environment=as_the_unit()) as companion:
            companion.wait_until_up(PATIENCE_S)
            return at_rest(companion, minutes)


def at_rest(companion: Companion, minutes: float) -> Figures:
    """Share of a core and memory while two pages are open and nothing happens."""
    pid = companion.process.pid
    start_s = cpu_s(pid)
    pages = [Thread(target=watch, args=(companion.url, page), daemon=True) for page in range(PAGES)]
    for page in pages:
        page.start()
    time.sleep(SETTLE_S)
    before_s, began_s = cpu_s(pid), time.monotonic()
    shares, resident, own = [], [], []
    while time.monotonic() < began_s + minutes * 60:
        last_s, at_s = cpu_s(pid), time.monotonic()
        time.sleep(SAMPLE_S)
        shares.append((cpu_s(pid) - last_s) / (time.monotonic() - at_s))
        rss_mb, pss_mb = memory_mb(pid)
        resident.append(rss_mb)
        own.append(pss_mb)
    core = (cpu_s(pid) - before_s) / (time.monotonic() - began_s)
    if not all(page.is_alive() for page in pages):
        raise TockError("a page lost its stream, so the figures mean nothing; try it again")
    return {
        "start_processor_s": round(start_s, 2),
        "minutes": minutes,
        "n": len(shares),
        "core_percent": round(100 * core, 2),
        "core_percent_median_and_most_of_5_s": [
            round(100 * value, 2) for value in (statistics.median(shares), max(shares))
        ],
        "rss_mb_median_and_most": [round(value, 1) for value in (statistics.median(resident), max(resident))],
        "pss_mb_median_and_most": [round(value, 1) for value in (statistics.median(own), max(own))],
    }
