"""Findings of the fuzzer over the wire: every request that broke the companion is sent again; none is left out."""

import logging
import socket
import struct
from pathlib import Path

import pytest
from flask import Flask

from tests.support.doors import BY_NAME
from tests.support.hostile_cases import Case, all_cases, cases_of
from tests.support.page import OWN, Phone, offer
from tock_app.config.load import load_config
from tock_app.service.admin import MachineAdmin
from tock_web import serve

BYTES = "bytes to the port"
PATHS = {
    "upload: log": "games", "upload: settings": "machine/settings", "upload: one setting": "machine/settings",
    "upload: request of a seat": "request",
}  # fmt: skip
HEADS = cases_of(BYTES)
BODIES = [
    pytest.param(path, case, id=f"{name}-{case}") for name, path in PATHS.items() for case in cases_of(name)
]
HEALTH = b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize("head", HEADS, ids=str)
@pytest.mark.parametrize("patient", [True, False])
def test_a_head_of_any_bytes_is_answered_and_not_logged(
    app: Flask, head: Case, patient: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), serve(app, "127.0.0.1", 0) as server:
        with socket.create_connection(("127.0.0.1", server.port), 5) as line:
            if not patient:
                # Closing resets the connection before the answer is written.
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.sendall(head.content)
            if patient:
                assert 200 <= int(line.recv(4_096).split()[1]) < 500
        with socket.create_connection(("127.0.0.1", server.port), 5) as line:
            line.sendall(HEALTH)
            assert line.recv(4_096).startswith(b"HTTP/1.1 200")
    assert caplog.messages == []


@pytest.mark.parametrize(("path", "case"), BODIES)
def test_a_body_that_once_broke_the_companion_is_refused_with_a_sentence(
    app: Flask, phone: Phone, path: str, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
        f"/api/v1/{path}", data=case.content, headers=OWN, content_type="application/json"
    )
    assert 400 <= answer.status_code < 500
    assert answer.get_json()["message"]
    after = phone.client.get("/api/v1/view?role=table").get_json()
    assert [after[key] for key in ("game", "holes", "to_move")] == [
        before[key] for key in ("game", "holes", "to_move")
    ]
    assert settings.read_text() == "# ours\n"


def test_every_case_is_tried() -> None:
    assert {door for case in all_cases() for door in case.doors} <= {*BY_NAME, *PATHS, BYTES}
