"""Fetches packages of Debian and of npm that have decks and fonts, and unpacks them. Needs apt-get, dpkg and npm."""

import subprocess
from collections.abc import Sequence
from pathlib import Path


def unpack_debian(packages: Sequence[str], folder: Path) -> None:
    """Download and unpack those that are not there yet, each into a folder of its name."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [name for name in packages if not (folder / name).exists()]
    if missing:
        # One call for all: reading the lists of packages takes the most time.
        subprocess.run(["apt-get", "download", "-qq", *missing], cwd=folder, check=True)
    for name in missing:
        (deb,) = folder.glob(f"{name}_*.deb")
        subprocess.run(["dpkg", "-x", deb, folder / name], check=True)
        deb.unlink()


def unpack_npm(package: str, target: Path) -> None:
    """Download a package and unpack it into a folder, where that is not there yet."""
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(
            ["npm", "pack", "--silent", package],
            cwd=target.parent,
            check=True,
            capture_output=True,
            text=True,
        )
        target.mkdir()
        subprocess.run(["tar", "xzf", target.parent / packed.stdout.strip(), "-C", target], check=True)
