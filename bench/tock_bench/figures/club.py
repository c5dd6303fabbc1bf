"""A club evening through a real Mosquitto: results lost and doubled, how soon the hall sees them, what it costs.

First 200 tables and 800 people play seven rounds of Swiss: ten tables are whole companions, the others their MQTT
side alone. Then 20 tables play while the club's desk is killed, the broker restarted, and tables are out of reach.
"""

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tock_bench.club.evening import PEOPLE_AT_TABLE, ClubEvening, until
from tock_bench.club.faults import evening_of_faults
from tock_bench.club.processes import HallScreen
from tock_bench.results import percentile
from tock_bench.watching import Held, cpu_s

TABLES, ROUNDS = 200, 7
TABLES_PER_COMPANION = 20
"""One table out of this many is a whole companion."""
RESULTS_PER_S = 25


def run(progress: Callable[[str], None], samples: int = TABLES) -> dict[str, object]:
    """The figures of an evening with `samples` tables, and of one with half as many kills of the club's desk."""
    with tempfile.TemporaryDirectory(prefix="tock-club-") as name:
        evening = whole_evening(Path(name), progress, samples, samples // TABLES_PER_COMPANION)
    with tempfile.TemporaryDirectory(prefix="tock-club-") as name:
        faults = evening_of_faults(Path(name), samples // 2, samples // 10, progress)
    return {"evening": evening, "faults": faults}


def whole_evening(
    folder: Path, progress: Callable[[str], None], tables: int, whole: int, rounds: int = ROUNDS
) -> dict[str, object]:
    """Rounds of many tables, some of them whole companions, without faults."""
    progress(f"waiting for {tables} tables, {whole} of them whole companions")
    with ClubEvening(folder, tables - whole, whole) as evening:
        evening.desk.open("Evening", tables * PEOPLE_AT_TABLE, rounds)
        screen = HallScreen(evening.desk.url)
        screen.start()
        pids = {"desk": evening.desk.pid, "broker": evening.broker.pid}
        busy_s = {name: cpu_s(pid) for name, pid in pids.items()}
        began_s = time.monotonic()
        pair_ms = []
        for number in range(1, rounds + 1):
            pair_ms.append(evening.desk.do("pair"))
            play_round(evening, screen, number)
            progress(f"round {number}: {tables} results, paired in {pair_ms[-1]:.0f} ms")
        lasted_s = time.monotonic() - began_s
        shares = {name: (cpu_s(pid) - busy_s[name]) / lasted_s for name, pid in pids.items()}
        usage = {
            "desk_memory_mb": Held.by(pids["desk"]).memory_mb,
            "broker_memory_mb": Held.by(pids["broker"]).memory_mb,
            "desk_cpu_share": round(shares["desk"], 3),
            "broker_cpu_share": round(shares["broker"], 3),
        }
        screen.stop()
    delays = sorted(
        1000 * (screen.first_seen_s[key] - ending.at_s) for key, ending in evening.reported.items()
    )
    return {
        "tables": tables,
        "real_tables": whole,
        "people": tables * PEOPLE_AT_TABLE,
        **evening.outcome(),
        "change_to_hall_ms_median": round(percentile(delays, 0.5), 1),
        "change_to_hall_ms_p95": round(percentile(delays, 0.95), 1),
        "change_to_hall_ms_max": round(delays[-1], 1),
        "n": len(delays),
        "pair_ms_max": round(max(pair_ms)),
        "seconds": round(lasted_s, 1),
        **usage,
    }


def play_round(evening: ClubEvening, screen: HallScreen, number: int) -> None:
    """Begin a round, have all games end one after the other, and wait until the hall has seen all results."""
    evening.desk.do("begin")
    evening.wait_until_paired(number)
    for table in evening.rng.sample(evening.tables, len(evening.tables)):
        evening.end_game(table)
        time.sleep(1 / RESULTS_PER_S)
    until(partial(screen.has_seen, number, len(evening.tables)))
    # What stands on the boards of the whole companions counts when time is up.
    evening.desk.do("time")
    until(partial(screen.has_seen, number, evening.count))
