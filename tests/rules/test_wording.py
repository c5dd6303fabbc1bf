"""Every mistake has a sentence in every language."""

import ast
from pathlib import Path

import pytest

import tock_companion
import tock_rules
from tests.support.boards import position
from tock_companion.boardfile import generate
from tock_companion.language import LANGUAGES
from tock_companion.views.moves import move_label
from tock_companion.views.names import Names
from tock_companion.views.wording import both, codes
from tock_rules import BoardShape, Card, Hole, Seat, Violation, judge_move

SOURCES = [
    path
    for folder in (Path(tock_rules.__file__).parent, Path(tock_companion.__file__).parent / "referee")
    for path in folder.rglob("*.py")
]


def written_codes() -> set[str]:
    """Every code that the sources write down."""
    found: set[str] = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
                if text.startswith(("move/", "turn/", "board/")) and " " not in text and len(text) > 6:
                    found.add(text)
    return found


def test_every_code_in_the_sources_has_a_sentence() -> None:
    assert written_codes() <= set(codes()) | {"board/set_up", "board/take_back"}


@pytest.mark.parametrize("code", codes())
def test_every_sentence_exists_in_every_language(code: str) -> None:
    violation = Violation(
        code,
        ("R004-21",),
        Seat.P1,
        Card.parse("8H"),
        (Hole.parse("T20"),),
        {"pawn": "P1", "from": Hole.parse("T20")},
    )
    text_of = both(violation, BoardShape(4), {Seat.P1: "yellow"})
    assert set(LANGUAGES) == set(text_of)
    assert all(
        text[0].isupper() and text.endswith((".", "!")) and "{" not in text for text in text_of.values()
    )


def test_hole_numbers_are_those_printed_on_the_board() -> None:
    found = judge_move(position("mjc", "P0 T20"), Card.parse("6H"), "P0:T20>T27")
    assert isinstance(found, Violation)
    text_of = both(found, BoardShape(4), {Seat.P0: "yellow", Seat.P1: "red"})
    assert text_of["en"] == "You played a 6 but moved 7 holes. Put the yellow pawn back on red hole 2."


def test_two_pawns_of_a_colour_that_are_taken_are_not_named_twice() -> None:
    names = Names(BoardShape(4), generate(4, 440).colors, {})
    moves = position("mjc", "P0 T10, P1 T12 T14, P2 T16").legal_moves(Card.parse("KH"))
    takes_three = [move_label(move, names) for move in moves if len(move.captures) == 3]
    assert [label["en"] for label in takes_three] == [
        "The red pawn: red 10 → blue 5, takes the blue pawn and another and the yellow pawn"
    ]


@pytest.mark.parametrize(
    ("ruleset", "pawns", "move", "ref", "sentence"),
    [
        ("mjc", "P2 T40", "5H P2:T40>T45", "R004-19", "A 5 moves an opponent’s pawn, not your partner’s."),
        ("parteu", "P2 T40", "5H P2:T40>T45", "R003-30", "A 5 moves an opponent’s pawn, not your partner’s."),
        ("mjc", "P0 T40", "5H P0:T40>T45", "R004-19", "A 5 moves another player’s pawn, not yours."),
        ("gladius", "P0 C", "8H P0:C>T7", "R002-22", "Only an Ace"),
        ("gladius", "P0 T7", "8H P0:T7>C", "R002-21", "Only an Ace"),
    ],
)
def test_a_mistake_is_explained_by_its_own_statement(
    ruleset: str, pawns: str, move: str, ref: str, sentence: str
) -> None:
    card, _, text = move.partition(" ")
    found = judge_move(position(ruleset, pawns), Card.parse(card), text)
    assert isinstance(found, Violation)
    assert found.breaks[0] == ref
    assert both(found, BoardShape(4))["en"].startswith(sentence)
