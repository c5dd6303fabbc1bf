"""A fixture: a real Mosquitto on a free port for each test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.mosquitto import Broker


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.stop()


__all__ = ["Broker"]
