"""Cut connections: a descriptor's number may belong to another file a moment later."""

import threading
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import pytest
from flask import Flask

from tests.support.attackers import connect, connections, get, is_cut, request_s
from tests.support.waiting import until
from tock_web import serve

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
