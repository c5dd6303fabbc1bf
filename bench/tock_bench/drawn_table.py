"""A drawn table in front of the real capture loop, reader and referee, and what became of a move there."""

from enum import Enum

import numpy as np

from tock_bench.noisy.person import Shot, Standing
from tock_bench.wandering import Automatics, exposed
from tock_companion.events.facts import Event, MoveAccepted, ViolationFound
from tock_companion.observation import Observation, SourceMessage
from tock_companion.rules import Hole, Move
from tock_companion.table.runtime.replaying import DryTable
from tock_vision.arrays import Frame
from tock_vision.capture import CaptureLoop
from tock_vision.grabbers import Grabber
from tock_vision.rendering.appearance import DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer

FRAME_MS = 200
"""Interval between frames: a rate at which a slow machine reads, and the referee was measured."""
STILL_MS = 2600
"""Time for which the pawns stand still before a move: a table that misses one has reported it by then."""
PATIENCE_MS = 6000


class End(Enum):
    """What became of a move; the value heads its column."""

    RIGHT = "right"
    ALARM = "right, after a false warning"
    ASKED = "a question instead"
    WARNED = "a warning instead"
    WRONG = "another move"
    SILENT = "silence"


class DrawnTable(Grabber):
    """A camera above a drawn table; its automatics may wander."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer
        self.standing: Standing = {}
        self.hand: frozenset[Hole] = frozenset()
        self.gains_bgr = (1.0, 1.0, 1.0)

    def open(self) -> None:
        """Nothing needs opening."""

    def close(self) -> None:
        """Nothing is held open."""

    def grab(self) -> Frame:
        """Draw the table as it is now, through the camera as it is set now."""
        board = self.renderer.board
        pawns = []
        for hole, seat in self.standing.items():
            place = board.hole(hole)
            color = named_color(board.colors[seat])
            pawns.append(DrawnPawn(place.x_mm, place.y_mm, color, seed=int(seat)))
        covered = [board.hole(hole) for hole in self.hand]
        tip = (
            (float(np.mean([hole.x_mm for hole in covered])), float(np.mean([hole.y_mm for hole in covered])))
            if covered
            else None
        )
        return exposed(self.renderer.frame(pawns, tip), self.gains_bgr)


class Watched:
    """A table, the loop that carries pictures to it, and all that is recorded."""

    def __init__(self, loop: CaptureLoop, dry: DryTable, drawn: DrawnTable) -> None:
        self.loop, self.table, self.drawn = loop, dry, drawn
        self.automatics: Automatics | None = None
        self.events: list[Event] = []
        self.guided: list[str] = []
        self.t_ms = 0
        self._seen: Observation | None = None
        loop.prepare(self._take)

    def _take(self, message: SourceMessage) -> None:
        if isinstance(message, Observation):
            self._seen = message
        self.events += self.table.take(message)

    def show(self, shot: Shot) -> None:
        """Let the loop look at a shot for as long as it lasts."""
        self.drawn.standing, self.drawn.hand = shot.standing, shot.occluded
        for _ in range(max(1, shot.for_ms // FRAME_MS)):
            self.t_ms += FRAME_MS
            if self.automatics is not None:
                self.drawn.gains_bgr = self.automatics.gains_bgr(self.t_ms)
            self.loop.step(self.t_ms)
            if self.table.deadline_ms is not None and self.table.deadline_ms <= self.t_ms:
                self.events += self.table.tick(self.t_ms)
            guidance = self.table.state.guidance
            if guidance is not None and guidance.code not in self.guided:
                self.guided.append(guidance.code)

    def wait(self) -> None:
        """Leave the table alone until it has decided, or patience ends; then a little longer, for what comes after."""
        end_ms = self.t_ms + PATIENCE_MS
        while self.t_ms < end_ms and not self._accepted() and "question" not in self._kinds():
            self.show(Shot(self.drawn.standing, frozenset(), FRAME_MS))
        self.show(Shot(self.drawn.standing, frozenset(), STILL_MS))

    def _accepted(self) -> list[MoveAccepted]:
        return [event.fact for event in self.events if isinstance(event.fact, MoveAccepted)]

    def _kinds(self) -> list[str]:
        return [event.fact.KIND for event in self.events]

    @property
    def codes(self) -> list[str]:
        """Everything that the table recorded, by kind; violations and guidance by code."""
        facts = [event.fact for event in self.events]
        warned = [fact.code if isinstance(fact, ViolationFound) else fact.KIND for fact in facts]
        return warned + self.guided

    def end(self, move: Move) -> End:
        """What became of the move."""
        accepted, kinds = self._accepted(), self._kinds()
        if accepted and not self.table.position.board.looks_like(move.result):
            return End.WRONG
        if "question" in kinds:
            return End.ASKED
        alarmed = {"violation", "pawn_missing"} & set(kinds)
        if accepted:
            return End.ALARM if alarmed else End.RIGHT
        return End.WARNED if alarmed or self.table.state.guidance is not None else End.SILENT

    def errors(self) -> tuple[int, int]:
        """Holes read wrong, and holes not read, in the last picture."""
        if self._seen is None:
            return 0, 0
        wrong = unknown = 0
        for hole, reading in self._seen.holes.items():
            seat = self.drawn.standing.get(hole)
            if reading.state.value == "unknown":
                unknown += 1
            elif (reading.state.value == "pawn") != (seat is not None) or reading.seat not in (None, seat):
                wrong += 1
        return wrong, unknown
