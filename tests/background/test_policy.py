"""The policy of every background thread on faults, and at its end."""

import logging
import threading
from collections.abc import Callable, Iterator

import pytest

from tests.support.waiting import PATIENCE_S, until
from tock_companion.background import Background, Backoff, Trouble, run_once, running, troubles
from tock_companion.background.faults import STEADY_S, Faults
from tock_companion.errors import TockError
from tock_companion.health import sentence
from tock_companion.health.checks import check_threads


@pytest.fixture
def begin() -> Iterator[Callable[[Callable[[], float | None]], Background]]:
    """Start a thread that does this step again and again, without long pauses."""
    started: list[Background] = []

    def begin(step: Callable[[], float | None]) -> Background:
        started.append(Background("worker", "works", step, backoff=Backoff(1, 4)))
        started[-1].start()
        return started[-1]

    yield begin
    for background in started:
        background.stop()


def test_a_fault_that_repeats_is_logged_once_reported_and_tried_again(
    begin: Callable[[Callable[[], float | None]], Background], caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[None] = []

    def step() -> float:
        tries.append(None)
        raise ValueError("no wood")

    worker = begin(step)
    until(lambda: len(tries) >= 5)
    assert worker.is_alive
    assert Trouble("worker", "ValueError: no wood") in troubles()
    (warning,) = [record for record in caplog.records if "no wood" in record.getMessage()]
    assert warning.exc_info is not None
    worker.stop()
    assert Trouble("worker", "ValueError: no wood") not in troubles()


def test_a_fault_that_a_person_can_mend_is_logged_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    Faults("worker", lambda: 0.0).failed(TockError("the folder is full"), 1.0)
    (warning,) = caplog.records
    assert warning.getMessage() == "worker: the folder is full; it is tried again"
    assert not warning.exc_info


def test_a_fault_is_over_once_the_work_went_well_for_a_while(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    now_s = [0.0]
    faults = Faults("worker", lambda: now_s[0])
    faults.failed(OSError("gone"), pause_s=2.0)
    now_s[0] = 2.0
    faults.worked()
    assert faults.reason() == "gone"
    faults.failed(OSError("gone"), pause_s=2.0)
    # The next step goes on for ever without a fault: that is reported too.
    now_s[0] += 2.0 + STEADY_S
    assert faults.reason() == ""
    faults.worked()
    faults.worked()
    assert [record.getMessage() for record in caplog.records] == [
        "worker: gone; it is tried again",
        "worker: works again",
    ]


def test_pauses_grow_while_faults_follow_each_other_and_no_further() -> None:
    backoff = Backoff(100, 1000)
    assert [backoff.next_ms() for _ in range(6)] == [100, 200, 400, 800, 1000, 1000]


def test_a_stop_ends_a_pause_and_a_wait_inside_a_step() -> None:
    waits = threading.Event()
    inside = threading.Event()

    def step() -> float:
        inside.set()
        waits.wait()
        raise OSError("what was waited for is gone")

    paused = Background("paused", "rests", lambda: 3600.0)
    waiting = Background("waiting", "waits", step, wake=waits.set)
    for background in (paused, waiting):
        background.start()
    assert inside.wait(PATIENCE_S)
    for background in (paused, waiting):
        background.stop()
        assert not background.is_alive
    assert waiting.trouble is None
    waiting.stop()


def test_a_thread_that_outlasts_its_stop_does_not_come_back_with_the_next_start() -> None:
    held, steps = threading.Event(), []

    def step() -> float:
        steps.append(threading.current_thread())
        held.wait()
        return 0.001

    background = Background("slow", "is slow", step)
    background.start()
    until(lambda: len(steps) == 1)
    background.stop(wait_s=0.01)
    background.start()
    until(lambda: len(steps) == 2)
    held.set()
    steps[0].join(PATIENCE_S)
    assert not steps[0].is_alive()
    assert background.is_alive
    background.stop()


def test_a_thread_may_stop_itself_and_closes_what_it_had() -> None:
    closed = threading.Event()

    def step() -> None:
        background.stop()

    background = Background("worker", "works", step, close=closed.set)
    background.start()
    assert closed.wait(PATIENCE_S)


def test_a_failing_single_task_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def work() -> None:
        raise ValueError("no browser")

    run_once("browser", "opens the page", work)
    until(lambda: "browser" not in [background.name for background in running()])
    assert "no browser" in caplog.text


def test_health_tells_what_fails_with_a_remedy_and_that_all_is_well() -> None:
    (well,) = check_threads([])
    assert well.code == "thread/ok"
    for thread, code in (("upkeep", "thread/upkeep"), ("page-server", "thread/other")):
        (finding,) = check_threads([Trouble(thread, "no room")])
        assert finding.code == code
        for lang in ("fr", "en"):
            found, remedy = sentence(finding, lang)
            assert "no room" in found
            assert remedy
