"""The firmware's core on the host port: debouncing, numbering, wrapping, and commands."""

import random

from hypothesis import given
from hypothesis import strategies as st

from tests.support.firmware_core import CoreBoard, debounced
from tock_companion.sources.reed.frames import Frame, FrameReader, crc16, encode
from tock_companion.sources.reed.protocol import (
    FIXED_LOW_INPUT,
    Ack,
    Buzz,
    Event,
    Heartbeat,
    Hello,
    HelloRequest,
    Leds,
    Message,
    Reset,
    Result,
    SelfTest,
    SelfTestRequest,
    SetDebounce,
    Snapshot,
    SnapshotRequest,
)


def messages(data: bytes) -> list[Message]:
    """The messages of a board; every frame must be a good one."""
    found = []
    for frame in FrameReader().feed(data):
        assert isinstance(frame, Frame)
        assert frame.message is not None
        found.append(frame.message)
    return found


def naive(samples: int, start: int, raw: bytes) -> bytes:
    """Debounce eight inputs one by one, in the plainest way."""
    stable, runs, out = start, [0] * 8, bytearray()
    for value in raw:
        for bit in range(8):
            runs[bit] = runs[bit] + 1 if (value ^ stable) >> bit & 1 else 0
            if runs[bit] == samples:
                stable ^= 1 << bit
                runs[bit] = 0
        out.append(stable)
    return bytes(out)


@given(
    st.integers(1, 15), st.integers(0, 255), st.lists(st.sampled_from([0, 1, 0x80, 0xFF, 0x55]), max_size=200)
)
def test_debouncing_agrees_with_the_plainest_way(samples: int, start: int, raw: list[int]) -> None:
    assert debounced(samples, start, bytes(raw)) == naive(samples, start, bytes(raw))


def test_it_says_hello_and_the_truth_as_soon_as_the_inputs_are_known() -> None:
    board = CoreBoard(8)
    board.switch(3, True)
    received = messages(board.run_ms(40))
    assert [type(each) for each in received[:2]] == [Hello, Snapshot]
    assert isinstance(received[1], Snapshot)
    assert received[1].bitmap[0] == 8
    assert len(received[1].bitmap) == 32


def test_a_change_shorter_than_the_debounce_time_is_no_event() -> None:
    board = CoreBoard(4)
    board.run_ms(40)
    board.switch(9, True)
    board.run_ms(6)
    board.switch(9, False)
    assert not [each for each in messages(board.run_ms(100)) if isinstance(each, Event)]


def test_events_are_numbered_and_timed_when_the_change_was_seen_first() -> None:
    board = CoreBoard(4)
    board.run_ms(40)
    board.switch(9, True)
    (event,) = [each for each in messages(board.run_ms(20)) if isinstance(each, Event)]
    assert (event.event_seq, event.input, event.closed) == (1, 9, 1)
    assert 40 < event.ms <= 42


def test_of_one_scan_pawns_that_left_are_reported_before_pawns_that_came() -> None:
    board = CoreBoard(4)
    board.switch(88, True)
    board.run_ms(40)
    board.switch(5, True)
    board.switch(88, False)
    board.switch(100, True)
    events = [each for each in messages(board.run_ms(20)) if isinstance(each, Event)]
    assert [(each.input, each.closed) for each in events] == [(88, 0), (5, 1), (100, 1)]
    assert [each.event_seq for each in events] == [1, 2, 3]


def test_time_and_numbers_wrap_without_a_word_being_lost() -> None:
    board = CoreBoard(4, now_ms=0xFFFFFFFF - 100)
    board.run_ms(40)
    board.events_from(65534)
    stream = bytearray()
    for number in range(4):
        board.switch(number, True)
        stream += board.run_ms(40)
    events = [each for each in messages(bytes(stream)) if isinstance(each, Event)]
    assert [event.event_seq for event in events] == [65535, 0, 1, 2]
    assert events[0].ms > 0xFFFFFF00
    assert events[-1].ms < 200
    assert any(isinstance(each, Heartbeat) for each in messages(board.run_ms(260)))


def test_a_flood_of_changes_becomes_one_snapshot() -> None:
    board = CoreBoard(8)
    board.run_ms(40)
    stream = bytearray()
    flood = [number for number in range(0, 208, 2) if number % 32 != FIXED_LOW_INPUT]
    for number in flood:
        board.switch(number, True)
    stream += board.run_ms(60)
    received = messages(bytes(stream))
    snapshots = [each for each in received if isinstance(each, Snapshot)]
    assert snapshots
    last = received.index(snapshots[-1])
    events = [each.event_seq for each in received[last + 1 :] if isinstance(each, Event)]
    assert events == list(range(snapshots[-1].event_seq + 1, snapshots[-1].event_seq + 1 + len(events)))
    heartbeat = next(each for each in reversed(messages(board.run_ms(300))) if isinstance(each, Heartbeat))
    assert heartbeat.overflows >= 1
    assert heartbeat.event_seq == len(flood)


def test_a_heartbeat_carries_the_check_sum_of_the_bitmap() -> None:
    board = CoreBoard(4)
    board.switch(77, True)
    received = messages(board.run_ms(300))
    snapshot = next(each for each in received if isinstance(each, Snapshot))
    heartbeat = next(each for each in received if isinstance(each, Heartbeat))
    assert heartbeat.bitmap_crc == crc16(snapshot.bitmap)


def test_a_snapshot_that_is_asked_for_comes_before_the_next_heartbeat() -> None:
    board = CoreBoard(4)
    board.run_ms(249)
    board.hear(encode(SnapshotRequest(), 0))
    received = [each for each in messages(board.run_ms(20)) if isinstance(each, Snapshot | Heartbeat)]
    assert [type(each) for each in received] == [Snapshot, Heartbeat]


def test_commands_are_answered_and_obeyed_once() -> None:
    board = CoreBoard(4)
    board.run_ms(40)
    received: list[Message] = []
    for command in (
        Leds(1, b"\1"),
        SetDebounce(2, 1, 1),
        Buzz(3, 880, 100),
        Buzz(3, 880, 100),
        SelfTestRequest(4),
    ):
        board.hear(encode(command, 0))
        received += [each for each in messages(board.run_ms(5)) if isinstance(each, Ack | SelfTest)]
    assert [each.token for each in received if isinstance(each, Ack | SelfTest)] == [1, 2, 3, 3, 4]
    assert isinstance(received[-1], SelfTest)
    assert received[-1].ring_bits == 128


def test_values_out_of_range_change_nothing_and_say_so() -> None:
    board = CoreBoard(4)
    board.run_ms(40)
    for command in (
        SetDebounce(1, 0, 2),
        SetDebounce(1, 16, 2),
        SetDebounce(1, 4, 21),
        Buzz(1, 50, 10),
        Reset(1, 999),
    ):
        board.hear(encode(command, 0))
        (ack,) = [each for each in messages(board.run_ms(5)) if isinstance(each, Ack)]
        assert ack.result == Result.BAD_VALUE, command
    board.hear(encode(HelloRequest(1, 0), 0))
    (hello,) = [each for each in messages(board.run_ms(5)) if isinstance(each, Hello)]
    assert (hello.debounce_samples, hello.debounce_period_ms) == (4, 2)


def test_noise_never_stops_it() -> None:
    board, chance = CoreBoard(2), random.Random(5)
    board.run_ms(40)
    for _ in range(200):
        board.hear(chance.randbytes(chance.randint(1, 300)))
        board.run_ms(2)
    board.hear(b"\0" + encode(HelloRequest(1, 0), 0))
    assert any(isinstance(each, Hello) for each in messages(board.run_ms(30)))
