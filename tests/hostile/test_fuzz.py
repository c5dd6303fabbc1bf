"""`make fuzz` in small, with a fixed seed; and every input and request that once broke something, again."""

import logging
import socket
import struct
from pathlib import Path

import cv2
import pytest
from flask import Flask

from tests.support.benches import figures_of
from tests.support.doors import BY_NAME, DOORS, SPECIALS, Door
from tests.support.hostile_cases import Case, all_cases, cases_of
from tests.support.page import OWN, Phone, offer
from tests.support.variants import each_asked_about_one
from tock_app.config.load import load_config
from tock_app.service.admin import MachineAdmin
from tock_web import serve

RUNNING = (
    "requests by the description", "sequences of requests", "bytes to the port", "upload: log",
    "upload: settings", "upload: one setting", "upload: board file", "upload: name of a person",
    "upload: photo of a hand", "upload: request of a seat", "upload: request of the host",
)  # fmt: skip


def fuzzed(folder: Path, doors: tuple[str, ...], steps: int, seed: int = 7) -> dict[str, dict[str, int]]:
    kept = ("--progress", str(folder / "progress.json"), "--cases", str(folder / "cases.jsonl"))
    call = ("fuzz", "--steps", str(steps), "--seed", str(seed), *kept, "--doors", *doors)
    counts: dict[str, dict[str, int]] = figures_of(*call)["doors"]
    assert {*counts} == {*doors}
    return counts


@pytest.mark.whole
@pytest.mark.parametrize("doors", [DOORS[:12], DOORS[12:24], DOORS[24:]], ids=["first", "next", "last"])
def test_slightly_wrong_inputs_are_refused_in_one_line(doors: tuple[Door, ...], tmp_path: Path) -> None:
    fuzzed(tmp_path, tuple(door.name for door in doors), steps=1)


@pytest.mark.whole
def test_a_running_companion_answers_every_request(tmp_path: Path) -> None:
    counts = fuzzed(tmp_path, RUNNING, steps=1)
    # Most are refused; the others have changed the game that the rest was sent to.
    assert any(tally["refused"] < tally["tried"] for tally in counts.values())
    named = counts["upload: name of a person"]
    assert named["refused"] < named["tried"] / 2


@pytest.mark.whole
def test_the_page_of_a_club_hears_on_after_any_message(tmp_path: Path) -> None:
    assert fuzzed(tmp_path, ("club: messages of a broker",), steps=1)


FOUND = [pytest.param(door, case, id=f"{door.name}-{case}") for door in DOORS for case in cases_of(door.name)]
NAMED = each_asked_about_one([door for door in DOORS if door.target], SPECIALS)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)


@pytest.mark.parametrize(("door", "case"), FOUND)
def test_an_input_that_once_broke_a_reader_is_one_line(door: Door, case: Case) -> None:
    outcome = door.give(case.content)
    assert not door.faults(outcome), outcome.stderr


@pytest.mark.parametrize(("door", "kind"), NAMED, ids=lambda one: one if isinstance(one, str) else one.name)
def test_a_special_file_is_refused_without_being_read(door: Door, kind: str) -> None:
    outcome = door.give_special(kind)
    assert not door.faults(outcome), outcome.stderr


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
