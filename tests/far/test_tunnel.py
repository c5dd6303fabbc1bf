"""The home's end of the line: links, sessions, calls that count once, and how things stand."""

import json
import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Any, cast

import pytest
from flask import Flask

from tests.support.far import RELAY, FarGuest, LineInMemory, PlaceInMemory, far_home, kept
from tests.support.tables import wait_for
from tests.support.waiting import until
from tock_companion.core.requests import Role
from tock_companion.errors import BadInputError, TockError
from tock_companion.far.link import read_link
from tock_companion.far.messages import Call, Changes, End, Ping, Pong, Refused, View
from tock_companion.far.relay_service import RelayError, RelayService
from tock_companion.far.tunnel import Tunnel
from tock_companion.mqtt.connection import send_at_once
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app


@pytest.fixture
def app(table: Table) -> Flask:
    return create_app(table)


@pytest.fixture
def home(table: Table, app: Flask, tmp_path: Path) -> Iterator[tuple[Tunnel, LineInMemory]]:
    with far_home(table, app, tmp_path) as running:
        yield running


def seated(home: tuple[Tunnel, LineInMemory], seat: Seat = Seat.P0, cards: Any = "drawn") -> FarGuest:
    tunnel, line = home
    guest = FarGuest(line, tunnel.invite(seat, cards=cards).link)
    assert guest.hello() is None
    assert guest.call("POST", "join", body={"name": "Mamie", "lang": "fr"})[0] == 200
    # The guest is answered before the name is written to the disk.
    until(lambda: "Mamie" in [one.name for one in tunnel.guests()])
    return guest


def test_an_invited_phone_sits_down_follows_the_views_and_plays(
    home: tuple[Tunnel, LineInMemory], table: Table
) -> None:
    tunnel, line = home
    invited = tunnel.invite(Seat.P0)
    assert read_link(invited.link).relay == RELAY
    assert invited.state == "waiting"
    guest = FarGuest(line, invited.link)
    assert guest.hello() is None
    status, session = guest.call("GET", "session")
    assert (status, session["seat"], session["url"], session["invited"]["seat"]) == (200, None, "", "P0")
    assert guest.call("POST", "join", body={"name": "Mamie", "lang": "fr"})[1]["seat"] == "P0"
    guest.look()
    shown = guest.hear(lambda found: isinstance(found, View))
    assert isinstance(shown, View)
    assert (shown.view["role"], shown.view["seat"]) == ("seat", "P0")
    guest.boot = shown.boot
    wait_for(table, lambda view: view["far"] and view["far"]["seats"]["P0"]["state"] == "here")
    assert guest.ask("play_card", card="6H")[0] == 200
    assert guest.ask("move", text="P0:T20>T26")[0] == 200
    if not guest.view["last_move"]:
        guest.hear(lambda found: isinstance(found, View) and bool(found.view["last_move"]))
    assert guest.view["last_move"] == table.view(Role.TABLE)["last_move"]


def test_a_view_after_the_first_of_a_session_is_sent_as_its_changes(
    home: tuple[Tunnel, LineInMemory], table: Table
) -> None:
    guest = seated(home)
    for _session in range(2):
        guest.came.clear()
        guest.look()
        guest.hear(lambda found: isinstance(found, View))
        kind, data = ("withdraw_card", {}) if guest.view["card"] else ("play_card", {"card": "6H"})
        assert guest.ask(kind, **data)[0] == 200
        if guest.view["card"] != data.get("card"):
            guest.hear(lambda found: isinstance(found, View))
        assert [kind for kind in guest.came if kind in (View, Changes)][:2] == [View, Changes]
        assert guest.view["card"] == data.get("card")
        assert guest.view["holes"] == table.view(Role.SEAT, Seat.P0)["holes"]
        assert guest.hello() is None


