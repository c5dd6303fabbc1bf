"""The kinds of action that are open in every state of a turn."""

import pytest

from tock_rules import IllegalMoveError, Position, turn_options

ALONE = "P0/P1/P2/P3"
PAIRS = "P0+P2/P1+P3"
BLOCKED = "P0:T16,H2,H3,H4 P1:T18* P2: P3:"
"""P1's fresh pawn bars the way of P0's only one."""


@pytest.mark.parametrize(
    ("position", "hand", "may"),
    [
        # Nothing is put away in mid-turn (R000-39, R004-09), in any game with second moves.
        (f"mjc 4 P0 {PAIRS} {BLOCKED} stored=P0:1 played=1", "JOK_C JH JS JD JC", "end"),
        (f"diagonale 4 P0 {ALONE} P0:T16,H2,H3,H4 P1: P2: P3: stored=P0:1 played=1", "JH JS", "end"),
        (f"joker-individuel 4 P0 {ALONE} P0:H1,H2,H3 P1: P2: P3: stored=P0:1 played=1", "2H JS", "end"),
        (f"parteu[jokers=true] 4 P0 {PAIRS} P0: P1: P2: P3: stored=P0:1 played=1", "2H JS", "end"),
        (f"mjc 4 P0 {PAIRS} P0:T10 P1: P2: P3: stored=P0:1 played=1", "2H 3S", "end play"),
        # … unless the second move must be played (R000-46).
        (f"joker-individuel 4 P0 {ALONE} P0: P1: P2: P3: stored=P0:3 played=1", "2H JS", "discard:1"),
        (f"joker-individuel 4 P0 {ALONE} P0:T9 P1: P2: P3: stored=P0:3 played=1", "2H JS", "play"),
        # After the last card of a turn nothing can be played.
        (f"mjc 4 P0 {PAIRS} P0:T10 P1: P2: P3: played=1", "2H 3S", "end"),
        # After a win nothing happens any more (open point A-41).
        (f"mjc 4 P1 {PAIRS} P0:H1,H2,H3,H4 P1:T5 P2:H1,H2,H3,H4 P3:", "2H KH", ""),
        (f"gladius 4 P1 {ALONE} P0:H1,H2,H3,H4 P1: P2: P3:", "2H 3H 6H 8H", ""),
        # One card or the whole hand (open point A-09).
        (f"mjc 4 P0 {PAIRS} {BLOCKED}", "KH 2S 6D 9C QS", "hand"),
        (f"mjc 4 P0 {PAIRS} {BLOCKED}", "10H 2S 6D 9C QS", "discard:1"),
        # A one-eyed Jack that can only swap others' pawns need not be played (R002-32), alone or beside other cards.
        (f"gladius 4 P0 {ALONE} P0: P1:T20 P2:T40 P3:", "JS", "discard:1 play"),
        (f"gladius 4 P0 {ALONE} P0: P1:T20 P2:T40 P3:", "JS 2H", "discard:1 play"),
        (f"gladius[one_eyed_compulsory=true] 4 P0 {ALONE} P0: P1:T20 P2:T40 P3:", "JS", "play"),
        (f"gladius 4 P0 {ALONE} P0: P1:T20 P2:T40 P3:", "JS KH", "play"),
        # The hand as dealt decides whether it may be thrown (R002-30, open point A-15).
        (f"gladius 4 P0 {ALONE} P0: P1: P2: P3:", "2H 3S 6D 8C", "discard:1 throw"),
        (f"gladius 4 P0 {ALONE} P0: P1: P2: P3: starter=P0", "2H 3S 6D 8C", "discard:1"),
        (
            f"gladius[throw_exit=first_turn] 4 P0 {ALONE} P0: P1: P2: P3: dealt=6",
            "2H 3S 6D 8C 9C",
            "discard:1",
        ),
        # A seat without cards passes.
        (f"gladius 4 P0 {ALONE} P0:T9 P1: P2: P3:", "", "end"),
        ("mjc[forced_play=false] 4 P0 P0+P2/P1+P3 P0:T10 P1: P2: P3:", "2H", "discard:1 play"),
    ],
)
def test_choices_of_a_turn(position: str, hand: str, may: str) -> None:
    assert " ".join(turn_options(Position.parse(position), hand.split()).choices.names) == may


@pytest.mark.parametrize(
    ("position", "move"),
    [
        (f"mjc 4 P1 {PAIRS} P0:H1,H2,H3,H4 P1:T5 P2:H1,H2,H3,H4 P3:", "2H P1:T5>T7"),
        (f"gladius 4 P1 {ALONE} P0:H1,H2,H3,H4 P1:T5 P2: P3:", "2H P1:T5>T7"),
        (f"gladius 4 P1 {ALONE} P0:H1,H2,H3,H4 P1: P2: P3:", "2H 3H 6H 8H P1:camp>T22"),
    ],
)
def test_nobody_plays_on_after_a_win(position: str, move: str) -> None:
    here = Position.parse(position)
    assert here.legal_moves("2H KH AS") == ()
    with pytest.raises(IllegalMoveError, match="game/over"):
        here.play(move)


def test_one_card_of_a_partner_does_not_end_the_game() -> None:
    here = Position.parse(f"mjc 4 P1 {PAIRS} P0:H1,H2,H3,H4 P1:T5 P2:H2,H3,H4 P3:")
    assert turn_options(here, "2H").choices.names == ("play",)
