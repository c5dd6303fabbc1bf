"""Fixtures for any folder, and what every test gets back: the rights of new files.

One browser for each worker, as Playwright runs once in a process, and brokers.
"""

import os
from collections.abc import Iterator

import pytest

pytest_plugins = ["tests.support.browsing", "tests.support.broker", "tests.support.meeting"]
USUAL_MASK = os.umask(0o022)
os.umask(USUAL_MASK)


@pytest.fixture(autouse=True)
def _usual_mask() -> Iterator[None]:
    """A command takes all rights of others from what its process writes; run within a test, it ends with that test."""
    yield
    os.umask(USUAL_MASK)
