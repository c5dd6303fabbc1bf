"""The last moves in words and arrows, each worded once for as long as everybody keeps their name."""

from tock_companion.events.game import Game, Played
from tock_companion.views.moves import move_arrows, played_label
from tock_companion.views.names import Names
from tock_companion.views.parts import PlayedMove

HISTORY_LENGTH = 40


class Chronicle:
    """Keeps the wording of the newest moves: of forty in a view, at most one is new."""

    def __init__(self) -> None:
        self._names: Names | None = None
        self._worded: dict[int, tuple[Played, PlayedMove]] = {}

    def newest(self, game: Game, names: Names) -> list[PlayedMove]:
        """The newest moves that count, oldest first; they are shared and must not be changed."""
        kept = self._worded if names == self._names else {}
        worded: dict[int, tuple[Played, PlayedMove]] = {}
        for played in game.moves[-HISTORY_LENGTH:]:
            before = kept.get(played.seq)
            if before is None or before[0] is not played:
                before = (played, _word(played, names))
            worded[played.seq] = before
        self._names, self._worded = names, worded
        return [move for _, move in worded.values()]


def _word(played: Played, names: Names) -> PlayedMove:
    return {
        "seq": played.seq,
        "t_ms": played.t_ms,
        "seat": played.seat.name,
        "card": str(played.card),
        "text": played.move.text,
        "label": played_label(played, names),
        "arrows": move_arrows(played.move),
    }
