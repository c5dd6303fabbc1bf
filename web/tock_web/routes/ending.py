"""`/api/v1/ending`: the outcome of the game, its best move, and everybody's wins."""

from dataclasses import asdict

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from tock_companion.table.seats.scores import evenings, scores
from tock_companion.views.moves import worded
from tock_web.answers.game import BestMoveInfo, Ending
from tock_web.context import context
from tock_web.gate import endpoint

ending = Blueprint("ending", __name__, url_prefix="/api/v1/ending")


@ending.get("")
@endpoint(answer=Ending)
def how_it_ended() -> ResponseReturnValue:
    """The winner, the number of turns, the story of the game, and everybody's wins."""
    here = context()
    table = here.table
    game, every = table.game, evenings(table.results.all)
    won = game.ended.winner if game.ended is not None else None
    return jsonify(
        {
            "winner": won or [],
            "turns": sum(not turn.moved for turn in game.turns),
            "story": here.stories.of(table.number, game).lines(table.names),
            "evening": [asdict(score) for score in scores(every[-1] if every else ())],
            "always": [asdict(score) for score in scores(table.results.all)],
            "evenings": len(every),
        }
    )


@ending.get("/best")
@endpoint(answer=BestMoveInfo)
def best() -> ResponseReturnValue:
    """The best move of a game that is over; it takes some seconds to find."""
    here = context()
    game, number = here.table.game, here.table.number
    if game.ended is None or not game.ended.winner:
        return jsonify({"ready": True, "best": None, "points": 0})
    is_ready, found = here.best_moves.of(number, game)
    played = next((one for one in game.moves if found is not None and one.move is found.move), None)
    return jsonify(
        {
            "ready": is_ready,
            "best": worded(played, here.table.names) if played is not None else None,
            "points": round(100 * found.gain) if found is not None else 0,
        }
    )
