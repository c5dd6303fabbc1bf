"""One table from messages and requests to events, without threads, clock or disk."""

from dataclasses import replace

import pytest

from tests.support.boards import pawns
from tests.support.tables import BEFORE, RIGHT, WRONG, Evening
from tock_companion.events.facts import GameEnded, MoveAccepted, QuestionAsked, ViolationFound
from tock_companion.observation import CardSighting, SourceCondition, SourceReport
from tock_companion.rules import Card, Seat
from tock_companion.table.core.requests import Role


@pytest.fixture
def evening() -> Evening:
    table = Evening()
    table.see(BEFORE, 500)
    return table


def test_a_legal_move_is_recorded_and_the_turn_goes_on(evening: Evening) -> None:
    assert evening.ask("play_card", card="9H").ok
    evening.see(RIGHT, 500)
    assert evening.kinds() == ["card_played", "move_accepted", "turn_ended"]
    assert evening.core.position.to_move is Seat.P1


def test_a_wrong_move_is_named_and_the_warning_goes_when_it_is_mended(evening: Evening) -> None:
    evening.ask("play_card", card="9H")
    evening.see(WRONG, 1200)
    violation = evening.last(ViolationFound)
    assert "10" in violation.message["en"]
    assert "9" in violation.message["en"]
    assert violation.breaks
    assert violation.repair == [{"seat": "P0", "from": "T30", "to": "T20"}]
    assert violation.nearest[0] == "P0:T20>T29"
    evening.see(RIGHT, 500)
    assert evening.kinds() == ["card_played", "violation", "repaired", "move_accepted", "turn_ended"]
    assert evening.core.game.warning is None


def test_putting_the_pawn_back_closes_the_warning_too(evening: Evening) -> None:
    evening.ask("play_card", card="9H")
    evening.see(WRONG, 1200)
    evening.see(BEFORE, 200)
    assert evening.kinds() == ["card_played", "violation", "repaired"]


def test_a_warning_is_given_once(evening: Evening) -> None:
    evening.ask("play_card", card="9H")
    evening.see(WRONG, 5000)
    assert evening.kinds().count("violation") == 1


def test_the_wrong_board_is_told_within_a_second_and_a_half(evening: Evening) -> None:
    evening.ask("play_card", card="9H")
    since = evening.t_ms
    evening.see(WRONG, 3000)
    warned = next(event for event in evening.events if event.fact.KIND == "violation")
    assert warned.t_ms - since <= 1500


def test_a_card_laid_by_a_source_counts_like_one_by_touch(evening: Evening) -> None:
    evening.events += evening.core.take(CardSighting(evening.t_ms, None, Card.parse("9H"), "simulated"))
    evening.see(RIGHT, 500)
    assert evening.kinds() == ["card_played", "move_accepted", "turn_ended"]


def test_a_move_without_a_card_asks_for_the_card(evening: Evening) -> None:
    evening.see(RIGHT, 2000)
    assert evening.kinds() == ["question"]
    question = evening.last(QuestionAsked)
    assert set(question.choices) == {"9S", "9H", "9D", "9C"}
    assert evening.ask("answer", choice="9D").ok
    assert evening.kinds()[1:] == ["question_answered", "card_played", "move_accepted", "turn_ended"]


def test_a_card_out_of_turn_is_refused(evening: Evening) -> None:
    reply = evening.ask("play_card", seat=Seat.P1, card="9H")
    assert (reply.ok, reply.code) == (False, "not_your_turn")
    assert reply.message is not None
    assert "Anna" in reply.message["fr"]


