"""A club evening as a bench runs it: a broker, the desk's process, tables, and what became of what they told."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial, reduce
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Protocol, Self

from tock_bench.broker import Broker
from tock_bench.club.desk import PATIENCE_S, DeskProcess
from tock_bench.club.processes import RealTable
from tock_bench.club.tables import PlainTable
from tock_companion.club.repository import ClubRepository
from tock_companion.errors import TockError
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.tournament.decisions import Decision, Refused, begin_round, enter, pair, report
from tock_companion.tournament.facts import GameKey, Opened, Reported, Result
from tock_companion.tournament.standings import standings
from tock_companion.tournament.state import Tournament, after, fold

PEOPLE_AT_TABLE = 4
SEED = 25


class Part(Protocol):
    """Something that an evening starts and ends."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game, and the time of its table's report."""

    homes: tuple[int, ...]
    winner: int
    at_s: float


class ClubEvening:
    """Everything started, and ended with the `with` statement; tables without a number are their MQTT side alone."""

    def __init__(self, folder: Path, plain: int, whole: int = 0, database: str = "") -> None:
        """`plain` tables and `whole` companions; the desk keeps its evening in `database`, else in a file."""
        self.rng, self.reported = Random(SEED), dict[GameKey, Ending]()
        self.broker = Broker(folder)
        self._kept = folder / "club", database
        self.desk = DeskProcess(self._kept[0], self.broker.port, database)
        address = BrokerAddress("127.0.0.1", self.broker.port)
        self.tables = [PlainTable(address, f"plain{number}") for number in range(plain)]
        self._whole = [
            RealTable(folder / f"real{number}", f"real{number}", self.broker.port) for number in range(whole)
        ]
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            parts: list[Part] = [self.broker, self.desk, *self._whole, *self.tables]
            for part in parts:
                stack.callback(part.stop)
                part.start()
            self.desk.wait_for_tables(self.count)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def count(self) -> int:
        """The number of tables."""
        return len(self.tables) + len(self._whole)

    def wait_until_paired(self, number: int) -> None:
        """Wait until all tables know their game of a round."""
        until(partial(_all_know, self.tables, number))

    def end_game(self, table: PlainTable) -> None:
        """Have a table tell how its game ended: somebody has won, the others are on their way."""
        game = table.game
        assert game is not None
        winner = self.rng.randrange(PEOPLE_AT_TABLE)
        homes = tuple(4 if side == winner else self.rng.randrange(4) for side in range(PEOPLE_AT_TABLE))
        self.reported[GameKey(game.round, game.table)] = Ending(homes, winner, time.monotonic())
        table.tell(game, homes, winner)

    def outcome(self) -> dict[str, object]:
        """The database's contents beside the desk's answers; the desk's process has ended."""
        with closing(ClubRepository(*self._kept)) as repository:
            facts = [kept.fact for kept in repository.facts(repository.latest())]
        now = fold(facts)
        times = Counter(fact.key for fact in facts if isinstance(fact, Reported))
        wrong = [
            key
            for key, ending in self.reported.items()
            if key in now.results and _is_wrong(now.results[key], ending)
        ]
        without = without_faults(now, self.reported)
        return {
            "rounds": len(now.rounds),
            "results": len(now.results),
            "results_lost": self.count * len(now.rounds) - len(now.results),
            "results_doubled": sum(count - 1 for count in times.values()),
            "results_wrong": len(wrong),
            "pairings_same": without.rounds == now.rounds,
            "standings_same": standings(without) == standings(now),
        }


def without_faults(now: Tournament, reported: Mapping[GameKey, Ending]) -> Tournament:
    """The same people, lots and results, played through by the rules of the tournament alone."""
    other = fold([Opened(now.plan)])
    for entrant in now.entrants.values():
        other = _granted(other, enter(other, entrant.names))
    for _ in now.rounds:
        other = _granted(other, pair(other))
        other = _granted(other, begin_round(other))
        for game in other.open_games:
            counted = now.results[game.key]
            ending = reported.get(game.key)
            result = counted if ending is None else _result(ending, counted)
            other = _granted(other, report(other, game.key, result))
    return other


def _granted(now: Tournament, decision: Decision) -> Tournament:
    if isinstance(decision, Refused):
        raise TockError(f"the tournament cannot be played again: {decision.code}")
    return reduce(after, decision, now)


def _result(ending: Ending, counted: Result) -> Result:
    scores = tuple(
        replace(score, home=home) for score, home in zip(counted.scores, ending.homes, strict=True)
    )
    return replace(counted, scores=scores, winner=ending.winner)


def _is_wrong(counted: Result, ending: Ending) -> bool:
    return _result(ending, counted) != counted


def _all_know(tables: Sequence[PlainTable], number: int) -> bool:
    return all(one.game is not None and one.game.round == number for one in tables)


def until(true: Callable[[], bool]) -> None:
    """Wait until something is so; raises TockError when it never is."""
    end_s = time.monotonic() + PATIENCE_S
    while not true():
        if time.monotonic() > end_s:
            raise TockError("the evening stands still: something was lost")
        time.sleep(0.02)
