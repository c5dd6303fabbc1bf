"""The last moves in words and arrows, each told once for as long as everybody keeps their name."""

from tock_companion.events.game import Game, Played
from tock_companion.views.moves import move_arrows, played_label
from tock_companion.views.names import Names

Told = dict[str, object]
HISTORY_LENGTH = 40


class Chronicle:
    """What was told of the newest moves: of forty in a view, at most one is new."""

    def __init__(self) -> None:
        self._names: Names | None = None
        self._told: dict[int, tuple[Played, Told]] = {}

    def newest(self, game: Game, names: Names) -> list[Told]:
        """Return the newest moves that count, oldest first; nobody may change them."""
        kept = self._told if names == self._names else {}
        told: dict[int, tuple[Played, Told]] = {}
        for played in game.moves[-HISTORY_LENGTH:]:
            before = kept.get(played.seq)
            if before is None or before[0] is not played:
                before = (played, _tell(played, names))
            told[played.seq] = before
        self._names, self._told = names, told
        return [move for _, move in told.values()]


def _tell(played: Played, names: Names) -> Told:
    return {
        "seq": played.seq,
        "t_ms": played.t_ms,
        "seat": played.seat.name,
        "card": str(played.card),
        "text": played.move.text,
        "label": played_label(played, names),
        "arrows": move_arrows(played.move),
    }