def test_a_call_sent_again_in_a_new_session_counts_once(
    home: tuple[Tunnel, LineInMemory], table: Table
) -> None:
    guest = seated(home)
    assert guest.ask("play_card", card="6H")[0] == 200
    guest.say(Call("once", "POST", "request", body={"kind": "move", "data": {"text": "P0:T20>T26"}}))
    home[1].cut()
    home[1].mend()
    assert guest.hello() is None
    status, _data = guest.call(
        "POST", "request", "once", body={"kind": "move", "data": {"text": "P0:T20>T26"}}
    )
    assert status == 200
    assert len(table.view(Role.TABLE)["history"]) == 1


def test_a_request_to_an_earlier_start_of_the_home_is_stale(home: tuple[Tunnel, LineInMemory]) -> None:
    guest = seated(home)
    guest.boot = "another"
    status, data = guest.ask("play_card", card="6H")
    assert (status, data["code"]) == (409, "stale")


def test_the_views_of_a_seat_are_begun_by_the_thread_of_the_line_alone(
    home: tuple[Tunnel, LineInMemory], table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    tunnel, line = home
    begun_by: list[tuple[str, Seat | None]] = []
    subscribe = table.subscribe

    def noted(role: Role, seat: Seat | None = None) -> Any:
        begun_by.append((threading.current_thread().name, seat))
        return subscribe(role, seat)

    monkeypatch.setattr(table, "subscribe", noted)
    guest = FarGuest(line, tunnel.invite(Seat.P0).link)
    assert guest.hello() is None
    guest.look()
    until(lambda: bool(begun_by))
    assert guest.call("POST", "join", body={"name": "Mamie", "lang": "fr"})[0] == 200
    until(lambda: len(begun_by) == 2)
    assert begun_by == [("far", None), ("far", Seat.P0)]


def test_the_first_device_owns_the_link_and_another_is_refused(home: tuple[Tunnel, LineInMemory]) -> None:
    tunnel, line = home
    link = tunnel.invite(Seat.P0).link
    assert FarGuest(line, link).hello() is None
    refused = FarGuest(line, link, b"e" * 32).hello()
    assert isinstance(refused, Refused)
    assert refused.refused == "device"
    assert FarGuest(line, link).hello() is None


def test_a_page_of_another_version_and_a_link_after_the_evening_are_refused(
    table: Table, app: Flask, tmp_path: Path
) -> None:
    wall_s = [time()]
    with far_home(table, app, tmp_path, wall_s=lambda: wall_s[0]) as (tunnel, line):
        guest = FarGuest(line, tunnel.invite(Seat.P0).link)
        refused = guest.hello(views=99)
        assert refused is not None
        assert refused.refused == "version"
        assert tunnel.guests()[0].is_other_version
        wall_s[0] += 13 * 3600
        late = guest.hello()
        assert late is not None
        assert late.refused == "over"
        until(lambda: not tunnel.guests())
        wait_for(table, lambda view: view["far"] is None)


def test_a_replayed_hello_displaces_nobody_and_a_gap_ends_the_session(
    home: tuple[Tunnel, LineInMemory],
) -> None:
    guest = seated(home)
    assert guest.session is not None
    guest.session.seal(b"{}")
    guest.say(Ping(7))
    assert guest.hello() is None
    assert guest.hear(lambda found: isinstance(found, Pong)) == Pong(1)


def test_revoking_frees_the_seat_and_closes_the_room(table: Table, app: Flask, tmp_path: Path) -> None:
    place = PlaceInMemory()
    with far_home(table, app, tmp_path, place) as home:
        guest = seated(home)
        (invited,) = home[0].guests()
        assert invited.room in place.rooms
        home[0].revoke(invited.room)
        assert guest.hear(lambda found: isinstance(found, End)) == End("revoked")
        assert (table.people.names(), place.rooms, home[0].guests()) == ({}, {}, [])
        with pytest.raises(BadInputError):
            home[0].revoke(invited.room)


def test_a_new_link_keeps_the_seat_and_shuts_the_old_one_out(home: tuple[Tunnel, LineInMemory]) -> None:
    guest = seated(home)
    tunnel, line = home
    renewed = tunnel.renew(tunnel.guests()[0].room)
    assert guest.hear(lambda found: isinstance(found, End)) == End("revoked")
    other = FarGuest(line, renewed.link, b"e" * 32)
    assert other.hello() is None
    assert other.call("GET", "session")[1]["seat"] == "P0"


def test_a_link_works_on_where_the_relay_does_not_open_the_next_one(
    table: Table, app: Flask, tmp_path: Path
) -> None:
    place = PlaceInMemory()
    with far_home(table, app, tmp_path, place) as home:
        guest = seated(home)
        tunnel = home[0]
        (before,) = tunnel.guests()
        (invitation,) = kept(tmp_path)["invitations"]
        place.is_away = True
        with pytest.raises(RelayError):
            tunnel.invite(Seat.P0)
        with pytest.raises(RelayError):
            tunnel.renew(before.room)
        assert [one.link for one in tunnel.guests()] == [before.link]
        assert [one["secret"] for one in kept(tmp_path)["invitations"]] == [invitation["secret"]]
        assert guest.call("GET", "session")[1]["seat"] == "P0"
        place.is_away = False
        tunnel.invite(Seat.P0)
        assert table.people.names() == {}
    assert len(place.rooms) == 1
    with far_home(table, create_app(table), tmp_path, place) as (tunnel, _line):
        until(lambda: len(tunnel.guests()) == 1)


def test_a_link_works_on_where_the_disk_does_not_take_the_next_one(
    table: Table, app: Flask, tmp_path: Path
) -> None:
    place = PlaceInMemory()
    with far_home(table, app, tmp_path, place) as home:
        guest = seated(home)
        (before,) = home[0].guests()
        kept_before = (tmp_path / "far.json").read_bytes()
        (tmp_path / "far.json").unlink()
        (tmp_path / "far.json").mkdir()
        with pytest.raises(TockError):
            home[0].renew(before.room)
        assert list(place.rooms) == [before.room]
        assert guest.call("GET", "session")[1]["seat"] == "P0"
        (tmp_path / "far.json").rmdir()
        (tmp_path / "far.json").write_bytes(kept_before)


def test_a_file_with_two_invitations_for_a_seat_keeps_the_newer(
    table: Table, app: Flask, tmp_path: Path
) -> None:
    with far_home(table, app, tmp_path) as (tunnel, _line):
        tunnel.invite(Seat.P0)
        old = kept(tmp_path)["invitations"]
        newer = tunnel.invite(Seat.P0)
    document = kept(tmp_path)
    document["invitations"] = [*old, *document["invitations"]]
    (tmp_path / "far.json").write_text(json.dumps(document))
    with far_home(table, create_app(table), tmp_path) as (tunnel, _line):
        until(lambda: [one.link for one in tunnel.guests()] == [newer.link])


def test_links_of_a_relay_come_back_with_its_address(table: Table, tmp_path: Path) -> None:
    with far_home(table, create_app(table), tmp_path) as (tunnel, _line):
        link = tunnel.invite(Seat.P0).link
    assert Tunnel(table, tmp_path, RelayService("https://mistyped.example")).guests() == []
    with far_home(table, create_app(table), tmp_path) as (tunnel, _line):
        until(lambda: [one.link for one in tunnel.guests()] == [link])


def test_invitations_survive_a_kill_and_the_seat_is_taken_up_again(
    table: Table, app: Flask, tmp_path: Path
) -> None:
    with far_home(table, app, tmp_path) as home:
        seated(home)
        link = home[0].guests()[0].link
    assert stat.S_IMODE((tmp_path / "far.json").stat().st_mode) == 0o600
    with far_home(table, create_app(table), tmp_path) as (tunnel, line):
        wait_for(table, lambda view: view["far"] and view["far"]["seats"]["P0"]["state"] == "away")
        assert [guest.link for guest in tunnel.guests()] == [link]
        again = FarGuest(line, link)
        assert again.hello() is None
        assert again.call("GET", "session")[1]["seat"] == "P0"
        wait_for(table, lambda view: view["far"]["seats"]["P0"]["state"] == "here")


def test_a_damaged_file_is_laid_aside_and_one_of_a_newer_release_is_refused(
    table: Table, tmp_path: Path
) -> None:
    (tmp_path / "far.json").write_text('{"v": 1, "invitations": [{}]}')
    assert Tunnel(table, tmp_path, RelayService(RELAY)).guests() == []
    assert (tmp_path / "far.json.damaged").exists()
    (tmp_path / "far.json").write_text('{"v": 2}')
    with pytest.raises(BadInputError, match="newer version"):
        Tunnel(table, tmp_path, RelayService(RELAY))


def test_the_computer_stands_in_and_the_player_comes_back(
    home: tuple[Tunnel, LineInMemory], table: Table
) -> None:
    guest = seated(home)
    assert home[0].stand_in(home[0].guests()[0].room).ok
    taken: Any = wait_for(table, lambda view: view["seats"][0]["computer"])
    assert not taken["seats"][0]["taken"]
    assert guest.call("GET", "session")[1]["seat"] is None
    assert guest.call("POST", "join", body={"name": "Mamie", "lang": "fr"})[0] == 200
    back: Any = wait_for(table, lambda view: view["seats"][0]["taken"])
    assert back["seats"][0]["computer"] is None


def test_a_sign_is_shown_to_everybody_one_at_a_time(home: tuple[Tunnel, LineInMemory], table: Table) -> None:
    seated(home)
    assert home[0].sign(Seat.P0, "clap")
    assert not home[0].sign(Seat.P0, "heart")
    shown: Any = wait_for(table, lambda view: view["far"] and view["far"]["sign"])
    assert shown["far"]["sign"]["sign"] == "clap"


def test_nothing_of_an_invitation_is_kept_where_the_relay_place_is_away(
    table: Table, app: Flask, tmp_path: Path
) -> None:
    place = PlaceInMemory()
    with far_home(table, app, tmp_path, place) as (tunnel, _line):
        tunnel.invite(Seat.P0)
        place.is_away = True
        with pytest.raises(RelayError):
            tunnel.invite(Seat.P1)
        assert len(kept(tmp_path)["invitations"]) == 1


@pytest.mark.parametrize("loses", ["notes of rooms", "all rights"])
def test_rights_that_a_broker_has_lost_are_asked_for_again(
    table: Table, app: Flask, tmp_path: Path, loses: str
) -> None:
    place = PlaceInMemory()
    with far_home(table, app, tmp_path, place) as (tunnel, line):
        rooms = {tunnel.invite(Seat.P0).room, tunnel.invite(None).room}
        line.cut()
        place.rooms.clear()
        if loses == "all rights":
            line.is_refused = True
        else:
            line.mend()
        until(lambda: place.rooms.keys() == rooms)


def test_a_flood_of_one_room_is_dropped_and_another_is_answered(home: tuple[Tunnel, LineInMemory]) -> None:
    tunnel, line = home
    flooded, other = FarGuest(line, tunnel.invite(Seat.P0).link), FarGuest(line, tunnel.invite(Seat.P1).link)
    for _ in range(5000):
        line.up(flooded.keys.room, b"\1\3" + bytes(60))
    assert other.hello() is None
    assert other.call("GET", "session")[0] == 200


def test_small_packets_of_the_line_do_not_wait_for_each_other() -> None:
    class Wrapped:
        """A connection as paho wraps it: without options."""

        def fileno(self) -> int:
            return line.fileno()

    with socket.socket() as line:
        send_at_once(cast(Any, None), None, Wrapped())
        assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
