"""One table from messages and requests to events, without threads, clock or disk."""

from dataclasses import replace

import pytest

from tests.support.boards import pawns
from tests.support.tables import BEFORE, RIGHT, WRONG, ClockedTable
from tock_companion.core.requests import Role
from tock_companion.events.facts import GameEnded, MoveAccepted, QuestionAsked, ViolationFound
from tock_companion.events.terms import Term
from tock_companion.observation import CardSighting, SourceCondition, SourceReport
from tock_rules import Card, Seat


@pytest.fixture
def clocked() -> ClockedTable:
    table = ClockedTable()
    table.see(BEFORE, 500)
    return table


def test_a_legal_move_is_recorded_and_the_turn_goes_on(clocked: ClockedTable) -> None:
    assert clocked.ask("play_card", card="9H").ok
    clocked.see(RIGHT, 500)
    assert clocked.kinds() == ["card_played", "move_accepted", "turn_ended"]
    assert clocked.core.position.to_move is Seat.P1


def test_a_wrong_move_is_named_and_the_warning_goes_when_it_is_mended(clocked: ClockedTable) -> None:
    clocked.ask("play_card", card="9H")
    clocked.see(WRONG, 1200)
    violation = clocked.last(ViolationFound)
    assert violation.params is not None
    assert (violation.code, violation.params["card"], violation.params["moved"]) == ("move/too_far", "9H", 10)
    assert violation.breaks
    assert violation.repair == [{"seat": "P0", "from": "T30", "to": "T20"}]
    assert violation.nearest[0] == "P0:T20>T29"
    clocked.see(RIGHT, 500)
    assert clocked.kinds() == ["card_played", "violation", "repaired", "move_accepted", "turn_ended"]
    assert clocked.core.game.warning is None


def test_putting_the_pawn_back_closes_the_warning_too(clocked: ClockedTable) -> None:
    clocked.ask("play_card", card="9H")
    clocked.see(WRONG, 1200)
    clocked.see(BEFORE, 200)
    assert clocked.kinds() == ["card_played", "violation", "repaired"]


def test_a_warning_is_given_once(clocked: ClockedTable) -> None:
    clocked.ask("play_card", card="9H")
    clocked.see(WRONG, 5000)
    assert clocked.kinds().count("violation") == 1


def test_the_wrong_board_is_reported_within_a_second_and_a_half(clocked: ClockedTable) -> None:
    clocked.ask("play_card", card="9H")
    since = clocked.t_ms
    clocked.see(WRONG, 3000)
    warned = next(event for event in clocked.events if event.fact.KIND == "violation")
    assert warned.t_ms - since <= 1500


def test_a_card_laid_by_a_source_counts_like_one_by_touch(clocked: ClockedTable) -> None:
    clocked.events += clocked.core.take(CardSighting(clocked.t_ms, None, Card.parse("9H"), "simulated"))
    clocked.see(RIGHT, 500)
    assert clocked.kinds() == ["card_played", "move_accepted", "turn_ended"]


def test_a_move_without_a_card_asks_for_the_card(clocked: ClockedTable) -> None:
    clocked.see(RIGHT, 2000)
    assert clocked.kinds() == ["question"]
    question = clocked.last(QuestionAsked)
    assert set(question.choices) == {"9S", "9H", "9D", "9C"}
    assert clocked.ask("answer", choice="9D").ok
    assert clocked.kinds()[1:] == ["question_answered", "card_played", "move_accepted", "turn_ended"]


def test_a_card_out_of_turn_is_refused(clocked: ClockedTable) -> None:
    reply = clocked.ask("play_card", seat=Seat.P1, card="9H")
    assert (reply.ok, reply.code) == (False, "not_your_turn")
    assert reply.params == {"seat": Term("seat", "P0")}


