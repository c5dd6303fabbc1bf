"""A companion starts, tells systemd that it is up, and stops at whatever moment it is asked to."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.service import Companion
from tock_app.service.started import started
from tock_app.service.stopping import StopRequest
from tock_app.service.supervision import IDLE_S, Supervision
from tock_companion.background import Background, running
from tock_companion.errors import TockError


class Refusing:
    """A part whose port is taken."""

    def start(self) -> None:
        raise TockError("the port is taken")

    def stop(self) -> None:
        pytest.fail("it never started")


def test_parts_that_started_stop_where_the_next_one_does_not_start() -> None:
    first = Background("first-part", "waits", lambda: 60.0)
    with pytest.raises(TockError, match="port"), started([first, Refusing()]):
        pytest.fail("the table must not open")
    assert "first-part" not in [one.name for one in running()]


@pytest.fixture
def line(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(tmp_path / "notify"))
        receiver.settimeout(20)
        yield receiver


def test_without_a_supervisor_nothing_is_sent() -> None:
    supervision = Supervision({})
    supervision.ready("up")
    assert supervision.feed_every_s == IDLE_S


def test_the_machine_is_switched_off_only_where_somebody_can_be_asked(tmp_path: Path) -> None:
    power_off = tmp_path / "switch-off"
    assert not Supervision({}).switch_off()
    assert not Supervision({"TOCK_SWITCH_OFF": str(tmp_path / "gone" / "switch-off")}).switch_off()
    assert Supervision({"TOCK_SWITCH_OFF": str(power_off)}).switch_off()
    assert power_off.exists()


def test_the_limit_of_another_process_is_not_ours() -> None:
    assert Supervision({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}).feed_every_s == IDLE_S
    assert Supervision({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}).feed_every_s == 10


def test_a_table_that_hangs_is_not_reported_alive(line: socket.socket, tmp_path: Path) -> None:
    supervision = Supervision({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "3000"})
    queued: list[Callable[[], None]] = []
    stopped = StopRequest()

    def never_run(work: Callable[[], None]) -> None:
        queued.append(work)
        if len(queued) == 3:
            stopped.ask()

    supervision.feed_until(stopped, never_run)
    line.setblocking(False)
    with pytest.raises(BlockingIOError):
        line.recv(100)
    queued[0]()
    assert line.recv(100) == b"WATCHDOG=1"


@pytest.mark.whole
def test_the_companion_is_ready_when_phones_can_come(
    line: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "600000")
    with Companion(tmp_path / "data") as companion:
        assert line.recv(200).startswith(b"READY=1\nSTATUS=the page is at http://")
        assert line.recv(200) == b"WATCHDOG=1"
        assert line.recv(200) == b"WATCHDOG=1"
        companion.stop()
    rest = [line.recv(200)]
    while rest[-1] == b"WATCHDOG=1":
        rest.append(line.recv(200))
    assert rest[-1] == b"STOPPING=1"


SIGNALS_AROUND_A_WAIT = """
import signal
from tock_app.service.stopping import StopRequest
signal.signal(signal.SIGALRM, lambda _signal, _frame: request.ask())
for trial in range(400):
    request = StopRequest()
    signal.setitimer(signal.ITIMER_REAL, (trial % 40 + 1) * 1e-6)
    assert request.wait(60)
"""


def test_a_signal_during_the_wait_does_not_hang_it() -> None:
    subprocess.run([sys.executable, "-c", SIGNALS_AROUND_A_WAIT], check=True, timeout=60)


def test_a_request_once_made_stays_made() -> None:
    request = StopRequest()
    assert not request.wait(0)
    request.ask()
    assert request.wait()
    assert request.wait(0)
