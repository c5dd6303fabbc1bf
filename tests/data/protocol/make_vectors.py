"""Writes frames.txt and session.txt: run it only when the protocol gets another major version.

The session is the output of the emulated board in lockstep: start, three pawns, lights, a broken chain, a reset.
"""

from dataclasses import asdict
from pathlib import Path

import serial

from tock_companion.sources.reed.emulator import Emulator
from tock_companion.sources.reed.frames import encode
from tock_companion.sources.reed.protocol import (
    Ack,
    Buzz,
    Event,
    Heartbeat,
    Hello,
    HelloRequest,
    Leds,
    Message,
    Reset,
    SelfTest,
    SelfTestRequest,
    SetDebounce,
    Snapshot,
    SnapshotRequest,
)

HERE = Path(__file__).parent
MESSAGES: list[Message] = [
    Hello(1, 0, 1, 0, 0, 0x12345678, 1, 41, 3, 4, 4, 0, 7, 4, 2),
    Snapshot(0, 0, 0, bytes(16)),
    Snapshot(0xFFFFFFFF, 65535, 3, bytes(range(32))),
    Event(1, 12, 0, 1),
    Event(256, 0x01000000, 255, 0),
    Heartbeat(250, 1, 0xFFFF, 0, 4, 4, 128, 125, 0, 0, 0, 749),
    SelfTest(9, 0, 2, bytes.fromhex("ff00ff00ff00ff00")),
    Ack(7, 0x43, 0),
    HelloRequest(1, 0),
    SnapshotRequest(),
    Leds(1, bytes.fromhex("0000000001")),
    Leds(2, b""),
    SetDebounce(3, 4, 2),
    SelfTestRequest(9),
    Buzz(4, 1760, 120),
    Reset(5, 0x89ABCDEF),
]


def frames() -> str:
    """One line for every message: frame number, frame, message."""
    lines = []
    for seq, message in zip([0, 1, 254, 255, *range(2, 99)], MESSAGES, strict=False):
        values = " ".join(
            f"{name}={value.hex() if isinstance(value, bytes) else value}"
            for name, value in asdict(message).items()
        )
        lines.append(f"{seq} {encode(message, seq).hex()} {type(message).__name__} {values}".rstrip())
    return "\n".join(lines) + "\n"


def session() -> str:
    """A session of the emulated board, one line of bytes for each step."""
    lines = []
    with Emulator(4, lockstep=True) as board, serial.Serial(board.port, timeout=1) as port:
        sent = 0

        def step(what: str, ms: float) -> None:
            nonlocal sent
            before, sent = sent, board.run_ms(ms)
            lines.append(f"{what}: {port.read(sent - before).hex()}")

        step("start", 300)
        for number in (5, 40, 119):
            board.switch(number, True)
        step("three pawns", 300)
        board.tell("break", 2)
        step("chain broken after two sector boards", 700)
        board.tell("mend")
        step("mended", 300)
        board.tell("reset", "external")
        step("reset", 300)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (HERE / "frames.txt").write_text(frames())
    (HERE / "session.txt").write_text(session())
