"""Every switch acts: positions where a house rule changes the legal moves, and its effects elsewhere."""

import pytest

from tests.support.boards import position
from tests.support.rule_lines import rule_lines
from tock_companion.errors import BadInputError
from tock_rules import (
    OPTIONS,
    Card,
    Position,
    Seat,
    after_play,
    deal_plan,
    is_binding,
    judge_move,
    load_preset,
    parse_hand,
    turn_options,
)
from tock_rules.ruleset import parse_value

LINES = rule_lines("switches.txt")
ELSEWHERE = {
    "fewest_players",
    "most_players",
    "odd_players",
    "teams",
    "packs",
    "second_pack_from",
    "extra_sevens",
    "dealing",
    "hand_size",
    "deal_5_4_4",
    "draw_after_card",
    "stock_renewal",
    "card_exchange",
    "throw_exit",
    "joker_second_move",
    "joker_store_limit",
    "joker_second_when",
    "joker_second_compulsory",
    "one_eyed_compulsory",
    "forced_play",
    "no_play",
    "seven_pawns",
    "seven_with_mates",
    "joker_brings_last",
    "seven_same_pawn_twice",
    "laid_card_binding",
}
"""Switches that the tests below and those of whole games try."""
AT_THE_TABLE = {"talk_forbidden", "talk_penalty", "queen_value", "king_value"}
"""Matters of conduct, told in the rules in plain words, and values that are the same in all texts."""


def listed(here: Position, card: str) -> list[str]:
    """The legal moves with the holes they take that are not their own target."""
    found = []
    for move in here.legal_moves(Card.parse(card)):
        taken = " ".join(hole for _, hole in move.captures)
        found.append(f"{move.text} takes {taken}" if taken else move.text)
    return found or ["-"]


@pytest.mark.parametrize(("house", "ruleset", "zones", "card", "pawns", "without", "with_it"), LINES)
def test_house_rule_changes_what_is_legal(
    house: str, ruleset: str, zones: str, card: str, pawns: str, without: str, with_it: str
) -> None:
    name, _, value = house.partition("=")
    plain = position(ruleset, pawns, int(zones))
    switched = position(
        ruleset, pawns, int(zones), options={name: parse_value(name, value, load_preset(ruleset).options)}
    )
    assert without.split("; ") == listed(plain, card)
    assert with_it.split("; ") == listed(switched, card)


def test_every_switch_is_tried_somewhere() -> None:
    assert set(OPTIONS) == {line[0].partition("=")[0] for line in LINES} | ELSEWHERE | AT_THE_TABLE


def test_seven_is_shared_by_as_many_pawns_as_the_house_allows() -> None:
    for most in (1, 2, 3, 4):
        here = position("mjc", "P0 T20 T30 T40 T50", options={"seven_pawns": most})
        assert most == max(len(move.parts) for move in here.legal_moves(Card.parse("7H")))


def test_one_pawn_may_get_several_parts_of_a_seven_if_the_house_allows_it() -> None:
    text = "P0:T20>T23 + P0:T23>T27"
    assert position("mjc", "P0 T20, P1 T23").find(Card.parse("7H"), ()) is None
    strict = judge_move(position("mjc", "P0 T20, P1 T23"), Card.parse("7H"), text)
    loose = judge_move(
        position("mjc", "P0 T20, P1 T23", options={"seven_same_pawn_twice": True}), Card.parse("7H"), text
    )
    assert not hasattr(strict, "result")
    assert hasattr(loose, "result")


def test_a_seven_is_shared_with_the_partner_from_the_first_step_if_the_house_allows_it() -> None:
    for shared in (False, True):
        here = position("brandi-dog", "P0 T20, P2 T40, P1 T60", options={"seven_with_mates": shared})
        found = {move.text for move in here.legal_moves(Card.parse("7H"))}
        assert ("P0:T20>T22 + P2:T40>T45" in found) == ("P2:T40>T47" in found) == shared
        assert not any("P1:" in text for text in found)
        in_order = judge_move(here, Card.parse("7H"), "P2:T40>T45 + P0:T20>T22")
        assert hasattr(in_order, "result") == shared


