"""Random tournaments of 4 to 200 people, with withdrawals and late entries: does every round hold what it must?

Up to twelve people each round's division into tables is compared with all that there are.
"""

from itertools import combinations
from random import Random

from tests.support.tournaments import (
    best_by_trying_all,
    check_round,
    granted,
    opened,
    played_round,
    repeated_meetings,
    with_changes,
)
from tock_bench.results import Figures, Say
from tock_companion.tournament.decisions import pair
from tock_companion.tournament.opponents import Costs
from tock_companion.tournament.plan import Form, Plan, System
from tock_companion.tournament.standings import standings
from tock_companion.tournament.state import Tournament

PROGRESS_EVERY = 50


def against_all(now: Tournament) -> bool | None:
    """Whether the next round has as few repeated meetings as any division has; None where that is too long."""
    at_table, active = now.plan.entrants_at_table, now.active
    if len(active) > 12 or len(active) % at_table or now.plan.system is not System.SWISS:
        return None
    after = granted(now, pair(now)).present_round
    assert after is not None
    costs = Costs(now.meetings(), {row.entrant: row.halves for row in standings(now)})
    prices = {(one, other): costs.between(one, other) for one, other in combinations(sorted(active), 2)}
    best = best_by_trying_all(sorted(active), at_table, prices)
    return costs.total(game.entrants for game in after.games) == best


def one(seed: int) -> tuple[int, int, int, int, bool]:
    """Rounds, compared, equal, repeated meetings, and whether there were as few people as tables are large."""
    rng = Random(seed)
    form = rng.choice(list(Form))
    seats = rng.choice((2, 4, 6)) if form is Form.SINGLES else rng.choice((4, 6))
    plan = Plan("Study", form, System.SWISS, seats, rounds=rng.randrange(2, 8), draw=seed)
    fewest = plan.entrants_at_table
    most = 12 if rng.random() < 0.4 else 200 // plan.people_of_entrant
    now = opened(plan, rng.randrange(fewest, max(fewest + 1, most + 1)))
    rounds = compared = equal = 0
    for _ in range(plan.rounds):
        found = against_all(now)
        compared += found is not None
        equal += bool(found)
        now = played_round(now, rng)
        check_round(now)
        rounds += 1
        now = with_changes(now, rng)
    # With fewer tables than seats at one, some who sat together have to meet at once again.
    fewest_tables = min(len(each.games) for each in now.rounds)
    has_room = fewest_tables >= fewest and len(now.active) > 2 * plan.rounds * (fewest - 1)
    return rounds, compared, equal, repeated_meetings(now), has_room


def run(say: Say, tournaments: int = 1000) -> Figures:
    """Play that many tournaments, and add up."""
    total = [0, 0, 0, 0, 0]
    for seed in range(tournaments):
        rounds, compared, equal, repeated, has_room = one(seed)
        found = (rounds, compared, equal, repeated * has_room, int(has_room))
        total = [before + more for before, more in zip(total, found, strict=True)]
        if repeated and has_room:
            say(f"seed {seed}: {repeated} met again, though there was room")
        if (seed + 1) % PROGRESS_EVERY == 0:
            say(f"{seed + 1} of {tournaments}: {total}")
    names = ("rounds", "compared", "as_good_as_the_best", "repeats_where_there_was_room", "with_room")
    return {"n": tournaments, **dict(zip(names, total, strict=True))}
