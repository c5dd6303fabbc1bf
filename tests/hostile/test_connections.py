"""Clients that are slow, many or silent keep nobody else from being served; cut connections touch nothing else."""

import socket
import threading
import time
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from threading import Event
from typing import BinaryIO

import pytest
from flask import Flask, Response

from tests.support.attackers import (
    LARGE_ANSWER,
    PATIENCE_S,
    SOON_S,
    connect,
    connections,
    get,
    is_cut,
    request_s,
)
from tests.support.page import Phone, cookie_header
from tests.support.waiting import until
from tock_web import PageServer, serve


def test_clients_that_never_read_their_answers_hold_up_nobody(server: PageServer) -> None:
    request_s(server.port, LARGE_ANSWER)
    with connections(server.port, 40, get(LARGE_ANSWER) * 2, small_window=True):
        assert request_s(server.port) < SOON_S
        assert request_s(server.port, LARGE_ANSWER) < SOON_S


def test_requests_sent_ahead_of_their_answers_cost_the_connection(server: PageServer) -> None:
    with connections(server.port, 40, get("/api/v1/health") * 150) as lines:
        until(lambda: all(map(is_cut, lines)))
        assert request_s(server.port) < SOON_S


def test_a_client_that_does_not_read_is_cut(port: int) -> None:
    with connections(port, 3, get(LARGE_ANSWER), small_window=True) as lines:
        waiting = list(lines)

        def are_cut() -> bool:
            # Reading would keep the connection: only the kernel may be asked, and it reports an error once.
            waiting[:] = [line for line in waiting if not line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)]
            return not waiting

        until(are_cut)


def test_a_slow_reader_gets_everything(port: int) -> None:
    with connect(port) as line:
        line.sendall(get("/api/v1/health", Connection="close"))
        received = b""
        while part := line.recv(40):
            received += part
            time.sleep(0.05)
    assert received.endswith(b"}\n")


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127",
        b"POST /api/v1/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\n{",
        b"POST /api/v1/join HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    ],
    ids=["silent", "half a header", "half a body", "half a chunk"],
)
def test_a_client_that_begins_and_dribbles_is_cut(port: int, begun: bytes) -> None:
    with connect(port) as line:
        line.sendall(begun)

        def dribbled() -> bool:
            if begun:
                with suppress(OSError):
                    line.send(b"x")
            return is_cut(line)

        until(dribbled)


def test_a_client_that_asks_now_and_then_keeps_its_connection(port: int) -> None:
    with closing(HTTPConnection("127.0.0.1", port, timeout=SOON_S)) as line:
        line.connect()
        kept = line.sock
        for _ in range(6):
            line.request("GET", "/api/v1/health")
            assert line.getresponse().read()
            time.sleep(0.4)
        assert line.sock is kept


@pytest.mark.parametrize("addresses", [1, 5], ids=["one address", "many addresses"])
def test_when_all_connections_are_taken_one_more_gets_in(port: int, addresses: int) -> None:
    with connections(port, 90, b"GET / HTTP/1.1\r\n", addresses):
        assert request_s(port) < SOON_S
        assert request_s(port, address="127.0.1.1") < SOON_S


def test_a_crowd_that_asks_faster_than_it_is_answered_keeps_no_more_connections(
    app: Flask, port: int
) -> None:
    answer_now = Event()
    app.view_functions["live.board"] = lambda: Response(str(answer_now.wait(PATIENCE_S)))
    with ExitStack() as stack:
        lines: list[socket.socket] = []
        for number in range(90):
            # One after the other: each request is read before the next client comes.
            time.sleep(0.02)
            line = stack.enter_context(connect(port, f"127.0.1.{1 + number % 5}"))
            with suppress(OSError):
                line.sendall(get("/api/v1/board"))
            lines.append(line)
        until(lambda: sum(map(is_cut, lines)) >= len(lines) - 60)
        answer_now.set()
    assert request_s(port) < SOON_S


def test_a_stream_is_not_cut_for_others_that_crowd_in(port: int) -> None:
    with connect(port, "127.0.0.1") as stream:
        stream.sendall(get("/api/v1/events?tab=an-honest-tab"))
        received = b""
        while b"event: view" not in received:
            received += stream.recv(1 << 20)
        with connections(port, 90, b"GET / HTTP/1.1\r\n"):
            assert request_s(port) < SOON_S
            assert not is_cut(stream)


def test_answers_that_nobody_reads_take_little_memory(port: int) -> None:
    """Seventy answers would be four times the limit of unread bytes."""
    request_s(port, LARGE_ANSWER)
    with connections(port, 35, get(LARGE_ANSWER) * 2, addresses=2, small_window=True) as lines:
        assert request_s(port, LARGE_ANSWER) < SOON_S
        until(
            lambda: any(line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) for line in lines),
            within_s=SOON_S,
        )


