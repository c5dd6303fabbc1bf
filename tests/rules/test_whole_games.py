"""Games that deal for themselves; copies of values, and arguments of wrong types."""

import copy
import inspect
import pickle
import random
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import pytest

import tock_rules as library
from tock_rules import (
    OPTIONS,
    BadInputError,
    Card,
    CardTable,
    Game,
    GameRecord,
    Hole,
    IllegalMoveError,
    Kind,
    Part,
    Position,
    Ruleset,
    Seat,
    Setup,
    deal_plan,
    load_preset,
    preset_names,
    preset_table,
    ruleset_of,
    turn_options,
)

START = "mjc 4 P0 P0+P2/P1+P3 P0:T20 P1:T30 P2: P3:"

# -- copies, bad types --


OWN = ruleset_of({**preset_table("keezen"), "name": "of-my-own"})


@pytest.mark.parametrize("rules", [*map(load_preset, preset_names()), OWN], ids=lambda rules: rules.name)
def test_values_and_games_are_copied_and_pickled_by_their_fields(rules: Ruleset) -> None:
    game = Game.start(rules, players=4, seed=5)
    while all(action.move is None for action in game.legal_actions()):
        game.play(game.legal_actions()[0])
    move = next(action.move for action in game.legal_actions() if action.move is not None)
    refused = game.position.explain(move.card, [Part(Kind.STEP, Seat.P3, 5, 6)])
    values: tuple[object, ...] = (rules, game, game.position, game.record(), move, move.result, refused)
    values += (turn_options(game.position, game.hand), deal_plan(rules, 4), move.before.state and move.before)
    for value in values:
        for copied in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)):
            assert copied == value
    assert len(pickle.dumps(move)) < 6000
    with pytest.raises(IllegalMoveError) as caught:
        game.play("discard JOK_B")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


WRONG: tuple[Any, ...] = (
    None,
    -1,
    1.5,
    "",
    "x\n",
    b"x",
    [],
    [None],
    (3,),
    {1: 2},
    {"x": None},
    Card.parse("6S"),
    int,
)
WRONG += (Seat.P1, iter([None]), Position.parse(START), load_preset("mjc"), Hole.parse("T3"))


def public_calls() -> Iterator[tuple[str, Callable[..., object]]]:
    """The functions of the library, and the methods of its classes and of one value of each."""
    game = Game.start("keezen", seed=7)
    deal = deal_plan(game.position.ruleset, 4).first_hand(game.position.seats, Seat.P3)
    move = game.position.move_of((Card.parse("KH"),), game.position.legal_moves("KH")[0].flat)
    values = (game, game.position, move, move.before, move.before.shape, game.position.ruleset, game.record())
    values += (Setup.of_board(move.before), Hole.parse("T3"), move.parts[0], OPTIONS["five"])  # type: ignore[assignment]
    values += (CardTable.of(game.position, deal, game.hands), deal_plan(game.position.ruleset, 4))  # type: ignore[assignment]
    classes = [value for name in library.__all__ if isinstance(value := getattr(library, name), type)]
    for owner in (*values, *(kind for kind in classes if not issubclass(kind, str | Enum))):
        for name in (name for name in dir(owner) if not name.startswith("_")):
            found = inspect.getattr_static(owner, name)
            if isinstance(found, classmethod) or (inspect.isfunction(found) and not isinstance(owner, type)):
                yield f"{owner!r}.{name}", getattr(owner, name)
    for name in library.__all__:
        if inspect.isfunction(getattr(library, name)):
            yield name, getattr(library, name)


def test_arguments_of_wrong_types_are_named_in_one_line() -> None:
    rng = random.Random(4)
    calls = [(name, call, inspect.signature(call).parameters.values()) for name, call in public_calls()]
    assert len(calls) > 90
    refused: list[str] = []
    for _, call, parameters in calls:
        for _ in range(60 if parameters else 0):
            try:
                call(*(rng.choice(WRONG) for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD))
            except BadInputError as error:
                refused.append(str(error))
    assert len(refused) > 4000
    assert [line for line in refused if "\n" in line] == []


def test_a_wrong_argument_is_named_with_the_type_it_has() -> None:
    with pytest.raises(BadInputError, match=r"^deal_plan: players is a number, not 'four'$"):
        deal_plan(load_preset("mjc"), "four")  # type: ignore[arg-type]
    with pytest.raises(BadInputError, match=r"^PositionFields.of: to_move is a Seat, not 'P0'$"):
        Position.of(load_preset("mjc"), Position.parse(START).board, "P0")  # type: ignore[arg-type]


# -- whole games --


@pytest.mark.parametrize("ruleset", preset_names())
def test_a_game_is_dealt_played_taken_back_and_recorded(ruleset: str) -> None:
    rng, game = random.Random(ruleset), Game.start(ruleset, players=4, seed=7)
    assert game.to_move is Seat.P0
    assert game.dealer is Seat.P3
    while game.result is None:
        action = rng.choice(game.legal_actions())
        assert action.move is None or action.cards[0] in game.hand
        if rng.random() < 0.02:
            before, other = game.position, copy.deepcopy(game)
            assert game.play(action) == other.play(str(action))
            assert game.undo().position == before
        game.play(action)
    assert game.legal_actions() == ()
    assert "have won together" in str(game.result) or " has won" in str(game.result)
    assert [*GameRecord.parse(str(game.record())).positions()][-1].board == game.position.board
    with pytest.raises(IllegalMoveError, match="hand/over"):
        game.play("end")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("end", "hand/turn_open"),
        ("throw", "hand/no_exit"),
        ("give {0}", "hand/no_gift"),
        ("hand", "hand/hand_playable"),
        ("discard {0}", "hand/hand_playable"),
        ("discard 2S", "hand/not_held"),
        ("play 2S P0:camp>T0*", "hand/not_held"),
        ("{0} P0:T5>T6", "move/"),
        ("give", "no action"),
        ("nonsense", "no such card"),
        ("", "no action"),
    ],
)
def test_an_action_that_is_not_open_is_refused_with_its_reason(text: str, reason: str) -> None:
    game = next(game for seed in range(99) if held(game := Game.start("mjc", seed=seed)))
    with pytest.raises(BadInputError, match=reason):
        game.play(text.format(*game.hand))


def held(game: Game) -> bool:
    """Whether the first player can play a card and has no two of spades."""
    return game.legal_actions()[0].kind == "play" and Card.parse("2S") not in game.hand
