"""Single statements of the texts hold in the rules, where no larger test shows it."""

import pytest

from tests.support.boards import pawns, position
from tests.support.rule_lines import rule_lines
from tock_companion.errors import BadInputError
from tock_companion.views.wording.statements import TEXTS, statements
from tock_rules import (
    Board,
    BoardShape,
    Card,
    Position,
    Seat,
    deal_plan,
    load_preset,
    preset_names,
    shape_for,
)

LINES = rule_lines("statements.txt")
GAMES = {ref: name for name in preset_names() for ref in statements(name)}


@pytest.mark.parametrize(("statement", "card", "board", "expected"), LINES)
def test_a_statement_s_move_is_legal_and_no_other(
    statement: str, card: str, board: str, expected: str
) -> None:
    here = position(GAMES[statement], board)
    found = []
    for move in here.legal_moves(Card.parse(card)):
        taken = " ".join(hole for _, hole in move.captures)
        found.append(f"{move.text} takes {taken}" if taken else move.text)
    assert sorted(expected.split("; ")) == (sorted(found) or ["-"])


@pytest.mark.parametrize(
    ("ruleset", "players"),
    [
        ("joker-individuel", [2, 3, 4, 5, 6, 7, 8]),
        ("diagonale", [2, 3, 4, 5, 6, 7, 8]),
        ("gladius", [2, 3, 4, 5, 6, 7, 8]),
        ("parteu", [2, 3, 4]),
        ("mjc", [2, 4]),
    ],
)
def test_each_text_is_for_its_number_of_players(ruleset: str, players: list[int]) -> None:
    def may_play(count: int) -> bool:
        try:
            return deal_plan(load_preset(ruleset), count).rounds != ()
        except BadInputError:
            return False

    assert players == [count for count in range(1, 10) if may_play(count)]


@pytest.mark.parametrize(
    ("ruleset", "teams"),
    [
        ("joker-individuel", "individual"),
        ("diagonale", "individual"),
        ("gladius", "choose"),
        ("parteu", "choose"),
        ("mjc", "teams"),
    ],
)
def test_teams_are_those_of_the_text(ruleset: str, teams: str) -> None:
    assert load_preset(ruleset).teams == teams
    sides = Position.start(ruleset, players=4).teams
    facing = ((Seat.P0, Seat.P2), (Seat.P1, Seat.P3))
    assert sides == (facing if teams == "teams" else ())


@pytest.mark.parametrize("ruleset", TEXTS.values())
def test_every_game_begins_with_four_pawns_in_each_camp(ruleset: str) -> None:
    start = Position.start(ruleset, players=4)
    assert start.board.to_pawns() == pawns()


@pytest.mark.parametrize("ruleset", TEXTS.values())
def test_the_first_with_all_pawns_home_has_won(ruleset: str) -> None:
    shape = shape_for(load_preset(ruleset), 4)
    rules = load_preset(ruleset)

    def outcome(text: str, teams: tuple[tuple[Seat, ...], ...] | None) -> object:
        return Position.of(rules, Board.from_pawns(shape, pawns(text)), Seat.P0, teams).outcome()

    assert outcome("P0 H1 H2 H3 T20", None) is None
    assert outcome("P0 H1 H2 H3 H4", None) is not None
    facing = ((Seat.P0, Seat.P2), (Seat.P1, Seat.P3))
    if rules.teams != "individual":
        assert outcome("P0 H1 H2 H3 H4", facing) is None
        assert outcome("P0 H1 H2 H3 H4, P2 H1 H2 H3 H4", facing) is not None


def test_a_zone_has_eighteen_holes_and_neither_camp_nor_home_is_on_the_track() -> None:
    for zones, length in ((4, 72), (6, 108), (8, 144)):
        shape = BoardShape(zones)
        assert shape.track_length == length
        assert [shape.label(t) for t in range(1, 19)] == list(range(1, 19))
        assert shape.start(1) == 18
        beside = [hole for hole in shape.hole_ids() if "-C" in hole or "-H" in hole]
        assert len(shape.hole_ids()) == length + len(beside) == length + 8 * zones
