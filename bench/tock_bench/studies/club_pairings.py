"""Random tournaments of 4 to 200 people, with withdrawals and late entries: does every round hold what it must?

`python -m tock_bench.studies.club_pairings 1000` prints a line for each hundred, and one at the end. Up to twelve
people each round's division into tables is compared with all that there are.
"""

import sys
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
from tock_companion.tournament.decisions import pair
from tock_companion.tournament.plan import Form, Plan, System
from tock_companion.tournament.standings import standings
from tock_companion.tournament.state import Tournament
from tock_companion.tournament.tables import Costs


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


def main(count: int) -> None:
    """Play so many, and add up."""
    total = [0, 0, 0, 0, 0]
    for seed in range(count):
        rounds, compared, equal, repeated, has_room = one(seed)
        found = (rounds, compared, equal, repeated * has_room, int(has_room))
        total = [before + more for before, more in zip(total, found, strict=True)]
        if repeated and has_room:
            sys.stdout.write(f"seed {seed}: {repeated} met again, though there was room\n")
        if (seed + 1) % 50 == 0 or seed + 1 == count:
            names = ("rounds", "compared", "as good as the best", "repeats where there was room", "with room")
            counts = ", ".join(f"{name} {number}" for name, number in zip(names, total, strict=True))
            sys.stdout.write(f"{seed + 1} tournaments: {counts}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
