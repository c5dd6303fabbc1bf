"""Two running tables, each with a board and a store of its own, share one game over a line that is cut at times."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.boards import Pawns, pawns
from tests.support.sources import HandSource
from tests.support.tables import BEFORE, RIGHT, wait_for
from tests.support.waiting import until
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Reply, Role, parse_request
from tock_companion.events.facts import Fact, MoveAccepted
from tock_companion.far.board_away import BoardAway
from tock_companion.far.board_home import BoardAtHome
from tock_companion.far.board_messages import Document
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.views.state import FarPeople, FarSeat
from tock_rules import Seat

DEVICE = "5" * 32
BOB = FarPeople({Seat.P1: FarSeat("here", cards="real")})
AFTER_BOB = pawns("P0 T29, P1 T32")


class Companion:
    """A table that can be killed and started again on its own folder."""

    def __init__(self, folder: Path, zones: int, size_mm: float) -> None:
        self.folder, self.board_file = folder, generate(zones, size_mm)
        self.source = HandSource()
        self.table = self._started()

    def _started(self) -> Table:
        self.source = HandSource()
        setup = GameSetup(position=BEFORE) if self.board_file.zones == 4 else None
        table = Table(self.board_file, Store(self.folder), [self.source], setup=setup)
        table.start()
        return table

    def restart(self) -> None:
        self.table.stop()
        self.table = self._started()

    def moves(self) -> list[Fact]:
        events = self.table.facts()[1]
        return [fact for _, fact in events if isinstance(fact, MoveAccepted)]


class Line:
    """The way between two companions, without keys and relay: messages are lost while it is cut."""

    def __init__(self, home: Companion, far: Companion) -> None:
        self.home, self.far, self.is_up = home, far, False
        self.at_home = BoardAtHome(home.table, "bob", DEVICE, self._down)
        self.away = BoardAway(far.table, self._up)

    def _down(self, document: Document) -> None:
        if self.is_up:
            self.away.hear(json.loads(json.dumps(document)))

    def _up(self, document: Document) -> bool:
        if self.is_up:
            self.at_home.hear(json.loads(json.dumps(document)))
        return self.is_up

    def begin(self) -> None:
        self.at_home.start()
        self.away.start()
        self.mend()

    def cut(self) -> None:
        self.is_up = False
        self.at_home.line_is_cut()

    def mend(self) -> None:
        self.is_up = True
        self.away.line_is_up()

    def restart_far(self) -> None:
        self.cut()
        self.away.stop()
        self.far.restart()
        self.away = BoardAway(self.far.table, self._up)
        self.away.start()
        self.mend()

    def end(self) -> None:
        self.is_up = False
        self.away.stop()
        self.at_home.stop()
        self.home.table.stop()
        self.far.table.stop()


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    home, far = Companion(tmp_path / "home", 4, 440), Companion(tmp_path / "far", 4, 520)
    home.table.people.join("Anna", Seat.P0)
    far.table.people.join("Bob", Seat.P1)
    line = Line(home, far)
    line.begin()
    until(lambda: line.at_home.seats == {Seat.P1})
    home.table.show_far(BOB)
    for companion in (home, far):
        companion.source.show(BEFORE, 4)
    yield line
    line.end()


def lay(companion: Companion, seat: Seat, card: str) -> Reply:
    return companion.table.request(parse_request("play_card", {"card": card}, Role.SEAT, seat))


def shown_by(companion: Companion, board: Pawns, to_move: str) -> None:
    companion.source.show(board, 12)
    wait_for(companion.table, lambda view: view["to_move"] == to_move)


def same_moves(line: Line) -> bool:
    return bool(line.home.moves()) and line.home.moves() == line.far.moves()


def test_a_move_at_home_is_copied_and_the_next_one_is_made_on_the_far_board(line: Line) -> None:
    assert lay(line.home, Seat.P0, "9H").ok
    shown_by(line.home, RIGHT, "P1")
    until(lambda: same_moves(line))
    line.far.source.show(BEFORE, 12)
    copying = wait_for(line.far.table, lambda view: view["guidance"] is not None)
    assert copying["guidance"]["code"] == "elsewhere/copy"
    assert "Anna" in str(copying["seats"]), "whoever sits at home is named here"
    line.far.source.show(RIGHT, 12)
    wait_for(line.far.table, lambda view: view["guidance"] is None)
    assert lay(line.far, Seat.P1, "6C").ok, "home answers"
    line.far.source.show(AFTER_BOB, 12)
    planned = wait_for(line.home.table, lambda view: view["planned"] is not None)
    assert planned["card"] == "6C"
    shown_by(line.home, AFTER_BOB, "P2")
    until(lambda: same_moves(line) and len(line.home.moves()) == 2)


def test_the_far_host_decides_nothing_about_the_game(line: Line) -> None:
    refused = line.far.table.request(parse_request("pause", {}, Role.HOST))
    assert refused.code == "home_decides"
    line.cut()
    assert lay(line.far, Seat.P1, "6C").code == "home_away"


def test_moves_of_the_time_without_a_line_arrive_once_it_is_back(line: Line) -> None:
    line.cut()
    lay(line.home, Seat.P0, "9H")
    shown_by(line.home, RIGHT, "P1")
    lay(line.home, Seat.P1, "6C")
    shown_by(line.home, AFTER_BOB, "P2")
    assert not line.far.moves()
    line.mend()
    until(lambda: same_moves(line))


def test_a_far_companion_that_was_started_again_follows_on_from_its_own_log(line: Line) -> None:
    lay(line.home, Seat.P0, "9H")
    shown_by(line.home, RIGHT, "P1")
    until(lambda: same_moves(line))
    number = line.far.table.number
    line.restart_far()
    until(lambda: line.far.table.following is not None and same_moves(line))
    assert line.far.table.number == number, "the same game goes on"


def test_a_board_of_other_zones_is_refused_in_one_line(tmp_path: Path) -> None:
    line = Line(Companion(tmp_path / "home", 4, 440), Companion(tmp_path / "far", 6, 700))
    line.begin()
    until(lambda: line.away.refusal is not None)
    line.end()
    assert line.away.refusal is not None
    assert set(line.away.refusal.params.values()) == {"4", "6"}


def test_a_line_cut_again_and_again_loses_and_doubles_nothing(line: Line) -> None:
    rng = random.Random(3)
    steps = (("9H", RIGHT, "P1"), ("6C", AFTER_BOB, "P2"), ("KH", pawns("P0 T29, P1 T32, P2 T36"), "P3"))
    for card, board, following in steps:
        if rng.random() < 0.7:
            line.cut()
        lay(line.home, Seat[wait_for(line.home.table, lambda _: True)["to_move"]], card)
        line.at_home.line_is_cut()
        shown_by(line.home, board, following)
        if rng.random() < 0.5:
            line.mend()
    line.mend()
    until(lambda: same_moves(line) and len(line.far.moves()) == 3)
