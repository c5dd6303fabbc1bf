"""Memory that was freed goes back to the system."""

import subprocess
import sys

SCRIPT = """
from pathlib import Path
from tock_companion.service.upkeep import release_freed_memory, limit_heaps

def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

assert limit_heaps()
release_freed_memory()  # of what the imports needed for a while
before = resident_mb()
held = [bytes(100_000) for _ in range(600)]
full = resident_mb()
kept = held[::50]
del held
release_freed_memory()
print(full - before, resident_mb() - before)
"""


def test_small_things_between_freed_ones_do_not_keep_the_memory() -> None:
    # A process of its own: this one has freed memory of other tests to use.
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    grown_mb, left_mb = map(float, ran.stdout.split())
    assert grown_mb > 40
    assert left_mb < 20
