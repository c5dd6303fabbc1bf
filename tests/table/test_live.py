"""The running table: one writer, everybody else reads; everything shown survives."""

import threading
from pathlib import Path
from typing import Any

import pytest

from tests.support.boards import pawns
from tests.support.sources import HandSource
from tests.support.tables import BEFORE, BOARD, wait_for
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.requests import Reply, Role, parse_request
from tock_companion.errors import TockError
from tock_companion.events.facts import Event, GameStarted, MoveAccepted
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Hole, Seat


def test_a_move_reaches_every_subscriber(table: Table, source: HandSource) -> None:
    source.show(BEFORE, 3)
    assert table.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0)).ok
    source.show(pawns("P0 T29, P1 T26"), 6)
    view = wait_for(table, lambda view: view["to_move"] == "P1")
    assert view["holes"]["T29"] == "P0"
    assert view["last_move"]["text"] == "P0:T20>T29"


def test_the_seat_to_move_sees_its_legal_moves_and_nobody_else_does(table: Table) -> None:
    table.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0))
    moves = table.view(Role.SEAT, Seat.P0)["legal_moves"]
    assert [move["text"] for move in moves] == ["P0:T20>T29"]
    assert table.view(Role.SEAT, Seat.P1)["legal_moves"] == []
    for role in (Role.TABLE, Role.WATCH, Role.HOST):
        assert "legal_moves" not in table.view(role)


def test_a_seat_is_held_by_its_token_alone(table: Table) -> None:
    ticket = table.people.join("  Zoé   Dupont ", Seat.P2, "fr").ticket
    assert ticket is not None
    assert ticket.name == "Zoé Dupont"
    assert table.people.holder(ticket.token) is Seat.P2
    assert table.people.holder("0" * 32) is None
    refusal = table.people.join("Max", Seat.P2, "en")
    assert refusal.ticket is None
    assert refusal.reply.params == {"name": "Zoé Dupont"}
    table.people.leave(ticket.token)
    assert table.people.join("Max", Seat.P2, "en").ticket is not None


def test_a_restart_goes_on_where_the_log_ends(tmp_path: Path) -> None:
    first = Table(BOARD, Store(tmp_path), setup=GameSetup(position=BEFORE))
    first.start()
    ticket = first.people.join("Anna", Seat.P0, "fr").ticket
    first.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0))
    assert first.request(parse_request("move", {"text": "P0:T20>T29"}, Role.SEAT, Seat.P0)).ok
    holes, t_ms = first.view(Role.TABLE)["holes"], first.clock_ms()
    first.stop()
    again = Table(BOARD, Store(tmp_path))
    assert again.view(Role.TABLE)["holes"] == holes
    assert ticket is not None
    assert again.people.holder(ticket.token) is Seat.P0
    assert again.clock_ms() <= t_ms + 1000
    again.stop()


def test_a_new_game_closes_the_old_one_in_the_store(tmp_path: Path) -> None:
    store = Store(tmp_path)
    table = Table(BOARD, store, setup=GameSetup(position=BEFORE))
    table.start()
    assert table.request(parse_request("new_game", {}, Role.SEAT, Seat.P0)).code == "not_allowed"
    assert table.request(parse_request("new_game", {"players": 2}, Role.HOST)).ok
    assert not store.game(1).running
    started = store.game(2).events[0].fact
    assert isinstance(started, GameStarted)
    assert started.seats == ["P0", "P2"]
    assert [seat["seat"] for seat in table.view(Role.TABLE)["seats"]] == ["P0", "P2"]
    table.stop()


def test_a_wish_formed_on_an_outdated_view_is_refused(table: Table) -> None:
    revision = int(str(table.view(Role.TABLE)["revision"]))
    asked = parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0, revision)
    assert table.request(asked).ok
    undo = parse_request("undo", {}, Role.SEAT, Seat.P0, revision)
    assert table.request(undo).code == "stale"
    assert table.view(Role.TABLE)["card"] == "9H"


def test_hands_entered_at_the_same_moment_are_all_taken(table: Table) -> None:
    revision = int(str(table.view(Role.TABLE)["revision"]))
    for seat in (Seat.P0, Seat.P1):
        hand_set = parse_request("hand_set", {"cards": ["6H", "KS"]}, Role.SEAT, seat, revision)
        assert table.request(hand_set).ok
    assert [seat["cards"] for seat in table.view(Role.TABLE)["seats"]][:2] == [2, 2]


