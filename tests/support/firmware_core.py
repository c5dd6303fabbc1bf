"""The firmware's core as a library of this process (`make firmware` builds it)."""

import ctypes
from functools import cache

from tock_companion.sources.reed.emulator import CHECKOUT

LIBRARY = CHECKOUT / "build" / "firmware" / "libtock-reed.so"
SENT_MAX = 4096


@cache
def core() -> ctypes.CDLL:
    """The library made of firmware/tests/harness.c."""
    assert LIBRARY.exists(), "type 'make firmware' first"
    return ctypes.CDLL(str(LIBRARY))


def crc(data: bytes) -> int:
    return int(core().harness_crc(data, len(data))) & 0xFFFF


def write(kind: int, seq: int, payload: bytes) -> bytes:
    """The frame that the firmware writes."""
    wire = ctypes.create_string_buffer(128)
    size = int(core().harness_write(wire, kind, seq, payload, len(payload))) & 0xFF
    return wire.raw[:size]


def read(stream: bytes) -> tuple[list[tuple[int, int, bytes]], int]:
    """Type, seq and payload of every good frame, and the number of bad ones."""
    found = ctypes.create_string_buffer(len(stream) + 16)
    bad = ctypes.c_uint16()
    size = int(core().harness_read(stream, len(stream), found, ctypes.byref(bad))) & 0xFFFF
    frames, at = [], 0
    while at < size:
        length, kind, seq = found.raw[at : at + 3]
        frames.append((kind, seq, found.raw[at + 3 : at + 3 + length]))
        at += 3 + length
    return frames, bad.value


def debounced(samples: int, start: int, raw: bytes) -> bytes:
    """The debounced state of eight inputs after every scan."""
    stable = ctypes.create_string_buffer(max(len(raw), 1))
    core().harness_debounce(samples, start, raw, len(raw), stable)
    return stable.raw[: len(raw)]


class CoreBoard:
    """A whole reed board in this process; its time is whatever one says."""

    def __init__(self, boards: int, *, now_ms: int = 0, nonce: int = 1) -> None:
        self.now_ms = now_ms
        core().harness_start(boards, nonce, ctypes.c_uint32(now_ms))

    def events_from(self, last_seq: int) -> None:
        core().harness_events_from(last_seq)

    def switch(self, number: int, closed: bool) -> None:
        core().harness_switch(number, closed)

    def hear(self, data: bytes) -> None:
        core().harness_hear(data, len(data))

    def run_ms(self, ms: int) -> bytes:
        """Let milliseconds pass; return the bytes that the board sends."""
        sent, out = bytearray(), ctypes.create_string_buffer(SENT_MAX)
        for _ in range(ms):
            self.now_ms = (self.now_ms + 1) & 0xFFFFFFFF
            count = int(core().harness_run(ctypes.c_uint32(self.now_ms), out)) & 0xFFFF
            sent += out.raw[:count]
        return bytes(sent)
