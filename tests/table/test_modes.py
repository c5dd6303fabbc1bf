"""Modes of a game, and decisions of all people together."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.boards import pawns
from tests.support.tables import BEFORE, RIGHT, WRONG, ClockedTable, send
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Reply, Role, parse_request
from tock_companion.events.codec import event_to_line
from tock_companion.events.facts import BY_AGREEMENT, Correction, MoveAccepted
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
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


BOARD = generate(4, 440)
SETUP = GameSetup(position=pawns("P0 T4 T20, P1 T26, P2 T50"))
TURNS = ((Seat.P0, "6H", "P0:T4>T10"), (Seat.P1, "9H", "P1:T26>T35"), (Seat.P2, "2S", "P2:T50>T52"))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table with three people and three turns played."""
    running = Table(BOARD, Store(tmp_path), setup=SETUP)
    running.start()
    for seat, name in ((Seat.P0, "Anna"), (Seat.P1, "Bob"), (Seat.P2, "Zoé")):
        running.people.join(name, seat)
    for seat, card, move in TURNS:
        assert ask(running, "play_card", seat, card=card).ok
        assert ask(running, "move", seat, text=move).ok
    yield running
    running.stop()


def ask(table: Table, kind: str, seat: Seat | None, **data: object) -> Reply:
    return send(table.request, kind, data, Role.SEAT if seat is not None else Role.HOST, seat)


def second_step(table: Table) -> int:
    return int(table.replay()["steps"][2]["seq"])


def holes(table: Table) -> dict[str, str]:
    return table.view(Role.TABLE)["holes"]  # type: ignore[return-value]


def test_everybody_else_must_say_yes(table: Table) -> None:
    assert ask(table, "propose_back", Seat.P2, to=second_step(table)).ok
    proposal = table.view(Role.TABLE)["proposal"]
    assert proposal is not None
    assert proposal["waits_for"] == ["P0", "P1"]
    assert ask(table, "vote_back", Seat.P0, number=1, yes=True).ok
    assert "T35" in holes(table)
    assert ask(table, "vote_back", Seat.P1, number=1, yes=True).ok
    assert holes(table)["T26"] == "P1"
    assert holes(table)["T10"] == "P0", "the first turn stays"
    assert holes(table)["T50"] == "P2"
    assert table.view(Role.TABLE)["to_move"] == "P1"
    assert table.view(Role.TABLE)["proposal"] is None


def test_one_no_ends_it(table: Table) -> None:
    ask(table, "propose_back", Seat.P2, to=second_step(table))
    assert ask(table, "propose_back", Seat.P0, to=second_step(table)).code == "proposed_already"
    assert ask(table, "vote_back", Seat.P1, number=1, yes=False).ok
    assert table.view(Role.TABLE)["proposal"] is None
    assert ask(table, "vote_back", Seat.P0, number=1, yes=True).code == "no_question"


def test_the_host_decides_alone(table: Table) -> None:
    ask(table, "propose_back", Seat.P2, to=second_step(table))
    assert ask(table, "vote_back", None, number=1, yes=True).ok
    assert holes(table)["T26"] == "P1"
    assert ask(table, "undo", Seat.P0, to=second_step_or(table)).code == "needs_votes"


def second_step_or(table: Table) -> int:
    return int(table.replay()["steps"][1]["seq"])


def test_the_next_turn_makes_a_proposal_pointless(table: Table) -> None:
    ask(table, "propose_back", Seat.P2, to=second_step(table))
    ask(table, "play_card", Seat.P3, card="KS")
    ask(table, "move", Seat.P3, text="P3:camp>T54*")
    assert table.view(Role.TABLE)["proposal"] is None


def test_a_game_is_stepped_through(table: Table) -> None:
    steps = table.replay()["steps"]
    assert [step["seat"] for step in steps] == [None, "P0", "P1", "P2"]
    assert "T4" in steps[0]["holes"]
    assert steps[1]["holes"]["T10"] == "P0"
    assert steps[3]["holes"] == holes(table)
    assert "P0 plays 6H P0:T4>T10" in table.record()


def test_a_game_that_was_kept_is_taken_up_again(table: Table, tmp_path: Path) -> None:
    log = table.archive.log(1)
    before = holes(table)
    ask(table, "new_game", None, players=4)
    assert table.take_up(log.splitlines()).ok
    assert holes(table) == before
    assert table.view(Role.TABLE)["to_move"] == "P3"
    assert [game["number"] for game in table.archive.games()] == [3, 2, 1]
    table.stop()
    again = Table(BOARD, Store(tmp_path), setup=SETUP)
    assert holes(again) == before
    again.stop()


