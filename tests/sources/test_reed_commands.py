"""Commands on their way to the reed board."""

from tock_companion.sources.reed.commands import CommandQueue
from tock_companion.sources.reed.protocol import COMMAND_RETRY_MS, COMMAND_TRIES, Buzz


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
