"""Requests as people may make them at any moment of a game, sensible or not."""

import random

from tock_companion.core import bodies
from tock_companion.core.bodies import Body
from tock_companion.core.requests import Request, Role
from tock_companion.core.state import CoreState
from tock_rules import Seat, pack

CARDS = pack()


def some_request(rng: random.Random, state: CoreState) -> Request:
    """Draw a request of any kind the game answers; some fit the moment, many do not."""
    turn = state.position.to_move
    possible = some_bodies(rng, state)
    role = Role.HOST if rng.random() < 0.3 else Role.SEAT
    seat = None if role is Role.HOST else turn if rng.random() < 0.7 else rng.choice(list(Seat)[:4])
    return Request(rng.choice(possible), role, seat)


def some_bodies(rng: random.Random, state: CoreState) -> list[Body]:
    """Draw a body of each kind; those that keep the game going stand there more than once."""
    card = rng.choice(CARDS)
    turns = [turn.seq for turn in state.game.turns] or [1]
    moves = [move.text for move in state.position.legal_moves(state.game.card or card)] or ["P0:T20>T29"]
    question = state.game.question
    return [
        bodies.PlayCard(card, rng.choice(moves)),
        bodies.MovePawns(rng.choice(moves), force=True),
        bodies.WithdrawCard(),
        bodies.Discard(card),
        bodies.EndTurn(),
        bodies.SetHand(tuple(rng.sample(CARDS, 3)), 4),
        bodies.DrawHand(),
        bodies.Deal(),
        bodies.DecideNow(),
        bodies.Answer(rng.choice(question.choices) if question else "9H"),
        bodies.Undo(),
        bodies.Undo(rng.choice(turns)),
        bodies.ProposeBack(rng.choice(turns)),
        bodies.VoteBack(state.ballot.number, rng.random() < 0.7),
        bodies.Correct((bodies.PawnChange(Seat.P3, "P3-C1", f"T{rng.randrange(72)}"),)),
        bodies.AcceptBoard(),
        bodies.Override(),
        bodies.SetMode(rng.choice(["recorder", "coach", "friendly", "strict"])),
        bodies.Pause(),
        bodies.Resume(),
        bodies.Resume(),
        bodies.Resume(),
    ]
