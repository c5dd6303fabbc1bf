"""Texts of positions, moves and games: what cannot be read is refused with a reason."""

import random
import re
from pathlib import Path

import pytest

from tests.support.boards import position
from tock_companion.errors import BadInputError
from tock_rules import (
    BoardShape,
    Card,
    Game,
    GameRecord,
    Move,
    Position,
    judge_move,
    load_preset,
    parse_parts,
    preset_names,
    shape_for,
)

DATA = Path(__file__).parents[1] / "data" / "rules"
BAD = (DATA / "bad_texts.txt").read_text(encoding="utf-8").splitlines()
MOVES = (DATA / "notation.txt").read_text(encoding="utf-8").splitlines()
HEAD = "Tock game\nruleset: mjc\nzones: 4\nseats: P0 P2\nteams: -\ndealer: P2\n"


@pytest.mark.parametrize("case", [line for line in BAD if line and not line.startswith("#")])
def test_position_that_cannot_be_read_is_refused(case: str) -> None:
    expected, _, text = case.partition(" | ")
    with pytest.raises(BadInputError) as caught:
        Position.parse(text)
    assert expected in str(caught.value)


PLACE = r"(camp|C|H[1-9]|T(0|[1-9][0-9]*)\*?)"
SEAT = "P[0-7]"
PART = rf"{SEAT}:({PLACE}((>{PLACE})+|~{PLACE}(>{PLACE})?)|{PLACE}<>{SEAT}:{PLACE}|burn>{SEAT})"
GRAMMAR = re.compile(rf"{PART}( \+ {PART}){{0,15}}")
"""The grammar of docs/notation.md."""


def is_read(ruleset: str, zones: int, text: str) -> bool:
    try:
        parse_parts(shape_for(load_preset(ruleset), zones), text)
    except BadInputError:
        return False
    return True


def test_moves_are_read_and_refused_as_the_grammar_has_them() -> None:
    lines = [line for line in MOVES if line and not line.startswith("#")]
    assert len(lines) > 55
    for line in lines:
        head, _, text = line.partition("|")
        wanted, ruleset, zones = head.split()
        assert is_read(ruleset, int(zones), text) == (wanted == "yes"), line


def tight(text: str) -> str:
    """The text without the spaces that readers ignore."""
    return re.sub(r"\s*([>~<:]|\s\+\s)\s*", r"\1", text.strip())


def test_nothing_is_read_beyond_the_grammar() -> None:
    rng, read = random.Random(7), 0
    seeds = [line.partition("|")[2] for line in MOVES if line.startswith("yes")]
    for _ in range(20_000):
        text = rng.choice(seeds)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(1, len(text) + 1)
            text = text[:at] + rng.choice("PTHC0123479*>~<:+ camp") + text[at + rng.randint(0, 2) :]
        if is_read("gladius", 4, text):
            read += 1
            assert GRAMMAR.fullmatch(tight(text)), text
    assert read > 500


