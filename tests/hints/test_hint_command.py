"""`tock hint`: one answer a line, the best move first."""

import io
import json
from typing import Any

import pytest

from tock_app.cli.commands.hint import run
from tock_rules import TEXTS, Board, Card, Game, Position, Seat, load_preset, preset_names, shape_for

REQUEST = {
    "id": "one",
    "ruleset": "mjc",
    "board_zones": 4,
    "teams": [["P0", "P2"], ["P1", "P3"]],
    "to_move": "P0",
    "pawns": {
        "P0": ["camp", "T20", "T66", "H4"],
        "P1": ["camp", "camp", "T24", "T60"],
        "P2": ["camp", "camp", "T36*", "T50"],
        "P3": ["camp", "camp", "camp", "T54*"],
    },
    "hand": ["4H", "3S", "7D", "JC", "KH"],
    "discards": ["2H", "QS"],
    "stored_moves": {"P0": 1},
}


def ask(
    *requests: object, arguments: tuple[str, ...] = ("--worlds", "4", "--ms", "60000")
) -> tuple[int, list[dict[str, Any]]]:
    lines = "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in requests)
    out = io.StringIO()
    code = run(arguments, io.StringIO(lines), out)
    return code, [json.loads(line) for line in out.getvalue().splitlines()]


def test_every_legal_move_of_the_hand_is_ranked_with_reasons_in_both_languages() -> None:
    code, (answer,) = ask(REQUEST)
    assert code == 0
    assert answer["id"] == "one"
    moves = answer["moves"]
    values = [move["value"] for move in moves]
    assert all(0 <= value <= 1 for value in values)
    position = Position.of(
        load_preset("mjc"),
        Board.from_pawns(shape_for(load_preset("mjc"), 4), REQUEST["pawns"]),
        Seat.P0,
        [[Seat.P0, Seat.P2], [Seat.P1, Seat.P3]],
    )
    hand = [Card.parse(name) for name in REQUEST["hand"]]  # type: ignore[attr-defined]
    legal = {(str(card), move.text) for card in hand for move in position.legal_moves(card)}
    assert {(move["card"], move["text"]) for move in moves} == legal
    for move in moves:
        assert 1 <= len(move["reasons"]) <= 3
        for reason in move["reasons"]:
            assert reason["code"]
            assert reason["fr"] != reason["en"]


def test_cards_that_do_the_same_are_named_each() -> None:
    _, (answer,) = ask({**REQUEST, "hand": ["3S", "3H"]})
    assert [move["card"] for move in answer["moves"]][:2] == ["3S", "3H"]


def test_without_a_legal_move_it_says_what_to_do_instead() -> None:
    camps = {"P0": ["camp"] * 4, "P2": ["camp"] * 4}
    code, (answer,) = ask(
        {"id": 2, "ruleset": "parteu", "to_move": "P0", "pawns": camps, "hand": ["9S", "3H"]}
    )
    assert (code, answer["moves"]) == (0, [])
    assert answer["instead"]["do"] == "discard"


def test_bad_lines_get_one_error_each_and_the_run_goes_on() -> None:
    bad = [
        "junk",
        "[1]",
        {**REQUEST, "hand": None},
        {**REQUEST, "hand": ["3S", "1X"]},
        {**REQUEST, "hand": ["3S", "3S"]},
        {**REQUEST, "discards": "3S"},
        {**REQUEST, "stored_moves": {"P9": 1}},
        {**REQUEST, "stored_moves": {"P0": -1}},
        {**REQUEST, "stored_moves": [1]},
        {**REQUEST, "to_move": "P7"},
        {**REQUEST, "ruleset": "chess"},
        {**REQUEST, "pawns": {"P0": ["H1", "H2", "H3", "H4"], "P2": ["H1", "H2", "H3", "H4"]}, "teams": None},
    ]
    code, answers = ask(*bad, REQUEST)
    assert code == 1
    assert all(set(answer) == {"id", "error"} for answer in answers[:-1])
    assert "moves" in answers[-1]
    assert all("\n" not in str(answer["error"]) for answer in answers[:-1])


def test_the_same_line_gets_the_same_answer() -> None:
    _, answers = ask(REQUEST, REQUEST)
    assert answers[0]["moves"] == answers[1]["moves"]


@pytest.mark.parametrize("ruleset", [name for name in preset_names() if name not in TEXTS])
def test_every_action_of_the_family_has_reasons_in_both_languages(ruleset: str) -> None:
    game, requests = Game.start(ruleset, seed=2), []
    for number in range(80):
        position = game.position
        if number % 8 == 0 or position.owes_discard:
            requests.append(
                {
                    "ruleset": ruleset,
                    "teams": [["P0", "P2"], ["P1", "P3"]],
                    "to_move": position.to_move.name,
                    "pawns": position.board.to_pawns(),
                    "hand": [str(card) for card in game.hand],
                    "owes_discard": [seat.name for seat in position.owes_discard],
                }
            )
        game.play(game.legal_actions()[-1 if number % 3 else 0])
    code, answers = ask(*requests, arguments=("--ms", "0"))
    assert code == 0
    for request, answer in zip(requests, answers, strict=True):
        owes = request["to_move"] in request["owes_discard"]
        assert not (owes and answer["moves"])
        assert (answer.get("instead", {}).get("do") == "discard") == owes or not answer["moves"]
        for move in [*answer["moves"], *([answer["instead"]] if "instead" in answer else [])]:
            assert move["reasons"]
            assert all(reason["fr"] != reason["en"] for reason in move["reasons"])
