"""The machine as files: Linux tells nearly everything about itself under /proc, /sys and /dev."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class System:
    """The running machine; tests give another `root` with the files of a machine that has the fault."""

    root: Path = Path("/")

    def text(self, path: str) -> str | None:
        """Return the content of a file without white space around it, None when it cannot be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0 \n")
        except OSError:
            return None

    def devices(self, pattern: str) -> tuple[Path, ...]:
        """Return the paths under `root` that match, in order."""
        return tuple(sorted(self.root.glob(pattern)))

    def may_use(self, path: Path) -> bool:
        """Whether this user may read and write a device."""
        return os.access(path, os.R_OK | os.W_OK)

    def free_mb(self, folder: Path) -> int:
        """Return the free space of the disk on which a folder lies or will lie, in megabytes."""
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        return shutil.disk_usage(folder).free // 1_000_000
