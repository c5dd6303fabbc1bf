"""Those who look on: each subscription gets the newest view, never a backlog."""

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from tock_companion.views.schema import View


class Subscription:
    """A stream of one role's views; a slow reader skips the views between."""

    def __init__(self, view: Callable[[], View], leave: Callable[["Subscription"], None]) -> None:
        self._view = view
        self._leave = leave
        self._news = threading.Event()
        self._news.set()
        self._closed = False

    def get(self, timeout_s: float) -> View | None:
        """Wait for something new and return the view of that moment; None when nothing came or it is closed."""
        if not self._news.wait(timeout_s) or self._closed:
            return None
        self._news.clear()
        return self._view()

    def wake(self) -> None:
        """Tell the reader that there is something new."""
        self._news.set()

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""
        return self._closed

    def close(self) -> None:
        """End the stream; a waiting reader returns at once."""
        self._closed = True
        self._news.set()
        self._leave(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Audience:
    """All subscriptions of a table."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: set[Subscription] = set()

    def add(self, view: Callable[[], View]) -> Subscription:
        """Open a stream; its first view is there at once."""
        subscription = Subscription(view, self._drop)
        with self._lock:
            self._all.add(subscription)
        return subscription

    def wake(self) -> None:
        """Tell everybody that there is something new."""
        with self._lock:
            everyone = list(self._all)
        for subscription in everyone:
            subscription.wake()

    def close(self) -> None:
        """End all streams."""
        with self._lock:
            everyone = list(self._all)
        for subscription in everyone:
            subscription.close()

    def _drop(self, subscription: Subscription) -> None:
        with self._lock:
            self._all.discard(subscription)
