"""Before the first card of a hand partners give each other a card: nobody plays, or sees one, before all have given."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from tests.support.tables import send, wait_for
from tock_companion.boardfile import BoardFile, generate, parse, to_json
from tock_companion.computer_seats import Computers
from tock_companion.core import bodies
from tock_companion.core.bodies import Body
from tock_companion.core.draft import Step
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.requests import Reply, Request, Role
from tock_companion.core.roster import Roster
from tock_companion.core.step import begin_game, step
from tock_companion.events.codec import event_from_json, event_to_json
from tock_companion.events.facts import CardsDealt, Event
from tock_companion.events.game import apply, fold
from tock_companion.events.hands import fold_hands
from tock_companion.storage import Store
from tock_companion.storage.event_lines import event_of, stored
from tock_companion.table.runtime.advising import moment_now
from tock_companion.table.runtime.live import Table
from tock_rules import Card, Seat, load_preset, shape_for, turn_options

PEOPLE = {Seat.P0: "Anna", Seat.P1: "Ben", Seat.P2: "Cleo", Seat.P3: "Dan"}
HANDS = {
    Seat.P0: "AS 2S 3S 5S 6S 9S",
    Seat.P1: "AH 2H 3H 5H 6H 9H",
    Seat.P2: "KD 2D 3D 5D 6D 9D",
    Seat.P3: "KC 2C 3C 5C 6C 9C",
}


def board_of(zones: int) -> BoardFile:
    return parse(to_json(generate(shape_for(load_preset("brandi-dog"), zones), 620)))


class Played:
    """A game without a clock: what happened, and the cards behind it."""

    def __init__(
        self, ruleset: str = "brandi-dog", zones: int = 4, seed: int = 1, teams: Any = None, **people: Any
    ) -> None:
        self.rng = Random(f"{ruleset} {zones} {seed}")
        board = parse(to_json(generate(shape_for(load_preset(ruleset), zones), 620)))
        roster = Roster(board.shape, board.colors, {}, dict.fromkeys(board.seats, "easy"))
        setup = GameSetup(ruleset, teams=teams)
        begun = begin_game(replace(roster, **people), game_started(setup, board), 0)
        self.state = replace(begun.state, secret=bytes([seed]))
        self.events: list[Event] = []
        self.secrets: dict[Any, Any] = {}
        self.take(begun)

    def take(self, taken: Step) -> Reply:
        self.state = replace(taken.state, secret=self.state.secret)
        self.events += taken.events
        self.secrets.update(taken.secrets)
        return taken.reply

    def ask(self, seat: Seat, body: Body) -> str:
        return self.take(step(self.state, Request(body, Role.SEAT, seat), len(self.events))).code

    def cards(self, seat: Seat) -> tuple[Card, ...]:
        hand = self.state.hands.of(seat)
        return () if hand is None else hand.cards

    def deal(self) -> None:
        if not any(hand.count for hand in self.state.hands.held.values()):
            assert self.ask(self.state.position.to_move, bodies.Deal()) == "ok"
        for seat in self.state.position.seats:
            self.ask(seat, bodies.DrawHand())

    def give_all(self) -> None:
        """Everybody gives in any order; some change their mind, and nobody can play meanwhile."""
        exchange = self.state.hands.exchange
        waiting, before = list(exchange.givers), {seat: self.cards(seat) for seat in exchange.mates}
        given: dict[Seat, Card] = {}
        self.rng.shuffle(waiting)
        while waiting:
            turn = self.state.position.to_move
            assert self.ask(turn, bodies.PlayCard(self.rng.choice(before[turn]))) == "give_first"
            assert self.ask(turn, bodies.EndTurn()) == "give_first"
            seat = waiting.pop()
            if given and self.rng.random() < 0.2:
                back = self.rng.choice(sorted(given))
                assert self.ask(back, bodies.Give(how="withdrawn")) == "ok"
                assert Counter(self.cards(back)) == Counter(before[back])
                del given[back]
                waiting.append(back)
            card = given[seat] = self.rng.choice(before[seat])
            assert self.ask(seat, bodies.Give(card)) == "ok"
            if waiting:
                assert self.ask(seat, bodies.Give(card)) == "no_gift"
                for other, cards in before.items():
                    assert len(self.cards(other)) == len(cards) - (other in given)
        for seat, mate in exchange.mates.items():
            expected = Counter(before[mate]) - Counter([given[mate]]) + Counter([given[seat]])
            assert Counter(self.cards(mate)) == expected
        assert self.ask(Seat.P0, bodies.Give(self.cards(Seat.P0)[0])) == "no_gift"

    def gifts(self) -> list[Event]:
        return [
            event
            for event in self.events
            if isinstance(event.fact, CardsDealt) and event.fact.gift is not None
        ]

    def turn(self) -> None:
        self.deal()
        if self.state.hands.exchange.givers:
            self.give_all()
        state, seat = self.state, self.state.position.to_move
        hand = self.cards(seat)
        position = state.hands.informing(state.position)
        choices = turn_options(position, hand).choices
        if choices.play:
            moves = position.legal_moves(hand)
            # Towards home, else at random: hands without any aim fill the log before somebody wins.
            move = max(self.rng.sample(moves, len(moves)), key=lambda move: str(move.result).count("H"))
            assert self.ask(seat, bodies.PlayCard(move.card)) == "ok"
            assert self.ask(seat, bodies.MovePawns(move.text)) == "ok"
        elif choices.hand or choices.discard:
            away = bodies.Discard(cards=hand) if choices.hand else bodies.Discard(hand[0])
            assert self.ask(seat, away) == "ok"
        else:
            assert self.ask(seat, bodies.EndTurn()) == "ok"

    def check(self) -> None:
        """The cards are those of the pack, and the log gives the same game, in the lines of the store too."""
        held = Counter(card for hand in self.state.hands.held.values() for card in hand.cards)
        assert not held - Counter(self.state.hands.plan.deck)
        again = [event_of(*stored(event_from_json(event_to_json(event)))) for event in self.events]
        assert again == self.events
        assert fold(again) == self.state.game
        assert fold_hands(again, self.secrets) == self.state.hands
        counts = {seat: hand.count for seat, hand in self.state.hands.held.items()}
        blind = {seat: hand.count for seat, hand in fold_hands(again, {}).held.items()}
        assert blind == counts


@pytest.mark.parametrize(
    ("ruleset", "zones", "teams"),
    [
        ("brandi-dog", 4, None),
        ("brandi-dog", 6, None),
        ("brandi-dog", 6, [[Seat.P0, Seat.P3], [Seat.P1, Seat.P4], [Seat.P2, Seat.P5]]),
        ("toc", 4, None),
        ("quebec", 4, None),
    ],
)
def test_cards_change_hands_before_each_hand_and_nobody_plays_before(
    ruleset: str, zones: int, teams: Any
) -> None:
    game = Played(ruleset, zones, 1, teams)
    for turn in range(150):
        if game.state.game.ended is not None:
            break
        game.turn()
        if turn % 25 == 0 and len(game.state.game.turns) > 3:
            # A few turns are taken back, also over a deal and its exchange.
            back = game.rng.choice(game.state.game.turns[-8:])
            taken = step(game.state, Request(bodies.Undo(back.seq), Role.HOST), len(game.events))
            assert game.take(taken).ok
            assert not game.state.hands.exchange.givers
            game.check()
    game.check()
    assert len(game.gifts()) > 2 * len(game.state.position.seats)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("zones", [4, 6])
@pytest.mark.parametrize("seed", range(10))
def test_whole_games_with_exchanges_come_to_their_end(zones: int, seed: int) -> None:
    game = Played("brandi-dog", zones, seed)
    for _ in range(5_000):
        if game.state.game.ended is not None:
            break
        game.turn()
    assert game.state.game.ended is not None
    game.check()


def test_advice_knows_which_cards_are_gone_where_the_pack_goes_on_from_hand_to_hand() -> None:
    game, gone = Played(), dict[int, int]()
    while len(gone) < 8:
        game.deal()
        if game.state.hands.exchange.givers:
            game.give_all()
        moment = moment_now(cast(Any, game.state), game.state.position.to_move)
        if moment is not None:
            gone.setdefault(game.state.hands.deals, len(moment.knowledge.discards))
        game.turn()
    # Four times 6, 5, 4, 3, 2, 6 cards; then six are too few for the next hand, and the others are shuffled.
    assert gone == {1: 0, 2: 24, 3: 44, 4: 60, 5: 72, 6: 80, 7: 0, 8: 20}


def test_a_hand_that_a_seat_enters_settles_no_debt_of_the_deal() -> None:
    game = Played("quebec").state.game
    owing = replace(game, position=replace(game.position, owes_discard=frozenset({Seat.P1})))
    for fact in (CardsDealt({"P1": 3}), CardsDealt({"P1": 3}, "named")):
        assert apply(owing, Event(2, 0, fact)).position.owes_discard == {Seat.P1}
    dealt = CardsDealt(dict.fromkeys(("P0", "P1", "P2", "P3"), 4))
    assert not apply(owing, Event(2, 0, dealt)).position.owes_discard


def test_an_earlier_release_reads_a_gift_as_a_hand_that_its_seat_has_entered() -> None:
    game = Played()
    game.deal()
    game.give_all()
    for event in game.gifts():
        line, later = stored(event)
        assert later is not None
        assert ("gift" in later, "gift" in line) == (True, False)
        assert isinstance(event.fact, CardsDealt)
        assert event_of(line, None).fact == CardsDealt(event.fact.counts)


def test_cards_given_from_hand_to_hand_need_no_word_and_only_named_ones_are_shown() -> None:
    """Real cards: those who play have exchanged them."""
    game = Played(computers={}, players=PEOPLE)
    assert (game.state.givers, game.state.must_give) == (frozenset(PEOPLE), frozenset())
    assert game.ask(Seat.P0, bodies.Give(how="unnamed")) == "ok"
    assert game.ask(Seat.P0, bodies.PlayCard(Card.parse("6H"))) == "ok"
    assert not game.state.givers
    game.check()
    # A card that only the giver named reaches a hand of which the table knows nothing, as a word on the phone.
    game = Played(computers={Seat.P1: "easy", Seat.P3: "easy"}, players={Seat.P0: "Anna", Seat.P2: "Cleo"})
    game.deal()
    assert game.state.must_give == {Seat.P1, Seat.P3}
    assert game.ask(Seat.P0, bodies.SetHand(tuple(map(Card.parse, HANDS[Seat.P0].split())))) == "ok"
    assert game.state.must_give == {Seat.P0, Seat.P1, Seat.P3}
    assert game.ask(Seat.P0, bodies.Give(Card.parse("KH"))) == "not_held"
    assert game.ask(Seat.P0, bodies.Give(Card.parse("AS"))) == "ok"
    for seat in (Seat.P1, Seat.P3):
        assert game.ask(seat, bodies.Give(how="unnamed")) == "not_allowed"
        assert game.ask(seat, bodies.Give(game.cards(seat)[0])) == "ok"
    assert game.ask(Seat.P2, bodies.Give(how="unnamed")) == "ok"
    known = game.state.hands.of(Seat.P0)
    assert known is not None
    assert (len(known.cards), known.missing) == (5, 1)
    gift = game.state.hands.exchange.gift_to(Seat.P2)
    assert gift is not None
    assert gift.card == Card.parse("AS")
    assert not game.cards(Seat.P2)
    game.check()


def test_a_card_for_a_seat_is_not_shown_to_whoever_sits_there_later() -> None:
    game = Played()
    game.deal()
    game.give_all()
    hands = game.state.hands
    known = hands.of(Seat.P2)
    assert known is not None
    hidden = hands.forgotten(Seat.P2, known.entered_at)
    gift = hidden.exchange.gift_to(Seat.P2)
    assert gift is not None
    assert gift.card is None
    assert hidden.of(Seat.P2) == replace(known, cards=(), missing=6)
    visible = {key: cards for key, cards in game.secrets.items() if key[1] is not Seat.P2}
    assert fold_hands(game.events, visible).of(Seat.P2) == hidden.of(Seat.P2)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    running = Table(board_of(4), Store(tmp_path), setup=GameSetup("brandi-dog"))
    running.start()
    yield running
    running.stop()


def ask(table: Table, seat: Seat, kind: str, **data: object) -> Reply:
    return send(table.request, kind, data, Role.SEAT, seat)


def sit(table: Table) -> None:
    for seat, name in PEOPLE.items():
        table.people.join(name, seat)
        assert ask(table, seat, "hand_set", cards=HANDS[seat].split()).ok


def test_each_phone_says_whom_to_give_a_card_and_shows_it_only_once_all_have_given(
    table: Table, tmp_path: Path
) -> None:
    sit(table)
    seen: Any = table.view(Role.SEAT, Seat.P0)
    assert (seen["expects"], seen["givers"], seen["your_turn"]) == ("give", ["P0", "P1", "P2", "P3"], False)
    assert seen["cards"] == HANDS[Seat.P0].split()
    assert seen["sentence"]["en"].startswith("Choose a card for ")
    assert ask(table, Seat.P0, "give", card="AS").ok
    for seat in (Seat.P1, Seat.P2):
        assert ask(table, seat, "give", card=HANDS[seat].split()[0]).ok
    roles: list[tuple[Role, Seat | None]] = [(role, None) for role in (Role.TABLE, Role.HOST, Role.WATCH)]
    for role, viewer in [*roles, (Role.SEAT, Seat.P2)]:
        view: Any = table.view(role, viewer)
        assert view["givers"] == ["P3"]
        assert "'AS'" not in str(view)
    # The current is cut, and comes back: who has given still has.
    table.stop()
    again = Table(board_of(4), Store(tmp_path), setup=GameSetup("brandi-dog"))
    again.start()
    try:
        own: Any = again.view(Role.SEAT, Seat.P0)
        assert [held["card"] for held in own["hand"]["cards"]] == HANDS[Seat.P0].split()[1:]
        assert own["sentence"]["en"].startswith("Your card for ")
        assert ask(again, Seat.P0, "play_card", card="2S").code == "give_first"
        assert ask(again, Seat.P3, "give", card="KC").ok
        theirs: Any = again.view(Role.SEAT, Seat.P2)
        assert theirs["hand"]["received"] == "AS"
        assert [held["card"] for held in theirs["hand"]["cards"]][-1] == "AS"
        assert ask(again, Seat.P0, "play_card", card="KD").ok
    finally:
        again.stop()


@pytest.mark.parametrize("strength", ["easy", "medium", "strong"])
def test_computers_give_by_themselves_and_wait_for_people(table: Table, strength: str) -> None:
    table.people.join("Anna", Seat.P0)
    for seat in ("P1", "P2", "P3"):
        assert send(table.request, "set_computer", {"seat": seat, "strength": strength}, Role.HOST).ok
    computers = Computers(table, seed=1, pace_s=0.0, again_s=1e6)
    computers.act()
    computers.act()
    assert ask(table, Seat.P0, "hand_set", cards=HANDS[Seat.P0].split()).ok
    view: Any = wait_for(table, lambda view: view["givers"] == ["P0"])
    assert ask(table, Seat.P0, "play_card", card="AS").code == "give_first"
    assert ask(table, Seat.P0, "give", card="9S").ok
    view = table.view(Role.SEAT, Seat.P0)
    assert (view["expects"], view["your_turn"], view["givers"]) == ("card", True, [])
    assert view["hand"]["received"] is not None
    assert len(view["hand"]["cards"]) == 6
