"""A companion that is asked to stop stops, at whatever moment the signal comes."""

import subprocess
import sys

from tock_app.service.stopping import StopRequest

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
