"""Computer opponents: they play for free seats, from what their seat may know, and ask people to move."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.looks import pawns
from tests.table.hand import HandSource
from tests.table.test_live import wait_for
from tock_companion.boardfile import generate
from tock_companion.computers import Computers, chosen
from tock_companion.hints.players import COMPUTERS
from tock_companion.rules.cards import parse_hand
from tock_companion.rules.dealing import deal_plan
from tock_companion.rules.geometry import Seat
from tock_companion.storage import Store
from tock_companion.table.live import Table
from tock_companion.table.requests import Reply, Request, Role, Ticket
from tock_companion.table.setup import GameSetup

BOARD = generate(4, 440)
BEFORE = pawns(P0="T20", P1="T26")


@pytest.fixture
def source() -> HandSource:
    return HandSource()


@pytest.fixture
def table(tmp_path: Path, source: HandSource) -> Iterator[Table]:
    running = Table(BOARD, Store(tmp_path), [source], setup=GameSetup(position=BEFORE))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[Table]:
    running = Table(BOARD, Store(tmp_path), setup=GameSetup(position=BEFORE))
    running.start()
    yield running
    running.stop()


def ask(table: Table, kind: str, own: Seat | None = None, /, **data: object) -> Reply:
    return table.request(Request(kind, Role.HOST if own is None else Role.SEAT, own, data))


def computer(table: Table, seat: str = "P0", strength: str = "medium", again_s: float = 1e6) -> Computers:
    assert ask(table, "set_computer", seat=seat, strength=strength).ok
    return Computers(table, seed=1, pace_s=0.0, again_s=again_s)


def view_of(table: Table) -> Any:
    return table.view(Role.TABLE)


def test_a_person_moves_for_the_computer_and_the_referee_accepts(table: Table, source: HandSource) -> None:
    source.show(BEFORE, 3)
    player = computer(table)
    # With this hand there is one thing to do.
    assert ask(table, "hand_set", Seat.P0, cards=["9H"]).ok
    player.look()
    view = view_of(table)
    assert (view["card"], view["planned"]["text"]) == ("9H", "P0:T20>T29")
    assert view["sentence"] == view["planned"]["label"]
    assert view["sentence"]["en"] == (
        "Red (computer) plays 9♥: move the red pawn from 2 in the blue zone to 11 in the blue zone, please."
    )
    assert "Rouge (ordinateur) joue 9♥ : déplace le pion rouge" in view["sentence"]["fr"]
    source.show(pawns(P0="T29", P1="T26"), 6)
    after: Any = wait_for(table, lambda view: view["to_move"] == "P1")
    assert (after["planned"], after["last_move"]["text"]) == (None, "P0:T20>T29")


def test_a_wrong_move_for_the_computer_is_warned_of(table: Table, source: HandSource) -> None:
    source.show(BEFORE, 3)
    player = computer(table)
    ask(table, "hand_set", Seat.P0, cards=["9H"])
    player.look()
    source.show(pawns(P0="T30", P1="T26"), 15)
    warned: Any = wait_for(table, lambda view: view["warning"] is not None)
    assert warned["expects"] == "repair"
    assert [step["to_hole"] for step in warned["warning"]["finish"]] == ["T29"]


@pytest.mark.parametrize("strength", COMPUTERS)
def test_computers_alone_play_on_where_nothing_sees_the_board(blind: Table, strength: str) -> None:
    for seat in ("P0", "P1", "P2", "P3"):
        player = computer(blind, seat, strength)
    turns = set()
    for _ in range(24):
        player.look()
        turns.add(view_of(blind)["to_move"])
    view = view_of(blind)
    assert turns == {"P0", "P1", "P2", "P3"}
    assert {entry["computer"] for entry in view["seats"]} == {strength}
    assert view["game"]["seq"] > 24
    assert view["history"]


def test_the_computer_draws_cards_that_nobody_is_known_to_hold(blind: Table) -> None:
    ask(blind, "hand_set", Seat.P1, cards=["AS", "KS", "QS", "JS", "10S"])
    assert ask(blind, "set_computer", seat="P0", strength="medium").ok
    assert ask(blind, "hand_draw", Seat.P0, seed=3).ok
    hand: Any = blind.view(Role.SEAT, Seat.P0)["hand"]
    assert (len(hand["cards"]), hand["missing"]) == (5, 0)
    moment = blind.moment(Seat.P0)
    assert moment is not None
    plan = deal_plan(moment.knowledge.position.ruleset, 4)
    assert set(moment.knowledge.hand) <= set(plan.deck)
    held = parse_hand(["AS", "KS", "QS", "JS", "10S"])
    for seed in range(20):
        ask(blind, "hand_set", Seat.P0, cards=[], count=5)
        ask(blind, "hand_draw", Seat.P0, seed=seed)
        moment = blind.moment(Seat.P0)
        assert moment is not None
        assert not set(moment.knowledge.hand) & set(held)


def test_a_person_cannot_draw_and_so_find_out_what_others_hold(blind: Table) -> None:
    ask(blind, "hand_set", Seat.P1, cards=["AS", "KS", "QS", "JS", "10S"])
    assert ask(blind, "hand_draw", Seat.P0, seed=3).code == "not_allowed"
    hand: Any = blind.view(Role.SEAT, Seat.P0)["hand"]
    assert not hand["cards"]


@pytest.mark.parametrize("strength", COMPUTERS)
def test_what_others_hold_does_not_change_what_the_computer_does(blind: Table, strength: str) -> None:
    ask(blind, "hand_set", Seat.P0, cards=["6H", "QD", "7C", "JOK_C", "4S"])
    found = []
    for hand in (["5S", "4H", "KD", "2S", "3S"], ["AS", "AH", "AD", "JS", "JH"]):
        ask(blind, "hand_set", Seat.P1, cards=hand)
        moment = blind.moment(Seat.P0)
        assert moment is not None
        found.append(chosen(moment, strength, Random(5)))
    assert found[0] == found[1] is not None


def test_a_laid_card_is_the_one_that_is_moved_with(blind: Table) -> None:
    player = computer(blind)
    ask(blind, "hand_set", Seat.P0, cards=["9H", "6H", "AS"])
    ask(blind, "play_card", Seat.P0, card="6H")
    player.look()
    assert view_of(blind)["last_move"]["text"] == "P0:T20>T26"


@pytest.mark.parametrize(("again_s", "card"), [(1e6, None), (0.0, "9H")])
def test_a_card_taken_back_stays_back_for_a_while(
    table: Table, source: HandSource, again_s: float, card: str | None
) -> None:
    source.show(BEFORE, 3)
    player = computer(table, again_s=again_s)
    ask(table, "hand_set", Seat.P0, cards=["9H"])
    player.look()
    assert ask(table, "undo").ok
    player.look()
    assert view_of(table)["card"] == card


def test_only_the_host_gives_free_seats_to_a_computer(blind: Table) -> None:
    assert ask(blind, "set_computer", Seat.P0, seat="P1", strength="easy").code == "not_allowed"
    assert ask(blind, "set_computer", seat="P1", strength="greedy").code == "bad_request"
    assert ask(blind, "set_computer", seat="P9", strength="easy").code == "bad_request"
    assert isinstance(blind.join("Anna", Seat.P1), Ticket)
    assert ask(blind, "set_computer", seat="P1", strength="easy").code == "seat_taken"
    assert ask(blind, "set_computer", seat="P2", strength="easy").ok
    assert isinstance(blind.join("Bob", Seat.P2), Ticket)
    taken: Any = wait_for(blind, lambda view: view["seats"][2]["taken"])  # type: ignore[index]
    assert taken["seats"][2]["computer"] is None
    assert ask(blind, "hand_draw", seed=1).code == "not_allowed"


def test_the_computer_plays_by_itself(blind: Table) -> None:
    player = computer(blind)
    player.start()
    wait_for(blind, lambda view: view["to_move"] == "P1")
    player.stop()
    assert view_of(blind)["history"]
