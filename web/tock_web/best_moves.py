"""The best move of a game that is over, looked for once."""

from threading import Lock

from tock_companion.events.game import Game
from tock_companion.hints.best_move import BestMove, best_move


class BestMoves:
    """Looks for the best move of a game once; whoever asks meanwhile is told to ask again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._game: tuple[int, int] | None = None
        self._found: BestMove | None = None

    def of(self, number: int, game: Game) -> tuple[bool, BestMove | None]:
        """Whether it has been looked for, and the move; None where none stands out."""
        if not self._lock.acquire(blocking=False):
            return False, None
        try:
            if self._game != (number, game.seq):
                before = {turn.seq: turn.before for turn in game.turns}
                made = [(before[played.seq], played.move) for played in game.moves if played.seq in before]
                self._found, self._game = best_move(made), (number, game.seq)
            return True, self._found
        finally:
            self._lock.release()
