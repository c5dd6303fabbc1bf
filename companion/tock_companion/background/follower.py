"""A background thread that follows a stream of views."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from tock_companion.background.thread import Background
from tock_companion.background.turns import patience_s

Item = TypeVar("Item")
Given_co = TypeVar("Given_co", covariant=True)


class Stream(Protocol[Given_co]):
    """A subscription: its newest item, until it is closed."""

    @property
    def closed(self) -> bool:
        """Whether it has ended."""

    def get(self, timeout_s: float) -> Given_co | None:
        """Wait for the next item; None when none came in time, or it was closed."""

    def close(self) -> None:
        """End the stream; a waiting reader returns at once."""


class Follower(Generic[Item]):
    """A background thread that takes in each item of a stream, and ends with it.

    `take` is given None when nothing has come for `patience_s`, and returns how many seconds to rest. An item that it
    fails on is gone: the next one may be taken.
    """

    def __init__(
        self,
        name: str,
        does: str,
        subscribe: Callable[[], Stream[Item]],
        take: Callable[[Item | None], float],
        patience_s: float,
    ) -> None:
        self._subscribe, self._take, self._patience_s = subscribe, take, patience_s
        self._stream: Stream[Item] | None = None
        self._loop = Background(name, does, self._step, wake=self._close, close=self._close)

    def start(self) -> None:
        """Begin to follow; the first item is there at once."""
        self._stream = self._subscribe()
        self._loop.start()

    def stop(self) -> None:
        self._loop.stop()

    def pause(self, for_s: float) -> bool:
        """Wait while an item is taken in; True when it was asked to end."""
        return self._loop.pause(for_s)

    def _step(self) -> float | None:
        stream = self._stream
        if stream is None or stream.closed:
            return None
        item = stream.get(patience_s(self._patience_s))
        return None if stream.closed or self._loop.is_stopping else self._take(item)

    def _close(self) -> None:
        if self._stream is not None:
            self._stream.close()
