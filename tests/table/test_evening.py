"""Whole games before a faultless camera with hands in the way: every turn must be recorded as it was played."""

import random

import pytest

from tests.support.observations import observed
from tests.support.tables import dry_table
from tock_companion.boardfile import generate
from tock_companion.core.bodies import Discard, EndTurn, MovePawns, PlayCard
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Request, Role
from tock_companion.events.facts import MoveAccepted, QuestionAsked, ViolationFound
from tock_companion.observation import Observation
from tock_companion.referee.matching.settle import Timing
from tock_rules import Board, Move, Seat, pack

pytestmark = pytest.mark.whole

TURNS = 50
TURNS_OF_A_STUDY = 200
FRAME_MS = 100
SLOW_STILL_MS = Timing().partial_ms + 3 * FRAME_MS
BOARD = generate(4, 440)
PACK = pack()


class Player:
    """Moves pawns like a person: picks up, carries over hidden holes, puts down; taken pawns go home first or last."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.core = dry_table(BOARD, GameSetup())
        self.t_ms = 0

    def show(self, pawns: dict[str, list[str]], frames: int, hidden: tuple[str, ...] = ()) -> list[object]:
        facts: list[object] = []
        for _ in range(frames):
            self.t_ms += FRAME_MS
            frame: Observation = observed(pawns, self.t_ms, occluded=hidden)
            facts += [event.fact for event in self.core.take(frame)]
        return facts

    def hand(self, around: int) -> tuple[str, ...]:
        return tuple(f"T{(around + offset) % 72}" for offset in range(-4, 5))

    def make(self, move: Move) -> list[object]:
        """Show the frames of a move; return the recorded events."""
        before, after = move.before.to_pawns(), move.result.to_pawns()
        lifted = without_movers(before, after)
        cell = max(move.parts[0].to_cell, 0)
        facts = self.show(lifted, self.rng.randint(1, 5), self.hand(max(move.parts[0].from_cell, 0)))
        facts += self.show(lifted, self.rng.randint(0, 3), self.hand(cell))
        facts += self.show(after, self.rng.randint(1, 4), self.hand(cell))
        for _ in range(SLOW_STILL_MS // FRAME_MS):
            if any(isinstance(fact, MoveAccepted) for fact in facts):
                break
            facts += self.show(after, 1)
        return facts

    def turn(self) -> tuple[str, list[object]] | None:
        """Play one turn with a random card; None when it could only be thrown away."""
        position = self.core.position
        mover, card = position.to_move, self.rng.choice(PACK)
        lay = Request(PlayCard(card), Role.SEAT, mover)
        card_moves = position.legal_moves(card)
        visible = [move for move in card_moves if not move.result.looks_like(position.board)]
        if not visible:
            self.core.ask(Request(Discard(card), Role.SEAT, mover), self.t_ms)
            if card_moves:
                self.core.ask(lay, self.t_ms)
                self.core.ask(Request(MovePawns(card_moves[0].text), Role.SEAT, mover), self.t_ms)
            return None
        move = self.rng.choice(visible)
        self.core.ask(lay, self.t_ms)
        return move.text, [move, *self.make(move)]


def without_movers(before: dict[str, list[str]], after: dict[str, list[str]]) -> dict[str, list[str]]:
    """The pawns that stay where they are; all others are in a hand."""
    stay: dict[str, list[str]] = {}
    for seat, places in before.items():
        left = [place.rstrip("*") for place in after[seat]]
        stay[seat] = []
        for place in places:
            if place.rstrip("*") in left:
                left.remove(place.rstrip("*"))
                stay[seat].append(place)
    return stay


@pytest.mark.parametrize("seed", range(2))
def test_every_turn_is_recorded_as_it_was_played(seed: int) -> None:
    assert play(Player(seed), TURNS) > TURNS // 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_every_turn_of_whole_games_is_recorded_as_it_was_played(seed: int) -> None:
    assert play(Player(seed), TURNS_OF_A_STUDY) > 20


def play(player: Player, turns: int) -> int:
    """Play and compare every turn with its record; return how many moves were made and recorded."""
    moves = 0
    for _ in range(turns):
        if player.core.game.ended is not None:
            break
        mover = player.core.position.to_move
        played = player.turn()
        if played is None:
            end_open_turn(player, mover)
            continue
        text, (move, *facts) = played
        accepted = [fact for fact in facts if isinstance(fact, MoveAccepted)]
        assert isinstance(move, Move)
        assert len(accepted) == 1, (text, facts)
        shape = move.before.shape
        assert Board.from_pawns(shape, accepted[0].result).looks_like(move.result), text
        assert not [fact for fact in facts if isinstance(fact, ViolationFound | QuestionAsked)], text
        end_open_turn(player, mover)
        moves += 1
    return moves


def end_open_turn(player: Player, mover: Seat) -> None:
    """A joker's second move is kept for later."""
    if player.core.position.to_move is mover and player.core.game.moved:
        player.core.ask(Request(EndTurn(), Role.SEAT, mover), player.t_ms)
