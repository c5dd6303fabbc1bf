"""Whole tournaments for tests: people enter, games get random results, some withdraw and some come late."""

from itertools import combinations
from random import Random

from tock_companion.tournament.decisions import (
    Decision,
    Refused,
    begin_round,
    enter,
    pair,
    report,
    withdraw,
)
from tock_companion.tournament.facts import Game, Opened, Reporter, Result, SideScore
from tock_companion.tournament.plan import Form, Plan
from tock_companion.tournament.state import Tournament, after, fold


def granted(now: Tournament, decision: Decision) -> Tournament:
    """The tournament after a decision; a refusal is a fault of the test."""
    assert not isinstance(decision, Refused), decision
    for fact in decision:
        now = after(now, fact)
    return now


def opened(plan: Plan, entrants: int) -> Tournament:
    """A tournament with this many entrants: person 1, person 2, …"""
    now = fold([Opened(plan)])
    for _ in range(entrants):
        now = one_more(now)
    return now


def one_more(now: Tournament) -> Tournament:
    """Somebody enters under the next number."""
    number = len(now.entrants) + 1
    names = (f"a{number}", f"b{number}") if now.plan.form is Form.FIXED_PAIRS else (f"a{number}",)
    return granted(now, enter(now, names))


def random_result(game: Game, rng: Random, name: str = "") -> Result:
    """A result as a table may tell it: mostly somebody has won, sometimes time was up."""
    winner = rng.randrange(len(game.sides)) if rng.random() < 0.8 else None
    scores = tuple(
        SideScore(4 if index == winner else rng.randrange(4), rng.randrange(1, 200))
        for index in range(len(game.sides))
    )
    return Result(name or f"{game.key.round}-{game.key.table}", scores, winner, Reporter.TABLE)


def played_round(now: Tournament, rng: Random) -> Tournament:
    """Pair a round, begin it, and give each of its games a result."""
    now = granted(now, pair(now))
    now = granted(now, begin_round(now))
    for game in now.open_games:
        now = granted(now, report(now, game.key, random_result(game, rng)))
    return now


def with_changes(now: Tournament, rng: Random) -> Tournament:
    """Perhaps somebody withdraws, perhaps somebody comes late."""
    if rng.random() < 0.4 and len(now.active) > 2 * now.plan.entrants_at_table:
        now = granted(now, withdraw(now, rng.choice(now.active)))
    if rng.random() < 0.3 and not now.groups:
        now = one_more(now)
    return now


def repeated_meetings(now: Tournament) -> int:
    """Number of times that two who had met already were paired again."""
    return sum(times - 1 for times in now.meetings().values())


def check_round(now: Tournament) -> None:
    """The present round holds what every round must."""
    present = now.present_round
    assert present is not None
    playing = [entrant for game in present.games for entrant in game.entrants]
    everybody = [*playing, *present.byes]
    assert len(set(everybody)) == len(everybody), "somebody has two places"
    assert set(everybody) <= set(now.active), "somebody plays who has withdrawn"
    if not now.groups:
        assert set(everybody) == set(now.active), "somebody was forgotten"
        assert all(len(game.entrants) == now.plan.entrants_at_table for game in present.games)
        assert len(present.byes) < now.plan.entrants_at_table
        been = now.byes()
        fewest = min(been[entrant] for entrant in playing)
        assert all(been[entrant] - 1 <= fewest for entrant in present.byes), "out again before others"


def best_by_trying_all(order: list[int], at_table: int, cost: dict[tuple[int, int], int]) -> int:
    """The least cost of any division into tables; `cost` is by pairs with the smaller number first."""
    if not order:
        return 0
    first, *rest = order
    best: int | None = None
    for others in combinations(rest, at_table - 1):
        table = (first, *others)
        price = sum(cost[min(pair), max(pair)] for pair in combinations(table, 2))
        if best is not None and price >= best:
            continue
        left = [entrant for entrant in rest if entrant not in others]
        total = price + best_by_trying_all(left, at_table, cost)
        best = total if best is None else min(best, total)
    assert best is not None
    return best
