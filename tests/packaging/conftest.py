"""A machine for each test."""

from pathlib import Path

import pytest

from tests.support.installing import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)