def large_body(cookie: str) -> bytes:
    """The beginning of a photo that is announced as larger than any request but a photo."""
    lines = (
        "POST /api/v1/hand/photo HTTP/1.1",
        "Host: 127.0.0.1",
        "X-Tock: 1",
        f"Cookie: {cookie}",
        "Content-Type: image/jpeg",
        "Content-Length: 9000000",
    )
    return "\r\n".join((*lines, "", "x" * 4096)).encode()


def test_few_large_bodies_are_received_at_the_same_time(phone: Phone, server: PageServer) -> None:
    port = server.port
    phone.sit("P0")
    with connections(port, 3, large_body("tock_seat=" + "0" * 32)) as strangers:
        assert strangers[-1].recv(4096).startswith(b"HTTP/1.1 503")
        with connections(port, 3, large_body(cookie_header(phone))) as seated:
            assert seated[-1].recv(4096).startswith(b"HTTP/1.1 503")
            assert not is_cut(seated[0])


def test_the_sender_of_too_large_a_body_reads_why(phone: Phone, server: PageServer) -> None:
    phone.sit("P0")
    head = large_body(cookie_header(phone)).replace(b"9000000", b"25000000")
    with connect(server.port) as line:
        line.sendall(head + b"x" * (25_000_000 - 4096))
        answer = b"".join(iter(lambda: line.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"nosniff" in answer


def test_a_client_that_sends_without_end_after_a_refusal_is_cut(
    phone: Phone, server: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tock_web.serving.http_connection.MAX_DRAIN_BYTES", 100_000)
    phone.sit("P0")
    with connect(server.port) as line:
        line.sendall(large_body(cookie_header(phone)).replace(b"9000000", b"999000000"))
        with pytest.raises(OSError, match=r"reset|pipe"):
            line.sendall(bytes(500_000_000))


WRITTEN = b"what somebody else keeps"
ROUNDS = 4


def taking_numbers(folder: Path, count: int = 8) -> list[BinaryIO]:
    """Files that get the lowest numbers that are free."""
    return [(folder / f"file-{number}").open("w+b", buffering=0) for number in range(count)]


def test_cutting_connections_touches_no_file_that_is_open_meanwhile(port: int, tmp_path: Path) -> None:
    """Sockets are closed by the hundred while files come and go: nobody's number is closed, read or written twice."""
    over, spoiled = threading.Event(), []

    def keep_files(folder: Path) -> None:
        folder.mkdir()
        while not over.is_set():
            try:
                for file in taking_numbers(folder):
                    with file:
                        file.write(WRITTEN)
                        file.seek(0)
                        found = file.read()
                    if found != WRITTEN:
                        spoiled.append(f"{found!r}")
            except OSError as error:
                spoiled.append(str(error))

    keepers = [threading.Thread(target=keep_files, args=(tmp_path / name,)) for name in "ab"]
    for keeper in keepers:
        keeper.start()
    for number in range(ROUNDS):
        # More than there may be, sending more than they may: some are cut by the loop, some by workers.
        with connections(port, 70, get("/api/v1/health") * (1 + 5 * (number % 2)), addresses=3) as lines:
            until(lambda: any(map(is_cut, lines)))
    over.set()
    for keeper in keepers:
        keeper.join()
    assert spoiled == []
    assert request_s(port) < 10


@pytest.mark.parametrize(
    "body",
    [b"zz\r\n", b"-1\r\n\r\n", b"5\r\nabcdefgh\r\n", b"\x00" * 30 + b"\r\n", b"2\r\n{}\r\n0\r\nx\r\n\r\n"],
)
def test_a_body_refused_before_its_client_was_bidden_to_send_it_is_no_fault(
    port: int, body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """The 400 had gone out when the route asked for the body, and a "100 Continue" after it is a fault."""
    head = get("/api/v1/join", Expect="100-continue", **{"Transfer-Encoding": "chunked"})
    with connect(port) as line:
        line.sendall(head.replace(b"GET", b"POST") + body)
        received = b"".join(iter(lambda: line.recv(65536), b""))
    assert b" 400 " in received.partition(b"\r\n")[0]
    # The route has had its turn by then.
    request_s(port)
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


def test_a_server_stops_in_the_middle_of_anything(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        with serve(app, "127.0.0.1", 0) as server:
            lines = [connect(server.port) for _ in range(12)]
            for number, line in enumerate(lines):
                with suppress(OSError):
                    line.sendall(get(f"/api/v1/events?tab=stopping-{number}") if number % 2 else get("/") * 2)
        for line in lines:
            until(lambda line=line: is_cut(line))  # type: ignore[misc]
            line.close()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