def test_the_last_pawn_of_a_side_does_not_come_home_with_a_joker_if_the_house_forbids_it() -> None:
    mate_home, mate_out = "P2 H1 H2 H3 H4", "P2 H1 H2 H3 T40"
    for allowed in (True, False):
        for mate, legal in ((mate_home, allowed), (mate_out, True)):
            here = position("brandi-dog", f"P0 H4 H3 H2 T63, {mate}", options={"joker_brings_last": allowed})
            found = [move.text for move in here.legal_moves(Card.parse("JOK_B"))]
            assert ("P0:T63>H1" in found) == legal
            assert "P0:T63>H1" in [move.text for move in here.legal_moves(Card.parse("2H"))]


@pytest.mark.parametrize(
    ("ruleset", "players", "options", "rounds", "left_over", "deck"),
    [
        ("gladius", 2, {}, (6, 6, 5, 5, 5), 0, 54),
        ("gladius", 3, {}, (5, 5, 4, 4), 0, 54),
        ("gladius", 4, {}, (5, 4, 4), 2, 54),
        ("gladius", 5, {}, (5, 5), 4, 54),
        ("gladius", 6, {}, (5, 4), 0, 54),
        ("gladius", 7, {}, (5, 5, 5), 3, 108),
        ("gladius", 8, {}, (5, 4, 4), 4, 108),
        ("parteu", 4, {}, (5, 4, 3, 1), 0, 52),
        ("parteu", 4, {"deal_5_4_4": True}, (5, 4, 4), 0, 52),
        ("parteu", 4, {"jokers": True, "deal_5_4_4": True}, (5, 4, 4), 2, 54),
        ("parteu", 3, {}, (5, 4, 3, 2, 1, 2), 1, 52),
        ("parteu", 2, {}, (5, 4, 3, 2, 1, 5, 4, 2), 0, 52),
        ("mjc", 4, {}, (5,), 0, 54),
        ("mjc", 4, {"packs": 2}, (5,), 0, 108),
        ("mjc", 4, {"hand_size": 6}, (6,), 0, 54),
        ("joker-individuel", 4, {"extra_sevens": True}, (5,), 0, 112),
        ("mjc", 4, {"dealing": "descending"}, (5, 4, 3, 1), 2, 54),
        ("diagonale", 5, {"second_pack_from": 5}, (5,), 0, 108),
    ],
)
def test_cards_are_dealt_as_the_text_says(
    ruleset: str, players: int, options: dict[str, object], rounds: tuple[int, ...], left_over: int, deck: int
) -> None:
    plan = deal_plan(load_preset(ruleset).with_options(options), players)
    assert (rounds, left_over, deck) == (plan.rounds, plan.left_over, len(plan.deck))


def test_number_of_players_is_checked() -> None:
    with pytest.raises(BadInputError, match="players: 2, 4"):
        deal_plan(load_preset("mjc"), 3)
    assert deal_plan(load_preset("mjc").with_options({"odd_players": True}), 3)
    assert deal_plan(load_preset("mjc").with_options({"most_players": 8}), 6)


@pytest.mark.parametrize(
    ("ruleset", "card", "stored", "options", "expected"),
    [
        ("joker-individuel", "JOK_B", 2, {}, (1, ("now",))),
        ("joker-individuel", "JOK_B", 1, {}, (1, ("now", "later"))),
        ("joker-individuel", "JOK_B", 2, {"joker_store_limit": 3}, (1, ("now", "later"))),
        ("mjc", "JOK_B", 9, {}, (1, ("now", "later"))),
        ("mjc", "JOK_B", 0, {"joker_second_compulsory": True}, (1, ("now",))),
        ("mjc", "JOK_B", 0, {"joker_second_move": False}, (1, ())),
        ("gladius", "JOK_C", 0, {}, (0, ())),
        ("parteu", "JOK_B", 0, {"jokers": True}, (1, ("now", "later"))),
        ("mjc", "6H", 0, {}, (1, ())),
        ("mjc", "6H", 0, {"draw_after_card": False}, (0, ())),
    ],
)
def test_joker_gives_its_second_move(
    ruleset: str, card: str, stored: int, options: dict[str, object], expected: tuple[int, tuple[str, ...]]
) -> None:
    after = after_play(load_preset(ruleset).with_options(options), Card.parse(card), stored)
    assert expected == (after.draw_count, after.second_move)


