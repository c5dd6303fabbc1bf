"""Who sits together in a round: as few repeated meetings as can be found, then people of equal strength.

Two at a table are one maximum weight matching, which is exact. For more at a table no quick exact way is known. Then
one seat of every table is emptied at a time, and those who sat there are given to the tables anew by a matching, which
is the best way to do just that; seat after seat, until nothing improves, from several starts. In the smallest halls
all divisions are tried.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from tock_companion.tournament.matching import assigned_at_least_cost, pairs_of_least_cost

MEETING_COST = 10**9
"""More than all differences in strength that one table can have: nobody meets twice before all others."""
NEAR = 24
"""So many tables away, up or down, somebody is moved at first; further only while somebody meets somebody again."""
WIDE = 40
"""With two at a table, so many entrants further down are tried at first."""
MAX_PASSES = 12
"""What is found later is hardly better."""
QUIET_PASSES = 4
"""A small hall is looked through again so often without finding anything better."""
MAX_PERMUTED_PLACES = 12
"""Up to so many entrants all divisions into tables are tried: 15,400 at most."""
STARTS, SMALL_TABLES = 4, 12
"""How often a small hall is begun anew where meetings are repeated; larger ones are given one start."""

Tables = tuple[tuple[int, ...], ...]
Matrix = Sequence[Sequence[int]]
"""What it costs to have two at one table, by their places in the order."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What it costs to have two entrants at one table."""

    met: Counter[tuple[int, int]]
    strength: dict[int, int]
    """Half points now."""

    def between(self, one: int, other: int) -> int:
        """Grows with the square of meetings and of the difference: two small faults are better than one large."""
        times = self.met[(one, other) if one < other else (other, one)]
        return times * times * MEETING_COST + (self.strength[one] - self.strength[other]) ** 2

    def of_table(self, table: Iterable[int]) -> int:
        """What a whole table costs."""
        return sum(self.between(one, other) for one, other in combinations(table, 2))

    def total(self, tables: Iterable[Iterable[int]]) -> int:
        """What all tables cost."""
        return sum(self.of_table(table) for table in tables)


def seated_together(order: Sequence[int], at_table: int, costs: Costs, rng: Random) -> Tables:
    """Divide entrants into tables; `order` has the strongest first and is a multiple of `at_table` long."""
    if at_table == 2:
        return _pairs(order, costs)
    # Below, everybody goes by their place in the order, and every cost is worked out once.
    matrix = [[costs.between(one, other) for other in order] for one in order]
    places = list(range(len(order)))
    if len(places) <= MAX_PERMUTED_PLACES:
        return _by_places(_best_of_all(places, at_table, matrix), order)
    best = _improved(_cut(places, at_table), matrix, rng)
    tries = STARTS if len(best) <= SMALL_TABLES else 0
    for _ in range(tries):
        if _total(best, matrix) < MEETING_COST:
            break
        rng.shuffle(places)
        other = _improved(_cut(places, at_table), matrix, rng)
        best = min(best, other, key=lambda tables: _total(tables, matrix))
    return _by_places(best, order)


def _by_places(tables: Tables, order: Sequence[int]) -> Tables:
    """Entrants for their places in the order, the table of the strongest first."""
    return tuple(tuple(order[place] for place in table) for table in sorted(map(sorted, tables)))


def _best_of_all(places: Sequence[int], at_table: int, matrix: Matrix) -> Tables:
    as_they_stand = _cut(places, at_table)
    return _cheaper(places, at_table, matrix, _total(as_they_stand, matrix)) or as_they_stand


def _cheaper(places: Sequence[int], at_table: int, matrix: Matrix, limit: int) -> Tables | None:
    """The cheapest of all divisions that cost less than `limit`."""
    if len(places) == at_table:
        return (tuple(places),) if _total([places], matrix) < limit else None
    first, *rest = places
    best: Tables | None = None
    for others in combinations(rest, at_table - 1):
        table = (first, *others)
        price = _total([table], matrix)
        if price >= limit:
            continue
        left = [place for place in rest if place not in others]
        found = _cheaper(left, at_table, matrix, limit - price)
        if found is not None:
            best = (table, *found)
            limit = _total(best, matrix)
    return best


def _pairs(order: Sequence[int], costs: Costs) -> Tables:
    width = WIDE
    while True:
        place = {entrant: index for index, entrant in enumerate(order)}
        found = pairs_of_least_cost(order, _within(width, place, costs))
        is_whole = width >= len(order)
        if found is not None and (is_whole or costs.total(found) < MEETING_COST):
            return _in_order(tuple(found), order)
        width *= 4


def _within(width: int, place: dict[int, int], costs: Costs) -> Callable[[int, int], int | None]:
    return lambda one, other: costs.between(one, other) if abs(place[one] - place[other]) <= width else None


def _cut(order: Sequence[int], at_table: int) -> Tables:
    return tuple(tuple(order[first : first + at_table]) for first in range(0, len(order), at_table))


def _improved(tables: Tables, matrix: Matrix, rng: Random) -> Tables:
    """Empty one seat of every table after the other and fill it again, until that is no better several times."""
    near, quiet = NEAR, 0
    enough = QUIET_PASSES if len(tables) <= SMALL_TABLES else 1
    for _ in range(MAX_PASSES):
        before = _total(tables, matrix)
        for _seat in range(len(tables[0])):
            tables = _reseated(tables, matrix, near)
        if _total(tables, matrix) == before:
            quiet += 1
            if quiet == enough and (before < MEETING_COST or near >= len(tables)):
                break
            if before >= MEETING_COST and near < len(tables):
                near, quiet = len(tables), 0
        # Who leaves together with whom is drawn anew: other exchanges are tried.
        tables = tuple(tuple(rng.sample(table, len(table))) for table in tables)
    return tables


def _reseated(tables: Tables, matrix: Matrix, near: int) -> Tables:
    """Give the first of every table to the tables anew; they sit last afterwards."""
    leaving = [table[0] for table in tables]
    staying = [table[1:] for table in tables]

    def cost(one: int, other: int) -> int | None:
        if abs(one - other) > near:
            return None
        prices = matrix[leaving[one]]
        return sum([prices[entrant] for entrant in staying[other]])

    numbers = range(len(tables))
    places = assigned_at_least_cost(numbers, numbers, cost)
    assert places is not None, "everybody may stay where they were"
    back = {place: entrant for entrant, place in zip(leaving, places, strict=True)}
    return tuple((*table, back[number]) for number, table in enumerate(staying))


def _total(tables: Iterable[Sequence[int]], matrix: Matrix) -> int:
    return sum(matrix[one][other] for table in tables for one, other in combinations(table, 2))


def _in_order(tables: Iterable[Iterable[int]], order: Sequence[int]) -> Tables:
    """The table of the strongest first, and at each table the strongest first."""
    place = {entrant: index for index, entrant in enumerate(order)}
    sorted_tables = [tuple(sorted(table, key=place.__getitem__)) for table in tables]
    return tuple(sorted(sorted_tables, key=lambda table: place[table[0]]))
