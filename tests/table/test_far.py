"""Somebody far away at the table: their cards, their moves that people make for them, and how things stand."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.boards import pawns
from tests.support.sources import HandSource
from tests.support.tables import BEFORE, BOARD, send, wait_for
from tock_companion.computer_seats import Computers
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Reply, Role
from tock_companion.core.roster import FarCards
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.views.state import FarPeople, FarSeat, FarState, SignGiven
from tock_rules import Seat

DEVICE = "d" * 32


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[Table]:
    running = Table(BOARD, Store(tmp_path), setup=GameSetup(position=BEFORE))
    running.start()
    yield running
    running.stop()


def far_away(table: Table, state: FarState = "here", seconds: int = 0, cards: FarCards = "drawn") -> Any:
    """Grandmother sits on P0, far away."""
    table.people.join("Mamie", Seat.P0, "fr", DEVICE)
    table.show_far(FarPeople({Seat.P0: FarSeat(state, seconds, cards)}))
    shown: Any = wait_for(
        table, lambda view: view["far"] and view["far"]["seats"]["P0"]["seconds"] == seconds
    )
    return shown


def ask(table: Table, kind: str, own: Seat | None = Seat.P0, /, **data: object) -> Reply:
    return send(table.request, kind, data, Role.HOST if own is None else Role.SEAT, own)


def test_a_move_chosen_far_away_is_made_by_people_and_judged_as_any(table: Table, source: HandSource) -> None:
    source.show(BEFORE, 3)
    far_away(table, cards="real")
    assert ask(table, "hand_set", cards=["9H", "6H"]).ok
    assert ask(table, "play_card", card="9H").ok
    own: Any = table.view(Role.SEAT, Seat.P0)
    assert [move["by_touch"] for move in own["legal_moves"]] == [True]
    assert own["sentence"]["en"] == "You play 9♥: tap your move."
    assert ask(table, "move", text="P0:T20>T29").ok
    view: Any = table.view(Role.TABLE)
    assert view["planned"]["text"] == "P0:T20>T29"
    assert view["sentence"]["en"] == "Mamie plays 9♥: move the red pawn from blue 2 to blue 11, please."
    assert "Ton coup est annoncé" in table.view(Role.SEAT, Seat.P0)["sentence"]["fr"]
    source.show(pawns("P0 T29, P1 T26"), 6)
    after: Any = wait_for(table, lambda view: view["to_move"] == "P1")
    assert (after["planned"], after["last_move"]["text"]) == (None, "P0:T20>T29")


def test_another_legal_move_than_the_chosen_one_is_warned_of(table: Table, source: HandSource) -> None:
    source.show(BEFORE, 3)
    far_away(table, cards="real")
    ask(table, "play_card", card="AH")
    legal = [move["text"] for move in table.view(Role.SEAT, Seat.P0)["legal_moves"]]
    assert legal == ["P0:camp>T0*", "P0:T20>T21"]
    assert ask(table, "move", text="P0:T20>T21").ok
    source.show(pawns("P0 T0 T20, P1 T26"), 15)
    warned: Any = wait_for(table, lambda view: view["warning"] is not None)
    assert (warned["warning"]["code"], warned["warning"]["breaks"]) == ("far/another_move", [])
    assert warned["warning"]["message"]["en"].startswith("Mamie has chosen another move: ")
    assert [step["to_hole"] for step in warned["warning"]["repair"]] == ["P0-C1"]
    source.show(pawns("P0 T21, P1 T26"), 15)
    after: Any = wait_for(table, lambda view: view["to_move"] == "P1")
    assert after["last_move"]["text"] == "P0:T20>T21"


def test_nobody_far_away_forces_a_move_past_the_board(table: Table, source: HandSource) -> None:
    source.show(BEFORE, 3)
    far_away(table)
    ask(table, "play_card", card="9H")
    assert ask(table, "move", text="P0:T20>T29", force=True).ok
    assert table.view(Role.TABLE)["history"] == []


def test_cards_are_drawn_for_them_after_each_deal_and_never_twice(blind: Table) -> None:
    player = Computers(blind, seed=1, pace_s=0.0)
    far_away(blind)
    player.act()
    first: Any = blind.view(Role.SEAT, Seat.P0)["hand"]
    assert (len(first["cards"]), first["missing"]) == (5, 0)
    player.act()
    assert blind.view(Role.SEAT, Seat.P0)["hand"] == first
    assert ask(blind, "deal", Seat.P1).ok
    player.act()
    again: Any = blind.view(Role.SEAT, Seat.P0)["hand"]
    assert len(again["cards"]) == blind.view(Role.TABLE)["seats"][1]["cards"]
    assert again["missing"] == 0


def test_real_cards_are_not_drawn(blind: Table) -> None:
    far_away(blind, cards="real")
    Computers(blind, seed=1, pace_s=0.0).act()
    assert not blind.view(Role.SEAT, Seat.P0)["hand"]["cards"]
    assert ask(blind, "hand_draw").code == "not_allowed"


def test_everybody_reads_how_things_stand(blind: Table) -> None:
    away = far_away(blind, "away", 20)
    assert away["far"]["seats"]["P0"]["sentence"]["en"] == (
        "Mamie has been offline for 20\N{NO-BREAK SPACE}s; their turn waits."
    )
    assert away["sentence"]["fr"] == "Mamie n’est plus en ligne. Son tour attend."
    assert far_away(blind, "away", 125)["far"]["seats"]["P0"]["sentence"]["en"].startswith(
        "Mamie has been offline for 2"
    )
    here = far_away(blind, "here", 0)
    assert here["far"]["seats"]["P0"]["sentence"]["en"] == "Mamie is here."
    blind.show_far(FarPeople({Seat.P0: FarSeat("here")}, SignGiven(3, Seat.P0, "clap")))
    signed: Any = wait_for(blind, lambda view: view["far"]["sign"])
    assert signed["far"]["sign"] == {"number": 3, "seat": "P0", "name": "", "sign": "clap"}
    blind.show_far(FarPeople())
    wait_for(blind, lambda view: view["far"] is None)


def test_nobody_far_away_becomes_host(blind: Table) -> None:
    far_away(blind)
    assert blind.people.join("Anna", Seat.P1, "fr", "a" * 32).ticket
    assert blind.hand_host(Seat.P1).ok
    assert ask(blind, "hand_host", None, seat="P0").code == "host_far"
    assert ask(blind, "free_seat", None, seat="P1").ok
    assert blind.host_seat is None


def test_the_device_that_holds_a_seat_gets_a_new_secret_and_no_other_does(blind: Table) -> None:
    far_away(blind)
    ticket = blind.people.again(Seat.P0, DEVICE)
    assert ticket is not None
    assert blind.people.holder(ticket.token, DEVICE) is Seat.P0
    assert blind.people.again(Seat.P0, "e" * 32) is None
    assert blind.people.again(Seat.P1, DEVICE) is None
    assert blind.people.again(Seat.P0, "") is None
