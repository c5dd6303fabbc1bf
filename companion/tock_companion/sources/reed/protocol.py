"""The messages of the reed board's link, see docs/protocol.md.

Made by firmware/protocol/generate.py from protocol.toml; edit that and run it.
"""

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from struct import Struct
from typing import ClassVar

PROTOCOL_MAJOR = 1
PROTOCOL_MINOR = 0
BAUD = 115200
"""Bits a second, 8 data bits, no parity, 1 stop bit."""
PAYLOAD_MAX = 64
"""Bytes of payload in one frame."""
INPUTS_PER_BOARD = 32
"""Inputs of one sector board: four 74hc165."""
BOARDS_MAX = 8
"""Sector boards in one chain."""
HEARTBEAT_MS = 250
"""From one heartbeat to the next."""
HELLO_RETRY_MS = 300
"""From one hello_request to the next until a hello comes."""
SNAPSHOT_RETRY_MS = 100
"""From one snapshot_request to the next while in doubt."""
COMMAND_RETRY_MS = 100
"""Until a command without ack is sent again."""
COMMAND_TRIES = 5
"""Times a command is sent before the companion gives it up."""
SILENCE_MS = 1000
"""Without any good frame until the link counts as down."""
FIXED_LOW_INPUT = 26
"""Input of every sector board that is tied to ground: always closed."""
FIXED_HIGH_INPUT = 27
"""Input of every sector board that is tied to the supply: always open."""
RING_STUCK = 65535
"""Ring_bits when the data line never goes low."""


class BoardKind(IntEnum):
    """The microcontroller that runs the firmware."""

    ATMEGA328P = 1
    RP2040 = 2
    HOST = 3


class ResetCause(IntEnum):
    """Why the firmware started."""

    UNKNOWN = 0
    POWER_ON = 1
    BROWN_OUT = 2
    EXTERNAL = 3
    HANG = 4
    COMMAND = 5


class Result(IntEnum):
    """The outcome of a command."""

    DONE = 0
    BAD_VALUE = 1
    UNSUPPORTED = 2


class Fault(IntFlag):
    """A fault of the chain; 0 when all is well."""

    RING = 1
    MISALIGNED = 2
    NO_BOARDS = 4


class Feature(IntFlag):
    """A capability of the board."""

    LEDS = 1
    BUZZER = 2
    RING = 4


class _Layout:
    """The type of a message, its fixed fields, and the longest tail of bytes."""

    __slots__ = ()
    TYPE: ClassVar[int]
    LAYOUT: ClassVar[Struct]
    TAIL_MAX: ClassVar[int] = 0


@dataclass(frozen=True, slots=True)
class Hello(_Layout):
    """Identifies the board."""

    TYPE = 0x01
    LAYOUT = Struct("<BBBBBIBIBBBBHBB")

    protocol_major: int
    protocol_minor: int
    firmware_major: int
    firmware_minor: int
    firmware_patch: int
    build: int
    board_kind: int
    nonce: int
    reset_cause: int
    boards: int
    boards_alive: int
    faults: int
    features: int
    debounce_samples: int
    debounce_period_ms: int


@dataclass(frozen=True, slots=True)
class Snapshot(_Layout):
    """The truth."""

    TYPE = 0x02
    LAYOUT = Struct("<IHB")
    TAIL_MAX = 32

    ms: int
    event_seq: int
    faults: int
    bitmap: bytes


@dataclass(frozen=True, slots=True)
class Event(_Layout):
    """One switch has changed, after debouncing."""

    TYPE = 0x03
    LAYOUT = Struct("<HIBB")

    event_seq: int
    ms: int
    input: int
    closed: int


@dataclass(frozen=True, slots=True)
class Heartbeat(_Layout):
    """Four times a second, and at once when `faults` changes."""

    TYPE = 0x04
    LAYOUT = Struct("<IHHBBBHHHHBH")

    ms: int
    event_seq: int
    bitmap_crc: int
    faults: int
    boards: int
    boards_alive: int
    ring_bits: int
    scans: int
    bad_scans: int
    bad_frames: int
    overflows: int
    stack_free: int


@dataclass(frozen=True, slots=True)
class SelfTest(_Layout):
    """The outcome of a SELF_TEST_REQUEST."""

    TYPE = 0x05
    LAYOUT = Struct("<BHB")
    TAIL_MAX = 32

    token: int
    ring_bits: int
    boards_alive: int
    raw: bytes


@dataclass(frozen=True, slots=True)
class Ack(_Layout):
    """A command has arrived."""

    TYPE = 0x06
    LAYOUT = Struct("<BBB")

    token: int
    command: int
    result: int


@dataclass(frozen=True, slots=True)
class HelloRequest(_Layout):
    """Asks for HELLO."""

    TYPE = 0x41
    LAYOUT = Struct("<BB")

    protocol_major: int
    protocol_minor: int


@dataclass(frozen=True, slots=True)
class SnapshotRequest(_Layout):
    """Asks for SNAPSHOT."""

    TYPE = 0x42
    LAYOUT = Struct("<")


@dataclass(frozen=True, slots=True)
class Leds(_Layout):
    """Sets all lights under the holes at once; those beyond the end of the bitmap go out."""

    TYPE = 0x43
    LAYOUT = Struct("<B")
    TAIL_MAX = 32

    token: int
    bitmap: bytes


@dataclass(frozen=True, slots=True)
class SetDebounce(_Layout):
    """Sets how long a switch must be quiet until its change counts."""

    TYPE = 0x44
    LAYOUT = Struct("<BBB")

    token: int
    samples: int
    period_ms: int


@dataclass(frozen=True, slots=True)
class SelfTestRequest(_Layout):
    """Asks for SELF_TEST, which is the acknowledgement."""

    TYPE = 0x45
    LAYOUT = Struct("<B")

    token: int


@dataclass(frozen=True, slots=True)
class Buzz(_Layout):
    """Sounds the buzzer."""

    TYPE = 0x46
    LAYOUT = Struct("<BHH")

    token: int
    frequency_hz: int
    ms: int


@dataclass(frozen=True, slots=True)
class Reset(_Layout):
    """Restarts the board."""

    TYPE = 0x47
    LAYOUT = Struct("<BI")

    token: int
    nonce: int


Message = (
    Hello | Snapshot | Event | Heartbeat | SelfTest | Ack | HelloRequest | SnapshotRequest | Leds |
    SetDebounce | SelfTestRequest | Buzz | Reset
)  # fmt: skip
MESSAGES: dict[int, type[Message]] = {message.TYPE: message for message in Message.__args__}
