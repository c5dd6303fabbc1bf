"""A club evening through a real Mosquitto: results lost and doubled, how soon the hall sees them, what it costs.

First 200 tables and 800 people play seven rounds of Swiss: ten tables are whole companions, the others their MQTT
side alone. Then 20 tables play while the club's desk is killed, the broker restarted, and tables are out of reach.
"""

import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from tock_bench.broker import Broker
from tock_bench.club_processes import DeskProcess, HallScreen, RealTable, cpu_s, memory_mb
from tock_bench.club_tables import PlainTable
from tock_bench.tally import percentile
from tock_companion.club.codec import from_kept
from tock_companion.errors import TockError
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.tournament.facts import GameKey, Reported, Result
from tock_companion.tournament.standings import standings
from tock_companion.tournament.state import Tournament, fold

TABLES, PEOPLE_AT_TABLE, ROUNDS = 200, 4, 7
FEWEST_FOR_REAL = 20
"""One table of so many is a whole companion."""
RESULTS_PER_S = 25
FAULT_TABLES, FAULT_ROUNDS = 20, 7
PATIENCE_S = 120.0
SEED = 25


def run(progress: Callable[[str], None], samples: int = TABLES) -> dict[str, object]:
    """The figures of an evening with `samples` tables, and of one with half as many kills of the club's desk."""
    with tempfile.TemporaryDirectory(prefix="tock-club-") as name:
        evening = whole_evening(Path(name), progress, samples, samples // FEWEST_FOR_REAL)
    with tempfile.TemporaryDirectory(prefix="tock-club-") as name:
        faults = evening_of_faults(Path(name), samples // 2, samples // 10, progress)
    return {"evening": evening, "faults": faults}


def whole_evening(
    folder: Path, progress: Callable[[str], None], tables: int, whole: int, rounds: int = ROUNDS
) -> dict[str, object]:
    """Rounds of so many tables, of which some are whole companions, without anything going wrong."""
    chance, told_s = Random(SEED), dict[GameKey, float]()
    pair_ms: list[float] = []
    with ExitStack() as stack:
        broker = Broker(folder)
        broker.start()
        stack.callback(broker.stop)
        desk = DeskProcess(folder / "club", broker.port)
        stack.callback(desk.stop)
        desk.start()
        real = [RealTable(folder / f"real{number}", f"real{number}", broker.port) for number in range(whole)]
        for table in real:
            stack.callback(table.stop)
            table.start()
        progress(f"waiting for {whole} companions")
        desk.wait_for_tables(whole)
        address = BrokerAddress("127.0.0.1", broker.port)
        plain = [PlainTable(address, f"plain{number}") for number in range(tables - whole)]
        for one in plain:
            stack.callback(one.stop)
            one.start()
        desk.wait_for_tables(tables)
        desk.open("Evening", tables * PEOPLE_AT_TABLE, rounds)
        screen = HallScreen(desk.url)
        stack.callback(screen.stop)
        screen.start()
        busy_s = {"desk": cpu_s(desk.pid), "broker": cpu_s(broker.pid)}
        began_s = time.monotonic()
        for number in range(1, rounds + 1):
            pair_ms.append(desk.do("pair"))
            desk.do("begin")
            until(partial(all_know, plain, number))
            for one in chance.sample(plain, len(plain)):
                game = one.game
                assert game is not None
                winner = chance.randrange(PEOPLE_AT_TABLE)
                homes = tuple(4 if side == winner else chance.randrange(4) for side in range(PEOPLE_AT_TABLE))
                told_s[GameKey(number, game.table)] = time.monotonic()
                one.tell(game, homes, winner)
                time.sleep(1 / RESULTS_PER_S)
            until(partial(screen.has_seen, number, len(plain)))
            # What stands on the boards of the whole companions counts when time is up.
            desk.do("time")
            until(partial(screen.has_seen, number, tables))
            progress(f"round {number}: {tables} results")
        lasted_s = time.monotonic() - began_s
        usage = {
            "desk_memory_mb": memory_mb(desk.pid),
            "broker_memory_mb": memory_mb(broker.pid),
            "desk_cpu_share": round((cpu_s(desk.pid) - busy_s["desk"]) / lasted_s, 3),
            "broker_cpu_share": round((cpu_s(broker.pid) - busy_s["broker"]) / lasted_s, 3),
        }
        delays = sorted(1000 * (screen.first_seen_s[key] - at_s) for key, at_s in told_s.items())
    now, doubled = counted(folder / "club" / "club.sqlite3")
    return {
        "tables": tables,
        "real_tables": whole,
        "people": tables * PEOPLE_AT_TABLE,
        "rounds": len(now.rounds),
        "results": len(now.results),
        "results_lost": tables * rounds - len(now.results),
        "results_doubled": doubled,
        "change_to_hall_ms_median": round(percentile(delays, 0.5), 1),
        "change_to_hall_ms_p95": round(percentile(delays, 0.95), 1),
        "n": len(delays),
        "pair_ms_max": round(max(pair_ms)),
        "seconds": round(lasted_s, 1),
        **usage,
    }


def evening_of_faults(
    folder: Path, kills: int, restarts: int, progress: Callable[[str], None]
) -> dict[str, object]:
    """The same on a small scale, while the desk is killed again and again, and the broker forgets everything."""
    chance, results = Random(SEED), dict[GameKey, tuple[tuple[int, ...], int]]()
    killed = restarted = offline = 0
    faults = [*["kill"] * kills, *["restart"] * restarts]
    chance.shuffle(faults)
    with ExitStack() as stack:
        broker = Broker(folder)
        broker.start()
        stack.callback(broker.stop)
        desk = DeskProcess(folder / "club", broker.port)
        stack.callback(desk.stop)
        desk.start()
        address = BrokerAddress("127.0.0.1", broker.port)
        tables = [PlainTable(address, f"plain{number}") for number in range(FAULT_TABLES)]
        for one in tables:
            stack.callback(one.stop)
            one.start()
        desk.wait_for_tables(FAULT_TABLES)
        desk.open("Faults", FAULT_TABLES * PEOPLE_AT_TABLE, FAULT_ROUNDS)
        for number in range(1, FAULT_ROUNDS + 1):
            desk.do("pair")
            desk.do("begin")
            until(partial(all_know, tables, number))
            away = chance.choice(tables)
            away.stop()
            offline += 1
            ours = faults[(number - 1) * len(faults) // FAULT_ROUNDS : number * len(faults) // FAULT_ROUNDS]
            waiting = chance.sample(tables, len(tables))
            while waiting or ours:
                for one in waiting[:2]:
                    game = one.game
                    assert game is not None
                    winner = chance.randrange(PEOPLE_AT_TABLE)
                    homes = tuple(
                        4 if side == winner else chance.randrange(4) for side in range(PEOPLE_AT_TABLE)
                    )
                    results[GameKey(number, game.table)] = homes, winner
                    one.tell(game, homes, winner)
                waiting = waiting[2:]
                for fault in ours[:2] if waiting else ours:
                    if fault == "kill":
                        desk.kill()
                        desk.start()
                        killed += 1
                    else:
                        broker.stop()
                        broker.start()
                        restarted += 1
                ours = ours[2:] if waiting else []
            away.start_again()
            until(partial(desk.has_results, FAULT_TABLES * number))
            progress(f"round {number}: {killed} kills, {restarted} restarts, {len(results)} results")
    now, doubled = counted(folder / "club" / "club.sqlite3")
    wrong = [
        key
        for key, (homes, winner) in results.items()
        if key not in now.results
        or (tuple(score.home for score in now.results[key].scores), now.results[key].winner)
        != (homes, winner)
    ]
    return {
        "kills": killed,
        "restarts": restarted,
        "tables_offline": offline,
        "results": len(now.results),
        "results_lost": len(results) - len(now.results),
        "results_wrong": len(wrong),
        "results_doubled": doubled,
        "standings_same": standings(now) == standings(as_told(now, results)),
    }


def counted(database: Path) -> tuple[Tournament, int]:
    """The tournament as it was kept, and how many results were counted twice."""
    with sqlite3.connect(database) as connection:
        rows = connection.execute("SELECT kind, body FROM facts ORDER BY tournament, number").fetchall()
    connection.close()
    facts = [from_kept(kind, body) for kind, body in rows]
    times = Counter(fact.key for fact in facts if isinstance(fact, Reported))
    return fold(facts), sum(count - 1 for count in times.values())


def as_told(now: Tournament, told: dict[GameKey, tuple[tuple[int, ...], int]]) -> Tournament:
    """The same tournament with what the tables told, as if nothing had stood between."""

    def result(key: GameKey, kept: Result) -> Result:
        homes, winner = told[key]
        scores = tuple(replace(score, home=home) for score, home in zip(kept.scores, homes, strict=True))
        return replace(kept, scores=scores, winner=winner)

    return replace(now, results={key: result(key, kept) for key, kept in now.results.items()})


def all_know(tables: Sequence[PlainTable], number: int) -> bool:
    """Whether all tables were told their game of a round."""
    return all(one.game is not None and one.game.round == number for one in tables)


def until(true: Callable[[], bool]) -> None:
    """Wait until something is so; raises TockError when it never is."""
    end_s = time.monotonic() + PATIENCE_S
    while not true():
        if time.monotonic() > end_s:
            raise TockError("the evening stands still: something was lost")
        time.sleep(0.02)
