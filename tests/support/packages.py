"""Real Debian packages in real apt repositories, signed by GnuPG keys of the tests."""

import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tock_companion.machine.updates import UPLOAD, Updates
from tools.release.repository import sign_index, write_indexes

needs_dpkg = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in ("dpkg-scanpackages", "apt-get", "gpg")),
    reason="apt, dpkg-dev and gpg are needed",
)
OURS, ANOTHER = "trials", "stranger"
"""User ids of a key that machines of the tests trust, and of one that they do not."""


@cache
def gpg_home() -> Path:
    """A GnuPG folder with both keys; gpg-agent's socket needs a short path."""
    home = Path(tempfile.mkdtemp(prefix="tock-gpg-"))
    for name in (OURS, ANOTHER):
        _gpg(home, "--passphrase", "", "--quick-generate-key", name, "ed25519", "sign", "never")
        (home / f"{name}.asc").write_bytes(_gpg(home, "--armor", "--export", name))
    return home


def public_key(name: str = OURS) -> Path:
    """The public part of a key of the tests."""
    return gpg_home() / f"{name}.asc"


def trusted() -> tuple[Path, ...]:
    """The keys that a machine of the tests trusts."""
    return (public_key(),)


def _gpg(home: Path, *arguments: str) -> bytes:
    return subprocess.run(
        ("gpg", "--homedir", str(home), "--batch", "--quiet", *arguments), capture_output=True, check=True
    ).stdout


def build_package(
    folder: Path,
    version: str = "9.0.0",
    name: str = "tock-companion",
    architecture: str | None = None,
    change: Callable[[Path], object] = lambda _tree: None,
) -> Path:
    """Build a real Debian package with a setup script and one wheel; `change` is done to its tree before."""
    tree = folder / f"tree-{name}-{version}"
    ours = tree / "usr/lib/tock-companion"
    (tree / "DEBIAN").mkdir(parents=True)
    (ours / "wheels").mkdir(parents=True)
    for path in (tree, tree / "usr", tree / "usr/lib", ours, ours / "wheels", tree / "DEBIAN"):
        path.chmod(0o755)
    for path, text in ((ours / "setup.sh", "echo tried\n"), (ours / "wheels/tock_companion-9.whl", "wheel")):
        path.write_text(text)
        path.chmod(0o644)
    if architecture is None:
        shown = subprocess.run(
            ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
        ).stdout
        architecture = shown.strip()
    (tree / "DEBIAN/control").write_text(
        f"Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: a <a@example.org>\n"
        "Description: a trial\n"
    )
    change(tree)
    out = folder / f"{name}_{version}_{architecture}.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zgzip", "--build", str(tree), str(out)],
        check=True,
        capture_output=True,
    )
    return out


def build_repository(
    folder: Path, *packages: Path, signer: str = OURS, index: Callable[[str], str] = lambda text: text
) -> Path:
    """Write the signed repository of some packages, as `make release` does; `index` changes it before it is signed."""
    repository = folder / "repository-of-a-release"
    shutil.rmtree(repository, ignore_errors=True)
    repository.mkdir()
    for package in packages or (build_package(folder),):
        shutil.copy(package, repository)
    write_indexes(repository, 1_790_000_000)
    release = repository / "Release"
    release.write_text(index(release.read_text()))
    os.environ["GNUPGHOME"], before = str(gpg_home()), os.environ.get("GNUPGHOME")
    try:
        sign_index(repository, signer)
    finally:
        os.environ.pop("GNUPGHOME") if before is None else os.environ.update(GNUPGHOME=before)
    return repository


def archive_of(repository: Path) -> Path:
    """The archive that carries a repository to the page."""
    target = repository.with_suffix(".tar")
    with tarfile.open(target, "w") as archive:
        for path in sorted(repository.iterdir()):
            archive.add(path, f"release/{path.name}")
    return target


def offer(updates: Updates, repository: Path, data: Path) -> dict[str, object]:
    """Hand a release in as the page does, in the folder of the companion's user."""
    (data / "update").mkdir(exist_ok=True)
    shutil.copy(archive_of(repository), data / UPLOAD)
    return updates.take_upload()


def log_of(folder: Path) -> list[str]:
    """The programs called on a machine whose programs write that down."""
    return (folder / "log").read_text().splitlines() if (folder / "log").exists() else []


def taken(desk: Updates, folder: Path, *packages: Path) -> str:
    """Have the desk take a release; the checksum of its package."""
    candidate = offer(desk, build_repository(folder, *packages), folder)["candidate"]
    assert isinstance(candidate, dict)
    return str(candidate["sha256"])
