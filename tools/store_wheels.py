"""Repack wheels for the Debian package: `python tools/store_wheels.py FOLDER`.

They are stored, as the package compresses them better as a whole; and without what no program of ours looks at, the
libraries' own tests above all.
"""

import sys
import zipfile
from collections.abc import Collection
from fnmatch import fnmatchcase
from pathlib import Path

UNUSED = {
    # numpy.testing imports modules beside the tests, so only tests and their data go.
    "numpy": ("*/tests/test_*", "*/tests/data/*", "*/tests/src/*", "*/tests/examples/*", "*.pyi"),
    "opencv_python_headless": ("cv2/data/*.xml", "*.pyi"),
}
"""Patterns of file names, by library."""


def store(wheel: Path) -> None:
    """Replace a wheel by one with the same files, dates and modes in their order, stored, but for the unused."""
    part = wheel.with_suffix(".part")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(part, "w") as new:
        dropped = unused(wheel, old.namelist())
        for info in old.infolist():
            if info.filename in dropped:
                continue
            data = old.read(info)
            if info.filename.endswith(".dist-info/RECORD"):
                data = without(data, dropped)
            info.compress_type = zipfile.ZIP_STORED
            new.writestr(info, data)
    part.replace(wheel)


def unused(wheel: Path, names: Collection[str]) -> frozenset[str]:
    """Return those files of a wheel that nothing of ours looks at."""
    patterns = UNUSED.get(wheel.name.split("-")[0], ())
    return frozenset(name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns))


def without(record: bytes, dropped: Collection[str]) -> bytes:
    """Return a wheel's list of its files without some."""
    lines = record.decode("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if line.split(",")[0] not in dropped).encode("utf-8")


if __name__ == "__main__":
    for path in sorted(Path(sys.argv[1]).glob("*.whl")):
        store(path)
