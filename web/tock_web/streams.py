"""Streams of views as Server-Sent Events, each a task of the server.

A tab has one stream, a seat a few, and the total is limited. Strangers share the rest of it, address by address.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Event, Lock
from time import monotonic
from typing import Protocol

from flask import Response

from tock_companion.background import News
from tock_companion.errors import TockError
from tock_companion.strict_json import encode
from tock_companion.views.schema import View

log = logging.getLogger(__name__)

HEARTBEAT_S = 10.0
"""The page gives up a stream that has been silent for 25 s."""
SLICE_S = 0.5
"""Longest time for a stream to notice that its reader may look no longer."""
RETRY_MS = 1500
IsOver = Callable[[], bool]
"""Whether the reader may look no longer."""


class Subscription(Protocol):
    """The streams' interface to the subscriptions of `tock_companion.table`; only the newest view is kept."""

    on_news: Callable[[], None]
    """Called, on any thread, with every piece of news and at the end."""

    def get(self, timeout_s: float) -> View | None:
        """A view newer than the last one returned; None after `timeout_s` seconds or when closed."""

    def close(self) -> None:
        """End the stream; a waiting `get` returns soon after."""


@dataclass(eq=False, slots=True)
class Stream:
    """One open stream: `tab` is a random name that the page chose; streams of one `group` (a seat) are limited."""

    tab: str
    group: str
    subscription: Subscription | None = None
    device: str = ""
    """The player's or host's device that reads it; empty for a stranger's."""
    address: str = ""
    watches: bool = False
    """Whether its reader only looks on."""
    closed: Event = field(default_factory=Event)
    on_news: Callable[[], None] = lambda: None
    """Called, on any thread, when there may be something to send, and at the end."""

    def listen(self, on_news: Callable[[], None]) -> None:
        """Call `on_news` with all that is new."""
        self.on_news = on_news
        if self.subscription is not None:
            self.subscription.on_news = on_news

    def close(self) -> None:
        """End the stream."""
        self.closed.set()
        if self.subscription is not None:
            self.subscription.close()
        self.on_news()


class Feed:
    """The body of an endless answer, which the server sends piece by piece from a task.

    Whoever calls the app without the server iterates over it, and waits in the thread that does.
    """

    def __init__(
        self,
        stream: Stream,
        steps: Iterator[str],
        close: Callable[[], None],
        pause_s: float = 0.0,
        news: News | None = None,
        *,
        is_for_sockets: bool = False,
    ) -> None:
        """`steps` never wait: each is the next text, empty where there is none yet. `news` comes besides the stream's.

        The server rests for `pause_s` before it waits for the next. Only for a caller with a secret of its own is it
        for WebSockets: pages of other sites may open those, too.
        """
        self.pause_s, self.is_for_sockets = pause_s, is_for_sockets
        self._stream, self._steps, self._close, self._news = stream, steps, close, news

    def listen(self, on_news: Callable[[], None]) -> None:
        """Call `on_news`, on any thread, when there may be something to take."""
        self._stream.listen(on_news)
        if self._news is not None:
            self._news.listen(on_news)

    def take(self) -> bytes | None:
        """The next text, empty where there is none yet; None at the end."""
        text = next(self._steps, None)
        return None if text is None else text.encode()

    def close(self) -> None:
        """End it: the client has gone."""
        if self._news is not None:
            self._news.drop(self._stream.on_news)
        self._close()

    def __iter__(self) -> Iterator[bytes]:
        news = Event()
        self.listen(news.set)
        while (text := self.take()) is not None:
            if text:
                yield text
            else:
                news.wait(SLICE_S)
                news.clear()

    def response(self) -> Response:
        """The answer with this body."""
        answer = Response(self, mimetype="text/event-stream", direct_passthrough=True)
        # Proxies hold answers back until they end.
        answer.headers["X-Accel-Buffering"] = "no"
        return answer


