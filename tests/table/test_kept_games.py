"""A kept game goes on: the pawns are put as they stood in it, and no move is undone because they stand otherwise."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.boards import Pawns, pawns
from tests.support.sources import HandSource
from tests.support.tables import send, wait_for
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.requests import Role
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_to_line
from tock_companion.events.facts import Event, Fact, ViolationFound
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.resuming import kept_game
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
        kept_game(lines, board)