@pytest.mark.parametrize(
    "log", ["", "{}", "no json", '{"v": 1, "seq": 1, "t_ms": 0, "event": "resumed", "by": "host"}']
)
def test_a_malformed_game_does_not_end_the_running_one(table: Table, log: str) -> None:
    before = table.view(Role.TABLE)["game"]
    assert table.take_up([log]).code == "bad_request"
    assert table.view(Role.TABLE)["game"] == before


def test_a_game_of_another_board_is_refused(table: Table, tmp_path: Path) -> None:
    six = Table(generate(6, 560), Store(tmp_path / "six"))
    six.stop()
    with closing(Store(tmp_path / "six")) as store:
        lines = [event_to_line(event) for event in store.game(1).events]
    assert table.take_up(lines).code == "bad_request"


def test_the_player_of_the_last_move_is_asked_to_take_it_back(table: Table) -> None:
    assert table.view(Role.SEAT, Seat.P0)["undo_asks"] == "P2"
    assert ask(table, "undo", Seat.P0).ok
    assert "T52" in holes(table), "nothing is taken back yet"
    asked = table.view(Role.SEAT, Seat.P2)["proposal"]
    assert asked is not None
    assert (asked["by"], asked["asked"], asked["waits_for"]) == ("P0", "P2", ["P2"])
    assert asked["sentence"]["fr"] == "Anna te demande d’annuler ton dernier coup."
    shown = table.view(Role.TABLE)["proposal"]
    assert shown is not None
    assert shown["sentence"]["fr"] == "Anna demande à Zoé d’annuler son coup."
    assert ask(table, "vote_back", Seat.P1, number=1, yes=True).ok
    assert "T52" in holes(table), "nobody else is asked"
    assert ask(table, "vote_back", Seat.P2, number=1, yes=True).ok
    assert holes(table)["T50"] == "P2"


def test_one_s_own_move_is_taken_back_at_once_and_everybody_reads_what_to_do(table: Table) -> None:
    assert table.view(Role.SEAT, Seat.P2)["undo_asks"] is None
    assert ask(table, "undo", Seat.P2).ok
    assert holes(table)["T50"] == "P2"
    own, others = (table.view(Role.SEAT, seat)["guidance"] for seat in (Seat.P2, Seat.P0))
    assert own is not None
    assert others is not None
    assert own["sentence"]["fr"] == "Ton coup est annulé\u00a0: reprends 2♠ en main, et rejoue."
    assert others["sentence"]["fr"] == "Zoé annule son coup\u00a0: 2♠ revient dans sa main."
    ask(table, "play_card", Seat.P2, card="2S")
    assert table.view(Role.TABLE)["guidance"] is None


def test_the_move_of_somebody_who_has_left_is_taken_back_at_once(table: Table) -> None:
    table.request(parse_request("free_seat", {"seat": "P2"}, Role.HOST))
    assert ask(table, "undo", Seat.P0).ok
    assert holes(table)["T50"] == "P2"


def test_a_newcomer_takes_nothing_back_that_was_played_before(table: Table) -> None:
    """New fault 6: on the computer's seat its last move was the newcomer's to take back, with one tap."""
    assert table.request(parse_request("set_computer", {"seat": "P3", "strength": "easy"}, Role.HOST)).ok
    assert ask(table, "play_card", Seat.P3, card="KS").ok
    assert ask(table, "move", Seat.P3, text="P3:camp>T54*").ok
    table.people.join("Rosalie", Seat.P3)
    view = table.view(Role.SEAT, Seat.P3)
    assert (view["can_undo"], view["undo_asks"]) == (False, None)
    assert ask(table, "undo", Seat.P3).code == "not_your_move"
    assert table.view(Role.SEAT, Seat.P0)["undo_asks"] == "P3"
    assert ask(table, "play_card", Seat.P0, card="6H").ok
    assert ask(table, "move", Seat.P0, text="P0:T10>T16").ok
    view = table.view(Role.SEAT, Seat.P3)
    assert (view["can_undo"], view["undo_asks"]) == (True, "P0"), "later turns are asked back as always"


def test_a_player_back_at_their_seat_is_no_newcomer(table: Table) -> None:
    assert table.request(parse_request("free_seat", {"seat": "P2"}, Role.HOST)).ok
    table.people.join("Zoé", Seat.P2)
    assert ask(table, "undo", Seat.P2).ok
    assert holes(table)["T50"] == "P2"
