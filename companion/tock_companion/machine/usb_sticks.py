"""USB sticks: mounted for a moment, to be read and nothing else."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tock_companion.machine.apt_repository import INDEXES, NAME
from tock_companion.machine.commands import CommandError, output_of

KINDS = ("vfat", "exfat", "ext4")
OPTIONS = "ro,nosuid,nodev,noexec"
_COLUMNS = "PATH,TRAN,RM,FSTYPE,MOUNTPOINTS,TYPE"


@contextmanager
def mounted() -> Iterator[tuple[Path, ...]]:
    """Mount every stick, and unmount them all afterwards."""
    with ExitStack() as stack:
        folders = []
        for device, kind in _partitions():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stick-")))
            try:
                output_of(("mount", "--types", kind, "--options", OPTIONS, device, str(folder)))
            except CommandError:
                continue
            stack.callback(output_of, ("umount", "--lazy", str(folder)))
            folders.append(folder)
        yield tuple(folders)


def packages(folder: Path) -> Mapping[str, tuple[str, ...]]:
    """The packages of repositories at the top of a stick or one folder below, each with the files to copy."""
    found = {}
    for index in (*folder.glob(INDEXES[0]), *folder.glob(f"*/{INDEXES[0]}")):
        for package in index.parent.glob(f"{NAME}_*.deb"):
            files = (*(index.with_name(name) for name in INDEXES), package)
            found[package.name] = tuple(str(file.relative_to(folder)) for file in files)
    return found


def _partitions() -> list[tuple[str, str]]:
    listing = json.loads(output_of(("lsblk", "--json", "--output", _COLUMNS)))
    return [found for disk in listing["blockdevices"] for found in _usable(disk, removable=False)]


def _usable(device: Mapping[str, Any], *, removable: bool) -> Iterator[tuple[str, str]]:
    """Partitions of removable disks; a disk in use is the machine's own."""
    removable = removable or device["tran"] == "usb" or bool(device["rm"])
    for part in device.get("children", ()):
        yield from _usable(part, removable=removable)
    if removable and device["fstype"] in KINDS and not any(device["mountpoints"]):
        yield device["path"], device["fstype"]
