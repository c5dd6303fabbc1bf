"""Databases, brokers and tables for the tests of a club."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.mosquitto import Broker
from tests.support.postgresql import PostgreSql
from tock_companion.boardfile import generate
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table


@pytest.fixture
def address(broker: Broker) -> BrokerAddress:
    return BrokerAddress("127.0.0.1", broker.port)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A companion's table of four, before its first game."""
    table = Table(generate(4, 440.0), Store(tmp_path / "table"))
    table.start()
    yield table
    table.stop()


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSql]:
    server = PostgreSql()
    server.start()
    yield server
    server.stop()
