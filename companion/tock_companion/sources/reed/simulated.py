"""The simulated table over the emulated reed board: a pawn that is dragged closes a switch in the emulator."""

import logging
from collections.abc import Mapping

from tock_companion.boardfile import BoardFile
from tock_companion.boardfile.wiring import inputs_of
from tock_companion.observation import CardSighting
from tock_companion.sources.base import ClockMs, Deliver
from tock_companion.sources.reed.emulator import Emulator, EmulatorError
from tock_companion.sources.reed.source import ReedSource
from tock_companion.sources.scene import Scene
from tock_companion.sources.thread import SourceThread

LOG = logging.getLogger(__name__)
EMULATED = "sim"
WAIT_S = 0.25
"""The magnets wait this long for a pawn to move before they check whether to stop."""
GONE_MS = 1000.0
"""Interval between restarts of a dead emulator; meanwhile the reed source reports a dead port."""
BOUNCES = 5
BOUNCE_GAP_US = 150
"""A reed bounces for 0.5 to 1 ms when it closes."""


class SimulatedReed(ReedSource):
    """A reed board whose firmware runs in the emulator and whose magnets are the pawns of a scene."""

    def __init__(self, board_file: BoardFile, settings: Mapping[str, object], scene: Scene) -> None:
        self.emulator = Emulator(board_file.zones)
        try:
            super().__init__(board_file, {**settings, "port": self.emulator.port})
        except BaseException:
            self.emulator.close()
            raise
        self._scene = scene
        self._wires = inputs_of(board_file.shape)
        self._closed: frozenset[int] = frozenset()
        self._cards_reported = scene.state.laid_count
        self._revision = -1
        self._magnets = SourceThread(
            "magnets", self._follow, failed=lambda _t_ms, _error: GONE_MS, close=lambda: None
        )

    def start(self, deliver: Deliver, clock_ms: ClockMs) -> None:
        self._move()
        self._magnets.start(deliver, clock_ms)
        super().start(deliver, clock_ms)

    def stop(self) -> None:
        self._magnets.stop()
        super().stop()
        self.emulator.close()

    def _follow(self, clock_ms: ClockMs) -> float:
        state = self._scene.wait(self._revision, WAIT_S)
        if state.revision != self._revision:
            self._revision = state.revision
            try:
                self._move()
            except EmulatorError as error:
                LOG.error("%s", error)
                return GONE_MS
            if state.laid_count != self._cards_reported:
                self._cards_reported = state.laid_count
                if state.laid is not None:
                    card = CardSighting(clock_ms(), state.laid.seat, state.laid.card, "simulated")
                    self._magnets.deliver(card)
        return 0.0

    def _move(self) -> None:
        """Close the switches under pawns and open the others."""
        holes = {self._scene.hole_of(pawn) for pawn in self._scene.state.pawns}
        closed = frozenset(self._wires[hole] for hole in holes if hole is not None)
        # A lift comes before the put: two pawns are never in one hand at once.
        for number in sorted(self._closed - closed):
            self.emulator.switch(number, False)
        for number in sorted(closed - self._closed):
            self.emulator.tell("bounce", number, 1, BOUNCES, BOUNCE_GAP_US)
        self._closed = closed
