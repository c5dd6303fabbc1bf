"""A view that cannot be made ends nobody's evening: the last one stays, and the host gets a notice."""

import json
from typing import Any

import pytest
from flask import Flask

from tests.support.page import Phone
from tests.support.waiting import until
from tock_companion.core.requests import Role
from tock_companion.table.runtime import publisher
from tock_companion.table.runtime.live import Table


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
