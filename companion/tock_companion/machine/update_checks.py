"""A release from a stick or the page: copied out of others' reach, checked by apt, and fit for this machine or not."""

import os
import shutil
import stat
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import IO, BinaryIO

from tock_companion.machine.apt_repository import INDEXES, NAME, PACKAGE, verified
from tock_companion.machine.client import MAX_PACKAGE_BYTES
from tock_companion.machine.commands import CommandError, output_of
from tock_companion.machine.refusals import RefusedError

ROOM = 3
"""Times the installed size: the files, the release made of them, and the package itself."""
KB = 1024
_CHUNK_BYTES = 1 << 20
_NOT_FOLLOWED = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_DEB = b"!<arch>"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A signed package that this machine could install; it is newer than the installed one."""

    version: str
    installed: str
    size: int
    sha256: str
    signer: str
    """The name of the key that signed it."""


def copy_folder(source: Path, names: Sequence[str], target: Path) -> None:
    """Copy files of a folder that others may still change, without following a link below it."""
    for name in names:
        with _opened_beneath(source, name) as file:
            _copy(file, target / Path(name).name)


def copy_archive(folder: Path, name: str, target: Path) -> None:
    """Copy the files of a release's archive; RefusedError for a package alone and for anything else."""
    with _opened_beneath(folder, name) as file:
        try:
            with tarfile.open(fileobj=file, mode="r|") as archive:
                for member in archive:
                    file_name = Path(member.name).name
                    is_ours = file_name in INDEXES or PACKAGE.fullmatch(file_name)
                    # Sparse files would fill the disk from an archive of a few bytes.
                    is_plain = member.isreg() and not member.issparse()
                    content = archive.extractfile(member) if is_ours and is_plain else None
                    if content is not None:
                        _copy(content, target / file_name)
        except (tarfile.TarError, EOFError):
            file.seek(0)
            code = "update/unsigned" if file.read(len(_DEB)) == _DEB else "update/no-package"
            raise RefusedError(code) from None


def examined(repository: Path, package: Path, keys: Sequence[Path]) -> Candidate:
    """Check a repository that no other process can write; write its package to `package`.

    Raises RefusedError for one that is not signed, not newer, or too large for the disk.
    """
    signer = verified(repository, package, keys)
    shown = output_of(("dpkg-deb", "--show", "--showformat=${Version} ${Installed-Size}", str(package)))
    version, _, installed_kb = shown.partition(" ")
    installed = installed_version()
    if not _is(version, "gt", installed):
        code = "update/same" if _is(version, "eq", installed) else "update/older"
        raise RefusedError(code, version=version, installed=installed)
    needed = ROOM * KB * int(installed_kb or 0)
    if needed > shutil.disk_usage(package.parent).free:
        raise RefusedError("update/full", needed=str(needed // 1_000_000))
    with package.open("rb") as file:
        sha256 = file_digest(file, "sha256").hexdigest()
    return Candidate(version, installed, package.stat().st_size, sha256, signer)


def installed_version() -> str:
    """The version of the installed package; RefusedError where the companion was installed another way."""
    try:
        version = output_of(("dpkg-query", "--show", "--showformat=${Version}", NAME))
    except CommandError:
        version = ""
    if not version:
        raise RefusedError("update/no-package-here")
    return version


def _opened_beneath(folder: Path, name: str) -> BinaryIO:
    """Open a regular file by a path of which no part below `folder` may be a link."""
    *folders, last = name.split("/")
    try:
        here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in folders:
                there = os.open(part, _NOT_FOLLOWED | os.O_DIRECTORY, dir_fd=here)
                os.close(here)
                here = there
            file = os.fdopen(os.open(last, _NOT_FOLLOWED, dir_fd=here), "rb")
        finally:
            os.close(here)
    except OSError:
        raise RefusedError("update/missing") from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise RefusedError("update/missing")
    return file


def _copy(file: IO[bytes], target: Path) -> None:
    size = 0
    with target.open("wb") as writing:
        while chunk := file.read(_CHUNK_BYTES):
            size += len(chunk)
            if size > MAX_PACKAGE_BYTES:
                raise RefusedError("update/large", most=str(MAX_PACKAGE_BYTES // 1_000_000))
            writing.write(chunk)


def _is(version: str, sign: str, other: str) -> bool:
    try:
        output_of(("dpkg", "--compare-versions", version, sign, other))
    except CommandError:
        return False
    return True
