"""Groups, and the knock-out of the best of them: the better half of each table goes on, until one table is left."""

from collections.abc import Sequence
from itertools import chain
from random import Random

from tock_companion.tournament.facts import Game
from tock_companion.tournament.opponents import Costs, Tables, seated_together
from tock_companion.tournament.round_robin import circle_round
from tock_companion.tournament.standings import comes_before, standings
from tock_companion.tournament.state import Tournament


def draw_groups(now: Tournament, rng: Random) -> tuple[tuple[int, ...], ...]:
    """Divide everybody by lot into groups of about the announced size; none is larger by more than one."""
    entrants = list(now.active)
    rng.shuffle(entrants)
    count = max(1, len(entrants) // now.plan.group_entrants)
    return tuple(tuple(sorted(entrants[first::count])) for first in range(count))


def group_tables(
    now: Tournament, groups: Sequence[tuple[int, ...]], number: int, rng: Random
) -> tuple[Tables, tuple[int, ...]]:
    """The tables of all groups in a round, and who sits out."""
    tables: list[tuple[int, ...]] = []
    byes: list[int] = []
    for group in groups:
        playing = [entrant for entrant in group if now.entrants[entrant].is_active]
        found, out = _one_group(now, playing, number, rng, is_whole=len(playing) == len(group))
        tables += found
        byes += out
    return tuple(tables), tuple(byes)


def _one_group(
    now: Tournament, playing: Sequence[int], number: int, rng: Random, *, is_whole: bool
) -> tuple[Tables, tuple[int, ...]]:
    at_table = now.plan.entrants_at_table
    if at_table == 2 and is_whole and number < len(playing) + len(playing) % 2:
        return circle_round(playing, number)
    been = now.byes()
    left_over = len(playing) % at_table
    waiting = sorted(playing, key=lambda entrant: (been[entrant], entrant))[:left_over]
    order = [entrant for entrant in playing if entrant not in waiting]
    if not order:
        return (), tuple(waiting)
    costs = Costs(now.meetings(), dict.fromkeys(order, 0))
    return seated_together(order, at_table, costs, rng), tuple(waiting)


def knock_out_tables(now: Tournament) -> Tables:
    """The next round of the knock-out; the best are kept apart for as long as possible."""
    going_on = _qualified(now) if len(now.rounds) == now.plan.rounds else _winners(now)
    count = max(1, len(going_on) // now.plan.entrants_at_table)
    tables: list[list[int]] = [[] for _ in range(count)]
    for index, entrant in enumerate(going_on):
        lap, place = divmod(index, count)
        tables[place if lap % 2 == 0 else count - 1 - place].append(entrant)
    return tuple(map(tuple, tables))


def is_over(now: Tournament) -> bool:
    """Whether the last table has played."""
    return len(now.rounds) > now.plan.rounds and len(now.rounds[-1].games) == 1


def _qualified(now: Tournament) -> list[int]:
    """The first of every group, then the seconds, and so on, as many as fill tables that halve down to one."""
    by_group = [
        [row.entrant for row in standings(now, group) if now.entrants[row.entrant].is_active]
        for group in now.groups
    ]
    overall = {row.entrant: index for index, row in enumerate(standings(now))}
    ranks = [
        sorted((group[rank] for group in by_group if rank < len(group)), key=overall.__getitem__)
        for rank in range(max(map(len, by_group)))
    ]
    everybody = list(chain.from_iterable(ranks))
    at_table = now.plan.entrants_at_table
    # About half of everybody goes on, and in any case enough for one table.
    tables = 1
    while 2 * tables * at_table <= max(at_table, len(everybody) // 2):
        tables *= 2
    return everybody[: tables * at_table]


def _winners(now: Tournament) -> list[int]:
    """The better half of each table; between equals, the better one in the groups."""
    overall = {row.entrant: index for index, row in enumerate(standings(now, rounds=now.plan.rounds))}
    chosen = [entrant for game in now.rounds[-1].games for entrant in _better_half(now, game, overall)]
    return sorted(chosen, key=overall.__getitem__)


def _better_half(now: Tournament, game: Game, overall: dict[int, int]) -> list[int]:
    result = now.results[game.key]
    sides = [
        index
        for index, side in enumerate(game.sides)
        if all(now.entrants[entrant].is_active for entrant in side)
    ]

    def rank(side: int) -> tuple[int, int]:
        beaten_by = sum(comes_before(result, other, side) for other in sides if other != side)
        return beaten_by, min(overall[entrant] for entrant in game.sides[side])

    best = sorted(sides, key=rank)[: max(1, len(game.sides) // 2)]
    return [entrant for side in best for entrant in game.sides[side]]
