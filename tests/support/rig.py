"""A reed source on an emulated board, with everything that it says at hand."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tock_companion.boardfile import generate
from tock_companion.boardfile.wiring import inputs_of
from tock_companion.observation import (
    Edge,
    HoleState,
    Observation,
    SourceCondition,
    SourceMessage,
    SourceReport,
)
from tock_companion.sources.reed.clock import monotonic_ms
from tock_companion.sources.reed.emulator import Emulator
from tock_companion.sources.reed.source import ReedSource
from tock_rules import Hole

PATIENCE_S = 20.0
EMULATOR_SILENCE_MS = 15_000
"""An emulated board on a busy machine may be left without the processor for longer than a real one is ever silent."""
SIDES_MM = {4: 440.0, 6: 560.0, 8: 600.0}


class Rig:
    """Keeps the messages of a source; `wait` returns as soon as something holds."""

    def __init__(self, source: ReedSource, board: Emulator) -> None:
        self.source = source
        self.board = board
        self.messages: list[SourceMessage] = []
        self._news = threading.Condition()
        self.inputs = inputs_of(source.link.boards)
        source.start(self._hear, monotonic_ms)

    def _hear(self, message: SourceMessage) -> None:
        with self._news:
            self.messages.append(message)
            self._news.notify_all()

    def wait(self, what: str, holds: Callable[[], bool]) -> None:
        with self._news:
            if not self._news.wait_for(holds, PATIENCE_S):
                raise AssertionError(
                    f"never happened: {what}; last: {self.messages[-3:]}; {self.source.health()}"
                )

    @property
    def observations(self) -> list[Observation]:
        return [message for message in self.messages if isinstance(message, Observation)]

    @property
    def reports(self) -> list[SourceReport]:
        return [message for message in self.messages if isinstance(message, SourceReport)]

    @property
    def edges(self) -> list[Edge]:
        return [edge for observation in self.observations for edge in observation.edges]

    def pawns(self) -> frozenset[str] | None:
        """Holes with a pawn, by the newest observation; None while nothing is known."""
        last = next(iter(self.observations[-1:]), None)
        if last is None or not last.holes:
            return None
        return frozenset(hole for hole, reading in last.holes.items() if reading.state is HoleState.PAWN)

    def wait_for_pawns(self, *holes: str) -> None:
        self.wait(f"pawns on {holes}", lambda: self.pawns() == frozenset(holes))

    def wait_for_report(self, code: str, since: int = 0) -> SourceReport:
        """The first report with that code, not counting the first `since` reports."""
        self.wait(f"report {code}", lambda: any(report.code == code for report in self.reports[since:]))
        return next(report for report in self.reports[since:] if report.code == code)

    def put(self, *holes: str) -> None:
        for hole in holes:
            self.board.switch(self.inputs[Hole.parse(hole)], True)

    def lift(self, *holes: str) -> None:
        for hole in holes:
            self.board.switch(self.inputs[Hole.parse(hole)], False)

    def up(self) -> None:
        """Wait until the switches are known."""
        self.wait("the switches are known", lambda: self.pawns() is not None)

    def conditions(self) -> list[SourceCondition]:
        return [report.condition for report in self.reports]


@contextmanager
def rig(zones: int = 4, *, boards: int | None = None, **options: object) -> Iterator[Rig]:
    """Run an emulated board and a source on its terminal."""
    with Emulator(boards if boards is not None else zones, **options) as board:  # type: ignore[arg-type]
        source = ReedSource(
            generate(zones, SIDES_MM[zones]), {"port": board.port}, silence_ms=EMULATOR_SILENCE_MS
        )
        running = Rig(source, board)
        try:
            yield running
        finally:
            source.stop()
