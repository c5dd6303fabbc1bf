"""Databases for the tests of a club's desk."""

from collections.abc import Iterator

import pytest

from tests.support.postgresql import PostgreSql


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSql]:
    server = PostgreSql()
    server.start()
    yield server
    server.stop()
