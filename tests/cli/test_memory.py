"""Memory that was freed goes back to the system."""

from pathlib import Path

from tock_companion.cli.memory import give_back, keep_heaps_small


def resident_mb() -> float:
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096 / 1e6


def test_small_things_between_freed_ones_do_not_keep_the_memory() -> None:
    assert keep_heaps_small()
    before = resident_mb()
    held = [bytes(100_000) for _ in range(600)]
    full = resident_mb()
    kept = held[::50]
    del held
    give_back()
    assert full - before > 40
    assert resident_mb() - before < 20
    assert len(kept) == 12
