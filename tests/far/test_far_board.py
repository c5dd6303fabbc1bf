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
from tock_companion.events.terms import Term
from tock_companion.far.board_away import BoardAway
from tock_companion.far.board_home import BoardAtHome
from tock_companion.far.board_messages import Document, fact_to_json
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
    here, there = Term("board", "6 18 4"), Term("board", "4 18 4")
    assert line.away.refusal.params == {"here": here, "there": there}


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


LONG = "x" * 100_000
ODD: tuple[object, ...] = (
    *(None, True, -1, 1e308, 2**70, "", LONG, "\u202eevil", "a" + "\u0301" * 50, "P9", "P1", "paused"),
    *(
        [],
        {},
        [[[[[[]]]]]],
        {"P1": LONG},
        {"event": "mode_set", "mode": "recorder", "by": "P0"},
        [1, "x", None],
    ),
)


def mutated(value: object, rng: random.Random) -> object:
    """A message with one part replaced, left out, repeated or renamed."""
    if rng.random() < 0.15 or not isinstance(value, dict | list) or not value:
        return rng.choice(ODD)
    if isinstance(value, list):
        at = rng.randrange(len(value))
        changed = [*value]
        changed[at] = mutated(value[at], rng)
        return changed if rng.random() < 0.9 else value * rng.randrange(4)
    key = rng.choice(sorted(value))
    if rng.random() < 0.1:
        return {
            **{name: inner for name, inner in value.items() if name != key},
            rng.choice(["P3", LONG]): 1,
        }
    return {**value, key: mutated(value[key], rng)}


@pytest.mark.parametrize("seed", range(3))
def test_another_home_of_any_kind_unseats_nobody_and_spoils_nothing(
    line: Line, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    table, rng = line.far.table, random.Random(seed)
    table.hand_host(Seat.P1)
    sent: list[Document] = [
        {"names": {"P1": "x", "P2": "y"}, "seats": []},
        {"names": {"P0": LONG}, "seats": []},
    ]
    down = line.away.hear

    def hear(document: Document) -> None:
        sent.append(document)
        down(document)

    line.away.hear = hear  # type: ignore[method-assign]
    assert lay(line.home, Seat.P0, "9H").ok
    shown_by(line.home, RIGHT, "P1")
    line.cut()
    line.mend()
    until(lambda: same_moves(line))
    line.away.hear = down  # type: ignore[method-assign]
    facts = line.home.table.facts()
    sent += [{"game": sent[-1].get("game"), "started": fact_to_json(facts[0])}]
    line.cut()
    for _ in range(400):
        hostile = mutated(rng.choice(sent), rng)
        if isinstance(hostile, dict):
            line.away.hear(json.loads(json.dumps(hostile)))
        assert table.people.names() == {Seat.P1: "Bob"}
        assert table.host_seat is Seat.P1
        assert len(json.dumps(table.view(Role.WATCH))) < 60_000
    assert not [record for record in caplog.records if record.exc_info or record.levelname == "ERROR"]
    # A start on the recorded facts, and an own game.
    line.away.stop()
    line.far.restart()
    line.away = BoardAway(line.far.table, lambda _document: False)
    assert line.far.table.people.names() == {Seat.P1: "Bob"}
    line.far.table.unfollow()
    again = {"ruleset": "mjc", "options": {}, "players": 4, "first": "P0"}
    assert line.far.table.request(parse_request("new_game", again, Role.HOST)).ok


def test_a_seat_that_is_anothers_at_the_other_home_is_asked_for_and_given_by_a_yes(line: Line) -> None:
    table = line.far.table
    line.cut()
    for _ in range(3):
        line.away.hear({"names": {"P0": "Anna", "P1": "Carl"}, "seats": []})
    (asked,) = table.people.requests()
    assert (asked.seat, asked.name, table.people.names()) == (Seat.P1, "Carl", {Seat.P1: "Bob"})
    yes = parse_request("answer_seat", {"number": asked.number, "yes": True}, Role.SEAT, Seat.P1)
    assert table.request(yes).ok
    assert table.people.names() == {}
