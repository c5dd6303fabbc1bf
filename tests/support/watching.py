"""Watches a process while it is measured: memory, threads and open files, now and each minute."""

import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path

LOOK_S = 0.5


@dataclass(frozen=True, slots=True)
class Held:
    """The holdings of a process at one moment."""

    memory_mb: float
    threads: int
    files: int

    @classmethod
    def by(cls, pid: int) -> "Held":
        """Look now."""
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        fields = dict(line.split(":", 1) for line in status.splitlines())
        memory_mb = round(int(fields["VmRSS"].split()[0]) / 1024, 1)
        return cls(memory_mb, int(fields["Threads"]), len(list(Path(f"/proc/{pid}/fd").iterdir())))

    def row(self) -> dict[str, float]:
        """The same as figures."""
        return {"memory_mb": self.memory_mb, "threads": self.threads, "files": self.files}


def cpu_s(pid: int) -> float:
    """Seconds of computing that a process has used so far; raises OSError when it is gone."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Watch:
    """Looks at a process twice a second, and keeps the most that it held and what it held at the end of each turn."""

    def __init__(self, pid: int, turn_s: float) -> None:
        self._pid, self._turn_s = pid, turn_s
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.most_mb, self.most_threads = 0.0, 0
        self.turns: list[Held] = []

    def _watch(self) -> None:
        next_s = time.monotonic() + self._turn_s
        while not self._over.wait(LOOK_S):
            held = Held.by(self._pid)
            self.most_mb = max(self.most_mb, held.memory_mb)
            self.most_threads = max(self.most_threads, held.threads)
            if time.monotonic() >= next_s:
                next_s += self._turn_s
                self.turns.append(held)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
