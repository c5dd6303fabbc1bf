"""A private line from other commands to the running companion.

Loopback only, with a key in a file that only its user can read.
"""

import json
import logging
import os
import secrets
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path

from tock_companion.background import Background, run_once
from tock_companion.errors import BadInputError, TockError
from tock_companion.files import read_text_bounded
from tock_companion.schema import parse_json

LOG = logging.getLogger(__name__)
RUNNING_NAME = "running.json"
MAX_BYTES = 10_000
WAKE_S = 0.2

Handler = Callable[[str, dict[str, str]], Mapping[str, str]]
"""Carries out a command and returns its answer; raises TockError to refuse."""


class ControlServer:
    """Answers commands of the same user until it is closed."""

    def __init__(self, folder: Path, begin: Handler, end: Callable[[str], None]) -> None:
        """Listen, and write port and key to `folder`; `end` is called when a command disconnects."""
        key = secrets.token_hex(16)
        self._listener = Listener(("127.0.0.1", 0), authkey=key.encode())
        self._begin, self._end = begin, end
        self._path = folder / RUNNING_NAME
        document = {"pid": os.getpid(), "port": self._listener.address[1], "key": key}
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w") as file:
                json.dump(document, file)
        except OSError as error:
            # A full disk keeps other commands out, not the game.
            LOG.error("%s cannot be written (%s): no recording can be asked for", self._path, error.strerror)
        self._lines: set[Connection] = set()
        """Connections of the commands being served."""
        self._loop = Background(
            "control",
            "answers other commands of its user: `tock record`, `tock host`",
            self._step,
            wake=self._hang_up,
        )
        self._loop.start()

    def close(self) -> None:
        """Stop listening and delete port and key."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)
        self._loop.stop()
        self._listener.close()

    def _hang_up(self) -> None:
        """End every wait, for a call and for a command's next message."""
        with suppress(OSError):
            socket.create_connection(self._listener.address, timeout=WAKE_S).close()
        for line in list(self._lines):
            # Closing it would not end the wait of another thread.
            with suppress(OSError), socket.socket(fileno=os.dup(line.fileno())) as both:
                both.shutdown(socket.SHUT_RDWR)

    def _step(self) -> float | None:
        try:
            line = self._listener.accept()
        except (AuthenticationError, EOFError, ConnectionError):
            if not self._loop.is_stopping:
                LOG.warning("a caller without the key was refused on the control line")
            return 0.0
        self._lines.add(line)
        run_once("control-call", "serves one of them for as long as it runs", lambda: self._attend(line))
        return 0.0

    def _attend(self, line: "Connection") -> None:
        """Serve one command until it hangs up."""
        begun = ""
        try:
            while True:
                call = line.recv()
                try:
                    answer = self._begin(call["do"], call)
                    begun = call["do"]
                    line.send({**answer, "ok": True})
                except TockError as error:
                    line.send({"ok": False, "why": str(error)})
        except (EOFError, OSError):
            if begun:
                self._end(begun)
        finally:
            self._lines.discard(line)
            line.close()


def running_file(folder: Path) -> Mapping[str, object]:
    """Read where the companion of a data folder listens; raises BadInputError when that cannot be read."""
    path = folder / RUNNING_NAME
    document = parse_json(read_text_bounded(path, MAX_BYTES, "file"), str(path), "what `tock run` writes")
    return document if isinstance(document, dict) else {}


def call(folder: Path, command: str, **parameters: str) -> "Connection":
    """Send a command to the companion of this data folder and keep the connection; raises as `ask` does."""
    return _called(folder, command, parameters)[0]


def ask(folder: Path, command: str) -> Mapping[str, str]:
    """Send a command to the companion of this data folder and return its answer.

    Raises BadInputError when none runs, TockError when it refuses.
    """
    line, reply = _called(folder, command, {})
    line.close()
    return reply


def _called(
    folder: Path, command: str, parameters: Mapping[str, str]
) -> tuple["Connection", Mapping[str, str]]:
    try:
        document = running_file(folder)
        line = Client(("127.0.0.1", int(str(document["port"]))), authkey=str(document["key"]).encode())
    except (OSError, ValueError, KeyError, OverflowError, AuthenticationError):
        raise BadInputError(f"no companion is running on {folder}; start it with 'tock run'") from None
    line.send({"do": command, **parameters})
    reply = line.recv()
    if not reply["ok"]:
        raise TockError(reply["why"])
    return line, reply
