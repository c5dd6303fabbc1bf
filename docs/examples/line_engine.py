"""A player for `tock arena --engine "python line_engine.py"`: reads positions and writes moves, a JSON line each."""

import json
import sys

from tock_rules import BadInputError, Move, Position


def gain(text: str, position: Position) -> int:
    """Holes that a move brings our side forward; -1 for an action that moves nothing."""
    try:
        move = Move.parse(text, position)
    except BadInputError:
        return -1
    shape, seat, to_cell = position.shape, position.to_move, move.parts[-1].to_cell
    ahead = shape.track_length + to_cell if to_cell > shape.centre else shape.progress(seat, to_cell)
    lost = [shape.progress(owner, hole.number) for owner, hole in move.captures if owner != seat]
    return ahead + sum(lost)


for line in sys.stdin:
    request = json.loads(line)
    position = Position.parse(request["position"])
    best = max(request["moves"], key=lambda text: gain(text, position))
    print(json.dumps({"move": best}), flush=True)
