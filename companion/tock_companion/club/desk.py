"""The club's desk, the only writer. Every message becomes facts, which are saved before they are shown."""

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import reduce
from random import SystemRandom
from threading import Lock
from time import monotonic

from tock_companion.background import News
from tock_companion.club.directors import Directors
from tock_companion.club.repository import ClubRepository
from tock_companion.errors import NO_TEXT, BadInputError
from tock_companion.mqtt.club_notes import MAX_NAME_CHARS
from tock_companion.names import tidy_name
from tock_companion.tournament.decisions import Decision, Refused, enter, report
from tock_companion.tournament.facts import Fact, GameKey, Opened, Result, RoundBegan
from tock_companion.tournament.plan import Plan, mistake_in
from tock_companion.tournament.state import Tournament, after, fold
from tock_rules import preset_names

LOG = logging.getLogger(__name__)
CLUB, CLUB_NAME, TABLES, SECRET = "club", "name", "tables", "secret"
MAX_TABLES = 500


@dataclass(frozen=True, slots=True)
class JoinedTable:
    """A table with sensors that takes part, by the name under which it publishes."""

    name: str
    place: int
    """The number of its table in the hall."""
    zones: int
    online: bool = True


@dataclass(frozen=True, slots=True)
class DeskState:
    """Everything that the desk knows now; never changed, only replaced."""

    revision: int = 0
    number: int = 0
    """Of the tournament; 0 before the first."""
    tournament: Tournament | None = None
    began_at: datetime | None = None
    """The start of the present round, by this machine's clock."""
    tables: Mapping[str, JoinedTable] = field(default_factory=dict)
    progress: Mapping[GameKey, tuple[int, ...]] = field(default_factory=dict)
    """Pawns at home of each side, of the games that are being played."""
    broker: bool = False
    trouble: Refused | None = None
    """The director's problem: something came in that cannot be."""


@dataclass(frozen=True, slots=True)
class GameReport:
    """A table's report of a game: its tournament, which game it was, how it ended, and its log."""

    number: int
    key: GameKey
    result: Result
    record: str = ""


