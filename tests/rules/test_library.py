"""The rules as a library: the documents' examples work, texts read back, and only legal moves are played."""

import ast
import doctest
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import tock_rules as library
from tests.support.games import at_random, table
from tests.support.rule_checks import FORMS
from tock_rules import (
    BadInputError,
    BoardShape,
    Card,
    GameRecord,
    Hole,
    IllegalMoveError,
    Position,
    Ruleset,
    Seat,
    load_preset,
    preset_names,
)
from tock_rules.engine import position_of

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "random_game.py"
SESSION = re.compile(r"^```pycon\n(.*?)^```", re.MULTILINE | re.DOTALL)
SVG = "{http://www.w3.org/2000/svg}"
START = "mjc 4 P0 P0+P2/P1+P3 P0:T20 P1:T30 P2: P3:"


@pytest.mark.parametrize("document", ["README.md", "docs/rules-library.md"])
def test_examples_in_the_documents_run(document: str) -> None:
    sessions = SESSION.findall((ROOT / document).read_text(encoding="utf-8"))
    assert sessions
    test = doctest.DocTestParser().get_doctest("\n".join(sessions), {}, document, document, 0)
    output: list[str] = []
    doctest.DocTestRunner().run(test, out=output.append)
    assert output == []


@pytest.mark.whole
def test_the_example_plays_a_whole_game_by_the_public_way_in() -> None:
    ran = subprocess.run([sys.executable, EXAMPLE, "3"], capture_output=True, text=True, check=True)
    record, _, drawn = ran.stdout.partition("# won by")
    last = list(GameRecord.parse(record).positions())[-1]
    assert last.outcome() is not None
    shown = Position.parse(drawn.partition("\n")[2])
    assert last.board == shown.board
    imported = {name for _, name in imports_of(EXAMPLE)}
    assert {name for name in imported if name.startswith("tock")} == {"tock_rules"}


# -- texts --


def moments(ruleset: str, count: int) -> Iterator[Position]:
    """Positions of a random game of that ruleset, in mid-turn too."""
    rng = random.Random(f"{ruleset} {count}")
    for form in FORMS[ruleset]:
        game = table(load_preset(ruleset), *form, rng)
        for _ in range(count):
            if game.winners():
                break
            yield position_of(game)
            game.do(at_random(game, rng))


@pytest.mark.whole
@pytest.mark.parametrize("ruleset", preset_names())
def test_a_position_of_a_running_game_reads_back_from_every_text(ruleset: str) -> None:
    for position in moments(ruleset, 60):
        assert position == Position.parse(position.text)
        assert position == Position.parse(str(position))
        assert position == eval(repr(position), vars(library))


IN_MID_TURN = (
    "mjc 4 P0 P0+P2/P1+P3 P0:T7,H1 P1: P2: P3: stored=P0:1,P2:2 played=1 arrived=T7,P0-H1",
    "gladius 4 P1 - P0: P1: P3:C starter=P1,P3 dealt=5",
    "joker-individuel[jokers=false] 6 P5 - P0:T0* P5:T90 stored=P0:1 played=2 arrived=T90",
)


@pytest.mark.parametrize("text", IN_MID_TURN)
def test_nothing_of_a_turn_is_lost_in_the_text(text: str) -> None:
    position = Position.parse(text)
    assert text == position.text
    assert position == Position.parse(str(position))


def test_a_position_reads_back_after_one_move() -> None:
    position = Position.parse(START).play("6H P0:T20>T26")
    assert (position.cards_played, position.arrived) == (1, 1 << 26)
    assert position == Position.parse(position.text)


def test_a_move_reads_back_from_its_repr() -> None:
    for position in moments("gladius", 15):
        for move in position.legal_moves("7S KH JOK_C JH"):
            assert move == eval(repr(move), vars(library))


@pytest.mark.parametrize(
    "value",
    [
        Card.parse("10H"),
        Card.parse("JOK_C"),
        Seat.P3,
        Hole.parse("P0-H4"),
        BoardShape(8, has_centre=True),
        load_preset("mjc"),
        Ruleset.parse("gladius[jokers=false,entrance_back=1]"),
        Position.parse(START).board,
    ],
    ids=str,
)
def test_repr_pastes_back_in_one_line(value: object) -> None:
    assert "\n" not in repr(value)
    assert value == eval(repr(value), vars(library))


def test_a_drawing_that_does_not_show_its_position_is_refused() -> None:
    drawn = str(Position.parse(START))
    line, _, rest = drawn.partition("\n")
    assert Position.parse(drawn) == Position.parse(START)
    with pytest.raises(BadInputError, match="the drawing does not show"):
        Position.parse(line.replace("T20", "T21") + "\n" + rest)


@pytest.mark.parametrize("name", [*preset_names(), "gladius[entrance_back=0]", "gladius[entrance_back=1]"])
def test_drawings_show_every_hole_once(name: str) -> None:
    rules = Ruleset.parse(name)
    for zones in rules.zones:
        position = Position.start(rules, zones=zones, players=zones if rules.zone_each else 4)
        shape, players = position.shape, len(position.seats)
        shown = len(shape.cells_by_hole) - shape.pawns_per_seat * (zones - 2 * players)
        assert len(str(position).split("\n\n")[1].split()) == shown + players
        picture = ElementTree.fromstring(position._repr_svg_())
        places = {(hole.get("cx"), hole.get("cy")) for hole in picture.iter(f"{SVG}circle")}
        assert len(places) == shown


