"""Kept games: the board they were played on, their sentences of older releases, and going on with one."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.boards import Pawns, pawns, position
from tests.support.sources import HandSource
from tests.support.tables import send, wait_for
from tock_companion.boardfile import fingerprint, generate
from tock_companion.core.game_setup import GameSetup, board_of, game_started
from tock_companion.core.requests import Role
from tock_companion.core.state import Lobby
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_from_json, event_to_line, read_log
from tock_companion.events.facts import Event, Fact, GameStarted, QuestionAsked, ViolationFound
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.resuming import board_to_resume, kept_game
from tock_companion.views.fact_words import question_words, warning_words
from tock_companion.views.names import Names
from tock_rules import Seat

BEFORE, AFTER = pawns("P0 T20, P1 T26"), pawns("P0 T29, P1 T26")


@contextmanager
def seen_table(folder: Path, board: Pawns) -> Iterator[tuple[Table, HandSource]]:
    """A table whose camera has seen a board for a while."""
    eye = HandSource()
    position = {seat: list(places) for seat, places in BEFORE.items()}
    table = Table(generate(4, 440), Store(folder), [eye], setup=GameSetup(position=position))
    table.start()
    eye.show(board, 10)
    yield table, eye
    table.stop()


def played(folder: Path) -> list[str]:
    """The log of a game with one move."""
    with seen_table(folder, BEFORE) as (table, eye):
        assert send(table.request, "play_card", {"card": "9H"}, Role.SEAT, Seat.P0).ok
        eye.show(AFTER, 20)
        wait_for(table, lambda view: view["holes"].get("T29") == "P0")
        return table.archive.log(1).splitlines()


def test_pawns_from_before_the_last_move_are_put_right_instead_of_undoing_it(tmp_path: Path) -> None:
    log = played(tmp_path / "first")
    with seen_table(tmp_path / "second", BEFORE) as (table, eye):
        assert table.take_up(log).ok
        eye.show(BEFORE, 40)
        view = wait_for(table, lambda view: view["warning"] is not None)
        assert view["holes"].get("T29") == "P0", "the move stands"
        assert (view["warning"]["code"], view["warning"]["tone"]) == ("board/set_up", "calm")
        assert [(step["from_hole"], step["to_hole"]) for step in view["warning"]["repair"]] == [
            ("T20", "T29")
        ]
        eye.show(AFTER, 20)
        view = wait_for(table, lambda view: view["warning"] is None)
        assert view["holes"].get("T29") == "P0"
        assert "move_taken_back" not in [entry["event"] for entry in table.journal()]


def test_a_board_that_lies_as_in_the_kept_game_is_played_on_at_once(tmp_path: Path) -> None:
    log = played(tmp_path / "first")
    with seen_table(tmp_path / "second", AFTER) as (table, eye):
        assert table.take_up(log).ok
        eye.show(AFTER, 20)
        wait_for(table, lambda view: view["warning"] is None)
        assert send(table.request, "play_card", {"card": "6H"}, Role.SEAT, Seat.P1).ok
        eye.show(pawns("P0 T29, P1 T32"), 20)
        wait_for(table, lambda view: view["holes"].get("T32") == "P1")


@pytest.mark.parametrize(
    ("code", "params"),
    [
        ("move/too_far", {"pawn": "zzz"}),
        ("move/too_far", {"moved": "x"}),
        ("board/take_back", {"by": "vote"}),
        ("board/set_up", {"reason": "nope"}),
        ("card/other_seat", {}),
        ("card/other_seat", {"turn": "P1", "move": "P0:camp>T0"}),
    ],
)
def test_a_log_whose_warning_has_the_parameters_of_another_is_refused_in_a_line(
    code: str, params: Mapping[str, str]
) -> None:
    board = generate(4, 440)
    facts: list[Fact] = [
        game_started(GameSetup(), board),
        ViolationFound("P0", code, [], {}, [], [], params=params),
    ]
    lines = [event_to_line(Event(seq, seq, fact)) for seq, fact in enumerate(facts, 1)]
    with pytest.raises(
        BadInputError, match=f"^the parameters of the warning '{code}' do not fit it: [^\n]+$"
    ):
        kept_game(lines, board, {}, lambda _chairs, _known: {})


OAK = replace(generate(4, 440), name="Oak", size_mm=(450.0, 450.0))


def test_the_log_draws_the_board_for_ever(tmp_path: Path) -> None:
    store = Store(tmp_path)
    Table(OAK, store, setup=GameSetup())
    events = store.game(1).events
    store.close()
    started = read_log([event_to_line(event) for event in events])[0].fact
    assert isinstance(started, GameStarted)
    assert board_of(started) == OAK


def test_a_game_that_is_played_goes_on_on_its_own_board(tmp_path: Path) -> None:
    Table(OAK, Store(tmp_path), setup=GameSetup()).stop()
    store = Store(tmp_path)
    board = board_to_resume(store)
    store.close()
    assert board is not None
    assert fingerprint(board) == fingerprint(OAK)


def test_a_game_that_nobody_has_begun_holds_no_board(tmp_path: Path) -> None:
    Table(OAK, Store(tmp_path), lobby=Lobby()).stop()
    store = Store(tmp_path)
    assert board_to_resume(store) is None
    other = Table(generate(4, 440), store, lobby=Lobby())
    assert other.number == 2
    assert other.is_prepared
    other.stop()


def test_a_game_that_has_ended_holds_no_board(tmp_path: Path) -> None:
    running = Table(OAK, Store(tmp_path), setup=GameSetup())
    running.start()
    assert running.end_game("another board").ok
    running.stop()
    store = Store(tmp_path)
    assert board_to_resume(store) is None
    store.close()


HERE = position("mjc", "P0 T20")
NAMES = Names(HERE.shape, {}, {})
OLD: dict[str, Any] = {
    "v": 1, "seq": 2, "t_ms": 0, "event": "violation", "seat": "P0", "code": "move/of_another_release",
    "breaks": [], "seen": {}, "nearest": [], "repair": [],
}  # fmt: skip


def read(**fields: object) -> ViolationFound:
    fact = event_from_json({**OLD, **fields}).fact
    assert isinstance(fact, ViolationFound)
    return fact


def test_a_stored_sentence_is_shown_to_the_player_and_to_the_others() -> None:
    stored = {"fr": "Zut.", "en": "Oh."}
    old = read(message={"fr": "Zut. Remets-le.", "en": "Oh. Put it back."}, reason=stored, others=stored)
    assert warning_words(old, HERE, NAMES) == (stored, stored)


def test_the_oldest_logs_have_reason_and_instruction_in_one_sentence() -> None:
    whole = {"fr": "Zut. Remets-le.", "en": "Oh. Put it back."}
    assert warning_words(read(message=whole), HERE, NAMES) == (whole, whole)


def test_a_sentence_in_languages_that_are_not_installed_is_shown_as_it_was_written() -> None:
    mine, others = warning_words(read(message={"de": "Falsch."}), HERE, NAMES)
    assert set(mine.values()) == set(others.values()) == {"Falsch."}


def test_an_old_question_is_put_in_the_words_of_today() -> None:
    line = {"v": 1, "seq": 2, "t_ms": 0, "event": "question", "seat": "P0", "about": "move", "choices": []}
    fact = event_from_json({**line, "message": {"de": "Welcher Zug?"}}).fact
    assert isinstance(fact, QuestionAsked)
    assert question_words(fact, NAMES) == question_words(QuestionAsked("P0", "move", []), NAMES)


def test_a_game_whose_rules_are_not_installed_is_listed_and_kept_and_says_so_in_one_line(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path)
    gone = replace(game_started(GameSetup(), generate(4, 440)), ruleset="family-game")
    store.append(1, [Event(1, 0, gone)])
    store.close()
    table = Table(generate(4, 440), Store(tmp_path))
    table.start()
    try:
        notes = table.view(Role.TABLE)["health"]
        assert [note["code"] for note in notes] == ["game_without_rules"]
        assert "family-game, whose rules are not installed" in notes[0]["sentence"]["en"]
        listed = {game["number"]: game["title"] for game in table.archive.games()}
        assert listed[1] == {"en": "family-game", "fr": "family-game"}
        assert set(listed) == {1, 2}
        lines = table.archive.log(1).splitlines()
        assert '"family-game"' in lines[0]
        for ask in (
            table.archive.record,
            table.archive.standing,
            lambda number: table.look_at(lines, number),
        ):
            with pytest.raises(BadInputError, match="no such ruleset: 'family-game'"):
                ask(1)
        assert table.take_up(lines, 1).code == "bad_request"
        with pytest.raises(BadInputError, match="no such ruleset"):
            table.replay(1)
    finally:
        table.stop()
    assert table.number == 2
