"""Bad disks: a real file system of a few kilobytes, and one that fails, tears or dawdles when it is told to."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "hostile" / "faulty_disk.c"
LIBRARY = SOURCE.parents[2] / "build" / "faulty_disk.so"
FILLER = "full"
BLOCK_BYTES = 4096


@contextmanager
def small_disk(folder: Path, size_kb: int) -> Iterator[Path | None]:
    """Mount a file system of that size on a folder; None where this machine does not let us."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size_kb}k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def fill(folder: Path, leave_bytes: int = 0) -> None:
    """Take the room of a small disk, but for some bytes."""
    with (folder / FILLER).open("ab", buffering=0) as filler:
        free = os.statvfs(folder).f_bavail * BLOCK_BYTES
        try:
            while free > leave_bytes:
                free -= filler.write(b"\xaa" * min(BLOCK_BYTES, free - leave_bytes))
        except OSError:
            return


def clear(folder: Path) -> None:
    """Give that room back."""
    (folder / FILLER).unlink(missing_ok=True)


@dataclass(frozen=True)
class FaultyDisk:
    """The files under a folder, for a process that is started in `environment`."""

    folder: Path
    control: Path

    def environment(self, seed: int = 1) -> Mapping[str, str]:
        """What preloads the library; raises CalledProcessError when it does not compile."""
        return {
            **os.environ,
            "LD_PRELOAD": str(library()),
            "FAULTY_FOLDER": str(self.folder.resolve()),
            "FAULTY_CONTROL": str(self.control),
            "FAULTY_SEED": str(seed),
        }

    def tell(self, what: str = "", percent: int = 100) -> None:
        """Have the disk fail from now on, in that share of its calls; be sound again without `what`."""
        new = self.control.with_suffix(".new")
        new.write_text(f"{what} {percent}" if what else "")
        new.replace(self.control)


def library() -> Path:
    """The compiled `faulty_disk.c`; made once, whoever needs it first."""
    if not LIBRARY.exists() or LIBRARY.stat().st_mtime < SOURCE.stat().st_mtime:
        compiler = shutil.which("gcc") or shutil.which("cc") or "gcc"
        LIBRARY.parent.mkdir(exist_ok=True)
        part = LIBRARY.with_suffix(f".{os.getpid()}")
        options = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
        subprocess.run([compiler, *options, "-o", part, SOURCE, "-ldl", "-lpthread"], check=True)
        part.replace(LIBRARY)
    return LIBRARY
