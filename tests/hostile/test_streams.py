"""Streams opened by the hundred leave room for others; where a view cannot be made, the last one stays."""

import json
from contextlib import closing
from typing import Any

import pytest
from flask import Flask

from tests.support.attackers import ATTACKER, SOON_S, connect, connections, get, request_s
from tests.support.page import Phone, cookie_header
from tests.support.waiting import until
from tock_companion.core.requests import Role
from tock_companion.mqtt.club import Club
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.table.runtime import publisher
from tock_companion.table.runtime.live import Table
from tock_web import serve
from tock_web.club.tables import create_club_app
from tock_web.streams import Stream, StreamRegistry


def begins(port: int, request: bytes, address: str) -> bytes:
    """The status line of a stream."""
    with connect(port, address) as line:
        line.sendall(request)
        return line.recv(4096).partition(b"\r\n")[0]


def test_one_guest_with_many_streams_puts_nobody_on_polling(app: Flask, phone: Phone, port: int) -> None:
    app.extensions["tock"].streams = StreamRegistry(limit=12)
    phone.sit("P0")
    greedy = [get(f"/api/v1/events?tab=greedy-tab-{number}") for number in range(15)]
    lines = [connect(port, ATTACKER) for _ in greedy]
    for line, request in zip(lines, greedy, strict=True):
        line.sendall(request)
        line.recv(64)
    for address in ("127.0.0.1", ATTACKER):
        seated = get("/api/v1/events?role=seat&tab=honest-tab", Cookie=cookie_header(phone))
        assert begins(port, seated, address) == b"HTTP/1.1 200 OK"
    assert begins(port, get("/api/v1/events?tab=spectator"), "127.0.0.1") == b"HTTP/1.1 200 OK"
    for line in lines:
        line.close()


def test_strangers_displace_nobody_who_has_as_few_as_they() -> None:
    registry = StreamRegistry(limit=2)
    first, second = Stream("tab-1", "", address="a"), Stream("tab-2", "", address="b")
    assert registry.admit(first)
    assert registry.admit(second)
    assert not registry.admit(Stream("tab-3", "", address="c"))
    assert not first.closed.is_set()
    assert registry.admit(Stream("tab-4", "", device="P0"))
    assert first.closed.is_set()


def test_a_players_device_has_eight_streams_at_most() -> None:
    registry = StreamRegistry(limit=100)
    tabs = [Stream(f"tab-{number}", "", device="P0", address="a") for number in range(9)]
    assert all(map(registry.admit, tabs))
    assert [tab.closed.is_set() for tab in tabs] == [True] + [False] * 8


def test_the_clubs_page_is_there_beside_eighty_streams() -> None:
    club = Club(BrokerAddress("127.0.0.1", 1))
    with (
        serve(create_club_app(club), "127.0.0.1", 0) as server,
        connections(server.port, 80, get("/api/v1/club/events")) as lines,
    ):
        for line in lines:
            with closing(line.makefile("rb")) as answer:
                assert answer.readline().startswith(b"HTTP/1.1 200")
        assert request_s(server.port, "/") < SOON_S


def refuse(*_: object) -> Any:
    raise KeyError("what nobody thought of")


def someone_sits(table: Table, name: str) -> bool:
    return name in json.dumps(table.view(Role.TABLE)["seats"])


def codes(table: Table) -> list[str]:
    return [note["code"] for note in table.view(Role.HOST)["health"]]


def test_the_last_good_view_stays_and_the_host_gets_a_notice(
    table: Table, phone: Phone, other_phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.sit("P1", "Bob")
    until(lambda: someone_sits(table, "Bob"))
    last = phone.get("view?role=seat").get_json()
    with monkeypatch.context() as broken:
        broken.setattr(publisher, "seat_view", refuse)
        other_phone.sit("P2", "Carl")
        until(lambda: someone_sits(table, "Carl"))
        # No phone gets the views of the seat's holder before it, also while seats change.
        assert phone.get("view?role=seat").status_code == 409
        until(lambda: "old_view" in codes(table))
    assert phone.get("view?role=seat").get_json()["revision"] > last["revision"]


def test_streams_go_on_with_the_last_good_view(
    app: Flask, table: Table, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = phone.get("events?role=watch&tab=abcdefgh")
    chunks = answer.iter_encoded()
    next(chunks)
    first = json.loads(next(chunks).decode().split("data: ", 1)[1])
    with monkeypatch.context() as broken:
        broken.setattr(publisher, "watch_view", refuse)
        phone.sit("P1", "Bob")
        until(lambda: someone_sits(table, "Bob"))
        assert phone.get("view?role=watch").get_json()["revision"] == first["revision"]
        until(lambda: "old_view" in codes(table))
    phone.post("leave")
    later = json.loads(next(chunks).decode().split("data: ", 1)[1])
    assert later["revision"] > first["revision"]
    until(lambda: "old_view" not in codes(table))
    answer.close()
