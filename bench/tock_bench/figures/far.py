"""The meeting place of homes far from each other: 500 tables on one relay, and the relay and the broker killed.

How long a request takes from a far phone to an event is not measured here yet.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

from tock_bench.far.load import relay_under_load
from tock_bench.far.losses import two_relays

TABLES, BUSY_SHARE, KILLED_SHARE, SECONDS = 500, 10, 5, 30


def run(progress: Callable[[str], None], samples: int = TABLES) -> dict[str, object]:
    """The figures of `samples` tables, one in ten of them busy; a fifth of them on relays that are killed."""
    with tempfile.TemporaryDirectory(prefix="tock-far-") as name:
        found = relay_under_load(Path(name), progress, samples, max(1, samples // BUSY_SHARE), SECONDS)
    with tempfile.TemporaryDirectory(prefix="tock-far-") as name:
        killed = two_relays(Path(name), progress, max(1, samples // KILLED_SHARE))
    return {**found, "killed": killed}
