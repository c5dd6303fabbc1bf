"""The Debian package itself. Built twice for each kind of machine: minutes of computing, and downloads."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
