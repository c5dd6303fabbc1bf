"""Seven questions lead to every game, and a game is bent to other answers."""

import pytest

from tock_companion.errors import BadInputError
from tock_rules import Ruleset, deal_plan, load_preset, preset_names
from tock_rules.own_rules import CARDS
from tock_rules.which_game import TOPICS, UNKNOWN, answer_of, bend, find

GAMES = [load_preset(name) for name in preset_names()]
OPENED_AND_CHOSEN = 2
"""Taps besides the answers."""
MAX_TAPS = 8


def asked(game: Ruleset, given: dict[str, str]) -> tuple[dict[str, str], tuple[Ruleset, ...]]:
    """Answer as this game has it until nothing more is asked."""
    while (found := find(GAMES, given)).question is not None:
        given = {**given, found.question: answer_of(game, found.question)}
    return given, found.games


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_questions_lead_to_every_game(game: Ruleset) -> None:
    given, games = asked(game, {})
    assert games == (game,)
    assert len(given) + OPENED_AND_CHOSEN <= MAX_TAPS


@pytest.mark.parametrize("forgotten", TOPICS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_question_that_a_family_cannot_answer_is_skipped(game: Ruleset, forgotten: str) -> None:
    given, games = asked(game, {forgotten: UNKNOWN})
    assert game in games
    assert len(given) + OPENED_AND_CHOSEN <= MAX_TAPS


@pytest.mark.parametrize("other", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_is_bent_to_the_answers_of_another_and_says_what_is_left(
    game: Ruleset, other: Ruleset
) -> None:
    given = {topic: answer_of(other, topic) for topic in TOPICS}
    bent = bend(game, given)
    rules = game.with_options(bent.options)
    differing = {topic for topic, wanted in given.items() if answer_of(rules, topic) != wanted}
    assert differing == set(bent.left)
    # The centre needs a board with it, and a partner's rest needs partners.
    assert not bent.left or other.centre or game.teams == "individual"
    assert Ruleset.parse(str(rules)) == rules
    assert str(Ruleset.parse(str(rules))) == str(rules)


def test_answers_that_no_game_has_lead_to_the_nearest_game() -> None:
    quebec = load_preset("quebec")
    given, games = asked(quebec, {"card_a": "start;+1;+10"})
    assert games == (quebec,)
    bent = quebec.with_options(bend(quebec, given).options)
    assert str(bent) == "quebec[card_a=start;+1;+10]"
    assert bent.row("A").steps != quebec.row("A").steps
    assert bent != quebec


@pytest.mark.parametrize("row", CARDS)
def test_every_card_can_be_changed_in_every_game(row: str) -> None:
    for game in GAMES:
        assert game.with_options({row: "+2"}).own == {row: "+2"}


@pytest.mark.parametrize(
    ("deal", "hands"), [("keep-4", (4,)), ("5-4-4", (5, 4, 4)), ("down-5", (5, 4, 3, 1)), ("3-3", (3, 3))]
)
def test_every_way_of_dealing_replaces_another(deal: str, hands: tuple[int, ...]) -> None:
    for name in ("toc", "mjc"):
        assert deal_plan(load_preset(name).with_options({"deal": deal, "jokers": False}), 4).rounds == hands


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ({"card_a": "jump"}, "no such action: 'jump'"),
        ({"card_a": "start;centre"}, "this game has no centre hole"),
        ({"card_7": "split7.pawns=2", "card_8": "split7"}, "every split7 must be the same"),
        ({"deal": "five"}, "'five' is no deal; write keep-5"),
        ({"pass": "maybe"}, "allowed: free, not_own, never"),
        ({"card_a": 11}, "write a text, not 11"),
        ({"card_1": "+1"}, "no such option: card_1"),
    ],
)
def test_an_own_rule_that_cannot_be_is_refused_with_the_reason(option: dict[str, object], why: str) -> None:
    with pytest.raises(BadInputError, match=why):
        load_preset("mjc").with_options(option)
