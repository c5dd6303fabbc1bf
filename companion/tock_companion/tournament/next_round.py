"""The next round: who sits out, who sits together, who are partners, and who sits where."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from tock_companion.tournament.facts import Game, GameKey, GroupsDrawn, RoundPaired, Side
from tock_companion.tournament.knock_out import draw_groups, group_tables, is_over, knock_out_tables
from tock_companion.tournament.matching import assigned_at_least_cost
from tock_companion.tournament.opponents import Costs, Tables, seated_together
from tock_companion.tournament.plan import Form, System
from tock_companion.tournament.round_robin import circle_round
from tock_companion.tournament.standings import standings
from tock_companion.tournament.state import Tournament

BYE_TRIES = 6
"""Number of others that are tried for sitting out while a meeting would be repeated."""


@dataclass(frozen=True, slots=True)
class NotNow:
    """Why no round can be paired; `code` is that of a sentence."""

    code: str


def next_round(now: Tournament) -> tuple[GroupsDrawn | RoundPaired, ...] | NotNow:
    """The facts of the next round; the same facts for the same tournament, because its lot has a seed."""
    number = len(now.rounds) + 1
    if len(now.active) < now.plan.entrants_at_table:
        return NotNow("club/too-few")
    rng = Random(f"{now.plan.draw}-{number}")
    drawn: tuple[GroupsDrawn, ...] = ()
    if now.plan.system is System.GROUPS:
        if not now.groups:
            drawn = (GroupsDrawn(draw_groups(now, rng)),)
        groups = drawn[0].groups if drawn else now.groups
        found = _knocked_out(now, groups, number, rng)
    elif number > now.plan.rounds:
        return NotNow("club/all-played")
    else:
        found = _circle(now, number) or _swiss(now, rng)
    if isinstance(found, NotNow):
        return found
    tables, byes = found
    games = tuple(_game(now, number, table, members, rng) for table, members in enumerate(tables, start=1))
    return (*drawn, RoundPaired(number, games, byes))


Seating = tuple[Tables, tuple[int, ...]]


def _knocked_out(
    now: Tournament, groups: Sequence[tuple[int, ...]], number: int, rng: Random
) -> Seating | NotNow:
    if number <= now.plan.rounds:
        return group_tables(now, groups, number, rng)
    if is_over(now):
        return NotNow("club/all-played")
    tables = knock_out_tables(now)
    return (tables, ()) if sum(map(len, tables)) > 1 else NotNow("club/all-played")


def _circle(now: Tournament, number: int) -> Seating | None:
    """Two at a table meet by the circle, as long as the same people play as in the first round."""
    plan = now.plan
    if plan.system is not System.ROUND_ROBIN or plan.entrants_at_table != 2:
        return None
    at_first = (
        sorted(entrant for game in now.rounds[0].games for entrant in game.entrants) if now.rounds else []
    )
    everybody = sorted({*at_first, *(now.rounds[0].byes if now.rounds else now.active)})
    if everybody != sorted(now.active) or number >= len(everybody) + len(everybody) % 2:
        return None
    return circle_round(everybody, number)


def _swiss(now: Tournament, rng: Random) -> Seating:
    """By standings, or by lot alone in a round robin."""
    order = _order(now, rng)
    by_strength = now.plan.system is System.SWISS
    strength = {row.entrant: row.halves * by_strength for row in standings(now)}
    costs = Costs(now.meetings(), strength)
    at_table = now.plan.entrants_at_table
    best: Seating | None = None
    for byes in _bye_choices(now, order, len(order) % at_table):
        playing = [entrant for entrant in order if entrant not in byes]
        tables = seated_together(playing, at_table, costs, rng)
        if best is None or costs.total(tables) < costs.total(best[0]):
            best = tables, byes
        if not costs.repeats_meeting(tables):
            break
    assert best is not None
    return best


def _order(now: Tournament, rng: Random) -> list[int]:
    """Everybody who plays, best first; equals by lot."""
    active = set(now.active)
    drawn = list(now.active)
    rng.shuffle(drawn)
    draw_order = {entrant: index for index, entrant in enumerate(drawn)}
    rows = sorted(standings(now, active), key=lambda row: (row.place, draw_order[row.entrant]))
    return [row.entrant for row in rows]


def _bye_choices(now: Tournament, order: Sequence[int], count: int) -> Iterable[tuple[int, ...]]:
    """Candidates for sitting out: those who did so least, the last in the standings first."""
    if count == 0:
        return ((),)
    been = now.byes()
    place = {entrant: index for index, entrant in enumerate(order)}
    waiting = sorted(order, key=lambda entrant: (been[entrant], -place[entrant]))
    fixed, least = waiting[: count - 1], been[waiting[count - 1]]
    others = [entrant for entrant in waiting[count - 1 :] if been[entrant] == least]
    return tuple((*fixed, other) for other in others[:BYE_TRIES])


def _game(now: Tournament, number: int, table: int, members: Sequence[int], rng: Random) -> Game:
    sides = _partners(now, members) if now.plan.form is Form.DRAWN_PAIRS else tuple((one,) for one in members)
    return Game(GameKey(number, table), _placed(now, sides, rng))


def _partners(now: Tournament, members: Sequence[int]) -> tuple[Side, ...]:
    """Divide a table into partners who were not partners yet, then so that the sides are equally strong."""
    together = Counter(
        pair for game in now.games() for side in game.sides for pair in combinations(sorted(side), 2)
    )
    strength = {row.entrant: row.halves for row in standings(now, set(members))}

    def cost(sides: tuple[Side, ...]) -> tuple[int, int]:
        sums = [sum(strength[entrant] for entrant in side) for side in sides]
        repeated = sum(together[one, other] ** 2 for one, other in map(sorted, sides))
        return repeated, max(sums) - min(sums)

    return min(_ways_to_pair(tuple(members)), key=cost)


def _ways_to_pair(members: tuple[int, ...]) -> Iterable[tuple[Side, ...]]:
    if not members:
        yield ()
        return
    first, *rest = members
    for other in rest:
        left = tuple(entrant for entrant in rest if entrant != other)
        yield from (((first, other), *sides) for sides in _ways_to_pair(left))


def _placed(now: Tournament, sides: Sequence[Side], rng: Random) -> tuple[Side, ...]:
    """Draw the seats so that, as far as possible, no one gets the seat they have had most often."""
    had: dict[int, Counter[int]] = defaultdict(Counter)
    for game in now.games():
        for index, side in enumerate(game.sides):
            for entrant in side:
                had[entrant][index] += 1
    mixed = list(sides)
    rng.shuffle(mixed)

    def cost(side: Side, seat: int) -> int:
        return sum(had[entrant][seat] ** 2 for entrant in side) * 100 + rng.randrange(10)

    seats = assigned_at_least_cost(mixed, range(len(mixed)), cost)
    assert seats is not None, "every side may sit anywhere"
    return tuple(side for _, side in sorted(zip(seats, mixed, strict=True)))
