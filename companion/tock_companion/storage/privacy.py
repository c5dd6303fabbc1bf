"""What lies in a data folder is for the user who runs the companion alone: hands, the PIN, pictures of living rooms."""

import stat
from contextlib import suppress
from pathlib import Path

OTHERS = 0o077
"""The rights of everybody but the owner."""
FILES = ("games*.sqlite*", "camera-*.npz", "jokers.npz", "tock.toml", "host-pin.json")
FOLDERS = ("backups", "recordings")


def make_private(folder: Path) -> None:
    """Take from others the right to read what earlier versions left open to them; what is not ours stays as it is."""
    for pattern in FILES:
        for path in folder.glob(pattern):
            _restrict(path)
    for name in FOLDERS:
        inside = folder / name
        # Once the folder itself is closed nothing in it needs a look: a recording has thousands of files.
        if inside.is_dir() and inside.stat().st_mode & OTHERS:
            for path in inside.rglob("*"):
                _restrict(path)
            _restrict(inside)


def _restrict(path: Path) -> None:
    with suppress(OSError):
        mode = path.lstat().st_mode
        if (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and mode & OTHERS:
            path.chmod(stat.S_IMODE(mode) & ~OTHERS)