def test_a_picture_shows_a_pawn_and_whether_it_has_moved() -> None:
    picture = Position.parse("mjc 4 P0 P0+P2/P1+P3 P0:T0*,T20 P1:T18 P2: P3:")._repr_svg_()
    titles = [title.text for title in ElementTree.fromstring(picture).iter(f"{SVG}title")]
    assert {"T0: P0, fresh", "T20: P0", "T18: P1", "T21"} <= set(titles)
    assert titles.count("P0-C1: P0") == titles.count("P0-C4") == 1


# -- legal moves --


def test_legal_moves_takes_a_card_its_text_or_a_hand() -> None:
    position = Position.parse(START)
    six = position.legal_moves(Card.parse("6S"))
    assert six == position.legal_moves("6S") == position.legal_moves(["6S"]) == position.legal_moves("6S 6S")
    eight = position.legal_moves("8H")
    assert (*six, *eight) == position.legal_moves("6S 8H") == position.legal_moves([Card.parse("6S"), "8H"])
    assert position.legal_moves(()) == ()


@pytest.mark.parametrize("cards", [6, None, [6], "6", "6S,8H", 1.5, [None]])
def test_an_unknown_card_has_no_legal_moves(cards: object) -> None:
    with pytest.raises(BadInputError, match="card"):
        Position.parse(START).legal_moves(cards)  # type: ignore[arg-type]


# -- playing --


def test_a_move_of_another_seat_is_not_played() -> None:
    position = Position.parse(START)
    move = position.legal_moves("6H")[0]
    later = position.end_turn()
    with pytest.raises(IllegalMoveError) as caught:
        later.play(move)
    assert caught.value.violation.code == "move/not_your_pawn"
    assert "R004-09" in str(caught.value)
    assert caught.value.position is later


def test_a_move_of_another_position_is_played_only_where_it_is_legal() -> None:
    position = Position.parse(START)
    move = position.legal_moves("6H")[0]
    moved = Position.parse("mjc 4 P0 P0+P2/P1+P3 P0:T21 P1:T30 P2: P3:")
    with pytest.raises(IllegalMoveError, match="move/nobody_there"):
        moved.play(move)
    elsewhere = Position.parse("mjc 4 P0 P0+P2/P1+P3 P0:T20 P1:T26 P2: P3:")
    assert elsewhere.play(move) == elsewhere.play("6H P0:T20>T26")
    assert elsewhere.play(move).board.camp_count(Seat.P1) == 4


def test_a_move_that_the_card_does_not_allow_is_not_played_however_it_was_made() -> None:
    position = Position.parse(START)
    six = position.legal_moves("6H")[0]
    forged = position.move_of((Card.parse("8H"),), six.flat)
    with pytest.raises(IllegalMoveError, match=r"move/too_short, forbidden by R004-"):
        position.play(forged)


def test_a_second_card_needs_a_second_move() -> None:
    position = Position.parse(START).play("6H P0:T20>T26")
    assert position.legal_moves("6H") == ()
    with pytest.raises(IllegalMoveError, match="turn/over"):
        position.play("6H P0:T26>T32")
    joker = Position.parse(START).play("JOK_B P0:T20>T38")
    assert joker.play("6H P0:T38>T44").end_turn().to_move is Seat.P1


@pytest.mark.parametrize("move", [None, 6, (), "6H", "P0:T20>T26", "6H P0:T20", "ZZ P0:T20>T26"])
def test_a_malformed_move_is_refused(move: object) -> None:
    with pytest.raises(BadInputError):
        Position.parse(START).play(move)  # type: ignore[arg-type]


def test_a_thrown_hand_is_the_hand_and_nothing_else() -> None:
    position = Position.start("gladius", players=4)
    hand = [Card.parse(text) for text in ("3C", "4D", "6H", "9S", "QD")]
    move = position.throw_move(hand)
    assert move is not None
    assert move.cards == tuple(hand)
    assert str(move) == "3C 4D 6H 9S QD P0:camp>T5"
    after = position.play(move)
    assert after.board.cells_of(Seat.P0).count(5) == 1
    assert not after.may_play_more


def test_a_hand_with_a_starter_is_not_thrown() -> None:
    position = Position.start("gladius", players=4)
    assert position.throw_move("3C 4D 6H 9S KD") is None
    with pytest.raises(IllegalMoveError, match="move/throw_not_allowed, forbidden by R002-30, R002-31"):
        position.play("3C 4D 6H 9S KD P0:camp>T5")


# -- the ways in --


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    text = path.read_text(encoding="utf-8")
    if "tock_rules" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module
            if node.module == "tock_rules":
                own = {alias.name for alias in node.names} - {*library.__all__, "engine"}
                yield from ((node.lineno, f"tock_rules.{name}") for name in own)
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)


def test_the_program_imports_the_library_its_engine_and_its_errors_alone() -> None:
    inside = [ROOT / "rules" / "tock_rules", ROOT / "tests" / "rules"]
    folders = ("app", "companion", "rules", "vision", "web", "hardware", "bench", "tests", "docs")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert len(paths) > 300
    assert [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in paths
        if not any(path.is_relative_to(folder) for folder in inside)
        for line, name in imports_of(path)
        if name.startswith("tock_rules.")
        and name.removeprefix("tock_rules.") not in {"engine", "environment", "errors", "__version__"}
    ] == []


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    assert (
        sorted(library.__all__, key=lambda name: (not name.isupper(), name.islower(), name))
        == library.__all__
    )
    for name in library.__all__:
        value = getattr(library, name)
        if isinstance(value, type) or callable(value):
            assert (value.__doc__ or "").strip(), name


TYPED = (
    "app/tock_app",
    "companion/tock_companion",
    "rules/tock_rules",
    "vision/tock_vision",
    "web/tock_web",
    "hardware/tock_hardware",
)


@pytest.mark.parametrize("package", TYPED)
def test_a_package_tells_type_checkers_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
