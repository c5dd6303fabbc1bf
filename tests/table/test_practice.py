"""A practice before a game: three lessons that the table sees, and everything is afterwards as it was before."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.boards import Pawns, pawns
from tests.support.observations import Reeds
from tests.support.sources import HandSource, PerfectEye
from tests.support.tables import BOARD, ClockedTable, put, send, wait_for
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.indices import Indices
from tock_companion.core.lessons import fits, lessons, lessons_on_table
from tock_companion.core.practising import begin_lesson
from tock_companion.core.requests import Reply, Role
from tock_companion.core.state import Lobby
from tock_companion.core.step import Tick, step
from tock_companion.errors import BadInputError
from tock_companion.events.facts import ViolationFound
from tock_companion.events.game import SET_UP
from tock_companion.practice_alone import practice_view
from tock_companion.sources.base import Source
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.views.schema import SeatView
from tock_rules import (
    Board,
    Position,
    Seat,
    load_preset,
    player_counts,
    preset_names,
    seats_for,
    shape_for,
    usual_teams,
)

HOME = {seat: ["camp"] * 4 for seat in ("P0", "P1", "P2", "P3")}
OpenTable = Callable[..., Table]


@pytest.fixture
def open_table(tmp_path: Path) -> Iterator[OpenTable]:
    """Open a table in its lobby where Léa sits, the one before being closed."""
    opened: list[Table] = []

    def open_table(source: Source | None = None, scene: Scene | None = None, ruleset: str = "mjc") -> Table:
        for before in opened:
            before.stop()
        sources = [] if source is None else [source]
        table = Table(BOARD, Store(tmp_path), sources, scene=scene, setup=GameSetup(ruleset), lobby=Lobby())
        opened[:] = [table]
        table.start()
        if Seat.P0 not in table.people.sitting():
            table.people.join("Léa", Seat.P0)
        return table

    yield open_table
    opened[0].stop()


def ask(table: Table, kind: str, seat: Seat = Seat.P0, **data: object) -> Reply:
    return send(table.request, kind, data, Role.SEAT, seat)


def seen_by(table: Table, seat: Seat = Seat.P0) -> SeatView:
    return table.view(Role.SEAT, seat)


def praised(number: int) -> Callable[[Any], bool]:
    def is_praised(view: Any) -> bool:
        return view["practice"] is not None and view["practice"]["lesson"] == number and view["game"]["ended"]

    return is_praised


# The lessons.


@pytest.mark.parametrize(
    ("ruleset", "zones"),
    [(name, zones) for name in preset_names() for zones in load_preset(name).zones if zones > 3],
)
def test_every_lesson_has_its_move_under_all_rules_and_from_every_seat(ruleset: str, zones: int) -> None:
    rules = load_preset(ruleset)
    shape = shape_for(rules, zones)
    for count in player_counts(rules, zones):
        seats = seats_for(count, zones)
        for me in seats:
            before: Board | None = None
            for lesson in lessons_on_table():
                start = Position.of(rules, Board.empty(shape, seats), me, usual_teams(rules, seats))
                other = next(seat for seat in seats if seat not in (*start.team_of(me), me))
                board = Board.from_pawns(shape, lesson.pawns(shape, seats, me, other))
                placed = _placed(before, board) if before is not None else 0
                assert placed <= 1, "a real board needs one pawn to be placed at the most"
                shown = lesson.shown(start_at(start, board))
                assert shown is not None
                before = shown.result


@pytest.mark.parametrize(
    ("ruleset", "zones"),
    [(name, zones) for name in preset_names() for zones in load_preset(name).zones if zones > 3],
)
def test_lessons_on_a_phone_have_their_move_and_those_of_other_rules_are_left_out(
    ruleset: str, zones: int
) -> None:
    board = generate(shape_for(load_preset(ruleset), zones), 700)
    started = game_started(GameSetup(ruleset), board)
    count, all_of_them = 0, 0
    for number in range(1, 1 + len(lessons())):
        try:
            asked = practice_view(started, board, Indices.BY_LANGUAGE, None, number, [])
        except BadInputError:
            break
        practice = asked["practice"]
        assert practice is not None
        all_of_them = practice["lessons"]
        taps = [practice["card"]]
        moves = practice_view(started, board, Indices.BY_LANGUAGE, None, number, taps)["legal_moves"]
        ended = [
            practice_view(started, board, Indices.BY_LANGUAGE, None, number, [*taps, move["text"]])["expects"]
            for move in moves
        ]
        assert set(ended) <= {"over", "move"}
        assert "over" in ended
        count = number
    assert all_of_them == count
    assert count == 6 if started.teams and ruleset != "pegs-jokers" else count >= 4


def start_at(position: Position, board: Board) -> Position:
    return Position.of(position.ruleset, board, position.to_move, position.teams)


def _placed(before: Board, after: Board) -> int:
    """Number of pawns that stand outside the camps where none of their colour stood."""
    old, new = before.occupied(), after.occupied()
    return sum(old.get(hole) is not seat for hole, seat in new.items())


def test_any_way_to_share_the_seven_will_do_and_one_pawn_alone_will_not() -> None:
    *_, lesson = lessons_on_table()
    rules = load_preset("mjc")
    seats = seats_for(4, 4)
    board = Board.from_pawns(
        shape_for(rules, 4), lesson.pawns(shape_for(rules, 4), seats, seats[0], seats[1])
    )
    position = Position.of(rules, board, seats[0], usual_teams(rules, seats))
    shown = lesson.shown(position)
    assert shown is not None
    for move in position.legal_moves(lesson.card):
        assert fits(move, shown) is (len(move.parts) == 2)


# On the table.


def test_three_lessons_on_the_simulated_table_leave_nothing_behind(open_table: OpenTable) -> None:
    scene = Scene(BOARD)
    table = open_table(PerfectEye(scene), scene)
    before, games = table.view(Role.HOST)["lobby"], table.archive.games()
    moves = ([("P0-C1", "T0")], [("T6", "P1-C4"), ("T0", "T6")], [("T0", "T4"), ("T6", "T9")])
    for number, (card, steps) in enumerate(zip(("KH", "6H", "7H"), moves, strict=True), 1):
        assert ask(table, "practise").ok
        assert seen_by(table)["cards"] == [card]
        assert ask(table, "play_card", card=card).ok
        assert seen_by(table)["planned"] is not None
        for source, target in steps:
            put(table, source, target)
        view = wait_for(table, praised(number))
        assert "Bravo" in view["sentence"]["fr"]
    assert ask(table, "practise").ok
    view = table.view(Role.HOST)
    assert (view["practice"], view["lobby"], view["to_move"]) == (None, before, "P0")
    assert (table.archive.games(), len(table.results.all)) == (games, 0)
    assert {tuple(places) for places in table.position.board.to_pawns().values()} == {("camp",) * 4}
    assert ask(table, "play_card", card="KH").ok
    assert table.view(Role.HOST)["lobby"] is None


@pytest.mark.parametrize("sets_up", [True, False], ids=["by people", "by themselves"])
def test_a_board_that_stood_still_is_no_mistake_in_the_next_lesson(sets_up: bool) -> None:
    stands: Pawns = {**HOME, **pawns("P0 T6")}
    clocked = ClockedTable(stands)
    clocked.see(stands, for_ms=5_000)
    waiting = replace(clocked.core.state, lobby=Lobby())
    begun = begin_lesson(waiting, Seat.P0, 2, BOARD, clocked.t_ms, sets_up=sets_up)
    warning = step(begun.state, Tick(), clocked.t_ms).state.game.warning
    assert (warning is not None) is sets_up
    assert warning is None or isinstance(warning, ViolationFound)
    assert warning is None or warning.code == SET_UP


def test_a_real_board_is_set_up_step_by_step(open_table: OpenTable) -> None:
    camera = HandSource()
    table = open_table(camera)

    def show(board: str, wanted: Callable[[Any], bool]) -> Any:
        seen: Pawns = {**HOME, **pawns(board)}
        camera.show(seen, 20)
        return wait_for(table, wanted)

    show("", lambda view: bool(view["sources"]))
    assert ask(table, "practise").ok
    assert seen_by(table)["warning"] is None, "all pawns are in their camps already"
    # The child moves first and lays no card: there is only one.
    show("P0 T0", praised(1))
    assert ask(table, "practise").ok
    warning = seen_by(table)["warning"]
    assert warning is not None
    assert (warning["tone"], [step["to_hole"] for step in warning["repair"]]) == ("calm", ["T6"])
    assert "pion bleu" in seen_by(table)["sentence"]["fr"]
    show("P0 T0, P1 T6", lambda view: view["warning"] is None)
    assert ask(table, "play_card", card="6H").ok
    view = show("P0 T7, P1 T6", lambda view: view["warning"] is not None)
    assert view["sentence"]["fr"].startswith("Ton pion avance de 6 cases")
    # The count is right, and the taken pawn is still to go to its camp.
    view = show("P0 T6, P1 T9", lambda view: view["guidance"] is not None)
    assert [hole.seat for hole in view["guidance"]["places"]] == [Seat.P1]
    assert view["sentence"]["fr"].startswith("Compte 6 cases et prends")
    show("P0 T6", praised(2))
    assert ask(table, "practise").ok
    show("P0 T0 T6", lambda view: view["warning"] is None)
    assert ask(table, "play_card", card="7H").ok
    # Seven holes with one pawn are legal, but not what this is about.
    view = show("P0 T0 T13", lambda view: view["warning"] is not None)
    assert (view["warning"]["tone"], view["game"]["ended"]) == ("calm", False)
    assert view["sentence"]["en"].startswith("That is allowed too!")
    show("P0 T0 T6", lambda view: view["warning"] is None)
    assert ask(table, "play_card", card="7H").ok
    show("P0 T2 T11", praised(3))
    assert ask(table, "practise").ok
    after = table.view(Role.HOST)
    assert after["lobby"] is not None
    assert after["warning"] is not None
    assert "L’essai est fini" in after["warning"]["message"]["fr"]
    show("", lambda view: view["warning"] is None)
    assert table.view(Role.HOST)["lobby"] is not None


def test_reeds_follow_a_pawn_that_is_placed_for_a_lesson(open_table: OpenTable) -> None:
    source = HandSource()
    table = open_table(source)
    reeds = Reeds({seat: tuple(places) for seat, places in HOME.items()})

    def feel(*edges: str) -> None:
        for observation in reeds.feel(table.clock_ms() + 300, edges):
            source.deliver(observation)

    source.deliver(reeds.snapshot(table.clock_ms()))
    wait_for(table, lambda view: bool(view["sources"]))
    assert ask(table, "practise").ok
    feel("-P0-C1", "+T0")
    wait_for(table, praised(1))
    assert ask(table, "practise").ok
    feel("-P1-C1", "+T6")
    wait_for(table, lambda view: view["warning"] is None)
    assert ask(table, "play_card", card="6H").ok
    feel("-T6", "+P1-C1", "-T0", "+T6")
    wait_for(table, praised(2))


def test_a_practice_can_be_left_and_outlives_no_restart(open_table: OpenTable) -> None:
    table = open_table()
    assert ask(table, "practise").ok
    assert ask(table, "play_card", card="KH").ok
    assert ask(table, "end_practice").ok
    assert seen_by(table)["lobby"] is not None
    assert seen_by(table)["card"] is None
    assert ask(table, "practise").ok
    table = open_table()
    assert seen_by(table)["practice"] is None
    assert seen_by(table)["lobby"] is not None


def test_a_practice_ends_when_its_learner_stands_up_or_a_game_begins(open_table: OpenTable) -> None:
    table = open_table()
    ticket = table.people.join("Tom", Seat.P1).ticket
    assert ticket is not None
    assert ask(table, "practise", Seat.P1).ok
    assert ask(table, "practise").code == "practice_runs"
    assert seen_by(table)["sentence"]["fr"] == "Tom apprend à jouer."
    table.people.leave(ticket.token)
    assert seen_by(table)["practice"] is None
    assert ask(table, "practise").ok
    assert send(table.request, "begin", {}, Role.HOST).ok
    assert (seen_by(table)["practice"], seen_by(table)["lobby"]) == (None, None)
    assert ask(table, "practise").code == "no_practice"


def test_without_an_eye_the_move_is_tapped(open_table: OpenTable) -> None:
    table = open_table(ruleset="gladius")
    assert ask(table, "practise").ok
    assert ask(table, "play_card", card="KH").ok
    (move,) = seen_by(table)["legal_moves"]
    assert move["by_touch"]
    assert ask(table, "move", text=move["text"]).ok
    assert praised(1)(seen_by(table))
