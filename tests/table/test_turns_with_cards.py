"""Turns with cards at the table: who begins after a deal, and which cards go away, as the rules have it."""

import pytest

from tests.support.boards import pawns
from tests.support.tables import ClockedTable
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.requests import Role
from tock_companion.core.step import begin_game
from tock_companion.table.runtime.replaying import DryTable
from tock_companion.views.names import Names
from tock_rules import BoardShape, Seat

PAIRS = ((Seat.P0, Seat.P2), (Seat.P1, Seat.P3))
BLOCKED = "P0 T16 H2 H3 H4, P1 T18*"


def at(board: str = "", ruleset: str = "gladius", zones: int = 4, **setup: object) -> ClockedTable:
    """A table that no source sees, with four or six players."""
    table, board_file = ClockedTable(), generate(zones, 440 if zones == 4 else 560)
    seats = tuple(Seat)[:zones]
    started = GameSetup(ruleset, seats=seats, position=pawns(board, seats=zones), **setup)  # type: ignore[arg-type]
    names = Names(BoardShape(zones), board_file.colors, {Seat.P0: "Anna"})
    begun = begin_game(names, game_started(started, board_file), 0)
    table.core, table.events = DryTable(begun), list(begun.events)
    return table


def turn(table: ClockedTable) -> str:
    return table.core.state.position.to_move.name


def play_out(table: ClockedTable) -> None:
    """Everybody who holds cards puts one away until no hand has any."""
    while any(hand.count for hand in table.core.state.hands.held.values()):
        seat = table.core.state.position.to_move
        hand = table.core.state.hands.of(seat)
        assert hand is not None
        reply = table.ask("discard", seat, card="9S") if hand.count else table.ask("end_turn", seat)
        assert reply.ok, reply


@pytest.mark.parametrize(
    ("ruleset", "zones", "beginners"),
    [
        ("gladius", 4, "P0 P0 P0 P1 P1 P1 P2"),
        ("gladius", 6, "P0 P0 P1 P1 P2 P2 P3"),
        ("parteu", 4, "P0 P0 P0 P0 P1 P1 P1"),
        ("parteu[deal_5_4_4=true]", 4, "P0 P0 P0 P1 P1 P1 P2"),
    ],
)
def test_the_player_left_of_the_dealer_begins_every_hand(ruleset: str, zones: int, beginners: str) -> None:
    name, _, house = ruleset.partition("[")
    table = at("", name, zones, options={"deal_5_4_4": True} if house else {})
    for beginner in beginners.split():
        assert table.ask("deal").ok
        assert turn(table) == beginner
        play_out(table)


def test_after_a_thrown_hand_the_next_one_begins_with_the_same_player() -> None:
    table = at()
    assert table.ask("deal", count=4).ok
    for seat in tuple(Seat)[:3]:
        assert table.ask("discard", seat, card="9S").ok
    assert table.ask("throw_hand", Seat.P3, cards=["2H", "3S", "6D", "8C"]).ok
    play_out(table)
    assert table.ask("deal").ok
    assert turn(table) == "P0"


def test_the_turn_stays_where_cards_are_drawn_from_a_stock_and_where_the_first_deal_is_reported_late() -> (
    None
):
    for table in (at("P0 T5", "mjc", teams=PAIRS), at("P0 T5")):
        assert table.ask("discard", Seat.P0, card="KH").code == "card_playable"
        assert table.ask("play_card", card="6H").ok
        assert table.ask("move", text="P0:T5>T11").ok
        assert table.ask("deal").ok
        assert turn(table) == "P1"


def test_a_deal_taken_back_with_a_turn_gives_the_turn_back() -> None:
    table = at()
    assert table.ask("deal").ok
    play_out(table)
    last = table.core.state.game.turns[-1].seq
    assert table.ask("deal").ok
    assert turn(table) == "P0"
    assert table.ask("undo", None, role=Role.HOST, to=last).ok
    assert turn(table) == "P3"
    assert [hand.count for hand in table.core.state.hands.held.values()].count(1) == 1


