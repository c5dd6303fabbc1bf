"""The four tempers of the referee, chosen by the host."""

import pytest

from tests.support.boards import pawns
from tests.support.tables import BEFORE, RIGHT, WRONG, ClockedTable
from tock_companion.core.requests import Role
from tock_companion.events.facts import BY_AGREEMENT, Correction, MoveAccepted
from tock_companion.views.records import record_of
from tock_rules import Seat


def clocked_in(mode: str, ruleset: str = "mjc") -> ClockedTable:
    clocked = ClockedTable(ruleset=ruleset)
    clocked.see(BEFORE, 500)
    assert clocked.ask("set_mode", None, Role.HOST, mode=mode).ok
    return clocked


def test_only_the_host_sets_the_mode_and_the_log_keeps_it() -> None:
    clocked = ClockedTable()
    assert clocked.ask("set_mode", mode="strict").code == "not_allowed"
    assert clocked.ask("set_mode", None, Role.HOST, mode="loud").code == "bad_request"
    assert clocked.ask("set_mode", None, Role.HOST, mode="strict").ok
    assert clocked.core.game.mode.value == "strict"


def test_the_mode_goes_on_in_the_next_game() -> None:
    clocked = clocked_in("friendly")
    clocked.core.begin_again(clocked.core.game.started, 0)
    assert clocked.core.game.mode.value == "friendly"


def test_a_recorder_says_nothing_about_a_wrong_board_and_writes_down_the_right_one() -> None:
    clocked = clocked_in("recorder")
    clocked.ask("play_card", card="9H")
    clocked.see(WRONG, 3000)
    clocked.see(RIGHT, 1000)
    assert clocked.kinds(2) == ["card_played", "move_accepted", "turn_ended"]


def test_a_recorder_assumes_the_card_that_nobody_named() -> None:
    clocked = clocked_in("recorder")
    clocked.see(RIGHT, 2500)
    accepted = clocked.last(MoveAccepted)
    assert isinstance(accepted, MoveAccepted)
    assert (accepted.move, accepted.evidence["assumed"]) == ("P0:T20>T29", True)


def test_friends_may_let_a_wrong_board_stand_and_the_log_says_so() -> None:
    clocked = clocked_in("friendly")
    clocked.ask("play_card", card="9H")
    clocked.see(WRONG, 1500)
    assert clocked.ask("override", Seat.P1).ok
    correction = clocked.last(Correction)
    assert isinstance(correction, Correction)
    assert correction.why.startswith("override move/")
    clocked.see(WRONG, 1000)
    assert clocked.core.game.warning is None
    assert clocked.core.position.to_move is Seat.P1
    assert clocked.core.position.board.to_pawns()["P0"][-1] == "T30"


def test_a_turn_that_was_let_pass_is_taken_back_alone() -> None:
    """New fault 6: it counted as nobody's turn, and the one before it was taken back with it."""
    clocked = clocked_in("friendly")
    clocked.ask("play_card", card="9H")
    clocked.see(WRONG, 1500)
    assert clocked.ask("override", Seat.P1).ok
    assert clocked.core.game.last_mover is Seat.P0
    assert clocked.ask("undo", None, Role.HOST).ok
    assert clocked.core.position.to_move is Seat.P0
    assert clocked.core.position.board.to_pawns() == BEFORE


@pytest.mark.parametrize("mode", ["coach", "strict"])
def test_elsewhere_a_wrong_board_must_be_mended(mode: str) -> None:
    clocked = clocked_in(mode)
    clocked.ask("play_card", card="9H")
    clocked.see(WRONG, 1500)
    assert clocked.ask("override", Seat.P1).code == "not_friendly"


def test_where_the_rules_say_so_a_laid_card_binds_in_strict_mode() -> None:
    clocked = clocked_in("strict", "gladius")
    clocked.ask("play_card", card="9H")
    assert clocked.ask("withdraw_card").code == "binding_card"
    assert clocked.ask("withdraw_card", None, Role.HOST).ok


def test_where_the_rules_say_so_a_released_pawn_binds_in_strict_mode() -> None:
    clocked = clocked_in("strict", "gladius")
    clocked.ask("play_card", card="9H")
    clocked.see(RIGHT, 1000)
    assert clocked.ask("undo").code == "binding_move"
    assert clocked.ask("undo", None, Role.HOST).ok


def test_a_coach_lets_the_card_go_back_into_the_hand() -> None:
    clocked = clocked_in("coach", "gladius")
    clocked.ask("play_card", card="9H")
    assert clocked.ask("withdraw_card").ok
    assert pawns("P0 T20, P1 T26") == BEFORE


def test_the_host_confirms_a_two_of_spades_played_by_agreement_and_the_record_says_so() -> None:
    clocked = ClockedTable(ruleset="joker-individuel", options={"deux_de_pique": True})
    clocked.see(BEFORE, 500)
    clocked.ask("play_card", card="2S")
    clocked.see(WRONG, 1500)
    assert clocked.ask("accept_board", Seat.P1).code == "not_allowed"
    assert clocked.ask("accept_board", None, Role.HOST).ok
    correction = clocked.last(Correction)
    assert isinstance(correction, Correction)
    assert correction.why == BY_AGREEMENT
    assert clocked.core.position.to_move is Seat.P1
    assert "1. P0 agrees 2S P0:" in record_of(clocked.events).text()
