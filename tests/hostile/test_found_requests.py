"""Findings of the fuzzer over the wire: every request that broke the companion is sent again."""

import logging
import socket
import struct
from pathlib import Path

import pytest
from flask import Flask

from tests.support.page import OWN, Phone, offer
from tock_app.config.load import load_config
from tock_app.service.admin import MachineAdmin
from tock_bench.fuzz.campaign import CASES, slug
from tock_bench.fuzz.uploads import UPLOADS, Upload
from tock_bench.fuzz.wire import BYTES
from tock_web import serve

HEADS = sorted((CASES / slug(BYTES)).glob("*"))
BODIES = [
    pytest.param(upload, path, id=f"{upload.name}-{path.name}")
    for upload in UPLOADS
    for path in sorted((CASES / slug(upload.name)).glob("*"))
]
HEALTH = b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize("head", HEADS, ids=lambda path: path.name)
@pytest.mark.parametrize("patient", [True, False])
def test_a_head_of_any_bytes_is_answered_and_not_logged(
    app: Flask, head: Path, patient: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), serve(app, "127.0.0.1", 0) as server:
        with socket.create_connection(("127.0.0.1", server.port), 5) as line:
            if not patient:
                # Closing resets the connection before the answer is written.
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.sendall(head.read_bytes())
            if patient:
                assert 200 <= int(line.recv(4_096).split()[1]) < 500
        with socket.create_connection(("127.0.0.1", server.port), 5) as line:
            line.sendall(HEALTH)
            assert line.recv(4_096).startswith(b"HTTP/1.1 200")
    assert caplog.messages == []


@pytest.mark.parametrize(("upload", "path"), BODIES)
def test_a_body_that_once_broke_the_companion_is_refused_with_a_sentence(
    app: Flask, phone: Phone, upload: Upload, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path / "settings"))
    settings = tmp_path / "settings" / "tock.toml"
    settings.parent.mkdir()
    settings.write_text("# ours\n")
    offer(app, machine=MachineAdmin(None, load_config(None)))
    phone.post("host")
    phone.sit("P0")
    before = phone.client.get("/api/v1/view?role=table").get_json()
    answer = phone.client.post(
        upload.path, data=path.read_bytes(), headers=OWN, content_type="application/json"
    )
    assert 400 <= answer.status_code < 500
    assert answer.get_json()["message"]
    after = phone.client.get("/api/v1/view?role=table").get_json()
    assert [after[key] for key in ("game", "holes", "to_move")] == [
        before[key] for key in ("game", "holes", "to_move")
    ]
    assert settings.read_text() == "# ours\n"
