"""`OTHER_SYSTEM=macos|windows python -m tests.support.other_systems COMMAND…`: tock on such a system.

The standard library and others' libraries have their own ways there, so they are loaded first; then the names that
Python has only on Linux are removed, and our own modules find none of them.
"""

import asyncio
import asyncio.unix_events
import multiprocessing.pool  # noqa: F401
import os
import shutil
import signal
import socket
import subprocess  # noqa: F401
import sys
import sysconfig
import tempfile  # noqa: F401
from functools import partial
from types import ModuleType, SimpleNamespace

import cv2  # noqa: F401
import flask  # noqa: F401
import paho.mqtt.client  # noqa: F401
import pydantic  # noqa: F401
import uvicorn.server  # noqa: F401
from serial.tools import list_ports  # noqa: F401

SYSTEM = "OTHER_SYSTEM"
"""The variable that names it."""
PLATFORMS = {"macos": "darwin", "windows": "win32"}
_LINUX: dict[ModuleType, tuple[str, ...]] = {
    os: ("posix_fallocate", "sched_getaffinity", "memfd_create", "O_DIRECT", "O_PATH", "fdatasync"),
    socket: ("TCP_USER_TIMEOUT", "SOCK_CLOEXEC", "SOCK_NONBLOCK", "AF_NETLINK", "AF_PACKET"),
    signal: ("SIGPOLL", "SIGRTMIN"),
}
_UNIX: dict[ModuleType, tuple[str, ...]] = {
    os: (
        "O_CLOEXEC", "O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK", "chown", "fchmod", "fchown", "fork",
        "getegid", "geteuid", "getgid", "getloadavg", "getpgid", "getuid", "initgroups", "killpg", "lchown",
        "mkfifo", "nice", "setsid", "statvfs", "fstatvfs", "sync", "sysconf", "uname", "pread", "pwrite", "wait4",
    ),
    socket: ("AF_UNIX", "SO_REUSEPORT"),
    signal: ("SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGPIPE", "SIGCHLD", "pthread_sigmask", "sigwait"),
}  # fmt: skip
_UNIX_MODULES = ("fcntl", "grp", "pwd", "resource", "syslog", "termios", "tty", "pty")


def take_away(system: str) -> None:
    """Remove the names that Python lacks on that system."""
    # The standard library measures disks and makes pairs of sockets there without the names removed here.
    shutil.__dict__["os"] = SimpleNamespace(**vars(os))
    socket.socketpair = partial(socket.socketpair, socket.AF_UNIX)
    lacks = [_LINUX] if system == "macos" else [_LINUX, _UNIX]
    for names in lacks:
        for module, attributes in names.items():
            for attribute in attributes:
                module.__dict__.pop(attribute, None)
    if system == "windows":
        sys.modules.update(dict.fromkeys(_UNIX_MODULES))  # type: ignore[arg-type]
    sys.platform = PLATFORMS[system]


def main() -> int:
    """Run a command so."""
    # Named after the platform, it would be made for another kernel than this.
    sysconfig.get_config_vars()
    asyncio.set_event_loop_policy(asyncio.unix_events.DefaultEventLoopPolicy())
    take_away(os.environ[SYSTEM])
    from tock_app.cli.main import main as tock  # noqa: PLC0415

    return tock()


if __name__ == "__main__":
    sys.exit(main())
