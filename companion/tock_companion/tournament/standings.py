"""Points and standings: in half points, so that every sum is exact.

A side gets a point for each side at its table that it comes before, and half a point for each that it equals. On two
sides that is the usual 1, ½, 0; on a table of four 3, 2, 1, 0.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from tock_companion.tournament.facts import Game, Result
from tock_companion.tournament.state import Tournament

WIN, DRAW = 2, 1
"""Half points."""


class Criterion(Enum):
    """The criteria that put one entrant before another, in order."""

    POINTS = "points"
    BUCHHOLZ = "buchholz"
    DIRECT = "direct"
    PAWNS = "pawns"
    SHARED = "shared"
    """None does: they share the place."""


@dataclass(frozen=True, slots=True)
class Row:
    place: int
    entrant: int
    halves: int
    """Half points."""
    buchholz: int
    """The half points of all opponents; a bye counts as opponents as strong as oneself."""
    direct: int
    """Half points from those who have as many points and the same Buchholz."""
    pawns: int
    played: int
    before_next: Criterion | None = None
    """Why the entrant is before the one in the line below; None for the last."""


def comes_before(result: Result, one: int, other: int) -> bool:
    """Whether a side comes before another: the winner, then pawns at home, then the shorter way still to go."""
    if result.winner in (one, other):
        return result.winner == one
    mine, theirs = result.scores[one], result.scores[other]
    if mine.home != theirs.home:
        return mine.home > theirs.home
    if mine.distance is None or theirs.distance is None:
        return False
    return mine.distance < theirs.distance


def halves_between(result: Result, one: int, other: int) -> int:
    """The half points that a side gets from another."""
    if comes_before(result, one, other):
        return WIN
    return 0 if comes_before(result, other, one) else DRAW


def halves_of(result: Result, side: int) -> int:
    """The half points that a side gets from a game."""
    return sum(halves_between(result, side, other) for other in range(len(result.scores)) if other != side)


@dataclass(frozen=True, slots=True)
class _Sums:
    halves: Mapping[int, int]
    pawns: Mapping[int, int]
    played: Mapping[int, int]
    opponents: Mapping[int, tuple[int, ...]]
    against: Mapping[tuple[int, int], int]


def standings(
    now: Tournament, among: Collection[int] | None = None, rounds: int | None = None
) -> tuple[Row, ...]:
    """Everybody, best first; `among` leaves all others out, `rounds` counts only the first rounds, that many."""
    counted = now.rounds if rounds is None else now.rounds[:rounds]
    games = [game for each in counted for game in each.games if game.key in now.results]
    tally = _tally(now, games, [entrant for each in counted for entrant in each.byes])
    numbers = [number for number in now.entrants if among is None or number in among]
    buchholz = {number: _buchholz(tally, number) for number in numbers}
    direct = _direct(tally, numbers, buchholz)
    rows = [
        Row(
            0,
            number,
            tally.halves[number],
            buchholz[number],
            direct[number],
            tally.pawns[number],
            tally.played[number],
        )
        for number in numbers
    ]
    rows.sort(key=lambda row: (*(-value for value in _values(row)), row.entrant))
    return tuple(_placed(rows))


def _tally(now: Tournament, games: Iterable[Game], byes: Iterable[int]) -> _Sums:
    halves: dict[int, int] = defaultdict(int)
    pawns: dict[int, int] = defaultdict(int)
    played: dict[int, int] = defaultdict(int)
    opponents: dict[int, list[int]] = defaultdict(list)
    against: dict[tuple[int, int], int] = defaultdict(int)
    for game in games:
        result = now.results[game.key]
        for index, side in enumerate(game.sides):
            for entrant in side:
                halves[entrant] += halves_of(result, index)
                pawns[entrant] += result.scores[index].home
                played[entrant] += 1
            for other, theirs in enumerate(game.sides):
                if other == index:
                    continue
                gained = halves_between(result, index, other)
                for entrant in side:
                    opponents[entrant] += theirs
                    for opponent in theirs:
                        against[entrant, opponent] += gained
    for entrant in byes:
        # A bye is a win against an opponent as strong as oneself.
        halves[entrant] += WIN * (now.plan.sides_at_table - 1)
        opponents[entrant] += [entrant] * (now.plan.sides_at_table - 1)
    met = {entrant: tuple(them) for entrant, them in opponents.items()}
    return _Sums(halves, pawns, played, met, against)


def _buchholz(tally: _Sums, number: int) -> int:
    return sum(tally.halves[opponent] for opponent in tally.opponents.get(number, ()))


def _direct(tally: _Sums, numbers: Iterable[int], buchholz: Mapping[int, int]) -> dict[int, int]:
    tied: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number in numbers:
        tied[tally.halves[number], buchholz[number]].append(number)
    return {
        number: sum(tally.against.get((number, other), 0) for other in group if other != number)
        for group in tied.values()
        for number in group
    }


def _values(row: Row) -> tuple[int, int, int, int]:
    return row.halves, row.buchholz, row.direct, row.pawns


def _placed(rows: list[Row]) -> Iterable[Row]:
    """The rows with their places; equals share one."""
    place = 1
    for _, tied in groupby(rows, key=_values):
        group = list(tied)
        for index, row in enumerate(group):
            below = place - 1 + index + 1
            reason = criterion(row, rows[below]) if below < len(rows) else None
            yield Row(place, row.entrant, *_values(row), row.played, reason)
        place += len(group)


def criterion(above: Row, below: Row) -> Criterion:
    """The criterion that put one line before another."""
    pairs = zip(Criterion, zip(_values(above), _values(below), strict=True), strict=False)
    return next((found for found, (mine, theirs) in pairs if mine != theirs), Criterion.SHARED)
