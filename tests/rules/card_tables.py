"""Whole games gone through twice: on the engine's integers, and as a `CardTable` that tries everything else too."""

import random
from collections import Counter

from tests.support.games import at_random
from tock_companion.views.phrases import known
from tock_rules import Card, CardTable, Ruleset, Seat, Violation, turn_options
from tock_rules.dealing import Deal
from tock_rules.engine import (
    CARDS,
    DISCARD,
    GIVE,
    LAY_DOWN,
    PLAY,
    STOP,
    THROW_HAND,
    Action,
    CardGame,
    engine_for,
    position_of,
)
from tock_rules.ruleset import shape_for

Form = tuple[int, tuple[int, ...], tuple[tuple[int, ...], ...]]
NAMES = {PLAY: "play", DISCARD: "discard:1", LAY_DOWN: "hand", THROW_HAND: "throw", STOP: "end", GIVE: "give"}


def hand_of(game: CardGame, seat: int) -> tuple[Card, ...]:
    return tuple(CARDS[number] for number in game.hands[seat])


def same_table(game: CardGame) -> CardTable:
    """The table of a game that has just been dealt."""
    hands = {Seat(seat): hand_of(game, seat) for seat in game.seats}
    return CardTable.of(position_of(game), Deal(game.dealer, game.hand_number, game.lead), hands)


def check_refusals(table: CardTable, rng: random.Random) -> None:
    """Every kind of action that is not open is refused with a reason that has a sentence and a statement."""
    names, seat = table.choices.names, table.to_move
    hand = table.hands[seat]
    other = rng.choice([other for other in table.position.seats if other is not seat])
    tried = [table.end(other), table.throw(other), table.put_away(seat, ()), table.deal(table.hands)]
    tried += [table.draw(seat, hand[:1])] if not table.owed.get(seat) else []
    if hand:
        tried += [table.give(seat, hand[0])] if "give" not in names else []
        tried += [table.put_away(seat, hand)] if "hand" not in names and len(hand) > 1 else []
        tried += [table.put_away(seat, hand[:1])] if "discard:1" not in names and len(hand) > 1 else []
    tried += [table.end(seat)] if "end" not in names else []
    tried += [table.throw(seat)] if "throw" not in names else []
    for found in tried:
        assert isinstance(found, Violation), (table, found)
        assert found.breaks
        assert known(f"refuse/{found.code.removeprefix('hand/')}"), found.code


def done(table: CardTable, game: CardGame, action: Action) -> CardTable:
    """The table after an action of the game, which has not happened there yet."""
    kind, number, flat = action
    seat, hand = Seat(game.to_move), hand_of(game, game.to_move)
    if kind == PLAY:
        text = position_of(game).move_of((CARDS[number],), flat).text
        after = table.play(seat, CARDS[number], text)
    elif kind in (DISCARD, LAY_DOWN):
        after = table.put_away(seat, hand if kind == LAY_DOWN else (CARDS[number],))
    elif kind == THROW_HAND:
        after = table.throw(seat)
    else:
        after = table.end(seat) if kind == STOP else table.give(seat, CARDS[number])
    assert isinstance(after, CardTable), (table, after)
    return after


def walk(rules: Ruleset, form: Form, seed: int, turns: int) -> Counter[str]:
    """Go through that many turns of games; count the actions by kind."""
    rng, counts = random.Random(seed), Counter[str]()
    zones, seats, teams = form
    engine = engine_for(shape_for(rules, zones), rules, seats, teams)
    while counts["turns"] < turns:
        game = CardGame(engine, rng.choice(seats), rng.shuffle)
        table = same_table(game)
        while counts["turns"] < turns:
            actions, seat = game.actions(), Seat(game.to_move)
            kinds = sorted({NAMES[kind] for kind, _, _ in actions})
            options = turn_options(
                position_of(game), hand_of(game, seat), owes_gift=bool(game.waiting_to_give)
            )
            assert list(table.choices.names) == kinds == list(options.choices.names), table
            if rng.random() < 0.1:
                check_refusals(table, rng)
            action = at_random(game, rng) if rng.random() < 0.8 else rng.choice(actions)
            table = done(table, game, action)
            counts[NAMES[action[0]]] += 1
            game.do(action)
            if game.winners():
                # The engine's game deals on after a last card that wins; the table is over.
                assert table.position.board == position_of(game).board
                assert not table.choices.names
                counts["turns"] += 1
                break
            if table.played_out:
                dealt = table.deal({Seat(one): hand_of(game, one) for one in seats})
                assert isinstance(dealt, CardTable), dealt
                table = dealt
                counts["deals"] += 1
            drawn = Counter(hand_of(game, seat)) - Counter(table.hands[seat])
            if drawn:
                after = table.draw(seat, tuple(drawn.elements()))
                assert isinstance(after, CardTable), after
                table = after
            counts["turns"] += game.to_move != seat or game.played == 0
            check_same(table, game)
    return counts


def check_same(table: CardTable, game: CardGame) -> None:
    for one in game.seats:
        assert Counter(table.hands[Seat(one)]) == Counter(hand_of(game, one))
    assert table.to_move == game.to_move
    assert table.hand == (game.dealer, game.hand_number, game.lead)
    assert list(table.position.stored_moves) == game.stored
    assert table.position.board == position_of(game).board
