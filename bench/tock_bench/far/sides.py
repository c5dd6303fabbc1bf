"""One companion of a game that two share: a table with a board that is shown to it."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Protocol

from tests.support.sources import HandSource
from tock_bench.drawn_table import DrawnTable
from tock_bench.noisy.person import standing_on
from tock_companion.boardfile import BoardFile
from tock_companion.errors import TockError
from tock_companion.events.facts import Fact, MoveAccepted, MoveTakenBack
from tock_companion.rules import Board
from tock_companion.storage import Store
from tock_companion.table.core.game_setup import GameSetup
from tock_companion.table.runtime.live import Table
from tock_vision.capture import CaptureLoop
from tock_vision.reader import BoardReader
from tock_vision.rendering.renderer import Renderer

PATIENCE_S = 60.0
LOOK_S = 0.05
FRAMES, MORE_FRAMES = 12, 2
CAMERA_MS = 200


class Sees(Protocol):
    """A source that is shown boards."""

    def see(self, board: Board, frames: int) -> None:
        """See a board for a number of frames."""


class Hand(HandSource):
    """Sees what a program puts."""

    def see(self, board: Board, frames: int) -> None:
        """See a board for a number of frames."""
        self.show(board.to_pawns(), frames)


class DrawnCamera(CaptureLoop):
    """The real reader before drawn pictures, on the table's clock."""

    def __init__(self, board: BoardFile) -> None:
        self._drawn = DrawnTable(Renderer(board))
        super().__init__("camera", self._drawn, BoardReader(board), 1000 / CAMERA_MS)
        self._t_ms = 0

    def start(self, deliver: Callable[..., None], clock_ms: Callable[[], int]) -> None:
        """Report when asked to."""
        self._t_ms = clock_ms()
        self.prepare(deliver)

    def see(self, board: Board, frames: int) -> None:
        """Take a number of pictures of a board."""
        self._drawn.standing = standing_on(board)
        for _ in range(frames):
            self._t_ms += CAMERA_MS
            self.step(self._t_ms)


class Side:
    """A companion: a table with a board that is shown to it."""

    def __init__(
        self,
        folder: Path,
        board: BoardFile,
        setup: GameSetup | None,
        make_source: Callable[[BoardFile], Sees],
    ) -> None:
        self.folder, self._board_file, self._setup, self._make = folder, board, setup, make_source
        self.shown: Board | None = None
        self.open()

    def open(self) -> None:
        """Start the table on its folder."""
        self._source = self._make(self._board_file)
        sources = [self._source]
        self.table = Table(self._board_file, Store(self.folder), sources, setup=self._setup)  # type: ignore[arg-type]
        self._setup = None
        self.table.start()

    def show(self, board: Board) -> None:
        """Have the camera see a board for over a second."""
        self.shown = board
        self._source.see(board, FRAMES)

    def look(self) -> None:
        """Have the camera see the same board a little longer."""
        if self.shown is not None:
            self._source.see(self.shown, MORE_FRAMES)

    @property
    def played(self) -> int:
        """The moves of the game, as everybody is shown it."""
        return len(self.table.game.moves)

    def facts(self) -> list[Fact]:
        """The moves in its log, and those taken back."""
        return [fact for _, fact in self.table.facts()[1] if isinstance(fact, MoveAccepted | MoveTakenBack)]


def until(holds: Callable[[], bool], again: Callable[[], None] = lambda: None) -> bool:
    """Wait for something; False when it has not come in time. `again` is repeated meanwhile."""
    end_s = monotonic() + PATIENCE_S
    while monotonic() < end_s:
        with suppress(TimeoutError, TockError):
            if holds():
                return True
            again()
        sleep(LOOK_S)
    return False
