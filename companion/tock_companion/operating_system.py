"""The differences between Linux, macOS and Windows that a companion meets: files, locks, signals, sockets, folders.

Python leaves names out where a system has no such thing, so each is looked for here and nowhere else. Handles need no
`O_CLOEXEC`: Python's own are not inherited (PEP 446).
"""

import os
import signal
import socket
import sqlite3
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

if sys.platform != "win32":
    import fcntl

BINARY: int = getattr(os, "O_BINARY", 0)
"""For every file opened by its flags: Windows would change line ends."""
NOT_WAITING: int = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""For a file that may have become a pipe or a terminal."""
STOP_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)
"""Sent by who wants a program to end: a key, a supervisor, a terminal that closes."""
UNANSWERED: int | None = getattr(socket, "TCP_USER_TIMEOUT", None)
"""The option of a connection for how long sent bytes may stay unanswered."""


class Lock(Protocol):
    """A lock that the system releases, too, when the program ends."""

    def close(self) -> None:
        """Release it."""


def lock_file(path: Path) -> Lock:
    """Take the lock of a file, made where it is missing; raise BlockingIOError while another program has it.

    Raises another OSError when the file cannot be opened.
    """
    file = path.open("ab")
    if sys.platform == "win32":
        file.close()
        return _lock_database(path)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise BlockingIOError from None
    return file


def _lock_database(path: Path) -> Lock:
    """SQLite locks files by each system's own calls; an empty file is an empty database."""
    connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        connection.close()
        raise BlockingIOError from None
    return connection


def reserve_bytes(descriptor: int, size: int) -> None:
    """Have the disk set this much aside for an open, empty file; raises OSError where it has less."""
    if sys.platform == "linux":
        os.posix_fallocate(descriptor, 0, size)
    else:
        os.write(descriptor, bytes(size))


def share_address(listener: socket.socket) -> None:
    """Let a restarted program take its port again while old connections expire; Windows would share it with others."""
    option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    listener.setsockopt(socket.SOL_SOCKET, option, 1)


def data_home(environ: Mapping[str, str]) -> Path:
    """The folder in which a user's programs keep their data."""
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or ".")
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    return Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share")
