"""Boards that a legal move explains, and the mistakes behind those that none does."""

import random
import time

import pytest

from tests.support.boards import pawns, position
from tests.support.observations import observed
from tests.support.random_tables import random_card, random_table
from tests.support.rule_lines import rule_lines
from tock_companion.referee.decision import Rejected
from tock_companion.referee.diagnosis.explain import explain
from tock_companion.referee.matching.candidates import Options, one_of_each_kind
from tock_companion.referee.matching.settle import Timing, decide
from tock_companion.referee.tracking.watch import Watch
from tock_rules import PAWNS_PER_SEAT, Board, Card, Setup, load_preset, preset_names

CASES = rule_lines("mistakes.txt")


@pytest.mark.parametrize(("ruleset", "card", "before", "after", "code", "statement"), CASES)
def test_mistake_is_recognised(
    ruleset: str, card: str, before: str, after: str, code: str, statement: str
) -> None:
    here = position(ruleset, before, teams=ruleset != "joker-individuel")
    seen = Setup.from_pawns(here.shape, pawns(after))
    found = explain(here, None if card == "?" else Card.parse(card), seen)
    assert found.explanations == ()
    assert found.violation is not None
    assert (code, statement) == (found.violation.code, found.violation.breaks[0])


def test_result_of_every_legal_move_is_explained_by_it() -> None:
    rng = random.Random(7)
    for index in range(150):
        rules = load_preset(preset_names()[index % 5])
        here = random_table(rng, rules).position(rules)
        moves = here.legal_moves(random_card(rng))
        for move in rng.sample(moves, min(3, len(moves))):
            found = explain(here, move.card, move.result)
            assert move.text in [other.text for _, other in found.explanations]


def test_taken_pawn_beside_the_board_is_asked_for() -> None:
    here = position("mjc", "P0 T20, P1 T26")
    seen = Setup.from_pawns(here.shape, {**pawns("P0 T26"), "P1": ["camp"] * 3})
    found = explain(here, Card.parse("6H"), seen)
    assert found.violation is not None
    assert found.violation.code == "board/capture_left"


def test_seven_may_be_split_in_any_order() -> None:
    here = position("mjc", "P0 T20 T23")
    found = explain(here, Card.parse("7H"), Board.from_pawns(here.shape, pawns("P0 T23 T27")))
    assert found.explanations


@pytest.mark.parametrize("card", ["6H", None])
def test_a_rejection_s_comparison_is_not_listed_again(card: str | None) -> None:
    here = position("mjc", "P0 T20, P1 T40")
    wrong = pawns("P0 T27, P1 T41")
    laid = None if card is None else Card.parse(card)
    options = Options(here, one_of_each_kind(here) if laid is None else (laid,), card_known=laid is not None)
    rejected = decide(options, Watch().update(observed(wrong, 0)), Timing().reject_ms, Timing())
    assert isinstance(rejected, Rejected)
    found = explain(here, laid, rejected.seen, rejected.moves)
    assert found == explain(here, laid, rejected.seen)
    assert all(any(near is move for move in options.moves) for near in found.nearest)


def test_the_nearest_legal_moves_lead_to_different_boards_where_no_card_is_known() -> None:
    here = position("mjc", "")
    found = explain(here, None, Setup.from_pawns(here.shape, pawns("P0 T6 T36")))
    assert [move.text for move in found.nearest] == ["P0:camp>T0*"]


@pytest.mark.parametrize(
    "ruleset", [name for name in preset_names() if load_preset(name).pawns_per_seat == PAWNS_PER_SEAT]
)
def test_explaining_any_board_is_quick_enough_for_a_referee(ruleset: str) -> None:
    here = position(ruleset, "P0 T20 T30 T40 T50, P1 T3 T13 T23 T33, P2 T5 T15 T25 T35, P3 T6 T16 T26 T36")
    odd = Board.from_pawns(
        here.shape, pawns("P0 T31 T30 T40 T50, P1 T3 T13 T23 T33, P2 T5 T15 T25 T35, P3 T6 T16 T26 T36")
    )
    explain(here, None, odd)
    started = time.process_time()
    explain(here, None, odd)
    assert time.process_time() - started < 0.5
