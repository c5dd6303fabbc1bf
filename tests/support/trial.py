"""One trial in a forked child: its output, exit code, time and memory.

Forked, so that imports are paid once; limited, so that a bomb costs the child and not the machine.
"""

import importlib
import os
import pkgutil
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from tests.support.waiting import PATIENCE
from tock_app.cli import commands
from tock_companion.errors import NO_TEXT

# Loaded once here instead of in each child.
_COMMANDS = [f"{commands.__name__}.{module.name}" for module in pkgutil.iter_modules(commands.__path__)]
for _module in (
    *_COMMANDS,
    "numpy.ma",
    "tock_vision.replay",
    "tock_vision.stills",
    "tock_vision.cards.stills",
):
    importlib.import_module(_module)

MAX_CPU_S = 5 * PATIENCE
MAX_WAIT_S = 10.0 * PATIENCE
"""Longest time in which a trial neither computes nor waits for the processor."""
MAX_MEMORY_MB = 300
GUARD_MB = 1_500
"""Address space that ends the child: threads and libraries reserve more than they use."""
POLL_S = 0.1
"""Interval between looks at a child's computing; its end is noticed at once."""
RAISED = 99
"""Exit code of a child in which something was raised."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one trial."""

    code: int
    """Exit code, negative for a signal."""
    stdout: bytes
    stderr: str
    cpu_s: float
    memory_mb: float
    """Above the parent's when it was forked."""
    hung: bool

    def faults(self, most_lines: int = 1) -> list[str]:
        """Faults that no input may cause; `most_lines` of stderr are allowed."""
        found = []
        if self.hung:
            found.append("hang")
        if self.memory_mb > MAX_MEMORY_MB:
            found.append("memory")
        if "Traceback (most recent call last)" in self.stderr or self.code == RAISED:
            found.append("traceback")
        elif self.code < 0 and not self.hung:
            found.append(f"signal {-self.code}")
        elif self.code not in (0, 1, 2) and not self.hung:
            found.append(f"exit code {self.code}")
        elif len(self.stderr.splitlines()) > most_lines:
            found.append("lines")
        elif self.code == 2 and not self.stderr.strip():
            found.append("nothing said")
        if NO_TEXT.search(self.stderr.replace("\n", "")):
            found.append("control characters")
        return found

    @property
    def place(self) -> str:
        """The place of the error, or its message: the identity of a finding."""
        places = [line.strip() for line in self.stderr.splitlines() if line.strip().startswith("File ")]
        last = self.stderr.strip().splitlines()[-1:] or [""]
        return f"{places[-1] if places else ''} {last[0][:120]}".strip()


def trial(run: Callable[[], int], folder: Path, stdin: bytes = b"") -> Outcome:
    """Run something in a child whose working folder is `folder`; its standard streams are files."""
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        base_mb = _resident_mb()
        child = os.fork()
        if child == 0:
            _be_child(run, folder, (given, out, err))
        code, usage, hung = _wait(child)
        return Outcome(
            code,
            _content(out),
            _content(err).decode("utf-8", "surrogateescape"),
            usage.ru_utime + usage.ru_stime,
            max(0.0, usage.ru_maxrss / 1024 - base_mb),
            hung,
        )


def _be_child(run: Callable[[], int], folder: Path, streams: tuple[BinaryIO, BinaryIO, BinaryIO]) -> None:
    code = RAISED
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream.fileno(), number)
        sys.stdin = os.fdopen(0, "r", encoding="utf-8", closefd=False)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
        os.chdir(folder)
        guard = _address_space_bytes() + GUARD_MB * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (guard, guard))
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        code = run()
        sys.stdout.flush()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else RAISED
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stderr.flush()
        finally:
            os._exit(code)


def _wait(child: int) -> tuple[int, resource.struct_rusage, bool]:
    end_s, began_s = time.monotonic() + MAX_WAIT_S, 0.0
    while True:
        _wait_for_end(child, POLL_S)
        ended, status, usage = os.wait4(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return code, usage, code in (-signal.SIGXCPU, -signal.SIGKILL)
        computed_s = _computed_s(child)
        if computed_s > began_s:
            end_s, began_s = time.monotonic() + MAX_WAIT_S, computed_s
        elif time.monotonic() > end_s and not _wants_to_run(child):
            os.kill(child, signal.SIGKILL)
            _, status, usage = os.wait4(child, 0)
            return os.waitstatus_to_exitcode(status), usage, True


def _wait_for_end(child: int, most_s: float) -> None:
    watched, ended = os.pidfd_open(child), select.poll()
    ended.register(watched, select.POLLIN)
    try:
        ended.poll(most_s * 1000)
    finally:
        os.close(watched)


def _stat(child: int) -> list[str]:
    """The kernel's figures of a process, from its state on (proc_pid_stat(5))."""
    return Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()


def _computed_s(child: int) -> float:
    return sum(int(ticks) for ticks in _stat(child)[11:13]) / os.sysconf("SC_CLK_TCK")


def _wants_to_run(child: int) -> bool:
    return _stat(child)[0] in ("R", "D")


def _content(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read(1_000_000)


def _resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1024 / 1024


def _address_space_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
