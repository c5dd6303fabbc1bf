"""The companion's end of the link, without port, thread or clock: the board's trusted state, and the next messages.

The bitmap is trusted only while no message was missed; any doubt makes it None until a snapshot arrives
(docs/protocol.md).
"""

from dataclasses import dataclass

from tock_companion.sources.reed import protocol
from tock_companion.sources.reed.clock import BoardClock
from tock_companion.sources.reed.commands import Command, CommandQueue
from tock_companion.sources.reed.frames import BadFrame, FrameReader, crc16, encode
from tock_companion.sources.reed.protocol import (
    Ack,
    Event,
    Fault,
    Heartbeat,
    Hello,
    HelloRequest,
    Message,
    SelfTest,
    Snapshot,
    SnapshotRequest,
)
from tock_companion.sources.reed.trouble import Trouble, exchanged, strange

WRAP_SEQ = 1 << 16


@dataclass(frozen=True, slots=True)
class InputEdge:
    t_ms: int
    input: int
    closed: bool
    bitmap: int
    """All closed switches after it, one bit an input."""


@dataclass(slots=True)
class Counts:
    """Faults of the line so far."""

    bad_frames: int = 0
    doubts: int = 0
    unknown_types: int = 0
    starts: int = 0
    unanswered: int = 0
    """Commands that were given up."""


