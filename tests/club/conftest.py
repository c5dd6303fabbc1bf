"""Databases and brokers for the tests of a club's desk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.broker import Broker
from tests.support.postgresql import PostgreSql


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSql]:
    server = PostgreSql()
    server.start()
    yield server
    server.stop()
