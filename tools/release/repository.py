"""The apt repository of a release: packages, their list, and an index signed with a GnuPG key."""

import hashlib
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from email.utils import formatdate
from pathlib import Path


def write(folder: Path, packages: Sequence[Path], key: str, date_s: int) -> None:
    """Write the signed repository of some packages into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for package in packages:
        shutil.copy(package, folder)
    write_indexes(folder, date_s)
    sign_index(folder, key)


def write_indexes(folder: Path, date_s: int) -> None:
    """Write `Packages` and `Release`; without a Valid-Until, so a stick in a drawer stays good."""
    listed = subprocess.run(
        ("dpkg-scanpackages", "--multiversion", "."), cwd=folder, capture_output=True, check=True
    ).stdout
    (folder / "Packages").write_bytes(listed)
    (folder / "Release").write_text(
        f"Origin: Tock Companion\nLabel: Tock Companion\nSuite: stable\nArchitectures: amd64 arm64\n"
        f"Date: {formatdate(date_s, usegmt=True)}\n"
        f"SHA256:\n {hashlib.sha256(listed).hexdigest()} {len(listed)} Packages\n",
        encoding="utf-8",
    )


def sign_index(folder: Path, key: str) -> None:
    """Write `InRelease`, signed with a key of the caller's GnuPG keyring."""
    _sign(key, "--clearsign", folder / "Release", folder / "InRelease")


def sign_sums(sums: Path, key: str) -> Path:
    """Write the signature beside the checksums, for `gpg --verify`."""
    signature = sums.with_name(f"{sums.name}.asc")
    _sign(key, "--detach-sign", sums, signature)
    return signature


def _sign(key: str, form: str, source: Path, target: Path) -> None:
    signing = ("gpg", "--batch", "--yes", "--local-user", key, "--digest-algo", "SHA512", "--armor", form)
    subprocess.run((*signing, "--output", target, source), capture_output=True, text=True, check=True)


def archive(folder: Path, package: Path, target: Path) -> None:
    """Write the one file that a family sends from the host's page: the index and one package."""
    with tarfile.open(target, "w") as writing:
        for path in (folder / "InRelease", folder / "Packages", folder / package.name):
            writing.add(path, f"tock-companion/{path.name}", filter=_plain)


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    member.mode = 0o644
    return member