class ReedLink:
    """Takes bytes in, keeps the trusted state, and decides on messages. Not thread-safe."""

    def __init__(self, boards: int, silence_ms: int = protocol.SILENCE_MS) -> None:
        """Expect this number of sector boards, and a frame at least every `silence_ms`."""
        self.boards = boards
        self._silence_ms = silence_ms
        self.counts = Counts()
        self._commands = CommandQueue()
        self.reopen(0)

    def reopen(self, t_ms: int) -> None:
        """Forget the board: the port was reopened."""
        self.bitmap: int | None = None
        self.hello: Hello | None = None
        self.heartbeat: Heartbeat | None = None
        self.self_test: SelfTest | None = None
        self.strange_at: int | None = None
        """The first place in the chain whose straps are not those of its zone, by the last snapshot."""
        self.exchanged_at: int | None = None
        """The first place that holds the sector board of another, by the last snapshot."""
        self._reader = FrameReader()
        self._clock = BoardClock()
        self._seq: int | None = None
        self._event_seq = 0
        self._faults = Fault(0)
        self._opened_ms = self._received_ms = t_ms
        self._asked_ms: int | None = None
        self._commands.clear()
        self._frame_seq = 0

    # ------------------------------------------------------------------ incoming

    def feed(self, data: bytes, t_ms: int) -> list[InputEdge]:
        """Take bytes in; returns the edges that they report, in order, while the bitmap is believed."""
        edges: list[InputEdge] = []
        for frame in self._reader.feed(data):
            if isinstance(frame, BadFrame):
                # Bytes on the line from before the port was opened do not count.
                if self.hello is not None:
                    self.counts.bad_frames += 1
                    self._doubt()
                continue
            self._received_ms = t_ms
            if self._seq is not None and frame.seq != self._seq:
                self._doubt()
            self._seq = (frame.seq + 1) % 256
            if frame.message is None:
                self.counts.unknown_types += 1
            else:
                edges += self._take(frame.message, t_ms)
        return edges

    def _take(self, message: Message, t_ms: int) -> list[InputEdge]:
        if isinstance(message, Hello):
            self._take_hello(message)
        elif self.hello is None or self.other_version:
            return []
        elif isinstance(message, Event):
            return self._take_event(message, t_ms)
        elif isinstance(message, Snapshot):
            self._take_snapshot(message, t_ms)
        elif isinstance(message, Heartbeat):
            self._take_heartbeat(message, t_ms)
        elif isinstance(message, Ack):
            self._commands.acknowledge(message.token)
        elif isinstance(message, SelfTest):
            self.self_test = message
            self._commands.acknowledge(message.token)
        return []

    def _take_hello(self, hello: Hello) -> None:
        known, self.hello = self.hello, hello
        self._faults = Fault(hello.faults)
        if known is not None and (known.nonce, known.boards) == (hello.nonce, hello.boards):
            return
        self.counts.starts += 1
        self.bitmap = self.heartbeat = None
        self._asked_ms = None
        self._clock = BoardClock()

    def _take_snapshot(self, snapshot: Snapshot, t_ms: int) -> None:
        self._clock.hear(snapshot.ms, t_ms)
        self._faults = Fault(snapshot.faults)
        if len(snapshot.bitmap) * 8 != self._answering * protocol.INPUTS_PER_BOARD:
            self._doubt()
            return
        self.bitmap = int.from_bytes(snapshot.bitmap, "little")
        self._event_seq = snapshot.event_seq
        self.strange_at = strange(self.bitmap, self._answering)
        self.exchanged_at = exchanged(self.bitmap, self._answering)

    def _take_event(self, event: Event, t_ms: int) -> list[InputEdge]:
        self._clock.hear(event.ms, t_ms)
        if self.bitmap is None:
            return []
        expected = (self._event_seq + 1) % WRAP_SEQ
        closed = bool(event.closed)
        if event.event_seq != expected or bool(self.bitmap >> event.input & 1) is closed:
            self._doubt()
            return []
        self._event_seq = expected
        self.bitmap ^= 1 << event.input
        return [InputEdge(self._clock.here(event.ms, t_ms), event.input, closed, self.bitmap)]

    def _take_heartbeat(self, heartbeat: Heartbeat, t_ms: int) -> None:
        self._clock.hear(heartbeat.ms, t_ms)
        self.heartbeat = heartbeat
        self._faults = Fault(heartbeat.faults)
        if self.bitmap is None:
            return
        bitmap = self.bitmap.to_bytes(self._answering * protocol.INPUTS_PER_BOARD // 8, "little")
        if heartbeat.event_seq != self._event_seq or heartbeat.bitmap_crc != crc16(bitmap):
            self._doubt()

    def _doubt(self) -> None:
        """Distrust the state until a snapshot arrives, and ask for one at once."""
        if self.bitmap is not None:
            self.counts.doubts += 1
            self.bitmap = None
            self._asked_ms = None

    # ------------------------------------------------------------------ trusted state

    @property
    def _answering(self) -> int:
        """Number of sector boards that the board itself counts."""
        return self.hello.boards if self.hello is not None else 0

    @property
    def other_version(self) -> bool:
        """Whether the firmware speaks another major version of the protocol."""
        return self.hello is not None and self.hello.protocol_major != protocol.PROTOCOL_MAJOR

    @property
    def trusted(self) -> int | None:
        """The closed switches, one bit an input; None while they cannot be trusted."""
        return self.bitmap if self.hello is not None and self.trouble(self._received_ms) is None else None

    @property
    def return_wire_broken(self) -> bool:
        """Whether only the self-test's wire is broken: the switches work all the same."""
        return Fault.RING in self._faults and not self._faults & (Fault.MISALIGNED | Fault.NO_BOARDS)

    @property
    def alive(self) -> int:
        """The number of sector boards that answer, from the near end."""
        newest = self.heartbeat if self.heartbeat is not None else self.hello
        return newest.boards_alive if newest is not None else 0

    def trouble(self, t_ms: int) -> Trouble | None:
        """The trouble at a time; None when all is well, and also while only a snapshot is missing."""
        if self.hello is None:
            return Trouble.NO_ANSWER
        if self.other_version:
            return Trouble.OTHER_VERSION
        if t_ms - self._received_ms > self._silence_ms:
            return Trouble.SILENT
        if Fault.NO_BOARDS in self._faults or self._answering == 0:
            return Trouble.NO_BOARDS
        if Fault.MISALIGNED in self._faults:
            return Trouble.CHAIN_BROKEN
        if self._answering != self.boards:
            # A chain that was broken before the start looks short; the ring tells the two apart.
            if Fault.RING in self._faults and self._answering < self.boards:
                return Trouble.CHAIN_BROKEN
            return Trouble.FEWER_BOARDS if self._answering < self.boards else Trouble.MORE_BOARDS
        return Trouble.WRONG_ORDER if self.exchanged_at is not None else None

    # ------------------------------------------------------------------ outgoing

    def command(self, command: Command) -> None:
        """Send a command as soon as the board listens; it is repeated until it is acknowledged."""
        self._commands.add(command)

    @property
    def idle(self) -> bool:
        """Whether every command has been acknowledged or given up."""
        return not self._commands

    def send(self, t_ms: int) -> bytes:
        """The bytes to send at a time; to be asked at least every 20 ms."""
        if self.hello is None:
            return self._ask(
                HelloRequest(protocol.PROTOCOL_MAJOR, protocol.PROTOCOL_MINOR), t_ms, protocol.HELLO_RETRY_MS
            )
        if self.other_version:
            return b""
        out = b""
        if self.bitmap is None and self._answering:
            out += self._ask(SnapshotRequest(), t_ms, protocol.SNAPSHOT_RETRY_MS)
        for message in self._commands.due(t_ms):
            out += self._frame(message)
        self.counts.unanswered = self._commands.given_up
        return out

    def _ask(self, message: Message, t_ms: int, every_ms: int) -> bytes:
        if self._asked_ms is not None and t_ms - self._asked_ms < every_ms:
            return b""
        self._asked_ms = t_ms
        return self._frame(message)

    def _frame(self, message: Message) -> bytes:
        self._frame_seq = (self._frame_seq + 1) % 256
        return encode(message, self._frame_seq)
