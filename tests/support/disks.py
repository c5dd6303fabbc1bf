"""Bad disks: a real file system of a few kilobytes, and one that fails, tears or dawdles on demand."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "hostile" / "faulty_disk.c"
LIBRARY = SOURCE.parents[2] / "build" / "faulty_disk.so"
FILLER = "full"
BLOCK_BYTES = 4096
EXT4_SHUT_DOWN = 0x8004587D
"""EXT4_IOC_SHUTDOWN; with 2 as its argument not even the journal is written any more."""


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


@dataclass
class CardFile:
    """A memory card of ext4 in a file, which is put into a folder and pulled out without a warning."""

    image: Path
    folder: Path
    size_mb: int = 16
    """Its journal takes 4 MB."""

    def make(self) -> bool:
        """Make it and put it in; False where this machine does not let us."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.image.open("wb") as file:
            file.truncate(self.size_mb * 1_000_000)
        made = subprocess.run(
            ["mkfs.ext4", "-q", "-F", "-m", "0", "-b", str(BLOCK_BYTES), self.image],
            check=False,
            capture_output=True,
        )
        return made.returncode == 0 and os.geteuid() == 0 and self.put_in()

    def put_in(self, folder: Path | None = None) -> bool:
        """Mount it on a loop device of its own, so that it is another device each time."""
        device = subprocess.run(
            ["losetup", "--find", "--show", self.image], check=False, capture_output=True, text=True
        )
        if device.returncode != 0:
            return False
        mount = ["mount", "-t", "ext4", device.stdout.strip(), str(folder or self.folder)]
        mounted = subprocess.run(mount, check=False, capture_output=True).returncode == 0
        # The kernel keeps the device until nobody uses it any more.
        subprocess.run(["losetup", "--detach", device.stdout.strip()], check=False, capture_output=True)
        return mounted

    def pull_out(self) -> None:
        """Nothing more reaches the card, and its folder is empty; open files give EIO from now on."""
        handle = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.ioctl(handle, EXT4_SHUT_DOWN, (2).to_bytes(4, sys.byteorder))
        finally:
            os.close(handle)
        subprocess.run(["umount", "-l", self.folder], check=True)

    def power_cut(self) -> None:
        """Lose all unsynced data, and put the card back in."""
        self.pull_out()
        if not self.put_in():
            raise OSError(f"{self.image} cannot be mounted any more")


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
        """The environment that preloads the library; raises CalledProcessError when it does not compile."""
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
