"""The first answer plans the hand where no cards are drawn, and luck in the games played out does not move a hint."""

from collections import Counter

import pytest

from tests.hints.test_edges import knowledge
from tests.support.games import moments
from tock_companion.hints.advice import Adviser
from tock_companion.hints.determinizations import Determinizer
from tock_companion.hints.estimate import estimate_for
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.move_ordering import Scores
from tock_companion.hints.plan import planned_scores
from tock_companion.hints.search import LEAD_STANDARD_ERRORS, Effort, Search

KEPT = {"P0": ["T66", "camp", "camp", "camp"], "P2": ["T30", "camp", "camp", "camp"]}


def test_the_first_card_is_the_one_that_leaves_a_way_home_for_the_next() -> None:
    # Whichever of 3 and 2 comes first, the other brings the pawn in; the 9 drives it past its home.
    best = Adviser(knowledge("gladius", KEPT, "2S 3H 9C")).at_once().best
    assert best.move is not None
    assert best.move.text in {"P0:T66>T68", "P0:T66>T69"}


def test_where_cards_are_drawn_the_score_of_an_action_is_its_own() -> None:
    changed = 0
    for game in moments(15, seed=9):
        estimate = estimate_for(game.engine)
        actions = game.actions()
        plain = [Scores(estimate, game).score(action) for action in actions]
        planned = planned_scores(estimate, game, actions)
        if game.rules.draw_after_card:
            assert planned == plain
        changed += planned != plain
    assert changed


def test_every_seat_holds_every_hidden_card_about_equally_often() -> None:
    game = next(moments(1, seed=4, rulesets=("mjc",)))
    determinizer = Determinizer(Knowledge.of_game(game), 1)
    drawn = len(determinizer.unseen) // determinizer.step * 6
    for other in game.seats:
        if other != game.to_move:
            games = [determinizer.sample().hands[other] for _ in range(drawn)]
            held = Counter(card for hand in games for card in hand)
            assert max(held.values()) <= 6


@pytest.mark.whole
def test_another_action_comes_first_only_when_it_is_clearly_better() -> None:
    kept = 0
    for game in moments(15, seed=11):
        search = Search(Knowledge.of_game(game), 1)
        first = search.first()[0]
        best = search.refine(Effort(8, 4))[0]
        if best.action == first.action or not best.samples:
            kept += 1
            continue
        one, other = (search.actions.index(choice.action) for choice in (best, first))
        if len(search.sums[one]) == len(search.sums[other]):
            ahead, error = search.lead(one, other)
            assert ahead > LEAD_STANDARD_ERRORS * error
    assert kept


def test_a_search_can_be_taken_further_and_what_it_dropped_stays_dropped() -> None:
    *_, game = moments(2, seed=4)
    search = Search(Knowledge.of_game(game), 1)
    before = search.refine(Effort(8, 4))
    dropped = {choice.action: choice.samples for choice in before if 0 < choice.samples < 8}
    assert dropped
    after = {choice.action: choice.samples for choice in search.refine(Effort(8, 4))}
    assert after.keys() == {choice.action for choice in before}
    assert max(after.values()) > 8
    assert {action: after[action] for action in dropped} == dropped
