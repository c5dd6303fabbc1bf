"""Cards that the companion draws: as from one stock, whatever people take back, and whoever comes and goes."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.tables import BOARD
from tock_companion.boardfile import generate
from tock_companion.core import bodies
from tock_companion.core.bodies import Body
from tock_companion.core.draft import Step
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.requests import Request, Role
from tock_companion.core.roster import Roster
from tock_companion.core.state import CoreState
from tock_companion.core.step import begin_game, step
from tock_companion.events.facts import MoveTakenBack
from tock_companion.events.hand import Hand
from tock_companion.storage import Store
from tock_companion.table.runtime.draw_secret import DrawSecret
from tock_companion.table.runtime.ledger import Ledger
from tock_rules import BoardShape, Card, Seat, load_preset, preset_names, shape_for, turn_options

PEOPLE = Roster(
    BoardShape(4), BOARD.colors, {Seat.P0: "Mamie", Seat.P2: "Bob"},
    computers={Seat.P1: "easy", Seat.P3: "strong"}, far={Seat.P0: "drawn", Seat.P2: "drawn"},
)  # fmt: skip


def begun(ruleset: str, secret: bytes) -> CoreState:
    board = generate(shape_for(load_preset(ruleset), 4), 440)
    people = replace(PEOPLE, shape=board.shape)
    return replace(begin_game(people, game_started(GameSetup(ruleset), board), 0).state, secret=secret)


def asked(state: CoreState, body: Body, seat: Seat | None, role: Role = Role.SEAT) -> Step:
    return step(state, Request(body, role, seat), state.game.t_ms + 100)


def drawn(state: CoreState) -> CoreState:
    """The table once every seat has drawn the cards that it lacks, and all were dealt a hand where none has any."""
    held = state.hands.held.values()
    if not held or not any(hand.count for hand in held):
        state = asked(state, bodies.Deal(), state.position.to_move).state
    for seat in state.position.seats:
        state = asked(state, bodies.DrawHand(), seat).state
    for seat in sorted(state.must_give):
        hand = state.hands.of(seat)
        assert hand is not None
        state = asked(state, bodies.Give(hand.cards[0]), seat).state
    return state


def played(state: CoreState, rng: random.Random) -> CoreState:
    """The table after the seat to move has laid a card, moved, put cards away or ended its turn, as its hand allows."""
    seat, position = state.position.to_move, state.hands.informing(state.position)
    hand = state.hands.of(seat)
    assert hand is not None
    choices = turn_options(position, hand.cards).choices
    if choices.play and rng.random() < 0.8:
        move = rng.choice(position.legal_moves(hand.cards))
        laid = asked(state, bodies.PlayCard(move.card), seat)
        if rng.random() < 0.1:
            return asked(laid.state, bodies.WithdrawCard(), seat).state
        return asked(laid.state, bodies.MovePawns(move.text), seat).state
    if choices.hand:
        return asked(state, bodies.Discard(cards=hand.cards), seat).state
    if choices.throw and rng.random() < 0.5:
        return asked(state, bodies.ThrowHand(hand.cards), seat).state
    if choices.discard:
        return asked(state, bodies.Discard(rng.choice(hand.cards)), seat).state
    return asked(state, bodies.EndTurn(), seat).state


def disturbed(state: CoreState, rng: random.Random) -> CoreState:
    """The table after something that a cheat, or a child, tries."""
    seat = rng.choice(state.position.seats)
    match rng.randrange(6):
        case 0:
            people = {**PEOPLE.players}
            people.pop(Seat.P0)
            gone = replace(PEOPLE, players=people, computers={**PEOPLE.computers, Seat.P0: "easy"}, far={})
            return state.with_roster(rng.choice([gone, PEOPLE]))
        case 1:
            return asked(state, bodies.SetHand((), 9), seat).state if seat in state.roster.far else state
        case 2:
            return asked(state, bodies.Deal(), seat).state if seat in state.roster.far else state
        case 3:
            return asked(state, bodies.Undo(), seat).state
        case _:
            return asked(state, bodies.DrawHand(), seat).state


def check(state: CoreState) -> None:
    """Nobody holds more cards than were dealt, and no card is held more often than the pack has it."""
    hands, plan = state.hands, state.hands.plan
    for hand in hands.held.values():
        assert hand.count <= hands.cards_dealt
        assert not hand.doubtful
    held = Counter(card for hand in hands.held.values() for card in hand.cards)
    assert not held - Counter(plan.deck)


def go_on(ruleset: str, seed: int, actions: int = 30) -> int:
    """A random game with everything that may happen to it; return how often something was taken back."""
    rng, state = random.Random(f"{ruleset} {seed}"), begun(ruleset, bytes([seed % 256]))
    before: dict[int, tuple[CoreState, CoreState]] = {}
    undone = 0
    for _ in range(actions):
        state = drawn(state)
        check(state)
        after = played(state, rng) if rng.random() < 0.7 else disturbed(state, rng)
        check(after)
        turns = after.game.turns
        if len(turns) > len(state.game.turns):
            before[turns[-1].seq] = state, after
        if turns and rng.random() < 0.25 and after.game.card is None:
            turn = rng.choice(turns[-3:])
            back = asked(after, bodies.Undo(turn.seq), None, Role.HOST)
            assert any(isinstance(event.fact, MoveTakenBack) for event in back.events)
            undone += 1
            check(back.state)
            then, _ = before[turn.seq]
            mover = then.position.to_move
            assert same_hand(back.state, then, mover), (ruleset, seed)
            after = back.state
        state = after
        if state.game.ended is not None:
            break
    return undone


def same_hand(state: CoreState, then: CoreState, seat: Seat) -> bool:
    """Whether a seat holds the cards of another moment; a former player's cards may be unknown meanwhile."""
    return ordered(state.hands.of(seat)) == ordered(then.hands.of(seat))


