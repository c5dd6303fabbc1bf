"""Bad luck at a real relay: clocks an hour apart, full disks, another certificate, and several relays."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import Any

import pytest

from tests.support.disks import fill, small_disk
from tests.support.far import FarGuest
from tests.support.relay_process import GuestsLine, RunningRelay
from tests.support.tables import BEFORE, BOARD
from tests.support.waiting import until
from tock_app.service.far import let_in
from tock_companion.core.game_setup import GameSetup
from tock_companion.far.relay_service import RelayService as Meeting
from tock_companion.far.tunnel import Tunnel
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app
from tock_web.https import live_certificate
from tock_web.https.certificate import broker_certificate

pytestmark = pytest.mark.whole
HOUR_S = 3600


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    running = Table(BOARD, Store(tmp_path), setup=GameSetup(position=BEFORE))
    running.start()
    yield running
    running.stop()


@contextmanager
def home(table: Table, place: RunningRelay, folder: Path, ahead_s: float = 0.0) -> Iterator[Tunnel]:
    """A home whose clock may be wrong."""
    meeting = Meeting(place.url, place.ca)
    tunnel = Tunnel(table, folder, meeting, wall_s=lambda: time() + ahead_s)
    let_in(tunnel, create_app(table))
    tunnel.start()
    try:
        yield tunnel
    finally:
        tunnel.stop()


def sits_down(tunnel: Tunnel, line: GuestsLine, link: str) -> bool:
    line.hear_home(b"here")
    guest: Any = FarGuest(line, link)  # type: ignore[arg-type]
    return (
        guest.hello() is None and guest.call("POST", "join", body={"name": "Mamie", "lang": "fr"})[0] == 200
    )


@pytest.mark.parametrize("ahead_s", [-HOUR_S, HOUR_S], ids=["behind", "ahead"])
def test_a_home_whose_clock_is_an_hour_wrong_invites_as_any_other(
    place: RunningRelay, table: Table, tmp_path: Path, ahead_s: float
) -> None:
    with home(table, place, tmp_path, ahead_s) as tunnel:
        link = tunnel.invite(Seat.P0).link
        line = GuestsLine(place, link)
        assert sits_down(tunnel, line, link)
        line.stop()


def test_lines_stay_while_the_relay_takes_another_certificate(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_certificate, "RENEW_S", 0.1)
    folders = [tmp_path / name for name in ("relay", "renewed")]
    for folder in folders:
        folder.mkdir()
    used = [broker_certificate(folders[0])]
    place = RunningRelay(folders[0], files=lambda: used[0]).start()
    try:
        with home(table, place, tmp_path) as tunnel:
            link = tunnel.invite(Seat.P0).link
            line = GuestsLine(place, link)
            until(lambda: tunnel.is_reached)
            before = ssl.get_server_certificate(("127.0.0.1", place.port))
            used[0] = broker_certificate(folders[1])
            until(lambda: ssl.get_server_certificate(("127.0.0.1", place.port)) != before)
            assert tunnel.is_reached
            assert sits_down(tunnel, line, link)
            line.stop()
    finally:
        place.stop()


def test_a_relay_place_whose_disk_is_full_goes_on_with_those_who_are_there(
    table: Table, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with small_disk(tmp_path / "small", 2_000) as disk:
        if disk is None:
            pytest.skip("only the superuser mounts a small disk")
        place = RunningRelay(disk).start()
        try:
            with home(table, place, tmp_path) as tunnel:
                link = tunnel.invite(Seat.P0).link
                line = GuestsLine(place, link)
                fill(disk)
                assert sits_down(tunnel, line, link)
                other = tunnel.invite(Seat.P1).link
                another = GuestsLine(place, other)
                assert sits_down(tunnel, another, other), (
                    "rights are the broker's, who has them in memory too"
                )
                for one in (line, another):
                    one.stop()
        finally:
            place.stop()
    assert "Traceback" not in capfd.readouterr().err


def test_a_guest_at_one_relay_reaches_a_home_at_another_over_bridged_brokers(
    table: Table, tmp_path: Path
) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    first = RunningRelay(folders[0]).start()
    # The passwords of all of them follow from one key.
    (folders[1] / "relay.key").write_bytes((folders[0] / "relay.key").read_bytes())
    (folders[1] / "relay.key").chmod(0o600)
    second = RunningRelay(folders[1], bridge_port=first.broker_port).start()
    try:
        with home(table, first, tmp_path) as tunnel:
            link = tunnel.invite(Seat.P0).link
            line = GuestsLine(second, link)
            assert sits_down(tunnel, line, link)
            line.stop()
    finally:
        second.stop()
        first.stop()
