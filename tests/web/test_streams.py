"""Streams of views: bounded, the newest of a tab wins, over at once when the server stops."""

import json
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from flask import Flask

from tests.support.page import Phone
from tock_companion.errors import BadInputError
from tock_companion.table.runtime.live import Table
from tock_companion.views.schema import View
from tock_web import streams
from tock_web.streams import Stream, StreamRegistry, ViewTexts, run


class Script:
    """A subscription with the views of a list, then none."""

    def __init__(self, *views: View) -> None:
        self.views = list(views)
        self.on_news: Callable[[], None] = lambda: None
        self.is_closed = False

    def get(self, _timeout_s: float) -> View | None:
        return self.views.pop(0) if self.views else None

    def close(self) -> None:
        self.is_closed = True


def stream(tab: str, group: str = "", *views: View) -> Stream:
    return Stream(tab, group, Script(*views))


def numbered(revision: int) -> View:
    """As much of a view as streams look at."""
    return cast(View, {"revision": revision})


def events(chunks: Iterator[str]) -> Iterator[tuple[str, object]]:
    for chunk in chunks:
        fields = dict(line.split(": ", 1) for line in chunk.strip().splitlines())
        if "event" in fields:
            yield fields["event"], json.loads(fields["data"])


def test_a_stream_begins_with_a_whole_view(phone: Phone) -> None:
    # The camera may report in between.
    before = phone.get("view?role=table").get_json()
    answer = phone.get("events?role=table&tab=abcdefgh")
    assert answer.mimetype == "text/event-stream"
    chunks = answer.iter_encoded()
    first = [next(chunks).decode(), next(chunks).decode()]
    answer.close()
    assert first[0].startswith("retry: ")
    name, data = next(events(iter(first[1:])))
    assert name == "view"
    assert data == before or data == phone.get("view?role=table").get_json()


def test_closing_a_stream_makes_room(phone: Phone, app: Flask) -> None:
    answer = phone.get("events?tab=abcdefgh")
    assert len(app.extensions["tock"].streams) == 1
    answer.close()
    assert len(app.extensions["tock"].streams) == 0


def test_the_newest_stream_of_a_tab_wins() -> None:
    registry = StreamRegistry(limit=10)
    old, new, other = stream("tab-1"), stream("tab-1"), stream("tab-2")
    assert [registry.admit(entry) for entry in (old, other, new)] == [True, True, True]
    assert old.closed.is_set()
    assert not new.closed.is_set()
    assert not other.closed.is_set()
    assert len(registry) == 2


def test_a_seat_has_three_streams_at_most_and_the_oldest_ends() -> None:
    registry = StreamRegistry(limit=10, limit_per_group=3)
    tabs = [stream(f"tab-{number}", "P0") for number in range(4)]
    assert all(registry.admit(entry) for entry in tabs)
    assert [entry.closed.is_set() for entry in tabs] == [True, False, False, False]


def test_too_many_streams_are_asked_to_come_back(app: Flask, phone: Phone) -> None:
    app.extensions["tock"].streams = StreamRegistry(limit=1)
    first = phone.get("events?tab=abcdefgh")
    second = phone.get("events?tab=ijklmnop")
    assert second.status_code == 503
    assert int(second.headers["Retry-After"]) > 0
    first.close()


def test_standing_up_ends_the_stream(app: Flask, phone: Phone) -> None:
    phone.sit("P0")
    answer = phone.get("events?role=seat&tab=abcdefgh")
    chunks = iter(answer.response)
    next(chunks)
    phone.post("leave")
    assert not [chunk for chunk in chunks if b"event: hb" in chunk]
    answer.close()


def test_views_that_were_sent_are_not_sent_again() -> None:
    registry = StreamRegistry(limit=1)
    ended = [False]
    subscription = Script(*map(numbered, (1, 2, 2, 3)))
    entry = Stream("tab", "", subscription)
    registry.admit(entry)
    chunks = run(registry, entry, numbered(1), "boot", lambda: not subscription.views and ended[0])
    seen = []
    for name, data in events(chunks):
        seen.append((name, data))
        ended[0] = data == {"revision": 3}
    assert seen == [("view", {"revision": 1}), ("view", {"revision": 2}), ("view", {"revision": 3})]
    assert len(registry) == 0
    assert subscription.is_closed


def test_shared_parts_of_views_never_mix_with_the_others() -> None:
    texts, moves = ViewTexts(), [{"seat": "P0"}]
    views: list[Any] = [
        {"role": "seat", "seat": "P0", "revision": 1, "history": moves, "hand": ["AH"]},
        {"role": "seat", "seat": "P1", "revision": 1, "history": moves, "hand": []},
        {"role": "watch", "revision": 1, "history": moves},
        {"role": "seat", "seat": "P0", "revision": 2, "history": [*moves, {"seat": "P1"}], "hand": ["AH"]},
    ]
    sent = [data for view in views for _, data in events(iter([texts.text(view, "boot")]))]
    assert sent == views


def test_silence_is_filled_with_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.0)
    registry = StreamRegistry(limit=1)
    entry = stream("tab")
    registry.admit(entry)
    chunks = events(run(registry, entry, numbered(4), "boot"))
    assert next(chunks) == ("view", {"revision": 4})
    assert next(chunks) == ("hb", {"revision": 4})
    entry.close()
    assert list(chunks) == []


def test_a_seat_that_plays_no_more_ends_its_stream() -> None:
    class Gone(Script):
        def get(self, _timeout_s: float) -> View | None:
            raise BadInputError("a seat's view needs a seat that plays")

    registry = StreamRegistry(limit=1)
    entry = Stream("tab", "P1", Gone())
    registry.admit(entry)
    assert list(events(run(registry, entry, numbered(1), "boot"))) == [("view", {"revision": 1})]
    assert len(registry) == 0


def test_after_the_end_nobody_is_admitted() -> None:
    registry = StreamRegistry(limit=5)
    entry = stream("tab-1")
    registry.admit(entry)
    registry.close_all()
    assert entry.closed.is_set()
    assert not registry.admit(stream("tab-2"))


def test_a_stream_that_cannot_be_shown_takes_no_place(
    app: Flask, phone: Phone, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.sit("P1")

    def unseated(_role: object, _seat: object) -> View:
        # Between the question for the seat and its view, the game can become one without it.
        raise BadInputError("a seat's view needs a seat that plays")

    monkeypatch.setattr(table, "view", unseated)
    for path in ("view?role=seat", "events?role=seat&tab=abcdefgh"):
        answer = phone.get(path)
        assert (answer.status_code, answer.get_json()["code"]) == (409, "table/refused")
    assert len(app.extensions["tock"].streams) == 0
