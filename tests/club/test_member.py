"""A real table that has joined a club: told what to play, tells how it ended, from the referee's log."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.club import running_desk
from tests.support.waiting import PATIENCE_S, until
from tock_companion.core.requests import Role
from tock_companion.mqtt.club_notes import DESK, DeskNote, GameNote, game_topic, written
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.mqtt.member import Member, score_of, seats_of
from tock_companion.table.runtime.live import Table
from tock_companion.tournament.decisions import begin_round, pair
from tock_companion.tournament.facts import GameKey
from tock_companion.tournament.plan import Form, Plan
from tock_rules import Board, BoardShape, Position, Seat, load_preset

pytestmark = pytest.mark.whole


def names_at(table: Table) -> dict[str, str]:
    return {seat["seat"]: seat["name"] for seat in table.view(Role.TABLE)["seats"]}


@pytest.mark.parametrize("form", [Form.SINGLES, Form.FIXED_PAIRS])
def test_a_round_sets_names_seats_and_rules_and_its_result_comes_by_itself(
    tmp_path: Path, address: BrokerAddress, table: Table, form: Form
) -> None:
    member = Member(table, address, "oak", joins_first=True)
    member.start()
    assert table.people.join("Somebody", Seat.P0, device="phone").reply.ok
    with running_desk(tmp_path / "club", address) as desk:
        until(lambda: "oak" in desk.state.tables)
        assert desk.open(Plan("Evening", form, rounds=2, minutes=60)) is None
        people = [("Ana",), ("Bea",), ("Chloé",), ("Dan",)]
        pairs = [("Ana", "Bea"), ("Chloé", "Dan")]
        assert desk.enter_all(people if form is Form.SINGLES else pairs) is None
        assert desk.ask(pair) is None
        assert desk.ask(begin_round) is None
        until(lambda: set(names_at(table).values()) == {"Ana", "Bea", "Chloé", "Dan"})
        if form is Form.FIXED_PAIRS:
            opposite = names_at(table)["P0"], names_at(table)["P2"]
            assert set(opposite) in ({"Ana", "Bea"}, {"Chloé", "Dan"})
        assert not any(seat["taken"] for seat in table.view(Role.TABLE)["seats"])
        # A phone sits down where its name is; the companion is away when time is up.
        assert table.people.join("Ana", Seat.P0, device="phone").reply.ok
        until(lambda: GameKey(1, 1) in desk.state.progress)
        member.stop()
        desk.end_time()
        member = Member(table, address, "oak", joins_first=True)
        member.start()
        now = desk.state
        until(lambda: desk.state.tournament is not None and len(desk.state.tournament.results) == 1)
        assert desk.state.tournament is not None
        result = desk.state.tournament.results[GameKey(1, 1)]
        assert result.winner is None
        assert {score.home for score in result.scores} == {0}
        assert '"event": "game_started"' in (desk.record(result.id) or "").replace('":"', '": "')
        assert now.number == 1
        member.stop()


@pytest.fixture
def desk_note(address: BrokerAddress) -> Iterator[Callable[[str, object], None]]:
    """Retains notes of a desk that is not there itself."""
    up = threading.Event()
    connection = BrokerConnection(address, "a-desk", up.set)
    connection.start()
    assert up.wait(PATIENCE_S)
    yield lambda topic, note: connection.publish(topic, written(note))
    connection.stop()


def test_a_game_that_cannot_begin_unseats_nobody_and_is_logged_once(
    address: BrokerAddress,
    table: Table,
    desk_note: Callable[[str, object], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert table.people.join("Somebody", Seat.P0, device="phone").reply.ok
    sides = (("Ana",), ("Bea",), ("Chloé",), ("Dan",))
    desk_note(DESK, DeskNote("oaks", "Oaks", "1"))
    desk_note(game_topic("oak"), GameNote("oaks", "1-1", "Evening", 1, 1, sides, "of-a-later-version"))
    member = Member(table, address, "oak")
    member.start()
    until(lambda: member.club_met == "Oaks")
    for number in range(3):
        # The broker repeats retained messages before new ones.
        assert member.join()
        desk_note(DESK, DeskNote("oaks", f"Oaks {number}", "1"))
        until(lambda number=number: member.club_met == f"Oaks {number}")  # type: ignore[misc]
    member.stop()
    assert len([record for record in caplog.records if "of-a-later-version" in record.getMessage()]) == 1
    assert table.view(Role.TABLE)["seats"][0]["taken"]
    assert table.names.players == {Seat.P0: "Somebody"}


def test_a_desk_that_has_gone_is_not_joined_unasked(
    address: BrokerAddress, table: Table, desk_note: Callable[[str, object], None]
) -> None:
    desk_note(DESK, DeskNote("elms", "Elms", "1", online=False))
    member = Member(table, address, "oak", joins_first=True)
    member.start()
    until(lambda: member.broker_up)
    desk_note(DESK, DeskNote("oaks", "Oaks", "2"))
    until(lambda: member.club_met == "Oaks")
    until(lambda: member.is_member)
    member.stop()


def test_sides_get_their_seats() -> None:
    assert seats_of([["a"], ["b"], ["c"], ["d"]], 4) == ((Seat.P0,), (Seat.P1,), (Seat.P2,), (Seat.P3,))
    assert seats_of([["a", "b"], ["c", "d"]], 4) == ((Seat.P0, Seat.P2), (Seat.P1, Seat.P3))
    assert seats_of([["a"], ["b"]], 6) == ((Seat.P0,), (Seat.P3,))


def test_the_way_to_go_is_a_lap_less_what_was_gone() -> None:
    pawns = {"P0": ["H4", "T10", "camp", "camp"], "P1": ["camp"] * 4}
    board = Board.from_pawns(BoardShape(4), pawns)
    position = Position.of(load_preset("mjc"), board, Seat.P0, ())
    assert score_of(position, [Seat.P0]).home == 1
    assert score_of(position, [Seat.P0]).distance == 62 + 72 + 72

    assert score_of(position, [Seat.P1]).distance == 4 * 72
