"""Sources without pixels: one that shows scripted boards, one that sees the simulated table."""

import json
from collections.abc import Callable

from tests.support.boards import Pawns
from tests.support.observations import observed
from tock_companion.observation import SourceMessage
from tock_companion.sources.scene_eye import SceneEye

TINY_JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffd9")


class HandSource:
    """Takes ten frames a second on the table's clock, all at once when asked to.

    While a recording runs, the board as JSON stands for a picture.
    """

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
            self.deliver(observed(board, self.t_ms))


class PerfectEye(SceneEye):
    """Sees the simulated table, and shows a picture of nothing."""

    def preview(self) -> bytes | None:
        return TINY_JPEG
