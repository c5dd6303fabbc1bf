"""A source that shows the boards it is told to; while recording, a board as JSON stands for a picture."""

import json
from collections.abc import Callable

from tests.looks import Pawns, look
from tock_companion.observation import SourceMessage


class HandSource:
    """Takes ten frames a second on the table's clock, all at once when asked to."""

    name = "hand"

    def __init__(self) -> None:
        self.record_to: Callable[[int, bytes], None] | None = None
        self.deliver: Callable[[SourceMessage], None] = lambda _message: None
        self.t_ms = 0

    def start(self, deliver: Callable[[SourceMessage], None], clock_ms: Callable[[], int]) -> None:
        self.deliver = deliver
        self.t_ms = clock_ms()

    def stop(self) -> None: ...

    def preview(self) -> bytes | None:
        return None

    def show(self, board: Pawns, frames: int) -> None:
        for _ in range(frames):
            self.t_ms += 100
            if self.record_to is not None:
                picture = {name: list(places) for name, places in board.items()}
                self.record_to(self.t_ms, json.dumps(picture).encode())
            self.deliver(look(board, self.t_ms))
