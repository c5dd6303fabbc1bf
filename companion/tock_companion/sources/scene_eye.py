"""The source that sees the simulated table as it is, without pixels: for places where no picture can be drawn."""

from collections.abc import Callable

from tock_companion.observation import CardSighting, HoleReading, HoleState, LoosePawn, Observation
from tock_companion.sources.base import ClockMs, Deliver
from tock_companion.sources.scene import Scene
from tock_companion.sources.thread import SourceThread

FRAME_MS = 100.0
CONFIDENCE = 0.99
HAND_PITCHES = 2.5
"""Reach of the hand around its fingertips: holes below it are unseen."""


class SceneEye:
    """Reports the pawns and cards of a scene ten times a second."""

    name = "simulated"

    def __init__(self, scene: Scene) -> None:
        self.record_to: Callable[[int, bytes], None] | None = None
        self._scene = scene
        self._cards = 0
        self._thread = SourceThread(
            self.name, self._step, failed=lambda _t_ms, _error: FRAME_MS, close=lambda: None
        )

    def start(self, deliver: Deliver, clock_ms: ClockMs) -> None:
        """Begin to report."""
        self._cards = self._scene.state.laid_count
        self._thread.start(deliver, clock_ms)

    def stop(self) -> None:
        """End all reporting."""
        self._thread.stop()

    def preview(self) -> bytes | None:
        """No picture."""
        return None

    def _step(self, clock_ms: ClockMs) -> float:
        state = self._scene.state
        self._thread.deliver(self._observation(clock_ms()))
        if state.laid is not None and state.laid_count != self._cards:
            self._thread.deliver(CardSighting(clock_ms(), state.laid.seat, state.laid.card, self.name))
        self._cards = state.laid_count
        return FRAME_MS

    def _observation(self, t_ms: int) -> Observation:
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
        return Observation(t_ms, self.name, holes, loose=tuple(loose))
