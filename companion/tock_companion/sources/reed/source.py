"""The source `reed`: keeps the link to the board up and reports its switches to the table."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict

from tock_companion.background import Backoff
from tock_companion.boardfile import BoardFile
from tock_companion.boardfile.wiring import SpareInput, has_buttons, inputs_of, spare_input
from tock_companion.observation import Edge, HoleReading, HoleState, Observation, SourceCondition
from tock_companion.schema import check
from tock_companion.sources.base import ClockMs, Defect, Deliver
from tock_companion.sources.reed.defects import DefectMonitor
from tock_companion.sources.reed.link import InputEdge, ReedLink
from tock_companion.sources.reed.ports import Line, PortError, PortNames, SerialLine, port_names
from tock_companion.sources.reed.protocol import SILENCE_MS, Buzz, Leds, ResetCause, SetDebounce
from tock_companion.sources.reed.settings import ReedSettings
from tock_companion.sources.reed.trouble import Trouble, advice
from tock_companion.sources.thread import SourceThread
from tock_rules import Hole, Seat

REPEAT_MS = 1000
"""Longest time between observations while nothing changes."""
ANSWER_WITHIN_MS = 4000
"""A bootloader waits for a second or two before the firmware may speak."""
FIRST_RETRY_MS, MAX_RETRY_MS = 250, 2000
CLOSED = HoleReading(HoleState.PAWN, None, 1.0)
OPEN = HoleReading(HoleState.EMPTY, None, 1.0)


class ReedSource:
    """One reed board with the settings of `ReedSettings`.

    `ReedLink` alone knows which switches are closed; this class only remembers which of its bitmaps it delivered last.
    """

    def __init__(
        self,
        board_file: BoardFile,
        settings: Mapping[str, object],
        *,
        open_line: Callable[[str], Line] = SerialLine,
        names: PortNames | None = None,
        silence_ms: int = SILENCE_MS,
    ) -> None:
        chosen = check(ReedSettings, settings, "source reed")
        self.name = chosen.name
        self.record_to: Callable[[int, bytes], None] | None = None
        self.on_button: Callable[[Seat], object] = lambda _seat: None
        self.link = ReedLink(board_file.zones, silence_ms)
        self._thread = SourceThread(self.name, self._step, failed=self._failed, close=self._close)
        self._debounce = _debounce(chosen.debounce_ms)
        self._names = names if names is not None else lambda: port_names(chosen.port)
        self._open_line = open_line
        self._line: Line | None = None
        self._inputs = inputs_of(board_file.shape)
        self._holes = {number: hole for hole, number in self._inputs.items()}
        buttons = board_file.seats if has_buttons(board_file.shape) else ()
        self._buttons = {spare_input(int(seat), SpareInput.BUTTON): seat for seat in buttons}
        self._delivered: int | None = None
        """The bitmap of the last observation; None while the table knows nothing of the switches."""
        self._delivered_ms = 0
        self._lights: frozenset[Hole] = frozenset()
        self._commands: deque[Callable[[ReedLink], None]] = deque()
        """Requests of other threads to the board, for the source's own thread to send."""
        self._retry = Backoff(FIRST_RETRY_MS, MAX_RETRY_MS)
        self._turn = 0
        self._where = ""
        self._monitor = DefectMonitor()
        self._greeted = 0
        self._opened_ms = 0

    # ------------------------------------------------------------------ for other threads

    def start(self, deliver: Deliver, clock_ms: ClockMs) -> None:
        self._thread.start(deliver, clock_ms)

    def stop(self) -> None:
        self._thread.stop()

    def preview(self) -> bytes | None:
        return None

    def light(self, holes: Iterable[Hole]) -> None:
        """Light these holes and no others; repeated after a restart of the board."""
        lights = frozenset(holes)
        if lights != self._lights:
            self._lights = lights
            self._commands.append(self._send_lights)

    def buzz(self, frequency_hz: int, ms: int) -> None:
        self._commands.append(lambda link: link.command(lambda token: Buzz(token, frequency_hz, ms)))

    def health(self) -> dict[str, object]:
        """The figures of the board for the host's page and `tock doctor`."""
        hello, heartbeat = self.link.hello, self.link.heartbeat
        return {
            "port": self._where,
            "condition": self._thread.reported or "ok",
            "firmware": hello and f"{hello.firmware_major}.{hello.firmware_minor}.{hello.firmware_patch}",
            "build": hello and f"{hello.build:08x}",
            "reset_cause": hello and ResetCause(hello.reset_cause).name.lower(),
            "boards": hello and hello.boards,
            "boards_alive": self.link.alive,
            "return_wire_broken": self.link.return_wire_broken,
            "bad_scans": heartbeat and heartbeat.bad_scans,
            "overflows": heartbeat and heartbeat.overflows,
            **asdict(self.link.counts),
        }

    def defects(self) -> tuple[Defect, ...]:
        """Defects to repair though the board still works, for the page."""
        return self._monitor.defects

    # ------------------------------------------------------------------ the port

    def _step(self, clock_ms: ClockMs) -> float:
        """Exchange bytes once, on the next port if none is open; a port blocks for 20 ms when it has nothing."""
        try:
            if self._line is None:
                self._line = self._open()
                self.take_up(self._line, clock_ms())
            self.exchange(self._line, clock_ms)
        except PortError as error:
            return self._lose(clock_ms(), error.code, error.detail)
        return 0.0

    def _open(self) -> Line:
        """Open the port whose turn it is: several boards may be plugged in, and only one of them is ours."""
        names = list(self._names())
        if not names:
            raise PortError(
                "reed/unplugged", "no reed board is plugged in; name its port if it has an unusual chip"
            )
        name = names[self._turn % len(names)]
        self._turn += 1
        return self._open_line(name)

    def _failed(self, t_ms: int, error: Exception) -> float:
        return self._lose(t_ms, "reed/fault", str(error))

    def _lose(self, t_ms: int, code: str, detail: str) -> float:
        """Let go of the port and say why; returns how long to wait before the next one, in ms."""
        self._close()
        self._delivered = None
        self._thread.report(t_ms, SourceCondition.LOST, code, detail)
        return self._retry.next_ms()

    def _close(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()

    def connect(self, deliver: Deliver) -> None:
        """Set the receivers of messages, for callers of `take_up` and `exchange`."""
        self._thread.connect(deliver)

    def take_up(self, line: Line, t_ms: int) -> None:
        """Start on a port that has just been opened."""
        self._where = line.name
        self._greeted = self.link.counts.starts
        self._opened_ms = t_ms
        self.link.reopen(t_ms)

    def exchange(self, line: Line, clock_ms: ClockMs) -> None:
        """Send due messages and take in answers; raises PortError when the port is of no more use."""
        if self.link.counts.starts != self._greeted:
            self._greeted = self.link.counts.starts
            self._greet()
        while self._commands:
            self._commands.popleft()(self.link)
        line.write(self.link.send(clock_ms()))
        data = line.read()
        t_ms = clock_ms()
        edges = self.link.feed(data, t_ms)
        trouble = self.link.trouble(t_ms)
        if trouble is Trouble.SILENT:
            raise PortError(trouble.value, f"{line.name}: the reed board has gone silent")
        if trouble is Trouble.NO_ANSWER and t_ms - self._opened_ms > ANSWER_WITHIN_MS:
            raise PortError(
                trouble.value, f"{line.name}: no reed board answers; is another device on this port?"
            )
        self._monitor.update(
            self.link, [self._holes[edge.input] for edge in edges if edge.input in self._holes], t_ms
        )
        self._tell(edges, trouble, t_ms)

    def _greet(self) -> None:
        """Configure a board that has just started; the port is the right one."""
        self._retry.reset()
        self._turn -= 1
        samples, period_ms = self._debounce
        self.link.command(lambda token: SetDebounce(token, samples, period_ms))
        if self._lights:
            self._send_lights(self.link)

    def _send_lights(self, link: ReedLink) -> None:
        lit = sum(1 << self._inputs[hole] for hole in self._lights if hole in self._inputs)
        bitmap = lit.to_bytes((lit.bit_length() + 7) // 8, "little")
        link.command(lambda token: Leds(token, bitmap))

    # ------------------------------------------------------------------ reporting to the table

    def _tell(self, edges: Sequence[InputEdge], trouble: Trouble | None, t_ms: int) -> None:
        """Deliver every edge with the switches as they were just after it, then any other news."""
        hello, link = self.link.hello, self.link
        if hello is not None and trouble is not None:
            detail = advice(
                trouble, hello, needed=link.boards, alive=link.alive, exchanged_at=link.exchanged_at
            )
            self._thread.report(t_ms, trouble.condition, trouble.value, detail)
        for edge in edges:
            self._tell_edge(edge)
        trusted = link.trusted
        if trusted is None:
            if self._delivered is not None:
                self._delivered = None
                self._thread.deliver(Observation(t_ms, self.name, {}))
            return
        self._thread.report(t_ms, SourceCondition.OK)
        if trusted != self._delivered or t_ms - self._delivered_ms >= REPEAT_MS:
            self._observe(t_ms, trusted)

    def _tell_edge(self, edge: InputEdge) -> None:
        if edge.input in self._buttons and edge.closed:
            self.on_button(self._buttons[edge.input])
        # An edge before the first whole board is useless: the table does not know the state before it.
        if self._delivered is None:
            return
        hole = self._holes.get(edge.input)
        if hole is None:
            self._delivered = edge.bitmap
        else:
            state = HoleState.PAWN if edge.closed else HoleState.EMPTY
            # The clock of the board is only estimated: an edge may seem older than the last delivery.
            t_ms = max(edge.t_ms, self._delivered_ms)
            self._observe(t_ms, edge.bitmap, Edge(edge.t_ms, hole, state))

    def _observe(self, t_ms: int, bitmap: int, *edges: Edge) -> None:
        holes = {hole: CLOSED if bitmap >> number & 1 else OPEN for hole, number in self._inputs.items()}
        self._delivered, self._delivered_ms = bitmap, t_ms
        self._thread.deliver(Observation(t_ms, self.name, holes, edges))


def _debounce(debounce_ms: int) -> tuple[int, int]:
    """Split a debounce time into a number of samples and their period in ms."""
    period_ms = 2 if debounce_ms <= 30 else 10
    return max(1, debounce_ms // period_ms), period_ms