def ordered(hand: Hand | None) -> tuple[list[str], int] | None:
    return None if hand is None else (sorted(map(str, hand.cards)), hand.missing)


@pytest.mark.parametrize("ruleset", preset_names())
def test_no_hand_grows_and_taking_back_gives_the_hand_of_before(ruleset: str) -> None:
    assert sum(go_on(ruleset, seed) for seed in range(6)) > 5


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("ruleset", preset_names())
def test_no_hand_grows_in_two_thousand_games(ruleset: str) -> None:
    assert sum(go_on(ruleset, seed) for seed in range(2000)) > 2000


def cards_of(state: CoreState, seat: Seat) -> list[str]:
    hand = state.hands.of(seat)
    return [] if hand is None else [str(card) for card in hand.cards]


@pytest.mark.parametrize("ruleset", ["mjc", "diagonale", "joker-individuel"])
def test_the_same_draw_after_another_card_gives_the_same_card(ruleset: str) -> None:
    """A far player used to draw a new card for each move taken back (S2)."""
    compared = 0
    for seed in range(20):
        state = drawn(begun(ruleset, bytes([seed])))
        seat = state.position.to_move
        hand = cards_of(state, seat)
        others = list(dict.fromkeys(hand))[:2]
        found = set()
        for card in others:
            away = asked(state, bodies.Discard(Card.parse(card)), seat)
            if not away.reply.ok:
                continue
            after = drawn(away.state)
            found.add(next(iter(Counter(cards_of(after, seat)) - (Counter(hand) - Counter([card])))))
            back = asked(after, bodies.Undo(), None, Role.HOST)
            assert cards_of(back.state, seat) == hand
            compared += 1
        assert len(found) <= 1
    assert compared > 4


def test_a_deal_taken_back_is_dealt_again_alike() -> None:
    state = drawn(begun("gladius", b"1"))
    while any(hand.count for hand in state.hands.held.values()):
        last, state = state, played(state, random.Random(1))
    first = drawn(state)
    undone = asked(first, bodies.Undo(), None, Role.HOST).state
    assert ordered(undone.hands.of(last.position.to_move)) == ordered(last.hands.of(last.position.to_move))
    again = drawn(played(undone, random.Random(1)))
    assert {seat: cards_of(again, seat) for seat in Seat} == {seat: cards_of(first, seat) for seat in Seat}


def test_cards_follow_from_the_secret_and_are_hidden_from_another_player() -> None:
    state = drawn(begun("mjc", b"1"))
    assert cards_of(state, Seat.P0) == cards_of(drawn(begun("mjc", b"1")), Seat.P0)
    assert cards_of(state, Seat.P0) != cards_of(drawn(begun("mjc", b"2")), Seat.P0)
    hidden = replace(state, hands=state.hands.forgotten(Seat.P0, state.game.seq))
    newcomer = hidden.with_roster(replace(PEOPLE, players={**PEOPLE.players, Seat.P0: "Zoé"}))
    assert Counter(cards_of(drawn(newcomer), Seat.P0)) != Counter(cards_of(state, Seat.P0))


def test_far_players_whose_cards_are_drawn_name_none_and_deal_only_when_all_are_played() -> None:
    state = drawn(begun("mjc", b"1"))
    assert asked(state, bodies.SetHand((Card.parse("KH"),)), Seat.P0).reply.code == "not_allowed"
    assert asked(state, bodies.SetHand((), 12), Seat.P0).reply.code == "not_allowed"
    assert asked(state, bodies.Deal(), Seat.P0).reply.code == "deal_early"


def test_a_seat_that_threw_its_hand_draws_nothing() -> None:
    for seed in range(200):
        state = drawn(begun("gladius", bytes([seed])))
        seat = state.position.to_move
        hand = state.hands.of(seat)
        assert hand is not None
        thrown = asked(state, bodies.ThrowHand(hand.cards), seat)
        if thrown.reply.ok:
            assert asked(thrown.state, bodies.DrawHand(), seat).reply.code == "no_draw"
            return
    raise AssertionError("nobody was dealt a hand without a starter")


def test_a_card_comes_again_only_once_the_stock_is_renewed() -> None:
    state, rng = drawn(begun("mjc", b"1")), random.Random(2)
    seen = Counter(card for seat in Seat for card in cards_of(state, seat))
    stock = state.hands.plan.stock
    assert stock is not None
    while len(state.hands.played) < stock:
        held = Counter(card for seat in Seat for card in cards_of(state, seat))
        state = drawn(played(state, rng))
        seen += Counter(card for seat in Seat for card in cards_of(state, seat)) - held
    assert seen == Counter(map(str, state.hands.plan.deck))


def test_a_game_keeps_its_secret_through_a_restart_and_the_next_game_has_another(tmp_path: Path) -> None:
    store = Store(tmp_path)
    secret = DrawSecret(store, Ledger(store))
    first = secret.of_game(3)
    assert len(first) == 32
    store.close()
    store = Store(tmp_path)
    secret = DrawSecret(store, Ledger(store))
    assert secret.of_game(3) == first
    assert secret.renewed(4) != first
    assert secret.of_game(3) not in (first, secret.of_game(4))
    store.close()


def test_the_secret_is_in_no_text_form() -> None:
    assert "my secret" not in repr(begun("mjc", b"my secret"))
