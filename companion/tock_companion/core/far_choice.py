"""The move that somebody far away has chosen: people at the table make that one, and no other legal move."""

from collections.abc import Sequence
from dataclasses import replace

from tock_companion.core.state import CoreState, options_of
from tock_companion.events.facts import Fact, ViolationFound
from tock_companion.referee.matching.candidates import Options

ANOTHER_MOVE = "far/another_move"


def options_now(state: CoreState) -> Options:
    """The candidates of now: of somebody far away, the move alone that they have chosen."""
    options = options_of(state.game, state.practice, state.following)
    move, position = state.planned, state.position
    waits = move is not None and state.game.card == move.card and move.before == position.board
    return replace(options, only=move) if waits and position.to_move in state.roster.far else options


def in_its_words(facts: Sequence[Fact], state: CoreState) -> Sequence[Fact]:
    """The same facts; a board that shows another move than was chosen breaks no rule, and is named so."""
    if state.options.only is None:
        return facts
    params = {
        "turn": state.position.to_move.name,
        "card": str(state.options.only.card),
        "move": state.options.only.text,
    }
    return [
        replace(fact, code=ANOTHER_MOVE, breaks=[], params=params)
        if isinstance(fact, ViolationFound)
        else fact
        for fact in facts
    ]
