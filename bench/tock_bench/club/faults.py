"""A club evening on which nothing is spared: the desk is killed, the broker forgets everything, tables are away."""

import time
from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from pathlib import Path

from tock_bench.club.evening import PEOPLE_AT_TABLE, ClubEvening, until
from tock_bench.club.tables import PlainTable

TABLES, ROUNDS = 20, 7
MAX_WAIT_S = 0.2
"""A fault comes at any moment within this time after the fault or the result before."""
MAX_START_S = 1.5
"""A desk that is just starting is killed at any moment within this time."""


class Fault(Enum):
    """A fault during an evening; that tables are away and that the desk dies while it decides comes besides."""

    KILL = "the desk is killed"
    KILL_TWICE = "and once more while it starts"
    RESTART = "the broker is restarted"


def evening_of_faults(
    folder: Path,
    kills: int,
    restarts: int,
    progress: Callable[[str], None],
    database: str = "",
    tables: int = TABLES,
    rounds: int = ROUNDS,
) -> dict[str, object]:
    """Run an evening: in each round a table is out of reach, and the desk dies as it pairs and begins."""
    with ClubEvening(folder, tables, database=database) as evening:
        evening.desk.open("Faults", tables * PEOPLE_AT_TABLE, rounds)
        others = max(0, kills - 2 * rounds)
        twice = others // 4
        faults = [
            *[Fault.KILL] * (others - 2 * twice),
            *[Fault.KILL_TWICE] * twice,
            *[Fault.RESTART] * restarts,
        ]
        evening.rng.shuffle(faults)
        for number in range(1, rounds + 1):
            _decide_and_die(evening, "pair", (number, False))
            _decide_and_die(evening, "begin", (number, True))
            evening.wait_until_paired(number)
            share = faults[(number - 1) * len(faults) // rounds : number * len(faults) // rounds]
            _play(evening, share)
            until(partial(evening.desk.has_results, tables * number))
            progress(f"round {number}: {len(share)} faults, {len(evening.reported)} results")
    return {
        "kills": others + 2 * rounds,
        "restarts": restarts,
        "tables_offline": rounds,
        **evening.outcome(),
    }


def _play(evening: ClubEvening, faults: Sequence[Fault]) -> None:
    """Games end and faults come in any order; one table is out of reach until all others have ended."""
    away = evening.rng.choice(evening.tables)
    away.stop()
    happening: list[PlainTable | Fault] = [*evening.tables, *faults]
    evening.rng.shuffle(happening)
    for one in happening:
        if isinstance(one, PlainTable):
            evening.end_game(one)
        else:
            time.sleep(evening.rng.uniform(0, MAX_WAIT_S))
            _strike(evening, one)
    away.start_again()


def _strike(evening: ClubEvening, fault: Fault) -> None:
    if fault is Fault.RESTART:
        evening.broker.stop()
        evening.broker.start()
        return
    evening.desk.kill()
    if fault is Fault.KILL_TWICE:
        evening.desk.start_and_die(evening.rng.uniform(0, MAX_START_S))
    evening.desk.start()


def _decide_and_die(evening: ClubEvening, what: str, becomes: tuple[int, bool]) -> None:
    """The director decides, and the desk is killed at some moment of it: the step is done whole, or not at all."""
    evening.desk.do_and_die(what, evening.rng.uniform(0, MAX_WAIT_S))
    evening.desk.start()
    if evening.desk.round != becomes:
        evening.desk.do(what)