@pytest.mark.parametrize("ruleset", preset_names())
def test_every_move_of_a_random_game_reads_back_as_the_same_text(ruleset: str) -> None:
    rng, game, moves = random.Random(ruleset), Game.start(ruleset, players=4, seed=3), 0
    while game.result is None:
        actions = game.legal_actions()
        for action in rng.sample(actions, min(3, len(actions))):
            if action.kind == "play":
                assert action.move is not None
                assert GRAMMAR.fullmatch(action.move.text)
                assert Move.parse(str(action), game.position) == action.move
                assert Move.parse(str(action), game.position).text == action.move.text
                moves += 1
        game.play(rng.choice(actions))
    assert moves > 200


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the first line"),
        ("Tock game\nzones: 4\n", "the head needs ruleset"),
        (HEAD.replace("zones: 4", "zones: x"), "a number of zones"),
        (HEAD.replace("dealer: P2", "dealer: P1"), "does not play"),
        (HEAD + "1. P0 sings 6H\n", "no action"),
        (HEAD + "1. P0 plays 6H\n", "a move is missing"),
        (HEAD + "1. P0 discards 6H P0:T1>T7\n", "a move too many"),
        (HEAD + "1. P0 discards 11H\n", "no such card"),
        (HEAD + "1. P0 discards\n", "write the card"),
        (HEAD + "1. P0 passes 6H\n", "a card too many"),
    ],
)
def test_record_that_cannot_be_read_is_refused(text: str, expected: str) -> None:
    with pytest.raises(BadInputError) as caught:
        GameRecord.parse(text)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("P7 plays 6H P7:T1>T7", "P7 does not play"),
        ("P0 plays P0:camp>T0*", "write the card"),
        ("P0 plays KH 6H P0:camp>T0*", "not legal"),
        ("P0 throws KH P0:camp>T0*", "write P0 plays KH"),
        ("P2 discards 3C", "action 1: .* it is the turn of P0; write 1. P0 passes"),
        (
            "P0 discards 3C\n2. P0 discards 4C\n3. P0 plays KH P0:camp>T0*",
            "action 3: .* it is the turn of P2",
        ),
        ("P0 plays KH P0:camp>T0*\n2. P0 plays 3H P0:T0*>T3", "action 2: .* it is the turn of P2"),
        ("P0 plays KH P0:camp>T0*\n2. P0 plays again 3H P0:T0*>T3", "not legal"),
    ],
)
def test_record_that_cannot_be_followed_says_where(line: str, expected: str) -> None:
    with pytest.raises(BadInputError, match=expected):
        GameRecord.parse(HEAD + f"1. {line}\n").text()


@pytest.mark.parametrize(
    "lines",
    [
        ("P0 plays KH P0:camp>T0*", "P2 passes", "P0 plays 3H P0:T0*>T3", "P2 discards 3C"),
        ("P0 plays KH P0:camp>T0*", "P2 sets P0:T5 P2:", "P2 discards 3C"),
        ("P0 plays KH P0:camp>T0*", "P0 sets P0:T5 P2:", "P0 plays 3H P0:T5>T8"),
        ("P0 discards 3C", "P0 discards 4C", "P0 discards 5C", "P2 discards 6C"),
        ("P0 agrees 2S P0:T60 P2:", "P2 discards 6C"),
        ("P0 plays JOK_B P0:camp>T0*", "P0 plays again 3H P0:T0*>T3", "P2 discards 6C"),
        (
            "P0 plays JOK_B P0:camp>T0*",
            "P2 discards 6C",
            "P0 plays 3H P0:T0*>T3",
            "P0 plays again 3S P0:T3>T6",
        ),
    ],
)
def test_each_seat_has_its_turn_in_a_record_where_a_stock_is_drawn_from(lines: tuple[str, ...]) -> None:
    record = GameRecord.parse(HEAD + "".join(f"{number}. {line}\n" for number, line in enumerate(lines, 1)))
    assert GameRecord.parse(record.text()) == record


def test_record_names_seats_in_order_and_on_the_board() -> None:
    for seats in ("P2 P0", "P0 P0 P2", "P0 P2 P7"):
        with pytest.raises(BadInputError, match="seat"):
            GameRecord.parse(HEAD.replace("P0 P2", seats)).start()


@pytest.mark.parametrize("text", ["P0:T" + "9" * 5000 + ">T2", "P0:T1>T²", " + ".join(["P0:T1>T2"] * 50_000)])
def test_move_of_any_size_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(BadInputError) as caught:
        parse_parts(BoardShape(4), text)
    assert len(str(caught.value)) < 200


def test_record_with_an_illegal_move_names_it() -> None:
    record = GameRecord.parse(HEAD + "1. P0 plays 6H P0:camp>T0*\n")
    with pytest.raises(BadInputError, match=r"action 1: .* is not legal .R004-10"):
        record.text()


def test_star_may_be_left_out_of_a_move() -> None:
    here = position("mjc", "P0 T0*")
    assert judge_move(here, Card.parse("6H"), "P0:T0>T6") == judge_move(here, Card.parse("6H"), "P0:T0*>T6")
