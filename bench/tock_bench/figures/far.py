"""A far seat's requests and cut lines, and one relay with 500 tables."""

import tempfile
from pathlib import Path

from tock_bench.far.load import relay_under_load
from tock_bench.far.seat import far_seat
from tock_bench.results import Measured, Say

TABLES, BUSY_SHARE, SECONDS = 500, 10, 30
REQUESTS, CUTS = 120, 60


def run(
    say: Say, samples: int = TABLES, requests: int = REQUESTS, cuts: int = CUTS, seconds: int = SECONDS
) -> Measured:
    """Measure `requests` at each round trip, `cuts` of the lines, then `samples` tables, one in ten busy."""
    with tempfile.TemporaryDirectory(prefix="tock-far-") as name:
        seat = far_seat(Path(name), say, requests, cuts)
    with tempfile.TemporaryDirectory(prefix="tock-far-") as name:
        found = relay_under_load(Path(name), say, samples, max(1, samples // BUSY_SHARE), seconds)
    return Measured({**seat, **found}, passed=not (seat["lost"] or seat["doubled"]))
