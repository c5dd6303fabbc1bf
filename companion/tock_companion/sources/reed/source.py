"""The source `reed`: keeps the link to the board up and tells the table what the switches say."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

from tock_companion.boardfile import BoardFile
from tock_companion.boardfile.wiring import Spare, inputs_of, spare_input
from tock_companion.errors import BadInputError
from tock_companion.observation import (
    Edge,
    HoleReading,
    HoleState,
    Observation,
    SourceCondition,
    SourceMessage,
    SourceReport,
)
from tock_companion.rules.geometry import Seat
from tock_companion.sources.base import ClockMs, Deliver
from tock_companion.sources.reed.link import Change, ReedLink, Trouble
from tock_companion.sources.reed.notes import Note, Notes
from tock_companion.sources.reed.ports import AUTO, Line, PortError, PortNames, SerialLine, port_names
from tock_companion.sources.reed.protocol import SILENCE_MS, Buzz, Leds, ResetCause, SetDebounce

LOG = logging.getLogger(__name__)

STILL_MS = 1000
"""An observation at least this often while nothing changes."""
ANSWER_WITHIN_MS = 4000
"""A bootloader waits for a second or two before the firmware may speak."""
FIRST_RETRY_S = 0.25
LONGEST_RETRY_S = 2.0
STOP_WAIT_S = 0.9
CLOSED = HoleReading(HoleState.PAWN, None, 1.0)
OPEN = HoleReading(HoleState.EMPTY, None, 1.0)
LOST = frozenset({Trouble.NO_ANSWER, Trouble.SILENT, Trouble.OTHER_VERSION})
SETTINGS = frozenset({"port", "name", "debounce_ms"})


class ReedSource:
    """One reed board; settings are `port` (a path, `auto` or `sim`), `name` and `debounce_ms`."""

    def __init__(
        self,
        board_file: BoardFile,
        settings: Mapping[str, object],
        *,
        open_line: Callable[[str], Line] = SerialLine,
        names: PortNames | None = None,
        silence_ms: int = SILENCE_MS,
    ) -> None:
        unknown = sorted(set(settings) - SETTINGS)
        if unknown:
            known = ", ".join(sorted(SETTINGS))
            raise BadInputError(f"source reed: setting '{unknown[0]}' is not known; use: {known}")
        self.name = str(settings.get("name", "reed"))
        self.record_to: Callable[[int, bytes], None] | None = None
        self.on_button: Callable[[Seat], None] = lambda _seat: None
        self.link = ReedLink(board_file.zones, silence_ms)
        self._debounce = _debounce(settings.get("debounce_ms"))
        port = str(settings.get("port", AUTO))
        self._names = names if names is not None else lambda: port_names(port)
        self._open_line = open_line
        holes = {
            hole: number for hole, number in inputs_of(board_file.zones).items() if hole in board_file.by_id
        }
        self._inputs = holes
        self._holes = {number: hole for hole, number in holes.items()}
        self._buttons = {spare_input(int(seat), Spare.BUTTON): seat for seat in board_file.seats}
        self._deliver: Deliver = _nowhere
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._shown: int | None = None
        self._shown_ms = 0
        self._told: str | None = None
        self._lights: frozenset[str] = frozenset()
        self._wishes: list[Callable[[ReedLink], None]] = []
        self._retry_s = FIRST_RETRY_S
        self._turn = 0
        self._where = ""
        self._notes = Notes()
        self._greeted = 0
        self._opened_ms = 0

    # ------------------------------------------------------------------ life

    def start(self, deliver: Deliver, clock_ms: ClockMs) -> None:
        """Begin to report from a thread of its own; returns at once."""
        self._deliver = deliver
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, args=(clock_ms,), name="tock-reed", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End all reporting within a second."""
        self._stop.set()
        self._deliver = _nowhere
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(STOP_WAIT_S)

    def preview(self) -> bytes | None:
        """A reed board has no picture."""
        return None

    # ------------------------------------------------------------------ wishes of others

    def light(self, holes: Sequence[str]) -> None:
        """Light these holes and no others; repeated after a restart of the board."""
        lights = frozenset(holes)
        if lights != self._lights:
            self._lights = lights
            self._wishes.append(self._send_lights)

    def buzz(self, frequency_hz: int, ms: int) -> None:
        """Sound the board's own buzzer."""
        self._wishes.append(lambda link: link.command(lambda token: Buzz(token, frequency_hz, ms)))

    def health(self) -> dict[str, object]:
        """Return what the host's page and `tock doctor` may show of the board."""
        hello, beat = self.link.hello, self.link.beat
        return {
            "port": self._where,
            "condition": self._told or "ok",
            "firmware": hello and f"{hello.firmware_major}.{hello.firmware_minor}.{hello.firmware_patch}",
            "build": hello and f"{hello.build:08x}",
            "reset_cause": hello and ResetCause(hello.reset_cause).name.lower(),
            "boards": hello and hello.boards,
            "boards_alive": self.link.alive,
            "return_wire_broken": self.link.return_wire_broken,
            "bad_scans": beat and beat.bad_scans,
            "overflows": beat and beat.overflows,
            **asdict(self.link.counts),
        }

    def notes(self) -> tuple[Note, ...]:
        """Return what should be mended though it works still, for the page."""
        return self._notes.now

    # ------------------------------------------------------------------ the thread

    def _run(self, clock_ms: ClockMs) -> None:
        while not self._stop.is_set():
            try:
                self._attend(clock_ms)
            except PortError as error:
                self._lose(clock_ms(), error.code, error.detail)
            except Exception as error:
                # One fault must not end the evening: it is logged whole, and the port is opened anew.
                LOG.exception("%s: the link failed", self.name)
                self._lose(clock_ms(), "reed/fault", str(error))
            self._stop.wait(self._retry_s)
            self._retry_s = min(2 * self._retry_s, LONGEST_RETRY_S)

    def _attend(self, clock_ms: ClockMs) -> None:
        """Serve one port until it goes, falls silent, or turns out to be something else."""
        names = list(self._names())
        if not names:
            raise PortError(
                "reed/unplugged", "no reed board is plugged in; name its port if it has an unusual chip"
            )
        name = names[self._turn % len(names)]
        self._turn += 1
        line = self._open_line(name)
        try:
            self.take_up(line, clock_ms())
            while not self._stop.is_set():
                self.exchange(line, clock_ms)
        finally:
            line.close()

    def hear_with(self, deliver: Deliver) -> None:
        """Say where messages go, for those who call `take_up` and `exchange` themselves."""
        self._deliver = deliver

    def take_up(self, line: Line, t_ms: int) -> None:
        """Begin with a port that has just been opened."""
        self._where = line.name
        self._greeted = self.link.counts.starts
        self._opened_ms = t_ms
        self.link.reopen(t_ms)

    def exchange(self, line: Line, clock_ms: ClockMs) -> None:
        """Send what is due and take in what has come; raises PortError when the port is of no more use."""
        if self.link.counts.starts != self._greeted:
            self._greeted = self.link.counts.starts
            self._greet()
        while self._wishes:
            self._wishes.pop(0)(self.link)
        line.write(self.link.send(clock_ms()))
        data = line.read()
        t_ms = clock_ms()
        changes = self.link.feed(data, t_ms)
        trouble = self.link.trouble(t_ms)
        if trouble is Trouble.SILENT:
            raise PortError(trouble.value, f"{line.name}: the reed board has gone silent")
        if trouble is Trouble.NO_ANSWER and t_ms - self._opened_ms > ANSWER_WITHIN_MS:
            raise PortError(
                trouble.value, f"{line.name}: no reed board answers; is another device on this port?"
            )
        self._notes.look(
            self.link,
            [(each, self._holes[each.input]) for each in changes if each.input in self._holes],
            t_ms,
        )
        self._tell(changes, trouble, t_ms)

    def _greet(self) -> None:
        """Tell a board that has just started what it should know; the port is the right one."""
        self._retry_s = FIRST_RETRY_S
        self._turn -= 1
        samples, period_ms = self._debounce
        self.link.command(lambda token: SetDebounce(token, samples, period_ms))
        if self._lights:
            self._send_lights(self.link)

    def _send_lights(self, link: ReedLink) -> None:
        lit = sum(1 << self._inputs[hole] for hole in self._lights if hole in self._inputs)
        bitmap = lit.to_bytes((lit.bit_length() + 7) // 8, "little")
        link.command(lambda token: Leds(token, bitmap))

    # ------------------------------------------------------------------ telling the table

    def _tell(self, changes: Sequence[Change], trouble: Trouble | None, t_ms: int) -> None:
        trusted = self.link.trusted
        if self.link.hello is not None and trouble is not None:
            self._trouble(t_ms, trouble)
        for change in changes:
            self._show_change(change)
        if trusted is None:
            if self._shown is not None:
                self._shown = None
                self._deliver(Observation(t_ms, self.name, {}))
            return
        if self._told != "":
            self._told = ""
            self._deliver(SourceReport(t_ms, self.name, SourceCondition.OK))
        if trusted != self._shown or t_ms - self._shown_ms >= STILL_MS:
            self._shown = trusted
            self._show(t_ms, ())

    def _show_change(self, change: Change) -> None:
        if change.input in self._buttons and change.closed:
            self.on_button(self._buttons[change.input])
        if self._shown is None:
            return
        self._shown ^= 1 << change.input
        hole = self._holes.get(change.input)
        if hole is not None:
            edge = Edge(change.t_ms, hole, HoleState.PAWN if change.closed else HoleState.EMPTY)
            self._show(max(change.t_ms, self._shown_ms), (edge,))

    def _show(self, t_ms: int, edges: tuple[Edge, ...]) -> None:
        assert self._shown is not None
        bits = self._shown
        holes = {hole: CLOSED if bits >> number & 1 else OPEN for hole, number in self._inputs.items()}
        self._shown_ms = t_ms
        self._deliver(Observation(t_ms, self.name, holes, edges))

    def _trouble(self, t_ms: int, trouble: Trouble) -> None:
        condition = SourceCondition.LOST if trouble in LOST else SourceCondition.BLIND
        self._report(t_ms, condition, trouble.value, self._sentence(trouble))

    def _sentence(self, trouble: Trouble) -> str:
        """Say it for the log and the host."""
        hello, alive = self.link.hello, self.link.alive
        assert hello is not None
        found = f"{hello.boards} sector boards answer, the board file needs {self.link.boards}"
        return {
            Trouble.OTHER_VERSION: f"the firmware speaks protocol {hello.protocol_major}; "
            "type 'tock firmware flash' to bring it up to date",
            Trouble.NO_BOARDS: "not one sector board answers; check the cable from the controller",
            Trouble.FEWER_BOARDS: found,
            Trouble.MORE_BOARDS: found,
            Trouble.CHAIN_BROKEN: f"the chain is broken behind sector board {alive}; check the cable there"
            if alive
            else "the first sector board does not answer; check the cable from the controller",
            Trouble.WRONG_ORDER: f"place {(self.link.exchanged_at or 0) + 1} of the chain holds the sector board "
            "of another place; exchange them, or mend their straps",
        }.get(trouble, "")

    def _lose(self, t_ms: int, code: str, detail: str) -> None:
        self._shown = None
        self._report(t_ms, SourceCondition.LOST, code, detail)

    def _report(self, t_ms: int, condition: SourceCondition, code: str, detail: str) -> None:
        if self._told != code:
            self._told = code
            LOG.info("%s: %s %s", self.name, code, detail)
            self._deliver(SourceReport(t_ms, self.name, condition, code, detail))


def _debounce(setting: object) -> tuple[int, int]:
    """Return samples and period for a time in milliseconds; raises BadInputError for one that cannot be."""
    if setting is None:
        return 4, 2
    if not isinstance(setting, int) or isinstance(setting, bool) or not 2 <= setting <= 100:
        raise BadInputError(f"source reed: 'debounce_ms' must be a number from 2 to 100, not {setting!r}")
    period_ms = 2 if setting <= 30 else 10
    return max(1, setting // period_ms), period_ms


def _nowhere(message: SourceMessage) -> None:
    LOG.debug("dropped %s", message)
