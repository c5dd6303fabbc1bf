"""Refusals of a tournament, their codes, and that a refusal changes nothing."""

import pytest

from tests.support.tournaments import granted, opened
from tock_companion.tournament.decisions import (
    Decision,
    Refused,
    begin_round,
    come_back,
    confirm,
    correct,
    drop_round,
    enter,
    pair,
    propose,
    report,
    withdraw,
)
from tock_companion.tournament.facts import GameKey, Opened, Reporter, Result, SideScore
from tock_companion.tournament.plan import Form, Plan, System, mistake_in
from tock_companion.tournament.state import Tournament, fold


@pytest.fixture
def playing() -> Tournament:
    now = opened(Plan("Club", seats=2), 4)
    now = granted(now, pair(now))
    return granted(now, begin_round(now))


FIRST = GameKey(1, 1)


def ending(name: str = "x", homes: tuple[int, int] = (4, 1), winner: int | None = 0) -> Result:
    return Result(name, (SideScore(homes[0]), SideScore(homes[1])), winner, Reporter.TABLE)


def code(decision: Decision) -> str:
    assert isinstance(decision, Refused)
    return decision.code


def test_a_result_reported_twice_is_counted_once(playing: Tournament) -> None:
    now = granted(playing, report(playing, FIRST, ending()))
    assert report(now, FIRST, ending()) == ()
    assert code(report(now, FIRST, ending("another"))) == "club/counted"


def test_a_table_that_tells_again_what_was_set_right_changes_nothing(playing: Tournament) -> None:
    now = granted(playing, report(playing, FIRST, ending()))
    now = granted(now, correct(now, FIRST, ending("right", (2, 4), 1), "written down wrongly"))
    assert report(now, FIRST, ending()) == ()
    assert now.results[FIRST].id == "right"


def test_a_game_that_was_not_paired_has_no_result(playing: Tournament) -> None:
    for key in (GameKey(1, 9), GameKey(2, 1), GameKey(0, 1)):
        assert code(report(playing, key, ending())) == "club/not-paired-game"


@pytest.mark.parametrize(("homes", "winner"), [((5, 0), 0), ((-1, 0), None), ((4, 0), 2)])
def test_an_impossible_end_of_a_game_is_refused(
    playing: Tournament, homes: tuple[int, int], winner: int | None
) -> None:
    assert code(report(playing, FIRST, ending("x", homes, winner))) == "club/impossible-result"


def test_a_side_s_result_counts_when_another_confirms_it(playing: Tournament) -> None:
    now = granted(playing, propose(playing, FIRST, 0, ending()))
    assert FIRST not in now.results
    assert code(confirm(now, FIRST, 1, "other", agrees=True)) == "club/not-proposed"
    refused = granted(now, confirm(now, FIRST, 1, "x", agrees=False))
    assert not refused.proposals
    now = granted(now, confirm(now, FIRST, 1, "x", agrees=True))
    assert now.results[FIRST].id == "x"
    assert confirm(now, FIRST, 1, "x", agrees=True) == ()


def test_no_side_confirms_its_own_result_but_takes_it_back(playing: Tournament) -> None:
    now = granted(playing, propose(playing, FIRST, 1, ending()))
    assert code(confirm(now, FIRST, 1, "x", agrees=True)) == "club/own-result"
    assert not granted(now, confirm(now, FIRST, 1, "x", agrees=False)).proposals
    # Each side enters its own again: the last one waits for the other side.
    now = granted(now, propose(now, FIRST, 0, ending("y")))
    assert code(confirm(now, FIRST, 0, "y", agrees=True)) == "club/own-result"
    assert granted(now, confirm(now, FIRST, 1, "y", agrees=True)).results[FIRST].id == "y"


@pytest.mark.parametrize("name", ["a1", "A1", " á1 "])
def test_nobody_enters_twice(name: str) -> None:
    assert code(enter(opened(Plan("Club"), 2), (name,))) == "club/twice"


def test_pairs_have_two_names_and_people_one() -> None:
    pairs = fold([Opened(Plan("Club", Form.FIXED_PAIRS))])
    assert code(enter(pairs, ("Ana",))) == "club/two-names"
    assert code(enter(pairs, ("Ana", "ana"))) == "club/twice"
    assert code(enter(opened(Plan("Club"), 0), ("Ana", "Bea"))) == "club/one-name"


def test_rounds_come_one_after_the_other(playing: Tournament) -> None:
    assert code(pair(playing)) == "club/round-open"
    assert code(drop_round(playing)) == "club/begun"
    for game in playing.open_games:
        playing = granted(playing, report(playing, game.key, ending(str(game.key))))
    paired = granted(playing, pair(playing))
    assert code(report(paired, GameKey(2, 1), ending())) == "club/not-paired-game"
    assert granted(paired, drop_round(paired)).rounds == playing.rounds


def test_a_correction_needs_a_reason(playing: Tournament) -> None:
    assert code(correct(playing, FIRST, ending(), "  ")) == "club/why"


def test_people_withdraw_and_come_back(playing: Tournament) -> None:
    now = granted(playing, withdraw(playing, 4))
    assert now.active == (1, 2, 3)
    assert withdraw(now, 4) == ()
    assert granted(now, come_back(now, 4)).active == (1, 2, 3, 4)
    assert code(withdraw(now, 9)) == "club/nobody"


@pytest.mark.parametrize(
    ("plan", "mistake"),
    [
        (Plan("x", seats=9), "club/plan-bounds"),
        (Plan("x", rounds=0), "club/plan-bounds"),
        (Plan("x", Form.FIXED_PAIRS, seats=5), "club/plan-pairs"),
        (Plan("x", system=System.GROUPS, seats=6, group_entrants=4), "club/plan-groups"),
        (Plan("x"), None),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(plan: Plan, mistake: str | None) -> None:
    assert mistake_in(plan) == mistake


def test_every_game_is_folded_back_from_its_facts(playing: Tournament) -> None:
    for game in playing.open_games:
        assert playing.game(game.key) == game
