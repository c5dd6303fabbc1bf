"""`/api/v1/ending`: the outcome of the game, its best move, and everybody's wins; the film of the game."""

from dataclasses import asdict

from flask import Blueprint, Response, abort, jsonify
from flask.typing import ResponseReturnValue

from tock_companion.language import DEFAULT, Language
from tock_companion.schema import Schema
from tock_companion.table.seats.scores import evenings, scores
from tock_companion.views.moves import worded
from tock_web.answers.game import BestMoveInfo, Ending, FilmInfo
from tock_web.context import context
from tock_web.services import FilmKey, FilmProgress
from tock_web.serving.gate import Media, endpoint


class FilmQuery(Schema):
    """The film in one language."""

    lang: Language = DEFAULT


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


@ending.post("/film")
@endpoint(body=FilmQuery, answer=FilmInfo)
def make_film(asked: FilmQuery) -> ResponseReturnValue:
    """Have the film of a game drawn that somebody has won; it takes some seconds."""
    films, key = context().services.films, _film(asked)
    if films is not None and key is not None:
        films.ask(key)
    return _state(asked)


@ending.get("/film")
@endpoint(query=FilmQuery, answer=FilmInfo)
def progress(asked: FilmQuery) -> ResponseReturnValue:
    """The progress of the film."""
    return _state(asked)


@ending.get("/film.gif")
@endpoint(query=FilmQuery, answer=Media(("image/gif",)))
def film(asked: FilmQuery) -> ResponseReturnValue:
    """The film itself, once it is ready."""
    films, key = context().services.films, _film(asked)
    gif = films.film(key) if films is not None and key is not None else None
    if gif is None:
        abort(404)
    return Response(gif, mimetype="image/gif", headers={"Content-Disposition": "inline; filename=tock.gif"})


def _state(asked: FilmQuery) -> ResponseReturnValue:
    films, key = context().services.films, _film(asked)
    state = films.progress(key) if films is not None and key is not None else FilmProgress("none", 0)
    return jsonify(asdict(state))


def _film(asked: FilmQuery) -> FilmKey | None:
    """The film of the present game; None before somebody has won it."""
    table = context().table
    game = table.game
    is_won = game.ended is not None and bool(game.ended.winner)
    return FilmKey(table.number, game.seq, asked.lang) if is_won else None
