"""The four tempers of the referee, chosen by the host."""

import pytest

from tests.support.boards import pawns
from tests.support.tables import BEFORE, RIGHT, WRONG, Evening
from tock_companion.events.facts import BY_AGREEMENT, Correction, MoveAccepted
from tock_companion.rules import Seat
from tock_companion.table.core.requests import Role
from tock_companion.views.records import record_of


def evening_in(mode: str, ruleset: str = "mjc") -> Evening:
    evening = Evening(ruleset=ruleset)
    evening.see(BEFORE, 500)
    assert evening.ask("set_mode", None, Role.HOST, mode=mode).ok
    return evening


def test_only_the_host_sets_the_mode_and_the_log_keeps_it() -> None:
    evening = Evening()
    assert evening.ask("set_mode", mode="strict").code == "not_allowed"
    assert evening.ask("set_mode", None, Role.HOST, mode="loud").code == "bad_request"
    assert evening.ask("set_mode", None, Role.HOST, mode="strict").ok
    assert evening.core.game.mode.value == "strict"


def test_the_mode_goes_on_in_the_next_game() -> None:
    evening = evening_in("friendly")
    evening.core.begin_again(evening.core.game.started, 0)
    assert evening.core.game.mode.value == "friendly"


def test_a_recorder_says_nothing_about_a_wrong_board_and_writes_down_the_right_one() -> None:
    evening = evening_in("recorder")
    evening.ask("play_card", card="9H")
    evening.see(WRONG, 3000)
    evening.see(RIGHT, 1000)
    assert evening.kinds(2) == ["card_played", "move_accepted", "turn_ended"]


def test_a_recorder_assumes_the_card_that_nobody_told() -> None:
    evening = evening_in("recorder")
    evening.see(RIGHT, 2500)
    accepted = evening.last(MoveAccepted)
    assert isinstance(accepted, MoveAccepted)
    assert (accepted.move, accepted.evidence["assumed"]) == ("P0:T20>T29", True)


def test_friends_may_let_a_wrong_board_stand_and_the_log_says_so() -> None:
    evening = evening_in("friendly")
    evening.ask("play_card", card="9H")
    evening.see(WRONG, 1500)
    assert evening.ask("override", Seat.P1).ok
    correction = evening.last(Correction)
    assert isinstance(correction, Correction)
    assert correction.why.startswith("override move/")
    evening.see(WRONG, 1000)
    assert evening.core.game.warning is None
    assert evening.core.position.to_move is Seat.P1
    assert evening.core.position.board.to_pawns()["P0"][-1] == "T30"


def test_a_turn_that_was_let_pass_is_taken_back_alone() -> None:
    """New fault 6: it counted as nobody's turn, and the one before it was taken back with it."""
    evening = evening_in("friendly")
    evening.ask("play_card", card="9H")
    evening.see(WRONG, 1500)
    assert evening.ask("override", Seat.P1).ok
    assert evening.core.game.last_mover is Seat.P0
    assert evening.ask("undo", None, Role.HOST).ok
    assert evening.core.position.to_move is Seat.P0
    assert evening.core.position.board.to_pawns() == BEFORE


@pytest.mark.parametrize("mode", ["coach", "strict"])
def test_elsewhere_a_wrong_board_must_be_mended(mode: str) -> None:
    evening = evening_in(mode)
    evening.ask("play_card", card="9H")
    evening.see(WRONG, 1500)
    assert evening.ask("override", Seat.P1).code == "not_friendly"


def test_where_the_rules_say_so_a_laid_card_binds_in_strict_mode() -> None:
    evening = evening_in("strict", "gladius")
    evening.ask("play_card", card="9H")
    assert evening.ask("withdraw_card").code == "binding_card"
    assert evening.ask("withdraw_card", None, Role.HOST).ok


def test_where_the_rules_say_so_a_released_pawn_binds_in_strict_mode() -> None:
    evening = evening_in("strict", "gladius")
    evening.ask("play_card", card="9H")
    evening.see(RIGHT, 1000)
    assert evening.ask("undo").code == "binding_move"
    assert evening.ask("undo", None, Role.HOST).ok


def test_a_coach_lets_the_card_go_back_into_the_hand() -> None:
    evening = evening_in("coach", "gladius")
    evening.ask("play_card", card="9H")
    assert evening.ask("withdraw_card").ok
    assert pawns("P0 T20, P1 T26") == BEFORE


def test_the_host_confirms_a_two_of_spades_played_by_agreement_and_the_record_says_so() -> None:
    evening = Evening(ruleset="joker-individuel", options={"deux_de_pique": True})
    evening.see(BEFORE, 500)
    evening.ask("play_card", card="2S")
    evening.see(WRONG, 1500)
    assert evening.ask("accept_board", Seat.P1).code == "not_allowed"
    assert evening.ask("accept_board", None, Role.HOST).ok
    correction = evening.last(Correction)
    assert isinstance(correction, Correction)
    assert correction.why == BY_AGREEMENT
    assert evening.core.position.to_move is Seat.P1
    assert "1. P0 agrees 2S P0:" in record_of(evening.events).text()
