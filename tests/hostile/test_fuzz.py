"""`make fuzz` in small, with a fixed seed: every reader of files and lines gets inputs that are slightly wrong."""

from pathlib import Path

import cv2
import pytest

from tock_bench.fuzz.campaign import Progress, try_next
from tock_bench.fuzz.doors import DOORS, SPECIALS, Door

pytestmark = pytest.mark.whole

SEED = 7
INPUTS = 2
SKIPPED = len(SPECIALS)
"""`test_found_files` tries special files."""


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.name)
def test_slightly_wrong_inputs_are_refused_in_one_line(door: Door, tmp_path: Path) -> None:
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)
    progress = Progress(tmp_path / "progress.json", SEED)
    tally = progress.tally(door.name)
    tally.tried = SKIPPED
    found = [line for _ in range(INPUTS) for line in try_next(door, progress, keep=None)]
    assert not found
    assert tally.tried == SKIPPED + INPUTS
