"""Heads of requests that waitress alone cannot read: answered with 400, nothing in the log."""

import logging
import socket
import struct

import pytest
from flask import Flask

from tock_web import serve

HEAD = b"GET %s HTTP/1.1\r\nHost: localhost\r\nX-Tock: 1\r\n%s\r\n\r\n"


@pytest.mark.parametrize(
    "head",
    [
        HEAD % (b"http://[\xb7\xff/", b"A: b"),
        HEAD % (b"/api/v1/view?role=\xff", b"A: b"),
        HEAD % (b"/seat", b"Accept-Language: f\0\0\0\1,fr"),
        HEAD % (b"//[::1", b"A: b"),
        HEAD % (b"/seat", b"Cookie: tock_seat=\xff\xff\xed\xa0\x80"),
    ],
)
@pytest.mark.parametrize("patient", [True, False])
def test_a_head_of_any_bytes_is_answered_and_not_logged(
    app: Flask, head: bytes, patient: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), serve(app, "127.0.0.1", 0) as server:
        with socket.create_connection(("127.0.0.1", server.port), 5) as line:
            if not patient:
                # Closing resets the connection before the answer is written.
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.sendall(head)
            if patient:
                assert 200 <= int(line.recv(4_096).split()[1]) < 500
        with socket.create_connection(("127.0.0.1", server.port), 5) as line:
            line.sendall(HEAD % (b"/api/v1/health", b"Connection: close"))
            assert line.recv(4_096).startswith(b"HTTP/1.1 200")
    assert caplog.messages == []
