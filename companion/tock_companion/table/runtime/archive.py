"""The games that were played: listed, read as logs, as records and as steps."""

import logging
from collections.abc import Callable, Iterator

from tock_companion.boardfile import BoardFile
from tock_companion.core.lobby import NOT_BEGUN
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_to_json, event_to_line
from tock_companion.events.facts import Event, GameEnded, GameStarted, MoveAccepted
from tock_companion.events.game import fold
from tock_companion.storage import DamagedGameError, Store
from tock_companion.table.runtime.ledger import Ledger
from tock_companion.table.seats.game_people import People
from tock_companion.views.kept_games import drawn_board, names_of, who_played, who_won
from tock_companion.views.names import Names
from tock_companion.views.records import record_of
from tock_companion.views.replay import holes, replay_view
from tock_companion.views.schema import ReplayView
from tock_companion.views.wording import games

LOG = logging.getLogger(__name__)
JOURNAL_LENGTH = 80


class Archive:
    """Reads the store for people. Hands are not in it: logs have only how many cards were dealt."""

    def __init__(self, store: Store | Ledger, people_of: Callable[[int], People]) -> None:
        self._store, self._people_of = store, people_of

    def games(self) -> list[dict[str, object]]:
        """All games, newest first."""
        return [game for number in reversed(self._store.numbers()) for game in self._game(number)]

    def _game(self, number: int) -> Iterator[dict[str, object]]:
        """Describe a game; nothing when it cannot be read."""
        try:
            events = self._store.game(number).events
        except DamagedGameError as error:
            LOG.error("%s", error)
            return
        started, last = events[0].fact, events[-1].fact
        if not isinstance(started, GameStarted) or (isinstance(last, GameEnded) and last.why == NOT_BEGUN):
            return
        names = names_of(started, self._people_of(number))
        won = who_won(last, names) if isinstance(last, GameEnded) else None
        yield {
            "number": number,
            "started_at": started.started_at,
            "ruleset": started.ruleset,
            "title": games.title(started.ruleset),
            "people": who_played(started, names),
            "seats": started.seats,
            "moves": sum(isinstance(event.fact, MoveAccepted) for event in events),
            "winner": last.winner if isinstance(last, GameEnded) else None,
            "won": won,
            "ended": isinstance(last, GameEnded),
        }

    def log(self, number: int) -> str:
        """A game as JSON lines; raises BadInputError when there is none of that number."""
        return "".join(f"{event_to_line(event)}\n" for event in self._events(number))

    def standing(self, number: int) -> tuple[BoardFile, dict[str, str]]:
        """The board of a game, and by hole whose pawn stands there now or at its end; raises BadInputError."""
        game = fold(self._events(number))
        return drawn_board(game.started), holes(game.position)

    def record(self, number: int) -> str:
        return record_of(self._events(number)).text()

    def replay(self, number: int, names: Names) -> ReplayView:
        return {"number": number, **replay_view(self._events(number), names)}

    def journal(self, number: int) -> list[dict[str, object]]:
        """The newest events as they are logged, newest first, to settle a dispute with."""
        return [event_to_json(event) for event in reversed(self._events(number)[-JOURNAL_LENGTH:])]

    def _events(self, number: int) -> tuple[Event, ...]:
        if number not in self._store.numbers():
            raise BadInputError(f"there is no game {number}")
        return self._store.game(number).events
