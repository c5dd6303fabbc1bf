"""Programs forked from a process that has loaded their modules once: that is most of a start."""

import importlib
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from multiprocessing import reduction
from pathlib import Path
from typing import IO, Any

LOADED = (
    "tests.support.forked",
    "tock_app.cli.main",
    "tock_app.cli.commands.run",
    "tock_vision.simulated",
    "tock_vision.camera",
    "tests.support.prepared",
)


class ForkedTock:
    """`tock …` in a process of its own, with those methods of `subprocess.Popen` that tests ask for."""

    def __init__(
        self,
        arguments: list[str],
        environment: Mapping[str, str],
        errors: IO[bytes] | None = None,
        folder: Path | None = None,
        output: IO[bytes] | None = None,
    ) -> None:
        """Start it in a folder; `output` and `errors` take the streams that `communicate` returns otherwise."""
        self._output, self._errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([*LOADED])
        streams = (_Passed(output or self._output), _Passed(errors or self._errors))
        # One that nobody stopped must not keep the tests from ending.
        self._process = context.Process(
            target=_become,
            args=(arguments, dict(environment), str(folder or Path.cwd()), *streams),
            daemon=True,
        )
        self._process.start()

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Its exit code, the negative number of the signal that ended it, or None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The exit code as it is now."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code when it has ended; raises TimeoutExpired."""
        self._process.join(timeout)
        if (code := self._process.exitcode) is None:
            raise subprocess.TimeoutExpired("tock", timeout or 0.0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """All that it has written to both streams, when it has ended; raises TimeoutExpired."""
        self.wait(timeout)
        return _text(self._output), _text(self._errors)

    def send_signal(self, number: int, /) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()


class _Passed:
    """An open file that reaches another process with the arguments of its function."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return _number, (reduction.DupFd(self._file.fileno()),)


def _number(passed: Any) -> int:
    number: int = passed.detach()
    return number


def _text(file: IO[bytes]) -> str:
    if file.closed:
        return ""
    with file:
        file.seek(0)
        return file.read().decode(errors="replace")


def _become(arguments: list[str], environment: dict[str, str], folder: str, output: int, errors: int) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(output, 1)
    os.dup2(errors, 2)
    # The streams of the process that was forked know whether its own output could be rewound.
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
    sys.argv = ["tock", *arguments]
    code = 1
    try:
        code = importlib.import_module("tock_app.cli.main").main(arguments)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
