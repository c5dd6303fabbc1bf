"""Measures how much slower than a usual machine the one is that runs the tests."""

import os

PATIENCE = int(os.environ.get("TOCK_TEST_PATIENCE", "1"))
"""Times by which limits on time are longer; whoever tries the tests in an emulator sets it."""
FILM_PATIENCE_S = 90.0 * PATIENCE
"""A film is drawn by a process that gives way to everything else, here to three tests at a time."""
