"""Processes that make pictures for a training: all arrive, a fault is seen, and they end when they are stopped."""

from collections.abc import Iterator
from functools import partial
from itertools import count

import pytest

from vision.training.workers import Stream

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


def numbers(first: int, step: int, end: int) -> Iterator[int]:
    yield from range(first, end, step)


def faulty() -> Iterator[int]:
    yield 1
    raise ValueError("no picture")


def test_all_that_is_made_arrives_once() -> None:
    stream = Stream([partial(numbers, first, 2, 9) for first in range(2)])
    assert sorted(stream) == list(range(9))
    assert list(stream.ready()) == []


def test_a_fault_of_a_worker_is_raised_where_its_pictures_are_used() -> None:
    with pytest.raises(RuntimeError, match="no picture"):
        list(Stream([faulty]))


def test_a_stream_without_end_ends_when_it_is_stopped() -> None:
    stream = Stream([partial(count, 5)], room=2)
    taken = []
    for number in stream:
        taken.append(number)
        if number == 9:
            stream.stop()
    assert taken == [5, 6, 7, 8, 9]
