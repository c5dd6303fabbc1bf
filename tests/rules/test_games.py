"""Whole games: they end, nothing gets lost, and their records can be followed."""

import random

import pytest

from tests.support.bundles import texts_in
from tests.support.checkout import DATA
from tests.support.games import at_random, hurrying, play_out, table
from tests.support.rule_checks import FORMS, play_checked
from tock_rules import (
    TEXTS,
    Board,
    GameRecord,
    Outcome,
    Ruleset,
    Seat,
    load_preset,
    preset_names,
    turn_options,
)
from tock_rules.engine import (
    CARD_CODES,
    CARDS,
    DISCARD,
    GIVE,
    LAY_DOWN,
    PLAY,
    STOP,
    THROW_HAND,
    Action,
    FlatMove,
    code_of,
    position_of,
)

GOLDEN = texts_in(DATA / "rules" / "games.txt")


@pytest.mark.parametrize("name", preset_names())
def test_a_random_game_ends_with_every_card_and_pawn_in_place(name: str) -> None:
    play_checked(load_preset(name), FORMS[name][0], seed=5)


# Golden games hold the records of the other six, which take minutes to hurry home.
@pytest.mark.whole
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in TEXTS else pytest.mark.slow) for name in preset_names()]
)
def test_record_of_a_game_reads_back_and_can_be_followed(name: str) -> None:
    rng = random.Random(8)
    record = play_out(table(load_preset(name), *FORMS[name][1], rng), hurrying, rng)
    text = record.text()
    assert record == GameRecord.parse(text)
    assert "# won by" in text


@pytest.mark.whole
@pytest.mark.parametrize("name", GOLDEN)
def test_golden_game_is_still_played_the_same(name: str) -> None:
    text = GOLDEN[name]
    record = GameRecord.parse(text)
    assert text == record.text()


@pytest.mark.parametrize("name", preset_names())
def test_every_ruleset_has_golden_games(name: str) -> None:
    games = [GameRecord.parse(text) for game, text in GOLDEN.items() if game.startswith(f"{name}-")]
    assert games
    if any(teams for _, _, teams in FORMS[name]):
        assert any(game.teams for game in games)


def _what(action: Action) -> tuple[int, FlatMove]:
    return CARD_CODES[action[1]] if action[1] >= 0 else 0, action[2]


HOUSES = [*preset_names(), "gladius[one_eyed_jack=false]", "gladius[one_eyed_compulsory=true]"]
"""The presets, and the two former rulebooks, which differed where a hand may be thrown and no Jack is one-eyed."""


JOKERS_OFTEN = [
    *HOUSES,
    "mjc[joker_store_limit=1]",
    "mjc[joker_second_compulsory=true]",
    "diagonale[jokers=true]",
    "gladius[throw_exit=first_turn]",
    "parteu[jokers=true]",
    "mjc[no_play=hand_down]",
    "mjc[forced_play=false]",
]


@pytest.mark.parametrize("house", JOKERS_OFTEN)
def test_a_game_offers_what_the_position_allows(house: str) -> None:
    rng = random.Random(6)
    rules = Ruleset.parse(house)
    game = table(rules, *FORMS[rules.name][0], rng)
    seen = set()
    for _ in range(400):
        hand = [CARDS[number] for number in game.hands[game.to_move]]
        options = turn_options(position_of(game), hand, owes_gift=bool(game.waiting_to_give))
        actions = game.actions()
        kinds = {kind for kind, _, _ in actions}
        playable = {code_of(CARDS[card]) for kind, card, _ in actions if kind == PLAY}
        assert playable == set(map(code_of, options.playable))
        assert options.discard_allowed == bool(kinds & {DISCARD, LAY_DOWN})
        assert LAY_DOWN not in kinds or options.discard_count == len(hand)
        assert DISCARD not in kinds or options.discard_count == 1
        thrown = options.throw_exit is not None and options.throw_exit.allowed
        assert thrown == (THROW_HAND in kinds)
        names = {
            PLAY: "play",
            DISCARD: "discard:1",
            LAY_DOWN: "hand",
            THROW_HAND: "throw",
            STOP: "end",
            GIVE: "give",
        }
        assert sorted(map(names.__getitem__, kinds)) == list(options.choices.names)
        seen |= kinds
        action = at_random(game, rng)
        # Equal cards are listed once.
        assert (action[0], *_what(action)) in {(known[0], *_what(known)) for known in actions}
        game.do(action)
        if game.winners():
            assert game.actions() == []
            assert turn_options(position_of(game), "KH").choices.names == ()
            break
    assert len(seen) > 1


@pytest.mark.parametrize("house", JOKERS_OFTEN)
def test_position_and_game_go_through_a_turn_alike_card_by_card(house: str) -> None:
    rng = random.Random(11)
    rules = Ruleset.parse(house)
    game = table(rules, *FORMS[rules.name][0], rng)
    cards_in_a_turn = 0
    for _ in range(600):
        position, hand = position_of(game), [CARDS[number] for number in game.hands[game.to_move]]
        kind, card, flat = action = at_random(game, rng)
        if game.played:
            cards_in_a_turn = max(cards_in_a_turn, game.played + 1)
            stops = any(known[0] == STOP for known in game.actions())
            assert stops != position.must_play_more
            plays = [known for known in game.actions() if known[0] == PLAY]
            assert len(plays) == len({(code_of(m.card), m.flat) for m in position.legal_moves(hand)})
        game.do(action)
        if kind == PLAY:
            played = position.play(position.move_of((CARDS[card],), flat))
        elif kind == THROW_HAND:
            played = position.play(position.move_of(tuple(hand), flat))
        else:
            continue
        assert played.board.cells == Board.of_state(game.engine.shape, played.seats, game.state).cells
        if game.winners():
            assert played.outcome() == Outcome(tuple(map(Seat, game.winners())), bool(played.teams))
            return
        after = position_of(game)
        if not played.may_play_more or (game.played == 0 and kind == PLAY):
            played = played.end_turn()
            assert played.stored_moves == after.stored_moves
        else:
            assert (played.cards_played, played.stored_moves) == (after.cards_played, after.stored_moves)
    assert cards_in_a_turn > 1 or not (rules.joker_second_move and rules.jokers)
