"""A relay and its broker as phones and homes meet them: real Mosquitto, TLS and WebSockets."""

import os
import signal
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from queue import Empty, Queue

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.reasoncodes import ReasonCode

from tests.support.relay_process import HERE, RunningRelay, context_of, mqtt_client
from tests.support.waiting import until
from tock_companion.far.link import RoomKeys, new_link, room_keys
from tock_web.relay.limits import LINES, Limits

pytestmark = pytest.mark.whole
PATIENCE_S = 10.0
QUIET_S = 0.3


class Line:
    """A client at the broker, through the relay."""

    def __init__(self, place: RunningRelay, user: str, password: str, name: str = "") -> None:
        self.received: Queue[tuple[str, bytes]] = Queue()
        self.refused: Queue[str] = Queue()
        self.cut = 0
        self.granted: list[bool] = []
        self.client = mqtt_client(place.ca, user, password, name)
        self.client.on_message = lambda _c, _d, message: self.received.put(
            (message.topic, bytes(message.payload))
        )
        self.client.on_connect = self._connected
        self.client.on_disconnect = self._gone
        self.client.on_subscribe = self._subscribed
        self.client.connect_async(HERE, place.port, 30)
        self.client.loop_start()

    def _connected(self, _c: mqtt.Client, _d: object, _f: object, code: ReasonCode, _p: object) -> None:
        if code.is_failure:
            self.refused.put(str(code))

    def _gone(self, *_: object) -> None:
        self.cut += 1

    def _subscribed(self, _c: mqtt.Client, _d: object, _m: int, codes: list[ReasonCode], _p: object) -> None:
        self.granted += [not code.is_failure for code in codes]

    @property
    def up(self) -> bool:
        return bool(self.client.is_connected())

    def subscribe(self, *topics: str) -> list[bool]:
        """Which of the topics the broker lets us have."""
        self.granted = []
        self.client.subscribe([(topic, 1) for topic in topics])
        until(lambda: len(self.granted) == len(topics))
        return self.granted

    def send(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        self.client.publish(topic, payload, 1, retain)

    def next(self) -> tuple[str, bytes]:
        return self.received.get(timeout=PATIENCE_S)

    def is_quiet(self) -> bool:
        try:
            self.received.get(timeout=QUIET_S)
        except Empty:
            return True
        return False

    def stop(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRelay]:
    patience = replace(LINES, first_s=1.0, grace_s=1.0, connections_per_address=40)
    limits = Limits(patience, broker_s=1.0, requests=2_000, tables_per_hour=14)
    place = RunningRelay(tmp_path_factory.mktemp("relay"), limits).start()
    yield place
    place.stop()


@pytest.fixture(scope="module")
def homes(place: RunningRelay) -> tuple[tuple[str, str], tuple[str, str]]:
    return place.table(), place.table()


@contextmanager
def lines(place: RunningRelay, *accounts: tuple[str, str]) -> Iterator[list[Line]]:
    opened = [Line(place, *account) for account in accounts]
    try:
        until(lambda: all(line.up for line in opened))
        yield opened
    finally:
        for line in opened:
            line.stop()


def keys_for(table: tuple[str, str]) -> RoomKeys:
    link = new_link("https://relay.example", table[0])
    return room_keys(link.table, link.secret)


def account(keys: RoomKeys) -> tuple[str, str]:
    return keys.room, keys.broker_password


def test_a_guest_reaches_its_home_and_nothing_of_another_room_or_table(place: RunningRelay) -> None:
    table = place.table()
    guest, neighbour = keys_for(table), keys_for(table)
    for keys in (guest, neighbour):
        assert place.room(table, keys)[0] == 201
    with lines(place, table, account(guest), account(neighbour)) as (home, own, next_door):
        below = f"far/{table[0]}"
        assert home.subscribe(f"{below}/+/up", f"{below}/+/gone") == [True, True]
        assert own.subscribe(f"{below}/{guest.room}/down", f"{below}/home") == [True, True]
        own.send(f"{below}/{guest.room}/up", b"sealed")
        assert home.next() == (f"{below}/{guest.room}/up", b"sealed")
        home.send(f"{below}/{guest.room}/down", b"answer")
        assert own.next() == (f"{below}/{guest.room}/down", b"answer")
        home.send(f"{below}/home", b"here", retain=True)
        assert own.next() == (f"{below}/home", b"here")
        assert home.is_quiet()
        assert own.is_quiet()
        assert next_door.is_quiet()


FORBIDDEN: tuple[Callable[[Line, str, str], object], ...] = (
    lambda line, _table, _guest: line.client.subscribe("#"),
    lambda line, table, guest: line.send(f"relay/rooms/{table}/{guest}", b"", retain=True),
    lambda line, table, guest: line.send(f"far/{table}/{guest}/else", b"forged"),
)


@pytest.mark.parametrize("who", ["neighbour", "stranger", "home"])
def test_a_line_that_asks_for_more_than_is_its_own_is_cut_and_nobody_hears_it(
    place: RunningRelay, homes: tuple[tuple[str, str], tuple[str, str]], who: str
) -> None:
    table, other = homes
    guest, neighbour = keys_for(table), keys_for(table)
    for keys in (guest, neighbour):
        assert place.room(table, keys)[0] == 201
    user = {"neighbour": account(neighbour), "stranger": other, "home": table}[who]
    with lines(place, account(guest)) as (own,):
        assert own.subscribe(f"far/{table[0]}/{guest.room}/down", f"far/{table[0]}/home") == [True, True]
        for number, do in enumerate(FORBIDDEN):
            with lines(place, user) as (line,):
                do(line, table[0], guest.room)
                until(lambda one=line: one.cut > 0, f"case {number}")  # type: ignore[misc]
        assert own.is_quiet() or b"forged" not in b"".join(payload for _, payload in own.received.queue)
        assert own.cut == 0
    assert place.rights.is_open(guest.room)


def test_a_stranger_with_an_account_of_its_own_does_not_cut_a_home_whose_name_it_knows(
    place: RunningRelay, homes: tuple[tuple[str, str], tuple[str, str]]
) -> None:
    table, other = homes
    keys = keys_for(table)
    assert place.room(table, keys)[0] == 201
    with lines(place, table, account(keys)) as opened:
        for name in (table[0], f"home-{table[0]}", keys.room):
            stranger = Line(place, *other, name=name)
            until(lambda line=stranger: line.up)  # type: ignore[misc]
            stranger.stop()
        assert [line.cut for line in opened] == [0, 0]
        again = Line(place, *table)
        until(lambda: opened[0].cut > 0)
        again.stop()


def test_a_revoked_guest_is_cut_off_and_comes_in_no_more(place: RunningRelay) -> None:
    table = place.table()
    keys = keys_for(table)
    assert place.room(table, keys)[0] == 201
    with lines(place, account(keys)) as (guest,):
        assert place.ask("DELETE", f"/relay/v1/rooms/{keys.room}", table=table)[0] == 200
        until(lambda: guest.cut > 0)
        guest.refused.get(timeout=PATIENCE_S)
    assert place.ask("DELETE", f"/relay/v1/rooms/{keys.room}", table=table)[0] == 404
    assert place.room(table, keys)[0] == 201


def test_a_line_that_says_little_stays_open(place: RunningRelay) -> None:
    """The guard took it for a request that never ends, and cut every line after the grace of a minute."""
    with lines(place, place.table()) as (home,):
        end_s = time.monotonic() + 3.5
        while time.monotonic() < end_s:
            home.is_quiet()
        assert home.cut == 0


def test_a_room_ends_with_its_time(place: RunningRelay) -> None:
    table = place.table()
    keys = keys_for(table)
    assert place.room(table, keys, for_s=2)[0] == 201
    with lines(place, account(keys)) as (guest,):
        before = place.rights.counts()
        while place.rights.counts() == before:
            place.rights.sweep()
            guest.is_quiet()
        until(lambda: guest.cut > 0)
    assert place.room(table, keys, for_s=-5)[0] == 409
    assert place.room(table, keys, for_s=25 * 3600)[0] == 409


def test_a_room_is_its_own_tables_alone_and_a_table_has_seventeen(place: RunningRelay) -> None:
    table, thief = place.table(), place.table()
    rooms = [keys_for(table) for _ in range(18)]
    assert [place.room(table, keys)[0] for keys in rooms] == [201] * 17 + [409]
    assert place.room(table, rooms[0])[0] == 201
    assert place.room(thief, rooms[0])[0] == 409
    assert place.ask("DELETE", f"/relay/v1/rooms/{rooms[0].room}", table=thief)[0] == 404


def test_wrong_input_is_refused_in_both_languages(place: RunningRelay) -> None:
    assert place.ask("GET", "/far")[0] == 200
    table = place.table()
    assert place.ask("GET", "/relay/v1/about") == (
        200,
        {"form": 1, "version": place.ask("GET", "/relay/v1/about")[1]["version"]},
    )
    for method, path, body, who, status in (
        ("POST", "/relay/v1/tables", {"form": 2}, None, 409),
        ("POST", "/relay/v1/tables", [], None, 400),
        ("POST", "/relay/v1/tables", {"form": 1}, (table[0], "wrong"), 401),
        ("POST", "/relay/v1/tables", {"form": 1}, ("\u00e9", table[1]), 401),
        ("POST", "/relay/v1/rooms", {"room": "#", "password": "x" * 43, "until": 1}, table, 400),
        ("POST", "/relay/v1/rooms", None, None, 401),
        ("DELETE", "/relay/v1/rooms/+", None, table, 404),
        ("GET", "/relay/v1/rooms", None, None, 405),
        ("GET", "/nothing", None, None, 404),
        ("POST", "/relay/v1/tables", {"form": 1, "more": "x" * 3_000}, None, 413),
    ):
        found, answer = place.ask(method, path, body, who)
        assert found == status, (method, path, answer)
        if status != 413:
            assert answer["message"]["fr"]
            assert answer["message"]["en"]


def silent(place: RunningRelay, words: bytes, *, tls: bool = True) -> float:
    """The seconds until the relay cuts a client off that says some words and then no more."""
    began_s = time.monotonic()
    plain = socket.create_connection((HERE, place.port), timeout=PATIENCE_S)
    line = context_of(place.ca).wrap_socket(plain, server_hostname=HERE) if tls else plain
    with closing(line), suppress(ConnectionError, ssl.SSLError):
        line.sendall(words)
        while line.recv(4096):
            pass
    return time.monotonic() - began_s


UPGRADE = (
    b"GET /mqtt HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: %s\r\n\r\n"
)


@pytest.mark.parametrize(
    ("words", "tls"),
    [
        (b"", False),
        (b"\x16\x03\x01", False),
        (b"", True),
        (b"GET / HTTP/1.1\r\nHo", True),
        (UPGRADE % b"mqtt", True),
        (UPGRADE % b"chat", True),
    ],
    ids=["silent", "half-handshake", "no-head", "half-head", "no-mqtt", "no-subprotocol"],
)
def test_a_client_that_asks_for_nothing_is_cut_off(place: RunningRelay, words: bytes, tls: bool) -> None:
    assert silent(place, words, tls=tls) < 4.0


@pytest.mark.parametrize(
    "frame", [b"\x81\x82\0\0\0\0\xc2\0", b"\xff\xff" + bytes(12)], ids=["text", "broken"]
)
def test_broken_frames_leave_nothing_in_the_log(
    place: RunningRelay, caplog: pytest.LogCaptureFixture, frame: bytes
) -> None:
    assert silent(place, UPGRADE % b"mqtt" + frame) < 4.0
    until(lambda: len(place.front.guard) == 0)
    assert caplog.records == []


def has_ended(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        return not line.recv(1)
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_one_address_has_a_limited_number_of_connections(place: RunningRelay) -> None:
    held: list[socket.socket] = []
    try:
        for _ in range(60):
            # A connection too many may be reset before the kernel has reported it made.
            with suppress(ConnectionResetError):
                held.append(socket.create_connection((HERE, place.port), timeout=PATIENCE_S))

        def are_enough_refused() -> bool:
            assert len(place.front.guard) <= 40
            return 60 - len(held) + sum(map(has_ended, held)) >= 20

        until(are_enough_refused)
    finally:
        for line in held:
            line.close()

    def is_answered() -> bool:
        # Lines that the relay has not accepted yet still count for a moment.
        with suppress(OSError):
            return bool(place.ask("GET", "/relay/v1/about")[0] == 200)
        return False

    until(is_answered)


def test_lines_and_rights_come_back_when_the_broker_is_killed(place: RunningRelay) -> None:
    table = place.table()
    keys = keys_for(table)
    assert place.room(table, keys)[0] == 201
    assert place.broker is not None
    with lines(place, table, account(keys)) as opened:
        assert place.broker.pid is not None
        os.kill(place.broker.pid, signal.SIGKILL)
        until(lambda: all(line.cut for line in opened))
        until(lambda: all(line.up for line in opened))
        until(lambda: place.rights.up)
        assert place.ask("POST", "/relay/v1/tables", {"form": 1}, table)[0] == 200
        assert place.room(table, keys)[0] == 201


def test_a_table_comes_back_with_its_password_and_new_ones_are_few(place: RunningRelay) -> None:
    table = place.table()
    assert place.ask("POST", "/relay/v1/tables", {"form": 1}, table) == (
        200,
        {"table": table[0], "password": table[1]},
    )
    statuses = [place.ask("POST", "/relay/v1/tables", {"form": 1})[0] for _ in range(14)]
    assert statuses[-1] == 429
    assert place.ask("POST", "/relay/v1/tables", {"form": 1}, table)[0] == 200
