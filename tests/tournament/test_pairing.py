"""Pairings: nobody twice with the same people before all others, compared with trying every division on small cases."""

from collections import Counter
from itertools import combinations
from operator import attrgetter
from random import Random

import pytest

from tests.support.tournaments import (
    best_by_trying_all,
    check_round,
    granted,
    opened,
    played_round,
    repeated_meetings,
    with_changes,
)
from tock_companion.tournament.decisions import Refused, pair, withdraw
from tock_companion.tournament.facts import GroupsDrawn
from tock_companion.tournament.opponents import Costs, seated_together
from tock_companion.tournament.plan import Form, Plan, System
from tock_companion.tournament.round_robin import circle_round
from tock_companion.tournament.standings import standings


@pytest.mark.parametrize(
    ("at_table", "sizes"), [(2, (4, 8, 10)), (3, (6, 9, 12)), (4, (8, 12)), (5, (10,)), (6, (12,))]
)
@pytest.mark.parametrize("seed", range(2))
def test_a_division_into_tables_is_as_good_as_the_best_of_all(
    at_table: int, sizes: tuple[int, ...], seed: int
) -> None:
    rng = Random(f"{at_table}-{seed}")
    for size in sizes:
        order = list(range(size))
        pairs = list(combinations(order, 2))
        met = Counter({pair: rng.randrange(3) for pair in pairs if rng.random() < 0.6})
        costs = Costs(met, {entrant: rng.randrange(8) for entrant in order})
        tables = seated_together(order, at_table, costs, rng)
        assert sorted(entrant for table in tables for entrant in table) == order
        best = best_by_trying_all(order, at_table, {pair: costs.between(*pair) for pair in pairs})
        assert costs.total(tables) == best


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("seed", range(3))
def test_rounds_hold_their_constraints_while_people_come_and_go(form: Form, seed: int) -> None:
    rng = Random(f"{form.value}-{seed}")
    seats = 4 if form is not Form.SINGLES else rng.choice((2, 4, 6))
    people = rng.randrange(4 * seats, 40)
    now = opened(Plan("Club", form, System.SWISS, seats, rounds=5, draw=seed), people)
    for _ in range(now.plan.rounds):
        now = played_round(now, rng)
        check_round(now)
        now = with_changes(now, rng)
    assert isinstance(pair(now), Refused)


def test_nobody_meets_anybody_twice_where_there_are_others() -> None:
    rng = Random(1)
    for seats, people, rounds in ((2, 16, 8), (4, 64, 5), (4, 18, 3)):
        now = opened(Plan("Club", seats=seats, rounds=rounds), people)
        for _ in range(rounds):
            now = played_round(now, rng)
        assert repeated_meetings(now) == 0, (seats, people)


def test_those_with_as_many_points_meet() -> None:
    rng = Random(2)
    now = played_round(opened(Plan("Club", seats=2, rounds=3), 16), rng)
    halves = {row.entrant: row.halves for row in standings(now)}
    now = granted(now, pair(now))
    assert now.present_round is not None
    gaps = Counter(
        abs(halves[one] - halves[other])
        for one, other in map(attrgetter("entrants"), now.present_round.games)
    )
    odd = Counter(halves.values())
    assert sum(gaps[gap] for gap in (1, 2)) <= sum(count % 2 for count in odd.values())


def test_a_circle_has_everybody_meet_everybody_once() -> None:
    for size in range(2, 14):
        meetings: Counter[tuple[int, ...]] = Counter()
        rounds = size - 1 + size % 2
        for number in range(1, rounds + 1):
            pairs, out = circle_round(range(size), number)
            assert len(out) == size % 2
            meetings.update(tuple(sorted(pair)) for pair in pairs)
        assert meetings == Counter(combinations(range(size), 2)), size


def test_a_round_robin_goes_on_after_somebody_has_withdrawn() -> None:
    rng = Random(3)
    now = opened(Plan("Club", system=System.ROUND_ROBIN, seats=2, rounds=5), 6)
    for number in range(5):
        now = played_round(now, rng)
        check_round(now)
        if number == 1:
            now = granted(now, withdraw(now, 6))
    assert repeated_meetings(now) <= 2


@pytest.mark.parametrize(("form", "seats", "people"), [
    (Form.SINGLES, 4, 16), (Form.SINGLES, 2, 16), (Form.FIXED_PAIRS, 4, 8), (Form.DRAWN_PAIRS, 4, 16),
    (Form.SINGLES, 6, 25),
])  # fmt: skip
def test_groups_lead_to_a_knock_out_with_one_table_at_its_end(form: Form, seats: int, people: int) -> None:
    rng = Random(people)
    plan = Plan("Club", form, System.GROUPS, seats, rounds=3, group_entrants=max(4, seats))
    now = opened(plan, people)
    first = pair(now)
    assert not isinstance(first, Refused)
    assert isinstance(first[0], GroupsDrawn)
    sizes = {len(group) for group in first[0].groups}
    assert max(sizes) - min(sizes) <= 1
    for _ in range(20):
        now = played_round(now, rng)
        if isinstance(pair(now), Refused):
            break
    assert len(now.rounds) > 3
    assert [len(each.games) for each in now.rounds[3:]][-1] == 1
    games = [len(each.games) for each in now.rounds[3:]]
    assert games == sorted(games, reverse=True)


def test_partners_are_drawn_again() -> None:
    rng = Random(4)
    now = opened(Plan("Club", Form.DRAWN_PAIRS, rounds=3), 8)
    for _ in range(3):
        now = played_round(now, rng)
    partners = Counter(tuple(sorted(side)) for game in now.games() for side in game.sides)
    assert max(partners.values()) == 1


def test_seats_are_drawn_fairly() -> None:
    rng = Random(5)
    now = opened(Plan("Club", rounds=8), 32)
    for _ in range(8):
        now = played_round(now, rng)
    had: Counter[tuple[int, int]] = Counter(
        (side[0], seat) for game in now.games() for seat, side in enumerate(game.sides)
    )
    assert max(had.values()) <= 4


def test_the_same_tournament_is_paired_the_same_again() -> None:
    now = opened(Plan("Club", draw=7), 24)
    assert pair(now) == pair(now)
    assert pair(now) != pair(opened(Plan("Club", draw=8), 24))


def test_too_few_people_are_refused_and_nothing_is_done() -> None:
    assert pair(opened(Plan("Club"), 3)) == Refused("club/too-few")
