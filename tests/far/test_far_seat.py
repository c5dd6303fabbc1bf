"""A far seat over a real relay, its real broker and TLS: from the link to a move, and through cuts."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.support.far import FarGuest
from tests.support.relay_process import GuestsLine, RunningRelay
from tests.support.tables import wait_for
from tests.support.waiting import until
from tock_app.config.load import Relay
from tock_app.service.far import far_home, let_in
from tock_companion.core.requests import Role
from tock_companion.far.messages import View
from tock_companion.far.tunnel import Tunnel
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app

pytestmark = pytest.mark.whole


@pytest.fixture
def open_home(place: RunningRelay, table: Table, tmp_path: Path) -> Iterator[Callable[[Flask], Tunnel]]:
    opened: list[Tunnel] = []

    def open_it(app: Flask) -> Tunnel:
        tunnel = far_home(table, Relay(place.url, place.ca), tmp_path)
        let_in(tunnel, app)
        tunnel.start()
        opened.append(tunnel)
        return tunnel

    yield open_it
    for tunnel in opened:
        tunnel.stop()


def test_from_the_link_to_a_move_and_back_after_each_cut(
    place: RunningRelay, table: Table, open_home: Callable[[Flask], Tunnel]
) -> None:
    tunnel = open_home(create_app(table))
    link = tunnel.invite(Seat.P0).link
    line = GuestsLine(place, link)
    until(lambda: tunnel.is_reached)
    line.hear_home(b"here")
    guest: Any = FarGuest(line, link)  # type: ignore[arg-type]
    assert guest.hello() is None
    assert guest.call("POST", "join", body={"name": "Mamie", "lang": "fr"})[0] == 200
    guest.look()
    guest.hear(lambda found: isinstance(found, View))
    assert guest.ask("play_card", card="6H")[0] == 200
    line.drop()
    wait_for(table, lambda view: view["far"]["seats"]["P0"]["state"] == "away")
    again = GuestsLine(place, link)
    again.hear_home(b"here")
    back: Any = FarGuest(again, link)  # type: ignore[arg-type]
    assert back.hello() is None
    wait_for(table, lambda view: view["far"]["seats"]["P0"]["state"] == "here")
    tunnel.stop()
    restarted = open_home(create_app(table))
    until(lambda: restarted.is_reached)
    again.hear_home(b"away", b"here")
    assert back.hello() is None
    assert back.call("GET", "session")[1]["seat"] == "P0"
    assert back.ask("move", text="P0:T20>T26")[0] == 200
    assert table.view(Role.TABLE)["last_move"]["text"] == "P0:T20>T26"  # type: ignore[index]
    restarted.revoke(restarted.guests()[0].room)
    again.stop()
