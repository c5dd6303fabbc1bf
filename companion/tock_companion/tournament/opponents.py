"""Chooses tables for a round: as few repeated meetings as can be found, then people of equal strength.

Two at a table are one minimum-cost matching, which is exact: rules become penalties on pairs (Ólafsson, *Weighted
Matching in Chess Tournaments*, 1990) and the matching is rustworkx's blossom algorithm (Galil 1986), O(n³).

For more at a table no quick exact algorithm is known. Then one seat of every table is emptied at a time, and a matching
gives those who sat there to the tables again, the best way to do just that; seat after seat, until nothing
improves, from several starts. Each seat of t tables costs O(t³). Up to twelve people all divisions are tried.

Nine people, everybody at the first three tables having met:

    1 2 3   1, 4, 7 leave   _ 2 3 <- 4    2 3 4   2, 5, 8 leave   _ 3 4 <- 8    3 4 8
    4 5 6   ------------>   _ 5 6 <- 7    5 6 7   ------------>   _ 6 7 <- 2    6 7 2
    7 8 9                   _ 8 9 <- 1    8 9 1                   _ 9 1 <- 5    9 1 5
    9 meetings repeated                   3                                     0

Two at a table, where 1 and 2, the strongest, have met:

>>> costs = Costs(met=Counter({(1, 2): 1}), strength={1: 6, 2: 6, 3: 5, 4: 4})
>>> costs.between(1, 2), costs.between(1, 4)
(1000000000, 4)
>>> seated_together((1, 2, 3, 4), 2, costs, Random(0))
((1, 4), (2, 3))
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from tock_companion.tournament.matching import assigned_at_least_cost, pairs_of_least_cost

MEETING_COST = 10**9
"""Cost of a repeated meeting: more than any differences in strength, so that avoiding it always comes first."""
NEAR = 24
"""Tables up or down that a person is moved at most, while that is enough to avoid repeated meetings."""
WIDE = 40
"""With two at a table, the places in the order between which a pair is looked for first; then four times as many."""
MAX_PASSES = 12
"""Passes over all seats from one start; later ones hardly improve the result."""
QUIET_PASSES = 4
"""Passes without improvement that end the search in a small hall; one ends it in a larger."""
MAX_PERMUTED_PLACES = 12
"""Entrants up to whom all divisions into tables are tried: 15,400 at most.

The search alone missed the best in 30 of 729 random rounds of that size (docs/measurements/club.md).
"""
STARTS, SMALL_TABLES = 4, 12
"""Random restarts of a hall with at most that many tables while meetings are repeated; larger halls get one start.

In 1,000 random tournaments with this search two had avoidable repeated meetings, three in all.
"""

Tables = tuple[tuple[int, ...], ...]
Matrix = Sequence[Sequence[int]]
"""The cost of having two at one table, by their places in the order."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of having two entrants at one table."""

    met: Counter[tuple[int, int]]
    strength: dict[int, int]
    """Half points now."""

    def between(self, one: int, other: int) -> int:
        """Cost that grows with the squares of meetings and difference: two small faults are better than one large."""
        times = self.met[(one, other) if one < other else (other, one)]
        return times * times * MEETING_COST + (self.strength[one] - self.strength[other]) ** 2

    def of_table(self, table: Iterable[int]) -> int:
        return sum(self.between(one, other) for one, other in combinations(table, 2))

    def repeats_meeting(self, tables: Iterable[Iterable[int]]) -> bool:
        """Whether people sit together at one of the tables who have met."""
        return self.total(tables) >= MEETING_COST

    def total(self, tables: Iterable[Iterable[int]]) -> int:
        return sum(self.of_table(table) for table in tables)


def seated_together(order: Sequence[int], at_table: int, costs: Costs, rng: Random) -> Tables:
    """Divide entrants into tables; `order` has the strongest first and is a multiple of `at_table` long."""
    if at_table == 2:
        return _pairs(order, costs)
    # From here on entrants are numbered by their place in the order, and each cost is worked out once.
    matrix = [[costs.between(one, other) for other in order] for one in order]
    places = list(range(len(order)))
    if len(places) <= MAX_PERMUTED_PLACES:
        return _by_places(_best_of_all(places, at_table, matrix), order)
    best = _improved(_cut(places, at_table), matrix, rng)
    tries = STARTS if len(best) <= SMALL_TABLES else 0
    for _ in range(tries):
        # Below the cost of one meeting no two meet again, and strengths alone are not worth a restart.
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
    # The first place is at some table: trying all tables for it tries every division once.
    for others in combinations(rest, at_table - 1):
        table = (first, *others)
        # Costs are never negative, so a table as dear as the best division ends the branch (branch and bound).
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
    # Fewer edges make the matching faster, and pairs far apart in strength are hardly ever needed.
    width = WIDE
    while True:
        place = {entrant: index for index, entrant in enumerate(order)}
        found = pairs_of_least_cost(order, _within(width, place, costs))
        is_whole = width >= len(order)
        if found is not None and (is_whole or not costs.repeats_meeting(found)):
            return _in_order(tuple(found), order)
        width *= 4


def _within(width: int, place: dict[int, int], costs: Costs) -> Callable[[int, int], int | None]:
    return lambda one, other: costs.between(one, other) if abs(place[one] - place[other]) <= width else None


def _cut(order: Sequence[int], at_table: int) -> Tables:
    return tuple(tuple(order[first : first + at_table]) for first in range(0, len(order), at_table))


def _improved(tables: Tables, matrix: Matrix, rng: Random) -> Tables:
    """Empty and refill one seat of every table after the other, until several passes improve nothing."""
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
            # Meetings are left: allow people to move to any table.
            if before >= MEETING_COST and near < len(tables):
                near, quiet = len(tables), 0
        # Shuffling each table changes who leaves together, and so which exchanges the next pass can find.
        tables = tuple(tuple(rng.sample(table, len(table))) for table in tables)
    return tables


def _reseated(tables: Tables, matrix: Matrix, near: int) -> Tables:
    """Give the first person of every table to the best table; they sit last there afterwards."""
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
