"""Games of the whole family at a table that sees its board: every turn is judged, logged, replayed and printed."""

from dataclasses import replace
from random import Random

import pytest
from pydantic import TypeAdapter

from tests.support.observations import observed
from tock_companion.boardfile import generate, parse, to_json
from tock_companion.core import bodies
from tock_companion.core.bodies import Body
from tock_companion.core.fields import HoleId
from tock_companion.core.game_setup import GameSetup, OtherBoardError, game_started
from tock_companion.core.lobby import opening_of
from tock_companion.core.requests import Reply, Request, Role
from tock_companion.core.roster import Roster
from tock_companion.core.step import begin_game
from tock_companion.events.codec import event_from_json, event_to_json
from tock_companion.events.facts import (
    Event,
    Fact,
    GameEnded,
    MoveAccepted,
    QuestionAsked,
    Repaired,
    ViolationFound,
)
from tock_companion.events.game import fold
from tock_companion.table.runtime.replaying import DryTable
from tock_companion.views.kept_games import drawn_board
from tock_companion.views.moves import text_label
from tock_companion.views.names import Names
from tock_companion.views.phrases import phrase
from tock_companion.views.records import record_of
from tock_companion.views.replay import holes
from tock_companion.views.terms import worded
from tock_companion.views.wording.games import own_statements
from tock_rules import TEXTS, Card, GameRecord, Move, Seat, load_preset, preset_names, shape_for, turn_options
from tock_web.routes.sim import MovedPawn

SISTERS = [name for name in preset_names() if name not in TEXTS]
FRAME_MS = 100
FRAMES = 40
MAX_TURNS = 3_000


