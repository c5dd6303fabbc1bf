"""A real meeting place on a free port, one for all tests that ask for it: relay, broker and TLS."""

from collections.abc import Iterator

import pytest

from tock_bench.meeting_place import MeetingPlace
from tock_web.relay.limits import Limits

MANY = Limits(tables_per_hour=1_000, requests=10_000)
"""All homes of the tests come from one address."""


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MeetingPlace]:
    running = MeetingPlace(tmp_path_factory.mktemp("relay"), MANY).start()
    yield running
    running.stop()


__all__ = ["MeetingPlace"]