@pytest.mark.parametrize(
    ("ruleset", "board", "hand", "start"),
    [
        ("mjc", "P0 H2 H3 H4, P1 T18*", "JOK_B JH JS JD JC", "P0:camp>T0*"),
        ("diagonale", "P0 H2 H3 H4", "JOK_B JH JS JD JC", "P0:camp>T0*"),
        ("joker-individuel", "P0 H2 H3 H4", "JOK_B JH JS JD JC", "P0:camp>T0*"),
    ],
)
def test_nothing_is_put_away_in_mid_turn(ruleset: str, board: str, hand: str, start: str) -> None:
    table = at(board, ruleset, teams=PAIRS if ruleset == "mjc" else ())
    table.ask("hand_set", cards=hand.split())
    assert table.ask("play_card", card="JOK_B").ok
    assert table.ask("move", text=start).ok
    table.ask("hand_set", cards=["JOK_C", "JH", "JS", "JD", "JC"])
    assert table.ask("discard", card="JH").code == "mid_turn"
    assert table.ask("discard", cards=["JOK_C", "JH", "JS", "JD", "JC"]).code == "mid_turn"
    table.ask("hand_set", cards=[], count=5)
    assert table.ask("discard", card="2H").code == "mid_turn", "not even from a hand that nobody knows"
    assert table.ask("end_turn").ok
    assert turn(table) == "P1"


@pytest.mark.parametrize(
    ("dealt", "first", "code"),
    [
        ("KH 2H 3S 6D 8C 9H", "KH", "no_exit"),
        ("AS 2H 3S 6D 8C 9H", "AS", "no_exit"),
        ("JOK_B 2H 3S 6D 8C 9H", "JOK_B", "no_exit"),
    ],
)
def test_a_starter_that_was_dealt_and_spent_forbids_throwing_the_rest(
    dealt: str, first: str, code: str
) -> None:
    table = at()
    assert table.ask("deal", count=6).ok
    table.ask("hand_set", cards=dealt.split())
    assert table.ask("play_card", card=first).ok
    assert table.ask("move", text="P0:camp>T0*").ok
    for seat, start in ((Seat.P1, "T18"), (Seat.P2, "T36")):
        assert table.ask("play_card", seat, card="AH").ok
        assert table.ask("move", seat, text=f"{seat.name}:camp>{start}*").ok
    # Taken by a King, as far as this test is concerned.
    assert table.ask("correct", Seat.P3, changes=[{"seat": "P0", "from": "T0", "to": "P0-C1"}]).ok
    assert table.ask("discard", Seat.P3, card="9D").ok
    state = table.core.state
    assert state.hands.of(Seat.P0) is not None
    assert table.ask("throw_hand", cards=dealt.split()[1:]).code == code
    hand_set = table.ask("hand_set", cards=dealt.split()[1:])
    assert hand_set.ok
    assert table.ask("throw_hand", cards=dealt.split()[1:]).code == code, "entered again, it is the same hand"


def test_a_one_eyed_jack_that_swaps_only_others_pawns_may_be_put_away() -> None:
    for entered in (True, False):
        table = at("P1 T20, P2 T40")
        if entered:
            table.ask("hand_set", cards=["JS"])
        assert table.ask("discard", card="JS").ok
    table = at("P1 T20, P2 T40", options={"one_eyed_compulsory": True})
    assert table.ask("discard", card="JS").code == "card_playable"
    assert at("P0 T5, P1 T20, P2 T40").ask("discard", card="JS").code == "card_playable"


def test_one_card_or_the_whole_hand_as_the_rules_want_it_and_no_other_reason() -> None:
    table = at(BLOCKED, "mjc", teams=PAIRS)
    table.ask("hand_set", cards=["KH", "2S", "6D", "9C", "QS"])
    assert table.ask("discard", card="2S").code == "whole_hand"
    assert table.ask("discard", cards=["KH", "2S", "6D", "9C", "QS"]).ok
    table = at(BLOCKED, "mjc", teams=PAIRS)
    table.ask("hand_set", cards=["7H", "2S", "6D", "9C", "QS"])
    assert table.ask("discard", cards=["7H", "2S", "6D", "9C", "QS"]).code == "one_card"
    assert table.ask("discard", card="2S").ok