def test_a_game_that_is_full_of_events_takes_no_more_and_another_may_begin(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert evening.ask("play_card", card="9H").ok
    monkeypatch.setattr("tock_companion.table.core.answering.MAX_EVENTS", evening.core.game.seq)
    for kind in ("withdraw_card", "undo", "deal"):
        assert evening.ask(kind).code == "game_full"
    # What the table sees is recorded all the same.
    evening.see(RIGHT, 500)
    assert "move_accepted" in evening.kinds()


def test_a_laid_card_can_be_withdrawn_before_the_pawn_moves(evening: Evening) -> None:
    evening.ask("play_card", card="9H")
    refused = evening.ask("undo", seat=Seat.P1)
    assert refused.code == "not_your_turn"
    assert evening.ask("undo").ok
    assert evening.core.game.card is None
    assert evening.ask("play_card", card="2H").ok


def test_a_move_taken_back_must_be_put_back_on_the_board(evening: Evening) -> None:
    evening.ask("play_card", card="9H")
    evening.see(RIGHT, 500)
    assert evening.ask("undo").ok
    evening.see(RIGHT, 1500)
    assert evening.core.position.to_move is Seat.P0
    assert evening.last(ViolationFound).repair == [{"seat": "P0", "from": "T29", "to": "T20"}]
    evening.see(BEFORE, 300)
    assert evening.kinds()[3:] == ["move_taken_back", "violation", "repaired"]


def test_a_discard_is_only_for_a_card_without_a_move() -> None:
    evening = Evening(pawns())
    evening.see(pawns(), 300)
    assert evening.ask("discard", card="KH").code == "card_playable"
    assert evening.ask("discard", card="9H").ok
    assert evening.kinds() == ["card_played", "turn_ended"]
    assert evening.core.position.to_move is Seat.P1


def test_a_joker_keeps_the_turn_open_for_a_second_move(evening: Evening) -> None:
    evening.ask("play_card", card="JOK_B")
    after_joker = pawns("P0 T38, P1 T26")
    evening.see(after_joker, 500)
    assert evening.kinds() == ["card_played", "move_accepted"]
    assert evening.ask("play_card", card="2H").ok
    evening.see(pawns("P0 T40, P1 T26"), 500)
    assert evening.kinds()[2:] == ["card_played", "move_accepted", "turn_ended"]


def test_the_next_players_card_ends_a_turn_that_was_kept_open(evening: Evening) -> None:
    evening.ask("play_card", card="JOK_B")
    evening.see(pawns("P0 T38, P1 T26"), 500)
    assert evening.ask("play_card", seat=Seat.P1, card="2H").ok
    assert evening.kinds()[2:] == ["turn_ended", "card_played"]
    assert evening.core.position.stored_moves[Seat.P0] == 1


def test_without_a_camera_the_table_goes_on_by_touch(evening: Evening) -> None:
    evening.events += evening.core.take(SourceReport(600, "camera", SourceCondition.LOST, "camera/unplugged"))
    assert evening.kinds() == ["source_lost"]
    evening.ask("play_card", card="9H")
    assert evening.ask("move", text="P0:T20>T29").ok
    assert evening.kinds()[1:] == ["card_played", "move_accepted", "turn_ended"]
    evening.see(RIGHT, 300)
    assert evening.kinds()[4:] == ["source_back"]


def test_while_the_camera_sees_moves_are_made_on_the_board(evening: Evening) -> None:
    evening.ask("play_card", card="9H")
    assert evening.ask("move", text="P0:T20>T29").code == "on_the_board"


def test_a_correction_by_touch_is_recorded(evening: Evening) -> None:
    reply = evening.ask("correct", changes=[{"seat": "P1", "from": "T26", "to": "P1-C1"}])
    assert reply.ok
    assert evening.core.position.board.camp_count(Seat.P1) == 4
    assert evening.ask("correct", changes=[{"seat": "P1", "from": "T50", "to": "T51"}]).code == "bad_request"


def test_a_correction_puts_no_pawn_into_the_home_of_another_seat(evening: Evening) -> None:
    assert (
        evening.ask("correct", changes=[{"seat": "P1", "from": "T26", "to": "P0-H1"}]).code == "bad_request"
    )


def test_a_paused_table_looks_away(evening: Evening) -> None:
    assert evening.ask("pause", role=Role.HOST, seat=None).ok
    evening.see(WRONG, 3000)
    assert evening.kinds() == ["paused"]
    assert evening.ask("pause", role=Role.SEAT).code == "not_allowed"


def test_the_last_pawn_home_ends_the_game() -> None:
    start = pawns("P0 H1 H2 H3 T69, P2 H1 H2 H3 H4")
    start["P0"] = ["T69", "H2", "H3", "H4"]
    evening = Evening(start)
    evening.see(start, 300)
    evening.ask("play_card", card="2H")
    won = {**start, "P0": ["H1", "H2", "H3", "H4"]}
    evening.see(won, 500)
    assert evening.kinds() == ["card_played", "move_accepted", "game_ended"]
    assert evening.last(GameEnded).winner == ["P0", "P2"]


def test_laying_the_card_later_changes_what_is_said_about_the_board(evening: Evening) -> None:
    evening.see(pawns("P0 T20, P1 T28"), 1500)
    assert evening.last(ViolationFound).breaks == ["R004-09"]
    evening.ask("play_card", card="2H")
    evening.see(pawns("P0 T20, P1 T28"), 1500)
    assert [event.fact.code for event in evening.events if isinstance(event.fact, ViolationFound)] == [
        "turn/not_your_turn",
        "move/not_your_pawn",
    ]


def test_a_taken_pawn_left_standing_may_be_finished_or_undone(evening: Evening) -> None:
    evening.ask("play_card", card="6H")
    evening.see(pawns("P0 T26, P1 T27"), 3000)
    violation = evening.last(ViolationFound)
    assert violation.code == "board/capture_left"
    assert violation.finish == [{"seat": "P1", "from": "T27", "to": "camp"}]
    assert len(violation.repair) == 2


def test_a_game_that_ended_by_mistake_can_be_taken_back() -> None:
    start = pawns("P2 H1 H2 H3 H4")
    start["P0"] = ["T69", "H2", "H3", "H4"]
    evening = Evening(start)
    evening.see(start, 300)
    evening.ask("play_card", card="2H")
    evening.see({**start, "P0": ["H1", "H2", "H3", "H4"]}, 500)
    assert evening.core.game.ended is not None
    assert evening.ask("undo").ok
    assert evening.core.game.ended is None
    evening.see(start, 300)
    assert evening.core.game.warning is None


def test_putting_all_pawns_away_asks_for_a_new_game_and_keeps_the_running_one(evening: Evening) -> None:
    evening.see(pawns(), 3000)
    assert evening.kinds() == ["question"]
    assert evening.last(QuestionAsked).choices == ["new_game", "play_on"]
    assert evening.core.game.ended is None
    assert evening.ask("answer", choice="play_on").ok
    evening.see(pawns(), 3000)
    assert evening.kinds() == ["question", "question_answered", "violation"]
    assert len(evening.last(ViolationFound).repair) == 2
    evening.see(BEFORE, 500)
    assert evening.kinds()[-1] == "repaired"


def test_the_answer_new_game_is_handed_on(evening: Evening) -> None:
    evening.see(pawns(), 3000)
    assert evening.ask("answer", choice="new_game").data == {"new_game": True}


def test_the_turn_button_closes_a_turn_at_once() -> None:
    summit = pawns("P0 T4")
    evening = Evening(summit)
    evening.see(summit, 300)
    evening.ask("play_card", card="3H")
    assert evening.ask("decide_now").code == "nothing_seen"
    evening.see(pawns("P0 T7"), 200)
    assert evening.kinds() == ["card_played"]
    assert evening.ask("decide_now").ok
    assert evening.kinds() == ["card_played", "move_accepted", "turn_ended"]


def test_a_third_second_move_must_be_played_at_once() -> None:
    evening = Evening(BEFORE, ruleset="joker-individuel", teams=())
    position = replace(evening.core.position, stored_moves=(2, 0, 0, 0))
    state = evening.core.state
    evening.core.state = state.with_game(replace(state.game, position=position), state.hands)
    evening.see(BEFORE, 300)
    evening.ask("play_card", card="JOK_B")
    evening.see(pawns("P0 T20 T0, P1 T26"), 1000)
    assert evening.core.position.stored_moves[Seat.P0] == 3
    assert evening.ask("end_turn").code == "must_play_more"
    assert evening.ask("play_card", seat=Seat.P1, card="2H").code == "not_your_turn"


def test_moving_the_pawns_back_takes_the_move_back(evening: Evening) -> None:
    evening.ask("play_card", card="9H")
    evening.see(RIGHT, 1000)
    evening.see(BEFORE, 1500)
    assert evening.kinds()[-1] == "move_taken_back"
    assert evening.core.position.to_move is Seat.P0
    assert evening.core.position.board.to_pawns()["P0"][-1] == "T20"


def test_the_next_players_card_closes_a_turn_of_which_only_the_card_is_missing(evening: Evening) -> None:
    evening.see(RIGHT, 2500)
    assert evening.kinds() == ["question"]
    assert evening.ask("play_card", Seat.P1, card="2H").ok
    assert evening.kinds()[1:] == [
        "card_played", "question_answered", "move_accepted", "turn_ended", "card_played"
    ]  # fmt: skip
    accepted = evening.last(MoveAccepted)
    assert accepted.evidence == {"by": "board", "assumed": True}
    assert evening.core.game.card == Card.parse("2H")
