"""Every mistake has a sentence in every language."""

import ast
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tock_companion
import tock_rules
from tests.support.boards import position
from tock_companion.boardfile import generate
from tock_companion.language import LANGUAGES, catalog
from tock_companion.views.moves import move_label
from tock_companion.views.names import Names
from tock_companion.views.wording import both, codes
from tock_rules import (
    TEXTS,
    BoardShape,
    Card,
    Game,
    Hole,
    HoleKind,
    Ruleset,
    Seat,
    Violation,
    judge_move,
    load_preset,
    preset_names,
)
from tock_rules.card_actions import ROWS
from tock_rules.refusals import RESTS_ON

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


def test_every_refusal_with_cards_has_a_sentence_in_every_language() -> None:
    for code in RESTS_ON:
        text = catalog("phrases")[f"refuse/{code}"]
        assert set(text) == set(LANGUAGES)


def wrong_texts(game: Game, rng: random.Random) -> Iterator[str]:
    """Move texts of the pawns on the board, most of them against the rules."""
    position, shape = game.position, game.position.shape

    def some(seat: Seat) -> str:
        return shape.place_text(rng.choice(position.board.cells_of(seat)))

    seat, other = rng.choice([game.to_move, *position.seats]), rng.choice(position.seats)
    on_track = some(seat)
    near = (int(on_track[1:]) if on_track[0] == "T" else shape.start(seat)) + rng.randint(-13, 14)
    target = rng.choice([f"T{near % shape.track_length}", f"H{rng.randint(1, shape.pawns_per_seat)}"])
    yield f"{seat.name}:{on_track}>{target}"
    yield f"{seat.name}:{on_track}>{target} + {seat.name}:{some(seat)}>T{rng.randrange(shape.track_length)}"
    yield f"{seat.name}:{on_track}<>{other.name}:{some(other)}"
    yield f"{seat.name}:burn>{other.name}"


def cards_with(rules: Ruleset, action: str) -> set[str]:
    """The cards that go `back` or `on`, or that `swap`."""
    rows = {name: rules.row(name) for name in ROWS}
    known = {
        "back": {
            name for name, row in rows.items() if row.both_ways or any(step.steps < 0 for step in row.steps)
        },
        "on": {name for name, row in rows.items() if any(step.steps > 0 for step in row.steps)},
        "swap": {name for name, row in rows.items() if row.swap},
    }
    return known[action]


CLAIMS: dict[str, Callable[[Ruleset], bool]] = {
    "move/backwards": lambda rules: cards_with(rules, "back") == {"4"},
    "move/four_forwards": lambda rules: "4" not in cards_with(rules, "on"),
    "move/jack_does_not_walk": lambda rules: "J" not in cards_with(rules, "on"),
    "move/swap_without_jack": lambda rules: cards_with(rules, "swap") == {"J"},
    "move/no_swap": lambda rules: not cards_with(rules, "swap"),
}
"""Sentences that say something about the cards of the game, and when that is true."""


@pytest.mark.parametrize("ruleset", [name for name in preset_names() if name not in TEXTS])
def test_mistakes_in_the_games_of_the_family_have_true_sentences(ruleset: str) -> None:
    rng, met, rules = random.Random(ruleset), set(), load_preset(ruleset)
    for seed in range(3):
        game = Game.start(ruleset, seed=seed)
        for _ in range(150):
            card = rng.choice(
                [*map(Card.parse, ("4H", "5H", "7D", "8S", "9C", "JS", "KD", "JOK_B")), *game.hand]
            )
            homes = {hole for hole in game.position.board.occupied() if hole.kind is HoleKind.HOME}
            for text in wrong_texts(game, rng):
                found = judge_move(game.position, card, text)
                if isinstance(found, Violation):
                    met.add(found.code)
                    sentence = both(found, game.position.shape)
                    assert all("{" not in sentence[language] and sentence[language] for language in LANGUAGES)
                    assert found.code not in CLAIMS or CLAIMS[found.code](rules), (text, sentence)
                    at_home = [hole for hole in found.holes if hole in homes]
                    assert found.code != "move/home_untouchable" or at_home, (text, sentence)
            game.play(rng.choice(game.legal_actions()))
    assert len(met) > 15


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
