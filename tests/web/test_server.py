"""The server on its port: there at once, gone at once."""

import socket
import threading
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from time import monotonic

import pytest
from flask import Flask

from tests.support.waiting import is_prompt, until
from tock_companion.errors import BadInputError
from tock_web import PageServer, serve
from tock_web.context import STREAMS
from tock_web.serving.security import SEALS


def ask(server: PageServer, path: str) -> HTTPConnection:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.request("GET", path)
    return connection


def health(server: PageServer) -> int:
    with closing(ask(server, "/api/v1/health")) as connection, connection.getresponse() as answer:
        answer.read()
        return answer.status


def test_a_page_is_served(server: PageServer) -> None:
    assert health(server) == 200


def test_the_server_does_not_say_what_it_is(server: PageServer) -> None:
    with closing(ask(server, "/api/v1/health")) as connection, connection.getresponse() as answer:
        assert answer.getheader("Server") is None


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 300_000 + b"\r\n\r\n",
        b"POST /api/v1/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n",
        b"POST /api/v1/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
    ids=["header too large", "body too large", "bad length", "page that is not there"],
)
def test_errors_of_the_server_itself_are_sealed_too(server: PageServer, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        connection.sendall(sent)
        head = connection.recv(65536).partition(b"\r\n\r\n")[0].decode()
    assert " 4" in head.splitlines()[0]
    for name, value in SEALS:
        assert f"{name}: {value}" in head


def test_a_port_in_use_is_one_clear_line(app: Flask, server: PageServer) -> None:
    with pytest.raises(BadInputError) as caught:
        serve(app, "127.0.0.1", server.port)
    text = str(caught.value)
    assert str(server.port) in text
    assert "TOCK_PORT" in text
    assert "\n" not in text


def test_it_stops_within_two_seconds_with_open_streams(app: Flask) -> None:
    server = serve(app, "127.0.0.1", 0)
    streams = [ask(server, f"/api/v1/events?tab=tab-number-{number}") for number in range(5)]
    answers = [connection.getresponse() for connection in streams]
    assert all(answer.readline().startswith(b"retry") for answer in answers)
    started_s = monotonic()
    server.stop()
    assert is_prompt(monotonic() - started_s, 2)
    with socket.socket() as again:
        assert again.connect_ex(("127.0.0.1", server.port)) != 0
    server.stop()
    for answer, connection in zip(answers, streams, strict=True):
        answer.close()
        connection.close()


def test_a_stream_whose_phone_has_gone_frees_its_place(app: Flask, server: PageServer) -> None:
    streams = app.extensions["tock"].streams
    connection = ask(server, "/api/v1/events?tab=abcdefgh")
    answer = connection.getresponse()
    answer.readline()
    assert len(streams) == 1
    answer.close()
    connection.close()
    # The heartbeat alone would need ten seconds.
    until(lambda: health(server) and not len(streams), within_s=9)


def stream(server: PageServer, number: int) -> HTTPConnection:
    """A phone that follows the table; twenty have one address."""
    here = (f"127.0.5.{1 + number // 20}", 0)
    connection = HTTPConnection("127.0.0.1", server.port, timeout=5, source_address=here)
    connection.request("GET", f"/api/v1/events?tab=a-tab-{number:04}")
    answer = connection.getresponse()
    assert answer.status == 200
    assert answer.readline().startswith(b"retry")
    return connection


def test_a_stream_takes_no_thread(app: Flask) -> None:
    before = threading.active_count()
    with serve(app, "127.0.0.1", 0) as server, ExitStack() as phones:
        for number in range(60):
            phones.enter_context(closing(stream(server, number)))
        assert len(app.extensions[STREAMS]) == 60
        assert threading.active_count() - before <= 10
        assert health(server) == 200


def test_idle_connections_do_not_hold_up_anybody(server: PageServer) -> None:
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(150)]
    started_s = monotonic()
    assert health(server) == 200
    assert is_prompt(monotonic() - started_s, 1)
    for connection in idle:
        connection.close()


def test_phones_that_reconnect_all_the_time_disturb_nobody(server: PageServer) -> None:
    tabs = [f"phone-number-{number}" for number in range(8)]
    open_ends: list[HTTPConnection] = []
    slowest_s = 0.0
    for _ in range(20):
        for tab in tabs:
            stream = ask(server, f"/api/v1/events?tab={tab}")
            assert stream.getresponse().status == 200
            open_ends.append(stream)
        started_s = monotonic()
        assert health(server) == 200
        slowest_s = max(slowest_s, monotonic() - started_s)
    assert is_prompt(slowest_s, 1)
    for stream in open_ends:
        stream.close()
