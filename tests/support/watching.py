"""Memory, threads, open files and computing of a process."""

import os
import threading
from dataclasses import dataclass
from pathlib import Path

LOOK_S = 0.5


@dataclass(frozen=True, slots=True)
class Held:
    """Resources of a process at one moment."""

    memory_mb: float
    threads: int
    files: int

    @classmethod
    def by(cls, pid: int) -> "Held":
        """The present resources."""
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        fields = dict(line.split(":", 1) for line in status.splitlines())
        memory_mb = round(int(fields["VmRSS"].split()[0]) / 1024, 1)
        return cls(memory_mb, int(fields["Threads"]), len(list(Path(f"/proc/{pid}/fd").iterdir())))

    def row(self) -> dict[str, float]:
        """The same as figures."""
        return {"memory_mb": self.memory_mb, "threads": self.threads, "files": self.files}


def cpu_s(pid: int) -> float:
    """Seconds of computing of a process so far; raises OSError when it is gone."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Watch:
    """Looks at a process twice a second and keeps its highest use of memory and threads."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.most_mb, self.most_threads = 0.0, 0

    def _watch(self) -> None:
        while not self._over.wait(LOOK_S):
            held = Held.by(self._pid)
            self.most_mb = max(self.most_mb, held.memory_mb)
            self.most_threads = max(self.most_threads, held.threads)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
