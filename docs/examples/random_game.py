"""Plays a whole game of four and prints its record and its last board: `python random_game.py [SEED] [RULESET]`.

Seats P0 and P2 are played by a bot that hurries, the others at random.
"""

import random
import sys

from tock_rules import Action, Game, Move, Seat


def gain(move: Move, seat: Seat) -> int:
    """Holes that the move brings the seat forward, and those that captured pawns lose."""
    shape, to_cell = move.before.shape, move.parts[-1].to_cell
    ahead = shape.track_length + to_cell if to_cell > shape.centre else shape.progress(seat, to_cell)
    lost = sum(shape.progress(owner, hole.number) for owner, hole in move.captures if owner != seat)
    return ahead + lost


def bot(game: Game) -> Action:
    """The action that looks best now; cards that move nothing come last."""
    return max(game.legal_actions(), key=lambda act: gain(act.move, game.to_move) if act.move else -1)


seed = int(sys.argv[1]) if len(sys.argv) > 1 else 7
rng = random.Random(seed)
game = Game.start(sys.argv[2] if len(sys.argv) > 2 else "mjc", players=4, seed=seed)
while game.result is None:
    game.play(bot(game) if game.to_move in (Seat.P0, Seat.P2) else rng.choice(game.legal_actions()))
print(game.record())
print(game.position)
