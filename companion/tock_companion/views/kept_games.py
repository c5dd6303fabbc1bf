"""Kept games as people speak of them: who played against whom, and who won."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from tock_companion.boardfile import BoardFile, generate, parse
from tock_companion.errors import BadInputError
from tock_companion.events.facts import GameEnded, GameStarted
from tock_companion.language import Text
from tock_companion.views.names import Names
from tock_companion.views.phrases import listed, phrase
from tock_rules import BoardShape, Seat, load_preset, shape_for

USUAL_SIZE_MM = 440


def drawn_board(started: GameStarted) -> BoardFile:
    """The board to draw a game on: its own, and the usual one where the log has none that can be read."""
    try:
        if started.board_file is not None:
            return parse(started.board_file)
    except BadInputError:
        pass
    try:
        shape = shape_for(load_preset(started.ruleset).with_options(started.options), started.zones)
    except BadInputError:
        shape = BoardShape(started.zones)
    return generate(replace(shape, has_centre=True), USUAL_SIZE_MM)


def names_of(started: GameStarted, people: Mapping[Seat, str]) -> Names:
    """The words of a game: the colours of its board, and who sat there; a computer has an empty name."""
    players = {seat: name for seat, name in people.items() if name}
    computers = dict.fromkeys(people.keys() - players.keys(), "")
    board = drawn_board(started)
    return Names(board.shape, board.colors, players, computers)


def who_played(started: GameStarted, names: Names) -> Text:
    """`Léa and Tom against Mamie and Guy`; where more than two play alone they are listed."""
    sides = [people_of(side, names) for side in started.teams or [[seat] for seat in started.seats]]
    if started.teams or len(sides) == 2:
        return reduce(lambda one, other: phrase("against", one=one, other=other), sides)
    return listed(sides)


def who_won(ended: GameEnded, names: Names) -> Text | None:
    """`Léa and Tom won`; None where a game was given up."""
    if not ended.winner:
        return None
    code = "kept-won-many" if len(ended.winner) > 1 else "kept-won"
    return phrase(code, winner=people_of(ended.winner, names))


def people_of(seats: Sequence[str], names: Names) -> Text:
    """`Léa and Tom`."""
    return listed([names.seat(Seat.parse(seat)) for seat in seats])