class SisterTable:
    """A game of a ruleset on the board that is drawn for it; its seats make random moves that tend home."""

    def __init__(self, setup: GameSetup, zones: int, seed: int) -> None:
        self.rng = Random(f"{setup.ruleset} {seed}")
        board = parse(to_json(generate(shape_for(load_preset(setup.ruleset), zones), 620)))
        people = Roster(board.shape, board.colors, {}, dict.fromkeys(board.seats, "easy"))
        begun = begin_game(people, game_started(setup, board, "2026-11-29T19:45:00+00:00"), 0)
        self.core = DryTable(begun)
        self.core.state = replace(begun.state, secret=bytes([seed]))
        self.events: list[Event] = list(begun.events)
        self.t_ms = 0

    def ask(self, body: Body, seat: Seat) -> None:
        reply, events = self.core.ask(Request(body, Role.SEAT, seat), self.t_ms)
        assert reply.ok, (reply.code, body)
        self.events += events

    def show(self, pawns: dict[str, list[str]], until: type[Fact]) -> Fact | None:
        """Show a board until something of that kind is recorded."""
        for _ in range(FRAMES):
            self.t_ms += FRAME_MS
            events = self.core.take(observed(pawns, self.t_ms, shape=self.core.position.shape))
            self.events += events
            for event in events:
                if isinstance(event.fact, QuestionAsked | until):
                    return event.fact
        return None

    def deal(self) -> None:
        hands = self.core.state.hands.held.values()
        if not any(hand.count for hand in hands):
            self.ask(bodies.Deal(), self.core.position.to_move)
        for seat in self.core.position.seats:
            # A seat that lacks no card draws none.
            self.events += self.core.ask(Request(bodies.DrawHand(), Role.SEAT, seat), self.t_ms)[1]
        for seat in sorted(self.core.state.must_give):
            hand = self.core.state.hands.of(seat)
            assert hand is not None
            self.ask(bodies.Give(self.rng.choice(hand.cards)), seat)

    def turn(self) -> None:
        self.deal()
        state, seat = self.core.state, self.core.position.to_move
        hand = state.hands.of(seat)
        assert hand is not None
        position = state.hands.informing(state.position)
        choices = turn_options(position, hand.cards).choices
        if choices.play:
            moves = position.legal_moves(hand.cards)
            self.make(self.rng.choice(moves) if self.rng.random() < 0.2 else max(moves, key=self.worth))
        elif choices.hand:
            self.ask(bodies.Discard(cards=hand.cards), seat)
        elif choices.discard:
            self.ask(bodies.Discard(self.rng.choice(hand.cards)), seat)
        else:
            self.ask(bodies.EndTurn(), seat)

    def worth(self, move: Move) -> int:
        """How far the pawns of the side have come after a move, and the others have not."""
        board, shape, position = move.result, move.before.shape, move.position
        ours = next(side for side in position.sides if position.to_move in side)
        total = 0
        for index, cell in enumerate(board.cells):
            seat = Seat(index // shape.pawns_per_seat)
            if cell >= 0 and seat in position.seats:
                gone = shape.progress(seat, cell) if cell < shape.track_length else 2 * shape.track_length
                total += (gone + 20) * (1 if seat in ours else -1)
        return total

    def make(self, move: Move) -> None:
        """Lay the card and move the pawns; the referee has to see the same."""
        seat = move.position.to_move
        self.ask(bodies.PlayCard(move.card), seat)
        if move.result.looks_like(move.before):
            self.ask(bodies.MovePawns(move.text), seat)
            return
        found = self.show(move.result.to_pawns(), MoveAccepted)
        if isinstance(found, QuestionAsked):
            assert move.text in found.choices
            self.ask(bodies.Answer(move.text), seat)
        else:
            assert isinstance(found, MoveAccepted), (move.text, self.core.state.guidance)
        assert self.core.game.moves[-1].move.result.looks_like(move.result)

    def check(self) -> None:
        """The log gives the same game, by itself and as lines, and prints as a record that can be followed."""
        again = [event_from_json(event_to_json(event)) for event in self.events]
        assert again == self.events
        game = fold(again)
        assert game == self.core.game
        assert drawn_board(game.started).shape.size == game.position.shape.size
        assert len(holes(game.position)) == len(game.position.board.cells)
        record = GameRecord.parse(record_of(again).text())
        *_, last = record.positions()
        assert last.board == game.position.board


@pytest.mark.parametrize(
    ("ruleset", "zones"), [(name, n) for name in SISTERS for n in load_preset(name).zones]
)
def test_turns_of_every_game_are_judged_from_the_pawns_that_are_seen(ruleset: str, zones: int) -> None:
    table = SisterTable(GameSetup(ruleset), zones, 1)
    while len(table.core.game.moves) < 6:
        table.turn()
    table.check()


@pytest.mark.parametrize("ruleset", SISTERS)
def test_a_pawn_put_too_far_is_named_by_a_statement_of_the_game_and_put_right(ruleset: str) -> None:
    rules = load_preset(ruleset)
    camp = ["camp"] * rules.pawns_per_seat
    start = {f"P{number}": camp for number in range(4)} | {"P0": ["T20", *camp[1:]]}
    table = SisterTable(GameSetup(ruleset, first=Seat.P0, position=start), 4, 1)
    table.deal()
    table.ask(bodies.PlayCard(Card.parse("6H")), Seat.P0)
    wrong = table.show(start | {"P0": ["T27", *camp[1:]]}, ViolationFound)
    assert isinstance(wrong, ViolationFound)
    assert wrong.breaks[0] in own_statements()
    assert [(step["from"], step["to"]) for step in wrong.repair] == [("T27", "T20")]
    assert isinstance(table.show(start, Repaired), Repaired)
    move = table.core.position.legal_moves("6H")[0]
    assert isinstance(table.show(move.result.to_pawns(), MoveAccepted), MoveAccepted)


def test_a_ten_of_quebec_costs_the_next_player_a_card_at_the_table_too() -> None:
    start = {"P0": ["T20", *["camp"] * 3], **{f"P{number}": ["camp"] * 4 for number in (1, 2, 3)}}
    table = SisterTable(GameSetup("quebec", first=Seat.P0, position=start), 4, 1)
    table.deal()
    ten, king = Card.parse("10H"), Card.parse("KH")
    table.ask(bodies.PlayCard(ten), Seat.P0)
    move = table.core.position.legal_moves(ten)[0]
    assert isinstance(table.show(move.result.to_pawns(), MoveAccepted), MoveAccepted)
    assert not table.core.position.legal_moves(king), "it could come out, and owes a card"
    table.ask(bodies.Discard(ten), Seat.P1)
    assert table.core.position.owes_discard == {Seat.P2}, "a Ten put away hits the next player"
    table.ask(bodies.Discard(king), Seat.P2)
    assert table.core.position.legal_moves(king)


@pytest.mark.parametrize(("ruleset", "wanted"), [("keezen", (4, 16, 4)), ("pegs-jokers", (4, 18, 5))])
def test_a_game_on_a_board_of_another_ring_is_refused_before_it_begins(
    ruleset: str, wanted: tuple[int, int, int]
) -> None:
    with pytest.raises(
        OtherBoardError, match=f"{ruleset} needs a board of 4 zones.* choose its board"
    ) as caught:
        game_started(GameSetup(ruleset), generate(4, 440))
    assert caught.value.wanted.size == wanted
    state = SisterTable(GameSetup("toc"), 4, 1).core.state
    reply = opening_of(bodies.Prepare(ruleset), state, generate(4, 440))
    assert isinstance(reply, Reply)
    refusal = worded(f"refuse/{reply.code}", reply.params, Names(state.roster.shape, state.roster.colors, {}))
    assert f"{wanted[1]} holes and {wanted[2]} pawns each; this one has 4 zones of 18 holes" in refusal["en"]
    assert f"{wanted[1]} trous et {wanted[2]} pions chacun" in refusal["fr"]


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("ruleset", SISTERS)
def test_whole_games_of_every_ruleset_come_to_their_end(ruleset: str, seed: int) -> None:
    table = SisterTable(GameSetup(ruleset), min(load_preset(ruleset).zones, key=lambda n: abs(n - 4)), seed)
    for _ in range(MAX_TURNS):
        if table.core.game.ended is not None:
            break
        table.turn()
    assert isinstance(table.core.game.ended, GameEnded)
    table.check()


@pytest.mark.parametrize("name", preset_names())
def test_every_hole_and_pawn_of_a_game_may_be_named_in_a_request(name: str) -> None:
    rules, hole = load_preset(name), TypeAdapter(HoleId)
    for zones in rules.zones:
        for spot in generate(shape_for(rules, zones), 620).holes:
            assert hole.validate_python(spot.id) == spot.id
    for number in range(1, rules.pawns_per_seat + 1):
        assert hole.validate_python(f"H{number}") == f"H{number}"
        assert MovedPawn(id=f"P1-{number}").x_mm is None


def test_a_move_that_moves_nothing_names_no_hole() -> None:
    shape = shape_for(load_preset("jackaroo"), 4)
    label = text_label("P0:burn>P1", shape, Names(shape, {}, {}, {}))
    assert label == phrase("move-burn", other=Names(shape, {}, {}, {}).seat(Seat.P1))
