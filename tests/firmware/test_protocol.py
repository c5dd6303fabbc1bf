"""Both sides of the link speak the protocol that is written down, and nothing that is not."""

import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from cobs import cobs
from crccheck.crc import Crc16Ibm3740
from hypothesis import given
from hypothesis import strategies as st

from tests.support import firmware_core as core
from tock_companion.sources.reed import protocol
from tock_companion.sources.reed.emulator import CHECKOUT
from tock_companion.sources.reed.frames import (
    BadFrame,
    Frame,
    FrameReader,
    cobs_decode,
    cobs_encode,
    crc16,
    encode,
)
from tock_companion.sources.reed.protocol import Event, Heartbeat, Hello, Message, Snapshot

DATA = Path(__file__).parents[1] / "data" / "protocol"
VECTORS = (DATA / "frames.txt").read_text().splitlines()
payloads = st.binary(max_size=protocol.PAYLOAD_MAX)


def message(name: str, values: str) -> Message:
    """The message of a line of frames.txt."""
    kind = getattr(protocol, name)
    texts = dict(pair.split("=") for pair in values.split())
    tail = list(kind.__dataclass_fields__)[-1] if kind.TAIL_MAX else None
    return kind(**{key: bytes.fromhex(text) if key == tail else int(text) for key, text in texts.items()})  # type: ignore[no-any-return]


def test_generated_files_match_the_protocol_table() -> None:
    generate = CHECKOUT / "firmware" / "protocol" / "generate.py"
    checked = subprocess.run(
        [sys.executable, generate, "--check"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("line", VECTORS, ids=lambda line: line.split()[2])
def test_recorded_frames_are_written_and_read_alike_by_both_sides(line: str) -> None:
    seq, wire, name, *values = line.split(maxsplit=3)
    known = message(name, values[0] if values else "")
    data = bytes.fromhex(wire)
    assert encode(known, int(seq)) == data
    assert list(FrameReader().feed(data)) == [Frame(int(seq), known)]
    body = cobs.decode(data[1:-1])
    assert core.write(body[0], body[1], body[2:-2]) == data
    assert core.read(data) == ([(body[0], body[1], body[2:-2])], 0)


def test_a_recorded_session_is_understood_frame_by_frame() -> None:
    steps = dict(line.split(": ") for line in (DATA / "session.txt").read_text().splitlines())
    reader, received = FrameReader(), {}
    for step, data in steps.items():
        frames = list(reader.feed(bytes.fromhex(data)))
        received[step] = [frame.message for frame in frames if isinstance(frame, Frame)]
        assert len(received[step]) == len(frames)
        assert len(core.read(bytes.fromhex(data))[0]) == len(frames)
    assert [type(each) for each in received["start"]] == [Hello, Snapshot, Heartbeat, Heartbeat]
    changes = [each for each in received["three pawns"] if isinstance(each, Event)]
    assert [(change.event_seq, change.input, change.closed) for change in changes] == [
        (1, 5, 1),
        (2, 40, 1),
        (3, 119, 1),
    ]
    heartbeats = [
        each for each in received["chain broken after two sector boards"] if isinstance(each, Heartbeat)
    ]
    assert (heartbeats[-1].faults, heartbeats[-1].boards, heartbeats[-1].boards_alive) == (3, 4, 2)
    hellos = [each for each in received["start"] + received["reset"] if isinstance(each, Hello)]
    assert hellos[1].nonce == hellos[0].nonce + 1
    assert hellos[1].reset_cause == protocol.ResetCause.EXTERNAL


@given(st.binary(max_size=700))
def test_stuffing_agrees_with_the_library(data: bytes) -> None:
    assert cobs.decode(cobs_encode(data)) == data
    assert cobs_decode(cobs.encode(data)) == data
    assert cobs_decode(cobs_encode(data)) == data


@given(st.binary(max_size=80))
def test_unstuffing_refuses_what_the_library_refuses(data: bytes) -> None:
    try:
        expected = cobs.decode(data)
    except cobs.DecodeError:
        expected = None
    assert cobs_decode(data) == expected


@given(st.binary(max_size=200))
def test_check_sums_agree_with_the_library(data: bytes) -> None:
    assert core.crc(data) == crc16(data) == Crc16Ibm3740.calc(data)


@pytest.mark.whole
@given(st.integers(0, 255), st.integers(0, 255), payloads)
def test_the_firmware_writes_frames_that_the_library_reads(kind: int, seq: int, payload: bytes) -> None:
    wire = core.write(kind, seq, payload)
    assert wire[0] == wire[-1] == 0
    body = cobs.decode(wire[1:-1])
    assert body[:-2] == bytes([kind, seq]) + payload
    assert int.from_bytes(body[-2:], "little") == Crc16Ibm3740.calc(body[:-2])
    assert core.read(wire) == ([(kind, seq, payload)], 0)


@pytest.mark.whole
@given(
    st.lists(
        st.one_of(st.binary(min_size=1, max_size=90), st.tuples(st.integers(0, 255), payloads)), max_size=12
    )
)
def test_both_readers_take_the_same_frames_out_of_any_stream(parts: list[bytes | tuple[int, bytes]]) -> None:
    stream = (
        b"".join(part if isinstance(part, bytes) else core.write(part[0], 5, part[1]) for part in parts)
        + b"\0"
    )
    frames, bad = core.read(stream)
    reader, good, damaged = FrameReader(), 0, 0
    for byte in stream:
        for frame in reader.feed(bytes([byte])):
            if isinstance(frame, BadFrame) and not frame.why.startswith("too short for"):
                damaged += 1
            else:
                good += 1
    assert (good, damaged) == (len(frames), bad)


@pytest.mark.whole
@given(st.sampled_from(VECTORS), st.integers(0, 10_000), st.integers(0, 7))
def test_one_flipped_bit_never_makes_another_frame(line: str, place: int, bit: int) -> None:
    data = bytearray(bytes.fromhex(line.split()[1]))
    data[place % len(data)] ^= 1 << bit
    sent = bytes.fromhex(line.split()[1])
    body = cobs.decode(sent[1:-1])
    frames, _ = core.read(bytes(data) + b"\0")
    assert frames in ([], [(body[0], body[1], body[2:-2])])


def test_noise_costs_only_itself() -> None:
    frame = encode(Event(1, 2, 3, 1), 9)
    noise = bytes(range(1, 256)) * 40
    reader = FrameReader()
    assert list(reader.feed(noise + frame)) == [BadFrame("too long"), Frame(9, Event(1, 2, 3, 1))]
    assert core.read(noise + frame)[0] == [(Event.TYPE, 9, cobs.decode(frame[1:-1])[2:-2])]


def test_a_longer_payload_is_read_as_far_as_it_is_known_and_an_unknown_type_is_passed_over() -> None:
    longer = core.write(Event.TYPE, 1, Event.LAYOUT.pack(7, 8, 9, 1) + b"new")
    unknown = core.write(0x3E, 2, b"later")
    short = core.write(Event.TYPE, 3, b"\1\2")
    frames = list(FrameReader().feed(longer + unknown + short))
    assert frames == [Frame(1, Event(7, 8, 9, 1)), Frame(2, None), BadFrame("too short for its type")]


def test_every_message_fits_into_a_frame() -> None:
    sizes = {kind.__name__: kind.LAYOUT.size + kind.TAIL_MAX for kind in protocol.MESSAGES.values()}
    assert max(sizes.values()) <= protocol.PAYLOAD_MAX, sizes
    assert asdict(Event(1, 2, 3, 0)) == {"event_seq": 1, "ms": 2, "input": 3, "closed": 0}
