"""Pack wheels anew without compression: `python tools/store_wheels.py FOLDER`.

The Debian package compresses them better, as a whole; what is in them and their own lists of checksums stay.
"""

import sys
import zipfile
from pathlib import Path


def store(wheel: Path) -> None:
    """Replace a wheel by one with the same files, dates and modes in the same order, stored."""
    part = wheel.with_suffix(".part")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(part, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            info.compress_type = zipfile.ZIP_STORED
            new.writestr(info, data)
    part.replace(wheel)


if __name__ == "__main__":
    for path in sorted(Path(sys.argv[1]).glob("*.whl")):
        store(path)
