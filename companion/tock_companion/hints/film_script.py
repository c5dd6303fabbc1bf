"""Writes the script of a game's film: each move in its order, and the moments that deserve time."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tock_companion.boardfile.film_scenes import FilmScript, Scene, Walk
from tock_companion.core.indices import Indices
from tock_companion.events.facts import Event
from tock_companion.events.game import Game, Played, fold
from tock_companion.hints.marches import ways_of
from tock_companion.hints.story import story_of, what_happened
from tock_companion.language import Language, same_everywhere
from tock_companion.views.kept_games import drawn_board, names_of, people_of, who_played
from tock_companion.views.moves import hole_of_cell
from tock_companion.views.names import Names
from tock_companion.views.phrases import phrase
from tock_companion.views.replay import holes
from tock_rules import CAMP, BoardShape, Kind, Part, Seat, distance, path

MAX_SLOW = 8
"""Moves that are shown slowly, the last one among them."""


def film_script(
    events: Sequence[Event],
    people: Mapping[Seat, str],
    lang: Language,
    letters: Indices = Indices.BY_LANGUAGE,
) -> FilmScript:
    """Write the film of a game from its log, with `letters` on the cards; raises BadInputError if it is not one."""
    game = fold(events)
    names = replace(names_of(game.started, people), indices=letters)
    story = story_of(game).lines(names)
    slow = _slow(game)
    first = next(iter(game.turns)).before if game.turns else game.position
    won = game.ended.winner if game.ended is not None else None
    opening = "film-opening-one" if len(game.moves) == 1 else "film-opening"
    code = "over-won-many" if won and len(won) > 1 else "over-won"
    return FilmScript(
        board=drawn_board(game.started),
        title=who_played(game.started, names)[lang],
        opening=phrase(opening, n=str(len(game.moves)))[lang],
        players={seat: names.seat(seat)[lang] for seat in game.position.seats},
        start=holes(first),
        scenes=tuple(_scene(played, names, lang, played.seq in slow) for played in game.moves),
        winners=tuple(map(Seat.parse, won or ())),
        end=phrase(code, winner=people_of(won, names))[lang] if won else "",
        epilogue=story[-1][lang] if story else "",
    )


def _slow(game: Game) -> frozenset[int]:
    """The moves that are shown slowly: the last, the turning point, and the cruellest captures."""
    if not game.moves:
        return frozenset()
    captures = [one for one in ways_of(played.move for played in game.moves).captures if not one.friendly]
    cruel = sorted(captures, key=lambda capture: capture.left)
    chosen = [game.moves[-1].seq, story_of(game).turning, *(game.moves[one.number - 1].seq for one in cruel)]
    return frozenset([seq for seq in dict.fromkeys(chosen) if seq][:MAX_SLOW])


def _scene(played: Played, names: Names, lang: Language, is_slow: bool) -> Scene:
    move = played.move
    shape = move.before.shape
    what = what_happened(played).text(names)
    plain = same_everywhere(f"{names.seat(played.seat)[lang]} · {names.card(played.card)[lang]}")
    return Scene(
        seat=played.seat,
        walks=tuple(_walk(shape, part) for part in move.parts),
        after=holes(move.position.play(move)),
        caption=(what if is_slow or move.captures else plain)[lang],
        is_slow=is_slow,
    )


def _walk(shape: BoardShape, part: Part) -> Walk:
    ends = (
        hole_of_cell(shape, part.seat, part.from_cell),
        hole_of_cell(shape, part.seat, part.to_cell),
    )
    steps = distance(shape, part) if part.kind is Kind.STEP and part.from_cell != CAMP else None
    if not steps:
        return Walk(part.seat, ends)
    cells = path(shape, part.seat, part.from_cell, steps, part.to_cell)
    return Walk(part.seat, (ends[0], *(hole_of_cell(shape, part.seat, cell) for cell in cells)))
