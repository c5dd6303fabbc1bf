"""Sources without pixels: one that shows scripted boards, one that sees the simulated table."""

import json
import threading
from collections.abc import Callable

from tests.support.boards import Pawns
from tests.support.observations import observed
from tock_companion.observation import (
    CardSighting,
    HoleReading,
    HoleState,
    LoosePawn,
    Observation,
    SourceMessage,
)
from tock_companion.sources.scene import Scene

FRAME_S = 0.1
CONFIDENCE = 0.99
HAND_PITCHES = 2.5
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


class PerfectEye:
    """Reports the pawns and cards of a scene ten times a second; holes below the hand stay unknown."""

    name = "simulated"

    def __init__(self, scene: Scene) -> None:
        self.record_to: Callable[[int, bytes], None] | None = None
        self._scene = scene
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._deliver: Callable[[SourceMessage], None] = lambda _message: None
        self._clock_ms: Callable[[], int] = lambda: 0

    def start(self, deliver: Callable[[SourceMessage], None], clock_ms: Callable[[], int]) -> None:
        self._deliver, self._clock_ms = deliver, clock_ms
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1)

    def preview(self) -> bytes | None:
        return TINY_JPEG

    def _watch(self) -> None:
        cards = self._scene.state.laid_count
        while not self._stopped.wait(FRAME_S):
            state = self._scene.state
            self._deliver(self._observation())
            if state.laid is not None and state.laid_count != cards:
                self._deliver(CardSighting(self._clock_ms(), state.laid.seat, state.laid.card, "simulated"))
            cards = state.laid_count

    def _observation(self) -> Observation:
        scene, board = self._scene, self._scene.board
        state = scene.state
        holes = {hole.id: HoleReading(HoleState.EMPTY, None, CONFIDENCE) for hole in board.holes}
        loose = []
        for pawn in state.pawns:
            if not (0 <= pawn.x_mm <= board.size_mm[0] and 0 <= pawn.y_mm <= board.size_mm[1]):
                # Beside the board no camera looks for pawns.
                continue
            hole_id = scene.hole_of(pawn)
            if hole_id is not None:
                holes[hole_id] = HoleReading(HoleState.PAWN, pawn.seat, CONFIDENCE)
                continue
            near, other = board.nearest(pawn.x_mm, pawn.y_mm)[0], board.halfway(pawn.x_mm, pawn.y_mm)
            between = other.id if other is not None else None
            loose.append(LoosePawn(pawn.x_mm, pawn.y_mm, pawn.seat, CONFIDENCE, near.id, between))
        if state.hand_mm is not None:
            reach_mm = HAND_PITCHES * board.pitch_mm
            for hole in board.holes:
                if abs(hole.x_mm - state.hand_mm[0]) < reach_mm and hole.y_mm > state.hand_mm[1] - reach_mm:
                    holes.pop(hole.id)
        return Observation(self._clock_ms(), self.name, holes, loose=tuple(loose))
