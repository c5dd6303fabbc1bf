"""Whole games as lines of text: what `tock game export --events` writes and other tables take up again."""

from collections.abc import Sequence

from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_from_line
from tock_companion.events.facts import Event, GameStarted
from tock_companion.events.game import fold


def read_log(lines: Sequence[str]) -> tuple[Event, ...]:
    """Return the events of a whole log that the rules agree with; raises BadInputError saying what is wrong where."""
    events = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                events.append(event_from_line(line))
            except BadInputError as error:
                raise BadInputError(f"line {number}: {error}") from None
    if not events or not isinstance(events[0].fact, GameStarted):
        raise BadInputError("this is not a whole log of a game: it does not begin with game_started")
    fold(events)
    return tuple(events)
