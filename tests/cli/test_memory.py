"""Memory that was freed goes back to the system."""

import os
import re
import subprocess
import sys
from pathlib import Path

SCRIPT = """
from pathlib import Path
from tock_app.service.upkeep import release_freed_memory, limit_heaps

def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

assert limit_heaps()
release_freed_memory()  # needed by the imports
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


THREADS_SCRIPT = """
from pathlib import Path
from threading import Barrier, Thread
from tock_app.service.upkeep import release_freed_memory, limit_heaps

def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

def work():
    [bytes(size) for size in range(500, 990, 16) for _ in range(7)]
    done.wait()
    over.wait()

limit_heaps()
done, over = Barrier(81), Barrier(81)
before = resident_mb()
for _ in range(80):
    Thread(target=work, daemon=True).start()
done.wait()
release_freed_memory()
print(resident_mb() - before)
over.wait()
"""


def test_threads_keep_no_memory_that_they_freed_where_the_unit_says_so() -> None:
    unit = Path(__file__).parents[2] / "packaging/tock-companion.service"
    (tunables,) = re.findall(r"^Environment=GLIBC_TUNABLES=(.*)$", unit.read_text(), re.MULTILINE)

    def grown_mb(**settings: str) -> float:
        command = [sys.executable, "-c", THREADS_SCRIPT]
        environment = {**os.environ, **settings}
        return float(subprocess.run(command, capture_output=True, check=True, env=environment).stdout)

    assert grown_mb(GLIBC_TUNABLES=tunables) < grown_mb(GLIBC_TUNABLES="") / 2


CYCLES_SCRIPT = """
import gc
from pathlib import Path
from tock_app.service.upkeep import release_freed_memory

class Failure:
    def __init__(self):
        self.photo, self.itself = b"x" * 1_000_000, self

def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

before = resident_mb()
gc.disable()
for _ in range(50):
    Failure()
full = resident_mb()
release_freed_memory()
print(full - before, resident_mb() - before)
"""


def test_photos_that_only_refer_to_themselves_do_not_stay() -> None:
    ran = subprocess.run([sys.executable, "-c", CYCLES_SCRIPT], capture_output=True, text=True, check=True)
    grown_mb, left_mb = map(float, ran.stdout.split())
    assert grown_mb > 40
    assert left_mb < 10
