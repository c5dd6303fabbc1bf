"""The package carries wheels stored and without the libraries' own tests; the installation is complete all the same."""

import os
import zipfile
from pathlib import Path

from tools.store_wheels import store

FILES = {
    "numpy/__init__.py": "",
    "numpy/_core/tests/_natype.py": "pd_NA = None\n",
    "numpy/_core/tests/test_umath.py": "assert False\n",
    "numpy/_core/tests/data/umath.csv": "1,2\n",
    "numpy/__init__.pyi": "",
}


def wheel_of(folder: Path, name: str) -> Path:
    path = folder / f"{name}-1.0-py3-none-any.whl"
    record = f"{name}-1.0.dist-info/RECORD"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, text in FILES.items():
            wheel.writestr(file, text)
        wheel.writestr(record, "".join(f"{file},sha256=x,1\n" for file in (*FILES, record)))
    return path


def test_a_library_loses_its_tests_and_its_list_of_files_says_so(tmp_path: Path) -> None:
    path = wheel_of(tmp_path, "numpy")
    store(path)
    with zipfile.ZipFile(path) as wheel:
        record = "numpy-1.0.dist-info/RECORD"
        kept = ["numpy/__init__.py", "numpy/_core/tests/_natype.py", record]
        assert wheel.namelist() == kept
        assert [line.split(",")[0] for line in wheel.read(record).decode().splitlines()] == kept
        assert {info.compress_type for info in wheel.infolist()} == {zipfile.ZIP_STORED}


def test_other_wheels_keep_every_file(tmp_path: Path) -> None:
    path = wheel_of(tmp_path, "ours")
    store(path)
    with zipfile.ZipFile(path) as wheel:
        assert {*wheel.namelist()} == {*FILES, "ours-1.0.dist-info/RECORD"}


def test_the_same_wheel_gives_the_same_bytes(tmp_path: Path) -> None:
    path = wheel_of(tmp_path, "numpy")
    before = path.read_bytes()
    store(path)
    stored = path.read_bytes()
    path.write_bytes(before)
    os.utime(path, (1, 1))
    store(path)
    assert path.read_bytes() == stored
