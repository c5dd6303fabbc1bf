"""The life that all sources share."""

import threading
from collections.abc import Iterator

import pytest

from tock_companion.background import Backoff
from tock_companion.observation import SourceCondition, SourceMessage, SourceReport
from tock_companion.sources.base import ClockMs
from tock_companion.sources.thread import SourceThread

PATIENCE_S = 10.0


class Worker:
    """A source with scripted steps; the thread is over when it has `closed`."""

    def __init__(self, *faults: Exception | None) -> None:
        self._faults = list(faults)
        self.failures: list[str] = []
        self.received: list[SourceMessage] = []
        self.all_done, self.closed = threading.Event(), threading.Event()
        self.thread = SourceThread("worker", self._step, failed=self._failed, close=self.closed.set)

    def _step(self, _clock_ms: ClockMs) -> float:
        if not self._faults:
            self.all_done.set()
            return 1000.0
        fault = self._faults.pop(0)
        if fault is not None:
            raise fault
        return 0.0

    def _failed(self, t_ms: int, error: Exception) -> float:
        self.failures.append(str(error))
        self.thread.report(t_ms, SourceCondition.BLIND, "worker/fault", str(error))
        return 0.0

    def run(self) -> None:
        self.thread.start(self.received.append, lambda: 7)
        assert self.all_done.wait(PATIENCE_S)


@pytest.fixture
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    made = Worker(*request.param)
    yield made
    made.thread.stop()


@pytest.mark.parametrize("worker", [(ValueError("one"), None, ValueError("two"), None)], indirect=True)
def test_a_step_that_fails_ends_nothing_and_is_reported_once(worker: Worker) -> None:
    worker.run()
    assert worker.failures == ["one", "two"]
    assert worker.received == [SourceReport(7, "worker", SourceCondition.BLIND, "worker/fault", "one")]


@pytest.mark.parametrize("worker", [(None,)], indirect=True)
def test_a_stopped_source_gives_its_device_back_and_says_nothing_more(worker: Worker) -> None:
    worker.run()
    worker.thread.stop()
    assert worker.closed.wait(PATIENCE_S)
    worker.thread.report(8, SourceCondition.OK)
    assert worker.received == []


@pytest.mark.parametrize("worker", [()], indirect=True)
def test_a_condition_is_reported_again_once_another_came_between(worker: Worker) -> None:
    worker.thread.connect(worker.received.append)
    for code in ("", "", "worker/lost", "worker/lost", ""):
        worker.thread.report(1, SourceCondition.LOST if code else SourceCondition.OK, code)
    assert [message.code for message in worker.received if isinstance(message, SourceReport)] == [
        "",
        "worker/lost",
        "",
    ]


def test_waits_double_up_to_the_longest_and_begin_again_after_a_success() -> None:
    backoff = Backoff(250, 900)
    assert [backoff.next_ms() for _ in range(4)] == [250, 500, 900, 900]
    backoff.reset()
    assert backoff.next_ms() == 250
