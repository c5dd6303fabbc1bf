"""The machine as files (Linux describes nearly everything about itself under /proc, /sys and /dev) and its address."""

import os
import shutil
import socket
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

ANYWHERE = "10.254.254.254"
"""Only to ask the system which route it would take; no packet leaves the machine."""


@dataclass(frozen=True, slots=True)
class System:
    """The running machine; tests give a `root` with the files of a machine that has the fault."""

    root: Path = Path("/")

    def text(self, path: str) -> str | None:
        """Read a file, stripped of surrounding white space; None when it cannot be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0 \n")
        except OSError:
            return None

    def devices(self, pattern: str) -> tuple[Path, ...]:
        return tuple(sorted(self.root.glob(pattern)))

    def may_use(self, path: Path) -> bool:
        """Whether this user may read and write a device."""
        return os.access(path, os.R_OK | os.W_OK)

    def free_mb(self, folder: Path) -> int:
        """Measure the free megabytes of the disk on which a folder lies or will lie."""
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        return shutil.disk_usage(folder).free // 1_000_000


def home_ip() -> str:
    """Find this machine's address on the home network, 127.0.0.1 when it is on none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ANYWHERE, 9))
            return str(probe.getsockname()[0])
        except OSError:
            return _ip_of_host_name()


def _ip_of_host_name() -> str:
    """Look up the address by the machine's own name: a network without a gateway has no route to ask for."""
    try:
        found = socket.gethostbyname(socket.gethostname())
    except OSError:
        return "127.0.0.1"
    return found if not ip_address(found).is_loopback else "127.0.0.1"
