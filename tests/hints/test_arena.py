"""Matches: paired deals, honest intervals."""

import io
import json
import random
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from tests.support.games import moments
from tock_app.cli.commands.arena import run as arena
from tock_companion.errors import BadInputError
from tock_companion.hints.arena import FORMS, Match, Score, forms_of, play, run
from tock_companion.hints.computer_players import STRENGTHS
from tock_companion.hints.line_engine import Command
from tock_rules import load_preset

ENGINE = f"{sys.executable} {Path(__file__).parents[2] / 'docs' / 'examples' / 'line_engine.py'}"
"""The example of the documents."""


@pytest.mark.whole
def test_equal_players_win_exactly_half_of_every_pair_when_they_never_choose_by_chance() -> None:
    for form in ("duel", "teams"):
        assert run(Match("mjc", form, "medium", "medium"), 4, 1).rate == 0.5


@pytest.mark.whole
def test_a_greedy_player_beats_a_careless_one() -> None:
    assert run(Match("mjc", "teams", "greedy", "random"), 10, 1).rate > 0.8


def test_a_match_comes_out_the_same_again() -> None:
    match = Match("gladius", "duel", "easy", "greedy", seed=3)
    assert play(match, 1) == play(match, 1)


def test_the_interval_holds_the_true_rate_about_nineteen_times_in_twenty() -> None:
    rng = random.Random(7)
    held = 0
    for _ in range(400):
        pairs = tuple(sum(rng.random() < 0.7 for _ in range(2)) / 2 for _ in range(60))
        low, high = Score(pairs, ()).interval()
        held += low <= 0.7 <= high
    assert 0.92 <= held / 400 <= 0.98


def test_pairs_that_go_the_same_way_widen_the_interval() -> None:
    mixed = Score((0.5,) * 100, ()).interval()
    alike = Score((0.0, 1.0) * 50, ()).interval()
    assert alike[1] - alike[0] > 1.2 * (mixed[1] - mixed[0])


def test_rulesets_are_played_in_the_forms_they_allow() -> None:
    assert [form.name for form in forms_of(load_preset("mjc"))] == ["duel", "four", "teams"]
    assert [form.name for form in forms_of(load_preset("gladius"))] == list(FORMS)


@pytest.mark.whole
def test_every_strength_does_only_what_is_allowed() -> None:
    for game in moments(10, seed=9):
        for player in STRENGTHS.values():
            assert player(game, random.Random(1)) in game.actions()


def test_arena_prints_a_line_a_match() -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        code = arena(["easy", "random", "--form", "duel", "--games", "4", "--processes", "1", "--json"])
    assert code == 0
    entry = json.loads(out.getvalue())
    assert entry["n"] == 4
    assert sum(entry["by_seat"]) == 4
    assert entry["low"] <= entry["rate"] <= entry["high"]


def test_arena_refuses_what_cannot_be_played() -> None:
    with pytest.raises(BadInputError, match="not played as six"):
        arena(["--ruleset", "mjc", "--form", "six"])
    with pytest.raises(BadInputError, match="1 or more"):
        arena(["--games", "0"])


# -- programs as players --


@pytest.mark.whole
@pytest.mark.parametrize("ruleset", ["mjc", "gladius", "jackaroo", "brandi-dog"])
def test_the_example_program_plays_whole_games_and_beats_a_careless_player(ruleset: str) -> None:
    complaints: list[str] = []
    match = Match(ruleset, "teams", Command(ENGINE, 20_000), "random", seed=1)
    assert run(match, 2, 1, complain=complaints.append).rate == 1.0
    assert complaints == []


def script(body: str) -> str:
    """A program that answers every line with this Python statement."""
    return f"{sys.executable} -uc 'import json, sys, time, os\nfor line in sys.stdin: {body}'"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("false", "it has ended"),
        (script("os._exit(3)"), "it has ended"),
        (script("time.sleep(60)"), "no answer within 520 ms"),
        (script("print(7)"), "it wrote '7', not"),
        (script("print(line * 40)"), "it wrote"),
        (script("print()"), "it wrote '', not"),
        (script("print(chr(0) * 70000, end=str())"), "it wrote a line of more than 65536 bytes"),
        (script("print(chr(123) * 3000)"), "it wrote"),
        (script("print(json.dumps(dict(move=None)))"), "it wrote"),
        (script("print(json.dumps(dict(move=str(1))))"), "no such card: '1'"),
        (script("print(json.dumps(dict(move=line[:0])))"), "no action: ''"),
        (script('print(json.dumps(dict(move="throw")))'), "illegal move: throw .* hand/no_exit"),
        (script('print(json.dumps(dict(move="JOK_B P0:H1>H2")))'), "illegal move: JOK_B"),
    ],
)
def test_a_program_that_fails_loses_its_game_with_one_line(
    command: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints: list[str] = []
    start_ms = 500 if "sleep" in command else 60_000
    monkeypatch.setattr("tock_companion.hints.line_engine.START_MS", start_ms)
    match = Match("mjc", "duel", "random", Command(command, 20))
    assert run(match, 2, 1, complain=complaints.append).rate == 1.0
    assert len(complaints) == 2
    for line in complaints:
        assert re.search(why, line)
        assert "\n" not in line


def test_the_arena_names_a_program_that_it_cannot_start_and_players_too_many() -> None:
    with pytest.raises(BadInputError, match=r"^--engine no-such-program: .*No such file"):
        arena(["--engine", "no-such-program", "--games", "2", "--form", "duel", "--processes", "1"])
    with pytest.raises(BadInputError, match="two play against each other"):
        arena(["easy", "greedy", "--engine", "cat"])
    errors, out = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        assert (
            arena(["greedy", "--engine", "false", "--games", "1", "--form", "duel", "--processes", "1"]) == 0
        )
    assert "0.0%" in out.getvalue()
    assert errors.getvalue().count("tock arena: mjc duel, game") == 2
