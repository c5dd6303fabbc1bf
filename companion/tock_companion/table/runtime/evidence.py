"""The evidence behind accepted moves: pictures of the changed holes before and after, for the host in a dispute."""

import logging
from collections.abc import Callable, Iterable, Sequence

from tock_companion.errors import BadInputError
from tock_companion.events.facts import CardPlayed, Event, MoveAccepted, TurnEnded
from tock_companion.events.game import fold
from tock_companion.referee.tracking.belief import Expectation
from tock_companion.sources.base import CropSource, Source
from tock_companion.table.runtime.ledger import Ledger
from tock_rules import Board, Card, Kind, Move, Position, Rank, judge_move

LOG = logging.getLogger(__name__)
CARD = "card"
"""The name under which a source that sees the discard pile gives the card's picture."""
_OF_KIND = {
    Kind.START: "starter",
    Kind.JUMP: "jump",
    Kind.LINE: "line",
    Kind.CENTRE_IN: "centre_in",
    Kind.CENTRE_OUT: "centre_out",
}
_OF_CARD = {
    Rank.ACE: "ace",
    Rank.FOUR: "four",
    Rank.FIVE: "five",
    Rank.SEVEN: "seven",
    Rank.JACK: "jack",
    Rank.QUEEN: "queen",
    Rank.KING: "king",
    Rank.JOKER: "joker",
}
"""Names of the statements in the rulesets that a move rests on."""
_MARKS = (CardPlayed, MoveAccepted, TurnEnded)
"""Events at which the board stood as before the next move."""


class Evidence:
    """Keeps pictures as moves are accepted, and shows them with the move's probability and rule."""

    def __init__(self, store: Ledger, sources: Sequence[Source], running: Callable[[], int]) -> None:
        """Look through those sources that keep pictures; `running` gives the number of the running game."""
        self._store, self._running = store, running
        self._cameras = [source for source in sources if isinstance(source, CropSource)]
        self._calm_ms = 0

    def keep(self, before: Board, events: Iterable[Event]) -> None:
        """Keep the pictures of newly accepted moves; a disk that refuses costs the pictures and nothing else."""
        for event in events:
            if isinstance(event.fact, MoveAccepted):
                after = Board.from_pawns(before.shape, event.fact.result)
                boards = [Expectation.of(board, board.seats) for board in (before, after)]
                if self._cameras:
                    self._keep_pictures(event, sorted(boards[0].changes(boards[1])))
                before = after
            if isinstance(event.fact, _MARKS):
                self._calm_ms = event.t_ms

    def _keep_pictures(self, event: Event, holes: list[str]) -> None:
        pictures: dict[str, bytes] = {}
        for camera in self._cameras:
            for hole, png in camera.crops(self._calm_ms, holes).items():
                pictures.setdefault(f"before/{hole}", png)
            for hole, png in camera.crops(event.t_ms, [*holes, CARD]).items():
                pictures.setdefault(CARD if hole == CARD else f"after/{hole}", png)
        if not pictures:
            return
        game = self._running()
        self._store.write_if_idle(lambda: self._store.pictures.keep(game, event.seq, pictures))

    def of(self, seq: int, game: int | None = None) -> dict[str, object]:
        """Collect what speaks for an accepted move, by default of the running game; for the host alone.

        Raises BadInputError when that event is no accepted move.
        """
        game = self._running() if game is None else game
        events = self._store.game(game).events
        fact = events[seq - 1].fact if 1 <= seq <= len(events) else None
        if not isinstance(fact, MoveAccepted):
            raise BadInputError(f"event {seq} is no accepted move")
        before = fold(events[: seq - 1]).position
        return {
            "game": game,
            "seq": seq,
            "t_ms": events[seq - 1].t_ms,
            "seat": fact.seat,
            "card": fact.card,
            "move": fact.move,
            "by": fact.evidence.get("by"),
            "probability": fact.evidence.get("confidence"),
            "rule": list(_rule(before, fact)),
            "pictures": list(self._store.pictures.names(game, seq)),
        }

    def png(self, seq: int, name: str, game: int | None = None) -> bytes | None:
        """One of the pictures that `of` names, None when there is none; for the host alone."""
        return self._store.pictures.png(self._running() if game is None else game, seq, name)


def _rule(position: Position, fact: MoveAccepted) -> tuple[str, ...]:
    """The statements of the rule text that the move rests on."""
    card = Card.parse(fact.card)
    move = judge_move(position, card, fact.move)
    things = [_OF_CARD.get(card.rank, "value")]
    if isinstance(move, Move):
        things = [_OF_KIND[part.kind] for part in move.parts if part.kind in _OF_KIND] + things
        things += ["capture"] if move.captures else []
    return position.ruleset.refs(*things)