class Desk:
    """One club's tournaments; any thread may call, and calls that change something run one at a time."""

    def __init__(
        self,
        repository: ClubRepository,
        name: str,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock_s: Callable[[], float] = monotonic,
    ) -> None:
        """Take up the stored evening; `name` is the club's, remembered where it is left out later.

        Raises BadInputError for a name that cannot be sent to a table.
        """
        given, name = name, tidy_name(name)
        if len(name) > MAX_NAME_CHARS or NO_TEXT.search(given) or (given and not name):
            raise BadInputError(
                f"the club's name has at most {MAX_NAME_CHARS} characters, all of them letters or signs"
            )
        self._repository, self._now, self._clock_s = repository, now, clock_s
        self._one_at_a_time = Lock()
        """Held during each change: while a round is paired and while the disk writes."""
        self.news = News()
        """Held only for a moment, to show a change: no screen waits for a pairing, nor for the disk."""
        self._closed = False
        self.club = repository.choice(CLUB) or _choose(repository, CLUB, secrets.token_hex(4))
        self.secret = repository.choice(SECRET) or _choose(repository, SECRET, secrets.token_hex(16))
        """The secret from which the codes of director and tables are made."""
        self.directors = Directors(repository)
        stored_name = repository.choice(CLUB_NAME)
        if name and name != stored_name:
            repository.choose(CLUB_NAME, name)
        self.name = name or stored_name or "Tock"
        self._state, self._facts = _restored(repository)
        self._round_ends_s = self._end_of_round()

    @property
    def state(self) -> DeskState:
        return self._state

    @property
    def closed(self) -> bool:
        return self._closed

    def stop(self) -> None:
        with self.news:
            self._closed = True
            self.news.notify_all()

    # Requests of the director.

    def open(self, plan: Plan) -> Refused | None:
        """Announce a new tournament; the one before stays in the database."""
        mistake = mistake_in(plan)
        if mistake is not None:
            return Refused(mistake)
        if plan.ruleset not in preset_names():
            return Refused("club/no-ruleset", {"name": plan.ruleset})
        with self._one_at_a_time:
            before = self._state.tournament
            if before is not None and before.open_games:
                return Refused("club/round-open", {"games": str(len(before.open_games))})
            plan = replace(plan, draw=plan.draw or SystemRandom().randrange(1, 2**31))
            number = self._state.number + 1
            self._repository.add(number, 1, [Opened(plan)], self._now())
            self._facts, self._round_ends_s = 1, None
            self._show(number=number, tournament=Tournament(plan), began_at=None, progress={})
        return None

    def enter_all(self, entries: Sequence[tuple[str, ...]]) -> Refused | None:
        """Enter everybody on a list, or none of them."""

        def decide(now: Tournament) -> Decision:
            facts: list[Fact] = []
            for names in entries:
                decision = enter(now, names)
                if isinstance(decision, Refused):
                    return decision
                now = after(now, decision[0])
                facts += decision
            return tuple(facts)

        return self.ask(decide)

    def ask(self, decide: Callable[[Tournament], Decision]) -> Refused | None:
        """Ask something of the present tournament; a refusal, or None when it is done and kept."""
        with self._one_at_a_time:
            now = self._state.tournament
            if now is None:
                return Refused("club/no-tournament")
            decision = decide(now)
            if isinstance(decision, Refused):
                return decision
            self._store(reduce(after, decision, now), decision, {})
        return None

    # Reports of tables.

    def take_results(self, reports: Sequence[GameReport]) -> tuple[Refused | None, ...]:
        """Count what tables tell, each result once; those that come together are kept together."""
        with self._one_at_a_time:
            now = self._state.tournament
            if now is None:
                return tuple(Refused("club/no-tournament") for _ in reports)
            facts: list[Fact] = []
            records: dict[str, str] = {}
            refused: list[Refused | None] = []
            for one in reports:
                decision = self._counted(now, one)
                if isinstance(decision, Refused):
                    refused.append(decision)
                    continue
                refused.append(None)
                now = reduce(after, decision, now)
                facts += decision
                if decision and one.record:
                    records[one.result.id] = one.record
            self._store(now, facts, records)
        return tuple(refused)

    def _counted(self, now: Tournament, game: GameReport) -> Decision:
        if game.number != self._state.number:
            return Refused(
                "club/not-paired-game", {"table": str(game.key.table), "round": str(game.key.round)}
            )
        return report(now, game.key, game.result)

    def _store(self, now: Tournament, facts: Sequence[Fact], records: Mapping[str, str]) -> None:
        """Have the disk take facts, all or none, and then show the tournament that they lead to."""
        if not facts:
            return
        at = self._now()
        self._repository.add(self._state.number, self._facts + 1, facts, at, records)
        self._facts += len(facts)
        began = any(isinstance(fact, RoundBegan) for fact in facts)
        progress = {key: home for key, home in self._state.progress.items() if key not in now.results}
        self._show(tournament=now, began_at=at if began else self._state.began_at, progress=progress)
        if began:
            self._round_ends_s = self._end_of_round()

    def take_progress(self, number: int, key: GameKey, home: tuple[int, ...]) -> None:
        """Note how a running game stands; nothing of it is kept."""
        with self._one_at_a_time:
            now = self._state.tournament
            if now is None or number != self._state.number or key in now.results:
                return
            game = now.game(key)
            if game is not None and len(home) == len(game.sides) and self._state.progress.get(key) != home:
                self._show(progress={**self._state.progress, key: home})

    def join(self, name: str, zones: int) -> None:
        """A table takes part; it gets the next free number, and keeps it for the evening."""
        with self._one_at_a_time:
            known = self._state.tables.get(name)
            if known is None and len(self._state.tables) >= MAX_TABLES:
                LOG.warning("table %s cannot join: there are %d already", name, MAX_TABLES)
                return
            taken = {table.place for table in self._state.tables.values()}
            place = known.place if known else next(n for n in range(1, MAX_TABLES + 2) if n not in taken)
            tables = {**self._state.tables, name: JoinedTable(name, place, zones)}
            if known is None or known.zones != zones:
                self._store_tables(tables)
            elif not known.online:
                self._show(tables=tables)

    def leave(self, name: str) -> None:
        with self._one_at_a_time:
            if name in self._state.tables:
                self._store_tables(
                    {other: table for other, table in self._state.tables.items() if other != name}
                )

    def table_online(self, name: str, *, online: bool) -> None:
        with self._one_at_a_time:
            known = self._state.tables.get(name)
            if known is not None and known.online != online:
                self._show(tables={**self._state.tables, name: replace(known, online=online)})

    def broker_is(self, *, up: bool) -> None:
        with self.news:
            if self._state.broker != up:
                self._show(broker=up)

    def warn(self, trouble: Refused | None) -> None:
        """Show the director what came in and cannot be; None for nothing any longer."""
        with self.news:
            if self._state.trouble != trouble:
                self._show(trouble=trouble)

    # Time.

    @property
    def left_s(self) -> float | None:
        """Seconds left of the present round, never below 0; None for a round without limit."""
        return None if self._round_ends_s is None else max(0.0, self._round_ends_s - self._clock_s())

    @property
    def time_is_up(self) -> bool:
        return self.left_s == 0

    def end_time(self) -> None:
        """Have the round end now, whatever its limit."""
        with self.news:
            self._round_ends_s = self._clock_s()
            self._show()

    def record(self, result: str) -> str | None:
        return self._repository.record(self._state.number, result)

    def _end_of_round(self) -> float | None:
        """The end of the round, by a clock that is never set.

        After a restart the clock that people set is asked, and believed as far as it can be right.
        """
        state = self._state
        if state.tournament is None or state.tournament.plan.minutes is None or state.began_at is None:
            return None
        limit_s = 60.0 * state.tournament.plan.minutes
        gone_s = (self._now() - state.began_at) / timedelta(seconds=1)
        return self._clock_s() + limit_s - min(max(gone_s, 0.0), limit_s)

    def _store_tables(self, tables: Mapping[str, JoinedTable]) -> None:
        lines = [f"{table.name} {table.place} {table.zones}" for table in tables.values()]
        self._repository.choose(TABLES, "\n".join(lines))
        self._show(tables=tables)

    def _show(self, **changes: object) -> None:
        with self.news:
            self._state = replace(self._state, revision=self._state.revision + 1, **changes)  # type: ignore[arg-type]
            self.news.notify_all()


def _choose(repository: ClubRepository, name: str, value: str) -> str:
    repository.choose(name, value)
    return value


def _restored(repository: ClubRepository) -> tuple[DeskState, int]:
    """The evening as it was kept, and how many facts its tournament has."""
    tables = {}
    for line in (repository.choice(TABLES) or "").splitlines():
        name, place, zones = line.split(" ")
        tables[name] = JoinedTable(name, int(place), int(zones), online=False)
    number = repository.latest()
    kept = repository.facts(number) if number else ()
    if not kept:
        return DeskState(tables=tables), 0
    now = fold([each.fact for each in kept])
    began = [each.at for each in kept if isinstance(each.fact, RoundBegan)]
    began_at = began[-1].replace(tzinfo=began[-1].tzinfo or UTC) if began else None
    return DeskState(number=number, tournament=now, began_at=began_at, tables=tables), len(kept)