def test_a_game_that_is_full_of_events_takes_no_more_and_another_may_begin(
    clocked: ClockedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert clocked.ask("play_card", card="9H").ok
    monkeypatch.setattr("tock_companion.core.answering.MAX_EVENTS", clocked.core.game.seq)
    for kind in ("withdraw_card", "undo", "deal"):
        assert clocked.ask(kind).code == "game_full"
    # Observations are recorded all the same.
    clocked.see(RIGHT, 500)
    assert "move_accepted" in clocked.kinds()


def test_a_laid_card_can_be_withdrawn_before_the_pawn_moves(clocked: ClockedTable) -> None:
    clocked.ask("play_card", card="9H")
    refused = clocked.ask("undo", seat=Seat.P1)
    assert refused.code == "not_your_turn"
    assert clocked.ask("undo").ok
    assert clocked.core.game.card is None
    assert clocked.ask("play_card", card="2H").ok


def test_a_move_taken_back_must_be_put_back_on_the_board(clocked: ClockedTable) -> None:
    clocked.ask("play_card", card="9H")
    clocked.see(RIGHT, 500)
    assert clocked.ask("undo").ok
    clocked.see(RIGHT, 1500)
    assert clocked.core.position.to_move is Seat.P0
    assert clocked.last(ViolationFound).repair == [{"seat": "P0", "from": "T29", "to": "T20"}]
    clocked.see(BEFORE, 300)
    assert clocked.kinds()[3:] == ["move_taken_back", "violation", "repaired"]


def test_a_discard_is_only_for_a_card_without_a_move() -> None:
    clocked = ClockedTable(pawns())
    clocked.see(pawns(), 300)
    assert clocked.ask("discard", card="KH").code == "card_playable"
    assert clocked.ask("discard", card="9H").ok
    assert clocked.kinds() == ["card_played", "turn_ended"]
    assert clocked.core.position.to_move is Seat.P1


def test_a_joker_keeps_the_turn_open_for_a_second_move(clocked: ClockedTable) -> None:
    clocked.ask("play_card", card="JOK_B")
    after_joker = pawns("P0 T38, P1 T26")
    clocked.see(after_joker, 500)
    assert clocked.kinds() == ["card_played", "move_accepted"]
    assert clocked.ask("play_card", card="2H").ok
    clocked.see(pawns("P0 T40, P1 T26"), 500)
    assert clocked.kinds()[2:] == ["card_played", "move_accepted", "turn_ended"]


def test_the_next_players_card_ends_a_turn_that_was_kept_open(clocked: ClockedTable) -> None:
    clocked.ask("play_card", card="JOK_B")
    clocked.see(pawns("P0 T38, P1 T26"), 500)
    assert clocked.ask("play_card", seat=Seat.P1, card="2H").ok
    assert clocked.kinds()[2:] == ["turn_ended", "card_played"]
    assert clocked.core.position.stored_moves[Seat.P0] == 1


def test_without_a_camera_the_table_goes_on_by_touch(clocked: ClockedTable) -> None:
    clocked.events += clocked.core.take(SourceReport(600, "camera", SourceCondition.LOST, "camera/unplugged"))
    assert clocked.kinds() == ["source_lost"]
    clocked.ask("play_card", card="9H")
    assert clocked.ask("move", text="P0:T20>T29").ok
    assert clocked.kinds()[1:] == ["card_played", "move_accepted", "turn_ended"]
    clocked.see(RIGHT, 300)
    assert clocked.kinds()[4:] == ["source_back"]


def test_while_the_camera_sees_moves_are_made_on_the_board(clocked: ClockedTable) -> None:
    clocked.ask("play_card", card="9H")
    assert clocked.ask("move", text="P0:T20>T29").code == "on_the_board"


def test_a_correction_by_touch_is_recorded(clocked: ClockedTable) -> None:
    reply = clocked.ask("correct", changes=[{"seat": "P1", "from": "T26", "to": "P1-C1"}])
    assert reply.ok
    assert clocked.core.position.board.camp_count(Seat.P1) == 4
    assert clocked.ask("correct", changes=[{"seat": "P1", "from": "T50", "to": "T51"}]).code == "bad_request"


def test_a_correction_puts_no_pawn_into_the_home_of_another_seat(clocked: ClockedTable) -> None:
    assert (
        clocked.ask("correct", changes=[{"seat": "P1", "from": "T26", "to": "P0-H1"}]).code == "bad_request"
    )


def test_a_paused_table_looks_away(clocked: ClockedTable) -> None:
    assert clocked.ask("pause", role=Role.HOST, seat=None).ok
    clocked.see(WRONG, 3000)
    assert clocked.kinds() == ["paused"]
    assert clocked.ask("pause", role=Role.SEAT).code == "not_allowed"


def test_the_last_pawn_home_ends_the_game() -> None:
    start = pawns("P0 H1 H2 H3 T69, P2 H1 H2 H3 H4")
    start["P0"] = ["T69", "H2", "H3", "H4"]
    clocked = ClockedTable(start)
    clocked.see(start, 300)
    clocked.ask("play_card", card="2H")
    won = {**start, "P0": ["H1", "H2", "H3", "H4"]}
    clocked.see(won, 500)
    assert clocked.kinds() == ["card_played", "move_accepted", "game_ended"]
    assert clocked.last(GameEnded).winner == ["P0", "P2"]


def test_laying_the_card_later_changes_the_message_about_the_board(clocked: ClockedTable) -> None:
    clocked.see(pawns("P0 T20, P1 T28"), 1500)
    assert clocked.last(ViolationFound).breaks == ["R004-09"]
    clocked.ask("play_card", card="2H")
    clocked.see(pawns("P0 T20, P1 T28"), 1500)
    assert [event.fact.code for event in clocked.events if isinstance(event.fact, ViolationFound)] == [
        "turn/not_your_turn",
        "move/not_your_pawn",
    ]


def test_a_taken_pawn_left_standing_may_be_finished_or_undone(clocked: ClockedTable) -> None:
    clocked.ask("play_card", card="6H")
    clocked.see(pawns("P0 T26, P1 T27"), 3000)
    assert "violation" not in clocked.kinds()
    clocked.ask("decide_now")
    violation = clocked.last(ViolationFound)
    assert violation.code == "board/capture_left"
    assert violation.finish == [{"seat": "P1", "from": "T27", "to": "camp"}]
    assert len(violation.repair) == 2


def test_a_game_that_ended_by_mistake_can_be_taken_back() -> None:
    start = pawns("P2 H1 H2 H3 H4")
    start["P0"] = ["T69", "H2", "H3", "H4"]
    clocked = ClockedTable(start)
    clocked.see(start, 300)
    clocked.ask("play_card", card="2H")
    clocked.see({**start, "P0": ["H1", "H2", "H3", "H4"]}, 500)
    assert clocked.core.game.ended is not None
    assert clocked.ask("undo").ok
    assert clocked.core.game.ended is None
    clocked.see(start, 300)
    assert clocked.core.game.warning is None


def test_putting_all_pawns_away_asks_for_a_new_game_and_keeps_the_running_one(clocked: ClockedTable) -> None:
    clocked.see(pawns(), 3000)
    assert clocked.kinds() == ["question"]
    assert clocked.last(QuestionAsked).choices == ["new_game", "play_on"]
    assert clocked.core.game.ended is None
    assert clocked.ask("answer", choice="play_on").ok
    clocked.see(pawns(), 3000)
    assert clocked.kinds() == ["question", "question_answered", "violation"]
    assert len(clocked.last(ViolationFound).repair) == 2
    clocked.see(BEFORE, 500)
    assert clocked.kinds()[-1] == "repaired"


def test_the_answer_new_game_is_handed_on(clocked: ClockedTable) -> None:
    clocked.see(pawns(), 3000)
    assert clocked.ask("answer", choice="new_game").data == {"new_game": True}


def test_the_turn_button_closes_a_turn_at_once() -> None:
    summit = pawns("P0 T4")
    clocked = ClockedTable(summit)
    clocked.see(summit, 300)
    clocked.ask("play_card", card="3H")
    assert clocked.ask("decide_now").code == "nothing_seen"
    clocked.see(pawns("P0 T7"), 200)
    assert clocked.kinds() == ["card_played"]
    assert clocked.ask("decide_now").ok
    assert clocked.kinds() == ["card_played", "move_accepted", "turn_ended"]


def test_a_third_second_move_must_be_played_at_once() -> None:
    clocked = ClockedTable(BEFORE, ruleset="joker-individuel", teams=())
    position = replace(clocked.core.position, stored_moves=(2, 0, 0, 0))
    state = clocked.core.state
    clocked.core.state = state.with_game(replace(state.game, position=position), state.hands)
    clocked.see(BEFORE, 300)
    clocked.ask("play_card", card="JOK_B")
    clocked.see(pawns("P0 T20 T0, P1 T26"), 1000)
    assert clocked.core.position.stored_moves[Seat.P0] == 3
    assert clocked.ask("end_turn").code == "must_play_more"
    assert clocked.ask("play_card", seat=Seat.P1, card="2H").code == "not_your_turn"


def test_moving_the_pawns_back_takes_the_move_back(clocked: ClockedTable) -> None:
    clocked.ask("play_card", card="9H")
    clocked.see(RIGHT, 1000)
    clocked.see(BEFORE, 1500)
    assert clocked.kinds()[-1] == "move_taken_back"
    assert clocked.core.position.to_move is Seat.P0
    assert clocked.core.position.board.to_pawns()["P0"][-1] == "T20"


def test_the_next_players_card_closes_a_turn_of_which_only_the_card_is_missing(clocked: ClockedTable) -> None:
    clocked.see(RIGHT, 2500)
    assert clocked.kinds() == ["question"]
    assert clocked.ask("play_card", Seat.P1, card="2H").ok
    assert clocked.kinds()[1:] == [
        "card_played", "question_answered", "move_accepted", "turn_ended", "card_played"
    ]  # fmt: skip
    accepted = clocked.last(MoveAccepted)
    assert accepted.evidence == {"by": "board", "assumed": True}
    assert clocked.core.game.card == Card.parse("2H")
