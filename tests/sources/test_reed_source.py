"""The reed source over a scripted line: the beliefs that it delivers, and commands on their way to the board."""

from tock_companion.boardfile import generate
from tock_companion.boardfile.wiring import inputs_of
from tock_companion.observation import Edge, HoleState, Observation, SourceMessage
from tock_companion.sources.reed.commands import CommandQueue
from tock_companion.sources.reed.frames import encode
from tock_companion.sources.reed.protocol import (
    COMMAND_RETRY_MS,
    COMMAND_TRIES,
    Buzz,
    Event,
    Hello,
    Message,
    Snapshot,
)
from tock_companion.sources.reed.source import ReedSource
from tock_rules import Hole

ZONES = 4
INPUTS = inputs_of(ZONES)
HELLO = Hello(1, 0, 1, 0, 0, 0, 1, 9, 1, ZONES, ZONES, 0, 7, 4, 2)


class ScriptedLine:
    """A port on which the test's messages come, all of one `say` in one read."""

    name = "scripted"

    def __init__(self) -> None:
        self._next, self._seq = b"", 0

    def say(self, *messages: Message) -> None:
        for message in messages:
            self._next += encode(message, self._seq)
            self._seq += 1

    def read(self) -> bytes:
        data, self._next = self._next, b""
        return data

    def write(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        pass


def snapshot(event_seq: int, *holes: str) -> Snapshot:
    bitmap = sum(1 << INPUTS[Hole.parse(hole)] for hole in holes)
    return Snapshot(0, event_seq, 0, bitmap.to_bytes(4 * ZONES, "little"))


def deliver(*reads: tuple[Message, ...]) -> list[tuple[frozenset[str], tuple[Edge, ...]]]:
    """Closed holes and edges of every observation that these reads lead to."""
    received: list[SourceMessage] = []
    source, line = ReedSource(generate(ZONES, 440.0), {}), ScriptedLine()
    source.connect(received.append)
    source.take_up(line, 0)
    for t_ms, messages in enumerate(reads, start=1):
        line.say(*messages)
        source.exchange(line, lambda t_ms=t_ms: t_ms)  # type: ignore[misc]
    return [
        (
            frozenset(hole for hole, reading in observed.holes.items() if reading.state is HoleState.PAWN),
            observed.edges,
        )
        for observed in received
        if isinstance(observed, Observation)
    ]


def test_every_edge_is_delivered_with_the_switches_as_they_were_just_after_it() -> None:
    observed = deliver(
        (HELLO, snapshot(0, "T5")),
        (Event(1, 0, INPUTS[Hole.parse("T5")], 0), Event(2, 0, INPUTS[Hole.parse("T6")], 1)),
    )
    assert [holes for holes, _ in observed] == [{"T5"}, frozenset(), {"T6"}]
    assert [[edge.hole for edge in edges] for _, edges in observed] == [[], ["T5"], ["T6"]]


def test_an_edge_behind_an_unasked_snapshot_is_delivered_with_what_the_snapshot_showed() -> None:
    observed = deliver(
        (HELLO, snapshot(0)), (snapshot(1, Hole.parse("T5")), Event(2, 0, INPUTS[Hole.parse("T6")], 1))
    )
    assert [holes for holes, _ in observed] == [frozenset(), {"T5", "T6"}]


def queue_of(*frequencies_hz: int) -> CommandQueue:
    queue = CommandQueue()
    for frequency_hz in frequencies_hz:
        queue.add(lambda token, hz=frequency_hz: Buzz(token, hz, 50))  # type: ignore[misc]
    return queue


def test_a_command_waits_for_the_one_before_it() -> None:
    queue = queue_of(440, 880)
    assert list(queue.due(0)) == [Buzz(1, 440, 50)]
    assert list(queue.due(COMMAND_RETRY_MS - 1)) == []
    queue.acknowledge(1)
    assert list(queue.due(COMMAND_RETRY_MS - 1)) == [Buzz(2, 880, 50)]


def test_a_command_that_is_never_acknowledged_is_given_up_and_the_next_one_goes_out() -> None:
    queue = queue_of(440, 880)
    sent = [message for step in range(COMMAND_TRIES) for message in queue.due(step * COMMAND_RETRY_MS)]
    assert sent == [Buzz(1, 440, 50)] * COMMAND_TRIES
    assert list(queue.due(COMMAND_TRIES * COMMAND_RETRY_MS)) == []
    assert (queue.given_up, len(queue)) == (1, 1)
    assert list(queue.due(COMMAND_TRIES * COMMAND_RETRY_MS)) == [Buzz(2, 880, 50)]


def test_a_late_answer_to_a_command_of_before_is_no_answer_to_the_next() -> None:
    queue = queue_of(440)
    queue.acknowledge(9)
    assert len(queue) == 1
