"""What all tests share: where the given material lies."""

from pathlib import Path

import pytest

pytest_plugins = ["tests.support.browsing"]
# One browser for each worker, whichever folder asks for it: Playwright runs once in a process.

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the given rules and pictures; tests that need it are skipped where it is not there."""
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared with rules and pictures is not beside this checkout")
    return SHARED
