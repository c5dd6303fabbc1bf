"""The Debian package: the same in every build, with a stored wheel of everything that the companion wants."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.store_wheels import store

ROOT = Path(__file__).resolve().parents[2]
LIMIT_MB = 90


def build(arch: str) -> Path:
    subprocess.run(["sh", ROOT / "tools/make-deb.sh", sys.executable, arch], check=True)
    return next((ROOT / "dist").glob(f"tock-companion_*_{arch}.deb"))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("arch", ["amd64", "arm64"])
def test_it_is_small_the_same_every_time_and_has_nothing_that_lintian_minds(arch: str) -> None:
    first = build(arch)
    assert first.stat().st_size < LIMIT_MB * 1_000_000
    digest = hashlib.sha256(first.read_bytes()).hexdigest()
    if shutil.which("lintian"):
        subprocess.run(["lintian", "--fail-on", "error,warning", first], check=True)
    assert hashlib.sha256(build(arch).read_bytes()).hexdigest() == digest


def test_no_package_is_made_for_other_machines() -> None:
    done = subprocess.run(
        ["sh", ROOT / "tools/make-deb.sh", sys.executable, "armhf"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "tock: there is no package for armhf; type: make deb ARCH=arm64 (or ARCH=amd64)\n"


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


LISTS = ROOT / "packaging/deb/wheels"
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
LINE = re.compile(r"([a-z0-9-]+)==(\S+) --hash=sha256:[0-9a-f]{64}")


def carried(arch: str, python: str) -> dict[str, str]:
    lines = (LISTS / f"{arch}-{python}.txt").read_text(encoding="utf-8").splitlines()
    matches = [LINE.fullmatch(line) for line in lines]
    assert all(matches)
    return {match[1]: match[2] for match in matches if match}


def target(arch: str, python: str) -> dict[str, str | AbstractSet[str]]:
    here = {key: str(value) for key, value in default_environment().items()}
    there = {
        "platform_machine": MACHINES[arch],
        "python_version": python,
        "python_full_version": f"{python}.0",
    }
    return {**here, **there}


@pytest.mark.parametrize("arch", MACHINES)
@pytest.mark.parametrize("python", ["3.11", "3.13"])
def test_every_requirement_has_its_wheel(arch: str, python: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wheels = carried(arch, python)
    for text in [
        *project["dependencies"],
        *extras["pi"],
        *extras["ribbon"],
        *extras["club"],
    ]:
        wanted = Requirement(text)
        if wanted.marker is None or wanted.marker.evaluate(target(arch, python)):
            version = wheels.get(canonicalize_name(wanted.name))
            assert version is not None, f"{wanted.name} is not in the list; type: make deb-wheels"
            assert wanted.specifier.contains(version), (
                f"{text}, but {version} is carried; type: make deb-wheels"
            )


def test_the_pins_library_is_carried_where_it_has_wheels() -> None:
    assert "lgpio" in carried("arm64", "3.11")
    assert "lgpio" not in carried("arm64", "3.13")