def test_joker_that_brings_a_pawn_out_may_give_none() -> None:
    for when, stored in (("any_use", 1), ("advance_only", 0)):
        here = position("mjc", "P0 T20", options={"joker_second_when": when})
        out = judge_move(here, Card.parse("JOK_B"), "P0:camp>T0*")
        assert out is not None
        assert stored == here.play(out).stored_moves[0]  # type: ignore[arg-type]


def test_third_second_move_must_be_played_at_once() -> None:
    here = position("joker-individuel", "P0 T20")
    for count in (1, 2, 3):
        move = here.legal_moves(Card.parse("JOK_B"))[-1]
        here = here.play(move)
        assert (count == 3) == here.must_play_more
        if count < 3:
            here = here.end_turn()
            while here.to_move is not Seat.P0:
                here = here.end_turn()
    assert here.end_turn().stored_moves[0] == 2


@pytest.mark.parametrize(
    ("ruleset", "pawns", "hand", "options", "expected"),
    [
        ("mjc", "P0 T20", "6H 3S", {}, (["6H", "3S"], False, 0, 0, None)),
        ("mjc", "P0 T20", "6H 3S", {"forced_play": False}, (["6H", "3S"], True, 1, 1, None)),
        ("mjc", "", "6H 3S", {}, ([], True, 1, 1, None)),
        ("mjc", "", "6H 3S", {"no_play": "hand_down"}, ([], True, 2, 5, None)),
        ("diagonale", "P0 T5 H4 H3 H2, P1 T18*", "KH JS", {}, ([], True, 2, 5, None)),
        ("diagonale", "P0 T5 H4 H3 H2, P1 T18*", "KH JS", {"no_play": "discard_one"}, ([], True, 1, 1, None)),
        ("gladius", "", "2H 3S 6D 8C", {}, ([], True, 1, 0, (True, "T4"))),
        ("gladius", "P0 H4", "2H 3S 6D 8C 9H", {}, ([], True, 1, 0, (True, "T5"))),
        ("gladius", "P0 C", "2H 3S 6D 8C 9H", {}, ([], True, 1, 0, (False, None))),
        ("gladius", "", "2H 3S 6D", {}, ([], True, 1, 0, (False, None))),
        ("gladius", "", "2H 3S 6D AC", {}, (["AC"], False, 0, 0, (False, None))),
        ("gladius", "", "2H 3S 6D 8C", {"throw_exit": "off"}, ([], True, 1, 0, None)),
        ("gladius", "P1 T20, P2 T30", "JS 3S 6D 8C", {}, (["JS"], True, 1, 0, (True, "T4"))),
        (
            "gladius",
            "P1 T20, P2 T30",
            "JS",
            {"one_eyed_compulsory": True},
            (["JS"], False, 0, 0, (False, None)),
        ),
    ],
)
def test_turn_options(
    ruleset: str, pawns: str, hand: str, options: dict[str, object], expected: tuple[object, ...]
) -> None:
    found = turn_options(
        position(ruleset, pawns, teams=ruleset == "mjc", options=options), parse_hand(hand.split())
    )
    throw = None if found.throw_exit is None else (found.throw_exit.allowed, found.throw_exit.to)
    playable = [str(card) for card in found.playable]
    assert expected == (playable, found.discard_allowed, found.discard_count, found.draw_count, throw)


def test_card_that_was_laid_is_binding_only_where_the_text_says_so_and_it_can_be_played() -> None:
    assert is_binding(position("gladius", "P0 T20"), Card.parse("6H"))
    assert not is_binding(position("gladius", ""), Card.parse("6H"))
    assert not is_binding(position("mjc", "P0 T20"), Card.parse("6H"))
