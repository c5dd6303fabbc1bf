"""Homes far from each other: a far seat's requests, lines that are cut, 500 tables on one relay, and it is killed."""

import tempfile
from pathlib import Path

from tock_bench.far.load import relay_under_load
from tock_bench.far.losses import two_relays
from tock_bench.far.seat import far_seat
from tock_bench.results import Measured, Say

TABLES, BUSY_SHARE, KILLED_SHARE, SECONDS = 500, 10, 5, 30
REQUESTS, CUTS = 120, 60


def run(say: Say, samples: int = TABLES, requests: int = REQUESTS, cuts: int = CUTS) -> Measured:
    """A far seat asks `requests` times at each round trip, and its lines are cut `cuts` times; then `samples` tables.

    One table in ten is busy; a fifth of them stand on relays that are killed.
    """
    with tempfile.TemporaryDirectory(prefix="tock-far-") as name:
        seat = far_seat(Path(name), say, requests, cuts)
    with tempfile.TemporaryDirectory(prefix="tock-far-") as name:
        found = relay_under_load(Path(name), say, samples, max(1, samples // BUSY_SHARE), SECONDS)
    with tempfile.TemporaryDirectory(prefix="tock-far-") as name:
        killed = two_relays(Path(name), say, max(1, samples // KILLED_SHARE))
    passed = not (seat["lost"] or seat["doubled"])
    return Measured({**seat, **found, "killed": killed}, passed=passed)
