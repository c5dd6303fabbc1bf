"""The same core on a Raspberry Pi Pico, run on the emulator rp2040js in lockstep; never run on silicon.

`make firmware-rp2040` installs what this needs, builds and runs it.
"""

import struct
import subprocess
from collections.abc import Iterator

import pytest

from tock_companion.boardfile.wiring import inputs_of
from tock_companion.sources.reed.emulator import CHECKOUT
from tock_companion.sources.reed.link import InputEdge, ReedLink
from tock_companion.sources.reed.protocol import BoardKind, Buzz, Leds, Reset, ResetCause
from tock_rules import Hole

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
BUILT = CHECKOUT / "build" / "firmware-rp2040"
EMULATOR = BUILT / "package" / "dist" / "esm" / "index.js"
RUNNER = CHECKOUT / "firmware" / "sim" / "rp2040.mjs"
ZONES = 4


class Pico:
    """An emulated Pico and the link to it; time passes only in `run`."""

    def __init__(self) -> None:
        command = ["node", str(RUNNER), str(EMULATOR), str(BUILT / "tock-reed-rp2040.bin"), str(ZONES)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.link = ReedLink(ZONES)
        self.ms = 0

    def tell(self, *words: object) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(" ".join(map(str, words)) + "\n")
        self._process.stdin.flush()
        outcome, _, answer = self._process.stdout.readline().rstrip("\n").partition(" ")
        assert outcome == "ok", words
        return answer

    def run(self, ms: int, step_ms: int = 5) -> list[InputEdge]:
        changes: list[InputEdge] = []
        for _ in range(0, ms, step_ms):
            request = self.link.send(self.ms)
            if request:
                self.tell("uart", request.hex())
            sent = bytes.fromhex(self.tell("run", 1000 * step_ms))
            self.ms += step_ms
            changes += self.link.feed(sent, self.ms)
        return changes

    def until_known(self) -> None:
        for _ in range(100):
            self.run(5)
            if self.link.trusted is not None:
                return
        raise AssertionError(
            f"the switches were never known: {self.link.hello}, {self.link.trouble(self.ms)}"
        )

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture
def pico() -> Iterator[Pico]:
    board = Pico()
    try:
        board.until_known()
        yield board
    finally:
        board.close()


def test_it_says_hello_and_tells_a_pawn_that_comes_and_goes(pico: Pico) -> None:
    hello = pico.link.hello
    assert hello is not None
    assert (hello.board_kind, hello.boards, hello.boards_alive, hello.faults) == (
        BoardKind.RP2040,
        ZONES,
        ZONES,
        0,
    )
    number = inputs_of(ZONES)[Hole.parse("T20")]
    began_ms = pico.ms
    pico.tell("close", number)
    while not (changes := pico.run(1, step_ms=1)) and pico.ms - began_ms < 100:
        pass
    assert [(each.input, each.closed) for each in changes] == [(number, True)]
    assert pico.ms - began_ms <= 12
    pico.tell("open", number)
    assert [(each.input, each.closed) for each in pico.run(20)] == [(number, False)]
    pico.run(300, step_ms=20)
    heartbeat = pico.link.heartbeat
    assert heartbeat is not None
    assert (heartbeat.faults, heartbeat.ring_bits, heartbeat.bad_scans) == (0, 32 * ZONES, 0)
    assert heartbeat.stack_free > 2000
    assert pico.link.counts.doubts == 0


def test_it_obeys_commands(pico: Pico) -> None:
    pico.link.command(lambda token: Leds(token, b"\x09\x00\x80"))
    pico.link.command(lambda token: Buzz(token, 1000, 50))
    pico.run(100)
    assert pico.link.idle
    assert pico.tell("lights") == "0 3 23"


def test_it_starts_again_on_command_and_when_it_hangs_and_says_why(pico: Pico) -> None:
    first = pico.link.hello
    assert first is not None
    pico.link.command(lambda token: Reset(token, first.nonce))
    pico.run(60)
    pico.until_known()
    second = pico.link.hello
    assert second is not None
    assert second.nonce != first.nonce
    assert second.reset_cause == ResetCause.COMMAND
    pico.tell("hang")
    pico.run(300, step_ms=20)
    pico.until_known()
    third = pico.link.hello
    assert third is not None
    assert third.nonce != second.nonce
    assert third.reset_cause == ResetCause.HANG


def test_the_uf2_file_holds_the_image_in_its_places() -> None:
    image = (BUILT / "tock-reed-rp2040.bin").read_bytes()
    file = (BUILT / "tock-reed-rp2040.uf2").read_bytes()
    assert len(file) % 512 == 0
    flash = bytearray()
    for number in range(len(file) // 512):
        block = file[512 * number : 512 * (number + 1)]
        head = struct.unpack("<8I", block[:32])
        assert head[3:7] == (0x10000000 + 256 * number, 256, number, len(file) // 512)
        assert head[7] == 0xE48BFF56
        flash += block[32 : 32 + 256]
    assert bytes(flash[: len(image)]) == image
    assert crc32_mpeg2(image[:256]) == 0


def crc32_mpeg2(data: bytes) -> int:
    """The CRC of the boot stage, checksum included: zero when it is right."""
    crc = 0xFFFFFFFF
    for byte in (*data[:252], *reversed(data[252:256])):
        for bit in range(7, -1, -1):
            high = crc >> 31 ^ byte >> bit & 1
            crc = (crc << 1 & 0xFFFFFFFF) ^ (0x04C11DB7 if high else 0)
    return crc
