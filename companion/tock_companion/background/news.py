"""A condition that threads wait for and tasks of a loop listen to."""

from collections.abc import Callable
from threading import Condition


class News(Condition):
    """A condition whose `notify_all` also calls those who listen; they must return at once."""

    def __init__(self) -> None:
        super().__init__()
        self._listeners: set[Callable[[], None]] = set()

    def listen(self, on_news: Callable[[], None]) -> None:
        """Call `on_news`, on any thread, with every piece of news."""
        with self:
            self._listeners.add(on_news)

    def drop(self, on_news: Callable[[], None]) -> None:
        with self:
            self._listeners.discard(on_news)

    def notify_all(self) -> None:
        """Wake all who wait, and call all who listen."""
        super().notify_all()
        for on_news in self._listeners:
            on_news()
