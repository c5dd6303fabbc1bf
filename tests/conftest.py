"""Fixtures for any folder, and what every test gets back: the rights of new files.

One browser for each worker, as Playwright runs once in a process, and brokers.
"""

import gc
import math
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# Other work on the machine must not fail a property, and every run tries the same.
settings.register_profile(
    "tests", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tests")
# Its threads wait by computing, and three tests run beside each other; read when NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
pytest_plugins = ["tests.support.browsing", "tests.support.mosquitto", "tests.support.relay_process"]
USUAL_MASK = os.umask(0o022)
os.umask(USUAL_MASK)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What collecting makes stays: searching it for cycles takes a sixth of the time, and each fork of it a copy."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.fixture(autouse=True)
def _usual_mask() -> Iterator[None]:
    """A command takes all rights of others from what its process writes; run within a test, it ends with that test."""
    yield
    os.umask(USUAL_MASK)


@pytest.fixture(autouse=True)
def _patient_with_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests keep the disk busy for seconds; a notice about it stays until the next write."""
    monkeypatch.setattr("tock_companion.table.runtime.troubles.SLOW_S", math.inf)


@pytest.fixture
def quick_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash PINs at little cost, for tests of who may do something; test_pin holds the cost that a table has."""
    monkeypatch.setattr("tock_web.rights.pin.HASHING", "scrypt:256:8:1")
