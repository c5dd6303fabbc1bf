"""The teams that the texts know, and the setups that they exclude."""

import json

import pytest

from tock_app.cli.commands import judge
from tock_app.cli.console import answer_line
from tock_rules import Ruleset, Seat, seats_for, team_sizes, teams_of, usual_teams


@pytest.mark.parametrize(
    ("house", "players", "sizes"),
    [
        ("gladius", 2, (1,)),
        ("gladius", 4, (1, 2)),
        ("gladius", 5, (1,)),
        ("gladius", 6, (1, 2, 3)),
        ("gladius", 8, (1, 2, 4)),
        ("gladius[teams=teams]", 6, (2, 3)),
        ("parteu", 3, (1,)),
        ("parteu", 4, (1, 2)),
        ("mjc", 2, (1,)),
        ("mjc", 4, (2,)),
        ("mjc[teams=choose]", 4, (1, 2)),
        ("diagonale", 6, (1,)),
        ("joker-individuel", 8, (1,)),
        ("pegs-jokers", 6, (3,)),
        ("pegs-jokers", 8, (4,)),
        ("keezen", 6, (2, 3)),
    ],
)
def test_teams_are_of_the_sizes_that_the_texts_name(house: str, players: int, sizes: tuple[int, ...]) -> None:
    assert team_sizes(Ruleset.parse(house), players) == sizes


@pytest.mark.parametrize(
    ("players", "size", "expected"),
    [
        (4, 2, "P0 P2/P1 P3"),
        (6, 2, "P0 P3/P1 P4/P2 P5"),
        (6, 3, "P0 P2 P4/P1 P3 P5"),
        (8, 2, "P0 P4/P1 P5/P2 P6/P3 P7"),
        (8, 4, "P0 P2 P4 P6/P1 P3 P5 P7"),
        (6, 1, ""),
    ],
)
def test_partners_sit_opposite_or_in_turn(players: int, size: int, expected: str) -> None:
    teams = teams_of(seats_for(players, 4 if players == 4 else 6 if players == 6 else 8), size)
    assert "/".join(" ".join(seat.name for seat in team) for team in teams) == expected
    assert usual_teams(Ruleset.parse("gladius"), list(Seat)[:players]) == ()


def asked(ruleset: str, players: int, sides: object, **options: object) -> str:
    pawns = {f"P{seat}": ["camp"] * 4 for seat in range(players)}
    request = {"kind": "legal_moves", "ruleset": ruleset, "options": options, "board_zones": 4 if players < 5 else 6,
               "pawns": pawns, "to_move": "P0", "teams": sides, "card": "KH"}  # fmt: skip
    return str(answer_line(judge.answer, json.dumps(request)).get("error", ""))


PAIRS = [["P0", "P2"], ["P1", "P3"]]
NEIGHBOURS = [["P0", "P1"], ["P2", "P3"]]


@pytest.mark.parametrize(
    ("ruleset", "players", "teams", "says"),
    [
        ("mjc", 3, None, "not played by 3"),
        ("mjc", 4, None, "no teams for 4 players; they play in teams of 2"),
        ("mjc", 4, NEIGHBOURS, "side by side"),
        ("joker-individuel", 4, PAIRS, "they play alone"),
        ("diagonale", 4, PAIRS, "they play alone"),
        ("parteu", 4, NEIGHBOURS, "side by side"),
        ("gladius", 4, [["P0", "P1", "P2"], ["P3"]], "in teams of 2"),
        ("gladius", 1, None, "not played by 1"),
        ("gladius", 6, [["P0", "P3"], ["P1", "P4", "P2", "P5"]], "in teams of 3"),
    ],
)
def test_a_setup_that_the_text_excludes_is_refused(
    ruleset: str, players: int, teams: object, says: str
) -> None:
    assert says in asked(ruleset, players, teams)


def test_a_host_may_choose_other_teams_by_a_house_rule() -> None:
    assert not asked("mjc", 4, None, teams="choose")
    assert not asked("diagonale", 4, PAIRS, teams="teams")
    assert not asked("gladius", 6, [["P0", "P2", "P4"], ["P1", "P3", "P5"]])