class StreamRegistry:
    """All open streams of one page server."""

    def __init__(self, limit: int, limit_per_group: int = 3, limit_per_device: int = 8) -> None:
        self._limit = limit
        self._limit_per_group = limit_per_group
        self._limit_per_device = limit_per_device
        self._lock = Lock()
        self._streams: list[Stream] = []
        self._is_closed = False
        self.texts = ViewTexts()

    def __len__(self) -> int:
        with self._lock:
            return len(self._streams)

    @property
    def watching(self) -> int:
        """The streams of those who only look on."""
        with self._lock:
            return sum(stream.watches for stream in self._streams)

    def admit(self, stream: Stream) -> bool:
        """Admit a stream, False when there are too many; older ones of the same tab or of a full group end."""
        with self._lock:
            if self._is_closed:
                return False
            others = [other for other in self._streams if other.tab != stream.tab]
            if stream.group:
                others = _without_oldest(
                    others, lambda other: other.group == stream.group, self._limit_per_group
                )
            if stream.device:
                others = _without_oldest(
                    others, lambda other: other.device == stream.device, self._limit_per_device
                )
            if len(others) >= self._limit:
                displaced = _displaced(others, stream)
                if displaced is None:
                    return False
                others.remove(displaced)
            ended = [other for other in self._streams if other not in others]
            self._streams = [*others, stream]
        for other in ended:
            other.close()
        return True

    def drop(self, stream: Stream) -> None:
        """Forget a stream that has ended."""
        with self._lock:
            if stream in self._streams:
                self._streams.remove(stream)
        stream.close()

    def close_group(self, group: str) -> None:
        """End all streams of a group whose seat was left."""
        with self._lock:
            ended = [stream for stream in self._streams if stream.group == group]
        for stream in ended:
            stream.close()

    def close_all(self) -> None:
        """End every stream and admit no more: the server stops."""
        with self._lock:
            self._is_closed = True
            ended = list(self._streams)
        for stream in ended:
            stream.close()


def _without_oldest(streams: list[Stream], counts: Callable[[Stream], bool], limit: int) -> list[Stream]:
    """Streams without the oldest that count, so that one more stays within the limit."""
    counted = [stream for stream in streams if counts(stream)]
    ended = counted[: max(0, len(counted) - limit + 1)]
    return [stream for stream in streams if stream not in ended]


def _displaced(streams: list[Stream], newcomer: Stream) -> Stream | None:
    """The stream that ends for a newcomer: the oldest at the address with most strangers.

    No stranger displaces one who would then have less than itself.
    """
    strangers = [stream for stream in streams if not stream.device]
    counts = Counter(stream.address for stream in strangers)
    if not counts:
        return None
    (address, most), *_ = counts.most_common(1)
    if not newcomer.device and most <= counts[newcomer.address] + 1:
        return None
    return next(stream for stream in strangers if stream.address == address)


def event_text(name: str, data: object, event_id: str = "") -> str:
    """One event in the text form of the standard."""
    return _event(name, encode(data), event_id)


def _event(name: str, text: str, event_id: str) -> str:
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {name}\ndata: {text}\n\n"


class ViewTexts:
    """Serialized views: each written once for all streams that send it, and shared parts once for all views."""

    def __init__(self) -> None:
        self._newest: dict[object, tuple[View, str]] = {}
        self._parts: dict[str, tuple[object, str]] = {}

    def text(self, view: View, boot: str) -> str:
        """A view as an event; its id tells the run of the companion and the revision within it."""
        subscribers = (view.get("role"), view.get("seat"))
        kept = self._newest.get(subscribers)
        if kept is None or kept[0] is not view:
            event = _event("view", self._written(view), f"{boot}.{view['revision']}")
            kept = self._newest[subscribers] = (view, event)
        return kept[1]

    def _written(self, view: View) -> str:
        """A view as JSON. The views of a table share most of their values, which nobody changes."""
        texts = []
        for name, value in view.items():
            kept = self._parts.get(name)
            if kept is None or kept[0] is not value:
                kept = self._parts[name] = (value, encode(value))
            texts.append(f'"{name}":{kept[1]}')
        return f"{{{','.join(texts)}}}"


def run(
    registry: StreamRegistry,
    stream: Stream,
    first: View,
    boot: str,
    is_over: IsOver = lambda: False,
    news: Callable[[], str] = lambda: "",
) -> Iterator[str]:
    """Yield the events of an admitted stream until it is closed, "" while there is none; heartbeats fill the silence.

    `news` makes an event other than a view, empty for none.
    """
    newest, subscription = first, stream.subscription
    assert subscription is not None
    try:
        yield f"retry: {RETRY_MS}\n\n"
        if is_over():
            return
        yield registry.texts.text(first, boot)
        quiet_since_s = monotonic()
        while not (stream.closed.is_set() or is_over()):
            view = subscription.get(0)
            # Checked again once the view is made: a later view belongs to the next holder of the seat.
            if view is not None and is_over():
                return
            if view is not None and view["revision"] != newest["revision"]:
                newest = view
                quiet_since_s = monotonic()
                yield registry.texts.text(view, boot)
            # After the view: all streams want theirs at the same moment.
            extra = news()
            if extra:
                quiet_since_s = monotonic()
                yield extra
            elif monotonic() - quiet_since_s >= HEARTBEAT_S:
                quiet_since_s = monotonic()
                yield event_text("hb", {"revision": newest["revision"]})
            else:
                yield ""
    except TockError:
        # The seat has no place in the new game, or has no view at all; the page asks again and learns why.
        log.info("page: a stream of %s ended, its view is no more", stream.group or "onlookers")
    finally:
        registry.drop(stream)
