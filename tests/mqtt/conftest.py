"""A broker for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.broker import Broker


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.stop()
