"""Computer opponents: they play for free seats, from what their seat may know, and ask people to move."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.boards import pawns
from tests.support.sources import HandSource
from tests.support.tables import BEFORE, BOARD, send, wait_for
from tock_companion.computer_seats import Computers, chosen
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Reply, Role
from tock_companion.hints.advice import Adviser
from tock_companion.hints.computer_players import COMPUTERS
from tock_companion.hints.search import Effort
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import TEXTS, Seat, deal_plan, parse_hand


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[Table]:
    running = Table(BOARD, Store(tmp_path), setup=GameSetup(position=BEFORE))
    running.start()
    yield running
    running.stop()


def ask(table: Table, kind: str, own: Seat | None = None, /, **data: object) -> Reply:
    return send(table.request, kind, data, Role.HOST if own is None else Role.SEAT, own)


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
    player.act()
    view = view_of(table)
    assert (view["card"], view["planned"]["text"]) == ("9H", "P0:T20>T29")
    assert view["sentence"] == view["planned"]["label"]
    assert view["sentence"]["en"] == (
        "Red (computer) plays 9♥: move the red pawn from blue 2 to blue 11, please."
    )
    assert "Rouge (ordinateur) joue 9♥ : déplace le pion rouge" in view["sentence"]["fr"]
    source.show(pawns("P0 T29, P1 T26"), 6)
    after: Any = wait_for(table, lambda view: view["to_move"] == "P1")
    assert (after["planned"], after["last_move"]["text"]) == (None, "P0:T20>T29")


def test_a_wrong_move_for_the_computer_is_warned_of(table: Table, source: HandSource) -> None:
    source.show(BEFORE, 3)
    player = computer(table)
    ask(table, "hand_set", Seat.P0, cards=["9H"])
    player.act()
    source.show(pawns("P0 T30, P1 T26"), 15)
    warned: Any = wait_for(table, lambda view: view["warning"] is not None)
    assert warned["expects"] == "repair"
    assert [step["to_hole"] for step in warned["warning"]["otherwise"]] == ["T29"]


@pytest.mark.whole
@pytest.mark.parametrize("strength", COMPUTERS)
def test_computers_alone_play_on_where_nothing_sees_the_board(blind: Table, strength: str) -> None:
    for seat in ("P0", "P1", "P2", "P3"):
        player = computer(blind, seat, strength)
    turns = set()
    for _ in range(24):
        player.act()
        turns.add(view_of(blind)["to_move"])
    view = view_of(blind)
    assert turns == {"P0", "P1", "P2", "P3"}
    assert {entry["computer"] for entry in view["seats"]} == {strength}
    assert view["game"]["seq"] > 24
    assert view["history"]


def test_the_computer_draws_cards_that_nobody_is_known_to_hold(blind: Table) -> None:
    ask(blind, "hand_set", Seat.P1, cards=["AS", "KS", "QS", "JS", "10S"])
    assert ask(blind, "set_computer", seat="P0", strength="medium").ok
    assert ask(blind, "hand_draw", Seat.P0).ok
    hand: Any = blind.view(Role.SEAT, Seat.P0)["hand"]
    assert (len(hand["cards"]), hand["missing"]) == (5, 0)
    moment = blind.moment(Seat.P0)
    assert moment is not None
    plan = deal_plan(moment.knowledge.position.ruleset, 4)
    assert set(moment.knowledge.hand) <= set(plan.deck)
    for suit in "HDCS":
        held = parse_hand([f"{rank}{suit}" for rank in ("A", "K", "Q", "J", "10", "9", "7", "5")])
        ask(blind, "hand_set", Seat.P1, cards=[str(card) for card in held])
        ask(blind, "hand_set", Seat.P0, cards=[], count=5)
        assert ask(blind, "hand_draw", Seat.P0).ok
        moment = blind.moment(Seat.P0)
        assert moment is not None
        assert len(moment.knowledge.hand) == 5
        assert not set(moment.knowledge.hand) & set(held)


def test_a_person_cannot_draw_and_so_find_out_what_others_hold(blind: Table) -> None:
    ask(blind, "hand_set", Seat.P1, cards=["AS", "KS", "QS", "JS", "10S"])
    assert ask(blind, "hand_draw", Seat.P0).code == "not_allowed"
    hand: Any = blind.view(Role.SEAT, Seat.P0)["hand"]
    assert not hand["cards"]


@pytest.mark.parametrize("strength", COMPUTERS)
def test_others_cards_do_not_change_the_computer_s_play(blind: Table, strength: str) -> None:
    ask(blind, "hand_set", Seat.P0, cards=["6H", "QD", "7C", "JOK_C", "4S"])
    found = []
    for hand in (["5S", "4H", "KD", "2S", "3S"], ["AS", "AH", "AD", "JS", "JH"]):
        ask(blind, "hand_set", Seat.P1, cards=hand)
        moment = blind.moment(Seat.P0)
        assert moment is not None
        found.append(chosen(moment, strength, Random(5)))
    assert found[0] == found[1] is not None


def test_others_cards_do_not_change_the_teacher_s_advice(blind: Table) -> None:
    advised = []
    for hand in (["5S", "4H", "KD", "2S", "3S"], ["AS", "AH", "AD", "JS", "JH"]):
        ask(blind, "hand_set", Seat.P0, cards=["6H", "QD", "7C", "JOK_C", "4S"])
        ask(blind, "hand_set", Seat.P1, cards=hand)
        ask(blind, "play_card", Seat.P0, card="6H")
        assert ask(blind, "move", Seat.P0, text="P0:T20>T26").ok
        moment = blind.moment(Seat.P0, before=True)
        assert moment is not None
        advice = Adviser(moment.knowledge).further(Effort(4), budget_ms=None)
        advised.append((moment.played, [(hint.choice.action, hint.value) for hint in advice.hints]))
        ask(blind, "undo")
    assert advised[0] == advised[1]
    assert advised[0][0] == "P0:T20>T26"


def test_a_laid_card_is_the_one_that_is_moved_with(blind: Table) -> None:
    player = computer(blind)
    ask(blind, "hand_set", Seat.P0, cards=["9H", "6H", "AS"])
    ask(blind, "play_card", Seat.P0, card="6H")
    player.act()
    assert view_of(blind)["last_move"]["text"] == "P0:T20>T26"


@pytest.mark.parametrize(("again_s", "card"), [(1e6, None), (0.0, "9H")])
def test_a_card_taken_back_stays_back_for_a_while(
    table: Table, source: HandSource, again_s: float, card: str | None
) -> None:
    source.show(BEFORE, 3)
    player = computer(table, again_s=again_s)
    ask(table, "hand_set", Seat.P0, cards=["9H"])
    player.act()
    assert ask(table, "undo").ok
    player.act()
    assert view_of(table)["card"] == card


def test_only_the_host_gives_free_seats_to_a_computer(blind: Table) -> None:
    assert ask(blind, "set_computer", Seat.P0, seat="P1", strength="easy").code == "not_allowed"
    assert ask(blind, "set_computer", seat="P1", strength="greedy").code == "bad_request"
    assert ask(blind, "set_computer", seat="P9", strength="easy").code == "bad_request"
    assert blind.people.join("Anna", Seat.P1).ticket
    assert ask(blind, "set_computer", seat="P1", strength="easy").code == "seat_taken"
    assert ask(blind, "set_computer", seat="P2", strength="easy").ok
    assert blind.people.join("Bob", Seat.P2).ticket
    taken: Any = wait_for(blind, lambda view: view["seats"][2]["taken"])
    assert taken["seats"][2]["computer"] is None
    assert ask(blind, "hand_draw").code == "not_allowed"


def test_the_computer_plays_by_itself(blind: Table) -> None:
    player = computer(blind)
    player.start()
    wait_for(blind, lambda view: view["to_move"] == "P1")
    player.stop()
    assert view_of(blind)["history"]


def test_a_computer_s_discards_are_announced(blind: Table) -> None:
    player = computer(blind)
    ask(blind, "correct", changes=[{"seat": "P0", "from": "T20", "to": "camp"}])
    ask(blind, "hand_set", Seat.P0, cards=["4H", "4S"])
    player.act()
    sentence = view_of(blind)["sentence"]
    assert sentence["en"].startswith("Red (computer) does not play and throws 4♥ away. ")
    assert sentence["fr"].startswith("Rouge (ordinateur) ne joue pas et jette 4♥. ")


def at_table(
    tmp_path: Path,
    ruleset: str,
    position: dict[str, list[str]],
    sources: Sequence[HandSource] = (),
    teams: tuple[tuple[Seat, ...], ...] = (),
) -> Table:
    setup = GameSetup(ruleset, teams=teams, position=position)
    running = Table(BOARD, Store(tmp_path), sources, setup=setup)
    running.start()
    return running


def test_a_whole_hand_is_laid_down_where_the_rules_want_it_and_comes_back_whole(tmp_path: Path) -> None:
    table = at_table(tmp_path, "mjc", pawns("P0 T17 H2 H3 H4, P1 T18*"))
    player = computer(table)
    hand = ["KH", "9S", "QH", "QS", "QC"]
    ask(table, "hand_set", Seat.P0, cards=hand)
    player.act()
    view = view_of(table)
    assert (view["to_move"], view["seats"][0]["cards"]) == ("P1", 5)
    own: Any = table.view(Role.SEAT, Seat.P0)["hand"]
    assert (own["cards"], own["missing"]) == ([], 5)
    assert ask(table, "undo").ok
    own = table.view(Role.SEAT, Seat.P0)["hand"]
    assert sorted(card["card"] for card in own["cards"]) == sorted(hand)
    assert view_of(table)["to_move"] == "P0"
    table.stop()


def test_a_hand_without_a_starter_is_thrown_to_come_out(tmp_path: Path) -> None:
    table = at_table(tmp_path, "gladius", pawns())
    player = computer(table)
    ask(table, "hand_set", Seat.P0, cards=["2H", "3S", "6D", "8C"])
    assert ask(table, "throw_hand", Seat.P0, cards=["2H", "3S", "6D", "9C"]).code == "bad_request"
    assert ask(table, "discard", Seat.P0, cards=["2H", "3S", "6D", "8C"]).code == "one_card"
    player.act()
    view = view_of(table)
    assert (view["to_move"], view["seats"][0]["cards"]) == ("P1", 0)
    assert view["holes"]["T4"] == "P0"
    assert ask(table, "throw_hand", Seat.P1, cards=["AH", "3C", "6C", "9C"]).code == "no_exit"
    assert ask(table, "undo").ok
    assert "T4" not in view_of(table)["holes"]
    table.stop()


def test_a_computer_that_threw_its_hand_waits_for_the_next_one(tmp_path: Path) -> None:
    table = at_table(tmp_path, "gladius", pawns())
    player = computer(table)
    for seat in ("P1", "P2", "P3"):
        assert ask(table, "hand_set", Seat[seat], cards=[], count=2).ok
    ask(table, "hand_set", Seat.P0, cards=["2H", "3S", "6D", "8C"])
    player.act()
    for seat, card in (("P1", "9S"), ("P2", "9D"), ("P3", "9H")):
        assert ask(table, "end_turn", Seat[seat]).code == "turn_open"
        assert ask(table, "discard", Seat[seat], card=card).ok
    player.act()
    view = view_of(table)
    assert (view["to_move"], view["seats"][0]["cards"]) == ("P1", 0)
    table.stop()


def test_where_the_board_is_seen_a_hand_is_thrown_when_the_pawn_stands_there(
    tmp_path: Path, source: HandSource
) -> None:
    before, hand = pawns("P1 T26"), ["2H", "3S", "6D", "8C"]
    table = at_table(tmp_path, "gladius", before, [source])
    source.show(before, 3)
    ask(table, "hand_set", Seat.P0, cards=hand)
    assert ask(table, "throw_hand", Seat.P0, cards=hand).code == "on_the_board"
    source.show(pawns("P0 T4, P1 T26"), 15)
    wait_for(table, lambda view: view["expects"] == "repair")
    assert ask(table, "throw_hand", Seat.P0, cards=hand).ok
    source.show(pawns("P0 T4, P1 T26"), 3)
    wait_for(table, lambda view: (view["warning"], view["to_move"]) == (None, "P1"))
    ask(table, "hand_set", Seat.P1, cards=["8S"])
    table.stop()


def test_a_computer_whose_pawn_nobody_would_set_out_puts_a_card_away(
    tmp_path: Path, source: HandSource
) -> None:
    table = at_table(tmp_path, "gladius", pawns("P1 T26"), [source])
    source.show(pawns("P1 T26"), 3)
    player = computer(table)
    ask(table, "hand_set", Seat.P0, cards=["2H", "3S", "6D", "8C"])
    player.act()
    view = view_of(table)
    assert (view["to_move"], view["seats"][0]["cards"], view["holes"]["P0-C4"]) == ("P1", 3, "P0")
    table.stop()


def test_computers_are_still_there_after_a_restart(tmp_path: Path) -> None:
    table = at_table(tmp_path, "mjc", BEFORE)
    computer(table, "P1", "strong")
    computer(table, "P2", "easy")
    computer(table, "P3", "easy")
    assert ask(table, "set_computer", seat="P2", strength=None).ok
    assert table.people.join("Anna", Seat.P3).ticket
    table.stop()
    again = at_table(tmp_path, "mjc", BEFORE)
    assert [entry["computer"] for entry in view_of(again)["seats"]] == [None, "strong", None, None]
    again.stop()


MAX_ACTS = 5_000
"""More than a game that goes on has; its cards come by chance."""


def play_to_the_end(table: Table) -> None:
    """Have computers on every seat play until somebody wins; every look must bring the game on."""
    for seat in ("P0", "P1", "P2", "P3"):
        assert ask(table, "set_computer", seat=seat, strength="medium").ok
    player = Computers(table, seed=1, pace_s=0.0, again_s=0.0)
    seq = -1
    for _ in range(MAX_ACTS):
        view = view_of(table)
        if view["expects"] == "over":
            return
        assert view["game"]["seq"] > seq, f"stuck: {view['sentence']['en']}"
        seq = view["game"]["seq"]
        player.act()
    raise AssertionError("nobody won")


@pytest.mark.whole
@pytest.mark.parametrize("ruleset", TEXTS)
def test_computers_play_to_the_end_in_every_ruleset(tmp_path: Path, ruleset: str) -> None:
    late = pawns("P0 T50 H2 H3 H4, P1 T68 H2 H3 H4, P2 T14 H2 H3 H4, P3 H2 H3 H4")
    table = at_table(tmp_path, ruleset, late)
    play_to_the_end(table)
    assert view_of(table)["game"]["winner"]
    table.stop()


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("teams", [(), ((Seat.P0, Seat.P2), (Seat.P1, Seat.P3))])
@pytest.mark.parametrize("ruleset", TEXTS)
def test_computers_play_whole_games_in_every_ruleset(
    tmp_path: Path, ruleset: str, teams: tuple[tuple[Seat, ...], ...]
) -> None:
    table = at_table(tmp_path, ruleset, pawns(), teams=teams)
    play_to_the_end(table)
    assert view_of(table)["game"]["winner"]
    table.stop()
