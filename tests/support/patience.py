"""Measures how much slower than a usual machine the one is that runs the tests."""

import os

PATIENCE = int(os.environ.get("TOCK_TEST_PATIENCE", "1"))
"""Times by which limits on time are longer; whoever tries the tests in an emulator sets it."""
