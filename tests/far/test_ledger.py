"""What phones were shown is held against the log: what is lost, doubled or otherwise does not pass."""

import pytest

from tests.support.boards import pawns
from tock_bench.far.ledger import Ledger, deeds_of, states_of
from tock_companion.boardfile import generate
from tock_companion.events.facts import CardPlayed, Event, Fact, MoveAccepted, TurnEnded
from tock_companion.events.game import apply, begin
from tock_companion.rules import Seat
from tock_companion.table.core.game_setup import GameSetup, game_started

START = {seat: places for seat, places in pawns("P0 T4, P2 T40").items() if seat in ("P0", "P2")}
CARDS = ("9H", "8S", "6C", "3H", "10H", "9D", "2C", "4D")
SHOWN = 11


def view_at(log: tuple[Event, ...], seq: int) -> dict[str, object]:
    pawns, card, to_move, ended = dict(states_of(log))[seq]
    return {"holes": dict(pawns), "card": card, "to_move": to_move, "game": {"seq": seq, "ended": ended}}


@pytest.fixture(scope="module")
def log() -> tuple[Event, ...]:
    """A few turns of two players who are soon out."""
    setup = GameSetup(seats=(Seat.P0, Seat.P2), teams=(), position=START)
    facts: list[Fact] = [game_started(setup, generate(4, 440))]
    game = begin(Event(1, 0, facts[0]))
    for card in CARDS:
        seat, move = game.position.to_move, game.position.legal_moves(card)[0]
        after = seat.name, move.position.play(move).end_turn().to_move.name
        new: list[Fact] = [
            CardPlayed(seat.name, card, "touch"),
            MoveAccepted(seat.name, card, move.text, move.result.to_pawns(), {}),
            TurnEnded(*after),
        ]
        for fact in new:
            game = apply(game, Event(game.seq + 1, 0, fact))
        facts += new
    return tuple(Event(seq, 0, fact) for seq, fact in enumerate(facts, 1))


@pytest.fixture
def ledger(log: tuple[Event, ...]) -> Ledger:
    noted = Ledger()
    for seq in range(1, len(log) + 1):
        noted.take("P0", view_at(log, seq))
    for deed in deeds_of(log):
        noted.asked[deed] += 1
        noted.granted[deed] += 1
    return noted


def test_a_phone_that_saw_the_log_finds_no_difference(ledger: Ledger, log: tuple[Event, ...]) -> None:
    found = ledger.compare(log, {"P0": view_at(log, len(log))})
    assert (found.lost, found.doubled, found.unnoticed, found.views) == (0, 0, 0, len(log))


def test_events_that_the_log_lacks_are_lost(ledger: Ledger, log: tuple[Event, ...]) -> None:
    found = ledger.compare(log[:-10], {})
    missing = sum(deed[1] in ("play_card", "move") for deed in deeds_of(log[-10:]))
    assert found.lost == 10 + missing


def test_a_move_that_was_made_twice_is_doubled(ledger: Ledger, log: tuple[Event, ...]) -> None:
    move = next(
        event.fact for event in log if isinstance(event.fact, MoveAccepted) and event.fact.seat == "P0"
    )
    ledger.asked["P0", "move", move.move] -= 1
    ledger.granted["P0", "move", move.move] -= 1
    assert ledger.compare(log, {}).doubled == 1


def test_a_view_that_shows_another_position_and_a_last_one_that_is_late_differ(
    ledger: Ledger, log: tuple[Event, ...]
) -> None:
    view = view_at(log, SHOWN)
    ledger.take("P0", {**view, "to_move": "P3" if view["to_move"] != "P3" else "P1"})
    assert ledger.compare(log, {"P0": view_at(log, len(log) - 1)}).unnoticed == 2