def test_a_card_is_laid_although_somebody_entered_a_hand_meanwhile(table: Table) -> None:
    revision = int(str(table.view(Role.TABLE)["revision"]))
    assert table.request(parse_request("hand_set", {"cards": ["KS"]}, Role.SEAT, Seat.P1, revision)).ok
    assert table.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0, revision)).ok
    assert table.view(Role.TABLE)["card"] == "9H"


def test_a_card_tapped_on_a_view_from_before_the_turn_went_on_is_not_laid(table: Table) -> None:
    revision = int(str(table.view(Role.TABLE)["revision"]))
    assert table.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0)).ok
    assert table.request(parse_request("move", {"text": "P0:T20>T29", "force": True}, Role.SEAT, Seat.P0)).ok
    late = parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0, revision)
    assert table.request(late).code == "stale"
    assert table.view(Role.TABLE)["card"] is None


def test_tidying_up_and_yes_begins_the_same_game_with_the_next_seat(table: Table, source: HandSource) -> None:
    source.show(BEFORE, 3)
    source.show(pawns(), 15)
    wait_for(table, lambda view: view["expects"] == "answer")
    assert table.request(parse_request("answer", {"choice": "new_game"}, Role.SEAT, Seat.P0)).ok
    view = table.view(Role.TABLE)
    assert (view["to_move"], view["history"], view["expects"]) == ("P1", [], "card")


def test_a_new_game_is_judged_by_what_was_seen_last_when_the_picture_stands_still(
    table: Table, source: HandSource
) -> None:
    source.show(BEFORE, 20)
    assert table.request(parse_request("new_game", {"players": 4}, Role.HOST)).ok
    wait_for(table, lambda view: view["warning"] is not None)


def test_a_game_starts_from_the_board_only_once_it_has_been_seen(table: Table, source: HandSource) -> None:
    asked = parse_request("new_game", {"position": "seen", "first": "P3"}, Role.HOST)
    assert table.request(asked).code == "not_seen_yet"
    source.show(pawns("P3 T60"), 3)
    assert table.request(asked).ok


def test_a_game_may_start_from_the_board_as_it_stands(table: Table, source: HandSource) -> None:
    source.show(pawns("P0 H4 T7, P3 T60"), 3)
    assert table.request(parse_request("new_game", {"position": "seen", "first": "P3"}, Role.HOST)).ok
    view = table.view(Role.TABLE)
    assert view["to_move"] == "P3"
    assert {hole for hole in view["holes"] if not Hole.parse(hole).in_camp} == {"P0-H4", "T7", "T60"}
    assert view["warning"] is None


def test_a_log_that_the_rules_contradict_is_left_as_it_is_and_reported_and_a_new_game_begins(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(tmp_path)
    started = game_started(GameSetup(), BOARD)
    impossible = MoveAccepted("P0", "9H", "P0:camp>T0*", dict(started.position), {})
    store.append(1, [Event(1, 0, started), Event(2, 10, impossible)])
    before = store.game(1)
    table = Table(BOARD, store)
    assert table.view(Role.TABLE)["history"] == []
    assert [note["code"] for note in table.view(Role.TABLE)["health"]] == ["game_damaged"]
    assert "event 2:" in caplog.text
    assert "tock game restore" in caplog.text
    assert (store.numbers(), store.game(1)) == ((1, 2), before)
    table.stop()


class FullDisk(Store):
    """A store whose disk fills up on demand: the fault at the edge."""

    full = False

    def append_all(self, batches: Any) -> None:
        if self.full:
            raise TockError("games.sqlite cannot be written (database or disk is full); free disk space")
        super().append_all(batches)


def test_refused_events_stay_in_memory_and_are_saved_at_the_end(tmp_path: Path) -> None:
    store = FullDisk(tmp_path)
    table = Table(BOARD, store, setup=GameSetup(position=BEFORE))
    table.start()
    store.full = True
    assert table.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0)).ok
    view = table.view(Role.TABLE)
    assert (view["card"], [note["code"] for note in view["health"]]) == ("9H", ["disk"])
    assert "no longer being saved" in view["health"][0]["sentence"]["en"]
    assert len(store.game(1).events) == 1
    assert len(table.archive.log(1).splitlines()) == 2
    store.full = False
    table.stop()
    again = Store(tmp_path)
    assert len(again.game(1).events) == 2
    again.close()


def test_requests_from_many_threads_are_judged_one_after_the_other(table: Table) -> None:
    replies: list[Reply] = []

    def lay() -> None:
        replies.append(table.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0)))

    threads = [threading.Thread(target=lay) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(replies) == 8
    assert [entry for entry in table.view(Role.HOST)["game"].items() if entry[0] == "seq"] == [("seq", 2)]
